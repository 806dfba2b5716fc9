import { addRecords, type Ctx } from '../kit/surface.ts';

export async function addProductInitialData(ctx: Ctx): Promise<void> {
  await addUnits(ctx);
  const { product_category_all: all } = await addRecords(ctx, 'product', 'product.category', {
    product_category_all: { name: 'All' },
  });
  await addRecords(ctx, 'product', 'product.category', {
    product_category_goods: { name: 'Goods', parent_id: all },
    product_category_services: { name: 'Services', parent_id: all },
  });
}

/** `id` is the name part of the external identifier. One unit equals `contains` units of `of`. */
type Unit = [id: string, name: string, sequence: number, contains?: number, of?: string];

/** Sorted so that each unit follows the unit it refers to. */
const UNITS: Unit[][] = [
  [
    ['unit', 'Units', 1],
    ['hour', 'Hours', 20],
    ['gram', 'g', 50],
    ['millimeter', 'mm', 60],
    ['litre', 'L', 70],
  ],
  [
    ['pack_6', 'Pack of 6', 2, 6, 'unit'],
    ['dozen', 'Dozens', 3, 12, 'unit'],
    ['day', 'Days', 21, 8, 'hour'],
    ['kgm', 'kg', 51, 1000, 'gram'],
    ['cm', 'cm', 61, 10, 'millimeter'],
    ['meter', 'm', 62, 1000, 'millimeter'],
  ],
  [
    ['ton', 't', 52, 1000, 'kgm'],
    ['km', 'km', 63, 1000, 'meter'],
  ],
];

async function addUnits(ctx: Ctx): Promise<void> {
  const idsByName: Record<string, number> = {};
  for (const units of UNITS) {
    const records = units.map(([id, name, sequence, relative_factor, referenceUnit]) => [
      `product_uom_${id}`,
      {
        name,
        sequence,
        ...(referenceUnit && { relative_factor, relative_uom_id: idsByName[`product_uom_${referenceUnit}`] }),
      },
    ]);
    Object.assign(idsByName, await addRecords(ctx, 'uom', 'uom.uom', Object.fromEntries(records)));
  }
}
