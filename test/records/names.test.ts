import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();
const admin = createJsonClient(app);

test('every model returns display names and supports searching by them', async () => {
  await admin.create('product.product', { name: 'Desk', default_code: 'DESK-160' });
  const models = await admin.value('ir.model/search_read', { domain: [], fields: ['model'] });
  expect(models.length).toBeGreaterThan(50);
  for (const { model } of models) {
    const rows = await admin.value(`${model}/search_read`, {
      domain: [],
      fields: ['display_name'],
      limit: 3,
    });
    for (const { id, display_name } of rows) {
      expect(display_name, model).toBeTypeOf('string');
      for (const operator of display_name ? ['=', 'ilike'] : []) {
        const domain = [
          ['id', '=', id],
          ['display_name', operator, display_name],
        ];
        const found = await admin.value(`${model}/search`, { domain, context: { active_test: false } });
        expect([model, operator, display_name, found]).toEqual([model, operator, display_name, [id]]);
      }
    }
    expect(await admin.value(`${model}/name_search`, { name: 'no such name at all' }), model).toEqual([]);
  }
});

test('imports and searches find a product by its code and name', async () => {
  const name = '[TABLE-9] Table';
  const id = await admin.create('product.product', { name: 'Table', default_code: 'TABLE-9' });
  const other = await admin.create('product.product', { name: 'Table' });
  await admin.create('product.product', { name: 'Round table', default_code: 'TABLE-9', active: false });
  for (const operator of ['=', 'ilike', '=ilike'])
    expect(await admin.value('product.product/name_search', { name, operator })).toEqual([[id, name]]);
  const partner = await admin.create('res.partner', { name: 'Buyer' });
  const { ids, messages } = await admin.value('sale.order/load', {
    fields: ['partner_id/.id', 'order_line/product_id'],
    data: [[String(partner), name]],
  });
  expect(messages).toEqual([]);
  const domain = [['order_id', 'in', ids]];
  expect(await admin.value('sale.order.line/search_read', { domain, fields: ['product_id'] })).toMatchObject([
    { product_id: [id, name] },
  ]);
  expect(
    await admin.value('product.product/search', {
      domain: [
        ['display_name', 'not ilike', name],
        ['name', '=', 'Table'],
      ],
    }),
  ).toEqual([other]);
});

test("a currency rate's display name is its date", async () => {
  const [currency_id] = await admin.value('res.currency/search', { domain: [], limit: 1 });
  const id = await admin.create('res.currency.rate', { currency_id, name: '2026-03-01', rate: 2 });
  const [rate] = await admin.value('res.currency.rate/read', { ids: [id], fields: ['display_name'] });
  expect(rate.display_name).toBe('2026-03-01');
  expect(await admin.value('res.currency.rate/name_search', { name: '2026-03-01', operator: '=' })).toEqual([
    [id, '2026-03-01'],
  ]);
  const query = '{ resCurrencyRates { nodes { displayName } } }';
  const { data } = await postGraphql(app, query, { key: app.main.admin.key });
  expect(data.resCurrencyRates.nodes).toContainEqual({ displayName: '2026-03-01' });
});

test('an empty name matches every record, and a negated empty name matches none', async () => {
  const all = await admin.value('res.country/search_count', { domain: [] });
  for (const [operator, expected] of [
    ['ilike', all],
    ['like', all],
    ['not ilike', 0],
    ['not like', 0],
  ] as [string, number][]) {
    const namePairs = await admin.value('res.country/name_search', { name: '', operator, limit: 0 });
    expect([operator, namePairs.length]).toEqual([operator, expected]);
    const domain = [['display_name', operator, '']];
    expect([operator, await admin.value('res.country/search_count', { domain })]).toEqual([
      operator,
      expected,
    ]);
  }
});
