import { type Sql, sql } from '../../src/db/sql.ts';
import { buildExchangeRateSql, buildMainCompanySql } from '../../src/engine/sql/money-sql.ts';
import { buildReferenceSql } from '../product/template.ts';

interface PriceBookArgs {
  workspace: number;
  products: number[];
  orders: number[];
  units: number[];
}
type ArgSlots = { readonly [K in keyof PriceBookArgs]: unknown };

/** Builds SQL that returns a query's rows as one JSON list, so that a single statement can return several lists. */
export const buildJsonRowsSql = (query: Sql): Sql =>
  sql`(select coalesce(json_agg(x), '[]') from (${query}) x)`;

export const priceBookSql = sql.prepare<PriceBookArgs>(
  (p) => sql`select ${buildJsonRowsSql(buildProductsSql(p))} as products,
    ${buildJsonRowsSql(buildOrdersSql(p))} as orders,
    ${buildJsonRowsSql(buildRulesSql(p))} as rules, ${buildJsonRowsSql(buildUnitsSql(p))} as units,
      ${buildJsonRowsSql(buildRatesSql(p))} as rates,
    ${buildJsonRowsSql(buildPricelistSql(p))} as pricelists`,
);

const buildProductsSql = (p: ArgSlots): Sql => sql`
  select p.id, p.product_tmpl_id, t.list_price, p.standard_price,
    ${buildCostsSql(p)} as costs,
    (select c.currency_id from res_company c
      where c.workspace_id = ${p.workspace} and (t.company_id is null or c.id = t.company_id)
      order by c.id limit 1) as list_currency,
    t.uom_id, u.factor as uom_factor,
    ${buildDescriptionSql(sql`t.name`, sql`t.description_sale`)} as description,
      ${buildTranslationsSql(p)} as translations,
    array(with recursive up(id, parent_id) as (
        select c.id, c.parent_id from product_category c where c.workspace_id = ${p.workspace} and c.id = t.categ_id
        union
        select c.id, c.parent_id from product_category c join up on c.id = up.parent_id
          where c.workspace_id = ${p.workspace}
      ) select id from up) as categories,
    (select coalesce(json_agg(json_build_object('id', x.id, 'company', x.company_id) order by x.sequence, x.id), '[]')
      from product_tax_rel r
      join account_tax x on x.workspace_id = ${p.workspace} and x.id = r.tax_id and x.active
      where r.workspace_id = ${p.workspace} and r.product_id = t.id) as taxes
  from product_product p
  join product_template t on t.workspace_id = ${p.workspace} and t.id = p.product_tmpl_id
  join uom_uom u on u.workspace_id = ${p.workspace} and u.id = t.uom_id
  where p.workspace_id = ${p.workspace} and p.id = any(${p.products})`;

const buildDescriptionSql = (name: Sql, extra: Sql): Sql =>
  sql`${buildReferenceSql(sql`p.default_code`, name)} || coalesce(E'\\n' || nullif(${extra}, ''), '')`;

function buildTranslationsSql(p: ArgSlots): Sql {
  const text = (name: 'name' | 'description_sale') =>
    sql`coalesce(nullif(t.custom->>(${sql.literal(`${name}@`)} || o.lang), ''), t.${sql.id(name)})`;
  return sql`(select json_object_agg(o.lang, ${buildDescriptionSql(text('name'), text('description_sale'))})
    from (select distinct c.lang from sale_order s
      join res_partner c on c.workspace_id = ${p.workspace} and c.id = s.partner_id
      where s.workspace_id = ${p.workspace} and s.id = any(${p.orders}) and c.lang is not null) o)`;
}

const buildCostsSql = (
  p: ArgSlots,
): Sql => sql`(select json_object_agg(o.company_id, p.custom->('standard_price@' || o.company_id))
    from (select distinct company_id from sale_order
      where workspace_id = ${p.workspace} and id = any(${p.orders})) o
    where p.custom ? ('standard_price@' || o.company_id))`;

/** Maximum number of parent companies whose taxes an order can use. */
const MAX_COMPANY_DEPTH = 16;

const buildOrdersSql = (p: ArgSlots): Sql => sql`
  select o.id, o.company_id, b.currency_id as company_currency, o.currency_id, o.pricelist_id,
    to_char(o.date_order, 'YYYY-MM-DD HH24:MI:SS') as date, c.lang,
    array(with recursive up(id, parent_id, depth) as (
        select m.id, m.parent_id, 0 from res_company m where m.workspace_id = ${p.workspace} and m.id = o.company_id
        union all
        select m.id, m.parent_id, up.depth + 1 from res_company m join up on m.id = up.parent_id
          where m.workspace_id = ${p.workspace} and up.depth < ${sql.literal(MAX_COMPANY_DEPTH)}
      ) select id from up order by depth) as companies
  from sale_order o
  join res_company b on b.workspace_id = ${p.workspace} and b.id = o.company_id
  left join res_partner c on c.workspace_id = ${p.workspace} and c.id = o.partner_id
  where o.workspace_id = ${p.workspace} and o.id = any(${p.orders})`;

/** Selects all rules of the workspace if any order has a pricelist, because pricelists can build on each other. */
const buildRulesSql = (p: ArgSlots): Sql => sql`
  select i.pricelist_id, i.applied_on, i.categ_id, i.product_tmpl_id, i.product_id, i.min_quantity,
    i.compute_price, i.fixed_price, i.percent_price, i.base, i.base_pricelist_id, i.price_discount,
    i.price_round, i.price_surcharge, i.price_min_margin, i.price_max_margin,
    to_char(i.date_start, 'YYYY-MM-DD HH24:MI:SS') as date_start,
    to_char(i.date_end, 'YYYY-MM-DD HH24:MI:SS') as date_end
  from product_pricelist_item i where i.workspace_id = ${p.workspace}
    and exists (
      select 1 from sale_order o
      where o.workspace_id = ${p.workspace} and o.id = any(${p.orders}) and o.pricelist_id is not null)
    and (i.product_id is null or i.product_id = any(${p.products}))
  order by i.applied_on, i.min_quantity desc nulls last, i.categ_id desc nulls last, i.id desc`;

const buildUnitsSql = (p: ArgSlots): Sql => sql`
  select id, factor from uom_uom where workspace_id = ${p.workspace} and id = any(${p.units})`;

/** Selects the exchange rates of the relevant currencies, for each company and day of the orders. */
const buildRatesSql = (p: ArgSlots): Sql => sql`
  select o.company_id as company, o.day, c.id as currency,
    ${buildExchangeRateSql({ workspace: p.workspace, company: sql`o.main`, day: sql`o.day` }, sql`c.id`)} as rate
  from (
    select x.company_id, x.day, ${buildMainCompanySql(p.workspace, sql`x.company_id`)} as main
    from (select distinct s.company_id, s.date_order::date as day from sale_order s
      where s.workspace_id = ${p.workspace} and s.id = any(${p.orders})) x
  ) o
  cross join (
    select currency_id as id from product_pricelist where workspace_id = ${p.workspace}
    union select currency_id from res_company where workspace_id = ${p.workspace}
    union select currency_id from sale_order where workspace_id = ${p.workspace} and id = any(${p.orders})
  ) c`;

const buildPricelistSql = (p: ArgSlots): Sql =>
  sql`select id, currency_id from product_pricelist where workspace_id = ${p.workspace}`;
