import { afterEach, expect, test, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { CATALOG_TTL_MS } from '../../src/engine/ctx/catalog.ts';
import { type App, startApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { executeSilently } from '../harness/sql.ts';

let app: App | undefined;
afterEach(async () => {
  vi.useRealTimers();
  await app?.close();
});

test('applies a revocation after the cache expires, even if the notification is lost', async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  app = await startApp();
  const { url, runtime, main } = app;
  await expect.poll(runtime.db.hears).toBe(true);
  const count = async () =>
    (await json2({ url }, 'crm.lead/search_count', { domain: [] }, main.admin.key)).status;
  expect(await count()).toBe(200);
  await executeSilently(
    runtime.db,
    sql`update ir_model_access set active = false
     where workspace_id = ${main.ctx.workspace.id}
       and model_id = (select id from ir_model_stock where model = 'crm.lead')`,
  );
  expect(await count()).toBe(200);
  vi.setSystemTime(Date.now() + CATALOG_TTL_MS);
  expect(await count()).toBe(403);
});
