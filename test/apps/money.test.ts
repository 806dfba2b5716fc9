import { beforeAll, describe, expect, test } from 'vitest';
import { type Sql, sql } from '../../src/db/sql.ts';
import { buildConvertedSql, buildRoundedSql } from '../../src/engine/sql/money-sql.ts';
import { convertAmount, roundTo } from '../../src/engine/value/money.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { createSeededRandom } from '../rpc/seeded.ts';

// Compares conversions with random rates of three companies, one of them a branch, with a reference implementation.

const random = createSeededRandom(20_261_127);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

interface Rate {
  name: string;
  rate: number;
  currency_id: number;
  company_id: number | false;
}
interface Company {
  id: number;
  /** Id of the company whose rates apply. */
  main: number;
  currency: number;
}

const DAYS = ['2025-12-31', '2026-01-01', '2026-01-31', '2026-02-01', '2026-06-15'];
const ASKED = ['2025-06-01', ...DAYS, '2026-01-15', '2026-03-01', '2026-09-01'];

const app = setUpApp();
const admin = createJsonClient(app);
let rates: Rate[];
let companies: Company[];
let currencies: number[];
beforeAll(async () => {
  currencies = await Promise.all(['EUR', 'USD', 'GBP', 'CHF'].map(setCurrency));
  const [home] = await admin.value('res.company/search_read', { domain: [], fields: ['currency_id'] });
  const abroad = await admin.create('res.company', { name: 'Abroad', currency_id: currencies[1] });
  const branch = await admin.create('res.company', {
    ...{ name: 'Branch', parent_id: abroad, currency_id: currencies[1] },
  });
  companies = [
    { id: home.id, main: home.id, currency: home.currency_id[0] },
    { id: abroad, main: abroad, currency: currencies[1]! },
    { id: branch, main: abroad, currency: currencies[1]! },
  ];
  await admin.value('res.users/write', {
    ids: [app.main.admin.id],
    vals: { company_ids: [[6, 0, companies.map(({ id }) => id)]] },
  });
  rates = createRandomRates();
  await admin.value('res.currency.rate/create', { vals_list: rates });
});

async function setCurrency(name: string): Promise<number> {
  const context = { active_test: false };
  const [id] = await admin.value('res.currency/search', { domain: [['name', '=', name]], context });
  await admin.value('res.currency/write', { ids: [id], vals: { active: true } });
  return id;
}

/**
 * Creates shared rates for each currency on some days, and separate rates for some companies, but not for EUR and
 * company 1.
 */
function createRandomRates(): Rate[] {
  const owners = [false as const, companies[0]!.id, companies[1]!.id];
  return currencies.flatMap((currency_id) =>
    owners.flatMap((company_id) =>
      DAYS.filter(() => random() < 0.35).map((name) => {
        return { name, rate: pick([0.25, 0.5, 0.8, 1.25, 2, 150]), currency_id, company_id };
      }),
    ),
  );
}

/**
 * Reference implementation. Returns the company's latest rate on or before the day, otherwise the latest shared rate,
 * otherwise the company's first rate, otherwise the first shared rate.
 */
function rateOn(currency_id: number, { main }: Company, day: string): number {
  const [own = [], shared = []] = [main, false].map((company) =>
    rates
      .filter((rate) => rate.currency_id === currency_id && rate.company_id === company)
      .sort((a, b) => a.name.localeCompare(b.name)),
  );
  const isPast = ({ name }: Rate) => name <= day;
  return (own.findLast(isPast) ?? shared.findLast(isPast) ?? own[0] ?? shared[0])?.rate ?? 1;
}

const exchange = (amount: number, from: number, to: number, company: Company, day: string): number =>
  from === to ? amount : (amount * rateOn(to, company, day)) / rateOn(from, company, day);

const buildAt = ({ id }: Company) => ({ context: { allowed_company_ids: [id] } });
const formatToday = () => new Date().toISOString().slice(0, 10);

function computeInSql(expression: Sql): Promise<number> {
  return app.main.ctx.db.value<number>(sql`select (${expression})::float8`);
}

test('converts amounts identically in SQL and TypeScript for every currency, company and day', async () => {
  for (const company of companies)
    for (const day of ASKED)
      for (const from of currencies) {
        const to = pick(currencies);
        const amount = pick([0, 0.01, 19.99, 100, -7.5, 1_234_567.89]);
        const expectedAmount = exchange(amount, from, to, company, day);
        const rates = new Map(currencies.map((id) => [id, rateOn(id, company, day)]));
        const exchangeOf = {
          ...{
            workspace: app.main.ctx.workspace.id,
            company: sql`${company.main}::int`,
            day: sql`${day}::date`,
          },
        };
        const inSql = buildConvertedSql(
          exchangeOf,
          sql`${amount}::float8`,
          sql`${from}::int`,
          sql`${to}::int`,
        );
        expect(convertAmount(amount, from, to, rates), `${amount} ${from} ${to} ${day}`).toBeCloseTo(
          expectedAmount,
          6,
        );
        expect(await computeInSql(inSql), `${amount} ${from} ${to} ${company.id} ${day}`).toBeCloseTo(
          expectedAmount,
          6,
        );
      }
});

test.each([
  [1.005, 0.01, 1.01],
  [-1.005, 0.01, -1.01],
  [2.675, 0.01, 2.68],
  [12.5, 1, 13],
  [-12.5, 1, -13],
  [7.33, 0.05, 7.35],
  [7.325, 0.05, 7.35],
  [88, 5, 90],
  [1.0005, 0.001, 1.001],
])('rounds %d by %d to %d in SQL and TypeScript', async (amount, step, expected) => {
  expect(roundTo(amount, step)).toBe(expected);
  expect(await computeInSql(buildRoundedSql(sql`${amount}::float8`, sql`${step}::float8`))).toBe(expected);
});

test("stores amounts as multiples of their currency's rounding unit", async () => {
  const [, , , franc] = currencies;
  await admin.value('res.currency/write', { ids: [franc], vals: { rounding: 0.05 } });
  const [home] = companies;
  await admin.value('res.company/write', { ids: [home!.id], vals: { currency_id: franc } });
  const lead = await admin.create('crm.lead', { name: 'Round', expected_revenue: 7.325 });
  expect((await admin.read('crm.lead', lead, ['expected_revenue'])).expected_revenue).toBe(7.35);
  await admin.value('res.company/write', { ids: [home!.id], vals: { currency_id: home!.currency } });
  await admin.value('res.currency/write', { ids: [franc], vals: { rounding: 0.01 } });
  await admin.expectError(422, 'res.currency/write', { ids: [franc], vals: { rounding: 0 } });
});

describe('currency rates', () => {
  test('are returned for the active company and the current date', async () => {
    for (const company of companies) {
      const fields = ['rate', 'inverse_rate'];
      const rows = await admin.value('res.currency/read', { ids: currencies, fields, ...buildAt(company) });
      for (const { id, rate, inverse_rate } of rows) {
        expect(rate).toBeCloseTo(exchange(1, company.currency, id, company, formatToday()), 8);
        expect(inverse_rate).toBeCloseTo(exchange(1, id, company.currency, company, formatToday()), 8);
      }
    }
  });

  test('can be written in three notations with a fixed order of precedence', async () => {
    const [, abroad] = companies;
    const [, dollar, pound] = currencies;
    const name = '2026-07-01';
    const ownRate = rateOn(dollar!, abroad!, name);
    for (const [values, rate] of [
      [{ rate: 3 }, 3],
      [{ company_rate: 4 }, 4 * ownRate],
      [{ inverse_company_rate: 0.5 }, 2 * ownRate],
      [{ inverse_company_rate: 0.5, company_rate: 4 }, 4 * ownRate],
      [{ company_rate: 4, rate: 3 }, 3],
    ] as [object, number][]) {
      const vals_list = [{ name, currency_id: pound, company_id: abroad!.id, ...values }];
      const [id] = await admin.value('res.currency.rate/create', { vals_list, ...buildAt(abroad!) });
      const fields = ['rate', 'company_rate', 'inverse_company_rate', 'company_currency_id'];
      const [row] = await admin.value('res.currency.rate/read', { ids: [id], fields, ...buildAt(abroad!) });
      expect(row.rate).toBeCloseTo(rate, 8);
      expect(row.company_rate).toBeCloseTo(rate / ownRate, 8);
      expect(row.inverse_company_rate).toBeCloseTo(ownRate / rate, 8);
      expect(row.company_currency_id[0]).toBe(dollar);
      await admin.value('res.currency.rate/write', { ids: [id], vals: { inverse_company_rate: 0.25 } });
      expect((await admin.read('res.currency.rate', id, ['rate'])).rate).toBeCloseTo(4 * ownRate, 8);
      await admin.value('res.currency.rate/unlink', { ids: [id] });
    }
  });

  test("belong to a branch's main company, and must be positive", async () => {
    const [, abroad, branch] = companies;
    const fields = ['company_id'];
    expect(await admin.value('res.currency.rate/default_get', { fields, ...buildAt(branch!) })).toEqual({
      company_id: abroad!.id,
    });
    const vals_list = [{ currency_id: currencies[2], rate: 2, company_id: branch!.id }];
    await admin.expectError(422, 'res.currency.rate/create', { vals_list });
    for (const vals of [{ company_rate: 0 }, { inverse_company_rate: 0 }, { company_rate: 'x' }]) {
      const extra = { currency_id: currencies[2], company_id: abroad!.id };
      expect(
        (await admin.expectRejection('res.currency.rate/create', { vals_list: [{ ...extra, ...vals }] }))
          .status,
      ).toBe(422);
    }
  });
});

test('converts amounts to the company currency before summing them, for any grouping', async () => {
  const partner_id = await admin.create('res.partner', { name: 'Many currencies' });
  const pricelists = await Promise.all(
    currencies.map((currency_id) => admin.create('product.pricelist', { name: 'List', currency_id })),
  );
  const [home] = companies;
  const orders: { currency: number; total: number }[] = [];
  for (let i = 0; i < 12; i++) {
    const index = Math.floor(random() * currencies.length);
    const total = Math.round(random() * 1e5) / 100;
    const order_line = [[0, 0, { name: 'Work', price_unit: total, product_uom_qty: 1, tax_ids: [[5]] }]];
    await admin.create('sale.order', { partner_id, pricelist_id: pricelists[index], order_line });
    orders.push({ currency: currencies[index]!, total });
  }
  const getSum = (chosenOrders: typeof orders, company: Company) =>
    chosenOrders.reduce(
      (sum, item) => sum + exchange(item.total, item.currency, company.currency, company, formatToday()),
      0,
    );
  const args = { domain: [['partner_id', '=', partner_id]], aggregates: ['amount_total:sum_currency'] };
  const context = { allowed_company_ids: companies.map(({ id }) => id) };
  const [all] = await admin.value('sale.order/formatted_read_group', { ...args, groupby: [], context });
  expect(all['amount_total:sum_currency']).toBeCloseTo(getSum(orders, home!), 4);
  for (const group of await admin.value('sale.order/formatted_read_group', {
    ...{ ...args, groupby: ['currency_id'], order: 'amount_total:sum_currency desc', context },
  })) {
    const selectedOrders = orders.filter((order) => order.currency === group.currency_id[0]);
    expect(group['amount_total:sum_currency']).toBeCloseTo(getSum(selectedOrders, home!), 4);
  }
  const turned = { allowed_company_ids: companies.map(({ id }) => id).reverse() };
  const [other] = await admin.value('sale.order/formatted_read_group', {
    ...args,
    groupby: [],
    context: turned,
  });
  expect(other['amount_total:sum_currency']).toBeCloseTo(getSum(orders, companies[2]!), 4);
  const { data } = await postGraphql(
    app,
    `query ($id: ID!) { saleOrderGroups(groupBy: [{ field: CURRENCY }], where: { partnerId: { eq: $id } },
      orderBy: [{ aggregate: SUM_CURRENCY, field: AMOUNT_TOTAL }]) {
        key { currencyId } amountTotal { sum sumCurrency } } }`,
    { key: app.main.admin.key, variables: { id: String(partner_id) } },
  );
  const converted = data.saleOrderGroups.map(
    ({ amountTotal }: { amountTotal: { sumCurrency: number } }) => amountTotal.sumCurrency,
  );
  expect(converted).toEqual(converted.toSorted((a: number, b: number) => a - b));
  for (const { key, amountTotal } of data.saleOrderGroups) {
    const selectedOrders = orders.filter((order) => String(order.currency) === key.currencyId);
    expect(amountTotal.sum).toBeCloseTo(
      selectedOrders.reduce((sum, { total }) => sum + total, 0),
      4,
    );
    expect(amountTotal.sumCurrency).toBeCloseTo(getSum(selectedOrders, home!), 4);
  }
  const lines = { domain: [['order_id.partner_id', '=', partner_id]], groupby: [], context };
  const aggregates = ['price_total:sum_currency', 'price_total:sum'];
  const [ofLines] = await admin.value('sale.order.line/formatted_read_group', { ...lines, aggregates });
  expect(ofLines['price_total:sum_currency']).toBeCloseTo(getSum(orders, home!), 4);
  for (const aggregate of ['product_uom_qty:sum_currency', 'id:sum_currency'])
    await admin.expectError(422, 'sale.order.line/formatted_read_group', {
      ...lines,
      aggregates: [aggregate],
    });
});

test("converts a lead's orders at the rates of their dates and companies", async () => {
  const partner_id = await admin.create('res.partner', { name: 'Lead' });
  const product_id = await admin.create('product.product', { name: 'Lead' });
  const [home, abroad] = companies;
  const context = { allowed_company_ids: companies.map(({ id }) => id) };
  for (const { id: company_id, currency } of [home!, abroad!]) {
    const lead = await admin.create('crm.lead', { name: 'Several currencies', company_id });
    let expected = 0;
    for (let i = 0; i < 8; i++) {
      const [company, currency_id, day] = [pick(companies), pick(currencies), pick(ASKED)];
      const pricelist_id = await admin.create('product.pricelist', { name: 'Lead', currency_id });
      const price_unit = Math.round(random() * 1e5) / 100;
      const order_line = [[0, 0, { product_id, price_unit, tax_ids: [[5]] }]];
      const values = { partner_id, pricelist_id, company_id: company.id, opportunity_id: lead, order_line };
      const [order] = await admin.value('sale.order/create', { vals_list: [values], context });
      await admin.value('sale.order/action_confirm', { ids: [order], context });
      await admin.value('sale.order/write', {
        ids: [order],
        vals: { date_order: `${day} 12:00:00` },
        context,
      });
      const [{ currency_rate }] = await admin.value('sale.order/read', {
        ...{ ids: [order], fields: ['currency_rate'], context },
      });
      expect(currency_rate).toBeCloseTo(exchange(1, company.currency, currency_id, company, day), 8);
      expected += roundTo(exchange(price_unit, currency_id, currency, company, day), 0.01);
    }
    const [row] = await admin.value('crm.lead/read', { ids: [lead], fields: ['sale_amount_total'], context });
    expect(row.sale_amount_total).toBeCloseTo(expected, 6);
    const [group] = await admin.value('crm.lead/formatted_read_group', {
      ...{
        domain: [['id', '=', lead]],
        groupby: [],
        aggregates: ['sale_amount_total:sum_currency'],
        context,
      },
    });
    const own = exchange(expected, currency, home!.currency, home!, formatToday());
    expect(group['sale_amount_total:sum_currency']).toBeCloseTo(own, 4);
  }
});

test("prices a line at the rates for its order's date and company", async () => {
  const partner_id = await admin.create('res.partner', { name: 'Dated' });
  const product_id = await admin.create('product.product', { name: 'Dated', list_price: 100 });
  const [home] = companies;
  const context = { allowed_company_ids: companies.map(({ id }) => id) };
  const prices: Record<string, number> = {};
  for (const company of companies)
    for (const day of ASKED) {
      const currency_id = pick(currencies);
      const pricelist_id = await admin.create('product.pricelist', { name: 'Dated', currency_id });
      const values = { partner_id, pricelist_id, company_id: company.id, date_order: `${day} 23:30:00` };
      const vals_list = [{ ...values, order_line: [[0, 0, { product_id }]] }];
      const [id] = await admin.value('sale.order/create', { vals_list, context });
      const computeExpected = (date: string) =>
        roundTo(exchange(100, home!.currency, currency_id, company, date), 0.01);
      const readPrice = async () => {
        const lines = { domain: [['order_id', '=', id]], fields: ['price_unit'], context };
        return (await admin.value('sale.order.line/search_read', lines))[0].price_unit;
      };
      expect(await readPrice(), `${day} of ${company.id}`).toBeCloseTo(computeExpected(day), 6);
      prices[`${day} ${currency_id}`] = await readPrice();
      const later = pick(ASKED);
      await admin.value('sale.order/write', { ids: [id], vals: { date_order: later }, context });
      expect(await readPrice()).toBeCloseTo(computeExpected(day), 6);
      await admin.value('sale.order/action_update_prices', { ids: [id], context });
      expect(await readPrice()).toBeCloseTo(computeExpected(later), 6);
    }
  expect(new Set(Object.values(prices)).size).toBeGreaterThan(4);
});

test('stores a discount or markup as one value, whichever field is written', async () => {
  const [home] = companies;
  const product_id = await admin.create('product.product', {
    name: 'Cost',
    list_price: 80,
    standard_price: 40,
  });
  const partner_id = await admin.create('res.partner', { name: 'Marked up' });
  const pricelist_id = await admin.create('product.pricelist', {
    name: 'Rules',
    currency_id: home!.currency,
  });
  const item = await admin.create('product.pricelist.item', { pricelist_id, compute_price: 'formula' });
  const both = ['price_discount', 'price_markup'];
  for (const base of ['list_price', 'standard_price'])
    for (const [amounts, discount] of [
      [{ price_discount: -25 }, -25],
      [{ price_markup: 25 }, -25],
      [{ price_markup: -10 }, 10],
      [{ price_discount: 10, price_markup: 0 }, 10],
      [{ price_discount: 0, price_markup: 5 }, -5],
      [{ price_discount: 0 }, 0],
    ] as [object, number][]) {
      await admin.value('product.pricelist.item/write', { ids: [item], vals: { base, ...amounts } });
      expect(await admin.read('product.pricelist.item', item, both)).toMatchObject({
        price_discount: discount,
        price_markup: 0 - discount,
      });
      const order_line = [[0, 0, { product_id }]];
      const order = await admin.create('sale.order', { partner_id, pricelist_id, order_line });
      const lines = { domain: [['order_id', '=', order]], fields: ['price_unit'] };
      const [line] = await admin.value('sale.order.line/search_read', lines);
      const price = base === 'list_price' ? 80 : 40;
      expect(line.price_unit, `${base} ${JSON.stringify(amounts)}`).toBeCloseTo(
        price * (1 - discount / 100),
        6,
      );
    }
});

test('compares the written dates and margins of a pricelist rule with the stored ones', async () => {
  const pricelist_id = await admin.create('product.pricelist', { name: 'Bounds' });
  const stored = { date_start: '2026-03-01 00:00:00', price_max_margin: 5, compute_price: 'formula' };
  const rule = await admin.create('product.pricelist.item', { pricelist_id, ...stored });
  const bounds = ['date_start', 'date_end', 'price_min_margin', 'price_max_margin'];
  const before = await admin.read('product.pricelist.item', rule, bounds);
  for (const vals of [
    { date_end: '2026-02-01 00:00:00' },
    { price_min_margin: 6 },
    { price_min_margin: '6' },
  ])
    await admin.expectError(422, 'product.pricelist.item/write', { ids: [rule], vals });
  expect(await admin.read('product.pricelist.item', rule, bounds)).toEqual(before);
  const valid = { date_end: '2026-04-01 00:00:00', price_min_margin: 5 };
  await admin.value('product.pricelist.item/write', { ids: [rule], vals: valid });
});

describe("a new order's pricelist", () => {
  test("is the customer's pricelist in the company, or else the first pricelist", async () => {
    const [home, abroad] = companies;
    const all = { context: { allowed_company_ids: [home!.id, abroad!.id] } };
    const list = (name: string, overrides: object) =>
      admin.create('product.pricelist', { name, currency_id: home!.currency, ...overrides });
    const first = await list('First', { sequence: 0 });
    const [one, two] = [await list('One', {}), await list('Two', { company_id: abroad!.id })];
    const company = await admin.create('res.partner', { name: 'Entity', is_company: true });
    const contact = await admin.create('res.partner', { name: 'Contact', parent_id: company });
    const readPricelist = async (id: number, company: Company) => {
      const fields = ['property_product_pricelist'];
      const [row] = await admin.value('res.partner/read', {
        ids: [id],
        fields,
        load: null,
        ...buildAt(company),
      });
      const vals_list = [{ partner_id: id, company_id: company.id }];
      const [order] = await admin.value('sale.order/create', { vals_list, ...all });
      const readCall = { ids: [order], fields: ['pricelist_id'], load: null, ...all };
      const [{ pricelist_id }] = await admin.value('sale.order/read', readCall);
      return [row.property_product_pricelist, pricelist_id];
    };
    const give = (id: number, pricelist: number | false, company: Company) =>
      admin.value('res.partner/write', {
        ...{ ids: [id], vals: { property_product_pricelist: pricelist }, ...buildAt(company) },
      });
    expect(await readPricelist(contact, home!)).toEqual([first, first]);
    await give(company, one, home!);
    await give(contact, two, abroad!);
    for (const id of [company, contact]) {
      expect(await readPricelist(id, home!)).toEqual([one, one]);
      expect(await readPricelist(id, abroad!)).toEqual([two, two]);
    }
    const domain = [['property_product_pricelist', '=', one]];
    expect(await admin.value('res.partner/search', { domain, order: 'id', ...buildAt(home!) })).toEqual([
      ...[company, contact],
    ]);
    await admin.value('product.pricelist/write', { ids: [one], vals: { active: false } });
    expect(await readPricelist(contact, home!)).toEqual([first, first]);
    await give(company, false, abroad!);
    expect(await readPricelist(contact, abroad!)).toEqual([first, first]);
    const born = { name: 'Born', property_product_pricelist: two };
    const [partner] = await admin.value('res.partner/create', { vals_list: [born], ...buildAt(abroad!) });
    expect(await readPricelist(partner, abroad!)).toEqual([two, two]);
    for (const invalid of [999_999, 'one', true]) {
      const vals = { property_product_pricelist: invalid };
      expect((await admin.expectRejection('res.partner/write', { ids: [partner], vals })).status).toBe(422);
    }
    await admin.value('product.pricelist/write', { ids: [first], vals: { active: false } });
  });
});

test("sets the order's addresses as Odoo does", async () => {
  const add = (name: string, overrides: object) => admin.create('res.partner', { name, ...overrides });
  const group = await add('Group', { is_company: true });
  const groupBill = await add('Bill of group', { parent_id: group, type: 'invoice' });
  const company = await add('Company', { is_company: true, parent_id: group });
  const person = await add('Person', { parent_id: company });
  const dock = await add('Dock', { parent_id: company, type: 'delivery' });
  const [bill, second] = [
    await add('Bill', { parent_id: company, type: 'invoice' }),
    await add('Second bill', { parent_id: company, type: 'invoice' }),
  ];
  const contactId = await add('Alone', { is_company: true, parent_id: group });
  const shop = await add('Shop', { parent_id: contactId, type: 'other' });
  for (const [partner_id, invoice, delivery] of [
    [group, groupBill, group],
    [company, bill, dock],
    [person, bill, dock],
    [dock, bill, dock],
    [second, second, dock],
    [contactId, contactId, contactId],
    [shop, contactId, contactId],
  ] as [number, number, number][]) {
    const id = await admin.create('sale.order', { partner_id });
    const fields = ['partner_invoice_id', 'partner_shipping_id'];
    const order = await admin.read('sale.order', id, fields);
    expect(order, String(partner_id)).toMatchObject({
      partner_invoice_id: invoice,
      partner_shipping_id: delivery,
    });
    const args = { ids: [partner_id], adr_pref: ['invoice', 'delivery'] };
    expect(await admin.value('res.partner/address_get', args)).toMatchObject({ invoice, delivery });
  }
});
