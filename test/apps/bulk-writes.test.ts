import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

// A write to several records must complete each of them like a separate write.

const app = setUpApp();
const admin = createJsonClient(app);
let context: object;
let companies: number[];
let partners: number[];
let product: number;
const create = async (model: string, values: object): Promise<number> =>
  (await admin.value(`${model}/create`, { vals_list: [values], context }))[0];

beforeAll(async () => {
  const [home] = await admin.value('res.company/search', { domain: [] });
  const abroad = await admin.create('res.company', { name: 'Abroad' });
  const branch = await admin.create('res.company', { name: 'Branch', parent_id: abroad });
  companies = [home, abroad, branch];
  await admin.value('res.users/write', {
    ids: [app.main.admin.id],
    vals: { company_ids: [[6, 0, companies]] },
  });
  context = { allowed_company_ids: companies };
  const [french] = await admin.value('res.lang/search', {
    ...{ domain: [['code', '=', 'fr_FR']], context: { active_test: false } },
  });
  await admin.value('res.lang/write', { ids: [french], vals: { active: true } });
  for (const company_id of [home, abroad])
    await create('product.pricelist', { name: `Prices ${company_id}`, company_id, sequence: 0 });
  const taxes = [];
  for (const company_id of [home, abroad])
    taxes.push(await create('account.tax', { name: `Tax ${company_id}`, amount: company_id, company_id }));
  product = await create('product.product', { name: 'Chair', taxes_id: [[6, 0, taxes]] });
  await admin.value('product.product/write', {
    ...{ ids: [product], vals: { name: 'Chaise' }, context: { ...context, lang: 'fr_FR' } },
  });
  const user_id = app.main.admin.id;
  partners = [
    await create('res.partner', { name: 'French', lang: 'fr_FR' }),
    await create('res.partner', { name: 'Other' }),
    await create('res.partner', { name: 'New', email: 'new@example.com', city: 'Ghent', user_id }),
  ];
});

const createOrders = async () => {
  const ids: number[] = [];
  for (const company_id of companies)
    for (const partner_id of partners.slice(0, 2))
      for (const user_id of [false, app.main.admin.id]) {
        const order_line = [[0, 0, { name: 'Work', price_unit: 5, product_uom_qty: 1 }]];
        ids.push(await create('sale.order', { partner_id, company_id, user_id, order_line }));
      }
  await admin.value('sale.order/action_quotation_sent', { ids: ids.slice(0, 2), context });
  return ids;
};

const createLines = async () => {
  const domain = [['order_id', 'in', await createOrders()]];
  return admin.value('sale.order.line/search', { domain, order: 'id', context });
};

const createLeads = async () => {
  const list = [{}, { email_from: 'own@example.com' }, { city: 'Own' }, { contact_name: 'Own' }];
  const vals_list = list.map((values) => ({ name: 'Lead', ...values }));
  return admin.value('crm.lead/create', { vals_list });
};

const ORDER_FIELDS = ['pricelist_id', 'currency_id', 'user_id', 'team_id', 'partner_invoice_id'];

test.each<[string, () => Promise<number[]>, () => object, string[], number]>([
  ['sale.order.line', createLines, () => ({ product_id: product }), ['name', 'tax_ids', 'price_total'], 4],
  ['sale.order', createOrders, () => ({ partner_id: partners[2] }), ORDER_FIELDS, 3],
  ['sale.order', createOrders, () => ({ pricelist_id: false }), ORDER_FIELDS, 2],
  ['crm.lead', createLeads, () => ({ partner_id: partners[2] }), ['email_from', 'city', 'contact_name'], 4],
])('completes each of several %s records', async (model, createRecords, buildValues, fields, kinds) => {
  const [together, apart] = [await createRecords(), await createRecords()];
  const vals = buildValues();
  await admin.value(`${model}/write`, { ids: together, vals, context });
  for (const id of apart) await admin.value(`${model}/write`, { ids: [id], vals, context });
  const readRows = async (ids: number[]) => {
    const rows = await admin.value(`${model}/read`, { ids, fields, load: null, context });
    return ids.map((id) => ({ ...rows.find((row: { id: number }) => row.id === id), id: null }));
  };
  const rows = await readRows(together);
  expect(rows).toEqual(await readRows(apart));
  expect(new Set(rows.map((row) => JSON.stringify(row))).size).toBeGreaterThanOrEqual(kinds);
});

test('changes none of several records if one of them does not exist or is rejected', async () => {
  const [draft, other] = await createOrders();
  const before = await admin.read('sale.order', draft!, ['partner_id', 'pricelist_id']);
  const vals = { partner_id: partners[2] };
  await admin.expectError(404, 'sale.order/write', { ids: [draft, 999_999], vals, context });
  await admin.value('sale.order.line/create', {
    vals_list: [{ order_id: other, name: 'Chair', product_id: product }],
    context,
  });
  await admin.value('sale.order/action_draft', { ids: [other], context });
  const domain = [
    ['order_id', '=', other],
    ['product_id', '=', false],
  ];
  const lines = await admin.value('sale.order.line/search', { domain, context });
  await admin.value('sale.order.line/unlink', { ids: lines, context });
  await admin.value('sale.order/action_confirm', { ids: [other], context });
  await admin.expectError(422, 'sale.order/write', {
    ...{ ids: [draft, other], vals: { ...vals, pricelist_id: false }, context },
  });
  expect(await admin.read('sale.order', draft!, ['partner_id', 'pricelist_id'])).toEqual(before);
});

test("a branch's lines have the taxes of the parent company", async () => {
  const [, abroad, branch] = companies;
  const readTaxes = async (company_id: number) => {
    const order_line = [[0, 0, { product_id: product }]];
    const order_id = await create('sale.order', { partner_id: partners[0], company_id, order_line });
    const lines = { domain: [['order_id', '=', order_id]], fields: ['tax_ids'], context };
    return (await admin.value('sale.order.line/search_read', lines))[0].tax_ids;
  };
  expect(await readTaxes(branch!)).toEqual(await readTaxes(abroad!));
  expect(await readTaxes(branch!)).toHaveLength(1);
});

test('the form of a stored line reports taxes only if they change', async () => {
  const untaxed = await create('product.product', { name: 'Untaxed' });
  const order_line = [[0, 0, { product_id: product }]];
  const order_id = await create('sale.order', { partner_id: partners[1], order_line });
  const [line] = await admin.value('sale.order.line/search', {
    domain: [['order_id', '=', order_id]],
    context,
  });
  const [{ tax_ids }] = await admin.value('sale.order.line/read', {
    ids: [line],
    fields: ['tax_ids'],
    context,
  });
  const preview = async (values: object) => {
    const form = { ids: [line], values, field_names: Object.keys(values), fields_spec: { tax_ids: {} } };
    return (await admin.value('sale.order.line/onchange', { ...form, context })).value;
  };
  expect(tax_ids).toHaveLength(1);
  for (const values of [
    { product_uom_qty: 3 },
    { tax_ids: [[6, 0, tax_ids]] },
    { tax_ids: [[4, tax_ids[0]]] },
  ])
    expect(await preview(values), JSON.stringify(values)).toEqual({});
  expect(await preview({ product_id: untaxed })).toEqual({ tax_ids: [[6, 0, []]] });
});

test('another company sets the pricelist of drafts, and the taxes of all orders', async () => {
  const [home, abroad] = companies;
  const order_line = [[0, 0, { product_id: product }]];
  const createOrder = (company_id: number) =>
    create('sale.order', { partner_id: partners[1], company_id, order_line });
  const readOrder = async (id: number) => {
    const fields = ['pricelist_id', 'currency_id', 'amount_tax'];
    const [order] = await admin.value('sale.order/read', { ids: [id], fields, load: null, context });
    const lines = { domain: [['order_id', '=', id]], fields: ['tax_ids'], context };
    return {
      ...order,
      id: null,
      taxes: (await admin.value('sale.order.line/search_read', lines))[0].tax_ids,
    };
  };
  const [draft, sent] = [await createOrder(home!), await createOrder(home!)];
  await admin.value('sale.order/action_quotation_sent', { ids: [sent], context });
  const before = await readOrder(sent);
  const other = await readOrder(await createOrder(abroad!));
  expect(other).not.toEqual(before);
  const values = { company_id: abroad };
  const form = { ids: [draft], values, field_names: ['company_id'], fields_spec: { pricelist_id: {} } };
  const { value } = await admin.value('sale.order/onchange', { ...form, context });
  expect(value).toEqual({ pricelist_id: other.pricelist_id });
  await admin.value('sale.order/write', { ids: [draft, sent], vals: values, context });
  expect(await readOrder(draft)).toEqual(other);
  const { pricelist_id, currency_id } = before;
  expect(await readOrder(sent)).toEqual({ ...other, pricelist_id, currency_id });
});
