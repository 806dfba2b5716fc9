import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeWorkspace } from '../../schema/base/workspace/delete-workspace.ts';
import { findDeliveryTargets } from '../../schema/mailbox/intake/delivery-targets.ts';
import { sql } from '../../src/db/sql.ts';
import { getPrismaModels, isTenantModel, toTableName } from '../../src/db/tripwire.ts';
import { findDueWorkspaces, writeDueTime } from '../../src/engine/work/due.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { post, setUpApp } from '../harness/app.ts';
import { runCli, runCliJson } from '../harness/cli.ts';
import { json2 } from '../harness/facades/json2.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { SECRET_KEY, type Tenant } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';
import { loadMailbox } from '../mailbox/mailboxes.ts';

const app = setUpApp();
let remainingTenant: Tenant;
const dataDir = mkdtempSync(join(tmpdir(), 'atrium delete '));

beforeAll(async () => {
  remainingTenant = await app.tenant('kept');
  await fill(remainingTenant);
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

async function fill(tenant: Tenant): Promise<void> {
  const readRest = (path: string, body: unknown) => post(`${app.url}/api/v1${path}`, body, tenant.teamKey);
  const email = { from: `a@${tenant.domain}`, to: 'b@example.com', subject: 's', text: 't' };
  for (let i = 0; i < 5; i++) expect((await readRest('/emails', email)).status).toBe(200);
  const book = (await readRest('/contactBooks', { name: 'List' })).json().id;
  await readRest(`/contactBooks/${book}/contacts`, { email: 'c@example.com' });
  const create = async (model: string, values: object) => {
    const answer = await json2(app, `${model}/create`, { vals_list: [values] }, tenant.admin.key);
    expect(answer.status, `${model} ${answer.text}`).toBe(200);
    return answer.json()[0] as number;
  };
  const parent = await create('res.partner', { name: 'Parent', is_company: true });
  await create('res.partner', { name: 'Child', parent_id: parent });
  await create('crm.lead', { name: 'Lead', partner_id: parent });
  await create('sale.order', { partner_id: parent });
}

/** Tables that are written asynchronously. */
const LATE = ['svc_api_key_use', 'svc_due', 'svc_change'];

const countSettledRows = async (id: number) =>
  Object.fromEntries(Object.entries(await countRows(id)).filter(([table]) => !LATE.includes(table)));

async function countRows(id: number): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of Object.keys(getPrismaModels()).filter(isTenantModel).map(toTableName)) {
    const count = await app.runtime.db.value<number>(
      sql`select count(*)::int from ${sql.id(table)} t where t.workspace_id = ${id}`,
    );
    if (count > 0) counts[table] = count;
  }
  return counts;
}

const runAtrium = (...args: string[]) => runCliJson<Record<string, unknown>>(buildEnv(), ...args);

const buildEnv = () => ({ DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir, SECRET_KEY });

test('rejects deletion if the slug is typed incorrectly', async () => {
  const before = await countSettledRows(remainingTenant.ctx.workspace.id);
  const { code, stderr } = await runCli(buildEnv(), 'workspace', 'delete', 'kept', '--confirm', 'keep');
  expect([code, stderr]).toEqual([1, 'Nothing was deleted: "keep" does not match kept.\n']);
  expect(await countSettledRows(remainingTenant.ctx.workspace.id)).toEqual(before);
});

test("deletes a workspace's rows and access without changing other workspaces", async () => {
  const deletedTenant = await app.tenant('gone');
  await fill(deletedTenant);
  const before = await countSettledRows(remainingTenant.ctx.workspace.id);
  expect(Object.keys(await countRows(deletedTenant.ctx.workspace.id)).length).toBeGreaterThan(20);
  const { code, stdout, stderr } = await runCli(
    buildEnv(),
    'workspace',
    'delete',
    'gone',
    '--now',
    '--confirm',
    'gone',
    '--json',
  );
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ slug: 'gone', deleted: true, rows: expect.any(Number) });
  expect(await countRows(deletedTenant.ctx.workspace.id)).toEqual({});
  expect(await app.runtime.db.rows(sql`select 1 from workspace where slug = 'gone'`)).toEqual([]);
  expect((await json2(app, 'res.partner/search', { domain: [] }, deletedTenant.admin.key)).status).toBe(401);
  expect(await countSettledRows(remainingTenant.ctx.workspace.id)).toEqual(before);
  expect((await json2(app, 'res.partner/search', { domain: [] }, remainingTenant.admin.key)).status).toBe(
    200,
  );
});

test('closes a deleted workspace for a grace period, in which it can be restored, and then deletes it', {
  tags: 'slow',
}, async () => {
  const tenant = await app.tenant('grace');
  await fill(tenant);
  const { id } = tenant.ctx.workspace;
  const before = await countSettledRows(id);
  const readStatus = async () =>
    (await json2(app, 'res.partner/search', { domain: [] }, tenant.admin.key)).status;
  const signIn = () => signInWeb(app, tenant.admin, 'grace').then(Boolean, () => false);
  const { address } = await loadMailbox(tenant.ctx, tenant.admin.id);
  const countTargets = async () => (await findDeliveryTargets(app.runtime, [address])).length;
  expect([await readStatus(), await signIn(), await countTargets()]).toEqual([200, true, 1]);
  await writeDueTime(app.runtime.db, id, 'sweep', 0);
  const isDue = async () =>
    (await findDueWorkspaces(app.runtime.db, 'sweep', 1000)).some((due) => due.workspace_id === id);
  expect(await isDue()).toBe(true);

  const closed = await runAtrium('workspace', 'delete', 'grace', '--confirm', 'grace', '--days', '3');
  expect(closed).toMatchObject({ slug: 'grace', closed: true });
  const remainingMs = Date.parse(String(closed.deleted_on)) - Date.now();
  expect(Math.round(remainingMs / 86_400_000)).toBe(3);
  await until(async () => (await readStatus()) === 401, 'its keys open nothing');
  await until(async () => (await countTargets()) === 0, 'its addresses get no mail');
  expect([await signIn(), await isDue()]).toEqual([false, false]);
  expect(Object.keys(await countSettledRows(id))).toEqual(expect.arrayContaining(Object.keys(before)));

  await runAtrium('workspace', 'restore', 'grace');
  await until(async () => (await readStatus()) === 200, 'its keys are good again');
  expect([await signIn(), await countTargets(), await isDue()]).toEqual([true, 1, true]);

  await closeWorkspace(app.runtime, id, new Date(Date.now() - 1000));
  const { db, log, config } = app.runtime;
  await listScheduledJobs()
    .find(({ name }) => name === 'workspace-purge')!
    .run({ db, log, config }, {});
  expect(await countRows(id)).toEqual({});
  expect(await app.runtime.db.rows(sql`select 1 from workspace where slug = 'grace'`)).toEqual([]);
});

/** Starts a deletion and kills it (SIGKILL) while it waits for rows that this connection locks. */
async function killWhileWaiting(table: string, slug: string, id: number): Promise<void> {
  const keeper = new Client(app.databaseUrl);
  await keeper.connect();
  try {
    await keeper.query('begin');
    const { rowCount } = await keeper.query(`select 1 from ${table} where workspace_id = ${id} for update`);
    expect(rowCount).toBeGreaterThan(0);
    const child = spawn(
      process.execPath,
      ['boot/cli.mjs', 'workspace', 'delete', slug, '--now', '--confirm', slug],
      {
        env: { ...process.env, ...buildEnv() },
        stdio: 'ignore',
      },
    );
    const exit = new Promise((resolve) => child.once('exit', resolve));
    const waits = sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await until(async () => (await app.runtime.db.rows(waits)).length > 0, `it waits for ${table}`);
    child.kill('SIGKILL');
    await exit;
    expect(child.signalCode).toBe('SIGKILL');
  } finally {
    await keeper.end();
  }
}

test('revokes all access before deleting rows, and resumes if the process is killed', {
  tags: 'soak',
}, async () => {
  const before = await countSettledRows(remainingTenant.ctx.workspace.id);
  const killedTenant = await app.tenant('killed');
  await fill(killedTenant);
  const { id } = killedTenant.ctx.workspace;
  for (const table of ['crm_lead', 'svc_email', 'res_users', 'res_partner'])
    await killWhileWaiting(table, 'killed', id);
  const restoredResult = await runCli(buildEnv(), 'workspace', 'restore', 'killed');
  expect([restoredResult.code, restoredResult.stderr]).toEqual([
    1,
    expect.stringMatching(/its deletion has started/),
  ]);
  expect(Object.keys(await countRows(id)).length).toBeGreaterThan(1);
  expect((await json2(app, 'res.partner/search', { domain: [] }, killedTenant.admin.key)).status).toBe(401);
  const secondRun = await runCli(buildEnv(), 'workspace', 'delete', 'killed', '--now', '--confirm', 'killed');
  expect([secondRun.code, secondRun.stderr]).toEqual([0, '']);
  expect(await countRows(id)).toEqual({});
  expect(await countSettledRows(remainingTenant.ctx.workspace.id)).toEqual(before);
});
