import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { canAccessModel } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { nameSearch, read, search, searchCount, searchRead } from '../../src/engine/read/records.ts';
import { create, unlink, write } from '../../src/engine/write/write.ts';
import { setUp } from '../harness/set-up.ts';
import { getErrorKind, openLab } from './lab.ts';

const lab = setUp(openLab);
let user: Ctx;
let reader: Ctx;
let boss: Ctx;
beforeAll(async () => {
  user = lab.as({ userId: 1 });
  reader = lab.as({ userId: 2, groups: new Set(['lab.reader']) });
  boss = lab.as({ userId: 3, groups: new Set(['lab.user', 'lab.boss']) });
});

/**
 * 1 and 2 are the user's own records, 3 is a child of 1, 4 belongs to another user, 5 has too high a level, 6 is final.
 */
beforeEach(async () => {
  await lab.db.pool.query(`
    truncate lab_owned, lab_hidden;
    alter table lab_owned alter id restart with 100;
    insert into lab_hidden values (1, 1, 'hidden', 1);
    insert into lab_owned (workspace_id, id, name, owner, level, lab_id, hidden_id, parent_id) values
      (1, 1, 'mine', 1, 1, 1, 1, null), (1, 2, 'mine too', 1, 2, null, null, null), (1, 3, 'my child', 9, 3, null, null, 1),
      (1, 4, 'theirs', 9, 4, 4, null, null), (1, 5, 'mine, high', 1, 50, 5, null, null), (1, 6, 'final', 1, 1, null, null, null),
      (2, 1, 'elsewhere', 1, 1, null, null, null)`);
});

const searchOwned = (ctx: Ctx, domain: unknown = []) => search(ctx, 'lab.owned', domain, { order: 'id' });
const loadNames = async () =>
  (
    await lab.db.rows<{ name: string }>(sql`select name from lab_owned where workspace_id = 1 order by id`)
  ).map((row) => row.name);

describe('record rules', () => {
  test("require all global rules and at least one rule of the user's groups to match", async () => {
    expect(await searchOwned(user)).toEqual([1, 2, 3, 6]);
    expect(await searchOwned(reader)).toEqual([1, 2, 3, 4, 6]);
    expect(await searchOwned(boss)).toEqual([1, 2, 3, 4, 6]);
    expect(await searchOwned(user.system())).toEqual([1, 2, 3, 4, 5, 6]);
  });

  test('hide records from searches, counts, reads and name lookups', async () => {
    expect(await searchOwned(user, [['id', 'in', [1, 4, 5]]])).toEqual([1]);
    expect(await searchOwned(user, ['|', ['name', '=', 'theirs'], ['id', '=', 2]])).toEqual([2]);
    expect(await searchOwned(user, ['!', ['id', '=', 1]])).toEqual([2, 3, 6]);
    expect(await searchCount(user, 'lab.owned', [])).toBe(4);
    expect((await searchRead(user, { model: 'lab.owned', domain: [], fields: ['name'] })).count).toBe(4);
    expect(
      await nameSearch(user, {
        model: 'lab.owned',
        text: 'theirs',
        domain: [],
        operator: 'ilike',
        limit: null,
      }),
    ).toEqual([]);
  });

  test('apply to paths and sub-domains', async () => {
    await lab.db.pool.query(`update lab_owned set parent_id = 4 where workspace_id = 1 and id = 2`);
    expect(await searchOwned(user, [['parent_id.name', '=', 'theirs']])).toEqual([]);
    expect(await searchOwned(user, [['parent_id', 'any', [['level', '=', 4]]]])).toEqual([]);
    expect(await searchOwned(user, [['parent_id', 'ilike', 'their']])).toEqual([]);
    expect(await searchOwned(boss, [['parent_id.name', '=', 'theirs']])).toEqual([2]);
    expect(await searchOwned(user, [['parent_id', '=', 4]])).toEqual([2]);
    expect(await searchOwned(user, [['child_ids.name', '=', 'my child']])).toEqual([1]);
  });

  test('limit lists to accessible records', async () => {
    await lab.db.pool.query(
      `update lab_owned set parent_id = 1, level = 60 where workspace_id = 1 and id = 2`,
    );
    expect((await read(user, { model: 'lab.owned', ids: [1], fields: ['child_ids'] })).value()).toEqual([
      { id: 1, child_ids: [3] },
    ]);
  });

  test.each<[string, (ctx: Ctx) => Promise<unknown>]>([
    ['read', (ctx) => read(ctx, { model: 'lab.owned', ids: [1, 4], fields: ['name'] })],
    ['write', (ctx) => write(ctx, 'lab.owned', [1, 4], { name: 'changed' })],
    ['unlink', (ctx) => unlink(ctx, 'lab.owned', [1, 4])],
  ])(
    'reject %s of a hidden record by id with an access error, and change nothing',
    async (_operation, run) => {
      const before = await loadNames();
      expect(await getErrorKind(run(user))).toBe('ACCESS_ERROR');
      expect(await loadNames()).toEqual(before);
    },
  );

  test('name the operation and the model in the error, but no record', async () => {
    const reading = read(user, { model: 'lab.owned', ids: [4], fields: ['name'] });
    await expect(reading).rejects.toThrow(/'read' access.*\n- Owned record \(lab\.owned\)/s);
    await expect(reading).rejects.not.toThrow(/theirs/);
  });

  test('apply only to the operations they name', async () => {
    expect(await getErrorKind(read(user, { model: 'lab.owned', ids: [6], fields: ['name'] }))).toBe(
      'nothing',
    );
    expect(await getErrorKind(write(user, 'lab.owned', [6], { level: 2 }))).toBe('ACCESS_ERROR');
    expect(await getErrorKind(unlink(user, 'lab.owned', [6]))).toBe('ACCESS_ERROR');
  });

  test('reject creating a record that the rules exclude', async () => {
    const before = await loadNames();
    expect(
      await getErrorKind(
        create(user, 'lab.owned', [
          { name: 'x', owner: 1, level: 1 },
          { name: 'y', owner: 9, level: 1 },
        ]),
      ),
    ).toBe('ACCESS_ERROR');
    expect(await loadNames()).toEqual(before);
    expect(await getErrorKind(create(user, 'lab.owned', [{ name: 'x', owner: 1, level: 1 }]))).toBe(
      'nothing',
    );
  });

  test.each<[string, number[], Values]>([
    ["a rule of the user's groups", [2], { owner: 9 }],
    ['a global rule', [2], { level: 10 }],
    ['several rules together', [1, 2], { owner: 9, level: 10 }],
  ])('allow a write after which %s hides the record', async (_rule, ids, values) => {
    expect(await getErrorKind(write(user, 'lab.owned', ids, values))).toBe('nothing');
    const fields = Object.keys(values);
    expect((await read(user.system(), { model: 'lab.owned', ids, fields })).value()).toEqual(
      ids.map((id) => ({ id, ...values })),
    );
    expect(await searchOwned(user, [['id', 'in', ids]])).toEqual([]);
    for (const id of ids) {
      expect(await getErrorKind(read(user, { model: 'lab.owned', ids: [id], fields: ['name'] }))).toBe(
        'ACCESS_ERROR',
      );
      expect(await getErrorKind(write(user, 'lab.owned', [id], { owner: 1, level: 1 }))).toBe('ACCESS_ERROR');
      expect(await getErrorKind(unlink(user, 'lab.owned', [id]))).toBe('ACCESS_ERROR');
    }
  });

  test('allow a write that makes the record read-only for the user', async () => {
    expect(await getErrorKind(write(user, 'lab.owned', [2], { name: 'final' }))).toBe('nothing');
    expect((await read(user, { model: 'lab.owned', ids: [2], fields: ['name'] })).value()).toEqual([
      { id: 2, name: 'final' },
    ]);
    expect(await getErrorKind(write(user, 'lab.owned', [2], { name: 'mine too' }))).toBe('ACCESS_ERROR');
    expect(await getErrorKind(unlink(user, 'lab.owned', [2]))).toBe('ACCESS_ERROR');
  });

  test('report a missing record as missing instead of inaccessible', async () => {
    expect(await getErrorKind(write(user, 'lab.owned', [99], { level: 1 }))).toBe('MISSING');
    expect((await read(user, { model: 'lab.owned', ids: [99], fields: ['name'] })).count).toBe(0);
  });
});

describe('model access rights', () => {
  test('are granted by groups for each operation', async () => {
    const model = getModel(user, 'lab.owned');
    const may = (ctx: Ctx) =>
      (['read', 'write', 'create', 'unlink'] as const).filter((operation) =>
        canAccessModel(ctx, model, operation),
      );
    expect(may(user)).toEqual(['read', 'write', 'create', 'unlink']);
    expect(may(reader)).toEqual(['read']);
    expect(may(lab.as({ groups: new Set() }))).toEqual([]);
  });

  test('are checked before fields and records', async () => {
    expect(await getErrorKind(write(reader, 'lab.owned', [99], { nope: 1 }))).toBe('ACCESS_ERROR');
    expect(await getErrorKind(create(reader, 'lab.owned', [{ nope: 1 }]))).toBe('ACCESS_ERROR');
    expect(await getErrorKind(unlink(reader, 'lab.owned', [99]))).toBe('ACCESS_ERROR');
    expect(await getErrorKind(search(reader, 'lab', [['nope', '=', 1]]))).toBe('ACCESS_ERROR');
    await expect(write(reader, 'lab.owned', [1], {})).rejects.toThrow(
      /not allowed to modify 'Owned record' \(lab\.owned\).*\n\t- lab\.user/s,
    );
  });

  test('reject paths through a model without read access', async () => {
    for (const domain of [
      [['hidden_id.name', '=', 'hidden']],
      [['hidden_id', 'any', [['name', '=', 'hidden']]]],
      [['hidden_id', 'ilike', 'hid']],
    ]) {
      expect(await getErrorKind(searchOwned(user, domain))).toBe('ACCESS_ERROR');
      expect(await searchOwned(boss, domain)).toEqual([1]);
    }
    expect(await searchOwned(user, [['hidden_id', '=', 1]])).toEqual([1]);
  });
});

describe('field groups', () => {
  const readErrorKind = (ctx: Ctx, domain: unknown) => getErrorKind(search(ctx, 'lab', domain));

  test('exclude the field from reads and writes', async () => {
    expect(await getErrorKind(read(lab.ctx, { model: 'lab', ids: [1], fields: ['boss_note'] }))).toBe(
      'ACCESS_ERROR',
    );
    expect(await getErrorKind(write(lab.ctx, 'lab', [1], { boss_note: 'x' }))).toBe('ACCESS_ERROR');
    expect(await getErrorKind(create(lab.ctx, 'lab', [{ boss_note: 'x' }]))).toBe('ACCESS_ERROR');
    expect(
      (await read(lab.ctx, { model: 'lab', ids: [1], fields: null })).value<object[]>()[0],
    ).not.toHaveProperty('boss_note');
    expect((await read(boss, { model: 'lab', ids: [1], fields: ['boss_note'] })).value()).toEqual([
      { id: 1, boss_note: 'good' },
    ]);
  });

  test('exclude the field from domains and sort orders', async () => {
    expect(await readErrorKind(lab.ctx, [['boss_note', '=', 'good']])).toBe('ACCESS_ERROR');
    expect(await readErrorKind(lab.ctx, [['parent_id.boss_note', 'ilike', 'g']])).toBe('ACCESS_ERROR');
    expect(await getErrorKind(search(lab.ctx, 'lab', [], { order: 'boss_note' }))).toBe('ACCESS_ERROR');
    expect(await readErrorKind(boss, [['boss_note', '=', 'good']])).toBe('nothing');
    expect(await getErrorKind(search(boss, 'lab', [], { order: 'boss_note' }))).toBe('nothing');
  });
});
