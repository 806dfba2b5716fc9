import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Database, openDatabase } from '../../src/db/pool.ts';
import { sql } from '../../src/db/sql.ts';
import { createLog } from '../../src/log.ts';
import { freshDatabase } from '../harness/database.ts';

let database: Awaited<ReturnType<typeof freshDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await freshDatabase();
  db = openDatabase(database.url, createLog('fatal', 2), { size: 1 });
  await db.rows(sql`create table tally (n int primary key)`);
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const add = (n: number) => sql`insert into tally (n) values (${n}) returning n`;
const kept = async () =>
  (await db.rows<{ n: number }>(sql`select n from tally order by n`)).map(({ n }) => n);

test('what a transaction asks in one turn is answered in order, in one round trip with its begin', async () => {
  // Prepared after some rounds.
  for (let round = 0; round < 12; round++) {
    await db.rows(sql`delete from tally`);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const answers = await db.transaction((tx) =>
      Promise.all([
        tx.rows(add(2)),
        tx.rows(add(1)),
        tx.rows(sql`select count(*)::int as n from tally where n < ${9}`),
      ]),
    );
    expect(query.mock.calls).toHaveLength(2);
    query.mockRestore();
    expect(answers).toEqual([[{ n: 2 }], [{ n: 1 }], [{ n: 2 }]]);
    expect(await kept()).toEqual([1, 2]);
  }
});

test('one that fails fails all of its turn, nothing stays, and the connection is as before', async () => {
  await db.rows(sql`delete from tally`);
  for (const last of [4, 5]) {
    const asked = db.transaction(async (tx) => {
      await tx.rows(add(3));
      const turn = [tx.rows(add(last)), tx.rows(add(3)), tx.rows(add(6))];
      const ends = await Promise.allSettled(turn);
      expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
      await Promise.all(turn);
    });
    await expect(asked).rejects.toMatchObject({ code: '23505' });
    await expect(
      db.transaction((tx) => Promise.all([tx.rows(sql`select ${1} / ${0}::int`), tx.rows(add(7))])),
    ).rejects.toMatchObject({ code: '22012' });
    expect(await kept()).toEqual([]);
  }
  await db.transaction(async (tx) => {
    await Promise.all([tx.rows(sql`select 1; select 2`), tx.rows(add(8))]);
  });
  await db.transaction(async () => undefined);
  expect(await kept()).toEqual([8]);
});

test('a transaction that says it has finished is committed with its last turn', async () => {
  await db.rows(sql`delete from tally`);
  const query = vi.spyOn(pg.Client.prototype, 'query');
  const hooks: string[] = [];
  const answer = await db.transaction(async (tx) => {
    const [, [row]] = await Promise.all([tx.rows(add(1)), tx.rows<{ n: number }>(add(2)), tx.finish()]);
    tx.afterCommit(() => hooks.push('committed'));
    return row;
  });
  expect(query.mock.calls).toHaveLength(1);
  query.mockRestore();
  expect(answer).toEqual({ n: 2 });
  expect(hooks).toEqual(['committed']);
  expect(await kept()).toEqual([1, 2]);
});

test('what fails in the last turn undoes all of it, and nothing can follow that turn', async () => {
  await db.rows(sql`delete from tally`);
  const failing = db.transaction(async (tx) => {
    await tx.rows(add(1));
    await Promise.all([tx.rows(add(2)), tx.rows(add(1)), tx.finish()]);
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await kept()).toEqual([]);
  const following = db.transaction(async (tx) => {
    await Promise.all([tx.rows(add(3)), tx.finish()]);
    await tx.rows(add(4));
  });
  await expect(following).rejects.toThrow('the transaction has been finished');
  expect(await kept()).toEqual([3]);
});

test('a transaction within another does not end it', async () => {
  await db.rows(sql`delete from tally`);
  const failing = db.transaction(async (tx) => {
    await tx.transaction((inner) => Promise.all([inner.rows(add(1)), inner.finish()]));
    await tx.rows(add(1));
  });
  await expect(failing).rejects.toMatchObject({ code: '23505' });
  expect(await kept()).toEqual([]);
  // With nothing asked in the turn there is nothing that the commit could go with.
  await db.transaction(async (tx) => {
    await tx.rows(add(5));
    tx.finish();
  });
  expect(await kept()).toEqual([5]);
});

test.each([[true], [false]])(
  'what a refused commit undoes is not taken for committed (finished: %s)',
  async (isLast) => {
    await db.rows(sql`create table if not exists late (n int unique deferrable initially deferred)`);
    const hooks: number[] = [];
    const fill = (n: number) =>
      db.transaction(async (tx) => {
        tx.afterCommit(() => hooks.push(n));
        const asked = tx.rows(sql`insert into late (n) values (${1}) returning n`);
        if (isLast) tx.finish();
        await asked;
      });
    await db.rows(sql`delete from late`);
    await fill(1);
    await expect(fill(2)).rejects.toMatchObject({ code: '23505' });
    expect(hooks).toEqual([1]);
  },
);

test.each([[true], [false]])(
  'a commit whose answer is lost may have been made (finished: %s)',
  async (isLast) => {
    await db.rows(sql`create table if not exists late (n int unique deferrable initially deferred)`);
    await db.rows(sql`create or replace function hang_up() returns trigger language plpgsql as
    $$begin perform pg_terminate_backend(pg_backend_pid()); return null; end$$`);
    await db.rows(sql`create constraint trigger hang_up after insert on late initially deferred
    for each row execute function hang_up()`);
    const hooks: string[] = [];
    const cut = db.transaction(async (tx) => {
      tx.afterCommit(() => hooks.push('perhaps'));
      const asked = tx.rows(sql`insert into late (n) values (${9}) returning n`);
      if (isLast) tx.finish();
      await asked;
    });
    await expect(cut).rejects.toThrow();
    expect(hooks).toEqual(['perhaps']);
    await db.rows(sql`drop table late`);
  },
);
