import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type EmbeddedServer,
  findRunningUrl,
  lockDataDir,
  startEmbedded,
} from '../src/db/embedded/embedded.ts';
import { readPostmaster } from '../src/db/embedded/postmaster.ts';
import { cleanUp, createTestFolder } from './harness/cleanup.ts';
import { startProcess } from './harness/process.ts';

const module = new URL('../src/db/embedded/embedded.ts', import.meta.url).href;
const prepared = mkdtempSync(join(tmpdir(), 'atrium prepared '));
let home = '';
let dataDir = '';

beforeAll(async () => {
  await (await startEmbedded(prepared, { fsync: false })).stop();
});

afterAll(() => rmSync(prepared, { recursive: true, force: true }));

beforeEach(() => {
  home = createTestFolder();
  dataDir = join(home, 'data dir');
});

/** Starts on a copy of an initialized data directory, because creating one takes a second. */
async function start(): Promise<EmbeddedServer> {
  if (!existsSync(dataDir)) cpSync(prepared, dataDir, { recursive: true });
  return startHere();
}

async function startHere(): Promise<EmbeddedServer> {
  const server = await startEmbedded(dataDir, { fsync: false });
  cleanUp(server.stop);
  return server;
}

async function queryUrl(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Runs `code` in another process, with the module under test as `m`, and waits for a line of output. */
async function startOther(code: string): Promise<{ child: ChildProcess; line: string }> {
  if (!existsSync(dataDir)) cpSync(prepared, dataDir, { recursive: true });
  const script = `const m = await import(${JSON.stringify(module)}); const dir = ${JSON.stringify(dataDir)}; ${code}`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  cleanUp(() => child.kill('SIGKILL'));
  const failed = once(child, 'exit').then(([code]) => {
    throw new Error(`the other process ended with ${code}`);
  });
  const [chunk] = await Promise.race([once(child.stdout!, 'data'), failed]);
  failed.catch(() => undefined);
  return { child, line: String(chunk).trim() };
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const hold = 'process.stdin.resume();';
const startThere = `const s = await m.startEmbedded(dir, { fsync: false }); console.log(s.url); ${hold}`;

test('creates a database on loopback once, with a password readable only by the owner', async () => {
  const server = await startHere();
  expect(server.owned).toBe(true);
  expect(new URL(server.url)).toMatchObject({ hostname: '127.0.0.1', pathname: '/atrium' });
  const [setting] = await queryUrl(
    server.url,
    `SELECT current_setting('server_version_num')::int / 10000 AS version, current_setting('server_encoding') AS encoding,
       current_setting('listen_addresses') AS addresses, current_setting('unix_socket_directories') AS sockets,
       lower('ÄÉ') AS lowered`,
  );
  expect(setting).toEqual({
    version: 18,
    encoding: 'UTF8',
    addresses: '127.0.0.1',
    sockets: '',
    lowered: 'äé',
  });
  expect(statSync(join(dataDir, 'postgres.json')).mode & 0o777).toBe(0o600);
  const guessedUrl = new URL(server.url);
  guessedUrl.password = 'guess';
  await expect(queryUrl(guessedUrl.href, 'SELECT 1')).rejects.toThrow(/password authentication failed/);
});

test('keeps data durable unless a test disables it', async () => {
  const server = await startEmbedded(dataDir);
  cleanUp(server.stop);
  const [setting] = await queryUrl(
    server.url,
    `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
       current_setting('full_page_writes') AS pages`,
  );
  expect(setting).toEqual({ fsync: 'on', commit: 'on', pages: 'on' });
});

test('reuses the data and the port on a second start', async () => {
  const first = await start();
  await queryUrl(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await first.stop();
  expect(await findRunningUrl(dataDir)).toBeNull();
  await expect(queryUrl(first.url, 'SELECT 1')).rejects.toThrow();
  const second = await start();
  expect(second.url).toBe(first.url);
  expect(await queryUrl(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('adopts and later stops the server of a killed app', async () => {
  const { child, line } = await startOther(startThere);
  await kill(child);
  expect(await findRunningUrl(dataDir)).toBe(line);
  const adoptedServer = await start();
  expect(adoptedServer).toMatchObject({ url: line, owned: true });
  await adoptedServer.stop();
  expect(await findRunningUrl(dataDir)).toBeNull();
});

test('keeps the server of a running app when a command exits', async () => {
  const { child, line } = await startOther(startThere);
  const visitor = await start();
  expect(visitor).toMatchObject({ url: line, owned: false });
  await visitor.stop();
  expect(await findRunningUrl(dataDir)).toBe(line);
  await kill(child);
  await (await start()).stop();
});

test('shares one database server among processes that start concurrently', async () => {
  const [other, ownServer] = await Promise.all([startOther(startThere), start()]);
  expect(other.line).toBe(ownServer.url);
  await kill(other.child);
});

test('restarts a killed server despite its stale pid file', async () => {
  const first = await start();
  await queryUrl(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  process.kill(first.pid, 'SIGKILL');
  const second = await start();
  expect(second.pid).not.toBe(first.pid);
  expect(await queryUrl(second.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
});

test('ignores a pid file that names a process of another program', async () => {
  const first = await start();
  const pidFile = join(dataDir, 'postgres', 'postmaster.pid');
  await first.stop();
  writeFileSync(
    pidFile,
    `${process.pid}\n${dataDir}/postgres\n1\n${new URL(first.url).port}\n\n127.0.0.1\n\nready\n`,
  );
  expect(await findRunningUrl(dataDir)).toBeNull();
  const second = await start();
  expect(second.pid).not.toBe(process.pid);
});

test('chooses and keeps another port if the previous one is in use', async () => {
  const first = await start();
  await first.stop();
  const { child } = await startOther(
    `const net = await import('node:net'); const port = ${new URL(first.url).port};
     const taken = () => console.log('taken');
     net.createServer().on('error', taken).listen(port, '127.0.0.1', taken);
     ${hold}`,
  );
  const second = await start();
  expect(new URL(second.url).port).not.toBe(new URL(first.url).port);
  await second.stop();
  await kill(child);
  expect((await start()).url).toBe(second.url);
});

test('includes the last log lines in the error if it cannot start', async () => {
  await (await start()).stop();
  writeFileSync(join(dataDir, 'postgres', 'postgresql.conf'), 'nonsense = on\n');
  await expect(start()).rejects.toThrow(
    /did not start:\n(.*\n)*.*unrecognized configuration parameter "nonsense"/,
  );
});

test('rejects a second app server on the same data directory with a one-line error', () => {
  const release = lockDataDir(dataDir);
  expect(() => lockDataDir(dataDir)).toThrow(
    `Another Atrium server (process ${process.pid}) is already using ${dataDir}: stop it, or set DATA_DIR. ` +
      'For several processes on one database, give each the same DATABASE_URL.',
  );
  release();
  release();
  lockDataDir(dataDir)();
});

test('takes over the lock of a killed app server, even if its pid is reused', async () => {
  const { child } = await startOther(`m.lockDataDir(dir); console.log('locked'); ${hold}`);
  expect(() => lockDataDir(dataDir)).toThrow(`process ${child.pid}`);
  await kill(child);
  lockDataDir(dataDir)();
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'server.lock'), JSON.stringify({ pid: process.pid, started: 'long ago' }));
  lockDataDir(dataDir)();
  expect(existsSync(join(dataDir, 'server.lock'))).toBe(false);
});

test('restarts a server that is killed while the app runs, without losing committed data', {
  tags: 'soak',
}, async () => {
  const app = await startProcess({ DATA_DIR: dataDir });
  cleanUp(() => app.end('SIGTERM'));
  const key = /us_[0-9a-z]{10}_[0-9a-f]{32}/.exec(app.output())![0];
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ from: 'a@main.localhost', to: 'b@example.org', subject: 's', text: 't' });
  const send = async () => {
    const response = await fetch(`${app.url}/api/v1/emails`, { method: 'POST', headers, body });
    expect(response.status).toBe(200);
    return ((await response.json()) as { emailId: string }).emailId;
  };
  const readStatus = async (id: string) =>
    ((await (await fetch(`${app.url}/api/v1/emails/${id}`, { headers })).json()) as { latestStatus: string })
      .latestStatus;
  const readReadiness = async () => (await fetch(`${app.url}/api/ready`)).status;
  await expect.poll(readReadiness).toBe(200);
  const before = await send();
  process.kill(readServerPid().pid, 'SIGKILL');
  await expect.poll(readReadiness).toBe(503);
  await expect.poll(readReadiness).toBe(200);
  const after = await send();
  for (const id of [before, after]) await expect.poll(() => readStatus(id)).toBe('DELIVERED');
  expect(app.output()).toContain('runs again');
  expect(await app.end('SIGTERM')).toBe(0);
  expect(await findRunningUrl(dataDir)).toBeNull();
});

test('stops the app with the reason if its server cannot be restarted', { tags: 'soak' }, async () => {
  const app = await startProcess({ DATA_DIR: dataDir });
  await expect.poll(() => isReady(app.url)).toBe(true);
  const exit = once(app.child, 'close');
  rmSync(join(dataDir, 'postgres', 'global', 'pg_control'));
  process.kill(readServerPid().pid, 'SIGKILL');
  expect((await exit)[0], app.output()).toBe(1);
  expect(app.output()).toMatch(
    /^Atrium stops: The embedded PostgreSQL was started 5 times .*postgres\.log\.$/m,
  );
});

test('does not create an empty database if the server and its files are gone', {
  tags: 'soak',
}, async () => {
  const app = await startProcess({ DATA_DIR: dataDir });
  await expect.poll(() => isReady(app.url)).toBe(true);
  const exit = once(app.child, 'close');
  const { pid } = readServerPid();
  renameSync(join(dataDir, 'postgres'), join(dataDir, 'gone'));
  process.kill(pid, 'SIGKILL');
  expect((await exit)[0]).toBe(1);
  expect(app.output()).toMatch(/^Atrium stops: The files of the embedded PostgreSQL in .* are gone\.$/m);
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
});

const isReady = async (url: string) => (await fetch(`${url}/api/ready`)).ok;

const readServerPid = () => readPostmaster(join(realpathSync(dataDir), 'postgres'))!;
