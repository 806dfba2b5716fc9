import { beforeAll, describe, expect, test } from 'vitest';
import { product } from '../../apps/product/app.ts';
import { sale } from '../../apps/sale/app.ts';
import { computeLineAmounts, type LineTax } from '../../apps/sale/line-amounts.ts';
import { findConfirmError } from '../../apps/sale/order-state.ts';
import { buildSequenceNames, getDateParts } from '../../src/engine/value/sequence-name.ts';
import { setUpApp } from '../harness/app.ts';
import { freezeClockAtNoon } from '../harness/clock.ts';
import { createJsonClient, json2 } from '../harness/facades/json2.ts';
import { addMember } from './member.ts';

const app = setUpApp();
const admin = createJsonClient(app);
let customer: number;
let tax: number;
let chair: number;
beforeAll(async () => {
  customer = await admin.create('res.partner', { name: 'Porto Cork Works', is_company: true });
  tax = await admin.create('account.tax', { name: '21%', amount: 21 });
  chair = await admin.create('product.product', {
    name: 'Chair',
    default_code: 'CH-1',
    list_price: 100,
    description_sale: 'With arms',
    taxes_id: [[6, 0, [tax]]],
  });
});

const TOTALS = ['amount_untaxed', 'amount_tax', 'amount_total'];
const buildLine = (values: object) => [0, 0, { product_id: chair, ...values }];
const createOrder = (...lines: unknown[]) =>
  admin.create('sale.order', { partner_id: customer, order_line: lines });

test('returns amounts without trailing zeros', async () => {
  const id = await createOrder(buildLine({ product_uom_qty: 3, price_unit: 140.5 }));
  const call = (method: string, body: object) =>
    json2(app, method, body, app.main.admin.key).then((answer) => answer.text);
  const lines = { domain: [['order_id', '=', id]], fields: ['price_subtotal', 'price_reduce_taxexcl'] };
  const orderLines = await call('sale.order.line/search_read', lines);
  expect(orderLines).toMatch(/"price_subtotal":421\.5,"price_reduce_taxexcl":140\.5\}/);
  expect(await call('sale.order/read', { ids: [id], fields: ['amount_untaxed', 'amount_tax'] })).toMatch(
    /"amount_untaxed":421\.5,"amount_tax":88\.52\}/,
  );
  const lead = await admin.create('crm.lead', { name: 'Hundred', expected_revenue: 100 });
  expect(await call('crm.lead/read', { ids: [lead], fields: ['expected_revenue'] })).toMatch(
    /"expected_revenue":100\.0\}/,
  );
});

describe('a new sales order', () => {
  test("gets the next sequence number and its customer's defaults", async () => {
    const names = [];
    for (const id of [await createOrder(), await createOrder()])
      names.push((await admin.read('sale.order', id, ['name'])).name);
    expect(names[0]).toMatch(/^S\d{5}$/);
    expect(Number(names[1].slice(1))).toBe(Number(names[0].slice(1)) + 1);
    const id = await createOrder();
    const [order] = await admin.value('sale.order/read', { ids: [id] });
    expect(order).toMatchObject({
      state: 'draft',
      locked: false,
      partner_id: [customer, 'Porto Cork Works'],
      partner_invoice_id: [customer, 'Porto Cork Works'],
      partner_shipping_id: [customer, 'Porto Cork Works'],
      user_id: [app.main.admin.id, 'admin'],
      team_id: [expect.any(Number), 'Sales'],
      currency_id: [expect.any(Number), 'EUR'],
      pricelist_id: false,
      amount_total: 0,
      invoice_status: 'no',
      order_line: [],
      type_name: 'Quotation',
    });
    expect(order.validity_date).toMatch(/^\d{4}-\d\d-\d\d$/);
  });

  test("uses the customer's invoice and delivery addresses", async () => {
    const company = await admin.create('res.partner', {
      name: 'Big',
      is_company: true,
      child_ids: [
        [0, 0, { name: 'Accounts', type: 'invoice' }],
        [0, 0, { name: 'Dock', type: 'delivery' }],
      ],
    });
    const id = await admin.create('sale.order', { partner_id: company });
    const [order] = await admin.value('sale.order/read', {
      ids: [id],
      fields: ['partner_invoice_id', 'partner_shipping_id'],
    });
    expect(order.partner_invoice_id[1]).toContain('Accounts');
    expect(order.partner_shipping_id[1]).toContain('Dock');
    await admin.value('sale.order/write', { ids: [id], vals: { partner_id: customer } });
    expect(await admin.read('sale.order', id, ['partner_invoice_id'])).toMatchObject({
      partner_invoice_id: customer,
    });
  });

  test('takes the pricelist of its new customer while it is a draft, and the team of its new salesperson', async () => {
    const [draft, sent, priced] = [await createOrder(), await createOrder(), await createOrder()];
    const seller = await addMember(app, app.main, 'mover', ['sales_team.group_sale_salesman']);
    const members = { member_ids: [[6, 0, [seller.id]]] };
    const team = await admin.create('crm.team', { name: 'Movers', sequence: 90, ...members });
    const [usd] = await admin.value('res.currency/search', {
      ...{ domain: [['name', '=', 'USD']], context: { active_test: false } },
    });
    await admin.value('res.currency/write', { ids: [usd], vals: { active: true } });
    const pricelist = await admin.create('product.pricelist', {
      name: 'Own',
      sequence: 99,
      currency_id: usd,
    });
    const buyer = await admin.create('res.partner', {
      name: 'Other buyer',
      property_product_pricelist: pricelist,
    });
    await admin.value('sale.order/action_quotation_sent', { ids: [sent] });
    const fields = ['partner_id', 'pricelist_id', 'currency_id'];
    const { id: _id, ...before } = await admin.read('sale.order', sent, fields);
    const form = { ids: [draft], values: { partner_id: buyer }, field_names: ['partner_id'] };
    const fields_spec = { pricelist_id: {}, currency_id: {}, team_id: {} };
    expect((await admin.value('sale.order/onchange', { ...form, fields_spec })).value).toEqual({
      ...{ pricelist_id: pricelist, currency_id: usd },
    });
    await admin.value('sale.order/write', { ids: [draft, sent], vals: { partner_id: buyer } });
    const followed = { partner_id: buyer, pricelist_id: pricelist, currency_id: usd };
    expect(await admin.read('sale.order', draft, fields)).toMatchObject(followed);
    expect(await admin.read('sale.order', sent, fields)).toMatchObject({ ...before, partner_id: buyer });
    await admin.value('sale.order/write', {
      ids: [priced],
      vals: { partner_id: buyer, pricelist_id: false },
    });
    expect(await admin.read('sale.order', priced, fields)).toMatchObject({ ...before, partner_id: buyer });
    await admin.value('sale.order/write', { ids: [draft, sent], vals: { user_id: seller.id } });
    for (const id of [draft, sent])
      expect(await admin.read('sale.order', id, ['user_id', 'team_id'])).toMatchObject({
        ...{ user_id: seller.id, team_id: team },
      });
    await admin.value('crm.team/write', { ids: [team], vals: { active: false } });
    await admin.value('product.pricelist/write', { ids: [pricelist], vals: { active: false } });
  });

  test('requires a customer', async () => {
    const error = await admin.expectRejection('sale.order/create', { vals_list: [{}] });
    expect(error.status).toBe(422);
    expect(error.message).toContain('partner_id');
  });

  test('accepts an explicit name among a hundred numbered orders in one call', async () => {
    const vals_list = Array.from({ length: 100 }, () => ({ partner_id: customer }));
    const ids = await admin.value('sale.order/create', {
      vals_list: [...vals_list, { partner_id: customer, name: 'X-1' }],
    });
    const names = (await admin.value('sale.order/read', { ids, fields: ['name'] })).map(
      (item: { name: string }) => item.name,
    );
    expect(new Set(names).size).toBe(101);
    expect(names.at(-1)).toBe('X-1');
  });

  test('becomes a quotation with the same lines and a new name when copied', async () => {
    const id = await createOrder(buildLine({ product_uom_qty: 2, price_unit: 9 }), [
      0,
      0,
      { display_type: 'line_note', name: 'Soon' },
    ]);
    await admin.value('sale.order/action_confirm', { ids: [id] });
    const [copy] = await admin.value('sale.order/copy', { ids: [id] });
    const [before, after] = await admin.value('sale.order/read', {
      ids: [id, copy],
      fields: ['name', 'state', 'amount_total', 'order_line'],
    });
    expect(after).toMatchObject({
      state: 'draft',
      amount_total: 21.78,
      order_line: [expect.any(Number), expect.any(Number)],
    });
    expect(after.name).toMatch(/^S\d{5}$/);
    expect(after.name).not.toBe(before.name);
  });

  test('gets a unique number even if orders are created concurrently', async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => createOrder()));
    const rows = await admin.value('sale.order/read', { ids, fields: ['name'] });
    expect(new Set(rows.map((row: { name: string }) => row.name)).size).toBe(12);
  });
});

describe('the validity of a quotation', () => {
  freezeClockAtNoon();

  test("ends at midnight in the user's time zone", async () => {
    const validity_date = new Date().toISOString().slice(0, 10);
    const id = await admin.create('sale.order', { partner_id: customer, validity_date });
    const isExpired = async (tz: string) => {
      const args = { ids: [id], fields: ['is_expired'], context: { tz } };
      return (await admin.value('sale.order/read', args))[0].is_expired;
    };
    // Noon UTC is 2 a.m. on the next day in the first time zone.
    const zones = ['Pacific/Kiritimati', 'Pacific/Pago_Pago'];
    expect(await Promise.all(zones.map(isExpired))).toEqual([true, false]);
    const defaults = await Promise.all(
      zones.map((tz) =>
        admin.value('sale.order/default_get', { fields: ['validity_date'], context: { tz } }),
      ),
    );
    const days = defaults.map(
      (values) => (Date.parse(values.validity_date) - Date.parse(validity_date)) / 86_400_000,
    );
    expect(days).toEqual([31, 30]);
  });
});

describe('an order line', () => {
  test('takes defaults from its product and computes its amounts', async () => {
    const id = await createOrder(
      buildLine({ product_uom_qty: 3 }),
      buildLine({ price_unit: 19.99, discount: 10, tax_ids: [[5]] }),
    );
    expect(await admin.read('sale.order', id, TOTALS)).toMatchObject({
      amount_untaxed: 317.99,
      amount_tax: 63,
      amount_total: 380.99,
    });
    const [first] = await admin.value('sale.order.line/search_read', {
      domain: [['order_id', '=', id]],
      fields: [
        'name',
        'price_unit',
        'price_subtotal',
        'price_tax',
        'price_total',
        'tax_ids',
        'product_uom_id',
        'product_template_id',
        'state',
        'currency_id',
      ],
    });
    expect(first).toMatchObject({
      name: '[CH-1] Chair\nWith arms',
      price_unit: 100,
      price_subtotal: 300,
      price_tax: 63,
      price_total: 363,
      tax_ids: [tax],
      product_uom_id: [expect.any(Number), 'Units'],
      product_template_id: [expect.any(Number), '[CH-1] Chair'],
      state: 'draft',
      currency_id: [expect.any(Number), 'EUR'],
    });
  });

  test("is described in the customer's language", async () => {
    const [french] = await admin.value('res.lang/search', {
      domain: [['code', '=', 'fr_FR']],
      context: { active_test: false },
    });
    await admin.value('res.lang/write', { ids: [french], vals: { active: true } });
    const { product_tmpl_id: template } = await admin.row('product.product', chair, ['product_tmpl_id']);
    await admin.value('product.template/write', {
      ids: [template[0]],
      vals: { name: 'Chaise', description_sale: 'Avec accoudoirs' },
      context: { lang: 'fr_FR' },
    });
    const describeLine = async (partner: number): Promise<string> => {
      const id = await admin.create('sale.order', { partner_id: partner, order_line: [buildLine({})] });
      const domain = [['order_id', '=', id]];
      return (await admin.value('sale.order.line/search_read', { domain, fields: ['name'] }))[0].name;
    };
    const amelie = await admin.create('res.partner', { name: 'Amélie', lang: 'fr_FR' });
    expect(await describeLine(amelie)).toBe('[CH-1] Chaise\nAvec accoudoirs');
    expect(await describeLine(customer)).toBe('[CH-1] Chair\nWith arms');
  });

  test('updates the totals after every change', async () => {
    const id = await createOrder(buildLine({}), buildLine({ product_uom_qty: 2 }));
    const readTotal = async () => (await admin.read('sale.order', id, TOTALS)).amount_total;
    const [one, two] = await admin.value('sale.order.line/search', { domain: [['order_id', '=', id]] });
    expect(await readTotal()).toBe(363);
    await admin.value('sale.order.line/write', { ids: [one], vals: { product_uom_qty: 5 } });
    expect(await readTotal()).toBe(847);
    await admin.value('sale.order/write', {
      ids: [id],
      vals: { order_line: [[1, two, { discount: 50 }], buildLine({ price_unit: 1, tax_ids: [[6, 0, []]] })] },
    });
    expect(await readTotal()).toBe(727);
    await admin.value('sale.order.line/write', { ids: [one], vals: { tax_ids: [[5, 0, 0]] } });
    expect(await readTotal()).toBe(622);
    await admin.value('sale.order/write', { ids: [id], vals: { order_line: [[2, one]] } });
    expect(await readTotal()).toBe(122);
    await admin.value('sale.order.line/unlink', { ids: [two] });
    expect(await readTotal()).toBe(1);
  });

  test('has no price if it is a section or note', async () => {
    const id = await createOrder([0, 0, { display_type: 'line_section', name: 'Furniture' }], buildLine({}));
    expect(await admin.read('sale.order', id, TOTALS)).toMatchObject({ amount_total: 121 });
    expect(
      (
        await admin.expectRejection('sale.order/write', {
          ids: [id],
          vals: { order_line: [buildLine({ display_type: 'line_note', name: 'x' })] },
        })
      ).status,
    ).toBe(422);
  });

  test('remains a section, a note or a product line', async () => {
    const id = await createOrder([0, 0, { display_type: 'line_section', name: 'Furniture' }], buildLine({}));
    const [section, line] = await admin.value('sale.order.line/search', { domain: [['order_id', '=', id]] });
    for (const [lineId, vals] of [
      [line, { display_type: 'line_note' }],
      [line, { display_type: 'line_section', product_id: false, price_unit: 0 }],
      [section, { display_type: false }],
      [section, { display_type: 'line_note' }],
      [section, { product_id: chair }],
      [section, { price_unit: 5 }],
    ])
      await admin.expectError(422, 'sale.order.line/write', { ids: [lineId], vals });
    await admin.value('sale.order.line/write', {
      ids: [section],
      vals: { display_type: 'line_section', name: 'Chairs', price_unit: 0, product_id: false },
    });
    expect(await admin.read('sale.order', id, TOTALS)).toMatchObject({ amount_total: 121 });
  });

  test("is priced by the order's pricelist in its own unit of measure", async () => {
    const pricelist = await admin.create('product.pricelist', {
      name: 'Resellers',
      sequence: 99,
      active: false,
      item_ids: [[0, 0, { min_quantity: 12, compute_price: 'percentage', percent_price: 20 }]],
    });
    const [dozen] = await admin.value('uom.uom/search', { domain: [['name', '=', 'Dozens']] });
    const id = await admin.create('sale.order', {
      partner_id: customer,
      pricelist_id: pricelist,
      order_line: [
        buildLine({ product_uom_qty: 11 }),
        buildLine({ product_uom_qty: 12 }),
        buildLine({ product_uom_id: dozen }),
      ],
    });
    const lines = await admin.value('sale.order.line/search_read', {
      domain: [['order_id', '=', id]],
      fields: ['price_unit'],
    });
    expect(lines.map((line: { price_unit: number }) => line.price_unit)).toEqual([100, 80, 960]);
    const [first] = lines;
    await admin.value('sale.order.line/write', { ids: [first.id], vals: { price_unit: 1, discount: 5 } });
    await admin.value('sale.order/action_update_prices', { ids: [id] });
    expect(await admin.read('sale.order.line', first.id, ['price_unit', 'discount'])).toMatchObject({
      ...{ price_unit: 100, discount: 0 },
    });
  });

  describe('whose product, unit or quantity changes', () => {
    let pricelist: number;
    let dozen: number;
    let desk: number;
    beforeAll(async () => {
      const tier = { compute_price: 'percentage', percent_price: 20, min_quantity: 12 };
      pricelist = await admin.create('product.pricelist', { name: 'Tiers', item_ids: [[0, 0, tier]] });
      await admin.value('product.pricelist/write', { ids: [pricelist], vals: { active: false } });
      [dozen] = await admin.value('uom.uom/search', { domain: [['name', '=', 'Dozens']] });
      desk = await admin.create('product.product', { name: 'Desk', list_price: 300 });
    });

    const createLine = async (values: object): Promise<number[]> => {
      const order_line = [buildLine(values)];
      const order = await admin.create('sale.order', {
        partner_id: customer,
        pricelist_id: pricelist,
        order_line,
      });
      const [line] = await admin.value('sale.order.line/search', { domain: [['order_id', '=', order]] });
      return [order, line];
    };
    const prices: [string, object, () => object, number][] = [
      ['reaches the minimum quantity of a rule', {}, () => ({ product_uom_qty: 12 }), 80],
      ['falls below it', { product_uom_qty: 12 }, () => ({ product_uom_qty: 11 }), 100],
      ['is counted in a larger unit', {}, () => ({ product_uom_id: dozen }), 960],
      ['belongs to another product', {}, () => ({ product_id: desk }), 300],
      ['has a price set by hand', { price_unit: 90 }, () => ({ product_uom_qty: 12 }), 90],
      ['has a price of 0 set by hand', { price_unit: 0 }, () => ({ product_uom_qty: 12 }), 0],
      [
        'has a price set by hand and gets another product',
        { price_unit: 90 },
        () => ({ product_id: desk }),
        90,
      ],
      ['has the computed price', { price_unit: 100 }, () => ({ product_uom_qty: 12 }), 80],
      [
        'has the price that the client computed',
        { price_unit: 70, technical_price_unit: 70 },
        () => ({ product_uom_qty: 12 }),
        80,
      ],
      ['gets a price at the same time', {}, () => ({ product_uom_qty: 12, price_unit: 95 }), 95],
      ['gets only a computed price', {}, () => ({ product_uom_qty: 12, technical_price_unit: 5 }), 80],
      ['is a down payment', { is_downpayment: true }, () => ({ product_uom_qty: 12 }), 100],
    ];

    test.each(prices)('is priced correctly if it %s', async (_what, before, change, price) => {
      const [order, line] = await createLine(before);
      const fields_spec = { price_unit: {}, technical_price_unit: {} };
      const readPrice = async () => (await admin.read('sale.order.line', line!, ['price_unit'])).price_unit;
      const start = await readPrice();
      const form = { ids: [line], values: change(), field_names: Object.keys(change()), fields_spec };
      const { value } = await admin.value('sale.order.line/onchange', form);
      const isProductOfForm = 'product_id' in change();
      const previewed = { price_unit: start, ...change(), ...value }.price_unit;
      expect(previewed).toBe(isProductOfForm ? 300 : price);
      const lines = { order_line: { fields: { price_unit: {} } } };
      const commands = [[1, line, change()]];
      const parent = { ids: [order], values: { order_line: commands }, field_names: ['order_line'] };
      const nested = (await admin.value('sale.order/onchange', { ...parent, fields_spec: lines })).value;
      expect(nested.order_line?.[0][2].price_unit ?? previewed).toBe(price);
      expect(await readPrice()).toBe(start);
      await admin.value('sale.order/write', { ids: [order], vals: { order_line: commands } });
      expect(await readPrice()).toBe(price);
      const [, other] = await createLine(before);
      await admin.value('sale.order.line/write', { ids: [other], vals: change() });
      const [row] = await admin.value('sale.order.line/read', {
        ...{ ids: [other], fields: ['price_unit', 'price_subtotal', 'product_uom_qty'] },
      });
      expect(row.price_unit).toBe(price);
      expect(row.price_subtotal).toBeCloseTo(price * row.product_uom_qty, 2);
    });

    test('is computed in the form of an unsaved order, with the totals of the order', async () => {
      const lineFields = { name: {}, product_uom_qty: {}, price_unit: {}, price_subtotal: {} };
      const fields_spec = { order_line: { fields: lineFields }, amount_untaxed: {}, amount_total: {} };
      const preview = async (values: object, changed: string) => {
        const lines = [
          [0, 'new 0', { product_id: chair, product_uom_qty: 12 }],
          [0, 'new 1', { product_id: desk, name: 'My desk' }],
        ];
        const form = {
          ids: [],
          values: { order_line: lines, ...values },
          field_names: [changed],
          fields_spec,
        };
        return (await admin.value('sale.order/onchange', form)).value;
      };
      const chairLine = { name: '[CH-1] Chair\nWith arms' };
      // Without a customer, the order cannot be stored, and there is no pricelist.
      expect(await preview({}, 'order_line')).toEqual({
        order_line: [
          [1, 'new 0', { ...chairLine, price_unit: 100 }],
          [1, 'new 1', { price_unit: 300 }],
        ],
      });
      expect(await preview({ partner_id: customer, pricelist_id: pricelist }, 'order_line')).toMatchObject({
        order_line: [
          [1, 'new 0', { ...chairLine, price_unit: 80, price_subtotal: 960 }],
          [1, 'new 1', { product_uom_qty: 1, price_unit: 300, price_subtotal: 300 }],
        ],
        amount_untaxed: 1260,
        amount_total: 1461.6,
      });
    });

    test('has the price of its own product if several lines change at once', async () => {
      const order = await admin.create('sale.order', {
        partner_id: customer,
        pricelist_id: pricelist,
        order_line: [buildLine({}), buildLine({ product_id: desk }), buildLine({ price_unit: 5 })],
      });
      const ids = await admin.value('sale.order.line/search', { domain: [['order_id', '=', order]] });
      await admin.value('sale.order.line/write', { ids, vals: { product_uom_qty: 12 } });
      const rows = await admin.value('sale.order.line/read', { ids, fields: ['price_unit'] });
      expect(rows.map((row: { price_unit: number }) => row.price_unit)).toEqual([80, 240, 5]);
      await admin.value('sale.order.line/write', { ids, vals: { product_id: chair, product_uom_qty: 1 } });
      const written = await admin.value('sale.order.line/read', { ids, fields: ['price_unit'] });
      expect(written.map((row: { price_unit: number }) => row.price_unit)).toEqual([100, 100, 5]);
    });

    test.each([
      [{ product_uom_qty: 12 }, 'product_uom_qty', { price_unit: 80, technical_price_unit: 80 }],
      [{ product_uom_qty: 12, price_unit: 90 }, 'product_uom_qty', {}],
      [{ price_unit: 90 }, 'product_id', { price_unit: 100, technical_price_unit: 100 }],
    ])('is previewed with %j before it is stored', async (values, changed, expected) => {
      const order = await admin.create('sale.order', { partner_id: customer, pricelist_id: pricelist });
      const entered = { product_id: chair, price_unit: 100, technical_price_unit: 100, ...values };
      const fields_spec = { price_unit: {}, technical_price_unit: {} };
      const computed = { ...entered, ...expected };
      for (const order_id of [order, false]) {
        const form = { ids: [], values: { ...entered, order_id }, field_names: [changed], fields_spec };
        const { value } = await admin.value('sale.order.line/onchange', form);
        // Without an order, there is no pricelist.
        if (order_id) expect({ ...entered, ...value }).toEqual(computed);
        else
          expect({ ...entered, ...value }.price_unit).toBe(
            changed === 'product_id' ? 100 : entered.price_unit,
          );
      }
    });
  });
});

test('a branch sells with the taxes of its parent company', async () => {
  const [home] = await admin.value('res.company/search_read', { domain: [], fields: ['currency_id'] });
  const addCompany = (name: string, parent_id: number | false) =>
    admin.create('res.company', { name, parent_id, currency_id: home.currency_id[0] });
  const parent = await addCompany('Parent', false);
  const branch = await addCompany('Branch', parent);
  const other = await addCompany('Other', false);
  const { id } = app.main.admin;
  const company_ids = [[6, 0, [home.id, parent, branch, other]]];
  await admin.value('res.users/write', { ids: [id], vals: { company_ids } });
  const taxes: number[] = [];
  for (const company_id of [parent, other])
    taxes.push(await admin.create('account.tax', { name: 'Ten', amount: 10, company_id }));
  const product_id = await admin.create('product.product', { name: 'Lamp', taxes_id: [[6, 0, taxes]] });
  const seller = await addMember(app, app.main, 'branch', [
    'base.group_user',
    'sales_team.group_sale_salesman',
  ]);
  const vals = { company_id: branch, company_ids: [[6, 0, [branch]]] };
  await admin.value('res.users/write', { ids: [seller.id], vals });
  const order_line = [[0, 0, { product_id }]];
  const order = await seller.caller.create('sale.order', { partner_id: customer, order_line });
  expect(await seller.caller.read('sale.order', order, ['amount_tax'])).toMatchObject({ amount_tax: 0.1 });
  const domain = [['name', '=', 'Ten']];
  expect(await seller.caller.value('account.tax/search', { domain })).toEqual([taxes[0]]);
});

describe('the sales order workflow', () => {
  const readState = async (id: number) => (await admin.read('sale.order', id, ['state'])).state;

  test("posts a message with the quotation's content when it is sent", async () => {
    const id = await createOrder(buildLine({ product_uom_qty: 2 }));
    expect(await admin.value('sale.order/action_quotation_send', { ids: [id] })).toBe(true);
    const { name, state, message_ids } = await admin.read('sale.order', id, ['name', 'state', 'message_ids']);
    expect(state).toBe('sent');
    const { body, message_type } = await admin.read('mail.message', message_ids[0], ['body', 'message_type']);
    expect(message_type).toBe('comment');
    expect(body).toContain(`${name} for Porto Cork Works`);
    expect(body).toContain('2 × [CH-1] Chair: 242.00 EUR');
    expect(body).toContain('Total: 242.00 EUR');
    await admin.value('sale.order/action_confirm', { ids: [id] });
    await admin.value('sale.order/action_quotation_send', { ids: [id] });
    expect((await admin.read('sale.order', id, ['state'])).state).toBe('sale');
    await admin.value('sale.order/action_cancel', { ids: [id] });
    expect((await admin.expectRejection('sale.order/action_quotation_send', { ids: [id] })).status).toBe(422);
  });

  test('turns a sent quotation into a confirmed order', async () => {
    const id = await createOrder(buildLine({}));
    expect(await admin.value('sale.order/action_quotation_sent', { ids: [id] })).toBeNull();
    expect(await readState(id)).toBe('sent');
    expect(await admin.value('sale.order/action_confirm', { ids: [id] })).toBe(true);
    expect(
      await admin.read('sale.order', id, ['state', 'invoice_status', 'type_name', 'amount_to_invoice']),
    ).toMatchObject({
      state: 'sale',
      invoice_status: 'to invoice',
      type_name: 'Sales Order',
      amount_to_invoice: 121,
    });
    const secondError = await admin.expectRejection('sale.order/action_confirm', { ids: [id] });
    expect(secondError).toMatchObject({ status: 422, name: 'odoo.exceptions.UserError' });
    expect(secondError.message).toContain('not in a state requiring confirmation');
  });

  test('allows an order to be canceled and reset to draft', async () => {
    const id = await createOrder(buildLine({}));
    expect(await admin.value('sale.order/action_cancel', { ids: [id] })).toBe(true);
    expect(await readState(id)).toBe('cancel');
    expect((await admin.expectRejection('sale.order/action_confirm', { ids: [id] })).status).toBe(422);
    expect(await admin.value('sale.order/action_draft', { ids: [id] })).toBe(true);
    expect(await readState(id)).toBe('draft');
  });

  test('confirms all of the given orders or none', async () => {
    const [validOrder, invalidOrder] = [await createOrder(buildLine({})), await createOrder(buildLine({}))];
    await admin.value('sale.order/action_cancel', { ids: [invalidOrder] });
    expect(
      (await admin.expectRejection('sale.order/action_confirm', { ids: [validOrder, invalidOrder] })).status,
    ).toBe(422);
    expect(await readState(validOrder)).toBe('draft');
  });

  test('rejects deleting lines of a confirmed order and changing a locked order', async () => {
    const id = await createOrder(buildLine({}));
    const [ownLine] = await admin.value('sale.order.line/search', { domain: [['order_id', '=', id]] });
    await admin.value('sale.order/action_confirm', { ids: [id] });
    expect((await admin.expectRejection('sale.order.line/unlink', { ids: [ownLine] })).message).toContain(
      'confirmed',
    );
    expect((await admin.expectRejection('sale.order/unlink', { ids: [id] })).message).toContain(
      'Cancel it before',
    );
    await admin.value('sale.order.line/write', { ids: [ownLine], vals: { product_uom_qty: 2 } });
    expect((await admin.read('sale.order', id, TOTALS)).amount_total).toBe(242);
    await admin.value('sale.order/action_lock', { ids: [id] });
    const error = await admin.expectRejection('sale.order.line/write', {
      ids: [ownLine],
      vals: { product_uom_qty: 3 },
    });
    expect(error).toMatchObject({ status: 422, message: expect.stringContaining('product_uom_qty') });
    expect(
      (await admin.expectRejection('sale.order/write', { ids: [id], vals: { order_line: [buildLine({})] } }))
        .message,
    ).toContain('locked');
    expect((await admin.expectRejection('sale.order/action_cancel', { ids: [id] })).message).toContain(
      'locked',
    );
    await admin.value('sale.order/action_unlock', { ids: [id] });
    await admin.value('sale.order/action_cancel', { ids: [id] });
    expect(await admin.value('sale.order/unlink', { ids: [id] })).toBe(true);
    expect(await admin.value('sale.order.line/read', { ids: [ownLine], fields: ['name'] })).toEqual([]);
  });

  test('rejects writes to the state', async () => {
    const id = await createOrder();
    expect(
      (await admin.expectRejection('sale.order/write', { ids: [id], vals: { state: 'sale' } })).status,
    ).toBe(403);
  });

  test('counts orders and quotations on their opportunity', async () => {
    const lead = await admin.create('crm.lead', { name: 'Forty chairs', partner_id: customer });
    await admin.create('sale.order', {
      partner_id: customer,
      opportunity_id: lead,
      order_line: [buildLine({})],
    });
    const sold = await admin.create('sale.order', {
      partner_id: customer,
      opportunity_id: lead,
      order_line: [buildLine({})],
    });
    await admin.value('sale.order/action_confirm', { ids: [sold] });
    expect(
      await admin.read('crm.lead', lead, ['quotation_count', 'sale_order_count', 'sale_amount_total']),
    ).toMatchObject({
      quotation_count: 1,
      sale_order_count: 1,
      sale_amount_total: 100,
    });
  });

  test('lets salespeople change only their own orders', async () => {
    const seller = await addMember(app, app.main, 'seller', ['sales_team.group_sale_salesman']);
    const otherId = await createOrder(buildLine({}));
    const ownOrder = await seller.caller.create('sale.order', {
      partner_id: customer,
      order_line: [buildLine({})],
    });
    expect(
      await seller.caller.value('sale.order/search', { domain: [['id', 'in', [otherId, ownOrder]]] }),
    ).toEqual([ownOrder]);
    expect(await seller.caller.value('sale.order/action_confirm', { ids: [ownOrder] })).toBe(true);
    for (const method of [
      'action_confirm',
      'action_cancel',
      'action_quotation_sent',
      'action_quotation_send',
    ])
      expect((await seller.caller.expectRejection(`sale.order/${method}`, { ids: [otherId] })).status).toBe(
        403,
      );
    const plainClient = createJsonClient(app, app.main.user.key);
    expect((await plainClient.expectRejection('sale.order/action_cancel', { ids: [ownOrder] })).status).toBe(
      403,
    );
    expect(await readState(otherId)).toBe('draft');
  });
});

test('creates demo data once, with correct totals', async () => {
  const otherTenant = await app.tenant('demo');
  await otherTenant.ctx.tx(async (ctx) => {
    const { addDemoData } = await import('../../schema/base/workspace/demo.ts');
    await addDemoData(ctx);
    for (let i = 0; i < 2; i++) for (const item of [product, sale]) await item.demo(ctx);
  });
  const caller = createJsonClient(app, otherTenant.admin.key);
  const orders = await caller.value('sale.order/search_read', {
    domain: [],
    fields: ['name', 'state', ...TOTALS],
  });
  expect(orders).toHaveLength(12);
  const stateless = [
    ['city', '!=', false],
    ['country_id', '=', false],
  ];
  expect(await caller.value('res.partner/search_count', { domain: stateless })).toBe(0);
  for (const order of orders) {
    expect(order.amount_untaxed).toBeGreaterThan(0);
    expect(order.amount_tax).toBeCloseTo(order.amount_untaxed * 0.2, 1);
    expect(order.amount_total).toBeCloseTo(order.amount_untaxed + order.amount_tax, 2);
  }
});

describe('order amounts', () => {
  const buildPercentTax = (amount: number, price_include = false): LineTax => ({
    amount,
    amount_type: 'percent',
    price_include,
  });
  const buildFixedTax = (amount: number, price_include = false): LineTax => ({
    amount,
    amount_type: 'fixed',
    price_include,
  });
  const buildDivisionTax = (amount: number, price_include = false): LineTax => ({
    amount,
    amount_type: 'division',
    price_include,
  });

  test.each<[number, number, number, LineTax[], number, [number, number, number]]>([
    [1, 100, 0, [], 0.01, [100, 0, 100]],
    [3, 33.33, 0, [buildPercentTax(21)], 0.01, [99.99, 21, 120.99]],
    [1, 100, 15, [buildPercentTax(20)], 0.01, [85, 17, 102]],
    [1, 121, 0, [buildPercentTax(21, true)], 0.01, [100, 21, 121]],
    [1, 100, 0, [buildPercentTax(21, true)], 0.01, [82.64, 17.36, 100]],
    [3, 9.99, 0, [buildPercentTax(7, true)], 0.01, [28.01, 1.96, 29.97]],
    [2, 10, 0, [buildFixedTax(0.5)], 0.01, [20, 1, 21]],
    [2, 10, 0, [buildFixedTax(0.5, true)], 0.01, [19, 1, 20]],
    [1, 100, 0, [buildDivisionTax(20)], 0.01, [100, 25, 125]],
    [1, 100, 0, [buildDivisionTax(20, true)], 0.01, [80, 20, 100]],
    [1, 100, 0, [buildPercentTax(10), buildPercentTax(5)], 0.01, [100, 15, 115]],
    [1, 115, 0, [buildPercentTax(10, true), buildPercentTax(5, true)], 0.01, [100, 15, 115]],
    [1, 110, 0, [buildPercentTax(10, true), buildPercentTax(20)], 0.01, [100, 30, 130]],
    [0, 100, 0, [buildPercentTax(21)], 0.01, [0, 0, 0]],
    [-2, 50, 0, [buildPercentTax(21)], 0.01, [-100, -21, -121]],
    [1, 100, 100, [buildPercentTax(21)], 0.01, [0, 0, 0]],
    [3, 333.4, 0, [buildPercentTax(8)], 1, [1000, 80, 1080]],
    [1, 1.0005, 0, [], 0.001, [1.001, 0, 1.001]],
  ])(
    'computes %d × %d less %d %% with %j as %d',
    (product_uom_qty, price_unit, discount, taxes, step, expected) => {
      const amounts = computeLineAmounts({ product_uom_qty, price_unit, discount, taxes }, step);
      expect([amounts.price_subtotal, amounts.price_tax, amounts.price_total]).toEqual(expected);
    },
  );

  test.each([
    ['S', null, 5, 7, 'S00007'],
    ['S', null, 5, 123_456, 'S123456'],
    ['SO/%(year)s/', '/%(month)s', 3, 1, 'SO/2026/001/11'],
    [null, null, 0, 5, '5'],
    ['%(nope)s-', null, 0, 5, '%(nope)s-5'],
  ])(
    'formats prefix %j, suffix %j, padding %d and number %d as %j',
    (prefix, suffix, padding, number, name) => {
      const parts = getDateParts(Date.parse('2026-11-20T08:00:00Z'));
      const numbers = { prefix, suffix, padding, first: number, step: 1 };
      expect(buildSequenceNames(numbers, 1, parts)).toEqual([name]);
    },
  );

  test.each([
    ['draft', false, null],
    ['sent', false, null],
    ['draft', true, /without a product/],
    ['sale', false, /not in a state requiring confirmation/],
    ['cancel', true, /not in a state requiring confirmation/],
  ])('checks whether an order in state %s (no product: %s) can be confirmed: %s', (state, vague, reason) => {
    const response = findConfirmError({ name: 'S1', state, vague });
    if (reason === null) expect(response).toBeNull();
    else expect(response).toMatch(reason);
  });
});
