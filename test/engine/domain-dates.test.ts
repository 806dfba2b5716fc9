import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { setUp } from '../harness/set-up.ts';
import { openLab } from './lab.ts';
import { findMatches, NODE_ROWS } from './lab-tree.ts';

const lab = setUp(openLab);
beforeAll(() => lab.db.pool.query(NODE_ROWS));

describe('date part conditions', () => {
  test.each<[unknown, string]>([
    [['made.year_number', '=', 2026], '124'],
    [['made.year_number', '!=', 2026], '3'],
    [['made.quarter_number', '=', 3], '4'],
    [['made.month_number', 'in', [1, 2]], '12'],
    [['made.month_number', 'not in', [1, 2]], '34'],
    [['made.month_number', 'in', []], ''],
    [['made.month_number', '=', '2'], '2'],
    [['made.month_number', '=', 2.5], ''],
    [['made.month_number', '<', 2.5], '12'],
    [['made.month_number', '>', '1'], '24'],
    [['made.month_number', '=', false], '3'],
    [['made.month_number', '!=', false], '124'],
    [['made.month_number', 'in', [1, false]], '13'],
    [['made.month_number', '<', false], ''],
    [['made.month_number', '=?', false], '1234'],
    [['made.month_number', '=?', 7], '4'],
    [['made.iso_week_number', '=', 5], '1'],
    [['made.day_of_year', '=', 59], '2'],
    [['made.day_of_month', '=', 28], '2'],
    [['made.day_of_week', '=', 6], '12'],
    [['made.day_of_week', '=', 3], '4'],
    [['made.hour_number', '=', 23], '1'],
    [['made.minute_number', 'in', [15, 30]], '14'],
    [['made.second_number', '=', 45], '1'],
    [['made.year_number', 'like', '02'], '124'],
    [['made.year_number', '=like', '2026'], '124'],
    [['made.year_number', 'not ilike', '26'], '3'],
    [['made.month_number', 'like', ''], '1234'],
    [['made.tz', '=', '2026-01-31 23:30:45'], '1'],
    [['made.tz', '<', '2026-02-28'], '1'],
    [['made.tz', '=', '2026-02-28'], '2'],
    [['due.month_number', '=', 2], '2'],
    [['due.day_of_month', '=', 29], '2'],
    [['due.hour_number', '=', 0], '124'],
    [['due.day_of_week', '=', 4], '2'],
    [['parent_id.made.month_number', '=', 1], '23'],
    [['made.century', '=', 21], 'refused'],
    [['made.month', '=', 1], 'refused'],
    [['made.month_number.x', '=', 1], 'refused'],
    [['made.constructor', '=', 1], 'refused'],
    [['made.', '=', 1], 'refused'],
    [['made.month_number', '=', 'may'], 'refused'],
    [['made.month_number', '=', true], 'refused'],
    [['made.month_number', '=', [[1]]], 'refused'],
    [['made.month_number', 'any', []], 'refused'],
    [['made.month_number', 'child_of', 1], 'refused'],
    [['made.tz', '=', 'x'], 'refused'],
    [['number.month_number', '=', 1], 'refused'],
    [['name.month_number', '=', 1], 'refused'],
  ])('%j finds %s', async (leaf, ids) => {
    expect(await findMatches(lab.ctx, 'lab.node', leaf)).toBe(ids);
  });

  test.each<[unknown, string | null, string]>([
    [['made.day_of_week', '=', 0], 'Europe/Brussels', '1'],
    [['made.month_number', '=', 2], 'Europe/Brussels', '12'],
    [['made.hour_number', '=', 0], 'Europe/Brussels', '14'],
    [['made.hour_number', '=', 1], 'europe/brussels', '2'],
    [['made.minute_number', '=', 45], 'Asia/Kathmandu', '2'],
    [['made.tz', '=', '2026-02-01 00:30:45'], 'Europe/Brussels', '1'],
    [['due.month_number', '=', 1], 'Asia/Tokyo', '1'],
    [['made.month_number', '=', 1], 'No/Where', '1'],
    [['made.month_number', '=', 1], '+05:00', '1'],
    [['made.month_number', '=', 1], null, '1'],
    [['made.month_number', '=', 1], `Europe/Brussels' or '1`, '1'],
  ])('%j in the context zone %s finds %s', async (leaf, tz, ids) => {
    const ctx = lab.as({ tz: 'Asia/Tokyo' });
    expect(await findMatches(ctx.with({ context: { ...ctx.context, tz } }), 'lab.node', leaf)).toBe(ids);
  });
});

describe('relative date conditions', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: Date.parse('2026-02-28T23:30:00Z'), toFake: ['Date'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each<[unknown, string, string]>([
    [['due', '<', 'today'], 'UTC', '12'],
    [['due', '>', 'today -30d'], 'UTC', '14'],
    [['due', '>=', '=1d -1m'], 'UTC', '14'],
    [['due', '>', '=monday -60w'], 'UTC', '14'],
    [['due', '=', 'today -28d'], 'UTC', '1'],
    [['due', '=', 'today -29d'], 'Europe/Brussels', '1'],
    [['due', '=', 'now -29d'], 'Europe/Brussels', '1'],
    [['due', 'in', ['today -28d', '2024-02-29', false]], 'UTC', '123'],
    [['due', '!=', 'today -28d'], 'UTC', '234'],
    [['made', '>=', 'today'], 'UTC', '24'],
    [['made', '>', 'today'], 'UTC', '4'],
    [['made', '<=', 'today'], 'UTC', '12'],
    [['made', '=', 'today'], 'UTC', '2'],
    [['made', '>=', 'today'], 'Europe/Brussels', '4'],
    [['made', '>=', 'now -1d'], 'UTC', '24'],
    [['made', '>=', '-23H'], 'UTC', '4'],
    [['made', '<', '=1d'], 'Europe/Brussels', '12'],
    [['made', '<', '=1d'], 'UTC', '1'],
    [['made', '>', '=1y'], 'UTC', '124'],
    [['made', '<', '+1w'], 'UTC', '12'],
    [['made', '<', 'tomorrow'], 'UTC', 'refused'],
    [['due', '=', ''], 'UTC', 'refused'],
    [['due', '=', 'today + 1d'], 'UTC', 'refused'],
  ])('%j in %s finds %s', async (leaf, tz, ids) => {
    expect(await findMatches(lab.as({ tz }), 'lab.node', leaf)).toBe(ids);
  });
});
