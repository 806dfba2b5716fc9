import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { CALL_IDS_PER_NUMBER, RESERVED_IDS_TTL_MS } from '../../src/db/id-allocator.ts';
import { openDatabase } from '../../src/db/pool.ts';
import { allocateId, allocateIds } from '../../src/engine/ctx/allocate-ids.ts';
import { setUpApp } from '../harness/app.ts';

const app = setUpApp();

/** Uses separate statements, because a block of ids expires between them. */
async function draw(times: number): Promise<void> {
  for (let i = 0; i < times; i++) {
    await allocateIds(app.main.ctx, 'svc_email', 1);
    await sleep(RESERVED_IDS_TTL_MS + 5);
  }
}

test('does not scan a table when allocating an id, even if it was empty at the first allocation', async () => {
  const client = new pg.Client({ connectionString: app.databaseUrl });
  await client.connect();
  try {
    const countDraws = async (): Promise<{ draws: number; rows: number }> => {
      const { rows } = await client.query(
        `select idx_scan::int as draws, (idx_tup_fetch + seq_tup_read)::int as rows from pg_stat_user_tables
         where relname = 'svc_email'`,
      );
      return rows[0];
    };
    // No other process updates the table's statistics.
    await client.query('alter table svc_email set (autovacuum_enabled = off)');
    await draw(12);
    await client.query(
      `insert into svc_email (workspace_id, id, public_id, "from", subject)
       select ${app.main.ctx.workspace.id}, 1000000 + g, 'em_' || g, 'a@a.test', 's' from generate_series(1, 5000) g`,
    );
    const before = await countDraws();
    await draw(5);
    // Sessions report their statistics once they are idle.
    const after = await vi.waitUntil(async () => {
      const now = await countDraws();
      return now.draws >= before.draws + 5 && now;
    }, 60_000);
    expect(after.rows - before.rows).toBeLessThan(1_000);
  } finally {
    await client.end();
  }
});

test('numbers events and webhook calls after all emails accepted so far, even by other processes', async () => {
  const workspace = app.main.ctx.workspace.id;
  const other = openDatabase(app.databaseUrl, app.runtime.log);
  const allocateInOther = async (table: string) =>
    (await other.idAllocator.allocate(workspace, table, 1))[0]!;
  try {
    // Other tables get ids from a reserved block now.
    for (let i = 0; i < 4; i++) await allocateInOther('svc_email_event');
    const email = await allocateId(app.main.ctx, 'svc_email');
    const event = await allocateInOther('svc_email_event');
    const call = await allocateInOther('svc_webhook_call');
    expect(event).toBeGreaterThan(email);
    expect(call).toBe((event + 1) * CALL_IDS_PER_NUMBER);
  } finally {
    await other.close();
  }
});

test('numbers the events of several processes in the order of their creation', async () => {
  const workspace = app.main.ctx.workspace.id;
  const other = openDatabase(app.databaseUrl, app.runtime.log);
  try {
    const ids: number[] = [];
    for (let i = 0; i < 4; i++)
      for (const { idAllocator } of [other, other, app.runtime.db])
        ids.push(...(await idAllocator.allocate(workspace, 'svc_event', 1)));
    expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  } finally {
    await other.close();
  }
});
