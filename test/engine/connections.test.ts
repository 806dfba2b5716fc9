import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openDatabase } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { createLog } from '../../src/log.ts';
import { freshDatabase } from '../harness/database.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase(database.url, createLog('fatal', 2), { size: 4 });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const listeners = () =>
  db.rows<{ pid: number }>(
    sql`select pid from pg_stat_activity where datname = current_database() and application_name = 'atrium listener'`,
  );

test('a connection that cannot listen is ended, and the next one is told everything once', async () => {
  await expect(db.listen('no channel', () => undefined)).rejects.toThrow(/syntax error/);
  await expect.poll(listeners).toEqual([]);
  const changes: boolean[] = [];
  const told: string[] = [];
  db.onListening((up) => changes.push(up));
  await Promise.all([
    db.listen('one', (p) => told.push(`one ${p}`)),
    db.listen('two', (p) => told.push(`two ${p}`)),
  ]);
  expect(await listeners()).toHaveLength(1);
  await db.notify('one', 'a');
  await db.notify('two', 'b');
  await expect.poll(() => told).toEqual(['one a', 'two b']);
  expect(changes).toEqual([true]);
});

test('a connection that is lost comes back by itself, once', async () => {
  const told: string[] = [];
  const changes: boolean[] = [];
  await db.listen('three', (payload) => told.push(payload));
  db.onListening((up) => changes.push(up));
  const [{ pid }] = (await listeners()) as [{ pid: number }];
  await db.rows(sql`select pg_terminate_backend(${pid})`);
  await expect.poll(() => changes).toEqual([false, true]);
  await expect.poll(listeners).toHaveLength(1);
  await db.notify('three', 'again');
  await expect.poll(() => told).toEqual(['again']);
});

test('a connection that changes hands is never without one who hears its errors', async () => {
  const heard = await new Promise<number>((resolve, reject) => {
    db.pool.connect((error, client, release) => {
      if (error || !client) return reject(error);
      resolve(client.listenerCount('error'));
      release();
    });
  });
  expect(heard).toBeGreaterThan(0);
});
