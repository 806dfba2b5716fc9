import { expect, test } from 'vitest';
import {
  addSecond,
  fromWallClock,
  getStartOfDay,
  isInstant,
  parseTimestamp,
  resolveZoneName,
  toWallClock,
} from '../../src/engine/value/instant.ts';

test.each([
  ['2026-01-31', 'UTC', 0, '2026-01-31 00:00:00'],
  ['2026-01-31', 'Europe/Brussels', 0, '2026-01-30 23:00:00'],
  ['2026-07-01', 'Europe/Brussels', 0, '2026-06-30 22:00:00'],
  ['2026-03-29', 'Europe/Brussels', 0, '2026-03-28 23:00:00'],
  ['2026-03-29', 'Europe/Brussels', 1, '2026-03-29 22:00:00'],
  ['2026-10-25', 'Europe/Brussels', 1, '2026-10-25 23:00:00'],
  ['2026-12-31', 'America/New_York', 1, '2027-01-01 05:00:00'],
  ['2026-01-01', 'Asia/Kolkata', 0, '2025-12-31 18:30:00'],
  ['2026-01-01', 'Pacific/Kiritimati', 0, '2025-12-31 10:00:00'],
  ['2026-01-01', 'No/Where', 0, '2026-01-01 00:00:00'],
  ['2026-03-08', 'America/Havana', 0, '2026-03-08 05:00:00'],
  ['2026-03-29', 'Asia/Beirut', 0, '2026-03-28 22:00:00'],
  ['2026-11-01', 'America/Havana', 0, '2026-11-01 04:00:00'],
  ['2026-10-25', 'Atlantic/Azores', 0, '2026-10-25 00:00:00'],
  ['2011-12-30', 'Pacific/Apia', 0, '2011-12-30 10:00:00'],
  ['0099-05-05', 'Etc/GMT-1', 0, '0099-05-04 23:00:00'],
  ['0001-01-01', 'Asia/Kolkata', 0, '0001-01-01 00:00:00'],
  ['9999-12-31', 'America/New_York', 0, '9999-12-31 00:00:00'],
  ['9999-12-31', 'America/New_York', 1, 'infinity'],
])('%s in %s, %i days later, starts at %s', (day, tz, days, begins) => {
  expect(getStartOfDay(day, tz, days)).toBe(begins);
});

test.each([
  '2026-02-29',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-01-01 24:00:00',
  '2026-01-01 10:60:00',
])('rejects %s as nonexistent', (text) => {
  expect(isInstant(text)).toBe(false);
});

test('accepts valid dates and adds a second across the end of the year', () => {
  for (const text of ['2024-02-29', '2026-12-31 23:59:59', '0001-01-01', '9999-12-31'])
    expect(isInstant(text)).toBe(true);
  expect(addSecond('2026-12-31 23:59:59')).toBe('2027-01-01 00:00:00');
});

test('returns infinity after the last representable second', () => {
  expect(addSecond('9999-12-31 23:59:59')).toBe('infinity');
});

test('converts between instants and the local time of a time zone', () => {
  for (const tz of ['UTC', 'Europe/Brussels', 'America/St_Johns', 'Asia/Kathmandu'])
    for (const text of [
      '2026-01-31 23:30:00',
      '2026-03-29 00:59:59',
      '2026-03-29 01:00:00',
      '1970-01-01 00:00:00',
    ])
      expect(fromWallClock(toWallClock(parseTimestamp(text), tz), tz), `${text} ${tz}`).toBe(
        parseTimestamp(text),
      );
});

test.each([
  ['UTC', 'UTC'],
  ['europe/brussels', 'Europe/Brussels'],
  ['Etc/GMT-1', 'Etc/GMT-1'],
  ['+01:00', null],
  ['No/Where', null],
  ['', null],
])('normalizes %j to the time zone %s', (tz, name) => {
  expect(resolveZoneName(tz)).toBe(name);
});

test.each([
  ['2026-03-29 02:30:00', 'Europe/Brussels', '2026-03-29 01:30:00'],
  ['2026-10-25 02:30:00', 'Europe/Brussels', '2026-10-25 00:30:00'],
  ['2026-03-08 02:30:00', 'America/New_York', '2026-03-08 07:30:00'],
  ['2026-11-01 01:30:00', 'America/New_York', '2026-11-01 05:30:00'],
  ['2026-10-04 02:15:00', 'Australia/Lord_Howe', '2026-10-03 15:45:00'],
  ['2026-04-05 01:45:00', 'Australia/Lord_Howe', '2026-04-04 14:45:00'],
])('converts the skipped or repeated local time %s in %s to %s', (local, tz, instant) => {
  expect(fromWallClock(parseTimestamp(local), tz)).toBe(parseTimestamp(instant));
});
