import { beforeAll, describe, expect, test } from 'vitest';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { search } from '../../src/engine/read/records.ts';
import { AppError } from '../../src/errors.ts';
import { setUp } from '../harness/set-up.ts';
import { openLab } from './lab.ts';

const lab = setUp(openLab);
beforeAll(async () => {
  for (const workspace of [1, 2]) await lab.db.pool.query(buildInsert(workspace));
});

/**
 * 1 ─┬ 2 ─┬ 4        10 ─ 11      20 ⇄ 21 (a cycle)     30, alone
 *    │    └ 5 ─ 6
 *    └ 3 (archived) ─ 7
 * The head of 11 is 10, and the head of 10 is 30. Leaf n belongs to node n. By many2many, leaf 2 also belongs to 4 and
 * 11, and leaf 3 to 3.
 */
const buildInsert = (w: number): string => `
  insert into lab_node (workspace_id, id, name, active, parent_id, head_id, number) values
    (${w}, 1, 'root', true, null, null, 100), (${w}, 2, 'left', true, 1, null, 200), (${w}, 3, 'right', false, 1, null, null),
    (${w}, 4, 'secret leaf', true, 2, null, null), (${w}, 5, 'inner', true, 2, null, null), (${w}, 6, 'inmost', true, 5, null, null),
    (${w}, 7, 'below right', true, 3, null, null), (${w}, 10, 'root two', true, null, 30, null), (${w}, 11, '42', true, 10, 10, null),
    (${w}, 20, 'hen', true, 21, null, null), (${w}, 21, 'egg', true, 20, null, null), (${w}, 30, 'alone', true, null, null, null);
  insert into lab_leaf (workspace_id, id, name, node_id) select ${w}, n, 'leaf ' || n, case when n < 20 then n end from generate_series(1, 21) n
    where n in (1, 2, 3, 4, 5, 6, 7, 10, 11, 20);
  insert into lab_leaf_rel values (${w}, 2, 4), (${w}, 2, 11), (${w}, 3, 3);
`;

async function searchIds(model: string, domain: unknown[], ctx: Ctx = lab.ctx): Promise<number[] | string> {
  try {
    return await search(ctx, model, domain, { order: 'id' });
  } catch (error) {
    if (error instanceof AppError) return error.kind;
    throw error;
  }
}

describe('child_of and parent_of by id', () => {
  test.each<[unknown, number[]]>([
    [
      ['id', 'child_of', 2],
      [2, 4, 5, 6],
    ],
    [
      ['id', 'child_of', 1],
      [1, 2, 4, 5, 6, 7],
    ],
    [
      ['id', 'child_of', [5, 10]],
      [5, 6, 10, 11],
    ],
    [
      ['id', 'CHILD_OF', ['5', false]],
      [5, 6],
    ],
    [['id', 'child_of', 30], [30]],
    [['id', 'child_of', 999], []],
    [['id', 'child_of', 99999999999], []],
    [['id', 'child_of', 5.5], []],
    [['id', 'child_of', []], []],
    [['id', 'child_of', false], []],
    [['id', 'child_of', null], []],
    [
      ['id', 'child_of', 20],
      [20, 21],
    ],
    [
      ['id', 'parent_of', 6],
      [1, 2, 5, 6],
    ],
    [
      ['id', 'parent_of', 7],
      [1, 7],
    ],
    [
      ['id', 'parent_of', [4, 11]],
      [1, 2, 4, 10, 11],
    ],
    [
      ['id', 'parent_of', 20],
      [20, 21],
    ],
    [['id', 'parent_of', 1], [1]],
  ])('%j finds %j', async (leaf, ids) => {
    expect(await searchIds('lab.node', [leaf])).toEqual(ids);
  });

  test('traverses archived records, and returns them on request', async () => {
    expect(await searchIds('lab.node', [['id', 'child_of', 3]])).toEqual([7]);
    expect(
      await searchIds('lab.node', [
        ['id', 'child_of', 3],
        ['active', 'in', [true, false]],
      ]),
    ).toEqual([3, 7]);
    const all = lab.ctx.with({ context: { ...lab.ctx.context, activeTest: false } });
    expect(await searchIds('lab.node', [['id', 'parent_of', 7]], all)).toEqual([1, 3, 7]);
  });

  test('supports negation and combination with other conditions', async () => {
    expect(await searchIds('lab.node', ['!', ['id', 'child_of', 1]])).toEqual([10, 11, 20, 21, 30]);
    expect(
      await searchIds('lab.node', [
        ['id', 'child_of', 1],
        ['name', 'like', 'inn'],
      ]),
    ).toEqual([5]);
    expect(await searchIds('lab.node', ['|', ['id', 'child_of', 5], ['id', 'parent_of', 11]])).toEqual([
      5, 6, 10, 11,
    ]);
  });
});

describe('child_of and parent_of by name', () => {
  test.each<[unknown, number[]]>([
    [
      ['id', 'child_of', 'inner'],
      [5, 6],
    ],
    [
      ['id', 'child_of', 'ROOT T'],
      [10, 11],
    ],
    [
      ['id', 'child_of', ['inner', 'root two', 30]],
      [5, 6, 10, 11, 30],
    ],
    [
      ['id', 'parent_of', 'inm'],
      [1, 2, 5, 6],
    ],
    [['id', 'child_of', 'nobody'], []],
    [['id', 'child_of', 'right'], [7]],
    [
      ['node_id', 'child_of', 'inner'],
      [5, 6],
    ],
  ])('%j finds %j', async (leaf, ids) => {
    const model = (leaf as unknown[])[0] === 'id' ? 'lab.node' : 'lab.leaf';
    expect(await searchIds(model, [leaf])).toEqual(ids);
  });

  test('ignores an archived root in its own model but not through a many2one', async () => {
    await lab.db.pool.query(`update lab_node set active = false where id = 10 and workspace_id = 1`);
    expect(await searchIds('lab.node', [['id', 'child_of', 'root two']])).toEqual([]);
    expect(await searchIds('lab.leaf', [['node_id', 'child_of', 'root two']])).toEqual([10, 11]);
    await lab.db.pool.query(`update lab_node set active = true where id = 10 and workspace_id = 1`);
  });

  test("applies the caller's record rules to the named records and to the matches", async () => {
    const clerk = lab.as({ groups: new Set(['lab.clerk']) });
    expect(await searchIds('lab.node', [['id', 'parent_of', 'secret']], clerk)).toEqual([]);
    expect(await searchIds('lab.node', [['id', 'parent_of', 'secret']])).toEqual([1, 2, 4]);
    expect(await searchIds('lab.node', [['id', 'child_of', 2]], clerk)).toEqual([2, 5, 6]);
  });
});

describe('child_of and parent_of through relations', () => {
  test.each<[string, unknown, number[]]>([
    ['lab.leaf', ['node_id', 'child_of', 2], [2, 4, 5, 6]],
    ['lab.leaf', ['node_id', 'child_of', 3], [3, 7]],
    ['lab.leaf', ['node_id', 'parent_of', 5], [1, 2, 5]],
    ['lab.leaf', ['node_id', 'child_of', false], []],
    ['lab.leaf', ['node_ids', 'child_of', 1], [2, 3]],
    ['lab.leaf', ['node_ids', 'child_of', [10]], [2]],
    ['lab.leaf', ['node_ids', 'parent_of', 7], [3]],
    ['lab.leaf', ['node_id.id', 'child_of', 5], [5, 6]],
    ['lab.leaf', ['node_id.parent_id', 'child_of', 5], [5, 6]],
    ['lab.leaf', ['above_id', 'child_of', 2], [4, 5, 6]],
    ['lab.node', ['leaf_ids', 'child_of', 4], [4]],
    ['lab.node', ['child_ids', 'child_of', 5], [2, 5]],
    ['lab.node', ['parent_id', 'child_of', 2], [2, 4, 5, 6]],
    ['lab.node', ['parent_id', 'parent_of', 6], [1, 2, 5, 6]],
    ['lab.node', ['head_id', 'child_of', 30], [10, 11, 30]],
    ['lab.node', ['head_id', 'parent_of', 11], [10, 11, 30]],
    ['lab', ['country_id', 'child_of', 20], [1, 3]],
    ['lab', ['country_id', 'child_of', 'belg'], [1, 3]],
    ['lab', ['country_id', 'parent_of', ['belg', 75]], [1, 2, 3]],
    ['lab', ['tag_ids', 'child_of', [8, 10]], [1, 3]],
    ['lab', ['id', 'any', [['tag_ids', 'child_of', 8]]], [1]],
    ['lab.country', ['id', 'child_of', 20], [20]],
  ])('%s: %j finds %j', async (model, leaf, ids) => {
    expect(await searchIds(model, [leaf])).toEqual(ids);
  });
});

test.each<[unknown]>([
  [['name', 'child_of', 1]],
  [['number', 'parent_of', 1]],
  [['display_name', 'child_of', 'x']],
  [['id', 'child_of', true]],
  [['id', 'child_of', [true]]],
  [['id', 'child_of', [[1]]]],
  [['id', 'child_of', {}]],
  [['node_id', 'child_of', [{ id: 1 }]]],
  [['id', 'not child_of', 1]],
])('rejects %j as an invalid value', async (leaf) => {
  const model = (leaf as unknown[])[0] === 'node_id' ? 'lab.leaf' : 'lab.node';
  expect(await searchIds(model, [leaf])).toBe('BAD_VALUE');
});

test('follows a long chain to its end', async () => {
  await lab.db.pool.query(
    `insert into lab_node (workspace_id, id, name, parent_id) select 1, n, 'link', nullif(n - 1, 999) from generate_series(1000, 2999) n`,
  );
  expect(
    await searchIds('lab.node', [
      ['id', 'parent_of', 2999],
      ['id', '<', 1003],
    ]),
  ).toEqual([1000, 1001, 1002]);
  expect((await searchIds('lab.node', [['id', 'child_of', 1000]])).length).toBe(2000);
  await lab.db.pool.query(`delete from lab_node where workspace_id = 1 and id >= 1000`);
});
