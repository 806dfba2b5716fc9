import { describe, expect, test } from 'vitest';
import type { Sql } from '../../src/db/sql.ts';
import { describeFields } from '../../src/engine/describe/describe.ts';
import { nameSearch, read, search, searchRead } from '../../src/engine/read/records.ts';
import { create, unlink } from '../../src/engine/write/write.ts';
import { setUp } from '../harness/set-up.ts';
import { getErrorKind, openLab } from './lab.ts';

const lab = setUp(openLab);

const readRows = async (ids: number[], fields: string[] | null, ctx = lab.ctx) =>
  (await read(ctx, { model: 'lab', ids, fields })).value<Record<string, unknown>[]>();
const order = async (order: string | null, page: object = {}) =>
  (await search(lab.ctx, 'lab', [], { order, ...page })).join('');

describe('read', () => {
  test('reads each record once, even if its id is repeated', async () => {
    const lists: number[] = [];
    const loadRows = (statement: Sql) => {
      lists.push(...statement.render().params.flatMap((param) => (Array.isArray(param) ? param.length : [])));
      return lab.ctx.db.rows(statement);
    };
    const db = Object.create(lab.ctx.db, { rows: { value: loadRows } });
    const ids = [...new Array<number>(5_000).fill(1), 5];
    const rows = await readRows(ids, ['name'], { ...lab.ctx, db });
    expect(rows.map(({ id }) => id)).toEqual(ids);
    expect(Math.max(...lists)).toBe(2);
  });

  test('returns every type in the format of classic RPC', async () => {
    const fields = [
      'name',
      'code',
      'text',
      'int',
      'float',
      'mon',
      'bool',
      'date',
      'dt',
      'sel',
      'labels',
      'country_id',
      'parent_id',
      'tag_ids',
      'line_ids',
      'country_code',
    ];
    expect(await readRows([1, 5], fields)).toEqual([
      {
        id: 1,
        name: 'Alpha',
        code: 'A',
        text: 'some text',
        int: 0,
        float: 0,
        mon: 12.35,
        bool: true,
        date: '2026-01-31',
        dt: '2026-01-31 23:30:00',
        sel: 'a',
        labels: ['red', 'green'],
        country_id: [20, 'Belgium'],
        parent_id: false,
        tag_ids: [8, 9],
        line_ids: [1, 2],
        country_code: 'BE',
      },
      {
        id: 5,
        name: false,
        code: false,
        text: false,
        int: 0,
        float: 0,
        mon: 0,
        bool: false,
        date: false,
        dt: false,
        sel: false,
        labels: false,
        country_id: false,
        parent_id: false,
        tag_ids: [],
        line_ids: [],
        country_code: false,
      },
    ]);
  });

  test('keeps the requested order of records and fields, and distinguishes empty text from unset', async () => {
    const text = (
      await read(lab.ctx, { model: 'lab', ids: [6, 2, 6], fields: ['text', 'name', 'id'] })
    ).text.replace(/\s/g, '');
    expect(text).toBe(
      '[{"id":6,"text":"","name":""},{"id":2,"text":false,"name":"alphabeta"},{"id":6,"text":"","name":""}]',
    );
  });

  test('skips missing records and returns nothing if no ids are passed', async () => {
    expect(await readRows([99, 2, -1], ['code'])).toEqual([{ id: 2, code: 'a' }]);
    expect(await readRows([], ['code'])).toEqual([]);
    expect(await getErrorKind(readRows([], ['nope']))).toBe('BAD_VALUE');
    expect(await getErrorKind(readRows([1], ['nope']))).toBe('BAD_VALUE');
  });

  test('returns every readable field by default, without binary content and secrets', async () => {
    await lab.db.pool.query(`update lab set file = 'hello' where workspace_id = 1 and id = 1`);
    const [row] = await readRows([1], null);
    expect(Object.keys(row!)).toEqual(
      expect.arrayContaining(['id', 'display_name', 'name', 'data', 'tag_ids']),
    );
    for (const hidden of ['file', 'hush', 'boss_note', 'workspace_id'])
      expect(row).not.toHaveProperty(hidden);
    expect(await readRows([1], ['file', 'hush'])).toEqual([{ id: 1, file: 'aGVsbG8=', hush: false }]);
  });

  test('returns a many2one as its id on request', async () => {
    expect(
      (await read(lab.ctx, { model: 'lab', ids: [2, 5], fields: ['country_id'], flavour: 'ids' })).value(),
    ).toEqual([
      { id: 2, country_id: 75 },
      { id: 5, country_id: false },
    ]);
    expect((await read(lab.ctx, { model: 'lab', ids: [1], fields: ['dt'], flavour: 'ids' })).value()).toEqual(
      [{ id: 1, dt: '2026-01-31 23:30:00' }],
    );
  });

  test('returns an empty display name for a record without a name', async () => {
    const [id] = await create(lab.ctx, 'lab', [{ parent_id: 5 }]);
    expect(await readRows([id!], ['parent_id'])).toEqual([{ id, parent_id: [5, ''] }]);
    await unlink(lab.ctx, 'lab', [id!]);
  });

  test('includes archived lines only if the active filter is disabled', async () => {
    await lab.db.pool.query(`insert into lab_tag_rel values (1, 6, 11), (1, 6, 8)`);
    const all = lab.ctx.with({ context: { ...lab.ctx.context, activeTest: false } });
    expect(await readRows([6], ['tag_ids'])).toEqual([{ id: 6, tag_ids: [8] }]);
    expect(await readRows([6], ['tag_ids'], all)).toEqual([{ id: 6, tag_ids: [8, 11] }]);
    const records = await searchRead(all, { model: 'lab', domain: [['id', '=', 6]], fields: ['tag_ids'] });
    expect(records.value()).toEqual([{ id: 6, tag_ids: [8] }]);
  });
});

describe('order, limit and offset', () => {
  test.each([
    [null, '123456'],
    ['', '123456'],
    ['id desc', '654321'],
    ['  ID   DESC ', '654321'],
    ['int desc, id desc', '426513'],
    ['int desc nulls last, id', '421563'],
    ['int nulls first', '315624'],
    ['bool, id', '245613'],
    ['country_id, id desc', '312654'],
    ['country_id desc, id', '456213'],
    ['country_id.id desc nulls last', '213456'],
    ['country_code desc nulls last, id', '213456'],
    ['country_id.name desc nulls last, id', '213456'],
    ['parent_id.country_id.code desc nulls last, id', '423156'],
    ['id,', '123456'],
  ])('sorts by %j', async (specification, ids) => {
    expect(await order(specification)).toBe(ids);
  });

  test.each(['nope', 'country_id.nope'])('rejects an unknown field in order %j', async (specification) => {
    expect(await getErrorKind(order(specification))).toBe('BAD_VALUE');
  });

  test.each([
    'name nope',
    'id; drop table lab',
    '"name"',
    'tag_ids',
    'hush',
    'data',
    'name.id',
    'name asc desc',
  ])('rejects order %j', async (specification) => {
    expect(await getErrorKind(order(specification))).toBe('USER_ERROR');
  });

  test('limits the number of sort terms', async () => {
    expect(await order(Array(20).fill('parent_id').join(','))).toHaveLength(6);
    expect(await getErrorKind(order(Array(21).fill('parent_id').join(',')))).toBe('USER_ERROR');
  });

  test('returns all records for limit 0 or no limit, and none for an offset beyond the end', async () => {
    expect(await order('id', { limit: 2, offset: 1 })).toBe('23');
    expect(await order('id', { limit: 0 })).toBe('123456');
    expect(await order('id', { limit: null, offset: 4 })).toBe('56');
    expect(await order('id', { limit: 3, offset: 1_000_000 })).toBe('');
  });
});

describe('name search', () => {
  test('searches the name fields within a domain, in the default order', async () => {
    const searchNames = (
      text: string,
      domain: unknown = [],
      operator = 'ilike',
      limit: number | null = null,
    ) => nameSearch(lab.ctx, { model: 'lab', text, domain, operator, limit });
    expect(await searchNames('ALPHA')).toEqual([
      [1, 'Alpha'],
      [2, 'alpha beta'],
    ]);
    expect(await searchNames('', [], 'ilike', 2)).toEqual([
      [1, 'Alpha'],
      [2, 'alpha beta'],
    ]);
    expect(await searchNames('alpha', ['|', ['int', '=', 5], ['int', '=', 100]])).toEqual([
      [2, 'alpha beta'],
    ]);
    expect(await searchNames('Alpha', [], '=')).toEqual([[1, 'Alpha']]);
    expect(await searchNames('', [['id', '=', 5]])).toEqual([[5, '']]);
    expect(await getErrorKind(searchNames('x', [], 'foo'))).toBe('BAD_VALUE');
    expect(await getErrorKind(searchNames('x', 'name'))).toBe('BAD_VALUE');
  });
});

describe('fields_get', () => {
  test('returns the type, label, relation and selection of each visible field', () => {
    const fields = describeFields(
      lab.ctx,
      'lab',
      ['sel', 'tag_ids', 'line_ids', 'country_code', 'labels'],
      ['type', 'string', 'selection', 'relation', 'relation_field', 'related'],
    );
    expect(fields).toEqual({
      sel: {
        type: 'selection',
        string: 'Choice',
        selection: [
          ['a', 'Aaa'],
          ['b', 'Bbb'],
          ['c', 'Ccc'],
        ],
      },
      tag_ids: { type: 'many2many', string: 'Tags', relation: 'lab.tag' },
      line_ids: { type: 'one2many', string: 'Line', relation: 'lab.line', relation_field: 'lab_id' },
      country_code: { type: 'char', string: 'Country code', related: 'country_id.code' },
      labels: { type: 'json', string: 'Labels' },
    });
  });

  test('does not mark a field with a default as required', () => {
    const fields = describeFields(lab.ctx, 'lab.strict', ['name', 'level', 'mode'], ['required']);
    expect(fields).toEqual({
      name: { required: true },
      level: { required: false },
      mode: { required: true },
    });
  });

  test('returns only requested attributes of known and visible fields', () => {
    expect(describeFields(lab.ctx, 'lab', ['name', 'nope'], [])).toEqual({ name: {} });
    expect(describeFields(lab.ctx, 'lab', ['boss_note'], null)).toEqual({});
    const boss = lab.as({ groups: new Set(['lab.user', 'lab.boss']) });
    expect(describeFields(boss, 'lab', ['boss_note'], ['groups'])).toEqual({
      boss_note: { groups: 'lab.boss' },
    });
  });

  test('requires no access right on the model, and returns the same attributes to every caller', () => {
    const stranger = lab.as({ groups: new Set() });
    expect(describeFields(stranger, 'lab', ['name'], ['readonly'])).toEqual({ name: { readonly: false } });
    expect(describeFields(lab.ctx, 'lab', ['name', 'stamp'], ['readonly'])).toEqual({
      name: { readonly: false },
      stamp: { readonly: true },
    });
  });
});
