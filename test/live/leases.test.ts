import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../src/db/pool.ts';
import type { Sql } from '../../src/db/sql.ts';
import { createLeases } from '../../src/engine/live/lease.ts';

const SOURCE = { workspaceId: 1, source: 'res.partner' };
const MINUTE_MS = 60_000;

let isDown = false;
let statementCount = 0;
const db = {
  rows: async (_statement: Sql) => {
    statementCount++;
    if (isDown) throw new Error('the database is down');
    return [{ since: '1', is_complete: true }];
  },
} as unknown as Database;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

async function countRenewals(): Promise<number> {
  const before = statementCount;
  await vi.advanceTimersByTimeAsync(MINUTE_MS);
  return statementCount - before;
}

test('a stream that could not start does not end the lease of a later one', async () => {
  const leases = createLeases(db, () => undefined);
  isDown = true;
  const failedLease = leases.open(SOURCE);
  await expect(failedLease.since).rejects.toThrow('down');
  isDown = false;
  const lease = leases.open(SOURCE);
  await lease.since;
  failedLease.close();
  expect(await countRenewals()).toBeGreaterThan(0);
  lease.close();
  expect(await countRenewals()).toBe(0);
});

test('is renewed until its last stream ends', async () => {
  const leases = createLeases(db, () => undefined);
  const [first, second] = [leases.open(SOURCE), leases.open(SOURCE)];
  await first.since;
  first.close();
  expect(await countRenewals()).toBeGreaterThan(0);
  second.close();
  expect(await countRenewals()).toBe(0);
});
