import { describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { read } from '../../src/engine/read/records.ts';
import { create, unlink, write } from '../../src/engine/write/write.ts';
import { setUp } from '../harness/set-up.ts';
import { getErrorKind, openLab } from './lab.ts';

const lab = setUp(openLab);

const readField = async (id: number, field: string, model = 'lab') =>
  (await read(lab.ctx, { model, ids: [id], fields: [field] })).value<Values[]>()[0]?.[field];
const count = (table: string) =>
  lab.db.value<number>(sql.given(`select count(*)::int from ${table} where workspace_id > 0`, []));

/** Writes a value to a field. @returns the value that is then read, or the kind of the error */
async function storeValue(field: string, value: unknown): Promise<unknown> {
  const [id] = await create(lab.ctx, 'lab', [{ name: 'stored' }]);
  const reason = await getErrorKind(write(lab.ctx, 'lab', [id!], { [field]: value }));
  return reason === 'nothing' ? readField(id!, field) : reason;
}

describe('storage of valid values', () => {
  test.each<[string, unknown, unknown]>([
    ['name', 'x', 'x'],
    ['name', '', ''],
    ['name', false, false],
    ['name', null, false],
    ['name', 5, '5'],
    ['name', '  pad  ', '  pad  '],
    ['name', 'é 漢字 😀 a\nb', 'é 漢字 😀 a\nb'],
    ['int', '12', 12],
    ['int', 3.0, 3],
    ['int', false, 0],
    ['int', true, 1],
    ['int', -2147483648, -2147483648],
    ['int', '2147483647', 2147483647],
    ['float', '1.25', 1.25],
    ['float', 0.30000000000000004, 0.30000000000000004],
    ['mon', '-1e3', -1000],
    ['bool', true, true],
    ['bool', 0, false],
    ['bool', null, false],
    ['date', '2026-01-31', '2026-01-31'],
    ['date', '2026-01-31 10:11:12', '2026-01-31'],
    ['date', '', false],
    ['dt', '2026-01-31', '2026-01-31 00:00:00'],
    ['dt', '2026-01-31 10:11', '2026-01-31 10:11:00'],
    ['dt', '2026-01-31T10:11:12.5', '2026-01-31 10:11:12'],
    ['dt', false, false],
    ['sel', 'b', 'b'],
    ['sel', '', false],
    ['labels', ['x', ''], ['x', '']],
    ['labels', [], []],
    ['data', { a: [1, null, 'x'] }, { a: [1, null, 'x'] }],
    ['data', { a: null, 'b":null': ['":null', null] }, { a: null, 'b":null': ['":null', null] }],
    ['name', 'a ":null, \\":null', 'a ":null, \\":null'],
    ['file', 'aGVs\nbG8=', 'aGVsbG8='],
    ['file', 'aGVsbG8', 'aGVsbG8='],
    ['file', '', ''],
    ['country_id', 75, [75, 'France']],
    ['country_id', false, false],
    ['parent_id', 1, [1, 'Alpha']],
  ])('returns the stored value %s = %j as %j', async (field, value, expected) => {
    expect(await storeValue(field, value)).toEqual(expected);
  });
});

describe('rejection of invalid values without coercion', () => {
  test.each<[string, unknown]>([
    ['name', ['a']],
    ['name', { a: 1 }],
    ['name', 'a\0b'],
    ['int', 'abc'],
    ['int', ''],
    ['int', 3.9],
    ['int', 2147483648],
    ['int', -2147483649],
    ['int', 4294967296],
    ['int', '0x10'],
    ['int', [1]],
    ['float', 'x'],
    ['float', 'Infinity'],
    ['float', {}],
    ['bool', 'false'],
    ['bool', 2],
    ['bool', []],
    ['date', '2026-13-45'],
    ['date', '2026-02-30'],
    ['date', '31/01/2026'],
    ['date', '2026-01-31garbage'],
    ['date', 5],
    ['dt', '2026-01-31T10:11:12Z'],
    ['dt', '2026-01-31 10:11:12+02:00'],
    ['dt', '2026-01-31 25:00:00'],
    ['dt', true],
    ['sel', 'zz'],
    ['sel', 1],
    ['labels', 'x'],
    ['labels', [1]],
    ['data', { a: 'x\0' }],
    ['file', '@@@'],
    ['file', 'abcde'],
    ['file', 5],
    ['country_id', '20'],
    ['country_id', [20]],
    ['country_id', [20, 'Belgium']],
    ['country_id', { id: 20 }],
    ['country_id', true],
    ['country_id', 'Belgium'],
    ['country_id', ''],
    ['country_id', 20.5],
  ])('rejects %s = %j', async (field, value) => {
    expect(await storeValue(field, value)).toBe('BAD_VALUE');
  });

  test("rejects a relation to a missing record or another workspace's record", async () => {
    await lab.db.pool.query(`insert into lab_country values (2, 500, 'Elsewhere', 'XX', null)`);
    for (const id of [999999, -1, 0, 500]) expect(await storeValue('country_id', id)).toBe('MISSING');
  });

  test('rejects fields that the caller may not set', async () => {
    expect(await storeValue('hush', 'x')).toBe('ACCESS_ERROR');
    expect(await storeValue('stamp', 'x')).toBe('ACCESS_ERROR');
    expect(await storeValue('boss_note', 'x')).toBe('ACCESS_ERROR');
    expect(await storeValue('nope', 'x')).toBe('BAD_VALUE');
    expect(await storeValue('workspace_id', 2)).toBe('BAD_VALUE');
  });
});

describe('create', () => {
  test('returns ids in input order', async () => {
    const ids = await create(lab.ctx, 'lab', [{ name: 'a' }, { name: 'b' }]);
    expect(await readField(ids[0]!, 'name')).toBe('a');
    expect(await readField(ids[1]!, 'name')).toBe('b');
    expect(await create(lab.ctx, 'lab', [])).toEqual([]);
  });

  test('creates all rows or none if one is invalid', async () => {
    const before = await count('lab');
    expect(await getErrorKind(create(lab.ctx, 'lab', [{ name: 'good' }, { nope: 1 }]))).toBe('BAD_VALUE');
    expect(await getErrorKind(create(lab.ctx, 'lab', [{ name: 'good' }, { country_id: 999 }]))).toBe(
      'MISSING',
    );
    expect(
      await getErrorKind(
        create(lab.ctx, 'lab', [
          {
            name: 'good',
            line_ids: [
              [0, 0, { name: 'l' }],
              [0, 0, { x: 1 }],
            ],
          },
        ]),
      ),
    ).toBe('BAD_VALUE');
    expect(await count('lab')).toBe(before);
  });

  test.each<[string, unknown]>([
    ['null', null],
    ['a string', 'x'],
    ['a list', []],
    ['a number', 5],
  ])('rejects %s instead of values', async (_what, values) => {
    expect(await getErrorKind(create(lab.ctx, 'lab', [values as Values]))).toBe('BAD_VALUE');
  });

  test('requires mandatory fields unless they have a default', async () => {
    const createStrict = (values: Values) => create(lab.ctx, 'lab.strict', [values]);
    const validValues = { name: 'one', mode: 'on', lab_id: 1 };
    const [id] = await createStrict(validValues);
    expect(await readField(id!, 'level', 'lab.strict')).toBe(7);
    for (const lacking of ['name', 'mode', 'lab_id']) {
      expect(
        await getErrorKind(createStrict({ ...validValues, name: 'two', [lacking]: false })),
        lacking,
      ).toBe('VALIDATION');
      expect(
        await getErrorKind(
          createStrict(
            Object.fromEntries(
              Object.entries({ ...validValues, name: 'two' }).filter(([key]) => key !== lacking),
            ),
          ),
        ),
        lacking,
      ).toBe('VALIDATION');
    }
    expect(await getErrorKind(createStrict({ ...validValues, name: '  ' }))).toBe('VALIDATION');
    expect(await getErrorKind(createStrict(validValues))).toBe('NOT_UNIQUE');
    expect(await getErrorKind(createStrict({ ...validValues, name: 'three', level: 100 }))).toBe(
      'VALIDATION',
    );
  });
});

describe('write', () => {
  test('writes values to all records, or to none if one is missing', async () => {
    const ids = await create(lab.ctx, 'lab', [{ int: 1 }, { int: 1 }]);
    expect(await write(lab.ctx, 'lab', ids, { int: 2 })).toBe(true);
    expect(await getErrorKind(write(lab.ctx, 'lab', [...ids, 999999], { int: 3 }))).toBe('MISSING');
    expect([await readField(ids[0]!, 'int'), await readField(ids[1]!, 'int')]).toEqual([2, 2]);
  });

  test('accepts empty ids and values and ignores read-only fields', async () => {
    const [id] = await create(lab.ctx, 'lab', [{ name: 'kept' }]);
    expect(await write(lab.ctx, 'lab', [], { name: 'x' })).toBe(true);
    expect(await write(lab.ctx, 'lab', [id!], {})).toBe(true);
    expect(await write(lab.ctx, 'lab', [id!], { id: 5, display_name: 'x', create_date: '2020-01-01' })).toBe(
      true,
    );
    expect(await readField(id!, 'name')).toBe('kept');
    expect(await getErrorKind(write(lab.ctx, 'lab', [id!], null as unknown as Values))).toBe('BAD_VALUE');
    expect(await getErrorKind(write(lab.ctx, 'lab', [id!], [] as unknown as Values))).toBe('BAD_VALUE');
  });

  test("treats another workspace's record as missing", async () => {
    await lab.db.pool.query(`insert into lab (workspace_id, id, name) values (2, 7000, 'theirs')`);
    expect(await getErrorKind(write(lab.ctx, 'lab', [7000], { name: 'mine' }))).toBe('MISSING');
    expect(await getErrorKind(unlink(lab.ctx, 'lab', [7000]))).toBe('MISSING');
    expect((await read(lab.ctx, { model: 'lab', ids: [7000], fields: ['name'] })).count).toBe(0);
    expect(await lab.db.rows(sql`select name from lab where workspace_id = 2 and id = 7000`)).toEqual([
      { name: 'theirs' },
    ]);
  });
});

describe('unlink', () => {
  test('deletes all records or none', async () => {
    const [a, b, child] = await create(lab.ctx, 'lab', [{ name: 'a' }, { name: 'b' }, { name: 'child' }]);
    await write(lab.ctx, 'lab', [child!], { parent_id: b! });
    expect(await getErrorKind(unlink(lab.ctx, 'lab', [a!, b!]))).toBe('VALIDATION');
    expect(await getErrorKind(unlink(lab.ctx, 'lab', [a!, 999999]))).toBe('MISSING');
    expect(await readField(a!, 'name')).toBe('a');
    expect(await unlink(lab.ctx, 'lab', [child!, b!, a!])).toBe(true);
    expect(await getErrorKind(unlink(lab.ctx, 'lab', [a!]))).toBe('MISSING');
    expect(await unlink(lab.ctx, 'lab', [])).toBe(true);
  });
});

describe('commands for relational fields', () => {
  const readLines = (id: number) => readField(id, 'line_ids');
  const readTags = (id: number) => readField(id, 'tag_ids');
  const createAndRead = async (field: string, ...commands: unknown[]) => {
    const [id] = await create(lab.ctx, 'lab', [
      { name: 'owner', line_ids: [[0, 0, { name: 'x', qty: 1 }]], tag_ids: [[6, 0, [8, 9]]] },
    ]);
    const reason = await getErrorKind(write(lab.ctx, 'lab', [id!], { [field]: commands }));
    return { id: id!, refusal: reason, line: ((await readLines(id!)) as number[])[0]! };
  };

  test('many2many: 0 creates and links, 1 writes, 2 deletes, 3 unlinks, 4 links, 5 clears, 6 replaces', async () => {
    const { id } = await createAndRead('tag_ids', [0, 0, { name: 'made' }]);
    const createdTag = ((await readTags(id)) as number[]).find((tag) => tag > 100)!;
    expect(await readTags(id)).toEqual([8, 9, createdTag]);
    const runCommands = async (...commands: unknown[]) => {
      await write(lab.ctx, 'lab', [id], { tag_ids: commands });
      return readTags(id);
    };
    await runCommands([1, createdTag, { name: 'renamed' }]);
    expect(await readField(createdTag, 'name', 'lab.tag')).toBe('renamed');
    expect(await runCommands([3, 8])).toEqual([9, createdTag]);
    expect(await runCommands([4, 10], [4, 10])).toEqual([9, 10, createdTag]);
    expect(await runCommands([2, createdTag])).toEqual([9, 10]);
    expect(await readField(createdTag, 'name', 'lab.tag')).toBeUndefined();
    expect(await runCommands([6, 0, [8, 8]])).toEqual([8]);
    expect(await runCommands([5], [4, 9, 0])).toEqual([9]);
    expect(await runCommands()).toEqual([9]);
    expect(await runCommands(8, 10)).toEqual([8, 10]);
    await write(lab.ctx, 'lab', [id], { tag_ids: false });
    expect(await readTags(id)).toEqual([]);
  });

  test('one2many: 0 creates, 1 writes, 2 deletes, 3 detaches, 4 attaches, 5 clears, 6 replaces', async () => {
    const { id, line } = await createAndRead('line_ids', [0, 'virtual_1', { name: 'second' }]);
    const second = ((await readLines(id)) as number[])[1]!;
    const other = await createAndRead('line_ids');
    const runCommands = async (...commands: unknown[]) => {
      await write(lab.ctx, 'lab', [id], { line_ids: commands });
      return readLines(id);
    };
    await runCommands([1, line, { qty: 77 }]);
    expect(await readField(line, 'qty', 'lab.line')).toBe(77);
    expect(await runCommands([3, second])).toEqual([line]);
    expect(await readField(second, 'lab_id', 'lab.line')).toBe(false);
    expect(await runCommands([4, other.line])).toEqual([line, other.line]);
    expect(await readLines(other.id)).toEqual([]);
    expect(await runCommands([2, line], [2, 999999])).toEqual([other.line]);
    expect(await runCommands([6, 0, [second]])).toEqual([second]);
    expect(await runCommands()).toEqual([second]);
    expect(await runCommands([5])).toEqual([]);
  });

  test('deletes a line with a required owner when it is detached', async () => {
    const [id] = await create(lab.ctx, 'lab.strict', [
      {
        name: 'owner',
        mode: 'on',
        lab_id: 1,
        part_ids: [
          [0, 0, { name: 'p' }],
          [0, 0, { name: 'q' }],
        ],
      },
    ]);
    const [p, q] = (await readField(id!, 'part_ids', 'lab.strict')) as number[];
    await write(lab.ctx, 'lab.strict', [id!], { part_ids: [[3, p]] });
    expect(await readField(id!, 'part_ids', 'lab.strict')).toEqual([q]);
    expect(await readField(p!, 'name', 'lab.part')).toBeUndefined();
  });

  test("ignores a command that detaches another record's line", async () => {
    const ownLines = await createAndRead('line_ids');
    const otherLines = await createAndRead('line_ids');
    await write(lab.ctx, 'lab', [ownLines.id], { line_ids: [[3, otherLines.line]] });
    expect(await readLines(otherLines.id)).toEqual([otherLines.line]);
  });

  test.each<[string, string, unknown, string]>([
    ['an unknown command', 'line_ids', [[7, 0, 0]], 'BAD_VALUE'],
    ['a command without values', 'line_ids', [[0, 0]], 'BAD_VALUE'],
    ['invalid values', 'line_ids', [[0, 0, 'x']], 'BAD_VALUE'],
    ['an unknown field of a line', 'line_ids', [[0, 0, { nope: 1 }]], 'BAD_VALUE'],
    ['objects', 'line_ids', [{ name: 'x' }], 'BAD_VALUE'],
    ['a string', 'line_ids', 'x', 'BAD_VALUE'],
    ['a number', 'tag_ids', 10, 'BAD_VALUE'],
    ['an object', 'tag_ids', {}, 'BAD_VALUE'],
    ['names', 'tag_ids', ['ZZ one'], 'BAD_VALUE'],
    ['an id as a string', 'tag_ids', [[4, '8']], 'BAD_VALUE'],
    ['6 without ids', 'tag_ids', [[6, 0, 8]], 'BAD_VALUE'],
    ['a link to a missing record', 'tag_ids', [[4, 999999]], 'VALIDATION'],
    ['a replacement without ids', 'tag_ids', [[6, 0, [999999]]], 'VALIDATION'],
    ['a change of a deleted line', 'line_ids', [[1, 999999, { qty: 1 }]], 'MISSING'],
    ['a deleted line', 'line_ids', [[4, 999999]], 'MISSING'],
  ])('rejects %s and rolls back the whole call', async (_what, field, commands, kind) => {
    const [id] = await create(lab.ctx, 'lab', [{ name: 'before' }]);
    expect(await getErrorKind(write(lab.ctx, 'lab', [id!], { name: 'after', [field]: commands }))).toBe(kind);
    expect(await readField(id!, 'name')).toBe('before');
  });
});
