import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readPostmaster } from '../src/db/embedded/postmaster.ts';
import { type CopiedTree, copyTree } from './harness/copied-tree.ts';
import { until as untilWithin } from './harness/wait.ts';

let tree: CopiedTree;
let dev: StartedProcess;
let url = '';

interface StartedProcess {
  child: ChildProcess;
  output(): string;
}

const toTreePath = (path: string) => join(tree.root, path);

/** Starts `npm run dev` in its own process group, as a terminal does. */
function start(port: number): StartedProcess {
  const env = { ...process.env, NODE_ENV: 'development', DATA_DIR: toTreePath('.data'), PORT: String(port) };
  const child = spawn('npm', ['run', 'dev'], {
    cwd: tree.root,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data) => {
      output += data;
    });
  return { child, output: () => output };
}

/** Server starts and code generation are slow on a busy machine. */
const until = (check: () => unknown, label: string) => untilWithin(check, label, 250_000);

/** Replaces the file by renaming, as many editors do. */
function edit(path: string, from: string, to: string): void {
  const text = readFileSync(toTreePath(path), 'utf8');
  expect(text).toContain(from);
  writeFileSync(toTreePath(`${path}.new`), text.replace(from, to));
  renameSync(toTreePath(`${path}.new`), toTreePath(path));
}

const signalGroup = (signal: NodeJS.Signals | 0) => process.kill(-dev.child.pid!, signal);

const readHealth = async () => (await fetch(`${url}/api/health`)).text();

const readServerPid = () => JSON.parse(readFileSync(toTreePath('.data/server.lock'), 'utf8')).pid as number;

beforeAll(async () => {
  tree = copyTree();
  dev = start(0);
  const listens = /Atrium listens on (http:\S+)/;
  await until(() => dev.child.exitCode !== null || listens.test(dev.output()), 'it listens');
  url = listens.exec(dev.output())?.[1] ?? '';
  expect(url, dev.output()).not.toBe('');
});

afterAll(() => {
  if (dev.child.exitCode === null && dev.child.signalCode === null) signalGroup('SIGKILL');
  tree.remove();
});

test('serves the API and the browser application at one URL, and prints the password on the first start', async () => {
  expect(await readHealth()).toContain('Healthy');
  for (const path of ['/app', '/app/records/res.partner']) {
    const page = await fetch(url + path, { headers: { accept: 'text/html' } });
    expect(await page.text(), path).toContain('/app/@vite/client');
  }
  expect(dev.output()).toMatch(/^ {4}password {5}\S+$/m);
});

test('restarts the server after a change while requests wait', async () => {
  const database = readPostmaster(toTreePath('.data/postgres'))?.pid;
  const statuses = new Set<number>();
  edit('facades/watch/facade.ts', "data: 'Healthy'", "data: 'Changed'");
  await until(async () => {
    const response = await fetch(`${url}/api/health`);
    statuses.add(response.status);
    return (await response.text()).includes('Changed');
  }, 'the answer changes');
  expect([...statuses]).toEqual([200]);
  expect(readPostmaster(toTreePath('.data/postgres'))?.pid).toBe(database);
});

test('applies a component change in the browser without a reload or restart', async () => {
  const server = readServerPid();
  const component = 'web/src/ui/empty-state.tsx';
  const socket = new WebSocket(`${url.replace('http', 'ws')}/app/`, 'vite-hmr');
  const messages: string[] = [];
  socket.addEventListener('message', ({ data }) => messages.push(data));
  await until(
    () => messages.some((message) => message.includes('"connected"')),
    'Vite accepts the connection',
  );
  expect((await fetch(`${url}/app/src/ui/empty-state.tsx`)).status).toBe(200);
  edit(component, '<h2>{title}</h2>', '<h3>{title}</h3>');
  await until(() => messages.some((message) => message.includes('"update"')), 'an update arrives');
  expect(messages.filter((message) => message.includes('full-reload'))).toEqual([]);
  expect(messages.find((message) => message.includes('"update"'))).toContain('/src/ui/empty-state.tsx');
  socket.close();
  expect(readServerPid()).toBe(server);
});

test('generates the types of a changed operation', async () => {
  const server = readServerPid();
  edit('web/src/profile/profile.graphql', 'query ', 'query Renamed');
  const buildTypes = () => readFileSync(toTreePath('web/src/profile/generated.ts'), 'utf8');
  await until(() => buildTypes().includes('Renamed'), 'the types are written');
  expect(readServerPid()).toBe(server);
});

test('shows a syntax error, rejects requests, and restarts after the fix', async () => {
  edit('facades/watch/facade.ts', "data: 'Changed'", "data: = 'Changed'");
  await until(() => dev.output().includes('the next change restarts it'), 'the server ends');
  expect(dev.output()).toContain('SyntaxError');
  expect((await fetch(`${url}/api/health`)).status).toBe(503);
  edit('facades/watch/facade.ts', "data: = 'Changed'", "data: 'Mended'");
  await until(async () => (await readHealth()).includes('Mended'), 'the server answers again');
});

test('stops the server and the database on Ctrl-C', async () => {
  const pids = [readServerPid(), readPostmaster(toTreePath('.data/postgres'))!.pid];
  const exit = once(dev.child, 'exit');
  signalGroup('SIGINT');
  await exit;
  for (const pid of [...pids, -dev.child.pid!]) expect(() => process.kill(pid, 0), `${pid}`).toThrow('ESRCH');
});

test('reports in one line that the port is in use', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  dev = start(port);
  await once(dev.child, 'close');
  other.close();
  expect(dev.output()).toContain(
    `Atrium could not start: port ${port} of 127.0.0.1 is already in use. Set PORT to another port.`,
  );
  expect(dev.output()).not.toContain('    at ');
});
