import ical from 'node-ical';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { MAX_BLOCK_MS, measureBestRun } from '../harness/cpu.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import { createAgentKey, runTool, switchMcp } from '../harness/facades/mcp.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { setUp } from '../harness/set-up.ts';

/** Excluded dates of a recurrence. */
const TIMES = Array(8).fill('20970604T110000').join();

const app = setUpApp();
const user = setUp(() => createJsonClient(app, app.main.user.key));
const admin = createJsonClient(app);

interface Read {
  type: string;
  uid: string;
  summary: string;
  start: Date;
  end: Date;
  rrule?: { between(from: Date, expiry: Date): Date[] };
  exdate?: Record<string, Date>;
  recurrences?: Record<string, Read>;
}

const parseEvents = (text: string): Map<string, Read> =>
  new Map(
    Object.values(ical.sync.parseICS(text) as unknown as Record<string, Read>)
      .filter(({ type }) => type === 'VEVENT')
      .map((item) => [item.summary, item]),
  );

const rotateFeed = async (calls: JsonClient = user): Promise<string> =>
  (await calls.value('calendar.event/feed_rotate')).address;

describe("a user's calendar feed", () => {
  let url: string;
  beforeAll(async () => {
    await user.create('calendar.event', {
      name: 'Single',
      privacy: 'private',
      start: '2097-03-05 09:00:00',
      stop: '2097-03-05 10:00:00',
    });
    const id = await user.create('calendar.event', {
      name: 'Often',
      start: '2097-03-26 08:00:00',
      stop: '2097-03-26 08:30:00',
      event_tz: 'Europe/Brussels',
      ...{ recurrency: true, rrule_type: 'weekly', tue: true, end_type: 'count', count: 4 },
    });
    const { recurrence_id: series } = await user.read('calendar.event', id, ['recurrence_id']);
    const ids: number[] = await user.value('calendar.event/search', {
      domain: [['recurrence_id', '=', series]],
      order: 'start',
    });
    await user.value('calendar.event/unlink', { ids: [ids[1]] });
    await user.value('calendar.event/write', { ids: [ids[2]], vals: { start: '2097-04-10 12:00:00' } });
    await admin.create('calendar.event', { name: 'Of others', start: '2097-03-05 09:00:00' });
    url = await rotateFeed();
  });

  test('is parsed correctly by another iCalendar library, including recurrence exceptions', async () => {
    const response = await fetch(url);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      200,
      'text/calendar; charset=utf-8',
    ]);
    const events = parseEvents(await response.text());
    expect([...events.keys()].sort()).toEqual(['Often', 'Single']);
    expect(events.get('Single')!.start.toISOString()).toBe('2097-03-05T09:00:00.000Z');
    const often = events.get('Often')!;
    const times = often.rrule!.between(new Date('2097-01-01'), new Date('2098-01-01'));
    expect(times.map((time) => time.toISOString())).toEqual([
      ...['2097-03-26T08:00:00.000Z', '2097-04-02T07:00:00.000Z', '2097-04-09T07:00:00.000Z'],
      '2097-04-16T07:00:00.000Z',
    ]);
    expect(Object.values(often.exdate!).map((value) => value.toISOString())).toContain(
      '2097-04-02T07:00:00.000Z',
    );
    expect(Object.values(often.recurrences!).map(({ start }) => start.toISOString())).toContain(
      '2097-04-10T12:00:00.000Z',
    );
  });

  test('omits occurrences that the user declined or archived, including the first one', async () => {
    const id = await admin.create('calendar.event', {
      name: 'Declined',
      start: '2097-03-04 09:00:00',
      event_tz: 'UTC',
      partner_ids: [[4, (await user.read('res.users', app.main.user.id, ['partner_id'])).partner_id]],
      ...{ recurrency: true, rrule_type: 'daily', end_type: 'count', count: 4 },
    });
    const { recurrence_id } = await admin.read('calendar.event', id, ['recurrence_id']);
    const domain = [['recurrence_id', '=', recurrence_id]];
    const ids: number[] = await admin.value('calendar.event/search', { domain, order: 'start' });
    const attendees = await user.value('calendar.attendee/search', { domain: [['event_id', '=', ids[0]]] });
    await user.value('calendar.attendee/do_decline', { ids: attendees });
    await admin.value('calendar.event/write', { ids: [ids[2]], vals: { active: false } });
    expect(await (await fetch(url)).text()).toContain(
      [
        'DTSTART:20970304T090000Z',
        'DTEND:20970304T100000Z',
        'RRULE:FREQ=DAILY;COUNT=4',
        'EXDATE:20970304T090000Z',
        'EXDATE:20970306T090000Z',
        'SUMMARY:Declined',
      ].join('\r\n'),
    );
  });

  test('refers to an occurrence like its recurrence, even if it became an all-day event', async () => {
    const id = await user.create('calendar.event', {
      name: 'Became long',
      start: '2097-03-04 09:00:00',
      event_tz: 'UTC',
      ...{ recurrency: true, rrule_type: 'daily', end_type: 'count', count: 2 },
    });
    await user.value('calendar.event/write', { ids: [id], vals: { allday: true } });
    expect(await (await fetch(url)).text()).toContain(
      'DTSTART;VALUE=DATE:20970304\r\nDTEND;VALUE=DATE:20970305\r\nRECURRENCE-ID:20970304T090000Z\r\n',
    );
  });

  test("describes a recurrence's time zone for years after its start", async () => {
    const year = new Date().getUTCFullYear();
    await user.create('calendar.event', {
      name: 'Old custom',
      start: `${year - 15}-06-01 09:00:00`,
      event_tz: 'Europe/Brussels',
      ...{ recurrency: true, rrule_type: 'yearly', end_type: 'forever' },
    });
    expect(await (await fetch(url)).text()).toContain(`RDATE:${year + 1}10`);
  });

  test('includes a recurrence that began long ago if it is still active', async () => {
    const year = new Date().getUTCFullYear();
    const often = { recurrency: true, rrule_type: 'yearly', end_type: 'count' };
    await user.create('calendar.event', {
      name: 'Jubilee',
      start: `${year - 3}-03-05 09:00:00`,
      ...often,
      count: 9,
    });
    await user.create('calendar.event', {
      name: 'Bygone',
      start: `${year - 6}-03-05 09:00:00`,
      ...often,
      count: 2,
    });
    const names = [...parseEvents(await (await fetch(url)).text()).keys()];
    expect(names).toContain('Jubilee');
    expect(names).not.toContain('Bygone');
  });

  test('returns 304 for a matching ETag and 200 after a change', async () => {
    const first = await fetch(url);
    const etag = first.headers.get('etag')!;
    const repeatedResponse = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([repeatedResponse.status, await repeatedResponse.text()]).toEqual([304, '']);
    await user.create('calendar.event', { name: 'New', start: '2097-06-01 09:00:00' });
    const changedResponse = await fetch(url, { headers: { 'if-none-match': etag } });
    expect([changedResponse.status, await changedResponse.text()]).toEqual([
      200,
      expect.stringContaining('SUMMARY:New'),
    ]);
  });

  test('stops serving an old URL once the feed is rotated or closed', async () => {
    expect((await user.value('calendar.event/feed_address')).address).toBe(url);
    const second = await rotateFeed();
    expect(second).not.toBe(url);
    expect([(await fetch(url)).status, (await fetch(second)).status]).toEqual([404, 200]);
    expect((await fetch(second.replace(/\/calendar\.ics$/, 'x/calendar.ics'))).status).toBe(400);
    const { data } = await postGraphql(app, 'mutation { calendarFeedClose { address } }', {
      key: app.main.user.key,
    });
    expect(data.calendarFeedClose).toEqual({ address: null });
    expect((await fetch(second)).status).toBe(404);
  });
});

describe('a calendar file import', () => {
  const buildIcs = (...events: string[][]) =>
    [
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      ...events.flatMap((event) => ['BEGIN:VEVENT', ...event, 'END:VEVENT']),
      'END:VCALENDAR',
    ].join('\r\n');
  const importIcs = (ics: string) => user.value('calendar.event/import_ics', { ics });

  test('creates each recurrence and its exceptions once, even if the import is repeated', async () => {
    const ics = buildIcs(
      [
        'UID:one@x',
        'DTSTART;VALUE=DATE:20970501',
        'DTEND;VALUE=DATE:20970503',
        'SUMMARY:Holiday',
        'CLASS:PRIVATE',
      ],
      [
        ...[
          'UID:two@x',
          'DTSTART;TZID=America/New_York:20970304T090000',
          'DTEND;TZID=America/New_York:20970304T100000',
        ],
        ...[
          'RRULE:FREQ=WEEKLY;COUNT=3;BYDAY=MO',
          'EXDATE;TZID=America/New_York:20970318T090000',
          'SUMMARY:Sync',
        ],
        'ATTENDEE;PARTSTAT=ACCEPTED:mailto:someone@example.org',
      ],
      [
        ...['UID:two@x', 'RECURRENCE-ID;TZID=America/New_York:20970311T090000'],
        ...['DTSTART;TZID=America/New_York:20970311T110000', 'SUMMARY:Sync moved'],
      ],
      ['UID:three@x', 'DTSTART:20970601T090000Z', 'RRULE:FREQ=HOURLY', 'SUMMARY:Odd'],
    );
    expect(await importIcs(ics)).toEqual({
      created: 2,
      known: 0,
      failed: [{ uid: 'three@x', reason: expect.stringContaining('HOURLY') }],
    });
    const rows = await user.value('calendar.event/search_read', {
      domain: [['uid', 'in', ['one@x', 'two@x']]],
      fields: ['name', 'start', 'stop_date', 'privacy', 'attendees_count'],
      order: 'start',
    });
    expect(rows).toMatchObject([
      { name: 'Sync', start: '2097-03-04 14:00:00', attendees_count: expect.any(Number) },
      { name: 'Sync moved', start: '2097-03-11 15:00:00' },
      { name: 'Holiday', stop_date: '2097-05-02', privacy: 'private' },
    ]);
    expect(await importIcs(ics)).toMatchObject({ created: 0, known: 2 });
  });

  test('includes the day of an UNTIL at midnight for all-day events', async () => {
    const until = 'RRULE:FREQ=DAILY;UNTIL=20971103T000000Z';
    await importIcs(buildIcs(['UID:fair@x', 'SUMMARY:Fair', 'DTSTART;VALUE=DATE:20971101', until]));
    expect(await user.value('calendar.event/search_count', { domain: [['uid', '=', 'fair@x']] })).toBe(3);
  });

  test('applies exceptions even if the first occurrence is excluded', async () => {
    const rule = ['RRULE:FREQ=DAILY;COUNT=3', 'EXDATE:20971101T090000Z'];
    const moved = ['RECURRENCE-ID:20971102T090000Z', 'DTSTART:20971102T150000Z', 'SUMMARY:Moved'];
    await importIcs(
      buildIcs(
        ['UID:gap@x', 'SUMMARY:Gap', 'DTSTART:20971101T090000Z', ...rule],
        ['UID:gap@x', 'SEQUENCE:1', ...moved],
      ),
    );
    expect(
      await user.value('calendar.event/search_read', {
        domain: [['uid', '=', 'gap@x']],
        fields: ['name', 'start'],
        order: 'start',
      }),
    ).toMatchObject([
      { name: 'Moved', start: '2097-11-02 15:00:00' },
      { name: 'Gap', start: '2097-11-03 09:00:00' },
    ]);
  });

  test.each([
    ['more occurrences than may be', 'RRULE:FREQ=MONTHLY;BYMONTHDAY=31;INTERVAL=2', 499],
    ['many times in a zone', `RRULE:FREQ=HOURLY\r\nEXDATE;TZID=Europe/Paris:${TIMES}`, 500],
  ])('does not block other requests while importing 500 events (%s)', async (name, lines, failures) => {
    // Limits the import to one unbounded recurrence.
    const limit = vi.spyOn(limits.calendar, 'importOccurrences', 'get').mockReturnValue(600 as never);
    let runs = 0;
    const importEvents = async () => {
      runs++;
      const events = Array.from({ length: 500 }, (_, index) => [
        `UID:${name} ${runs} ${index}`,
        'DTSTART:20970131T090000Z',
        lines,
      ]);
      expect((await importIcs(buildIcs(...events))).failed).toHaveLength(failures);
    };
    expect(await measureBestRun(importEvents).finally(() => limit.mockRestore())).toBeLessThan(MAX_BLOCK_MS);
  });

  test('rejects invalid calendars and calendars that exceed a limit', async () => {
    expect((await user.expectRejection('calendar.event/import_ics', { ics: 'hello' })).status).toBe(400);
    const largeFile = buildIcs(
      ...Array.from({ length: 501 }, (_, index) => [`UID:${index}`, 'DTSTART:20970601T090000Z']),
    );
    expect((await user.expectRejection('calendar.event/import_ics', { ics: largeFile })).message).toContain(
      '500',
    );
    const long = buildIcs(['UID:long', 'DTSTART:20970601T090000Z', `DESCRIPTION:${'x'.repeat(1_100_000)}`]);
    expect((await user.expectRejection('calendar.event/import_ics', { ics: long })).status).toBe(400);
  });
});

describe('calendar events in other facades', () => {
  test("count toward an agent's daily send quota when created or deleted", async () => {
    await switchMcp(app, app.main, true);
    const { key } = await createAgentKey(app, 'sendsPerDay: 3');
    const run = (name: string, args: object) => runTool(app, key, name, args);
    const values = { name: 'Agent', start: '2097-09-01 09:00:00' };
    const createdEvent = await run('create', { model: 'calendar.event', values });
    const id = createdEvent.structuredContent.created_id;
    await run('update', { model: 'calendar.event', ids: [id], values: { location: 'Hall' } });
    await run('delete', { model: 'calendar.event', ids: [id] });
    const deleted = await run('delete', { model: 'calendar.event', ids: [id], confirm: true });
    expect(deleted.structuredContent.deleted_ids).toEqual([id]);
    const fourth = await run('create', { model: 'calendar.event', values });
    expect(fourth.content[0]!.text).toContain('3 messages per day');
    const other = await run('create', { model: 'res.partner', values: { name: 'Free' } });
    expect(other.isError).toBe(false);
  });

  test("can be created, found and updated through OdooRPC's JSON-RPC calls", async () => {
    const { jsonExecute } = createRpcClients(app);
    const run = async (method: string, ...rest: unknown[]) =>
      (await jsonExecute('calendar.event', method, ...rest)).result;
    const id = await run('create', [
      {
        name: 'RPC',
        start: '2097-07-01 09:00:00',
        stop: '2097-07-01 10:00:00',
        allday: false,
        user_id: false,
      },
    ]);
    expect(id).toEqual(expect.any(Number));
    expect(
      await run('search', [
        [
          ['start', '>=', '2097-07-01'],
          ['stop', '<', '2097-07-02'],
        ],
      ]),
    ).toEqual([id]);
    expect(await run('write', [[id], { duration: 3, privacy: 'confidential' }])).toBe(true);
    expect(await run('read', [[id], ['stop', 'privacy', 'recurrence_update']])).toEqual([
      { id, stop: '2097-07-01 12:00:00', privacy: 'confidential', recurrence_update: 'self_only' },
    ]);
    const fields = await run('fields_get', [['rrule_type', 'privacy', 'partner_ids']], {
      attributes: ['type'],
    });
    expect(fields).toMatchObject({ rrule_type: { type: 'selection' }, partner_ids: { type: 'many2many' } });
  });

  test('are returned with typed fields and their recurrence in GraphQL', async () => {
    const create = `mutation { calendarEventCreate(input: {name: "Typed", start: "2097-08-05T09:00:00Z",
      recurrency: true, rruleType: DAILY, endType: COUNT, count: 2}) {
      id name start privacy recurrence { rrule } attendees { nodes { state } } } }`;
    const data = await queryData(app, create, { key: app.main.user.key });
    expect(data.calendarEventCreate).toMatchObject({
      start: '2097-08-05T09:00:00.000Z',
      privacy: 'PUBLIC',
      recurrence: { rrule: 'FREQ=DAILY;COUNT=2' },
      attendees: { nodes: [{ state: 'ACCEPTED' }] },
    });
  });
});
