import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { createRuntime } from '../boot/server.ts';
import { recordModels } from '../schema/base/ir/code-models.ts';
import { provisionWorkspace } from '../schema/base/workspace/create-workspace.ts';
import { startProvisioning } from '../schema/base/workspace/provisioning.ts';
import { readMigrations } from '../src/db/migrations/migration-files.ts';
import { sql } from '../src/db/sql.ts';
import type { Runtime } from '../src/engine/ctx/runtime.ts';
import { setUpApp } from './harness/app.ts';
import { cleanUp } from './harness/cleanup.ts';
import { json2 } from './harness/facades/json2.ts';
import { startProcess } from './harness/process.ts';
import { SECRET_KEY, type Tenant } from './harness/tenant.ts';
import { until } from './harness/wait.ts';

// Simulates an upgrade that adds a model, by removing an existing model from the database.

const MODEL = 'crm.lost.reason';

const app = setUpApp();
let tenants: Tenant[];
/** Number of access rights on the model in a new workspace. */
let expectedCount: number;

beforeAll(async () => {
  tenants = [app.main, await app.tenant('second'), await app.tenant('third')];
  expectedCount = await countRights(app.runtime, app.main);
  expect(expectedCount).toBeGreaterThan(0);
});

/** Restores the state of the previous version: without the model, its rights and all references to it. */
async function forgetModel({ db }: Runtime): Promise<void> {
  for (const table of ['ir_model_access', 'ir_rule'])
    await db.rows(
      sql`delete from ${sql.id(table)} where workspace_id > 0
       and model_id in (select id from ir_model_stock where model = ${MODEL})`,
    );
  await db.rows(sql`delete from ir_model_stock where model = ${MODEL}`);
  await db.rows(
    sql`update installation set value = jsonb_set(value::jsonb, '{hash}', '"before"')::text where name = 'stock'`,
  );
}

/** Starts a process of the new version, up to the point before it accepts requests. */
async function startRuntime(): Promise<Runtime> {
  const runtime = await createRuntime(app.runtime.config, app.databaseUrl, app.runtime.log);
  cleanUp(() => runtime.db.close());
  return runtime;
}

const countRights = ({ db }: Runtime, tenant: Tenant): Promise<number> =>
  db.value<number>(
    sql`select count(*)::int from ir_model_access a join ir_model_stock m on m.id = a.model_id
     where a.workspace_id = ${tenant.ctx.workspace.id} and m.model = ${MODEL}`,
  );

describe('a model added by an upgrade', () => {
  test('is available on the first request even if the process that registered it was killed', async () => {
    await forgetModel(app.runtime);
    // Simulates a process that recorded the model, added the rights to one workspace and was killed.
    const killedRuntime = await startRuntime();
    expect(await countRights(killedRuntime, tenants[0]!)).toBe(0);
    await killedRuntime.catalogs.get(tenants[0]!.ctx.workspace.id);
    expect(await countRights(killedRuntime, tenants[0]!)).toBe(expectedCount);
    expect(await countRights(killedRuntime, tenants[1]!)).toBe(0);
    // On the next start, the model has already been recorded.
    app.runtime.catalogs.provisioning = (await startRuntime()).catalogs.provisioning;
    app.runtime.identity.invalidate();
    for (const tenant of tenants) {
      const answer = await json2(app, `${MODEL}/create`, { vals_list: [{ name: 'Late' }] }, tenant.admin.key);
      expect(answer.status, answer.text).toBe(200);
    }
    expect(await Promise.all(tenants.map((tenant) => countRights(app.runtime, tenant)))).toEqual(
      tenants.map(() => expectedCount),
    );
  });

  test('is added to inactive workspaces even if the provisioning process stops midway', async () => {
    await forgetModel(app.runtime);
    const first = await startRuntime();
    const killed = startProvisioning(first);
    await killed.stop();
    const next = await startRuntime();
    const equipping = startProvisioning(next);
    cleanUp(() => equipping.stop());
    const readRights = () => Promise.all(tenants.map((tenant) => countRights(next, tenant)));
    await until(async () => (await readRights()).every((n) => n === expectedCount), 'all have the rights');
    const [{ n }] = (await next.db.rows<{ n: number }>(
      sql`select count(*)::int as n from workspace where equipped < ${next.catalogs.provisioning!.version}`,
    )) as [{ n: number }];
    expect(n).toBe(0);
  });

  test('adds its rights once, even if several processes find them missing', async () => {
    await forgetModel(app.runtime);
    const processes = [await startRuntime(), await startRuntime()];
    const { id } = tenants[1]!.ctx.workspace;
    await Promise.all(processes.flatMap((process) => [process.catalogs.get(id), process.catalogs.get(id)]));
    expect(await countRights(app.runtime, tenants[1]!)).toBe(expectedCount);
  });

  test('does not restore rights that an administrator deleted', async () => {
    const { ctx } = tenants[1]!;
    await app.runtime.db.rows(
      sql`delete from ir_model_access where workspace_id = ${ctx.workspace.id}
       and model_id = (select id from ir_model_stock where model = 'crm.stage')`,
    );
    await forgetModel(app.runtime);
    const next = await startRuntime();
    await next.catalogs.get(ctx.workspace.id);
    const { rights } = await next.catalogs.get(ctx.workspace.id);
    expect([rights.has('crm.stage'), rights.has(MODEL)]).toEqual([false, true]);
  });

  test('is provisioned completely or not at all, and provisioning is retried after a failure', async () => {
    const { id } = tenants[1]!.ctx.workspace;
    await forgetModel(app.runtime);
    const next = await startRuntime();
    await app.runtime.db.rows(
      sql`create function refuse() returns trigger language plpgsql as
       'begin if new.equipped > old.equipped then raise exception ''not now''; end if; return new; end'`,
    );
    await app.runtime.db.rows(
      sql`create trigger refuse before update on workspace for each row execute function refuse()`,
    );
    await expect(provisionWorkspace(next, id)).rejects.toThrow('not now');
    expect(await countRights(app.runtime, tenants[1]!)).toBe(0);
    // Its users keep their existing rights.
    expect((await next.catalogs.get(id)).rights.has('crm.lead')).toBe(true);
    await app.runtime.db.rows(sql`drop trigger refuse on workspace`);
    await provisionWorkspace(next, id);
    expect(await countRights(app.runtime, tenants[1]!)).toBe(expectedCount);
  });
});

test('preserves the upgrade if a process of the previous version starts', async () => {
  const { db, registry } = app.runtime;
  const readId = async () =>
    (await db.rows<{ id: number }>(sql`select id from ir_model_stock where model = ${MODEL}`))[0]?.id;
  const id = await readId();
  const older = new Map([...registry].filter(([name]) => name !== MODEL));
  await recordModels(db, older, '');
  expect(await readId()).toBe(id);
  // With the same migrations, only the code has changed, as during development.
  await recordModels(db, older, readMigrations().at(-1)!.name);
  expect(await readId()).toBeUndefined();
});

test('registers the same models in each entry point, regardless of the import order', {
  tags: 'soak',
}, async () => {
  const { db, registry } = app.runtime;
  const readInstallation = () => db.value<string>(sql`select value from installation where name = 'stock'`);
  const last = readMigrations().at(-1)!.name;
  await recordModels(db, registry, last);
  const before = await readInstallation();
  await recordModels(db, new Map([...registry].reverse()), last);
  expect(await readInstallation()).toBe(before);
  const env = { ...process.env, DATABASE_URL: app.databaseUrl, SECRET_KEY };
  for (const command of [
    ['key', 'list'],
    ['domain', 'list'],
    ['job', 'run', 'due-sweep'],
  ])
    await promisify(execFile)(process.execPath, ['boot/cli.mjs', ...command], { env });
  const server = await startProcess({ DATABASE_URL: app.databaseUrl, SECRET_KEY });
  await server.end('SIGTERM');
  expect(await readInstallation()).toBe(before);
});

test('keeps processes running while a newer migration changes column types', async () => {
  const { db } = app.runtime;
  let attempts = 0;
  const create = async () => {
    const vals_list = [{ name: `Tag ${++attempts}` }];
    return (await json2(app, 'crm.tag/create', { vals_list }, app.main.admin.key)).status;
  };
  // Repeated often enough for the statements to be prepared. They return the id.
  for (let i = 0; i < 12; i++) expect(await create()).toBe(200);
  await db.pool.query('alter table crm_tag alter column id type bigint');
  const statuses = await Promise.all(Array.from({ length: 24 }, create));
  expect(new Set(statuses)).toEqual(new Set([200]));
});
