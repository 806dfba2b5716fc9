import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
const calls = createJsonClient(app);
let otherTenant: Tenant;
const one = randomBytes(3000).toString('base64');
const two = randomBytes(2000).toString('base64');

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  await createModel(calls, 'x_paper');
  await addField(calls, 'x_paper', 'x_file');
  await addField(calls, 'res.partner', 'x_scan');
  await createModel(createJsonClient(app, otherTenant.admin.key), 'x_paper');
  await addField(createJsonClient(app, otherTenant.admin.key), 'x_paper', 'x_file');
});

const createModel = (client: JsonClient, name: string) => client.create('ir.model', { name, model: name });
async function addField(
  client: JsonClient,
  model: string,
  name: string,
  overrides: object = {},
): Promise<number> {
  const [id] = await client.value('ir.model/search', { domain: [['model', '=', model]] });
  return client.create('ir.model.fields', {
    ...{ model_id: id, name, field_description: name, ttype: 'binary' },
    ...overrides,
  });
}
const loadFiles = async (workspace = app.main.ctx.workspace.id) =>
  (
    await app.runtime.db.rows<{ record: number }>(
      sql`select record_id::int as record from ir_field_file where workspace_id = ${workspace} order by record_id`,
    )
  ).map(({ record }) => record);
const readFile = async (name: string, id: number, field: string, client = calls) =>
  (await client.row(name, id, [field]))[field];

describe('custom file fields', () => {
  test('store, return, replace and clear files, for one or many records', async () => {
    const [a, b, c] = await calls.value('x_paper/create', {
      vals_list: [{ x_name: 'a', x_file: one }, { x_name: 'b', x_file: two }, { x_name: 'c' }],
    });
    const readFiles = async () =>
      (await calls.value('x_paper/read', { ids: [a, b, c], fields: ['x_file'] })).map(
        ({ x_file }: { x_file: unknown }) => x_file,
      );
    expect(await readFiles()).toEqual([one, two, false]);
    await calls.value('x_paper/write', { ids: [b, c], vals: { x_file: one } });
    expect(await readFiles()).toEqual([one, one, one]);
    await calls.value('x_paper/write', { ids: [a], vals: { x_file: false, x_name: 'none' } });
    expect(await readFiles()).toEqual([false, one, one]);
    expect(await loadFiles()).toEqual([b, c]);
    const papers = await calls.value('x_paper/search', { domain: [['x_file', '!=', false]], order: 'id' });
    expect(papers).toEqual([b, c]);
    expect(await calls.value('x_paper/search', { domain: [['x_file', '=', false]] })).toEqual([a]);
    // Files are returned only if requested by name, and as a size if `bin_size` is set.
    expect((await calls.value('x_paper/read', { ids: [b] }))[0]).not.toHaveProperty('x_file');
    const sized = await calls.value('x_paper/read', {
      ids: [b],
      fields: ['x_file'],
      context: { bin_size: true },
    });
    expect(sized[0].x_file).toBe('2.93 Kb');
    await calls.value('x_paper/unlink', { ids: [a, b, c] });
    expect(await loadFiles()).toEqual([]);
  });

  test("are not part of their record's JSON", async () => {
    const id = await calls.create('res.partner', { name: 'P', x_scan: one });
    const custom = await app.runtime.db.value<object | null>(
      sql`select custom from res_partner where workspace_id = ${app.main.ctx.workspace.id} and id = ${id}`,
    );
    expect(custom ?? {}).not.toHaveProperty('x_scan');
    expect(await readFile('res.partner', id, 'x_scan')).toBe(one);
    await calls.value('res.partner/unlink', { ids: [id] });
  });

  test('are copied with their record, and can be read through related fields', async () => {
    const id = await calls.create('x_paper', { x_name: 'original', x_file: one });
    const [copy] = await calls.value('x_paper/copy', { ids: [id] });
    expect(await readFile('x_paper', copy, 'x_file')).toBe(one);
    await addField(calls, 'res.partner', 'x_paper', { ttype: 'many2one', relation: 'x_paper' });
    await addField(calls, 'res.partner', 'x_seen', { related: 'x_paper.x_file' });
    const partner = await calls.create('res.partner', { name: 'R', x_paper: copy });
    expect(await readFile('res.partner', partner, 'x_seen')).toBe(one);
    await calls.value('x_paper/unlink', { ids: [id, copy] });
    expect(await readFile('res.partner', partner, 'x_seen')).toBe(false);
  });

  test('can be required, and store no files if a create is rejected', async () => {
    await createModel(calls, 'x_strict');
    await addField(calls, 'x_strict', 'x_must', { required: true });
    const { message } = await calls.expectRejection('x_strict/create', {
      vals_list: [{ x_name: 'without' }],
    });
    expect(message).toContain('x_must');
    await calls.expectRejection('x_strict/create', {
      vals_list: [{ x_must: one }, { x_must: 'no base64!' }],
    });
    expect(await loadFiles()).toEqual([]);
    const id = await calls.create('x_strict', { x_name: 'with', x_must: one });
    await calls.expectRejection('x_strict/write', { ids: [id], vals: { x_must: false } });
    expect(await readFile('x_strict', id, 'x_must')).toBe(one);
    await calls.value('x_strict/unlink', { ids: [id] });
  });

  test('keep their files when the field is renamed, and delete them when the field is deleted', async () => {
    const field = await addField(calls, 'x_paper', 'x_draft');
    const id = await calls.create('x_paper', { x_name: 'named', x_draft: two, x_file: one });
    await calls.value('ir.model.fields/write', { ids: [field], vals: { name: 'x_final' } });
    expect(await readFile('x_paper', id, 'x_final')).toBe(two);
    await calls.value('ir.model.fields/unlink', { ids: [field] });
    expect(await loadFiles()).toEqual([id]);
    expect(await readFile('x_paper', id, 'x_file')).toBe(one);
  });

  test('delete files of records removed by a foreign key cascade', async () => {
    await addField(calls, 'product.product', 'x_scan');
    await addField(calls, 'sale.order.line', 'x_scan');
    await addField(calls, 'res.partner.category', 'x_scan');
    const before = await loadFiles();
    const template = await calls.create('product.template', { name: 'T' });
    const [variant] = await calls.value('product.product/search', {
      domain: [['product_tmpl_id', '=', template]],
    });
    await calls.value('product.product/write', { ids: [variant], vals: { x_scan: one } });
    const partner = await calls.create('res.partner', { name: 'Buyer' });
    const line = [0, 0, { name: 'line', x_scan: one }];
    const order = await calls.create('sale.order', { partner_id: partner, order_line: [line, line] });
    const top = await calls.create('res.partner.category', { name: 'top' });
    const middle = await calls.create('res.partner.category', { name: 'middle', parent_id: top });
    await calls.create('res.partner.category', { name: 'bottom', parent_id: middle, x_scan: two });
    expect(await loadFiles()).toHaveLength(before.length + 4);
    await calls.value('sale.order/unlink', { ids: [order] });
    await calls.value('product.template/unlink', { ids: [template] });
    await calls.value('res.partner.category/unlink', { ids: [top] });
    expect(await loadFiles()).toEqual(before);
  });

  test('are not indexed by content, even if the field is indexed', async () => {
    const field = await addField(calls, 'x_paper', 'x_indexed', { index: true });
    await calls.value('ir.model.fields/write', { ids: [field], vals: { index: false } });
    await calls.value('ir.model.fields/write', { ids: [field], vals: { index: true } });
    const id = await calls.create('x_paper', { x_name: 'indexed', x_indexed: one });
    await calls.value('ir.model.fields/write', { ids: [field], vals: { index: true } });
    expect(await readFile('x_paper', id, 'x_indexed')).toBe(one);
    const workspace = app.main.ctx.workspace.id;
    const indexRows = await app.runtime.db.rows(
      sql`select 1 from ir_field_index where workspace_id = ${workspace} and field_id = ${field}`,
    );
    expect(indexRows).toEqual([]);
    await calls.value('x_paper/unlink', { ids: [id] });
    await calls.value('ir.model.fields/unlink', { ids: [field] });
  });

  test('are separate for each workspace, even if record and field ids are identical', async () => {
    const otherClient = createJsonClient(app, otherTenant.admin.key);
    const ownId = await calls.create('x_paper', { x_name: 'mine', x_file: one });
    const paper = await otherClient.create('x_paper', { x_name: 'theirs' });
    for (let id = paper; id < ownId; ) id = await otherClient.create('x_paper', { x_name: 'more' });
    expect(await otherClient.value('x_paper/search', { domain: [['x_file', '!=', false]] })).toEqual([]);
    await otherClient.value('x_paper/write', {
      ids: await otherClient.value('x_paper/search', { domain: [] }),
      vals: { x_file: two },
    });
    expect(await readFile('x_paper', ownId, 'x_file')).toBe(one);
    await otherClient.value('x_paper/unlink', {
      ids: await otherClient.value('x_paper/search', { domain: [] }),
    });
    expect(await readFile('x_paper', ownId, 'x_file')).toBe(one);
  });
});
