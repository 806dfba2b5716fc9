import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createScene } from '../rights/scene.ts';

// Concurrent writes through /json/2 are all accepted: no update is lost, and no conflict reaches a client.

const app = setUpApp();
const scene = createScene(app);
const NAMES = Array.from({ length: 10 }, (_, n) => `x_f${n}`);

beforeAll(async () => {
  const userGroup = await scene.groupId('base.group_user');
  await scene.addModel(
    'x_slot',
    [
      ...NAMES.map((name) => ({ name, ttype: 'char' })),
      { name: 'x_fast', ttype: 'integer', index: true },
      { name: 'x_owner_id', ttype: 'many2one', relation: 'res.partner', on_delete: 'cascade' },
      { name: 'x_tag_ids', ttype: 'many2many', relation: 'res.partner.category' },
    ],
    userGroup,
  );
});

const call = (path: string, body: object) => json2(app, path, body, app.main.admin.key);

async function countStatuses(
  calls: Promise<{ status: number; text: string }>[],
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  const unexpected: string[] = [];
  for (const { status, text } of await Promise.all(calls)) {
    counts[status] = (counts[status] ?? 0) + 1;
    if (status >= 500) unexpected.push(text);
  }
  expect(unexpected).toEqual([]);
  return counts;
}

const repeat = <T>(count: number, fn: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => fn(n));

describe.each([
  ['a record of a custom model', 'x_slot', NAMES],
  [
    'a contact',
    'res.partner',
    ['street', 'street2', 'zip', 'city', 'phone', 'ref', 'vat', 'function', 'website', 'barcode'],
  ],
  ['a lead', 'crm.lead', ['street', 'street2', 'zip', 'city', 'referred', 'contact_name', 'function']],
])('50 concurrent writers of %s', (_what, model, fields) => {
  const name = model.startsWith('x_') ? 'x_name' : 'name';

  test('retain all changes to different fields', async () => {
    const id = await scene.create(model, { [name]: 'busy' });
    const calls = repeat(50, (n) =>
      call(`${model}/write`, {
        ids: [id],
        vals: { [fields[n % fields.length]!]: `by ${n % fields.length}` },
      }),
    );
    expect(await countStatuses(calls)).toEqual({ 200: 50 });
    const row = await scene.admin.row(model, id, [...fields]);
    expect(row).toEqual({ id, ...Object.fromEntries(fields.map((field, n) => [field, `by ${n}`])) });
  });

  test('retain the last change to the same field', async () => {
    const [field] = fields as [string];
    const id = await scene.create(model, { [name]: 'busy' });
    const outcomes: string[] = [];
    const calls = repeat(50, (n) =>
      call(`${model}/write`, { ids: [id], vals: { [field]: `value ${n}` } }).then((answer) => {
        outcomes.push(`value ${n}`);
        return answer;
      }),
    );
    expect(await countStatuses(calls)).toEqual({ 200: 50 });
    const row = await scene.admin.row(model, id, [field, name]);
    expect(outcomes).toContain(row[field]);
    expect(row[name]).toBe('busy');
    expect((await call(`${model}/write`, { ids: [id], vals: { [field]: 'last' } })).status).toBe(200);
    expect((await scene.admin.row(model, id, [field]))[field]).toBe('last');
  });
});

describe('20 concurrent writes to several records', () => {
  test('succeed if they list the records in different orders', async () => {
    const ids: number[] = await scene.admin.value('x_slot/create', {
      vals_list: repeat(10, () => ({ x_name: 's' })),
    });
    const calls = repeat(20, (n) =>
      call('x_slot/write', { ids: n % 2 ? ids : [...ids].reverse(), vals: { x_f1: `by ${n}`, x_fast: n } }),
    );
    expect(await countStatuses(calls)).toEqual({ 200: 20 });
    const rows = await scene.admin.value('x_slot/read', { ids, fields: ['x_f1', 'x_fast'] });
    expect(new Set(rows.map((row: { x_f1: string }) => row.x_f1)).size).toBe(1);
    for (const row of rows) expect(row.x_f1).toBe(`by ${row.x_fast}`);
  });

  test("succeed if they write a record's lines in opposite orders", async () => {
    const owner = await scene.create('res.partner', { name: 'owner' });
    const lines: number[] = await scene.admin.value('res.partner/create', {
      vals_list: repeat(2, (n) => ({ name: `line ${n}`, parent_id: owner })),
    });
    const write = (n: number) => {
      const commands = lines.map((id) => [1, id, { ref: `by ${n}` }]);
      return call('res.partner/write', {
        ids: [owner],
        vals: { child_ids: n % 2 ? commands : commands.reverse() },
      });
    };
    expect(await countStatuses(repeat(20, write))).toEqual({ 200: 20 });
    const refs = await scene.admin.value('res.partner/read', { ids: lines, fields: ['ref'] });
    expect(refs[0].ref).toBe(refs[1].ref);
  });

  test('succeed if they link the same tags in opposite orders', async () => {
    const tags: number[] = await scene.admin.value('res.partner.category/create', {
      vals_list: repeat(4, (n) => ({ name: `t${n}` })),
    });
    const id = await scene.create('x_slot', { x_name: 'tagged' });
    const calls = repeat(20, (n) =>
      call('x_slot/write', {
        ids: [id],
        vals: { x_tag_ids: n % 2 ? [[6, 0, tags]] : [[6, 0, [...tags].reverse()]] },
      }),
    );
    expect(await countStatuses(calls)).toEqual({ 200: 20 });
    expect([...(await scene.admin.row('x_slot', id, ['x_tag_ids'])).x_tag_ids].sort()).toEqual(tags);
  });
});

describe('concurrent creates of a unique value', () => {
  test('accept one of 20 and reject the others', async () => {
    const counts = await countStatuses(
      repeat(20, () => call('crm.tag/create', { vals_list: [{ name: 'only one' }] })),
    );
    expect(counts).toEqual({ 200: 1, 422: 19 });
    expect(await scene.admin.value('crm.tag/search_count', { domain: [['name', '=', 'only one']] })).toBe(1);
  });

  test('store either a complete list or none of it, regardless of its order', async () => {
    const names = repeat(6, (n) => `pair ${n}`);
    const lists = repeat(10, (n) => (n % 2 ? names : [...names].reverse()));
    const counts = await countStatuses(
      lists.map((list) => call('crm.tag/create', { vals_list: list.map((name) => ({ name })) })),
    );
    expect(counts).toEqual({ 200: 1, 422: 9 });
    expect(await scene.admin.value('crm.tag/search_count', { domain: [['name', '=like', 'pair %']] })).toBe(
      6,
    );
  });
});

describe('concurrent deletes', () => {
  test('take precedence over writes, which fail with an error', async () => {
    const ids: number[] = await scene.admin.value('x_slot/create', {
      vals_list: repeat(5, () => ({ x_name: 'd' })),
    });
    const calls = repeat(40, (n) =>
      n % 8 === 3
        ? call('x_slot/unlink', { ids: [ids[(n - 3) / 8]] })
        : call('x_slot/write', { ids: [ids[n % 5]], vals: { x_f0: `${n}`, x_fast: n } }),
    );
    const counts = await countStatuses(calls);
    expect(Object.keys(counts).filter((status) => !['200', '404'].includes(status))).toEqual([]);
    expect(await scene.admin.value('x_slot/search', { domain: [['id', 'in', ids]] })).toEqual([]);
    expect(await countIndexed(ids)).toBe(0);
  });

  test('succeed or return 404 if twenty callers delete the same record', async () => {
    const id = await scene.create('x_slot', { x_name: 'once' });
    const counts = await countStatuses(repeat(20, () => call('x_slot/unlink', { ids: [id] })));
    expect((counts[200] ?? 0) + (counts[404] ?? 0)).toBe(20);
    expect(counts[200]).toBeGreaterThan(0);
  });

  test('leave no dangling link if a record is linked concurrently', async () => {
    const owners: number[] = await scene.admin.value('res.partner/create', {
      vals_list: repeat(10, () => ({ name: 'o' })),
    });
    const calls = owners.flatMap((owner) => [
      call('x_slot/create', { vals_list: [{ x_name: 'held', x_owner_id: owner }] }),
      call('res.partner/unlink', { ids: [owner] }),
      call('x_slot/create', { vals_list: [{ x_name: 'held', x_owner_id: owner }] }),
    ]);
    const counts = await countStatuses(calls);
    expect(Object.keys(counts).filter((status) => !['200', '404'].includes(status))).toEqual([]);
    expect(await scene.admin.value('x_slot/search', { domain: [['x_owner_id', 'in', owners]] })).toEqual([]);
  });
});

const countIndexed = (ids: number[]): Promise<number> =>
  app.runtime.db.value<number>(
    sql`select count(*)::int from ir_field_index where workspace_id = ${app.main.ctx.workspace.id} and record_id = any(${ids})`,
  );
