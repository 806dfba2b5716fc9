import { expect, test } from 'vitest';
import { setUp } from '../harness/set-up.ts';
import { openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);

const create = async (list: object[]): Promise<number[]> => lab.value('crm.lead/create', { vals_list: list });
const readGroups = (ids: number[], groupby: string[], aggregates: string[]) =>
  lab.value('crm.lead/formatted_read_group', { domain: [['id', 'in', ids]], groupby, aggregates });

test('returns an unset number as 0, and groups it with 0', async () => {
  const ids = await create([{ name: 'none' }, { name: 'false', color: false }, { name: 'zero', color: 0 }]);
  expect(await readGroups(ids, ['color'], ['__count'])).toEqual([
    { color: 0, __extra_domain: [['color', '=', 0]], __count: 3 },
  ]);
});

test('treats an amount set to false as 0 in averages, minimums, maximums and sorting', async () => {
  const ids = await create([
    { name: 'hundred', expected_revenue: 100 },
    { name: 'false', expected_revenue: false },
  ]);
  const aggregates = ['expected_revenue:avg', 'expected_revenue:min', 'expected_revenue:count'];
  expect((await readGroups(ids, [], aggregates))[0]).toMatchObject({
    'expected_revenue:avg': 50,
    'expected_revenue:min': 0,
    'expected_revenue:count': 2,
  });
  const order = 'expected_revenue desc';
  expect(await lab.value('crm.lead/search', { domain: [['id', 'in', ids]], order })).toEqual(ids);
  await lab.value('crm.lead/write', { ids: [ids[0]], vals: { expected_revenue: false } });
  expect((await readGroups(ids, [], ['expected_revenue:max']))[0]['expected_revenue:max']).toBe(0);
});

test('returns 0 for an unset record id, and finds the record by false', async () => {
  const [id] = await lab.value('ir.attachment/create', { vals_list: [{ name: 'free.txt' }] });
  expect(await lab.value('ir.attachment/read', { ids: [id], fields: ['res_id'] })).toEqual([
    { id, res_id: 0 },
  ]);
  const search = {
    domain: [
      ['res_id', '=', false],
      ['id', '=', id],
    ],
  };
  expect(await lab.value('ir.attachment/search', search)).toEqual([id]);
});

test('rounds a price to the precision that fields_get reports, and computes totals from the stored value', async () => {
  const infos = await lab.value('product.template/fields_get', {
    allfields: ['list_price'],
    attributes: ['digits'],
  });
  expect(infos.list_price.digits).toEqual([16, 2]);
  const vals_list = [{ name: 'Exact', list_price: 10.555, weight: '1.23456' }];
  const ids = await lab.value('product.template/create', { vals_list });
  const fields = ['list_price', 'weight', 'product_variant_id'];
  const [storedPrices] = await lab.value('product.template/read', { ids, fields });
  expect([storedPrices.list_price, storedPrices.weight]).toEqual([10.56, 1.23]);
  const [partner_id] = await lab.value('res.partner/create', { vals_list: [{ name: 'Buyer' }] });
  const line = {
    product_id: storedPrices.product_variant_id[0],
    product_uom_qty: 3,
    price_unit: 10.555,
    tax_ids: [[5]],
  };
  const [order] = await lab.value('sale.order/create', {
    vals_list: [{ partner_id, order_line: [[0, 0, line]] }],
  });
  const readCall = { ids: [order], fields: ['amount_untaxed'] };
  expect((await lab.value('sale.order/read', readCall))[0].amount_untaxed).toBe(31.68);
});

test('stores true as 1 in number fields', async () => {
  const [id] = await create([{ name: 'true', color: true, expected_revenue: true }]);
  const fields = ['color', 'expected_revenue'];
  expect(await lab.value('crm.lead/read', { ids: [id], fields })).toEqual([
    { id, color: 1, expected_revenue: 1 },
  ]);
});
