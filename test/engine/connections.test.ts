import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_CURSORS_PER_USER } from '../../src/db/cursor.ts';
import { type Database, openDatabase } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { createLog } from '../../src/log.ts';
import { createDatabase } from '../harness/database.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await createDatabase();
  db = openDatabase(database.url, createLog('fatal', 2), { size: 4 });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const loadListeners = () =>
  db.rows<{ pid: number }>(
    sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'atrium listener'`,
  );

test('closes a connection that cannot listen, and triggers one full invalidation on the next one', async () => {
  await expect(db.listen('no channel', () => undefined)).rejects.toThrow(/syntax error/);
  await expect.poll(loadListeners).toEqual([]);
  const changes: boolean[] = [];
  const notifications: string[] = [];
  db.onListening((up) => changes.push(up));
  await Promise.all([
    db.listen('one', (p) => notifications.push(`one ${p}`)),
    db.listen('two', (p) => notifications.push(`two ${p}`)),
  ]);
  expect(await loadListeners()).toHaveLength(1);
  await db.notify('one', 'a');
  await db.notify('two', 'b');
  await expect.poll(() => notifications).toEqual(['one a', 'two b']);
  expect(changes).toEqual([true]);
});

test('restores a lost connection once', async () => {
  const notifications: string[] = [];
  const changes: boolean[] = [];
  await db.listen('three', (payload) => notifications.push(payload));
  db.onListening((up) => changes.push(up));
  const [{ pid }] = (await loadListeners()) as [{ pid: number }];
  await db.rows(sql`select pg_terminate_backend(${pid})`);
  await expect.poll(() => changes).toEqual([false, true]);
  await expect.poll(loadListeners).toHaveLength(1);
  await db.notify('three', 'again');
  await expect.poll(() => notifications).toEqual(['again']);
});

test('replaces a connection that dies without an error', async () => {
  const line = await startLine(new URL(database.url));
  const { port } = line.server.address() as { port: number };
  const directUrl = Object.assign(new URL(database.url), { port }).href;
  const other = openDatabase(database.url, createLog('fatal', 2), { size: 2, directUrl, echoPause: 200 });
  const changes: boolean[] = [];
  const notifications: string[] = [];
  other.onListening((up) => changes.push(up));
  await other.listen('four', (payload) => notifications.push(payload));
  await expect.poll(() => changes).toEqual([true]);
  line.cut();
  await expect.poll(other.hears).toBe(false);
  await expect.poll(() => changes).toEqual([true, false, true]);
  await other.notify('four', 'heard');
  await expect.poll(() => notifications).toEqual(['heard']);
  await other.close();
  line.end();
});

test('fails a read and returns its connection if the connection is lost after the last row', async () => {
  const { hostname, port } = new URL(database.url);
  const proxy = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    client.pipe(upstream).on('error', () => undefined);
    client.on('error', () => undefined).on('close', () => upstream.destroy());
    upstream.on('data', (data) => {
      client.write(data);
      // The driver sends one more message, whose response completes the read.
      if (data.includes('SELECT 3')) client.once('data', () => client.destroy());
    });
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const { port: proxyPort } = proxy.address() as { port: number };
  const url = Object.assign(new URL(database.url), { port: proxyPort }).href;
  const other = openDatabase(url, createLog('fatal', 2), { size: 2, directUrl: database.url });
  for (let round = 0; round <= MAX_CURSORS_PER_USER; round++) {
    const cursor = (await other.forRequest(1).cursor(sql`select generate_series(1, 3)`))!;
    await expect(cursor.read(10)).rejects.toThrow(/cannot be reached/);
  }
  expect(other.pool.totalCount - other.pool.idleCount).toBe(0);
  await other.close();
  proxy.close();
});

test('keeps an error listener on a connection while it is handed over', async () => {
  const listenerCount = await new Promise<number>((resolve, reject) => {
    db.pool.connect((error, client, release) => {
      if (error || !client) return reject(error);
      resolve(client.listenerCount('error'));
      release();
    });
  });
  expect(listenerCount).toBeGreaterThan(0);
});

/** Starts a proxy to the database. Once it is cut, existing connections receive nothing, while new ones work. */
async function startLine({ hostname, port }: URL) {
  const open = new Set<[Socket, Socket]>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    open.add([client, upstream]);
    client.pipe(upstream).on('error', () => undefined);
    upstream.pipe(client).on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cutLine = () => {
    for (const [client, upstream] of open) upstream.unpipe(client).resume();
  };
  const end = () => {
    for (const pair of open) for (const socket of pair) socket.destroy();
    server.close();
  };
  return { server, cut: cutLine, end };
}
