import { sql } from '../../src/db/sql.ts';
import { assertModelAccess } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import { filterReadableIds } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../src/engine/operation/shape.ts';
import { errors } from '../../src/errors.ts';
import { DAY_MS } from './wall-time.ts';

const MAX_BUSY_PARTNERS = 100;
const MAX_BUSY_DAYS = 93;
const MAX_BUSY_TIMES = 5_000;

const BusyTimeShape = defineTypedShape('CalendarBusyTime', 'A time range in which a contact is busy.', {
  partner: { type: 'ID', description: 'Id of the contact.' },
  start: { type: 'DateTime', description: 'Start of the busy time.' },
  stop: { type: 'DateTime', description: 'End of the busy time.' },
});

export const calendarBusyTimes = defineOperation('calendarBusyTimes', {
  effects: ['reads'],
  address: 'calendar.event/busy_times',
  policy: { auth: ['USER'], scope: 'read' },
  description:
    'Returns the times at which contacts are busy, without event details. Overlapping times are merged. ' +
    'Events that are shown as available and declined events are ignored.',
  args: (arg) => ({
    partnerIds: arg.recordIds({ required: true, description: 'Contacts to check.' }),
    start: arg({ type: 'DateTime', required: true, description: 'Start of the time range.' }),
    stop: arg({
      type: 'DateTime',
      required: true,
      description: `End of the time range, at most ${MAX_BUSY_DAYS} days after \`start\`.`,
    }),
  }),
  type: [BusyTimeShape.ref as object],
  run: (ctx, { partnerIds, start, stop }) => findBusyTimes(ctx, partnerIds, String(start), String(stop)),
});

async function findBusyTimes(ctx: Ctx, partnerIds: number[], start: string, stop: string) {
  assertModelAccess(ctx, getModel(ctx, 'calendar.event'), 'read');
  const span = Date.parse(stop) - Date.parse(start);
  if (!(span > 0 && span <= MAX_BUSY_DAYS * DAY_MS))
    throw errors.badRequest(`stop: must be at most ${MAX_BUSY_DAYS} days after start.`);
  if (partnerIds.length > MAX_BUSY_PARTNERS)
    throw errors.badRequest(`partnerIds: must contain at most ${MAX_BUSY_PARTNERS} ids.`);
  const partners = await filterReadableIds(ctx, 'res.partner', partnerIds);
  const workspace = sql.param(ctx.workspace.id);
  return ctx.db.rows<{ partner: number; start: string; stop: string }>(
    sql`select b.partner_id as partner, to_char(lower(x.span), ${TIME_FORMAT}) as start,
       to_char(upper(x.span), ${TIME_FORMAT}) as stop
     from (
       select a.partner_id, range_agg(tsrange(
         case when e.allday then date_trunc('day', e.start) else e.start end,
         case when e.allday then date_trunc('day', e.stop) + interval '1 day' else e.stop end)
         * tsrange(${start}::timestamptz at time zone 'UTC', ${stop}::timestamptz at time zone 'UTC')) as spans
       from calendar_attendee a
       join calendar_event e on e.workspace_id = ${workspace} and e.id = a.event_id
       where a.workspace_id = ${workspace} and a.partner_id = any(${partners}) and a.state <> 'declined'
         and e.active and e.show_as = 'busy'
         and e.start < ${stop}::timestamptz at time zone 'UTC' + interval '1 day'
         and e.stop > ${start}::timestamptz at time zone 'UTC' - interval '1 day'
       group by a.partner_id) b, unnest(b.spans) x(span)
     where not isempty(x.span)
     order by b.partner_id, lower(x.span) limit ${sql.literal(MAX_BUSY_TIMES)}`,
  );
}

const TIME_FORMAT = 'YYYY-MM-DD"T"HH24:MI:SS"Z"';
