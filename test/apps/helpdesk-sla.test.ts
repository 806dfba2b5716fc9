import { describe, expect, test } from 'vitest';
import { distributeTickets } from '../../apps/helpdesk/assign.ts';
import { computeSlaStatus, isPolicyFor } from '../../apps/helpdesk/sla/update-statuses.ts';
import { computeDeadline } from '../../apps/helpdesk/sla/working-time.ts';

const WEEK = { tz: 'UTC', days: [true, true, true, true, true, false, false], from: 9, to: 17 };

const ALWAYS = { tz: 'Europe/Brussels', days: Array(7).fill(true) as boolean[], from: 0, to: 24 };

describe('an SLA deadline', () => {
  test.for([
    // 2026-03-02 is a Monday.
    ['falls on the same day', '2026-03-02T10:00:00Z', 4, WEEK, '2026-03-02T14:00:00Z'],
    ['falls on the end of the working day', '2026-03-02T09:00:00Z', 8, WEEK, '2026-03-02T17:00:00Z'],
    ['continues on the next working day', '2026-03-02T15:00:00Z', 4, WEEK, '2026-03-03T11:00:00Z'],
    ['starts at the beginning of work', '2026-03-02T03:00:00Z', 1, WEEK, '2026-03-02T10:00:00Z'],
    ['skips the weekend', '2026-03-06T16:00:00Z', 2, WEEK, '2026-03-09T10:00:00Z'],
    [
      'of zero hours on a weekend falls on the next working day',
      '2026-03-07T12:00:00Z',
      0,
      WEEK,
      '2026-03-09T09:00:00Z',
    ],
    ['of 80 hours spans two weeks', '2026-03-02T09:00:00Z', 80, WEEK, '2026-03-13T17:00:00Z'],
    [
      'counts working hours in its time zone',
      '2026-03-02T15:00:00Z',
      3,
      { ...WEEK, tz: 'America/New_York' },
      '2026-03-02T18:00:00Z',
    ],
    [
      'keeps working hours across a daylight saving change',
      '2026-03-27T15:00:00Z',
      2,
      { ...WEEK, tz: 'Europe/Brussels' },
      '2026-03-30T08:00:00Z',
    ],
    // Clocks go forward from 02:00 to 03:00 on March 29, and back from 03:00 to 02:00 on October 25.
    [
      'counts elapsed hours across the skipped hour',
      '2026-03-28T12:00:00Z',
      24,
      ALWAYS,
      '2026-03-29T12:00:00Z',
    ],
    [
      'counts elapsed hours across the repeated hour',
      '2026-10-24T12:00:00Z',
      24,
      ALWAYS,
      '2026-10-25T12:00:00Z',
    ],
    [
      'of 4,000 hours counts elapsed hours across a daylight saving change',
      '2026-01-01T00:00:00Z',
      4_000,
      ALWAYS,
      '2026-06-16T16:00:00Z',
    ],
    [
      'continues on the next day after a shift shortened by the skipped hour',
      '2026-03-28T23:00:00Z',
      4,
      { ...ALWAYS, to: 4 },
      '2026-03-29T23:00:00Z',
    ],
  ] as const)('%s', ([_name, start, hours, work, end]) => {
    const time = { ...work, days: [...work.days] };
    expect(new Date(computeDeadline(Date.parse(start), hours, time)).toISOString()).toBe(
      end.replace('Z', '.000Z'),
    );
  });
});

test('applies a policy to tickets that match its team, priority, types and tags', () => {
  const policy = { id: 1, team: 1, types: [], priority: null, tags: [], progress: 3, hours: 1, work: WEEK };
  const ticket = { id: 1, team: 1, type: 2, priority: '1', tags: [5], progress: 1, created: '' };
  const fits = (overrides: object) => isPolicyFor({ ...policy, ...overrides }, ticket);
  expect([fits({}), fits({ types: [2] }), fits({ priority: '1' }), fits({ tags: [4, 5] })]).toEqual([
    ...[true, true, true, true],
  ]);
  expect([fits({ team: 2 }), fits({ types: [3] }), fits({ priority: '0' }), fits({ tags: [4] })]).toEqual([
    ...[false, false, false, false],
  ]);
});

test('marks an SLA status as failed only after its deadline', () => {
  const [early, deadline, late] = ['2026-03-02 10:00:00', '2026-03-02 12:00:00', '2026-03-02 13:00:00'];
  expect(computeSlaStatus(deadline, null, early)).toBe('ongoing');
  expect(computeSlaStatus(deadline, early, late)).toBe('reached');
  expect(computeSlaStatus(deadline, null, late)).toBe('failed');
  expect(computeSlaStatus(deadline, late, late)).toBe('failed');
});

test('assigns tickets round-robin or to the member with the fewest open tickets', () => {
  const all = [
    { id: 1, open: 3, last: 10 },
    { id: 2, open: 0, last: 30 },
    { id: 3, open: 1, last: 20 },
  ];
  expect(distributeTickets(all, 'randomly', 4)).toEqual([1, 3, 2, 1]);
  expect(distributeTickets(all, 'balanced', 4)).toEqual([2, 3, 2, 3]);
  expect(distributeTickets([], 'balanced', 2)).toEqual([]);
});
