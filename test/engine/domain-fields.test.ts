import { beforeAll, describe, expect, test } from 'vitest';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import { addCustomModels } from '../../src/engine/model/custom-models.ts';
import { search } from '../../src/engine/read/records.ts';
import type { AppError } from '../../src/errors.ts';
import { buildCustomField } from '../harness/custom-field.ts';
import { setUp } from '../harness/set-up.ts';
import { openLab } from './lab.ts';
import { findMatches, NODE_ROWS } from './lab-tree.ts';

const lab = setUp(openLab);
beforeAll(() => lab.db.pool.query(NODE_ROWS));

const defineCases = (model: string, cases: [unknown, string][], ctx: () => Ctx = () => lab.ctx) =>
  test.each(cases)(`${model}: %j finds %s`, async (leaf, ids) => {
    expect(await findMatches(ctx(), model, leaf)).toBe(ids);
  });

describe('reference fields', () => {
  defineCases('lab.node', [
    [['ref', '=', 'lab,1'], '1'],
    [['ref', '=', false], '34'],
    [['ref', '!=', false], '12'],
    [['ref', '!=', 'lab,1'], '234'],
    [['ref', 'in', ['lab,1', 'lab.node,1']], '12'],
    [['ref', 'like', 'lab.node,'], '2'],
    [['ref', '=like', 'lab,%'], '1'],
    [['res_id', '=', 1], '1'],
    [['res_id', '=', '7'], '4'],
    [['res_id', '=', false], '23'],
    [['res_id', '!=', 0], '14'],
    [['res_id', '<', 5], '123'],
    [['res_id', '=', 'abc'], 'refused'],
  ]);
});

describe('related fields', () => {
  defineCases('lab.leaf', [
    [['node_name', '=', 'one'], '1'],
    [['node_name', '!=', 'one'], '2345'],
    [['node_name', '=', false], '34'],
    [['node_name', '!=', false], '125'],
    [['node_name', 'not ilike', 'o'], '345'],
    [['node_name', 'ilike', ''], '12345'],
    [['node_name', '=?', false], '12345'],
    [['node_name', '=?', 'two'], '2'],
    [['node_number', '=', 0], '234'],
    [['node_number', '!=', 0], '15'],
    [['node_number', '<', 8], '2345'],
    [['node_number', '>', 0], '15'],
    [['node_active', '=', false], '4'],
    [['node_active', '!=', true], '4'],
    [['node_due', '>', '2025-01-01'], '15'],
    [['node_due', '=', false], '34'],
    [['node_due.year_number', '=', 2026], '15'],
    [['node_due.year_number', '!=', 2026], '234'],
    [['above_id', '=', 1], '23'],
    [['above_id', '=', false], '14'],
    [['above_id', '!=', 1], '145'],
    [['above_id.name', '=', 'one'], '23'],
    [['above_id.name', '!=', 'one'], '5'],
    [['above_id', 'any', [['number', '=', 100]]], '23'],
    [['above_id', 'not any', [['number', '=', 100]]], '145'],
    [['above_id', 'ilike', 'one'], '23'],
    [['above_name', '=', 'one'], '23'],
    [['above_name', '!=', 'one'], '145'],
    [['node_id.parent_name', '=', 'one'], '23'],
    [['node_id.parent_name', '=', false], '15'],
    [['node_name', 'any', []], 'refused'],
    [['node_name.x', '=', 1], 'refused'],
    [['initial', '=', 'a'], '1'],
    [['initial', '>', 'c'], '45'],
    [['nodes', '=', 2], '1'],
    [['nodes', '=', false], '345'],
    [['nodes', '>=', '1'], '12'],
  ]);

  test('are visible without access to the related record, unless the path continues', async () => {
    const plainCtx = lab.ctx;
    const catalog = { ...plainCtx.catalog, rights: new Map(plainCtx.catalog.rights) };
    catalog.rights.delete('lab.node');
    const barredCtx = plainCtx.with({ workspace: { ...plainCtx.workspace, catalog } });
    expect(await findMatches(barredCtx, 'lab.leaf', ['node_name', '=', 'one'])).toBe('1');
    expect(await findMatches(barredCtx, 'lab.leaf', ['above_id', '=', 1])).toBe('23');
    expect(await findMatches(barredCtx, 'lab.leaf', ['node_id', '=', 1])).toBe('1');
    expect(await findMatches(barredCtx, 'lab.leaf', ['node_id.name', '=', 'one'])).toBe('ACCESS_ERROR');
    expect(await findMatches(barredCtx, 'lab.leaf', ['above_id', 'any', [['name', '=', 'one']]])).toBe(
      'ACCESS_ERROR',
    );
    expect(await findMatches(barredCtx, 'lab.leaf', ['above_id.name', '=', 'one'])).toBe('ACCESS_ERROR');
  });
});

describe('custom fields of a workspace', () => {
  const buildField = (name: string, ttype: string, relation: string | null = null) =>
    buildCustomField('lab.node', name, ttype, { relation });
  const addFields = () => {
    const { workspace, catalog } = lab.ctx;
    const fields = [
      buildField('x_color', 'char'),
      buildField('x_size', 'integer'),
      buildField('x_share', 'float'),
      buildField('x_ok', 'boolean'),
      buildField('x_on', 'date'),
      buildField('x_at', 'datetime'),
      buildField('x_boss_id', 'many2one', 'lab.node'),
      buildField('x_lost_id', 'many2one', 'lab.gone'),
    ];
    const registry = addCustomModels(catalog.registry, [], fields);
    return lab.ctx.with({ workspace: { ...workspace, catalog: { ...catalog, registry } } });
  };
  defineCases(
    'lab.node',
    [
      [['x_color', '=', 'red'], '1'],
      [['x_color', '=', false], '234'],
      [['x_color', '!=', 'red'], '234'],
      [['x_color', 'ilike', 'E'], '1'],
      [['x_size', '=', 0], '234'],
      [['x_size', '>', 1], '1'],
      [['x_size', '<', 99999999999], '1234'],
      [['x_share', '=', 0.5], '1'],
      [['x_share', '<', 0.5], '234'],
      [['x_ok', '=', true], '1'],
      [['x_ok', '=', false], '234'],
      [['x_on', '=', '2026-02-01'], '1'],
      [['x_on', '<', '2026-01-01'], ''],
      [['x_at', '>', '2026-01-31'], '1'],
      [['x_at.hour_number', '=', 10], '1'],
      [['x_on.month_number', '=', 2], '1'],
      [['x_boss_id', '=', 2], '1'],
      [['x_boss_id', '!=', false], '12'],
      [['x_boss_id.name', '=', 'two'], '1'],
      [['x_boss_id', 'ilike', 'tw'], '1'],
      [['x_boss_id', 'child_of', 3], '123'],
      [['x_boss_id', 'parent_of', 1], '123'],
      [['parent_id.x_color', '=', 'red'], '23'],
      [['x_lost_id', '=', 5], 'refused'],
      [['x_lost_id', '=', false], 'refused'],
      [['x_lost_id.name', '=', 'x'], 'refused'],
      [['x_lost_id', 'ilike', 'x'], 'refused'],
      [['x_lost_id', 'child_of', 1], 'refused'],
    ],
    addFields,
  );
});

describe('record display names', () => {
  defineCases('lab.node', [
    [['display_name', '=', 'one'], '1'],
    [['display_name', 'ilike', 'O'], '12'],
    [['display_name', 'ilike', ''], '1234'],
    [['display_name', 'not ilike', ''], ''],
    [['display_name', '!=', 'one'], '234'],
    [['display_name', '=', '7'], '4'],
    [['display_name', 'not ilike', '0'], '34'],
    [['display_name', '=', false], '3'],
    [['display_name', '!=', false], '124'],
    [['display_name', 'in', ['one', false]], '13'],
    [['display_name', 'not in', ['one', false]], '24'],
    [['display_name', '=like', 't%'], '2'],
    [['display_name', 'any', []], 'refused'],
    [['parent_id', '=', 'one'], '23'],
    [['parent_id', '=', 'ONE'], ''],
    [['parent_id', 'in', ['one', 3]], '234'],
    [['parent_id', '=', '3'], '4'],
    [['head_id', '=', 'one'], '2'],
    // Digits may be an id or the name of a record.
    [['child_ids', '=', '3'], '13'],
    [['child_ids', '!=', 'two'], '234'],
  ]);
});

describe('boundary values', () => {
  defineCases('lab', [
    [['int', '=', null], '156'],
    [['int', 'in', [null, 5]], '1256'],
    [['int', '=', 2147483648], ''],
    [['int', '!=', 1e300], '123456'],
    [['int', 'in', [5, 99999999999]], '2'],
    [['int', 'not in', [99999999999]], '123456'],
    [['int', '>', -99999999999], '123456'],
    [['int', '<', 1e300], '123456'],
    [['int', '=', ' 5 '], '2'],
    [['float', '=', 1e10], '4'],
    [['float', 'in', [1e10, '1.1']], '24'],
    [['float', '<', 1e300], '123456'],
    [['mon', '=', '12.35'], '1'],
    [['mon', '<', 1e30], '123456'],
    [['id', '=', 1.5], ''],
    [['id', '!=', 1.5], '123456'],
    [['id', '=', '1.0'], '1'],
    [['id', 'in', ['1', 2, 99999999999]], '12'],
    [['id', '<', 1e300], '123456'],
    [['id', '=', -1], ''],
    [['parent_id', '=', 1.5], ''],
    [['parent_id', 'not in', [1.5, 99999999999]], '123456'],
    [['parent_id', '>', 1], '4'],
    [['parent_id', '<=', 1], '23'],
    [['tag_ids', 'in', [99999999999, 8]], '1'],
    [['bool', '=', 'true'], '13'],
    [['bool', '=', 'False'], '2456'],
    [['bool', 'in', ['1', 0]], '123456'],
    [['bool', '=', ''], '2456'],
    [['bool', '=', 'maybe'], 'refused'],
    [['name', '=?', []], '123456'],
    [['name', '=?', 0], '123456'],
    [['tag_ids.name', '=?', false], '123'],
    [['name', '=', []], '56'],
    [['name', '!=', []], '1234'],
    [['name', 'like', '\\'], ''],
    [['name', '=like', '100%\\'], ''],
    [['name', '=like', '%\\\\y'], '4'],
    [['name', '=ilike', '\\'], ''],
    [['name', 'ilike', '\\\\'], '4'],
    [['name', '=like', 5], 'refused'],
    [['name', '=ilike', false], 'refused'],
    [['file', '=', false], '123456'],
    [['file', '!=', false], ''],
    [['data', 'in', [null]], '123456'],
    [['file', '=', 'eA=='], 'refused'],
    [['data', 'like', 'x'], 'refused'],
    [['data', '>', false], 'refused'],
    [['data', 'contains', { a: 1 }], ''],
    [['data', 'contains', {}], ''],
    [['data', 'contains', { a: '\u0000 \ud800' }], ''],
    ...[1, 'a', null, [1]].map((value): [unknown, string] => [['data', 'contains', value], 'refused']),
    ...['name', 'int', 'dt.month_number', 'labels', 'parent_id', 'child_ids', 'id', 'display_name'].map(
      (field): [unknown, string] => [[field, 'contains', { a: 1 }], 'refused'],
    ),
    [['date', '=', '2026-01-31T10:00:00.123456'], '1'],
    [['dt', '>', '9999-12-31'], ''],
    [['dt', '<=', '9999-12-31'], '123'],
    [['dt', '<=', '9999-12-31 23:59:59'], '123'],
    [['dt', '>=', '0001-01-01'], '123'],
    [['dt', '=', '9999-12-31'], ''],
    [['dt', '>', '10000-01-01'], 'refused'],
    [['dt', '=', '2026-01-31 23:30:00+00:00'], 'refused'],
    [['date', '<', '0000-01-01'], 'refused'],
    [['parent_id', '<', '1'], 'refused'],
    [['parent_id', '<', false], 'refused'],
    [['child_ids', '>', 1], 'refused'],
    [['tag_ids', '<=', 1], 'refused'],
    [['parent_id', '=', {}], 'refused'],
    [['parent_id', 'like', ['a']], 'refused'],
    [['parent_id', '=like', 5], 'refused'],
    [['int', 'in', [1, 'x']], 'refused'],
    [['int', '=', '1e400'], 'refused'],
    [['parent_id', 'any!', []], 'refused'],
    [['parent_id', 'not any!', []], 'refused'],
    [['parent_id', 'any', false], 'refused'],
  ]);

  test('finds archived lines if the context includes them', async () => {
    await lab.db.pool.query(
      `insert into lab_line (workspace_id, id, name, qty, active, lab_id) values (1, 30, 'old', 9, false, 4)`,
    );
    const all = lab.ctx.with({ context: { ...lab.ctx.context, activeTest: false } });
    for (const leaf of [
      ['line_ids.qty', '=', 9],
      ['line_ids', 'any', [['name', '=', 'old']]],
      ['line_ids', 'ilike', 'old'],
    ]) {
      expect(await findMatches(lab.ctx, 'lab', leaf)).toBe('');
      expect(await findMatches(all, 'lab', leaf)).toBe('4');
    }
  });
});

test('names the field and the condition in an error', async () => {
  const searchError = async (leaf: unknown) =>
    search(lab.ctx, 'lab', [leaf]).then(
      () => '',
      (error: AppError) => `${error.status} ${error.message}`,
    );
  expect(await searchError(['nope', '=', 1])).toBe('422 Invalid field lab.nope in condition ["nope","=",1]');
  expect(await searchError(['bossNote', '=', 1])).toMatch(/^422 Invalid field .* Did you mean boss_note\?$/);
  await expect(search(lab.ctx, 'lab', [], { order: 'bossNote desc' })).rejects.toThrow(
    /^Invalid field 'bossNote' on model 'lab' Did you mean boss_note\?$/,
  );
  expect(await searchError(['int', '=', 'abc'])).toBe(
    '422 Invalid number abc in condition ["int","=","abc"]',
  );
  expect(await searchError(['name', 'has', 'x'])).toBe(
    '422 Invalid operator in condition ["name","has","x"]',
  );
  expect(await searchError(['bool', '>', true])).toMatch(/^422 Invalid value for > in condition \["bool"/);
  expect(await searchError(['dt', '=', '2026-01-31T23:30:00Z'])).toMatch(
    /^422 Invalid date .*without an offset.*"dt"/,
  );
  expect(await searchError(['date.foo', '=', 1])).toMatch(
    /^422 Invalid date part .*month_number.* foo .*"date\.foo"/,
  );
  expect(await searchError(['country_id', '=', true])).toBe(
    '422 Invalid id true in condition ["country_id","=",true]',
  );
});

test('limits the size of the JSON value in a contains condition', async () => {
  const search = (a: string) => findMatches(lab.ctx, 'lab', ['data', 'contains', { a }]);
  expect([await search('x'.repeat(1_900)), await search('x'.repeat(2_000))]).toEqual(['', 'refused']);
});
