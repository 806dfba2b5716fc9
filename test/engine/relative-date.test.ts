import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isInstant } from '../../src/engine/value/instant.ts';
import { getWeekStart } from '../../src/engine/value/locale.ts';
import { MAX_DATE_TERMS, parseRelativeDate } from '../../src/engine/value/relative-date.ts';

// Friday.
const NOW = Date.parse('2026-01-02T13:05:07.250Z');
const computeDate = (text: string, tz = 'UTC', weekStart = 1, now = NOW) =>
  parseRelativeDate(text, { now, tz, weekStart: () => weekStart });

test.each([
  ['now', '2026-01-02 13:05:07'],
  ['+3d', '2026-01-05 13:05:07'],
  ['-1m', '2025-12-02 13:05:07'],
  ['now -2w', '2025-12-19 13:05:07'],
  ['+3d +1w -1m -2y', '2023-12-12 13:05:07'],
  ['-02H -15M', '2026-01-02 10:50:07'],
  ['+02H +15M -7S', '2026-01-02 15:20:00'],
  ['=02H =15M', '2026-01-02 02:15:00'],
  ['=3H', '2026-01-02 03:00:00'],
  ['=0M', '2026-01-02 13:00:00'],
  ['=0S', '2026-01-02 13:05:00'],
  ['=11d +2H +15M', '2026-01-11 02:15:00'],
  ['=1d', '2026-01-01 00:00:00'],
  ['=1d +1m', '2026-02-01 00:00:00'],
  ['=31d +1m', '2026-02-28 00:00:00'],
  ['=6m', '2026-06-02 00:00:00'],
  ['=1d =1m', '2026-01-01 00:00:00'],
  ['=2000y', '2000-01-02 00:00:00'],
  ['=29d =2m =2024y', '2024-02-28 00:00:00'],
  ['=2024y =2m =29d', '2024-02-29 00:00:00'],
  ['=31d =2m', '2026-02-28 00:00:00'],
  ['  now   +1d ', '2026-01-03 13:05:07'],
  ['today =8H', '2026-01-02 08:00:00'],
  ['today -90M', '2026-01-01 22:30:00'],
])('resolves %s to the instant %s', (text, instant) => {
  expect(computeDate(text)).toEqual({ instant, day: instant.slice(0, 10) });
});

test.each([
  ['today', '2026-01-02'],
  ['today -30d', '2025-12-03'],
  ['today +1w', '2026-01-09'],
  ['today =1d', '2026-01-01'],
  ['today =1d +1m -1d', '2026-01-31'],
  ['today =monday -60w', '2024-11-04'],
  ['today +1y', '2027-01-02'],
])('resolves %s to the whole day %s', (text, day) => {
  expect(computeDate(text)).toEqual({ day, instant: null });
});

test.each([
  ['=monday', 1, '2025-12-29 00:00:00'],
  ['=sunday', 1, '2026-01-04 00:00:00'],
  ['+monday', 1, '2026-01-05 13:05:07'],
  ['-monday', 1, '2025-12-29 13:05:07'],
  ['+friday', 1, '2026-01-02 13:05:07'],
  ['-friday', 1, '2026-01-02 13:05:07'],
  ['+1d +friday', 1, '2026-01-09 13:05:07'],
  ['-1d -friday', 1, '2025-12-26 13:05:07'],
  ['+sunday', 1, '2026-01-04 13:05:07'],
  ['-sunday', 1, '2025-12-28 13:05:07'],
  ['=monday -60w', 1, '2024-11-04 00:00:00'],
  ['=week_start', 1, '2025-12-29 00:00:00'],
  ['+week_start', 1, '2026-01-05 13:05:07'],
  ['-week_start', 1, '2025-12-29 13:05:07'],
  ['=week_start', 7, '2025-12-28 00:00:00'],
  ['=sunday', 7, '2025-12-28 00:00:00'],
  ['=week_start', 6, '2025-12-27 00:00:00'],
  ['+week_start', 6, '2026-01-03 13:05:07'],
  ['=sunday', 6, '2025-12-28 00:00:00'],
  ['=week_start', 5, '2026-01-02 00:00:00'],
  ['=thursday', 5, '2026-01-08 00:00:00'],
])('resolves %s in a week starting on day %i to %s', (text, weekStart, instant) => {
  expect(computeDate(text, 'UTC', weekStart)?.instant).toBe(instant);
});

test.each([
  ['now', 'Europe/Brussels', '2026-01-02T23:30:00Z', '2026-01-02 23:30:00', '2026-01-03'],
  ['today', 'Europe/Brussels', '2026-01-02T23:30:00Z', null, '2026-01-03'],
  ['today', 'America/New_York', '2026-01-03T04:30:00Z', null, '2026-01-02'],
  ['=1d', 'Europe/Brussels', '2026-01-15T12:00:00Z', '2025-12-31 23:00:00', '2026-01-01'],
  ['=1d', 'America/New_York', '2026-01-15T12:00:00Z', '2026-01-01 05:00:00', '2026-01-01'],
  ['=5H', 'Etc/GMT-1', '2026-01-05T13:05:00Z', '2026-01-05 04:00:00', '2026-01-05'],
  ['-55M', 'Etc/GMT-1', '2026-01-05T13:05:00Z', '2026-01-05 12:10:00', '2026-01-05'],
  ['today +8H', 'Europe/Brussels', '2026-07-01T12:00:00Z', '2026-07-01 06:00:00', '2026-07-01'],
  // In Brussels the clocks go forward on 2026-03-29 at 02:00, and back on 2026-10-25 at 03:00.
  ['+1d', 'Europe/Brussels', '2026-03-28T12:00:00Z', '2026-03-29 11:00:00', '2026-03-29'],
  ['+24H', 'Europe/Brussels', '2026-03-28T12:00:00Z', '2026-03-29 12:00:00', '2026-03-29'],
  ['-1H', 'Europe/Brussels', '2026-10-25T01:30:00Z', '2026-10-25 00:30:00', '2026-10-25'],
  ['=monday', 'Europe/Brussels', '2026-10-26T12:00:00Z', '2026-10-25 23:00:00', '2026-10-26'],
  ['=1d', 'No/Where', '2026-01-15T12:00:00Z', '2026-01-01 00:00:00', '2026-01-01'],
])('resolves %s in time zone %s to %s', (text, tz, now, instant, day) => {
  expect(computeDate(text, tz, 1, Date.parse(now))).toEqual({ instant, day });
});

test.each([
  '',
  ' ',
  'tomorrow',
  'TODAY',
  'today now',
  '+1d today',
  '1d',
  '+d',
  '+1',
  '+1D',
  '+1.5d',
  '+-1d',
  '=1w',
  '=0d',
  '=32d',
  '=13m',
  '=0m',
  '=0y',
  '=24H',
  '=60M',
  '=60S',
  '=week',
  '=Monday',
  '*monday',
  '+9999y',
  '-3000y',
  '+999999y',
  '=10000y',
  '+1234567d',
  'x',
  '2026',
  `now ${'+1d '.repeat(MAX_DATE_TERMS)}`,
])('rejects %j as a relative date', (text) => {
  expect(computeDate(text)).toBeNull();
});

test('parses any text into a valid date or rejects it', () => {
  const word = fc.oneof(
    fc.constantFrom('today', 'now', '=monday', '+week_start', '-sunday'),
    fc
      .tuple(fc.constantFrom('+', '-', '=', ''), fc.nat(40_000), fc.constantFrom(...'dwmyHMSx'))
      .map((t) => t.join('')),
    fc.string({ maxLength: 6 }),
  );
  const zone = fc.constantFrom('UTC', 'Europe/Brussels', 'Pacific/Kiritimati', 'America/St_Johns', '?');
  fc.assert(
    fc.property(
      fc.array(word, { maxLength: 5 }),
      zone,
      fc.integer({ min: 1, max: 7 }),
      (words, tz, weekStart) => {
        const moment = computeDate(words.join(' '), tz, weekStart);
        if (!moment) return;
        expect(isInstant(moment.day)).toBe(true);
        if (moment.instant !== null) expect(isInstant(moment.instant)).toBe(true);
      },
    ),
    { numRuns: 2_000 },
  );
});

test('starts the week on the usual day of a language', () => {
  expect(['en_US', 'fr_FR', 'ar_EG', 'sr@latin', 'not a language', ''].map(getWeekStart)).toEqual([
    7, 1, 6, 1, 7, 7,
  ]);
});
