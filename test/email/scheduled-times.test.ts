import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { parseTimeText } from '../../schema/email/campaigns/parse-time.ts';
import { AppError } from '../../src/errors.ts';

/** A Friday. */
const NOW = Date.parse('2026-11-20T14:30:15.250Z');
const toIso = async (text: string, now = NOW) => new Date(await parseTimeText(text, now)).toISOString();

describe('an ISO 8601 time', () => {
  it.each([
    ['2026-11-20T08:30:00Z', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20t08:30:00z', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20T08:30:00.123456Z', '2026-11-20T08:30:00.123Z'],
    ['2026-11-20T08:30:00+02:00', '2026-11-20T06:30:00.000Z'],
    ['2026-11-20T08:30:00-0530', '2026-11-20T14:00:00.000Z'],
    ['2026-11-20T08:30:00 02:00', null],
    ['2026-11-20 08:30', '2026-11-20T08:30:00.000Z'],
    ['2026-11-20 08:30 +01:00', '2026-11-20T07:30:00.000Z'],
    ['2026-11-20T08:30:00.500', '2026-11-20T08:30:00.500Z'],
    [' 2028-02-29 ', '2028-02-29T00:00:00.000Z'],
    ['2026-02-29', null],
    ['2026-13-01', null],
    ['2026-11-31T10:00Z', null],
    ['2026-11-20T25:00Z', null],
    ['2026-11-20T10:61Z', null],
    ['20261120', null],
  ])('%s', async (text, expected) => {
    if (expected === null) await expect(toIso(text)).rejects.toThrow(/scheduledAt/);
    else expect(await toIso(text)).toBe(expected);
  });
});

describe('a time in natural language', () => {
  it.each([
    ['now', '2026-11-20T14:30:15.250Z'],
    ['in 20 minutes', '2026-11-20T14:50:15.250Z'],
    ['in 1 min', '2026-11-20T14:31:15.250Z'],
    ['In an hour', '2026-11-20T15:30:15.250Z'],
    ['in 2 hrs', '2026-11-20T16:30:15.250Z'],
    ['in 3 days', '2026-11-23T14:30:15.250Z'],
    ['in a week', '2026-11-27T14:30:15.250Z'],
    ['today', '2026-11-20T14:30:15.250Z'],
    ['today at 5pm', '2026-11-20T17:00:00.000Z'],
    ['Today 17:45', '2026-11-20T17:45:00.000Z'],
    ['tomorrow', '2026-11-21T14:30:15.250Z'],
    ['tomorrow 9am', '2026-11-21T09:00:00.000Z'],
    ['tomorrow, at 9:30 AM', '2026-11-21T09:30:00.000Z'],
    ['tomorrow at 12am', '2026-11-21T00:00:00.000Z'],
    ['tomorrow at 12pm', '2026-11-21T12:00:00.000Z'],
    ['tomorrow at noon', '2026-11-21T12:00:00.000Z'],
    ['tomorrow midnight', '2026-11-21T00:00:00.000Z'],
    ['tomorrow at 09:00 UTC', '2026-11-21T09:00:00.000Z'],
    ['monday', '2026-11-23T12:00:00.000Z'],
    ['next monday at 9am', '2026-11-23T09:00:00.000Z'],
    ['next Monday  at 09:00', '2026-11-23T09:00:00.000Z'],
    ['on thu at 08.15', '2026-11-26T08:15:00.000Z'],
    ['friday 10:00', '2026-11-27T10:00:00.000Z'],
    ['this saturday', '2026-11-21T12:00:00.000Z'],
    ['tonight', '2026-11-20T22:00:00.000Z'],
    ['25 december at 10am', '2026-12-25T10:00:00.000Z'],
    ['Nov 25th, 09:30', '2026-11-25T09:30:00.000Z'],
    ['march 1', '2027-03-01T12:00:00.000Z'],
    ['1st of march 2028 at noon', '2028-03-01T12:00:00.000Z'],
  ])('%s', async (text, expected) => expect(await toIso(text)).toBe(expected));

  it.each([
    ['2027-11-20T00:00:00Z', '2028-02-29T12:00:00.000Z'],
    ['2028-02-29T11:59:59Z', '2028-02-29T12:00:00.000Z'],
    ['2028-03-01T00:00:00Z', null],
  ])('february 29 at %s', async (now, expected) => {
    const time = toIso('february 29', Date.parse(now));
    if (expected === null) await expect(time).rejects.toThrow('is not a time');
    else expect(await time).toBe(expected);
  });

  it.each(['monday', 'on monday', 'this monday', 'next monday'])(
    'resolves %s to the next Monday after today, whatever the day',
    async (text) => {
      for (let day = 16; day < 23; day++)
        for (const clock of ['00:00:00.000', '08:00:00.000', '23:59:59.999']) {
          const now = Date.parse(`2026-11-${day}T${clock}Z`);
          expect(await toIso(`${text} at 9am`, now)).toBe('2026-11-23T09:00:00.000Z');
          expect(await toIso(text, now)).toBe('2026-11-23T12:00:00.000Z');
        }
    },
  );

  it.each([
    '',
    'whenever',
    'in minutes',
    'in -1 minutes',
    'in 1.5 hours',
    'in 9999999 days',
    'in 999999 weeks',
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-12:00',
    'tomorrow at 9',
    'tomorrow 25:00',
    'tomorrow 10:60',
    'tomorrow at 13pm',
    'tomorrow at 0am',
    'next 9am',
    'next month',
    'moonday',
    'monday at',
    'yesterday',
    'today at 2pm',
    '9am',
    '12',
    'tomorrow at 10:30:15',
    'tomorrow at 24:00',
    'in two weeks',
    'tomorrow in 2 hours',
    'a week from today',
    'tomorrow at 0:30am',
    '12/11/2026',
    '11-12-2026 at 10:00',
    'tomorrow at 9am CET',
    'tomorrow at 9am PST',
    'last friday',
    'friday next week',
    'friday to monday',
    'tomorrow at 9am or 10am',
    'november 31',
    '2 hours ago',
    'end of the month, perhaps',
    `tomorrow${' '.repeat(10)}9am `.repeat(100_000),
  ])('rejects %.40j', (text) => expect(toIso(text)).rejects.toThrow(/scheduledAt/));
});

describe('arbitrary input', () => {
  const words = fc.constantFrom(
    ...'in an next on this at today tomorrow monday sun 9am 12:30 10 days min hours noon now 2026-11-20 T08:30 Z +02:00 , .'.split(
      ' ',
    ),
  );
  const sentence = fc.array(words, { maxLength: 7 }).map((list) => list.join(' '));

  it('is parsed as a time that is not in the past, or rejected with a message', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string({ unit: 'binary' }), sentence), async (text) => {
        try {
          const time = await parseTimeText(text, NOW);
          expect(Number.isFinite(time)).toBe(true);
          if (!/^\s*\d{4}-/.test(text)) expect(time).toBeGreaterThanOrEqual(NOW);
        } catch (error) {
          expect(error).toBeInstanceOf(AppError);
          expect((error as AppError).kind).toBe('BAD_REQUEST');
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it('is parsed exactly if it is a timestamp with an offset', async () => {
    const instant = fc.integer({ min: 0, max: 4e12 });
    const offset = fc.integer({ min: -14 * 60, max: 14 * 60 });
    await fc.assert(
      fc.asyncProperty(instant, offset, async (time, minutes) => {
        const buildTwo = (number: number) => String(Math.abs(number)).padStart(2, '0');
        const zone = `${minutes < 0 ? '-' : '+'}${buildTwo(Math.trunc(minutes / 60))}:${buildTwo(minutes % 60)}`;
        const local = new Date(time + minutes * 60_000);
        if (local.getTime() < 0) return;
        expect(await parseTimeText(local.toISOString().replace('Z', zone), NOW)).toBe(time);
      }),
    );
  });
});

describe('natural language times in any server time zone', () => {
  const SAYINGS = [
    'today at 05:00',
    'tomorrow 9am',
    'the day after tomorrow',
    'friday',
    'next monday at noon',
    '22 november at 04:00',
    '22 november at 03:00',
    '21 november',
    '25 december at 10am',
    'monday 21 december',
    'friday 21 december',
    '1 january 2027',
    'tonight',
  ];
  const at = Date.parse('2026-11-22T03:51:07Z');
  const program = `
    import { parseTimeText } from ${JSON.stringify(new URL('../../schema/email/campaigns/parse-time.ts', import.meta.url).href)};
    for (const words of ${JSON.stringify(SAYINGS)})
      console.log(await parseTimeText(words, ${at}).then((time) => new Date(time).toISOString(), (error) => error.message));`;
  const inZone = (TZ: string) =>
    execFileSync(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TZ, NODE_OPTIONS: '' },
      encoding: 'utf8',
    });

  let inUtc: string;
  beforeAll(() => {
    inUtc = inZone('UTC');
  });

  it.each(['America/New_York', 'Pacific/Auckland', 'Pacific/Kiritimati', 'America/Sao_Paulo'])(
    '%s',
    (zone) => {
      expect(inZone(zone)).toBe(inUtc);
    },
  );

  it.each([
    ['22 november at 04:00', '2026-11-22T04:00:00.000Z'],
    ['22 november at 03:00', null],
    ['21 november', '2027-11-21T12:00:00.000Z'],
    ['monday 21 december', '2026-12-21T12:00:00.000Z'],
    ['friday 21 december', null],
  ])('resolve a date without a year to its next occurrence: %s', async (text, expected) => {
    if (expected) expect(await toIso(text, at)).toBe(expected);
    else await expect(parseTimeText(text, at)).rejects.toThrow(AppError);
  });
});
