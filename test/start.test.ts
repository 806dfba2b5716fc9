import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findRunningUrl } from '../src/db/embedded/embedded.ts';
import { cleanUp, createTestFolder } from './harness/cleanup.ts';
import { createDatabase, createSeededDatabase } from './harness/database.ts';
import { startProcess } from './harness/process.ts';
import { SECRET_KEY } from './harness/tenant.ts';
import { until } from './harness/wait.ts';

/** Settings with a provisioned database. Starting the embedded server and provisioning would dominate the run time. */
async function createEnv(): Promise<Record<string, string>> {
  const database = await createSeededDatabase();
  cleanUp(() => database.drop());
  return { DATABASE_URL: database.url, SECRET_KEY, DATA_DIR: createTestFolder() };
}

const startFailing = (env: Record<string, string>) =>
  new Promise<{ code: number | null; output: string }>((resolve) => {
    const child = spawn(process.execPath, ['boot/main.mjs'], {
      env: { ...process.env, LOG_LEVEL: 'warn', ...env },
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (data) => {
        output += data;
      });
    }
    child.on('close', (code) => resolve({ code, output }));
  });

test('exits with one line if the port is in use, and shows the keys on the next start', async () => {
  const dir = createTestFolder();
  const squatter = createServer().listen(0, '127.0.0.1');
  cleanUp(() => squatter.close());
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const { code, output } = await startFailing({ DATA_DIR: dir, PORT: String(port) });
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toEqual([expect.stringContaining(String(port))]);
  expect(await findRunningUrl(dir)).toBeNull();
  const app = await startProcess({ DATA_DIR: dir });
  cleanUp(() => app.end('SIGTERM'));
  expect(app.output()).toMatch(/us_[0-9a-z]{10}_[0-9a-f]{32}/);
  expect(app.output()).toMatch(new RegExp(`^    export ATRIUM_URL=${app.url}$`, 'm'));
  expect(app.output()).toContain(`${app.url}/doc\n`);
});

test('names the setting if the SMTP submission port is in use, and announces no port', async () => {
  const squatter = createServer().listen(0, '127.0.0.1');
  cleanUp(() => squatter.close());
  await once(squatter, 'listening');
  const { port } = squatter.address() as AddressInfo;
  const settings = { ...(await createEnv()), PORT: '0', SMTP_SUBMISSION_PORT: String(port) };
  const { code, output } = await startFailing(settings);
  expect(code).toBe(1);
  expect(output.trim()).toBe(
    `Atrium could not start: port ${port} of 127.0.0.1 is already in use. Set SMTP_SUBMISSION_PORT to another port.`,
  );
});

test('reports every configuration error in one line and starts nothing', async () => {
  const dir = join(createTestFolder(), 'data');
  const { code, output } = await startFailing({
    DATA_DIR: dir,
    PORT: 'abc',
    ROLE: 'boss',
    MAIL_TRANSPORT: 'ses',
  });
  expect(code).toBe(1);
  expect(
    output
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(['PORT', 'ROLE', 'AWS_REGION']);
  expect(existsSync(dir)).toBe(false);
});

test('reports an unreachable database in one line', async () => {
  const { code, output } = await startFailing({
    DATA_DIR: createTestFolder(),
    DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/nothing',
  });
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toEqual([expect.stringContaining('database')]);
});

test('creates the database only once if two processes start concurrently', async () => {
  const database = await createDatabase();
  cleanUp(() => database.drop());
  const env = { DATABASE_URL: database.url, SECRET_KEY: 'one key for both of the processes here' };
  const [web, worker] = await Promise.all([
    startProcess({ ...env, DATA_DIR: createTestFolder(), ROLE: 'web' }),
    startProcess({ ...env, DATA_DIR: createTestFolder(), ROLE: 'worker' }),
  ]);
  cleanUp(() => Promise.all([web.end('SIGTERM'), worker.end('SIGTERM')]));
  const key = /us_[0-9a-z]{10}_[0-9a-f]{32}/.exec(web.output() + worker.output())![0];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ from: 'a@main.localhost', to: 'b@example.org', subject: 's', text: 't' });
  const { emailId } = (await (
    await fetch(`${web.url}/api/v1/emails`, { method: 'POST', headers, body })
  ).json()) as { emailId: string };
  expect((await fetch(`${worker.url}/api/v1/emails`, { headers })).status).toBe(404);
  const readStatus = async () =>
    (
      (await (await fetch(`${web.url}/api/v1/emails/${emailId}`, { headers })).json()) as {
        latestStatus: string;
      }
    ).latestStatus;
  await expect.poll(readStatus).toBe('DELIVERED');
});

test('logs a request with the id from the response, but without the query string', async () => {
  const app = await startProcess({ ...(await createEnv()), LOG_LEVEL: 'info' });
  cleanUp(() => app.end('SIGTERM'));
  const response = await fetch(`${app.url}/login?next=/secret`);
  const id = response.headers.get('x-request-id')!;
  const find = () =>
    app
      .output()
      .split('\n')
      .find((text) => text.includes(id));
  await expect.poll(find).toBeDefined();
  const line = find()!;
  expect(JSON.parse(line)).toMatchObject({
    requestId: id,
    facade: 'web',
    method: 'GET',
    path: '/login',
    status: 200,
  });
  expect(app.output()).not.toContain('/secret');
  expect((await fetch(`${app.url}/api/health`)).headers.get('x-request-id')).toBeTruthy();
  for (const path of ['/jsonrpc', '/xmlrpc/2/object', '/nowhere', '/mcp']) {
    expect((await fetch(app.url + path)).headers.get('x-request-id'), path).toBeTruthy();
  }
  const headers = { 'x-request-id': 'my-own-request-id' };
  expect((await fetch(`${app.url}/api/health`, { headers })).headers.get('x-request-id')).toBe(
    'my-own-request-id',
  );
  expect(await (await fetch(`${app.url}/metrics`)).text()).toContain(
    'atrium_request_seconds_count{facade="web",status="200"} 1',
  );
});

test('does not start with a secret key that differs from the key of the database', async () => {
  const settings = { ...(await createEnv()), ROLE: 'web', PORT: '0' };
  const app = await startProcess(settings);
  cleanUp(() => app.end('SIGTERM'));
  const { code, output } = await startFailing({
    ...settings,
    SECRET_KEY: 'another secret key, and just as long',
  });
  expect(code).toBe(1);
  expect(output.trim().split('\n')).toEqual([expect.stringContaining('SECRET_KEY')]);
});

test('logs an unhandled rejection and keeps running', async () => {
  const rejectOnSignal = "process.on('SIGUSR2', () => { Promise.reject(new Error('nobody waits')); });";
  const app = await startProcess({
    ...(await createEnv()),
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(rejectOnSignal)}`,
  });
  cleanUp(() => app.end('SIGKILL'));
  app.child.kill('SIGUSR2');
  await until(
    () => /unhandled rejection.*nobody waits|nobody waits.*unhandled rejection/.test(app.output()),
    'it is logged',
  );
  expect((await fetch(`${app.url}/api/health`)).status).toBe(200);
});

test('stops when the terminal closes', async () => {
  const dir = createTestFolder();
  const app = await startProcess({ DATA_DIR: dir });
  expect(await app.end('SIGHUP')).toBe(0);
  expect(await findRunningUrl(dir)).toBeNull();
});

test('is not ready after SIGTERM, but responds until the drain time ends or a second signal arrives', async () => {
  const app = await startProcess({ ...(await createEnv()), DRAIN_SECONDS: '300' });
  const readReadiness = async () => {
    const response = await fetch(`${app.url}/api/ready`);
    return { code: response.status, ...((await response.json()) as { status: string }) };
  };
  await expect.poll(readReadiness).toMatchObject({ code: 200, status: 'ready', notifications: true });
  app.child.kill('SIGTERM');
  await expect.poll(readReadiness).toMatchObject({ code: 503, status: 'draining', database: true });
  const result = await fetch(`${app.url}/login`);
  expect(result.status).toBe(200);
  expect(result.headers.get('connection')).toBe('close');
  expect(await app.end('SIGTERM')).toBe(0);
});

test('does not wait for a load balancer after Ctrl-C', async () => {
  const app = await startProcess({ ...(await createEnv()), DRAIN_SECONDS: '300' });
  expect(await app.end('SIGINT')).toBe(0);
});
