import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { RESERVED_IDS_TTL_MS } from '../../src/db/id-allocator.ts';
import { allocateIds } from '../../src/engine/ctx/allocate-ids.ts';
import { type App, startApp } from '../harness/app.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

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
