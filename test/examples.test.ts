import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPython } from './clients/python.ts';
import { post } from './harness/app.ts';
import { copyTree } from './harness/copied-tree.ts';
import { createBareDatabase, createDatabase } from './harness/database.ts';
import { json2 } from './harness/facades/json2.ts';
import { type AppProcess, startProcess } from './harness/process.ts';

const run = promisify(execFile);
const python = await findPython('json', 'python3');

let app: AppProcess;
let keys: Keys;
const cleanups: (() => unknown)[] = [];

beforeAll(async () => {
  const database = await createDatabase();
  cleanups.push(() => database.drop());
  app = await startServer({ DATABASE_URL: database.url, WEBHOOK_ALLOW_PRIVATE: '1' });
  keys = parseKeys(app.output());
});
afterAll(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});

test('send.ts sends an email and reads its status', async () => {
  const { stdout } = await run(process.execPath, ['examples/send.ts', 'you@example.org'], {
    env: buildEnv(),
  });
  expect(stdout).toMatch(/^accepted [a-z0-9]{20,}\nstate (QUEUED|SENDING|SENT) [A-Z]+\n$/);
});

test('webhook-receiver.ts prints the events of an email, and rejects an unsigned call', async () => {
  const secret = `whsec_${'1'.repeat(64)}`;
  const receiver = spawn(process.execPath, ['examples/webhook-receiver.ts'], {
    env: { ...process.env, WEBHOOK_SECRET: secret, RECEIVER_PORT: '0' },
  });
  cleanups.push(() => receiver.kill());
  const output = collectOutput(receiver);
  await expect.poll(output).toContain('listening on');
  const url = /http:\S+/.exec(output())![0];
  const webhook = `mutation { webhookCreate(url: "${url}/hook", secret: "${secret}") { id secret } }`;
  expect((await post(`${app.url}/graphql`, { query: webhook }, keys.USER_KEY)).json().errors).toBeUndefined();
  const body = { from: 'hello@main.localhost', to: 'ann@example.org', subject: 'Signed', text: 'x' };
  await post(`${app.url}/api/v1/emails`, body, keys.TEAM_KEY);
  await expect.poll(output).toMatch(/^email\.delivered .*"subject":"Signed"/m);
  const forged = await post(`${url}/hook`, { id: 'call_1', type: 'email.delivered', data: {} });
  expect(forged.status).toBe(400);
});

python.describe('with Python', () => {
  test('contacts.py lists the companies page by page and creates one only once', async () => {
    const companies = Array.from({ length: 25 }, (_, i) => ({ name: `Example ${i}`, is_company: true }));
    await json2(app, 'res.partner/create', { vals_list: companies }, keys.USER_KEY);
    const { stdout } = await run(python.module, ['examples/contacts.py', 'Added'], { env: buildEnv() });
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => / Example \d+ -$/.test(line))).toHaveLength(25);
    expect(lines.at(-1)).toMatch(/^created \d+ once$/);
  });
});

test('provides the fleet app through every facade when copied into apps/', async () => {
  const tree = copyTree();
  cleanups.push(() => tree.remove());
  cpSync(join(tree.root, 'examples/fleet'), join(tree.root, 'apps/fleet'), { recursive: true });
  const index = join(tree.root, 'apps/index.ts');
  const listed = readFileSync(index, 'utf8')
    .replace('import { helpdesk }', "import fleet from './fleet/app.ts';\nimport { helpdesk }")
    .replace('];', ', fleet];');
  writeFileSync(index, listed);
  expect(await tree.node('src/db/migrations/new-migration.ts', ['fleet'])).toMatch(/wrote .*_fleet/);
  await tree.node('scripts/setup.mjs', ['--no-install']);
  const database = await createBareDatabase();
  cleanups.push(() => database.drop());
  const server = await startServer({ DATABASE_URL: database.url }, tree.root);
  await useFleet(server);
});

test('provides the fleet app through every facade from APPS_DIR without changing the product', async () => {
  const tree = copyTree();
  cleanups.push(() => tree.remove());
  const apps = mkdtempSync(join(tmpdir(), 'atrium-apps-'));
  cleanups.push(() => rmSync(apps, { recursive: true, force: true }));
  cpSync(join(tree.root, 'examples/fleet'), join(apps, 'fleet'), { recursive: true });
  const before = readSchemas(tree.root);
  const env = { APPS_DIR: apps, SECRET_KEY: 'of both starts of this installation' };
  const wrote = await tree.node('src/db/migrations/new-migration.ts', ['fleet', '--app', 'fleet'], env);
  await tree.node('scripts/setup.mjs', ['--no-install'], env);
  expect(wrote).toContain(`wrote ${join(apps, 'fleet', 'migrations')}`);
  expect(readSchemas(tree.root)).toBe(before);
  const database = await createBareDatabase();
  cleanups.push(() => database.drop());
  const server = await startServer({ DATABASE_URL: database.url, ...env }, tree.root);
  const { USER_KEY } = parseKeys(server.output());
  await useFleet(server);
  await server.end('SIGTERM');

  // Without the app in APPS_DIR the platform works, and the app does not exist.
  await tree.node('scripts/setup.mjs', ['--no-install'], { APPS_DIR: '' });
  const without = await startServer({ DATABASE_URL: database.url, ...env, APPS_DIR: '' }, tree.root);
  const response = await json2(without, 'fleet.vehicle/search', { domain: [] }, USER_KEY);
  expect(response.status).toBe(404);
  const people = await json2(without, 'res.partner/search_count', { domain: [] }, USER_KEY);
  expect(people.json()).toBeGreaterThan(0);
});

test('refuses to start with an invalid app in APPS_DIR, and names the app', async () => {
  const apps = mkdtempSync(join(tmpdir(), 'atrium-apps-'));
  cleanups.push(() => rmSync(apps, { recursive: true, force: true }));
  const runServer = () =>
    run(process.execPath, ['boot/main.mjs'], { env: { ...process.env, APPS_DIR: apps, PORT: '0' } }).catch(
      ({ code, stderr, stdout }) => `${code} ${stdout}${stderr}`,
    );
  expect(await runServer()).toContain('APPS_DIR contains no app');
  mkdirSync(join(apps, 'fleet'));
  const declare = (text: string) => writeFileSync(join(apps, 'fleet', 'app.ts'), text);
  declare(
    `import { defineApp } from 'atrium/app';\nexport default defineApp({ name: 'fleet', models: [] } as never);`,
  );
  expect(await runServer()).toContain(
    'invalid app fleet in APPS_DIR: it is written for surface none of Atrium, and this version has 1',
  );
  declare(`import { nothing } from 'atrium/app';`);
  expect(await runServer()).toContain('failed to load the app fleet in APPS_DIR');
});

async function useFleet(server: AppProcess): Promise<void> {
  const { USER_KEY } = parseKeys(server.output());
  const call = async (method: string, args: object) =>
    (await json2(server, `fleet.vehicle/${method}`, args, USER_KEY)).json();
  const [id] = await call('create', { vals_list: [{ name: 'Van', plate: 'AB 123' }] });
  const query = `mutation { fleetVehicleRetire(ids: [${id}]) }`;
  expect((await post(`${server.url}/graphql`, { query }, USER_KEY)).json()).toEqual({
    data: { fleetVehicleRetire: true },
  });
  expect(await call('read', { ids: [id], fields: ['status', 'retired_on', 'active'] })).toEqual([
    { id, status: 'retired', retired_on: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), active: false },
  ]);
  const response = await call('write', { ids: [id], vals: { odometer: -1 } });
  expect(response.message).toContain('An odometer cannot show less than 0.');
}

const readSchemas = (root: string): string =>
  globSync('{prisma/schema,apps/*}/*.prisma', { cwd: root })
    .sort()
    .map((path) => readFileSync(join(root, path), 'utf8'))
    .join();

interface Keys {
  ATRIUM_URL: string;
  USER_KEY: string;
  TEAM_KEY: string;
}

const buildEnv = () => ({ ...process.env, ...keys });

const parseKeys = (output: string): Keys =>
  Object.fromEntries(
    [...output.matchAll(/export (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  ) as unknown as Keys;

async function startServer(env: Record<string, string>, root?: string): Promise<AppProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-example-'));
  cleanups.push(() => rmSync(dataDir, { recursive: true, force: true }));
  const server = await startProcess({ DATA_DIR: dataDir, ...env }, root);
  cleanups.push(() => server.end('SIGTERM'));
  return server;
}

function collectOutput(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (data) => {
      output += data;
    });
  return () => output;
}
