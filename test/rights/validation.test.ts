import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createScene, loadRows } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
let partner: number;

beforeAll(async () => {
  const userGroup = await scene.groupId('base.group_user');
  await scene.addModel('x_target', [], userGroup);
  await scene.addModel(
    'x_item',
    [
      { name: 'x_short', ttype: 'char', size: 5 },
      { name: 'x_must', ttype: 'char', required: true },
      { name: 'x_kind', ttype: 'selection', selection: "[('a', 'A'), ('b', 'B')]" },
      { name: 'x_fixed', ttype: 'char', readonly: true },
      { name: 'x_partner_id', ttype: 'many2one', relation: 'res.partner' },
      { name: 'x_target_id', ttype: 'many2one', relation: 'x_target' },
      { name: 'x_model_id', ttype: 'many2one', relation: 'ir.model' },
      { name: 'x_keeps_id', ttype: 'many2one', relation: 'x_target', on_delete: 'restrict' },
      { name: 'x_goes_id', ttype: 'many2one', relation: 'x_target', on_delete: 'cascade' },
      { name: 'x_need_id', ttype: 'many2one', relation: 'res.partner', on_delete: 'restrict' },
      { name: 'x_under_id', ttype: 'many2one', relation: 'res.partner', on_delete: 'cascade' },
      { name: 'x_up_id', ttype: 'many2one', relation: 'x_item', on_delete: 'cascade' },
      { name: 'x_tag_ids', ttype: 'many2many', relation: 'res.partner.category' },
    ],
    userGroup,
  );
  partner = await scene.create('res.partner', { name: 'Partner' });
});

const TABLES = ['ir_record', 'ir_record_link', 'res_partner', 'crm_tag', 'res_country', 'res_currency'];

async function expectRejected(status: number, path: string, body: object, token: RegExp): Promise<void> {
  const before = await loadRows(app, app.main, ...TABLES);
  const answer = await json2(app, path, body, app.main.admin.key);
  expect(answer.status, answer.text).toBe(status);
  expect(answer.json().message).toMatch(token);
  expect(answer.json().message).not.toMatch(/ir_record|constraint|_pkey|_fkey|violates|workspace/);
  expect(await loadRows(app, app.main, ...TABLES)).toBe(before);
}

const createItem = (values: object = {}) =>
  scene.create('x_item', { x_name: 'item', x_must: 'm', ...values });

describe('stored values', () => {
  const cases: [string, string, object, number, RegExp][] = [
    ['too long', 'x_item', { x_short: 'longer' }, 422, /x_short.*5/],
    ['too long, in letters of two units', 'x_item', { x_short: '😀😀😀😀😀😀' }, 422, /x_short/],
    ['required and unset', 'x_item', { x_must: false }, 422, /X Must.*x_must/],
    ['required and blank', 'x_item', { x_must: '  ' }, 422, /x_must/],
    ['none of the options', 'x_item', { x_kind: 'c' }, 422, /x_kind/],
    ['the label of an option', 'x_item', { x_kind: 'A' }, 422, /x_kind/],
    ['of a readonly field', 'x_item', { x_fixed: 'x' }, 403, /x_fixed/],
    ['a link nowhere, to a table', 'x_item', { x_partner_id: 2_000_000_011 }, 404, /x_partner_id/],
    ['a link nowhere, to a custom model', 'x_item', { x_target_id: 2_000_000_011 }, 404, /x_target_id/],
    ['a link nowhere, to models', 'x_item', { x_model_id: 2_000_000_011 }, 404, /x_model_id/],
    ['a link of a wrong form', 'x_item', { x_target_id: [1, 'One'] }, 422, /x_target_id/],
    ['a link below zero', 'x_item', { x_target_id: -1 }, 404, /x_target_id/],
    ['a link that is zero', 'x_item', { x_target_id: 0 }, 404, /x_target_id/],
    ['a link nowhere with a key', 'res.partner', { country_id: 2_000_000_011 }, 404, /country_id/],
    ['the model of a right nowhere', 'ir.model.access', { model_id: 2_000_000_011 }, 404, /model_id/],
    ['too long for its column', 'res.country', { code: 'ABC' }, 422, /code.*2/],
    ['required in a column', 'res.partner', { name: false }, 422, /name/],
    ['none of the options of a column', 'res.partner', { type: 'nope' }, 422, /type/],
  ];
  const validValues: Record<string, object> = {
    x_item: { x_name: 'n', x_must: 'm' },
    'res.partner': { name: 'n' },
    'ir.model.access': { name: 'n' },
    'res.country': { name: 'Nowhere' },
  };

  test.each(cases)('are rejected if invalid: %s (%s)', async (_what, model, values, status, token) => {
    await expectRejected(
      status,
      `${model}/create`,
      { vals_list: [{ ...validValues[model], ...values }] },
      token,
    );
    const [recordId] = await scene.admin.value(`${model}/search`, { domain: [], limit: 1 });
    const id = model === 'x_item' ? await createItem() : recordId;
    await expectRejected(status, `${model}/write`, { ids: [id], vals: values }, token);
  });

  test('can have the maximum length, and must include required values', async () => {
    expect(
      await scene.admin.row('x_item', await createItem({ x_short: '12345' }), ['x_short']),
    ).toMatchObject({
      x_short: '12345',
    });
    await expectRejected(422, 'x_item/create', { vals_list: [{ x_name: 'n' }] }, /x_must/);
  });

  test('cannot link to a record of another model', async () => {
    const target = await scene.create('x_target', { x_name: 't' });
    await expectRejected(
      404,
      'x_item/create',
      { vals_list: [{ x_must: 'm', x_up_id: target }] },
      /x_up_id|Record does not exist/,
    );
    const itemId = await createItem();
    await expectRejected(404, 'x_target/write', { ids: [itemId], vals: { x_name: 'x' } }, /x_target/);
    await expectRejected(404, 'x_target/unlink', { ids: [itemId] }, /x_target/);
    expect(await scene.admin.value('x_target/read', { ids: [itemId], fields: ['x_name'] })).toEqual([]);
  });
});

describe('unique values', () => {
  test('are enforced for creates and writes, with an error that names the field', async () => {
    await scene.create('crm.tag', { name: 'taken' });
    const freeTag = await scene.create('crm.tag', { name: 'free' });
    await expectRejected(422, 'crm.tag/create', { vals_list: [{ name: 'taken' }] }, /Tag Name|name/);
    await expectRejected(
      422,
      'crm.tag/create',
      { vals_list: [{ name: 'x' }, { name: 'taken' }] },
      /already exists/,
    );
    await expectRejected(
      422,
      'crm.tag/create',
      { vals_list: [{ name: 'y' }, { name: 'y' }] },
      /already exists/,
    );
    await expectRejected(422, 'crm.tag/write', { ids: [freeTag], vals: { name: 'taken' } }, /already exists/);
    await scene.admin.value('crm.tag/write', { ids: [freeTag], vals: { name: 'free' } });
  });

  test('are enforced per workspace', async () => {
    const otherScene = createScene(app, await app.tenant('other'));
    await scene.create('crm.tag', { name: 'everywhere' });
    expect(await otherScene.create('crm.tag', { name: 'everywhere' })).toBeGreaterThan(0);
    const values = { login: 'twin', name: 'Twin' };
    await scene.create('res.users', values);
    await otherScene.create('res.users', values);
    await scene.admin.expectError(422, 'res.users/create', { vals_list: [values] });
  });
});

describe('deleting a linked record', () => {
  const expectDeleted = async (model: string, id: number) => {
    expect(await scene.admin.value(`${model}/unlink`, { ids: [id] })).toBe(true);
  };

  test.each([
    ['a custom model', 'x_target', 'x_target_id', { x_name: 't' }],
    ['a table', 'res.partner', 'x_partner_id', { name: 't' }],
  ])('clears a custom field that links to %s', async (_what, model, field, values) => {
    const target = await scene.create(model, values);
    const holder = await createItem({ [field]: target });
    const [{ write_date: before }] = await scene.admin.value('x_item/read', { ids: [holder] });
    await expectDeleted(model, target);
    const row = await scene.admin.row('x_item', holder, [field, 'x_must', 'write_date']);
    expect(row).toEqual({ id: holder, [field]: false, x_must: 'm', write_date: before });
    expect(
      await scene.admin.value('x_item/search', {
        domain: [
          ['id', '=', holder],
          [field, '=', false],
        ],
      }),
    ).toEqual([holder]);
  });

  test.each([
    ['a custom model', 'x_target', 'x_keeps_id', { x_name: 't' }],
    ['a table', 'res.partner', 'x_need_id', { name: 't' }],
  ])('is rejected if a restricting custom field links to %s', async (_what, model, field, values) => {
    const target = await scene.create(model, values);
    const holder = await createItem({ [field]: target });
    await expectRejected(422, `${model}/unlink`, { ids: [target] }, /Another model is using.*x_item/s);
    await scene.admin.value('x_item/write', { ids: [holder], vals: { [field]: false } });
    await expectDeleted(model, target);
  });

  test.each([
    ['a custom model', 'x_target', 'x_goes_id', { x_name: 't' }],
    ['a table', 'res.partner', 'x_under_id', { name: 't' }],
  ])(
    'deletes records whose cascading custom field links to %s, and their children',
    async (_what, model, field, values) => {
      const target = await scene.create(model, values);
      const holder = await createItem({ [field]: target });
      const tag = await scene.create('res.partner.category', { name: `of ${field}` });
      const child = await createItem({ x_up_id: holder, x_tag_ids: [[4, tag]] });
      await expectDeleted(model, target);
      expect(await scene.admin.value('x_item/search', { domain: [['id', 'in', [holder, child]]] })).toEqual(
        [],
      );
      const links = await app.runtime.db.rows(
        sql`select 1 from ir_record_link where workspace_id = ${app.main.ctx.workspace.id} and self_id = ${child}`,
      );
      expect(links).toEqual([]);
    },
  );

  test('is rejected if a cascaded record is required elsewhere', async () => {
    const target = await scene.create('x_target', { x_name: 'base' });
    const holder = await createItem({ x_goes_id: target });
    const otherId = await scene.create('x_target', { x_name: 'other' });
    await createItem({ x_up_id: holder, x_keeps_id: target });
    await expectDeleted('x_target', otherId);
    await expectRejected(422, 'x_target/unlink', { ids: [target] }, /x_item/);
  });

  test('supports records that refer to themselves or each other', async () => {
    const self = await createItem();
    await scene.admin.value('x_item/write', { ids: [self], vals: { x_up_id: self } });
    await expectDeleted('x_item', self);
    const ring = [await createItem(), await createItem(), await createItem()];
    for (const [n, id] of ring.entries())
      await scene.admin.value('x_item/write', { ids: [id], vals: { x_up_id: ring[(n + 1) % 3] } });
    await expectDeleted('x_item', ring[1]!);
    expect(await scene.admin.value('x_item/search', { domain: [['id', 'in', ring]] })).toEqual([]);
  });

  test('removes many2many links in both directions', async () => {
    const tag = await scene.create('res.partner.category', { name: 'both' });
    const holder = await createItem({ x_tag_ids: [[4, tag]] });
    await expectDeleted('res.partner.category', tag);
    expect((await scene.admin.row('x_item', holder, ['x_tag_ids'])).x_tag_ids).toEqual([]);
    const links = await app.runtime.db.rows(
      sql`select 1 from ir_record_link where workspace_id = ${app.main.ctx.workspace.id} and other_id = ${tag}`,
    );
    expect(links).toEqual([]);
  });

  test('is rejected, clears the link or cascades, as the foreign key specifies', async () => {
    const company = await scene.create('res.partner', { name: 'Company' });
    await scene.create('res.partner', { name: 'Person', parent_id: company });
    await expectRejected(422, 'res.partner/unlink', { ids: [company] }, /Another model is using/);
    const industry = await scene.create('res.partner.industry', { name: 'Cork' });
    const workingId = await scene.create('res.partner', { name: 'Works', industry_id: industry });
    await expectDeleted('res.partner.industry', industry);
    expect((await scene.admin.row('res.partner', workingId, ['industry_id'])).industry_id).toBe(false);
    const top = await scene.create('res.partner.category', { name: 'top' });
    const low = await scene.create('res.partner.category', { name: 'low', parent_id: top });
    await expectDeleted('res.partner.category', top);
    expect(await scene.admin.value('res.partner.category/search', { domain: [['id', '=', low]] })).toEqual(
      [],
    );
  });

  test("checks the caller's rights only for the record itself, not for cascaded ones", async () => {
    const group = await scene.addGroup('Cleaner');
    const cleaner = await scene.addPerson('cleaner', [group]);
    await scene.addModel('x_own', [{ name: 'x_of_id', ttype: 'many2one', relation: 'x_target' }], false);
    const target = await scene.create('x_target', { x_name: 'hung on' });
    const holder = await scene.create('x_own', { x_name: 'hidden', x_of_id: target });
    await cleaner.expectError(403, 'x_own/search', { domain: [] });
    expect(await cleaner.value('x_target/unlink', { ids: [target] })).toBe(true);
    expect((await scene.admin.row('x_own', holder, ['x_of_id'])).x_of_id).toBe(false);
    expect(partner).toBeGreaterThan(0);
  });
});
