import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createScene } from '../rights/scene.ts';

// An order's totals are sums over its lines. Concurrent line changes must not leave outdated sums.

const app = setUpApp();
const scene = createScene(app);
let customer: number;
let product: number;

beforeAll(async () => {
  customer = await scene.create('res.partner', { name: 'Customer' });
  const tax = await scene.create('account.tax', { name: '10%', amount: 10 });
  product = await scene.create('product.product', {
    name: 'Piece',
    list_price: 7,
    taxes_id: [[6, 0, [tax]]],
  });
});

const call = (path: string, body: object) => json2(app, path, body, app.main.admin.key);
const buildLine = (price_unit: number) => [0, 0, { product_id: product, product_uom_qty: 1, price_unit }];

const createOrder = (...lines: unknown[]) =>
  scene.create('sale.order', { partner_id: customer, order_line: lines });

async function expectRight(order: number, count: number): Promise<void> {
  const fields = ['amount_untaxed', 'amount_tax', 'amount_total', 'order_line'];
  const { order_line: ids, ...amounts } = await scene.admin.row('sale.order', order, fields);
  expect(ids).toHaveLength(count);
  const rows: { price_subtotal: number; price_total: number }[] = await scene.admin.value(
    'sale.order.line/read',
    { ids, fields: ['price_subtotal', 'price_total'] },
  );
  const sum = (name: 'price_subtotal' | 'price_total') => rows.reduce((total, row) => total + row[name], 0);
  expect(amounts.amount_untaxed).toBeCloseTo(sum('price_subtotal'), 2);
  expect(amounts.amount_total).toBeCloseTo(sum('price_total'), 2);
  expect(amounts.amount_tax).toBeCloseTo(sum('price_total') - sum('price_subtotal'), 2);
}

async function expectAllOk(calls: Promise<{ status: number; text: string }>[]): Promise<void> {
  for (const { status, text } of await Promise.all(calls)) expect(status, text).toBe(200);
}

test('adds a line in each of 20 concurrent calls', async () => {
  const order = await createOrder();
  await expectAllOk(
    Array.from({ length: 20 }, (_, n) =>
      call('sale.order.line/create', {
        vals_list: [{ order_id: order, product_id: product, product_uom_qty: n + 1, price_unit: 3 }],
      }),
    ),
  );
  await expectRight(order, 20);
});

test('adds lines through the order in 20 concurrent calls', async () => {
  const order = await createOrder(buildLine(1));
  await expectAllOk(
    Array.from({ length: 20 }, (_, n) =>
      call('sale.order/write', { ids: [order], vals: { order_line: [buildLine(n + 2)] } }),
    ),
  );
  await expectRight(order, 21);
});

test("updates the order's totals when lines are written, deleted and added concurrently", async () => {
  const order = await createOrder(...Array.from({ length: 10 }, (_, n) => buildLine(n + 1)));
  const { order_line: ids } = await scene.admin.row('sale.order', order, ['order_line']);
  await expectAllOk([
    ...ids.slice(0, 4).map((id: number) => call('sale.order.line/unlink', { ids: [id] })),
    ...ids
      .slice(4)
      .map((id: number) => call('sale.order.line/write', { ids: [id], vals: { product_uom_qty: 5 } })),
    ...ids.slice(4).map((id: number) =>
      call('sale.order/write', {
        ids: [order],
        vals: {
          order_line: [
            [1, id, { discount: 10 }],
            [1, ids[4], { price_unit: 2 }],
          ],
        },
      }),
    ),
    ...Array.from({ length: 4 }, () =>
      call('sale.order/write', { ids: [order], vals: { order_line: [buildLine(100)] } }),
    ),
    call('sale.order.line/write', { ids: [...ids.slice(4)].reverse(), vals: { price_unit: 11 } }),
  ]);
  await expectRight(order, 10);
});

test('assigns distinct names to 20 orders created concurrently', async () => {
  const orders = await Promise.all(Array.from({ length: 20 }, () => createOrder(buildLine(4))));
  const rows = await scene.admin.value('sale.order/read', { ids: orders, fields: ['name'] });
  expect(new Set(rows.map((row: { name: string }) => row.name)).size).toBe(20);
});

test('keeps an order consistent if it is confirmed while lines are added', async () => {
  const order = await createOrder(buildLine(9));
  const answers = await Promise.all([
    ...Array.from({ length: 6 }, () =>
      call('sale.order/write', { ids: [order], vals: { order_line: [buildLine(3)] } }),
    ),
    call('sale.order/action_confirm', { ids: [order] }),
  ]);
  for (const { status, text } of answers) expect([200, 422], text).toContain(status);
  expect(answers.at(-1)!.status).toBe(200);
  const addedCount = answers.slice(0, -1).filter(({ status }) => status === 200).length;
  await expectRight(order, 1 + addedCount);
});
