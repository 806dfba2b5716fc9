import { loadDemoPeople, pickInTurn } from '../kit/demo-people.ts';
import { addRecords, type Ctx, findRecordIds, formatDay, type Values } from '../kit/surface.ts';

/** Each meeting starts at `hour`, `days` from now. `tag` is a number from 1 to 5. */
const MEETINGS: [name: string, days: number, hour: number, hours: number, tag: number, repeats?: Values][] = [
  ['Weekly meeting', 1, 9, 1, 2, { rrule_type: 'weekly', end_type: 'count', count: 12 }],
  ['Visit of the new depot', 3, 13, 2, 3],
  ['Offer for the counters', 4, 10, 1, 1],
  ['Review of the start page', 6, 14, 1, 5],
  ['Open questions', -5, 15, 1, 4],
];

/** Creates meetings among the first users only, so that no outsiders are invited. */
export async function addCalendarDemoData(ctx: Ctx): Promise<void> {
  const people = await loadDemoPeople(ctx);
  const tags = await findRecordIds(
    ctx,
    'calendar',
    [1, 2, 3, 4, 5].map((n) => `categ_meet${n}`),
  );
  const records: Record<string, Values> = {};
  MEETINGS.forEach(([name, days, hour, hours, tag, repeats], index) => {
    records[`demo_event_${index + 1}`] = {
      name,
      start: `${formatDay(days)} ${String(hour).padStart(2, '0')}:00:00`,
      duration: hours,
      user_id: pickInTurn(people.users, index) ?? false,
      partner_ids: [],
      categ_ids: [[6, 0, [tags.get(`categ_meet${tag}`)!]]],
      ...(repeats && { recurrency: true, ...repeats }),
    };
  });
  await addRecords(ctx, 'calendar', 'calendar.event', records);
}
