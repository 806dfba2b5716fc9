import type { SqlContext } from '../../src/engine/model/field.ts';
import { buildConvertedSql, buildMainCompanySql } from '../../src/engine/sql/money-sql.ts';
import { type ModelOptions, type Sql, sql } from '../kit/surface.ts';

function buildAnyLineSql(row: Sql, context: SqlContext, condition: (line: Sql) => Sql): Sql {
  const line = context.alias();
  return sql`exists (select 1
    from ${context.table('sale.order.line')} ${line}
    where ${line}.workspace_id = ${context.workspace} and ${line}.order_id = ${row}.id
      and ${line}.display_type is null and ${condition(line)})`;
}

/** Builds SQL for a line's quantity to invoice: ordered or delivered, depending on the product's invoicing policy. */
export const buildInvoiceableSql = (line: Sql, context: SqlContext): Sql => {
  const [product, template] = [context.alias(), context.alias()];
  return sql`case when (select ${template}.invoice_policy from ${context.table('product.product')} ${product}
    join ${context.table('product.template')} ${template} on ${template}.workspace_id = ${context.workspace}
      and ${template}.id = ${product}.product_tmpl_id
    where ${product}.workspace_id = ${context.workspace} and ${product}.id = ${line}.product_id) = 'delivery'
      then coalesce(${line}.qty_delivered, 0) else ${line}.product_uom_qty end`;
};

const buildOpenSql = (line: Sql, context: SqlContext): Sql =>
  sql`${buildInvoiceableSql(line, context)} <> coalesce(${line}.qty_invoiced, 0)`;

export const INVOICE_STATUS: [string, string][] = [
  ['upselling', 'Upselling Opportunity'],
  ['invoiced', 'Fully Invoiced'],
  ['to invoice', 'To Invoice'],
  ['no', 'Nothing to Invoice'],
];

export const orderComputed: ModelOptions['computed'] = {
  invoice_status: {
    type: 'selection',
    label: 'Invoice Status',
    selection: INVOICE_STATUS,
    sql: (row, context) =>
      sql`case when ${row}.state <> 'sale' then 'no'
        when ${buildAnyLineSql(row, context, (line) => buildOpenSql(line, context))} then 'to invoice'
        when ${buildAnyLineSql(row, context, (line) => sql`coalesce(${line}.qty_invoiced, 0) > 0`)} then 'invoiced'
          else 'no' end`,
  },
  amount_to_invoice: {
    type: 'monetary',
    currency: 'currency_id',
    label: 'Un-invoiced Balance',
    sql: (row, context) => {
      const line = context.alias();
      return sql`case when ${row}.state = 'sale' then (
        select coalesce(sum(case when ${line}.product_uom_qty = 0 then 0
          else ${line}.price_total * (1 - coalesce(${line}.qty_invoiced, 0) / ${line}.product_uom_qty)::numeric end), 0)
    from ${context.table('sale.order.line')} ${line}
    where ${line}.workspace_id = ${context.workspace} and ${line}.order_id = ${row}.id) else 0 end`;
    },
  },
  amount_undiscounted: {
    type: 'float',
    label: 'Amount Before Discount',
    sql: (row, context) => {
      const line = context.alias();
      return sql`(select coalesce(sum(case when coalesce(${line}.discount, 0) = 100
          then (${line}.price_unit * ${line}.product_uom_qty)::numeric
          else ${line}.price_subtotal / (1 - coalesce(${line}.discount, 0)::numeric / 100) end), 0)::float8
    from ${context.table('sale.order.line')} ${line}
    where ${line}.workspace_id = ${context.workspace} and ${line}.order_id = ${row}.id)`;
    },
  },
  currency_rate: {
    type: 'float',
    label: 'Currency Rate',
    help: "Units of the order's currency per unit of the company's currency, on the order date.",
    sql: (row, { workspace, today }) =>
      buildConvertedSql(
        {
          workspace,
          company: buildMainCompanySql(workspace, sql`${row}.company_id`),
          day: sql`coalesce(${row}.date_order::date, ${today()})`,
        },
        sql`1::float8`,
        sql`(select c.currency_id from res_company c
          where c.workspace_id = ${workspace} and c.id = ${row}.company_id)`,
        sql`${row}.currency_id`,
      ),
  },
  invoice_count: {
    type: 'integer',
    label: 'Invoice Count',
    help: 'Always 0, because invoicing is not supported.',
    // PostgreSQL reads a bare number in `order by` as the position of a column.
    sql: () => sql`0::int`,
  },
  type_name: {
    type: 'char',
    label: 'Type Name',
    sql: (row) =>
      sql`case when ${row}.state in ('draft', 'sent', 'cancel') then 'Quotation' else 'Sales Order' end`,
  },
  is_expired: {
    type: 'boolean',
    label: 'Is Expired',
    sql: (row, { today }) =>
      sql`coalesce(${row}.state in ('draft', 'sent') and ${row}.validity_date < ${today()}, false)`,
  },
};
