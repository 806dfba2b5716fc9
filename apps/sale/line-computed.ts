import { type ModelOptions, sql } from '../kit/surface.ts';
import { buildInvoiceableSql, INVOICE_STATUS } from './order-computed.ts';

export const lineComputed: ModelOptions['computed'] = {
  qty_to_invoice: {
    type: 'float',
    label: 'Quantity To Invoice',
    sql: (row, context) =>
      sql`case when ${context.field('state')} = 'sale' and ${row}.display_type is null
        then ${buildInvoiceableSql(row, context)} - coalesce(${row}.qty_invoiced, 0) else 0 end`,
  },
  qty_delivered_method: {
    type: 'selection',
    label: 'Method to update delivered qty',
    selection: [['manual', 'Manual']],
    sql: (row) => sql`case when ${row}.display_type is null then 'manual' end`,
  },
  invoice_status: {
    type: 'selection',
    label: 'Invoice Status',
    selection: INVOICE_STATUS,
    sql: (row, context) =>
      sql`case when ${context.field('state')} <> 'sale' or ${row}.display_type is not null then 'no'
        when ${buildInvoiceableSql(row, context)} <> coalesce(${row}.qty_invoiced, 0) then 'to invoice'
        when coalesce(${row}.qty_invoiced, 0) > 0 then 'invoiced' else 'no' end`,
  },
  price_reduce_taxexcl: {
    type: 'monetary',
    currency: 'currency_id',
    label: 'Price Reduce Tax excl',
    sql: (row) =>
      sql`case when ${row}.product_uom_qty = 0 then 0 else ${row}.price_subtotal / ${row}.product_uom_qty::numeric end`,
  },
  price_reduce_taxinc: {
    type: 'monetary',
    currency: 'currency_id',
    label: 'Price Reduce Tax incl',
    sql: (row) =>
      sql`case when ${row}.product_uom_qty = 0 then 0 else ${row}.price_total / ${row}.product_uom_qty::numeric end`,
  },
};
