import { afterEach, expect, test, vi } from 'vitest';
import { CATALOG_TTL_MS } from '../../src/engine/ctx/catalog.ts';
import { type App, startApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';

let app: App | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await app?.close();
});

/** Revokes all rights to leads with triggers disabled, so that no invalidation is sent. */
async function revokeAccessSilently({ runtime, main }: App): Promise<void> {
  const client = await runtime.db.pool.connect();
  await client.query('begin');
  await client.query('set local session_replication_role to replica');
  await client.query(
    `update ir_model_access set active = false
     where workspace_id = $1 and model_id = (select id from ir_model_stock where model = 'crm.lead')`,
    [main.ctx.workspace.id],
  );
  await client.query('commit');
  client.release();
}

test('applies a revocation after the cache expires, even if the notification is lost', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  app = await startApp();
  const { url, runtime, main } = app;
  await expect.poll(runtime.db.hears).toBe(true);
  const count = async () =>
    (await json2({ url }, 'crm.lead/search_count', { domain: [] }, main.admin.key)).status;
  expect(await count()).toBe(200);
  await revokeAccessSilently(app);
  expect(await count()).toBe(200);
  vi.setSystemTime(Date.now() + CATALOG_TTL_MS);
  expect(await count()).toBe(403);
});
