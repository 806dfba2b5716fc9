import { defineApp } from '../kit/app.ts';
import { addSaleDemoData } from './demo.ts';
import { addSaleInitialData } from './initial-data.ts';
import { saleSettings } from './settings.ts';
import './order.ts';
import './order-line.ts';
import './order-prices.ts';
import './order-send.ts';
import './order-state.ts';
import './payment-term.ts';
import './tax.ts';

export const sale = defineApp({
  name: 'sale',
  label: 'Sales',
  summary: 'Quotations and orders',
  category: 'Sales',
  version: '1.0',
  author: 'Atrium',
  models: ['sale', 'account'],
  depends: ['base', 'contacts', 'crm', 'product'],
  // Uses the groups of crm, because the same people use both apps.
  groups: [],
  settings: saleSettings,
  migrations: [],
  initialData: addSaleInitialData,
  demo: addSaleDemoData,
});
