import { expect, test } from 'vitest';
import { buildDayKeys, buildEntryKeys, countIndexedDays } from '../../schema/mailbox/messages/index-keys.ts';
import { createSeededRandom } from '../rpc/seeded.ts';

const buildDays = (count: number): number[] => Array.from({ length: count }, (_, i) => 20_000 - i);

test.each([1, 2, 4])(
  'limits a time window across %d mailboxes to the days that fit into 16 individual keys',
  (mailboxes) => {
    const accounts = buildDays(mailboxes);
    const count = countIndexedDays(mailboxes, buildDays(3_000));
    const keys = buildDayKeys(1, accounts, buildDays(count));
    expect(keys.every((key) => /\.[sl]\d+$/.test(key))).toBe(true);
    expect(keys.length).toBeLessThanOrEqual(16);
    expect(buildDayKeys(1, accounts, buildDays(count + 8)).every((key) => /^#1\.\d+$/.test(key))).toBe(true);
    expect(countIndexedDays(mailboxes, buildDays(count))).toBe(count);
  },
);

test('matches every message in a time window with at least one key, for random days', () => {
  const random = createSeededRandom(64);
  for (let round = 0; round < 500; round++) {
    const share = random();
    const all = buildDays(1 + Math.floor(random() * 1_500)).filter(() => random() < share);
    const indexedDays = all.slice(0, countIndexedDays(1, all));
    const keys = new Set(buildDayKeys(1, [7], indexedDays));
    const missed = indexedDays.filter((day) => !buildEntryKeys(1, 7, day, 5).some((key) => keys.has(key)));
    expect(missed).toEqual([]);
    expect(keys.size).toBeLessThanOrEqual(16);
    if (all.length > 0) expect(indexedDays.length).toBeGreaterThan(0);
  }
});

test('uses a single key per mailbox if a time window covers many mailboxes', () => {
  expect(countIndexedDays(20, buildDays(1_000))).toBe(1_000);
  expect(buildDayKeys(1, buildDays(20), buildDays(1_000))).toHaveLength(20);
});
