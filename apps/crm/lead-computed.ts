import type { SqlContext } from '../../src/engine/model/field.ts';
import { buildConvertedSql, buildMainCompanySql, buildRoundedSql } from '../../src/engine/sql/money-sql.ts';
import { companyCurrency, type ModelOptions, type Sql, sql } from '../kit/surface.ts';

function buildRelatedSql(
  context: SqlContext,
  row: Sql,
  model: string,
  column: string,
  value: (target: Sql) => Sql,
): Sql {
  const alias = context.alias();
  return sql`(select ${value(alias)} from ${context.table(model)} ${alias}
    where ${alias}.workspace_id = ${context.workspace} and ${alias}.id = ${row}.${sql.id(column)})`;
}

function buildOrdersSql(context: SqlContext, row: Sql, value: (order: Sql) => Sql, states: Sql): Sql {
  const order = context.alias();
  return sql`(select ${value(order)} from ${context.table('sale.order')} ${order}
    where ${order}.workspace_id = ${context.workspace} and ${order}.opportunity_id = ${row}.id
      and ${order}.state in (${states}))`;
}

const buildProratedSql = (amount: Sql, row: Sql): Sql =>
  sql`round(coalesce(${amount}, 0) * coalesce(${row}.probability, 0)::numeric / 100, 2)`;

const buildMonthsSql = (row: Sql, context: SqlContext): Sql =>
  buildRelatedSql(
    context,
    row,
    'crm.recurring.plan',
    'recurring_plan',
    (plan) => sql`nullif(${plan}.number_of_months, 0)`,
  );

const buildMonthlySql = (row: Sql, context: SqlContext): Sql =>
  sql`round(coalesce(${row}.recurring_revenue, 0) / coalesce(${buildMonthsSql(row, context)}, 1), 2)`;

/** Builds SQL for the number of whole days between creation and `end`. Null if `end` is not set. */
const buildDaysSql = (row: Sql, end: string): Sql =>
  sql`floor(abs(extract(epoch from ${row}.${sql.id(end)} - ${row}.create_date)) / 86400)::float8`;

/** Builds SQL for an order's amount in the currency of the lead's company, at the rate of the order's date. */
function buildOwnAmountSql({ workspace, field, alias, table }: SqlContext, order: Sql): Sql {
  const currency = field('company_currency');
  const exchange = {
    workspace,
    company: buildMainCompanySql(workspace, sql`${order}.company_id`),
    day: sql`${order}.date_order::date`,
  };
  const convertedSql = buildConvertedSql(
    exchange,
    sql`${order}.amount_untaxed`,
    sql`${order}.currency_id`,
    currency,
  );
  const target = alias();
  return buildRoundedSql(
    convertedSql,
    sql`(select ${target}.rounding from ${table('res.currency')} ${target}
      where ${target}.workspace_id = ${workspace} and ${target}.id = ${currency})`,
  );
}

export const leadComputed: ModelOptions['computed'] = {
  won_status: {
    type: 'selection',
    label: 'Won/Lost',
    selection: [
      ['won', 'Won'],
      ['lost', 'Lost'],
      ['pending', 'Pending'],
    ],
    sql: (row, context) =>
      sql`case when ${row}.probability >= 100
          and ${buildRelatedSql(context, row, 'crm.stage', 'stage_id', (stage) => sql`${stage}.is_won`)} then 'won'
        when not ${row}.active and coalesce(${row}.probability, 0) = 0 then 'lost' else 'pending' end`,
  },
  is_automated_probability: {
    type: 'boolean',
    label: 'Is automated probability?',
    sql: (row) => sql`coalesce(${row}.probability, 0) = coalesce(${row}.automated_probability, 0)`,
  },
  company_currency: companyCurrency('Currency'),
  prorated_revenue: {
    type: 'monetary',
    currency: 'company_currency',
    label: 'Prorated Revenue',
    sql: (row) => buildProratedSql(sql`${row}.expected_revenue`, row),
  },
  recurring_revenue_monthly: {
    type: 'monetary',
    currency: 'company_currency',
    label: 'Expected MRR',
    sql: buildMonthlySql,
  },
  recurring_revenue_monthly_prorated: {
    type: 'monetary',
    currency: 'company_currency',
    label: 'Prorated MRR',
    sql: (row, context) => buildProratedSql(buildMonthlySql(row, context), row),
  },
  recurring_revenue_prorated: {
    type: 'monetary',
    currency: 'company_currency',
    label: 'Prorated Recurring Revenues',
    sql: (row) => buildProratedSql(sql`${row}.recurring_revenue`, row),
  },
  day_open: { type: 'float', label: 'Days to Assign', sql: (row) => buildDaysSql(row, 'date_open') },
  day_close: { type: 'float', label: 'Days to Close', sql: (row) => buildDaysSql(row, 'date_closed') },
  quotation_count: {
    type: 'integer',
    label: 'Number of Quotations',
    sql: (row, context) => buildOrdersSql(context, row, () => sql`count(*)::int`, sql`'draft', 'sent'`),
  },
  sale_order_count: {
    type: 'integer',
    label: 'Number of Sale Orders',
    sql: (row, context) => buildOrdersSql(context, row, () => sql`count(*)::int`, sql`'sale'`),
  },
  sale_amount_total: {
    type: 'monetary',
    currency: 'company_currency',
    label: 'Sum of Orders',
    sql: (row, context) =>
      buildOrdersSql(
        context,
        row,
        (order) => sql`coalesce(sum(${buildOwnAmountSql(context, order)}), 0)`,
        sql`'sale'`,
      ),
  },
};
