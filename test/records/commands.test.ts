import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setUp } from '../harness/set-up.ts';
import { makeLab, openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
beforeAll(() => makeLab(lab));

type Ids = Record<string, number>;
type Commands = (ids: Ids) => unknown;

let ids: Ids;
beforeEach(async () => {
  const [ownRecord, other] = await lab.value('x_lab/create', {
    vals_list: [{ x_name: 'own' }, { x_name: 'other' }],
  });
  const [l1, l2, otherLine, free] = await lab.value('x_lab_line/create', {
    vals_list: [
      { x_name: 'l1', x_lab_id: ownRecord },
      { x_name: 'l2', x_lab_id: ownRecord },
      { x_name: 'far', x_lab_id: other },
      { x_name: 'free' },
    ],
  });
  const [t1, t2, t3] = await lab.value('res.partner.category/create', {
    vals_list: [{ name: 't1' }, { name: 't2' }, { name: 't3' }],
  });
  await lab.value('x_lab/write', { ids: [ownRecord], vals: { x_tag_ids: [[6, 0, [t1, t2]]] } });
  ids = { own: ownRecord, other, l1, l2, far: otherLine, free, t1, t2, t3, gone: 999999 };
});

const readLabels = async (record: number, field: string, model: string, name: string): Promise<string> => {
  const [row] = await lab.value('x_lab/read', { ids: [record], fields: [field] });
  const rows = await lab.value(`${model}/read`, { ids: row[field], fields: [name] });
  return rows
    .map((r: Record<string, string>) => r[name])
    .sort()
    .join(' ');
};
const readLines = (record = ids.own!) => readLabels(record, 'x_line_ids', 'x_lab_line', 'x_name');
const loadTags = (record = ids.own!) => readLabels(record, 'x_tag_ids', 'res.partner.category', 'name');
const isExisting = async (model: string, id: number) =>
  (await lab.value(`${model}/read`, { ids: [id], fields: ['id', 'display_name'] })).length === 1;

describe('one2many commands', () => {
  test.each<[string, Commands, string]>([
    ['0 creates a line', () => [[0, 0, { x_name: 'new' }]], 'l1 l2 new'],
    ['0 accepts the temporary id of a form', () => [[0, 'virtual_1', { x_name: 'new' }]], 'l1 l2 new'],
    [
      '0 creates several lines at once',
      () => [
        [0, 0, { x_name: 'a' }],
        [0, 0, { x_name: 'b' }],
      ],
      'a b l1 l2',
    ],
    ['1 changes a line', ({ l1 }) => [[1, l1, { x_name: 'changed' }]], 'changed l2'],
    ['2 deletes a line', ({ l1 }) => [[2, l1, 0]], 'l2'],
    ['2 accepts two items', ({ l1 }) => [[2, l1]], 'l2'],
    ['2 ignores a deleted line', ({ gone }) => [[2, gone, 0]], 'l1 l2'],
    ['3 detaches a line', ({ l1 }) => [[3, l1, 0]], 'l2'],
    ['4 moves a line from another record', ({ far }) => [[4, far, 0]], 'far l1 l2'],
    ['4 attaches an unattached line', ({ free }) => [[4, free]], 'free l1 l2'],
    ['5 detaches all lines', () => [[5, 0, 0]], ''],
    ['5 accepts one item', () => [[5]], ''],
    ['6 replaces the lines', ({ l2, free }) => [[6, 0, [l2, free]]], 'free l2'],
    ['6 without ids detaches all lines', () => [[6, 0, []]], ''],
    ['a list of ids replaces the records', ({ l2, far }) => [l2, far], 'far l2'],
    ['false clears the list', () => false, ''],
    ['null clears the list', () => null, ''],
    ['an empty list changes nothing', () => [], 'l1 l2'],
    ['applies several commands in order', () => [[5], [0, 0, { x_name: 'only' }]], 'only'],
  ])('%s', async (_, commands, expected) => {
    expect(await lab.value('x_lab/write', { ids: [ids.own], vals: { x_line_ids: commands(ids) } })).toBe(
      true,
    );
    expect(await readLines()).toBe(expected);
  });

  test('delete a removed line if its link cascades deletes', async () => {
    await lab.value('x_lab/write', { ids: [ids.own], vals: { x_line_ids: [[3, ids.l1]] } });
    expect(await isExisting('x_lab_line', ids.l1!)).toBe(false);
  });

  test('add a line to each written record with command 0', async () => {
    const vals = { x_line_ids: [[0, 0, { x_name: 'each' }]] };
    await lab.value('x_lab/write', { ids: [ids.own, ids.other], vals });
    expect([await readLines(), await readLines(ids.other)]).toEqual(['each l1 l2', 'each far']);
  });

  test.each<[string, Commands, number, RegExp]>([
    ['4 with a deleted line', ({ gone }) => [[4, gone, 0]], 404, /Record does not exist/],
    ['an unknown field in a line', () => [[0, 0, { nope: 1 }]], 422, /nope/],
    ['0 without values', () => [[0, 0]], 422, /x_line_ids/],
    ['an unknown command', () => [[7, 0, 0]], 422, /x_line_ids/],
    ['a string', () => 'x', 422, /x_line_ids/],
    ['objects', () => [{ x_name: 'obj' }], 422, /x_line_ids/],
    ['invalid ids', () => [[4, 'one']], 422, /x_line_ids/],
  ])('reject %s, and write nothing', async (_, commands, status, message) => {
    const vals = { x_name: 'changed', x_line_ids: commands(ids) };
    const error = await lab.expectError('x_lab/write', { ids: [ids.own], vals });
    expect([error.status, error.message]).toEqual([status, expect.stringMatching(message)]);
    expect(await readLines()).toBe('l1 l2');
    expect(await lab.value('x_lab/read', { ids: [ids.own], fields: ['x_name'] })).toEqual([
      { id: ids.own, x_name: 'own' },
    ]);
  });

  test('keep the lines of a new record with commands 5 and 6', async () => {
    const [id] = await lab.value('x_lab/create', {
      vals_list: { x_name: 'n', x_line_ids: [[0, 0, { x_name: 'q' }], [5], [6, 0, []]] },
    });
    expect(await readLines(id)).toBe('q');
  });
});

describe('many2many commands', () => {
  test.each<[string, Commands, string]>([
    ['0 creates a record and links it', () => [[0, 0, { name: 'new' }]], 'new t1 t2'],
    ['1 changes a linked record', ({ t1 }) => [[1, t1, { name: 'changed' }]], 'changed t2'],
    ['2 deletes the record', ({ t1 }) => [[2, t1]], 't2'],
    ['3 removes a link', ({ t1 }) => [[3, t1]], 't2'],
    ['4 adds a link', ({ t3 }) => [[4, t3]], 't1 t2 t3'],
    ['4 ignores an existing link', ({ t1 }) => [[4, t1]], 't1 t2'],
    ['5 removes all links', () => [[5]], ''],
    ['6 replaces the links', ({ t2, t3 }) => [[6, 0, [t2, t3]]], 't2 t3'],
    ['6 ignores a duplicate id', ({ t3 }) => [[6, 0, [t3, t3]]], 't3'],
    ['a list of ids replaces the records', ({ t3 }) => [t3], 't3'],
    ['false clears the list', () => false, ''],
    ['applies several commands in order', ({ t3 }) => [[5], [4, t3]], 't3'],
  ])('%s', async (_, commands, expected) => {
    expect(await lab.value('x_lab/write', { ids: [ids.own], vals: { x_tag_ids: commands(ids) } })).toBe(true);
    expect(await loadTags()).toBe(expected);
  });

  test('keep the record with command 3, and delete it with command 2', async () => {
    await lab.value('x_lab/write', {
      ids: [ids.own],
      vals: {
        x_tag_ids: [
          [3, ids.t1],
          [2, ids.t2],
        ],
      },
    });
    expect([
      await isExisting('res.partner.category', ids.t1!),
      await isExisting('res.partner.category', ids.t2!),
    ]).toEqual([true, false]);
  });

  test.each<[string, Commands]>([
    ['4 with a missing record', ({ gone }) => [[4, gone]]],
    ['6 with a missing record', ({ gone }) => [[6, 0, [gone]]]],
    ['a number', () => 10],
    ['names', () => ['t1']],
    ['an object', () => ({})],
  ])('reject %s, and write nothing', async (_, commands) => {
    const error = await lab.expectError('x_lab/write', {
      ids: [ids.own],
      vals: { x_tag_ids: commands(ids) },
    });
    expect([404, 422]).toContain(error.status);
    expect(await loadTags()).toBe('t1 t2');
  });

  test('link and create related records of a new record', async () => {
    const [id] = await lab.value('x_lab/create', {
      vals_list: {
        x_name: 'n',
        x_tag_ids: [
          [4, ids.t3],
          [0, 0, { name: 'own' }],
        ],
        x_line_ids: [[4, ids.free]],
      },
    });
    expect([await loadTags(id), await readLines(id)]).toEqual(['own t3', 'free']);
  });
});
