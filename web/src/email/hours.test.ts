import { expect, it } from 'vitest';
import { fillHours } from './hours.ts';

it('returns every hour until now, with zeros for hours without emails', () => {
  const groups = [{ key: '2026-11-27T01:00:00Z', delivered: 5, bounced: 2 }];
  expect(fillHours(groups, '2026-11-27', Date.parse('2026-11-27T02:59:59Z'))).toEqual([
    { hour: '2026-11-27T00:00:00.000Z', delivered: 0, bounced: 0 },
    { hour: '2026-11-27T01:00:00.000Z', delivered: 5, bounced: 2 },
    { hour: '2026-11-27T02:00:00.000Z', delivered: 0, bounced: 0 },
  ]);
});

it('returns the first hour if the clock of the browser is behind', () => {
  expect(fillHours([], '2026-11-27', Date.parse('2026-11-26T23:30:00Z'))).toHaveLength(1);
});
