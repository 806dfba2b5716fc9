import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type App, post, startApp } from './harness/app.ts';
import { type CopiedTree, copyTree } from './harness/copied-tree.ts';
import { json2 } from './harness/facades/json2.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import { SECRET_KEY, type Tenant } from './harness/tenant.ts';
import { until } from './harness/wait.ts';

// A process of this version and one of the next version, which adds an app and a column, serve the same workspaces
// during and after the migration.

// Starts two processes and builds a source tree of the next version.
vi.setConfig({ testTimeout: 400_000, hookTimeout: 400_000 });

let app: App;
let tenants: Tenant[];
let next: CopiedTree;
let before: AppProcess;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  app = await startApp();
  cleanups.push(() => app.close());
  tenants = [app.main, await app.tenant('second')];
  next = await nextVersion();
  before = await startRole('all');
});
afterAll(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});

async function nextVersion(): Promise<CopiedTree> {
  const tree = copyTree();
  cleanups.push(() => tree.remove());
  cpSync(join(tree.root, 'examples/fleet'), join(tree.root, 'apps/fleet'), { recursive: true });
  edit(tree, 'apps/index.ts', (text) =>
    text
      .replace('import type { App }', "import fleet from './fleet/app.ts';\nimport type { App }")
      .replace('];', ', fleet];'),
  );
  edit(tree, 'apps/crm/schema.prisma', (text) =>
    text.replace('/// Type\n', '/// Warmth\n  warmth                 Int       @default(3)\n  /// Type\n'),
  );
  expect(await tree.node('src/db/migrations/new-migration.ts', ['next'])).toMatch(/wrote .*_next/);
  await tree.node('scripts/setup.mjs', ['--no-install']);
  return tree;
}

function edit(tree: CopiedTree, file: string, change: (text: string) => string): void {
  const path = join(tree.root, file);
  writeFileSync(path, change(readFileSync(path, 'utf8')));
}

async function startRole(role: string, root?: string): Promise<AppProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-rolling-'));
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const env = { DATABASE_URL: app.databaseUrl, DATA_DIR: dataDir, SECRET_KEY, ROLE: role };
  const process = await startProcess(env, root);
  cleanups.push(() => process.end('SIGTERM'));
  return process;
}

function startTraffic(process: AppProcess) {
  const failures: string[] = [];
  const leads: { tenant: Tenant; id: number }[] = [];
  const emails: string[] = [];
  let responseCount = 0;
  let isStopped = false;
  const check = (label: string, { status, text }: { status: number; text: string }): boolean => {
    responseCount++;
    if (status !== 200 || text.includes('"errors":'))
      failures.push(`${label} ${status} ${text.slice(0, 500)}`);
    return status === 200;
  };

  async function callOperations(tenant: Tenant): Promise<void> {
    const { key } = tenant.admin;
    const created = await json2(process, 'crm.lead/create', { vals_list: [{ name: 'Lead' }] }, key);
    if (!check('create', created)) return;
    const [id] = created.json();
    leads.push({ tenant, id });
    check('write', await json2(process, 'crm.lead/write', { ids: [id], vals: { phone: '+43 1' } }, key));
    check('read', await json2(process, 'crm.lead/search_read', { domain: [['id', '=', id]] }, key));
    const query = '{ crmLeads(first: 3) { nodes { id name } } }';
    check('graphql', await post(`${process.url}/graphql`, { query }, key));
    const from = `me@${tenant.domain}`;
    const email = { from, to: 'ann@example.org', subject: 'Rolling', text: 'x' };
    const accepted = await post(`${process.url}/api/v1/emails`, email, tenant.teamKey);
    if (check('email', accepted)) emails.push(accepted.json().emailId);
  }

  const runLane = async (tenant: Tenant) => {
    while (!isStopped)
      await callOperations(tenant).catch((error) => failures.push(String(error.cause ?? error)));
  };
  const running = Promise.all([...tenants, ...tenants].map(runLane));
  return {
    bad: failures,
    leads,
    emails,
    more: (count: number) => {
      const target = responseCount + count;
      return until(() => responseCount >= target || failures.length > 0, `${target} answers`);
    },
    stop: () => {
      isStopped = true;
      return running;
    },
  };
}

async function untilDelivered(ids: string[]): Promise<void> {
  const countUndelivered = async () => {
    const { rows } = await app.runtime.db.pool.query(
      `select count(*)::int as n from svc_email where workspace_id > 0 and public_id = any($1) and state = 'sent'`,
      [ids],
    );
    return ids.length - rows[0].n;
  };
  await expect.poll(countUndelivered).toBe(0);
}

const readWarmth = async (process: AppProcess, { tenant, id }: { tenant: Tenant; id: number }) =>
  (await json2(process, 'crm.lead/read', { ids: [id], fields: ['warmth'] }, tenant.admin.key)).json()[0]
    .warmth;

test('continues serving and delivering during and after the migration of the next version', async () => {
  const old = startTraffic(before);
  await old.more(100);
  const after = await startRole('web', next.root);
  const newTraffic = startTraffic(after);
  await Promise.all([old.more(200), newTraffic.more(200)]);

  for (const tenant of tenants) {
    const { key } = tenant.admin;
    const vals_list = [{ name: 'Van', plate: 'AB 123' }];
    const response = await json2(after, 'fleet.vehicle/create', { vals_list }, key);
    expect(response.status, response.text).toBe(200);
    const vehicles = await json2(after, 'fleet.vehicle/search_read', { fields: ['plate', 'odometer'] }, key);
    expect(vehicles.json()).toEqual([{ id: response.json()[0], plate: 'AB 123', odometer: 0 }]);
    expect((await json2(before, 'fleet.vehicle/search', {}, key)).status).toBe(404);
  }

  // The old process fills the new column with its default and preserves values written by the new process.
  const [{ tenant, id }] = newTraffic.leads as [(typeof newTraffic.leads)[0]];
  const { key } = tenant.admin;
  expect((await json2(after, 'crm.lead/write', { ids: [id], vals: { warmth: 5 } }, key)).status).toBe(200);
  expect((await json2(before, 'crm.lead/write', { ids: [id], vals: { name: 'Old' } }, key)).status).toBe(200);
  expect(await readWarmth(after, { tenant, id })).toBe(5);

  await Promise.all([old.stop(), newTraffic.stop()]);
  expect([old.bad, newTraffic.bad]).toEqual([[], []]);
  for (const lead of [old.leads.at(0)!, old.leads.at(-1)!, newTraffic.leads.at(-1)!])
    expect(await readWarmth(after, lead)).toBe(3);
  await untilDelivered([...old.emails, ...newTraffic.emails]);

  const lastTraffic = startTraffic(after);
  await lastTraffic.more(20);
  expect(await before.end('SIGTERM')).toBe(0);
  await lastTraffic.more(50);
  await lastTraffic.stop();
  expect(lastTraffic.bad).toEqual([]);
});
