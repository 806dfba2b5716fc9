import { expect, it } from 'vitest';
import { dayOf, daysLater, daysShown, firstWeekday, isDay, spanLater, startOf } from './days.ts';

it('a month is shown in whole weeks, from the first day of a week', () => {
  const monday = daysShown('month', '2026-11-24', 1);
  expect([monday[0], monday.at(-1), monday.length]).toEqual(['2026-10-26', '2026-12-06', 42]);
  const sunday = daysShown('month', '2026-02-10', 0);
  expect([sunday[0], sunday.at(-1), sunday.length]).toEqual(['2026-02-01', '2026-02-28', 28]);
});

it('a week, a day and the days of a month', () => {
  expect(daysShown('week', '2026-11-24', 1)).toHaveLength(7);
  expect(daysShown('week', '2026-11-24', 1)[0]).toBe('2026-11-23');
  expect(daysShown('week', '2026-11-22', 0)[0]).toBe('2026-11-22');
  expect(daysShown('day', '2026-11-24', 1)).toEqual(['2026-11-24']);
  expect(daysShown('agenda', '2028-02-24', 1)).toHaveLength(29);
});

it('days follow each other over the ends of months and changes of the clocks', () => {
  expect(daysLater('2026-12-31', 1)).toBe('2027-01-01');
  expect(daysLater('2026-03-28', 2)).toBe('2026-03-30');
  expect(dayOf(startOf('2026-10-25'))).toBe('2026-10-25');
  expect(spanLater('month', '2026-01-31', 1)).toBe('2026-02-01');
  expect(spanLater('week', '2026-01-01', -1)).toBe('2025-12-25');
});

it('what is no day is none', () => {
  expect(['2026-02-30', '2026-2-3', 20260203, undefined, 'soon'].filter(isDay)).toEqual([]);
  expect(isDay('2026-02-28')).toBe(true);
});

it('a week begins as it does where the person is', () => {
  expect([firstWeekday('de-DE'), firstWeekday('en-US')]).toEqual([1, 0]);
});
