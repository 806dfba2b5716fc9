import { addRecords, type Ctx, findRecordIds, type Values } from '../kit/surface.ts';

const PRODUCTS: [
  code: string,
  name: string,
  kind: 'goods' | 'service',
  price: number,
  cost: number,
  unit: string,
  weight: number,
][] = [
  ['DESK-160', 'Desk, oak, 160 cm', 'goods', 420, 236, 'unit', 38],
  ['DESK-ADJ', 'Desk, adjustable in height', 'goods', 690, 402, 'unit', 52],
  ['CHAIR-01', 'Office chair', 'goods', 249, 131, 'unit', 14],
  ['CHAIR-02', 'Visitor chair, stackable', 'goods', 89, 41, 'unit', 6],
  ['LAMP-T', 'Table lamp', 'goods', 74.5, 33, 'unit', 1.8],
  ['LAMP-F', 'Floor lamp', 'goods', 139, 68, 'unit', 4.2],
  ['SHELF-5', 'Shelf, five boards', 'goods', 180, 92, 'unit', 24],
  ['CORK-M', 'Cork flooring, by the meter', 'goods', 28, 15.4, 'meter', 3.1],
  ['PAPER-A4', 'Paper A4, 500 sheets', 'goods', 5.9, 3.1, 'unit', 2.5],
  ['ENV-C5', 'Envelopes C5, dozen', 'goods', 1.8, 0.7, 'dozen', 0.1],
  ['PANEL-A', 'Acoustic panel', 'goods', 64, 29, 'unit', 2.2],
  ['CASE-GL', 'Display case, glass', 'goods', 1250, 710, 'unit', 86],
  ['SRV-FIT', 'Fitting on site', 'service', 68, 41, 'hour', 0],
  ['SRV-PLAN', 'Planning', 'service', 95, 55, 'hour', 0],
  ['SRV-DAY', 'Training, one day', 'service', 890, 480, 'day', 0],
];

export async function addProductDemoData(ctx: Ctx): Promise<void> {
  const categories = await findRecordIds(ctx, 'product', [
    'product_category_goods',
    'product_category_services',
  ]);
  const units = await findRecordIds(
    ctx,
    'uom',
    ['unit', 'meter', 'dozen', 'hour', 'day'].map((name) => `product_uom_${name}`),
  );
  const getValues = ([code, name, kind, price, cost, unit, weight]: (typeof PRODUCTS)[number]): Values => ({
    name,
    default_code: code,
    type: kind === 'service' ? 'service' : 'consu',
    list_price: price,
    standard_price: cost,
    weight,
    uom_id: units.get(`product_uom_${unit}`),
    categ_id:
      categories.get(kind === 'service' ? 'product_category_services' : 'product_category_goods') ?? false,
    ...(kind === 'service' && { invoice_policy: 'delivery' }),
  });
  await addRecords(
    ctx,
    'product',
    'product.product',
    Object.fromEntries(PRODUCTS.map((product) => [buildDemoName(product[0]), getValues(product)])),
  );
}

export const buildDemoName = (code: string): string => `demo_product_${code.toLowerCase().replace('-', '_')}`;
