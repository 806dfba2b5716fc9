import { beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();
const admin = createJsonClient(app);
let customer: number;
beforeAll(async () => {
  customer = await admin.create('res.partner', { name: 'Careful Reader' });
});

const ABSENT_ID = 2_000_000_011;
const expectRejected = async (status: number, pattern: RegExp, method: string, body: object) => {
  const error = await admin.expectRejection(method, body);
  expect(error.message, method).toMatch(pattern);
  expect(error.status, error.message).toBe(status);
};
const buildCreateBody = (...list: unknown[]) => ({ vals_list: list });

describe('link errors', () => {
  test('name the field of a missing product in an order line', async () => {
    const lines = [[0, 0, { product_id: ABSENT_ID }]];
    const order = { partner_id: customer, order_line: lines };
    await expectRejected(404, /product_id/, 'sale.order/create', buildCreateBody(order));
  });

  test("name an attachment's unknown model or missing record", async () => {
    const file = { name: 'a.txt', raw: 'a' };
    const on = (res_model: string, res_id: number) => buildCreateBody({ ...file, res_model, res_id });
    await expectRejected(422, /unknown model 'x.nothing'/, 'ir.attachment/create', on('x.nothing', 1));
    expect(
      await admin.create('ir.attachment', { ...file, res_model: 'mail.compose.message', res_id: 0 }),
    ).toBeGreaterThan(0);
    await expectRejected(
      404,
      /res\.partner\(2000000011,\)/,
      'ir.attachment/create',
      on('res.partner', ABSENT_ID),
    );
    const id = await admin.create('ir.attachment', { ...file, res_model: 'res.partner', res_id: customer });
    const moved = { ids: [id], vals: { res_id: ABSENT_ID } };
    await expectRejected(404, /res\.partner\(2000000011,\)/, 'ir.attachment/write', moved);
  });

  test('reject moving an attachment to a hidden record', async () => {
    const user = createJsonClient(app, app.main.user.key);
    const id = await user.create('ir.attachment', { name: 'mine.txt', raw: 'mine' });
    const vals = { res_model: 'res.partner', res_id: customer };
    const error = await user.expectRejection('ir.attachment/write', { ids: [id], vals });
    expect(error).toMatchObject({ status: 403, name: 'odoo.exceptions.AccessError' });
    expect(
      await admin.value('ir.attachment/search_count', {
        domain: [
          ['name', '=', 'mine.txt'],
          ['res_id', '=', customer],
        ],
      }),
    ).toBe(0);
  });

  test('name the model and field that still refer to a record', async () => {
    await admin.create('sale.order', { partner_id: customer });
    const pattern = /Another model is using.*\(sale\.order\), in the field '[^']+' \(partner_\w*id\)/s;
    await expectRejected(422, pattern, 'res.partner/unlink', { ids: [customer] });
  });
});

describe('value errors', () => {
  test('name the field of a number that is out of range', async () => {
    for (const expected_revenue of [1e17, 2 ** 53, '9007199254740993', -(2 ** 53)])
      await expectRejected(
        422,
        /expected_revenue.*out of range. Amounts go up to 9007199254740991/,
        'crm.lead/create',
        buildCreateBody({ name: 'Big', expected_revenue }),
      );
    await expectRejected(422, /color/, 'res.partner/write', { ids: [customer], vals: { color: 2 ** 31 } });
  });

  test('name a readonly field and the methods that set it', async () => {
    const order = await admin.create('sale.order', { partner_id: customer });
    const state = { ids: [order], vals: { state: 'sale' } };
    await expectRejected(403, /\(state\).*readonly.*action_confirm/, 'sale.order/write', state);
    const total = { ids: [order], vals: { amount_total: 5 } };
    await expectRejected(403, /\(amount_total\).*readonly\.$/, 'sale.order/write', total);
  });

  test('are returned for a rule domain passed as a list only if it is invalid', async () => {
    const [model] = await admin.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
    const id = await admin.create('ir.rule', {
      name: 'as a list',
      model_id: model,
      domain_force: [['active', '=', true]],
    });
    expect(await admin.read('ir.rule', id, ['domain_force'])).toMatchObject({
      domain_force: '[["active","=",true]]',
    });
    const invalidArgs = { ids: [id], vals: { domain_force: [['nothing', '=', 1]] } };
    await expectRejected(422, /domain_force/, 'ir.rule/write', invalidArgs);
    await admin.value('ir.rule/unlink', { ids: [id] });
  });
});

describe('argument errors', () => {
  test('name the argument that has the wrong type', async () => {
    await expectRejected(422, /'vals_list'/, 'res.partner/create', { vals_list: 'x' });
    await expectRejected(422, /'vals_list'/, 'res.partner/create', { vals_list: [{ name: 'x' }, 5] });
    await expectRejected(422, /'vals'/, 'res.partner/write', { ids: [customer], vals: [] });
  });

  test('state the number of records and the maximum', async () => {
    const ids = Array.from({ length: limits.domain.values + 1 }, (_, index) => index + 1);
    const pattern = new RegExp(`too many records in one call: ${ids.length}\\b.*${limits.domain.values}`);
    await expectRejected(422, pattern, 'res.partner/read', { ids, fields: ['name'] });
  });

  test('are returned if an action gets no records', async () => {
    for (const method of ['crm.lead/action_set_won', 'crm.lead/action_set_lost', 'sale.order/action_confirm'])
      await expectRejected(422, /at least one record/, method, {});
    expect(await admin.value('res.partner/write', { vals: { name: 'x' } })).toBe(true);
    expect(await admin.value('res.partner/unlink', {})).toBe(true);
  });
});
