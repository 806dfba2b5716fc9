import { loadDemoPeople, pickInTurn } from '../kit/demo-people.ts';
import { addRecords, type Ctx, findRecordIds, formatNow, sql, type Values, write } from '../kit/surface.ts';
import { buildDemoName } from '../product/demo.ts';

type DemoLine = [code: string, quantity: number, discount?: number];

const ORDERS: [days: number, state: 'draft' | 'sent' | 'sale' | 'cancel', lines: DemoLine[]][] = [
  [
    2,
    'draft',
    [
      ['DESK-160', 4],
      ['CHAIR-01', 4, 5],
    ],
  ],
  [
    3,
    'draft',
    [
      ['CORK-M', 120, 10],
      ['SRV-FIT', 16],
    ],
  ],
  [
    5,
    'sent',
    [
      ['LAMP-T', 12],
      ['LAMP-F', 3],
    ],
  ],
  [6, 'sale', [['PAPER-A4', 200, 12]]],
  [
    9,
    'sent',
    [
      ['CASE-GL', 2],
      ['SRV-FIT', 6],
    ],
  ],
  [12, 'sale', [['SRV-PLAN', 10]]],
  [
    15,
    'sale',
    [
      ['SHELF-5', 8, 5],
      ['SRV-FIT', 4],
    ],
  ],
  [18, 'cancel', [['DESK-ADJ', 3]]],
  [24, 'sale', [['PANEL-A', 30, 8]]],
  [
    31,
    'sale',
    [
      ['CHAIR-02', 24, 10],
      ['SRV-DAY', 1],
    ],
  ],
  [38, 'sale', [['ENV-C5', 60]]],
  [
    47,
    'sale',
    [
      ['DESK-160', 10, 15],
      ['CHAIR-01', 10, 15],
      ['LAMP-T', 10],
    ],
  ],
];

export async function addSaleDemoData(ctx: Ctx): Promise<void> {
  const people = await loadDemoPeople(ctx);
  if (people.companies.length === 0) return;
  const products = await findRecordIds(ctx, 'product', [
    ...new Set(ORDERS.flatMap(([, , lines]) => lines.map(([code]) => buildDemoName(code)))),
  ]);
  await assignTaxes(ctx, [...products.values()]);
  const records: Record<string, Values> = {};
  ORDERS.forEach(([, , lines], index) => {
    records[`demo_order_${index + 1}`] = {
      partner_id: pickInTurn(people.companies, index)!.id,
      user_id: pickInTurn(people.users, index) ?? false,
      order_line: lines
        .filter(([code]) => products.has(buildDemoName(code)))
        .map(([code, product_uom_qty, discount = 0]) => [
          0,
          0,
          { product_id: products.get(buildDemoName(code)), product_uom_qty, discount },
        ]),
    };
  });
  const idsByName = await findRecordIds(ctx, 'sale', Object.keys(records));
  const ids = await addRecords(ctx, 'sale', 'sale.order', records);
  for (const [index, [days, state]] of ORDERS.entries()) {
    const name = `demo_order_${index + 1}`;
    if (idsByName.has(name)) continue;
    await write(ctx.system(), 'sale.order', [ids[name]!], { state, date_order: formatNow(-days) });
  }
}

async function assignTaxes(ctx: Ctx, products: number[]): Promise<void> {
  const idsByName = await findRecordIds(ctx, 'account', ['demo_tax_sale']);
  if (idsByName.size) return;
  const { demo_tax_sale: tax } = await addRecords(ctx, 'account', 'account.tax', {
    demo_tax_sale: { name: '20%', amount: 20 },
  });
  const templates = await ctx.db.rows<{ id: number }>(
    sql`select distinct product_tmpl_id as id from product_product
     where workspace_id = ${ctx.workspace.id} and id = any(${products})`,
  );
  const ids = templates.map((row) => row.id);
  if (ids.length) await write(ctx.system(), 'product.template', ids, { taxes_id: [[4, tax]] });
}
