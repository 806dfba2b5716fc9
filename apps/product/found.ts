import type { Ctx } from '../../src/engine/ctx.ts';
import { addRecords } from '../first-records.ts';

/** Units of measure and the first categories. */
export async function found(ctx: Ctx): Promise<void> {
  const base = await addRecords(ctx, 'uom', 'uom.uom', {
    product_uom_unit: { name: 'Units', sequence: 1 },
    product_uom_gram: { name: 'g', sequence: 50 },
    product_uom_millimeter: { name: 'mm', sequence: 60 },
    product_uom_hour: { name: 'Hours', sequence: 20 },
    product_uom_litre: { name: 'L', sequence: 70 },
  });
  const second = await addRecords(ctx, 'uom', 'uom.uom', {
    product_uom_pack_6: {
      name: 'Pack of 6',
      sequence: 2,
      relative_factor: 6,
      relative_uom_id: base.product_uom_unit,
    },
    product_uom_dozen: {
      name: 'Dozens',
      sequence: 3,
      relative_factor: 12,
      relative_uom_id: base.product_uom_unit,
    },
    product_uom_kgm: {
      name: 'kg',
      sequence: 51,
      relative_factor: 1000,
      relative_uom_id: base.product_uom_gram,
    },
    product_uom_meter: {
      name: 'm',
      sequence: 62,
      relative_factor: 1000,
      relative_uom_id: base.product_uom_millimeter,
    },
    product_uom_cm: {
      name: 'cm',
      sequence: 61,
      relative_factor: 10,
      relative_uom_id: base.product_uom_millimeter,
    },
    product_uom_day: {
      name: 'Days',
      sequence: 21,
      relative_factor: 8,
      relative_uom_id: base.product_uom_hour,
    },
  });
  await addRecords(ctx, 'uom', 'uom.uom', {
    product_uom_ton: {
      name: 't',
      sequence: 52,
      relative_factor: 1000,
      relative_uom_id: second.product_uom_kgm,
    },
    product_uom_km: {
      name: 'km',
      sequence: 63,
      relative_factor: 1000,
      relative_uom_id: second.product_uom_meter,
    },
  });
  const { product_category_all: all } = await addRecords(ctx, 'product', 'product.category', {
    product_category_all: { name: 'All' },
  });
  await addRecords(ctx, 'product', 'product.category', {
    product_category_goods: { name: 'Goods', parent_id: all },
    product_category_services: { name: 'Services', parent_id: all },
  });
}
