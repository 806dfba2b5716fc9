import { beforeAll, describe, expect, test } from 'vitest';
import { startDueWork } from '../../src/engine/work/due-work.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import { until } from '../harness/wait.ts';
import { addMember } from './member.ts';

const app = setUpApp();
const admin = createJsonClient(app);
let ann: Awaited<ReturnType<typeof addMember>>;
let bob: Awaited<ReturnType<typeof addMember>>;

beforeAll(async () => {
  ann = await addMember(app, app.main, 'ann', ['base.group_user']);
  bob = await addMember(app, app.main, 'bob', ['base.group_user']);
});

const createEvent = (values: object, calls: JsonClient = ann.caller) =>
  calls.create('calendar.event', { start: '2030-03-05 09:00:00', stop: '2030-03-05 10:00:00', ...values });

async function getRecurrenceStarts(id: number, calls: JsonClient = ann.caller): Promise<string[]> {
  const [one] = await calls.value('calendar.event/read', { ids: [id], fields: ['recurrence_id'] });
  const rows = await calls.value('calendar.event/search_read', {
    domain: [['recurrence_id', '=', one.recurrence_id[0]]],
    fields: ['start'],
    order: 'start',
  });
  return rows.map((row: { start: string }) => row.start);
}

describe('a calendar event', () => {
  test('belongs to its creator, who is also an attendee', async () => {
    const id = await createEvent({ name: 'Mine' });
    const eventValues = await ann.caller.read('calendar.event', id, [
      ...['user_id', 'duration', 'attendee_ids', 'attendees_count', 'accepted_count', 'privacy', 'allday'],
    ]);
    expect(eventValues).toMatchObject({
      user_id: ann.id,
      duration: 1,
      attendees_count: 1,
      accepted_count: 1,
      privacy: 'public',
      allday: false,
    });
    const [attendee] = await ann.caller.value('calendar.attendee/read', { ids: eventValues.attendee_ids });
    expect(attendee).toMatchObject({ state: 'accepted', common_name: 'ann' });
  });

  test('keeps its duration when it is moved, and its start when its duration changes', async () => {
    const id = await createEvent({ name: 'Moved', stop: '2030-03-05 11:30:00' });
    await ann.caller.value('calendar.event/write', { ids: [id], vals: { start: '2030-03-06 08:00:00' } });
    expect(await ann.caller.read('calendar.event', id, ['stop'])).toMatchObject({
      stop: '2030-03-06 10:30:00',
    });
    await ann.caller.value('calendar.event/write', { ids: [id], vals: { duration: 0.5 } });
    expect(await ann.caller.read('calendar.event', id, ['stop'])).toMatchObject({
      stop: '2030-03-06 08:30:00',
    });
  });

  test('cannot end before it starts', async () => {
    const error = await ann.caller.expectRejection('calendar.event/create', {
      vals_list: [{ name: 'Backwards', start: '2030-03-05 09:00:00', stop: '2030-03-05 08:00:00' }],
    });
    expect(error.status).toBe(422);
  });

  test('stores dates instead of times if it is an all-day event', async () => {
    const id = await createEvent({ name: 'Fair', allday: true, start: '2030-05-02', stop: '2030-05-04' });
    expect(await ann.caller.read('calendar.event', id, ['start_date', 'stop_date'])).toMatchObject({
      start_date: '2030-05-02',
      stop_date: '2030-05-04',
    });
  });
});

describe('a recurrence', () => {
  test("keeps its local time in the organizer's time zone across DST changes", async () => {
    const id = await createEvent({
      name: 'Early',
      start: '2030-03-26 08:00:00',
      stop: '2030-03-26 08:30:00',
      event_tz: 'Europe/Brussels',
      ...{ recurrency: true, rrule_type: 'weekly', tue: true, end_type: 'count', count: 3 },
    });
    expect(await getRecurrenceStarts(id)).toEqual([
      '2030-03-26 08:00:00',
      '2030-04-02 07:00:00',
      '2030-04-09 07:00:00',
    ]);
    expect(
      await ann.caller.read('calendar.event', id, ['rrule', 'rrule_type', 'count', 'tue', 'mon']),
    ).toMatchObject({
      rrule: 'FREQ=WEEKLY;BYDAY=TU;COUNT=3',
      rrule_type: 'weekly',
      count: 3,
      tue: true,
      mon: false,
    });
  });

  test.each([
    ['a new event without a name', {}],
    ['a new event', { name: 'Planned' }],
  ])('has a start, a stop and a duration that follow each other in the form of %s', async (_what, named) => {
    const preview = async (values: object, changed: string) => {
      const fields_spec = { start: {}, stop: {}, duration: {} };
      const form = { ids: [], values: { ...named, ...values }, field_names: [changed], fields_spec };
      return (await ann.caller.value('calendar.event/onchange', form)).value;
    };
    const start = '2030-03-05 09:00:00';
    const unset = { start, stop: false, duration: 0 };
    expect(await preview(unset, 'start')).toEqual({ stop: '2030-03-05 10:00:00', duration: 1 });
    const stop = '2030-03-05 10:30:00';
    expect(await preview({ start, stop, duration: 1 }, 'stop')).toEqual({ duration: 1.5 });
    const moved = { start: '2030-03-06 08:00:00', stop, duration: 1.5 };
    expect(await preview(moved, 'start')).toEqual({ stop: '2030-03-06 09:30:00' });
    const longer = { start, stop, duration: 2 };
    expect(await preview(longer, 'duration')).toEqual({ stop: '2030-03-05 11:00:00' });
  });

  test('keeps its duration in the form when its start changes', async () => {
    const id = await createEvent({ name: 'Stored', stop: '2030-03-05 11:30:00' });
    const form = { ids: [id], values: { start: '2030-03-06 08:00:00' }, field_names: ['start'] };
    const { value } = await ann.caller.value('calendar.event/onchange', {
      ...{ ...form, fields_spec: { stop: {}, duration: {} } },
    });
    expect(value).toEqual({ stop: '2030-03-06 10:30:00', duration: 2.5 });
  });

  test('offers a weekly rule to the form of a new event, which repeats on the day of the start', async () => {
    const rule = { rrule_type: 'weekly', interval: 1, end_type: 'count', count: 1, mon: false, tue: false };
    const spec = Object.fromEntries(Object.keys(rule).map((name) => [name, {}]));
    const { value } = await ann.caller.value('calendar.event/onchange', {
      ...{ ids: [], values: {}, field_names: [], fields_spec: spec },
    });
    expect(value).toEqual(rule);
    const id = await createEvent({ name: 'New', event_tz: 'UTC', recurrency: true, ...value, count: 2 });
    expect(await getRecurrenceStarts(id)).toEqual(['2030-03-05 09:00:00', '2030-03-12 09:00:00']);
  });

  const createWeekly = (name: string) =>
    createEvent({
      name,
      recurrency: true,
      rrule_type: 'weekly',
      tue: true,
      end_type: 'count',
      count: 4,
      event_tz: 'UTC',
    });
  const days = ['2030-03-05', '2030-03-12', '2030-03-19', '2030-03-26'];

  async function readAt(id: number, day: string): Promise<number> {
    const { recurrence_id } = await ann.caller.read('calendar.event', id, ['recurrence_id']);
    const domain = [
      ['recurrence_id', '=', recurrence_id],
      ['start', '>=', day],
      ['start', '<', `${day} 23:59:59`],
    ];
    const [eventId] = await ann.caller.value('calendar.event/search', { domain });
    return eventId;
  }
  const buildTimes = (hour: string, of = days) => of.map((day) => `${day} ${hour}:00:00`);

  test('detaches a single event when it is changed', async () => {
    const id = await createWeekly('One');
    const second = await readAt(id, days[1]!);
    await ann.caller.value('calendar.event/write', { ids: [second], vals: { start: '2030-03-13 15:00:00' } });
    expect(await getRecurrenceStarts(id)).toEqual([
      ...['2030-03-05 09:00:00', '2030-03-13 15:00:00', '2030-03-19 09:00:00', '2030-03-26 09:00:00'],
    ]);
    expect(await ann.caller.read('calendar.event', second, ['follow_recurrence'])).toMatchObject({
      follow_recurrence: false,
    });
  });

  test('applies a change to all of its events', async () => {
    const id = await createWeekly('All');
    const third = await readAt(id, days[2]!);
    await ann.caller.value('calendar.event/write', {
      ids: [third],
      vals: { recurrence_update: 'all_events', start: '2030-03-20 11:00:00', location: 'Hall' },
    });
    expect(await getRecurrenceStarts(id)).toEqual(
      buildTimes('11', ['2030-03-06', '2030-03-13', '2030-03-20', '2030-03-27']),
    );
    expect(await ann.caller.read('calendar.event', id, ['location', 'rrule'])).toMatchObject({
      location: 'Hall',
      rrule: 'FREQ=WEEKLY;BYDAY=WE;COUNT=4',
    });
  });

  test('moves the written event even if it was detached', async () => {
    const id = await createWeekly('Detached');
    const third = await readAt(id, days[2]!);
    for (const values of [
      { start: '2030-03-19 15:00:00' },
      { start: '2030-03-19 16:00:00', recurrence_update: 'all_events' },
    ])
      await ann.caller.value('calendar.event/write', { ids: [third], vals: values });
    expect(await getRecurrenceStarts(id)).toEqual([
      ...['2030-03-05 10:00:00', '2030-03-12 10:00:00', '2030-03-19 16:00:00', '2030-03-26 10:00:00'],
    ]);
  });

  test('keeps the duration of its other events when a detached event changes the rule or the zone', async () => {
    const id = await createWeekly('Short');
    const second = await readAt(id, days[1]!);
    for (const values of [
      { duration: 5 },
      { count: 2, recurrence_update: 'all_events' },
      { event_tz: 'Asia/Tokyo', recurrence_update: 'all_events' },
    ])
      await ann.caller.value('calendar.event/write', { ids: [second], vals: values });
    expect(await ann.caller.read('calendar.event', id, ['duration', 'start', 'count'])).toMatchObject({
      ...{ duration: 1, start: '2030-03-05 09:00:00', count: 2 },
    });
    expect(await ann.caller.read('calendar.event', second, ['duration'])).toMatchObject({ duration: 5 });
  });

  test('moves from the last weekday of a month to a day of the next month', async () => {
    const id = await createEvent({
      name: 'Last',
      start: '2030-05-30 09:00:00',
      stop: '2030-05-30 10:00:00',
      recurrency: true,
      ...{ rrule_type: 'monthly', month_by: 'day', weekday: 'THU', byday: '-1', end_type: 'count', count: 2 },
    });
    const vals = { start: '2030-06-01 09:00:00', recurrence_update: 'all_events' };
    await ann.caller.value('calendar.event/write', { ids: [id], vals });
    expect(await getRecurrenceStarts(id)).toEqual(['2030-06-01 09:00:00', '2030-07-06 09:00:00']);
  });

  test('moves to another time zone without restoring deleted events', async () => {
    const id = await createWeekly('Zone');
    await ann.caller.value('calendar.event/unlink', { ids: [await readAt(id, days[2]!)] });
    await ann.caller.value('calendar.event/write', {
      ids: [id],
      vals: { recurrence_update: 'all_events', event_tz: 'America/New_York' },
    });
    // In New York, daylight saving time starts on the 10th.
    const zone = ['2030-03-05 09:00:00', '2030-03-12 08:00:00', '2030-03-26 08:00:00'];
    expect(await getRecurrenceStarts(id)).toEqual(zone);
    await ann.caller.value('calendar.event/write', {
      ids: [id],
      vals: { recurrence_update: 'all_events', event_tz: 'Asia/Tokyo', start: '2030-03-05 09:30:00' },
    });
    expect(await getRecurrenceStarts(id)).toEqual(
      [days[0]!, days[1]!, days[3]!].map((day) => `${day} 09:30:00`),
    );
  });

  test('splits off an event and all later ones as a new recurrence', async () => {
    const id = await createWeekly('Rest');
    const third = await readAt(id, days[2]!);
    await ann.caller.value('calendar.event/write', {
      ids: [third],
      vals: { recurrence_update: 'future_events', name: 'Other', duration: 2 },
    });
    expect(await getRecurrenceStarts(id)).toEqual(buildTimes('09', days.slice(0, 2)));
    expect(await getRecurrenceStarts(third)).toEqual(buildTimes('09', days.slice(2)));
    const last = await readAt(third, days[3]!);
    expect(await ann.caller.read('calendar.event', last, ['name', 'duration', 'count'])).toMatchObject({
      name: 'Other',
      duration: 2,
      count: 2,
    });
    expect(await ann.caller.read('calendar.event', id, ['name', 'count'])).toMatchObject({
      name: 'Rest',
      count: 2,
    });
  });

  test('accepts a new rule and can be converted to a single event', async () => {
    const id = await createWeekly('Ruled');
    await ann.caller.value('calendar.event/write', {
      ids: [id],
      vals: { recurrence_update: 'all_events', rrule_type: 'daily', count: 2 },
    });
    expect(await getRecurrenceStarts(id)).toEqual(buildTimes('09', ['2030-03-05', '2030-03-06']));
    await ann.caller.value('calendar.event/write', {
      ids: [id],
      vals: { recurrence_update: 'all_events', recurrency: false },
    });
    expect(await ann.caller.read('calendar.event', id, ['recurrence_id', 'recurrency'])).toMatchObject({
      recurrence_id: false,
      recurrency: false,
    });
    expect(await ann.caller.value('calendar.event/search_count', { domain: [['name', '=', 'Ruled']] })).toBe(
      1,
    );
  });

  test('deletes one event, an event with all later ones, or all events', async () => {
    const id = await createWeekly('Deleted');
    await ann.caller.value('calendar.event/unlink', { ids: [await readAt(id, days[1]!)] });
    expect(await getRecurrenceStarts(id)).toEqual(buildTimes('09', [days[0]!, days[2]!, days[3]!]));
    await ann.caller.value('calendar.event/action_mass_deletion', {
      ids: [await readAt(id, days[3]!)],
      recurrence_update_setting: 'future_events',
    });
    expect(await getRecurrenceStarts(id)).toEqual(buildTimes('09', [days[0]!, days[2]!]));
    await ann.caller.value('calendar.event/action_mass_deletion', {
      ids: [id],
      recurrence_update_setting: 'all_events',
    });
    expect(
      await ann.caller.value('calendar.event/search_count', { domain: [['name', '=', 'Deleted']] }),
    ).toBe(0);
    expect(
      await ann.caller.value('calendar.recurrence/search_count', {
        domain: [
          ['count', '=', 4],
          ['tue', '=', true],
        ],
      }),
    ).toBe(
      await ann.caller.value('calendar.recurrence/search_count', {
        domain: [
          ['calendar_event_ids.name', '!=', false],
          ['count', '=', 4],
          ['tue', '=', true],
        ],
      }),
    );
  });

  test('creates events up to the limit if it never ends', async () => {
    const id = await createEvent({
      name: 'Daily',
      recurrency: true,
      rrule_type: 'daily',
      end_type: 'forever',
      event_tz: 'UTC',
    });
    expect(await getRecurrenceStarts(id)).toHaveLength(720);
  });

  test('is extended over time if it never ends, and keeps the added events when it is changed', async () => {
    const day = 86_400_000;
    const buildAt = (time: number) => new Date(time).toISOString().slice(0, 19).replace('T', ' ');
    const start = Date.now() - 400 * day;
    const guest = await admin.create('res.partner', { name: 'Guest' });
    const id = await createEvent({
      name: 'Lasting',
      ...{ start: buildAt(start), stop: buildAt(start + 3_600_000), partner_ids: [[6, 0, [guest]]] },
      ...{ recurrency: true, rrule_type: 'daily', end_type: 'forever', event_tz: 'UTC' },
    });
    const pastEvent = await createEvent({
      name: 'Ended',
      ...{ start: buildAt(start), stop: buildAt(start + 3_600_000) },
      ...{ recurrency: true, rrule_type: 'daily', end_type: 'count', count: 700, event_tz: 'UTC' },
    });
    const longAgo = start - 1_600 * day;
    const old = await createEvent({
      name: 'Old',
      ...{ start: buildAt(longAgo), stop: buildAt(longAgo + 3_600_000) },
      ...{ recurrency: true, rrule_type: 'daily', end_type: 'forever', event_tz: 'UTC' },
    });
    expect(await getRecurrenceStarts(id)).toHaveLength(720);
    const work = startDueWork(app.runtime);
    await until(async () => (await getRecurrenceStarts(id)).length > 720, 'more is laid out');
    await work.stop();
    const starts = await getRecurrenceStarts(id);
    expect(starts).toHaveLength(1_080);
    expect(starts.at(-1)).toBe(buildAt(start + 1_079 * day));
    expect(await getRecurrenceStarts(pastEvent)).toHaveLength(700);
    expect(await getRecurrenceStarts(old)).toHaveLength(720);
    const [last] = await ann.caller.value('calendar.event/search_read', {
      domain: [['name', '=', 'Lasting']],
      fields: ['partner_ids', 'stop'],
      order: 'start desc',
      limit: 1,
    });
    expect(last).toMatchObject({ partner_ids: [guest], stop: buildAt(start + 1_079 * day + 3_600_000) });
    await ann.caller.value('calendar.event/write', {
      ids: [id],
      vals: { recurrence_update: 'all_events', location: 'Roof', stop: buildAt(start + 7_200_000) },
    });
    expect(await getRecurrenceStarts(id)).toHaveLength(1_080);
  });

  test('cannot be changed to a rule without occurrences', async () => {
    const id = await createWeekly('Endless');
    for (const vals of [{ interval: -1 }, { rrule_type: 'monthly', day: 99 }])
      for (const extra of [{}, { start: '2030-03-05 10:00:00' }]) {
        const error = await ann.caller.expectRejection('calendar.event/write', {
          ids: [id],
          vals: { recurrence_update: 'all_events', ...vals, ...extra },
        });
        expect(error.status).toBe(422);
      }
    expect(await getRecurrenceStarts(id)).toEqual(buildTimes('09'));
  });

  test('can be created for at most 20 events per call', async () => {
    const vals = { name: 'Many', start: '2030-03-05 09:00:00' };
    const repeats = { recurrency: true, rrule_type: 'daily', count: 2 };
    const ids: number[] = await ann.caller.value('calendar.event/create', {
      vals_list: Array.from({ length: 21 }, () => vals),
    });
    const createdResponse = await ann.caller.expectRejection('calendar.event/create', {
      vals_list: ids.map(() => ({ ...vals, ...repeats })),
    });
    const writeRefusal = await ann.caller.expectRejection('calendar.event/write', { ids, vals: repeats });
    for (const error of [createdResponse, writeRefusal])
      expect([error.status, error.message]).toEqual([422, expect.stringContaining('20')]);
  });

  test('rejects a rule without occurrences and an invalid rule', async () => {
    for (const vals of [
      { rrule_type: 'weekly', end_type: 'end_date', until: '2029-01-01' },
      { rrule: 'FREQ=SECONDLY' },
      { rrule: 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30' },
      { rrule_type: 'weekly', interval: 0 },
      { rrule_type: 'daily', interval: -1 },
      { rrule_type: 'monthly', day: 99 },
      { rrule_type: 'daily', count: 2 ** 40 },
      { rrule_type: 'hourly' },
    ])
      expect(
        (
          await ann.caller.expectRejection('calendar.event/create', {
            vals_list: [{ name: 'None', start: '2030-03-05 09:00:00', recurrency: true, ...vals }],
          })
        ).status,
      ).toBe(422);
  });
});

describe("another user's private event", () => {
  let secret: number;
  let series: number;
  beforeAll(async () => {
    secret = await createEvent({ name: 'Diagnosis', location: 'Clinic', privacy: 'private' });
    series = await createEvent({
      name: 'Therapy',
      privacy: 'private',
      recurrency: true,
      rrule_type: 'daily',
      count: 2,
    });
  });

  test('is hidden from searches, reads, groupings and related records, and cannot be written', async () => {
    for (const calls of [bob.caller, admin]) {
      expect(
        await calls.value('calendar.event/search', { domain: [['name', 'in', ['Diagnosis', 'Therapy']]] }),
      ).toEqual([]);
      expect(await calls.value('calendar.event/name_search', { name: 'Diag' })).toEqual([]);
      expect((await calls.expectRejection('calendar.event/read', { ids: [secret] })).status).toBe(403);
      expect(
        (await calls.expectRejection('calendar.event/write', { ids: [secret], vals: { name: 'x' } })).status,
      ).toBe(403);
      const responses = await Promise.all(
        ['calendar.event', 'calendar.attendee', 'calendar.recurrence', 'mail.message', 'mail.followers'].map(
          (model) => calls.value(`${model}/search_read`, { domain: [] }),
        ),
      );
      expect(JSON.stringify(responses)).not.toMatch(/Diagnosis|Therapy|Clinic/);
      const groups = await calls.value('calendar.event/read_group', {
        domain: [],
        fields: ['name'],
        groupby: ['name'],
      });
      expect(JSON.stringify(groups)).not.toMatch(/Diagnosis|Therapy/);
      expect(
        await calls.value('calendar.attendee/search', { domain: [['event_id.name', '=', 'Diagnosis']] }),
      ).toEqual([]);
    }
    expect(await ann.caller.read('calendar.event', series, ['name'])).toMatchObject({ name: 'Therapy' });
  });

  test('appears as busy, without any other details', async () => {
    const [{ partner_id: partner }] = await admin.value('res.users/read', {
      ids: [ann.id],
      fields: ['partner_id'],
    });
    const busyTimes = await bob.caller.value('calendar.event/busy_times', {
      partner_ids: [partner[0]],
      start: '2030-03-05T00:00:00Z',
      stop: '2030-03-06T00:00:00Z',
    });
    expect(busyTimes).toEqual([
      { partner: partner[0], start: '2030-03-05T09:00:00Z', stop: expect.any(String) },
    ]);
  });

  test('is visible to its attendees', async () => {
    const [{ partner_id: partner }] = await admin.value('res.users/read', {
      ids: [bob.id],
      fields: ['partner_id'],
    });
    await ann.caller.value('calendar.event/write', {
      ids: [secret],
      vals: { partner_ids: [[4, partner[0]]] },
    });
    expect(await bob.caller.read('calendar.event', secret, ['name'])).toMatchObject({ name: 'Diagnosis' });
  });
});

describe('calendar access rights', () => {
  test('let other users read an event, but only the organizer and administrators change it', async () => {
    const id = await createEvent({ name: 'Shown' });
    expect(await bob.caller.read('calendar.event', id, ['name'])).toMatchObject({ name: 'Shown' });
    expect(
      (await bob.caller.expectRejection('calendar.event/write', { ids: [id], vals: { name: 'x' } })).status,
    ).toBe(403);
    expect((await bob.caller.expectRejection('calendar.event/unlink', { ids: [id] })).status).toBe(403);
    await admin.value('calendar.event/write', { ids: [id], vals: { name: 'Set' } });
  });

  test('let only administrators assign another user as organizer', async () => {
    const vals = { name: 'Assigned', start: '2030-03-05 09:00:00', user_id: ann.id };
    const error = await bob.caller.expectRejection('calendar.event/create', { vals_list: [vals] });
    expect([error.status, error.message]).toEqual([403, expect.stringContaining('organizer')]);
    const ownEvent = await createEvent({ name: 'Own' }, bob.caller);
    const write = (calls: JsonClient, ids: number[], user_id: number | false) =>
      calls.value('calendar.event/write', { ids, vals: { user_id, location: 'Hall' } });
    expect(
      (
        await bob.caller.expectRejection('calendar.event/write', {
          ids: [ownEvent],
          vals: { user_id: ann.id },
        })
      ).status,
    ).toBe(403);
    await write(bob.caller, [ownEvent], bob.id);
    await write(admin, [ownEvent], ann.id);
    const [copied] = await bob.caller.value('calendar.event/copy', { ids: [ownEvent] });
    expect(await bob.caller.read('calendar.event', copied, ['user_id'])).toMatchObject({ user_id: bob.id });
    await write(bob.caller, [ownEvent], ann.id);
    await write(bob.caller, [ownEvent], false);
  });

  test('reject ending or shortening a recurrence without the delete right', async () => {
    const portal = await addMember(app, app.main, 'outside', ['base.group_portal']);
    const id = await createEvent({ name: 'Kept', recurrency: true, rrule_type: 'daily', count: 3 });
    const { attendee_ids: ids, recurrence_id: series } = await ann.caller.read('calendar.event', id, [
      ...['attendee_ids', 'recurrence_id'],
    ]);
    const [, second] = await ann.caller.value('calendar.event/search', {
      domain: [['recurrence_id', '=', series]],
      order: 'start',
    });
    for (const setting of ['self_only', 'future_events', 'all_events'])
      expect(
        await portal.caller.expectRejection('calendar.event/action_mass_deletion', {
          ids: [second],
          recurrence_update_setting: setting,
        }),
      ).toMatchObject({ status: 403 });
    const address = await portal.caller.expectRejection('calendar.event/feed_address', {});
    const rotate = await portal.caller.expectRejection('calendar.event/feed_rotate', {});
    const accept = await portal.caller.expectRejection('calendar.attendee/do_accept', { ids });
    expect([address.status, rotate.status, accept.status]).toEqual([403, 403, 403]);

    const domain = [
      ['model_id.model', '=', 'calendar.event'],
      ['group_id.name', '!=', false],
      ['perm_unlink', '=', true],
    ];
    const rights: number[] = await admin.value('ir.model.access/search', { domain });
    await admin.value('ir.model.access/write', { ids: rights, vals: { perm_unlink: false } });
    try {
      for (const vals of [{ recurrency: false }, { count: 1 }]) {
        const error = await ann.caller.expectRejection('calendar.event/write', {
          ids: [id],
          vals: { recurrence_update: 'all_events', ...vals },
        });
        expect(error.status).toBe(403);
      }
    } finally {
      await admin.value('ir.model.access/write', { ids: rights, vals: { perm_unlink: true } });
    }
    expect(await getRecurrenceStarts(id)).toHaveLength(3);
  });

  test('let attendees reply for themselves and organizers reply for attendees of their events', async () => {
    const [{ partner_id: partner }] = await admin.value('res.users/read', {
      ids: [bob.id],
      fields: ['partner_id'],
    });
    const id = await createEvent({ name: 'Asked', partner_ids: [[6, 0, [partner[0]]]] });
    const { attendee_ids: ids } = await ann.caller.read('calendar.event', id, ['attendee_ids']);
    const readState = async () => (await ann.caller.read('calendar.attendee', ids[0], ['state'])).state;
    expect(await readState()).toBe('needsAction');
    await bob.caller.value('calendar.attendee/do_decline', { ids });
    expect(await readState()).toBe('declined');
    await ann.caller.value('calendar.attendee/do_accept', { ids });
    expect(await readState()).toBe('accepted');
    const carol = await addMember(app, app.main, 'carol', ['base.group_user']);
    expect((await carol.caller.expectRejection('calendar.attendee/do_decline', { ids })).status).toBe(403);
    expect(
      (await carol.caller.expectRejection('calendar.attendee/write', { ids, vals: { state: 'declined' } }))
        .status,
    ).toBe(403);
  });
});
