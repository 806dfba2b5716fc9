import type { AppGroup } from '../kit/app.ts';

export const productGroups: AppGroup[] = [
  {
    id: 'product.group_product_manager',
    name: 'Creation',
    privilege: 'Product',
    implies: ['base.group_user'],
  },
  { id: 'product.group_product_pricelist', name: 'Pricelists', implies: [] },
];
