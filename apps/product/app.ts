import { defineApp } from '../kit/app.ts';
import { demo } from './demo.ts';
import { found } from './found.ts';
import { groups } from './groups.ts';
import './category.ts';
import './pricelist.ts';
import './template.ts';
import './product.ts';
import './product-copy.ts';
import './product-tag.ts';
import './uom.ts';

export const product = defineApp({
  name: 'product',
  label: 'Products',
  summary: 'What is sold, in which units and at which prices',
  version: '1.0',
  models: ['product', 'uom'],
  depends: ['base'],
  groups,
  found,
  demo,
});
