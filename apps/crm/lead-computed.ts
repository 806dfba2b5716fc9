import type { SqlWords } from '../../src/engine/model/field.ts';
import type { ModelOptions } from '../../src/engine/model/model.ts';
import { companyCurrency } from '../kit/company-currency.ts';

/** A subquery on the record of `model` that `column` of the row leads to. */
function far(
  sql: SqlWords,
  row: string,
  model: string,
  column: string,
  value: (far: string) => string,
): string {
  const there = sql.alias();
  return `(select ${value(there)} from ${sql.table(model)} ${there} where ${there}.workspace_id = ${row}.workspace_id and ${there}.id = ${row}.${column})`;
}

/** A subquery over the orders that came out of the row's lead. */
function orders(sql: SqlWords, row: string, value: (order: string) => string, states: string): string {
  const order = sql.alias();
  return `(select ${value(order)} from ${sql.table('sale.order')} ${order} where ${order}.workspace_id = ${row}.workspace_id and ${order}.opportunity_id = ${row}.id and ${order}.state in (${states}))`;
}

/** Amounts by probability: the one column times the other. */
const prorated = (amount: string, row: string): string =>
  `round(coalesce(${amount}, 0) * coalesce(${row}.probability, 0)::numeric / 100, 2)`;

const monthly = (row: string, sql: SqlWords): string =>
  `round(coalesce(${row}.recurring_revenue, 0) / coalesce(${far(sql, row, 'crm.recurring.plan', 'recurring_plan', (plan) => `nullif(${plan}.number_of_months, 0)`)}, 1), 2)`;

/** Whole days between two moments; null while the later one has not come. */
const days = (row: string, end: string): string =>
  `floor(abs(extract(epoch from ${row}.${end} - ${row}.create_date)) / 86400)::float8`;

export const leadComputed: ModelOptions['computed'] = {
  won_status: {
    type: 'selection',
    label: 'Won/Lost',
    selection: [
      ['won', 'Won'],
      ['lost', 'Lost'],
      ['pending', 'Pending'],
    ],
    sql: (row, sql) =>
      `case when ${row}.probability >= 100 and ${far(sql, row, 'crm.stage', 'stage_id', (stage) => `${stage}.is_won`)} then 'won' when not ${row}.active and coalesce(${row}.probability, 0) = 0 then 'lost' else 'pending' end`,
  },
  is_automated_probability: {
    type: 'boolean',
    label: 'Is automated probability?',
    sql: (row) => `coalesce(${row}.probability, 0) = coalesce(${row}.automated_probability, 0)`,
  },
  company_currency: companyCurrency('Currency'),
  prorated_revenue: {
    type: 'monetary',
    label: 'Prorated Revenue',
    sql: (row) => prorated(`${row}.expected_revenue`, row),
  },
  recurring_revenue_monthly: { type: 'monetary', label: 'Expected MRR', sql: monthly },
  recurring_revenue_monthly_prorated: {
    type: 'monetary',
    label: 'Prorated MRR',
    sql: (row, sql) => prorated(monthly(row, sql), row),
  },
  recurring_revenue_prorated: {
    type: 'monetary',
    label: 'Prorated Recurring Revenues',
    sql: (row) => prorated(`${row}.recurring_revenue`, row),
  },
  day_open: { type: 'float', label: 'Days to Assign', sql: (row) => days(row, 'date_open') },
  day_close: { type: 'float', label: 'Days to Close', sql: (row) => days(row, 'date_closed') },
  quotation_count: {
    type: 'integer',
    label: 'Number of Quotations',
    sql: (row, sql) => orders(sql, row, () => 'count(*)::int', `'draft', 'sent'`),
  },
  sale_order_count: {
    type: 'integer',
    label: 'Number of Sale Orders',
    sql: (row, sql) => orders(sql, row, () => 'count(*)::int', `'sale'`),
  },
  sale_amount_total: {
    type: 'monetary',
    label: 'Sum of Orders',
    sql: (row, sql) => orders(sql, row, (order) => `coalesce(sum(${order}.amount_untaxed), 0)`, `'sale'`),
  },
};
