import { defineApp } from '../kit/app.ts';
import { addProductDemoData } from './demo.ts';
import { productGroups } from './groups.ts';
import { addProductInitialData } from './initial-data.ts';
import './category.ts';
import './partner-pricelist.ts';
import './pricelist.ts';
import './template.ts';
import './product.ts';
import './product-copy.ts';
import './uom.ts';

export const product = defineApp({
  name: 'product',
  label: 'Products',
  summary: 'Products, units of measure and pricelists',
  category: 'Sales',
  version: '1.0',
  author: 'Atrium',
  models: ['product', 'uom'],
  depends: ['base'],
  groups: productGroups,
  settings: [],
  migrations: [],
  initialData: addProductInitialData,
  demo: addProductDemoData,
});
