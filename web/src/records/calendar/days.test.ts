import { expect, it } from 'vitest';
import {
  addDays,
  getFirstWeekday,
  getStartOfDay,
  getVisibleDays,
  isDay,
  shiftSpan,
  toDayString,
} from './days.ts';

it('returns whole weeks for a month, starting on the first day of the week', () => {
  const monday = getVisibleDays('month', '2026-11-24', 1);
  expect([monday[0], monday.at(-1), monday.length]).toEqual(['2026-10-26', '2026-12-06', 42]);
  const sunday = getVisibleDays('month', '2026-02-10', 0);
  expect([sunday[0], sunday.at(-1), sunday.length]).toEqual(['2026-02-01', '2026-02-28', 28]);
});

it('returns the days of a week, a day and a month', () => {
  expect(getVisibleDays('week', '2026-11-24', 1)).toHaveLength(7);
  expect(getVisibleDays('week', '2026-11-24', 1)[0]).toBe('2026-11-23');
  expect(getVisibleDays('week', '2026-11-22', 0)[0]).toBe('2026-11-22');
  expect(getVisibleDays('day', '2026-11-24', 1)).toEqual(['2026-11-24']);
  expect(getVisibleDays('agenda', '2028-02-24', 1)).toHaveLength(29);
});

it('handles month ends and DST changes', () => {
  expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
  expect(addDays('2026-03-28', 2)).toBe('2026-03-30');
  expect(toDayString(getStartOfDay('2026-10-25'))).toBe('2026-10-25');
  expect(shiftSpan('month', '2026-01-31', 1)).toBe('2026-02-01');
  expect(shiftSpan('week', '2026-01-01', -1)).toBe('2025-12-25');
});

it('rejects invalid days', () => {
  expect(['2026-02-30', '2026-2-3', 20260203, undefined, 'soon'].filter(isDay)).toEqual([]);
  expect(isDay('2026-02-28')).toBe(true);
});

it('uses the first day of the week of the locale', () => {
  expect([getFirstWeekday('de-DE'), getFirstWeekday('en-US')]).toEqual([1, 0]);
});
