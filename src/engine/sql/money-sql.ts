import { type Sql, sql } from '../../db/sql.ts';

export interface CurrencyExchange {
  workspace: unknown;
  /** Id of the main company (see `buildMainCompanySql`). */
  company: Sql;
  day: Sql;
}

/**
 * Builds SQL for a currency's exchange rate relative to the currency with rate 1. Sorts rates up to the day before
 * later ones, then company rates before shared ones, then by distance to the day, and takes the first. Defaults to 1
 * (Odoo 19).
 */
export const buildExchangeRateSql = ({ workspace, company, day }: CurrencyExchange, currency: Sql): Sql =>
  sql`coalesce((select r.rate from res_currency_rate r
    where r.workspace_id = ${workspace} and r.currency_id = ${currency}
      and (r.company_id is null or r.company_id = ${company})
    order by r.name > ${day}, r.company_id is null, abs(r.name - ${day}), r.id desc limit 1), 1)`;

/** Builds SQL that converts an amount without rounding it. Must match `convertAmount`. */
export const buildConvertedSql = (exchange: CurrencyExchange, amount: Sql, from: Sql, to: Sql): Sql =>
  sql`case when ${from} <> ${to}
    then ${amount} * ${buildExchangeRateSql(exchange, to)} / ${buildExchangeRateSql(exchange, from)}
      else ${amount} end`;

/** Rounds to the nearest multiple of `step`, with halves away from zero. Null if `step` is 0. Must match `roundTo`. */
export const buildRoundedSql = (amount: Sql, step: Sql): Sql =>
  sql`(round((${amount})::numeric / nullif((${step})::numeric, 0)) * (${step})::numeric)`;

/** Builds SQL for the top parent of a company, which owns the rates. */
export const buildMainCompanySql = (workspace: unknown, company: Sql): Sql =>
  sql`(with recursive up(id, parent_id) as (
      select m.id, m.parent_id from res_company m where m.workspace_id = ${workspace} and m.id = ${company}
      union
      select m.id, m.parent_id from res_company m join up on m.id = up.parent_id where m.workspace_id = ${workspace}
    ) select up.id from up where up.parent_id is null limit 1)`;

/** Builds SQL for the current company's id. Defaults to the workspace's first company. */
export const buildCompanySql = ({
  company,
  workspace,
}: {
  company: number | null;
  workspace: unknown;
}): Sql =>
  company === null
    ? sql`(select min(c.id) from res_company c where c.workspace_id = ${workspace})`
    : sql.literal(company);

/** Selects each currency's `id` and `rate`, the value of one unit in the company's currency. */
export function buildOwnRatesSql(workspace: unknown, company: Sql, day: Sql): Sql {
  const exchange = { workspace, company: buildMainCompanySql(workspace, company), day };
  const companyCurrency = sql`(select c.currency_id from res_company c
    where c.workspace_id = ${workspace} and c.id = ${company})`;
  return sql`select x.id, ${buildConvertedSql(exchange, sql`1::float8`, sql`x.id`, companyCurrency)} as rate
    from res_currency x where x.workspace_id = ${workspace}`;
}
