import { beforeAll, describe, expect, test } from 'vitest';
import { product } from '../../apps/product/app.ts';
import { computePrice, type PriceRule } from '../../apps/product/price.ts';
import { countDecimals, roundTo } from '../../src/engine/value/money.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { addMember } from './member.ts';

const app = setUpApp();
const admin = createJsonClient(app);

const TEMPLATE = [
  'name',
  'default_code',
  'barcode',
  'standard_price',
  'weight',
  'active',
  'product_variant_count',
  'product_variant_id',
];

describe('a product', () => {
  test('creates its template or variant, whichever is missing', async () => {
    const template = await admin.create('product.template', {
      name: 'Chair',
      default_code: 'CH-1',
      list_price: 99.5,
      standard_price: 40,
    });
    const templateValues = await admin.read('product.template', template, [
      ...TEMPLATE,
      'product_variant_ids',
      'uom_id',
      'type',
      'display_name',
      'currency_id',
    ]);
    expect(templateValues).toMatchObject({
      product_variant_count: 1,
      product_variant_ids: [templateValues.product_variant_id],
      type: 'consu',
      display_name: '[CH-1] Chair',
      currency_id: expect.any(Number),
      uom_id: expect.any(Number),
    });
    expect(
      await admin.read('product.product', templateValues.product_variant_id, [
        'name',
        'default_code',
        'lst_price',
        'standard_price',
        'product_tmpl_id',
        'display_name',
      ]),
    ).toMatchObject({
      name: 'Chair',
      default_code: 'CH-1',
      lst_price: 99.5,
      standard_price: 40,
      product_tmpl_id: template,
      display_name: '[CH-1] Chair',
    });

    const variant = await admin.create('product.product', {
      name: 'Stool',
      default_code: 'ST-1',
      lst_price: 30,
      weight: 2,
    });
    const { product_tmpl_id: ownTemplate } = await admin.read('product.product', variant, [
      'product_tmpl_id',
    ]);
    expect(await admin.read('product.template', ownTemplate, [...TEMPLATE, 'list_price'])).toMatchObject({
      name: 'Stool',
      default_code: 'ST-1',
      list_price: 30,
      weight: 2,
      product_variant_count: 1,
      product_variant_id: variant,
    });
  });

  test('shares field values between template and variant', async () => {
    const variant = await admin.create('product.product', { name: 'Lamp' });
    const { product_tmpl_id: template } = await admin.read('product.product', variant, ['product_tmpl_id']);
    await admin.value('product.template/write', {
      ids: [template],
      vals: { default_code: 'L-1', name: 'Lamp, red' },
    });
    expect(await admin.read('product.product', variant, ['default_code', 'name'])).toMatchObject({
      default_code: 'L-1',
      name: 'Lamp, red',
    });
    await admin.value('product.product/write', {
      ids: [variant],
      vals: { name: 'Lamp, blue', standard_price: 7, barcode: '40012345' },
    });
    expect(
      await admin.read('product.template', template, ['name', 'standard_price', 'barcode']),
    ).toMatchObject({
      name: 'Lamp, blue',
      standard_price: 7,
      barcode: '40012345',
    });
    expect(
      await admin.value('product.product/search', {
        domain: [
          ['name', '=', 'Lamp, blue'],
          ['product_tmpl_id.list_price', '=', 1],
        ],
      }),
    ).toEqual([variant]);
    expect(await admin.value('product.product/name_search', { name: 'L-1' })).toEqual([
      [variant, '[L-1] Lamp, blue'],
    ]);
  });

  test('stores separate codes for each variant', async () => {
    const template = await admin.create('product.template', { name: 'Shirt', default_code: 'S' });
    const second = await admin.create('product.product', { product_tmpl_id: template, default_code: 'S-2' });
    expect(
      await admin.read('product.template', template, ['default_code', 'product_variant_count']),
    ).toMatchObject({
      default_code: false,
      product_variant_count: 2,
    });
    await admin.value('product.product/unlink', { ids: [second] });
    expect(await admin.value('product.template/search_count', { domain: [['id', '=', template]] })).toBe(1);
  });

  test('is archived and deleted together with its template', async () => {
    const template = await admin.create('product.template', { name: 'Short-lived' });
    const { product_variant_id: variant } = await admin.read('product.template', template, [
      'product_variant_id',
    ]);
    await admin.value('product.template/write', { ids: [template], vals: { active: false } });
    expect((await admin.read('product.product', variant, ['active'])).active).toBe(false);
    await admin.value('product.product/write', { ids: [variant], vals: { active: true } });
    expect((await admin.read('product.template', template, ['active'])).active).toBe(true);
    await admin.value('product.product/unlink', { ids: [variant] });
    expect(await admin.value('product.template/read', { ids: [template], fields: ['name'] })).toEqual([]);
  });

  test('requires barcodes to be unique, but allows products without one', async () => {
    await admin.value('product.product/create', {
      vals_list: [
        { name: 'A', barcode: '' },
        { name: 'B', barcode: '' },
      ],
    });
    await admin.create('product.product', { name: 'C', barcode: '4711' });
    const error = await admin.expectRejection('product.product/create', {
      vals_list: [{ name: 'D', barcode: '4711' }],
    });
    expect(error.status).toBeGreaterThanOrEqual(409);
    expect(error.message).toMatch(/barcode/i);
  });

  test('is copied with its template, under a new name and without barcode and reference', async () => {
    const codes = { barcode: '1234', default_code: 'O-1' };
    const id = await admin.create('product.product', { name: 'Original', list_price: 8, ...codes });
    const copied = { name: 'Original (copy)', list_price: 8, barcode: false, default_code: false };
    const fields = [...Object.keys(copied), 'product_variant_count'];
    const [copy] = await admin.value('product.product/copy', { ids: [id] });
    expect(await admin.read('product.product', copy, fields)).toMatchObject({
      ...copied,
      product_variant_count: 1,
    });
    const { product_tmpl_id } = await admin.read('product.product', id, ['product_tmpl_id']);
    const [template] = await admin.value('product.template/copy', { ids: [product_tmpl_id] });
    expect(await admin.read('product.template', template, fields)).toMatchObject(copied);
  });

  test('can be created with a thousand others in one call', async () => {
    const vals_list = Array.from({ length: 1000 }, (_, n) => ({ name: `Part ${n}`, default_code: `P-${n}` }));
    const ids = await admin.value('product.template/create', { vals_list });
    expect(
      await admin.value('product.product/search_count', { domain: [['product_tmpl_id', 'in', ids]] }),
    ).toBe(1000);
    expect(
      await admin.value('product.product/search_count', { domain: [['default_code', '=', 'P-77']] }),
    ).toBe(1);
  });
});

test('name_create of a variant creates a template', async () => {
  const [id] = await admin.value('product.product/name_create', { name: 'Quick' });
  const { product_tmpl_id: template } = await admin.read('product.product', id, ['product_tmpl_id']);
  expect(await admin.read('product.template', template, ['name'])).toMatchObject({ name: 'Quick' });
});

describe('a form of a product variant', () => {
  let template: number;
  let variant: number;
  beforeAll(async () => {
    template = await admin.create('product.template', { name: 'Lamp', list_price: 20, default_code: 'L-1' });
    variant = (await admin.read('product.template', template, ['product_variant_id'])).product_variant_id;
  });

  const fields_spec = {
    name: {},
    list_price: {},
    lst_price: {},
    type: {},
    partner_ref: {},
    default_code: {},
  };
  const preview = async (ids: number[], values: object, changed: string) =>
    (await admin.value('product.product/onchange', { ids, values, field_names: [changed], fields_spec }))
      .value;

  test.each([
    [{ list_price: 30, lst_price: 20 }, 'list_price', { lst_price: 30 }],
    [{ list_price: 20, lst_price: 30 }, 'lst_price', { list_price: 30 }],
    [{ list_price: 30 }, 'list_price', { lst_price: 30 }],
    [{ lst_price: 30 }, 'lst_price', { list_price: 30 }],
  ])('keeps both prices equal in %j after %s has changed', async (values, changed, expected) => {
    const rest = { name: 'Lamp', default_code: 'L-1', type: 'consu', partner_ref: '[L-1] Lamp' };
    expect(await preview([variant], { ...rest, ...values }, changed)).toEqual(expected);
    expect(await preview([], { ...rest, ...values }, changed)).toEqual(expected);
    expect(await preview([], { name: '', ...values }, changed)).toEqual(expected);
    const read = { ids: [template], fields: ['list_price'] };
    expect(await admin.value('product.template/read', read)).toEqual([{ id: template, list_price: 20 }]);
  });

  test("shows the template's values after another template is selected, without changing them", async () => {
    const values = { name: 'Other', list_price: 1, lst_price: 1, type: 'service', product_tmpl_id: template };
    expect(await preview([], values, 'product_tmpl_id')).toEqual({
      ...{ name: 'Lamp', list_price: 20, lst_price: 20, type: 'consu', partner_ref: 'Lamp' },
    });
    expect(await admin.read('product.template', template, ['name', 'list_price'])).toMatchObject({
      ...{ name: 'Lamp', list_price: 20 },
    });
  });

  test('does not link to the template and variants that saving the form would create', async () => {
    const form = { ids: [], values: { name: 'New' }, field_names: ['name'] };
    for (const [model, link] of [
      ['product.product', 'product_tmpl_id'],
      ['product.template', 'product_variant_id'],
    ]) {
      const fields_spec = { [link!]: { fields: { display_name: {} } }, uom_id: {} };
      const { value } = await admin.value(`${model}/onchange`, { ...form, fields_spec });
      expect(Object.keys(value)).toEqual(['uom_id']);
    }
  });

  test('clears values that another template does not have', async () => {
    const other = await admin.create('product.template', { name: 'Old', description_purchase: 'Old' });
    const { product_variant_id: id } = await admin.read('product.template', other, ['product_variant_id']);
    const call = { ids: [id], values: { product_tmpl_id: template }, field_names: ['product_tmpl_id'] };
    const fields_spec = { description_purchase: {}, uom_id: {} };
    const { value } = await admin.value('product.product/onchange', { ...call, fields_spec });
    expect(value).toEqual({ description_purchase: false });
  });

  test('stores either price in the template', async () => {
    for (const [vals, price] of [
      [{ lst_price: 21 }, 21],
      [{ list_price: 22 }, 22],
      [{ list_price: 1, lst_price: 23 }, 23],
    ] as const) {
      await admin.value('product.product/write', { ids: [variant], vals });
      expect((await admin.read('product.template', template, ['list_price'])).list_price).toBe(price);
    }
    await admin.value('product.product/write', { ids: [variant], vals: { list_price: 20 } });
  });
});

test.each([
  ['product.category', { name: 'Desks', parent_id: false }, 'name', { complete_name: 'Desks' }],
  ['product.template', { name: 'Desk', default_code: 'D' }, 'default_code', { partner_ref: '[D] Desk' }],
  ['uom.uom', { name: 'Gross', relative_factor: 144 }, 'relative_factor', { factor: 144 }],
])('previews the computed fields of %s', async (model, values, changed, expected) => {
  const fields_spec = Object.fromEntries(Object.keys(expected).map((name) => [name, {}]));
  const form = { ids: [], values, field_names: [changed], fields_spec };
  expect((await admin.value(`${model}/onchange`, form)).value).toEqual(expected);
});

describe('a product category', () => {
  test('builds its complete name from its path and counts the products below it', async () => {
    const [all] = await admin.value('product.category/search', { domain: [['complete_name', '=', 'All']] });
    const tools = await admin.create('product.category', { name: 'Tools', parent_id: all });
    const saws = await admin.create('product.category', { name: 'Saws', parent_id: tools });
    await admin.create('product.template', { name: 'Hand saw', categ_id: saws });
    const name = async (id: number) =>
      (await admin.read('product.category', id, ['display_name'])).display_name;
    expect(await name(saws)).toBe('All / Tools / Saws');
    await admin.value('product.category/write', { ids: [tools], vals: { name: 'Hand tools' } });
    expect(await name(saws)).toBe('All / Hand tools / Saws');
    expect(
      await admin.value('product.template/search_count', { domain: [['categ_id', 'child_of', tools]] }),
    ).toBe(1);
    expect((await admin.read('product.category', tools, ['product_count'])).product_count).toBe(1);
    expect(
      (await admin.expectRejection('product.category/write', { ids: [tools], vals: { parent_id: saws } }))
        .status,
    ).toBe(422);
  });
});

test("computes a unit's factor relative to the root reference unit", async () => {
  const units = await admin.value('uom.uom/search_read', {
    domain: [['name', 'in', ['Units', 'Dozens', 'kg', 't', 'km']]],
    fields: ['name', 'factor'],
    order: 'factor',
  });
  expect(units.map((unit: { name: string; factor: number }) => [unit.name, unit.factor])).toEqual([
    ['Units', 1],
    ['Dozens', 12],
    ['kg', 1000],
    ['t', 1_000_000],
    ['km', 1_000_000],
  ]);
});

test('lets all internal users read products, but only certain groups change them', async () => {
  const reader = createJsonClient(app, app.main.user.key);
  expect(await reader.value('product.template/search_count', { domain: [] })).toBeGreaterThan(0);
  expect(
    (await reader.expectRejection('product.template/create', { vals_list: [{ name: 'x' }] })).status,
  ).toBe(403);
  const keeper = await addMember(app, app.main, 'keeper', ['product.group_product_manager']);
  expect(await keeper.caller.create('product.product', { name: 'Kept' })).toEqual(expect.any(Number));
});

test('creates demo data once', async () => {
  const otherTenant = await app.tenant('demo');
  for (let i = 0; i < 2; i++) await otherTenant.ctx.tx((ctx) => product.demo(ctx));
  const caller = createJsonClient(app, otherTenant.admin.key);
  expect(await caller.value('product.template/search_count', { domain: [] })).toBe(15);
  expect(await caller.value('product.product/search_count', { domain: [['type', '=', 'service']] })).toBe(3);
});

describe('the computed price', () => {
  const chair = {
    ...{ id: 1, product_tmpl_id: 2, categories: [5, 4] },
    ...{ list_price: 100, list_currency: 1, standard_price: 60, cost_currency: 1 },
  };
  const sold = { pricelist: 1, currency: 1, quantity: 5, unitSize: 1, date: '2026-06-01 12:00:00' };
  const plain = { ...sold, rates: new Map(), currencies: new Map() };
  const buildRule = (overrides: Partial<PriceRule>): PriceRule => ({
    pricelist_id: 1,
    applied_on: '3_global',
    categ_id: null,
    product_tmpl_id: null,
    product_id: null,
    min_quantity: 0,
    date_start: null,
    date_end: null,
    compute_price: 'percentage',
    fixed_price: null,
    percent_price: 10,
    base: 'list_price',
    base_pricelist_id: null,
    price_discount: null,
    price_round: null,
    price_surcharge: null,
    price_min_margin: null,
    price_max_margin: null,
    ...overrides,
  });
  const other = buildRule({ pricelist_id: 2, percent_price: 50 });

  test.each<[string, number, Partial<PriceRule>[]]>([
    ['is the sales price without a rule', 100, []],
    ['ignores a rule of another pricelist', 100, [{ pricelist_id: 3 }]],
    ['has a discount', 90, [{}]],
    ['is a fixed price', 77, [{ compute_price: 'fixed', fixed_price: 77 }]],
    ['ignores a rule for a larger quantity', 100, [{ min_quantity: 6 }]],
    ['uses a rule for the ordered quantity', 90, [{ min_quantity: 5 }]],
    ['uses a rule for the variant', 90, [{ applied_on: '0_product_variant', product_id: 1 }]],
    ['ignores a rule for another variant', 100, [{ applied_on: '0_product_variant', product_id: 9 }]],
    ['uses a rule for the template', 90, [{ applied_on: '1_product', product_tmpl_id: 2 }]],
    ['uses a rule for a parent category', 90, [{ applied_on: '2_product_category', categ_id: 4 }]],
    ['ignores a rule for another category', 100, [{ applied_on: '2_product_category', categ_id: 9 }]],
    ['ignores a rule that has not started', 100, [{ date_start: '2026-06-02 00:00:00' }]],
    ['ignores a rule that has ended', 100, [{ date_end: '2026-05-31 00:00:00' }]],
    ['uses the first matching rule', 80, [{ min_quantity: 9 }, { percent_price: 20 }, {}]],
    [
      'is based on the cost, with a markup',
      72,
      [{ compute_price: 'formula', base: 'standard_price', price_discount: -20 }],
    ],
    [
      'is rounded, with a surcharge',
      89.99,
      [{ compute_price: 'formula', price_discount: 12, price_round: 5, price_surcharge: -0.01 }],
    ],
    ['has a minimum margin', 110, [{ compute_price: 'formula', price_min_margin: 10 }]],
    ['has a maximum margin', 105, [{ compute_price: 'formula', price_surcharge: 50, price_max_margin: 5 }]],
    ['is based on another pricelist', 45, [{ base: 'pricelist', base_pricelist_id: 2 }]],
    [
      'terminates for a pricelist based on itself',
      100 * 0.9 ** 9,
      [{ base: 'pricelist', base_pricelist_id: 1 }],
    ],
  ])('%s', (_what, price, rules) => {
    expect(computePrice(chair, plain, [...rules.map(buildRule), other])).toBeCloseTo(price, 10);
  });

  test.each([
    [-5, 0, 90],
    [-5, 6, 100],
    [0.5, 0.5, 90],
  ])('of %d units follows a rule with the minimum quantity %d', (quantity, min_quantity, price) => {
    expect(computePrice(chair, { ...plain, quantity }, [buildRule({ min_quantity })])).toBe(price);
  });

  test('is rounded per unit of the line', () => {
    const rule = { compute_price: 'formula', price_discount: 1.3, price_round: 5, price_surcharge: 2 };
    const dozen = computePrice(chair, { ...plain, unitSize: 12 }, [buildRule(rule)]) * 12;
    expect(dozen).toBeCloseTo(1185 + 24, 10);
  });

  test("is in the pricelist's currency", () => {
    const currencies = new Map([
      [1, 2],
      [2, 3],
    ]);
    const rates = new Map([
      [1, 0.5],
      [2, 1],
      [3, 2],
    ]);
    const sale = { ...sold, currencies, rates };
    expect(computePrice(chair, sale, [])).toBe(200);
    expect(computePrice(chair, sale, [buildRule({ base: 'pricelist', base_pricelist_id: 2 }), other])).toBe(
      90,
    );
    expect(computePrice(chair, { ...sale, pricelist: null }, [])).toBe(100);
    expect(computePrice(chair, { ...sale, pricelist: null, currency: 3 }, [])).toBe(400);
  });

  test.each([
    [1.005, 0.01, 1.01],
    [-1.005, 0.01, -1.01],
    [2.675, 0.01, 2.68],
    [1234567.885, 0.01, 1234567.89],
    [0.1 + 0.2, 0.01, 0.3],
    [12.4, 1, 12],
    [12.5, 1, 13],
    [7.3, 0.05, 7.3],
    [7.33, 0.05, 7.35],
    [88, 5, 90],
    [-0.001, 0.01, 0],
    [1.0005, 0.001, 1.001],
  ])('rounds %d by %d to %d', (value, step, rounded) => {
    expect(roundTo(value, step)).toBe(rounded);
  });

  test.each([
    [1, 0],
    [5, 0],
    [0.01, 2],
    [0.05, 2],
    [0.001, 3],
    [0.000001, 6],
    [100, 0],
  ])('formats multiples of %d with %d decimals', (step, decimals) => {
    expect(countDecimals(step)).toBe(decimals);
  });
});

test('keeps separate costs per company in variants, templates and cost-based pricelists', async () => {
  const [home] = await admin.value('res.company/search', { domain: [], order: 'id', limit: 1 });
  const abroad = await admin.create('res.company', { name: 'Abroad' });
  const me = app.main.admin.id;
  await admin.value('res.users/write', { ids: [me], vals: { company_ids: [[4, abroad]] } });
  const buildAt = (company: number) => ({ context: { allowed_company_ids: [company] } });
  const template = await admin.create('product.template', { name: 'Costly', standard_price: 40 });
  const readCosts = async (company: number) => {
    const fields = ['standard_price', 'product_variant_id'];
    const [row] = await admin.value('product.template/read', {
      ids: [template],
      fields,
      ...buildAt(company),
    });
    const ids = [row.product_variant_id[0]];
    const readCall = { ids, fields: ['standard_price'], ...buildAt(company) };
    const [variant] = await admin.value('product.product/read', readCall);
    return [row.standard_price, variant.standard_price];
  };
  expect([await readCosts(home), await readCosts(abroad)]).toEqual([
    [40, 40],
    [0, 0],
  ]);
  await admin.value('product.template/write', {
    ids: [template],
    vals: { standard_price: 7 },
    ...buildAt(abroad),
  });
  expect([await readCosts(home), await readCosts(abroad)]).toEqual([
    [40, 40],
    [7, 7],
  ]);
  const query = {
    domain: [
      ['name', '=', 'Costly'],
      ['standard_price', '=', 7],
    ],
  };
  expect(await admin.value('product.template/search', { ...query, ...buildAt(abroad) })).toEqual([template]);
  expect(await admin.value('product.template/search', { ...query, ...buildAt(home) })).toEqual([]);
  const items = [{ applied_on: '3_global', compute_price: 'formula', base: 'standard_price' }];
  const pricelist_id = await admin.create('product.pricelist', {
    name: 'At cost',
    item_ids: [[0, 0, items[0]]],
  });
  const partner_id = await admin.create('res.partner', { name: 'Buyer' });
  const [variant] = await admin.value('product.product/search', {
    domain: [['product_tmpl_id', '=', template]],
  });
  for (const [company_id, price] of [
    [home, 40],
    [abroad, 7],
  ]) {
    const vals_list = [
      { partner_id, company_id, pricelist_id, order_line: [[0, 0, { product_id: variant }]] },
    ];
    const [order] = await admin.value('sale.order/create', {
      vals_list,
      context: { allowed_company_ids: [home, abroad] },
    });
    const lines = { domain: [['order_id', '=', order]], fields: ['price_unit'] };
    expect((await admin.value('sale.order.line/search_read', lines))[0].price_unit).toBe(price);
  }
  const infos = await admin.value('product.template/fields_get', { attributes: ['company_dependent'] });
  expect([infos.standard_price.company_dependent, infos.list_price.company_dependent]).toEqual([true, false]);
});
