import { sql } from '../../src/db/sql.ts';
import { readableIds } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import { idsOf } from '../kit/values.ts';
import type { Priced, PriceRule } from '../product/price.ts';
import { referenceSql } from '../product/reference.ts';
import { jsonRows } from './json-rows.ts';

export interface Product extends Priced {
  /** What a line says of it. */
  description: string;
  uom_id: number;
  uom_factor: number;
  taxes: { id: number; company: number }[];
}

interface Order {
  id: number;
  company_id: number;
  pricelist_id: number | null;
  /** UTC, `YYYY-MM-DD HH:MM:SS`. */
  date: string;
}

interface Rows {
  products: Product[];
  orders: Order[];
  rules: PriceRule[];
  units: { id: number; factor: number }[];
  rates: { id: number; rate: number }[];
}

/** All it takes to price lines. */
export interface PriceBook {
  products: Map<number, Product>;
  orders: Map<number, Order>;
  rules: PriceRule[];
  /** Absolute quantities of the units of measure the lines name. */
  factors: Map<number, number>;
  /** Units of each pricelist's currency for one of its company's. */
  rates: Map<number, number>;
  companyOf(line: Values): number | null;
}

const PRODUCTS = jsonRows(`
  select p.id, p.product_tmpl_id, t.list_price, coalesce(p.standard_price, 0) as standard_price, t.uom_id, u.factor as uom_factor,
    ${referenceSql(sql`p.default_code`, sql`t.name`).render().text} || coalesce(E'\\n' || nullif(t.description_sale, ''), '') as description,
    array(with recursive up(id, parent_id) as (
        select c.id, c.parent_id from product_category c where c.workspace_id = $1 and c.id = t.categ_id
        union select c.id, c.parent_id from product_category c join up on c.id = up.parent_id where c.workspace_id = $1
      ) select id from up) as categories,
    (select coalesce(json_agg(json_build_object('id', x.id, 'company', x.company_id) order by x.sequence, x.id), '[]')
      from product_tax_rel r join account_tax x on x.workspace_id = $1 and x.id = r.tax_id and x.active
      where r.workspace_id = $1 and r.product_id = t.id) as taxes
  from product_product p join product_template t on t.workspace_id = $1 and t.id = p.product_tmpl_id
  join uom_uom u on u.workspace_id = $1 and u.id = t.uom_id where p.workspace_id = $1 and p.id = any($2)`);

const ORDERS = jsonRows(`
  select id, company_id, pricelist_id, to_char(date_order, 'YYYY-MM-DD HH24:MI:SS') as date
  from sale_order where workspace_id = $1 and id = any($3)`);

/** Pricelists may build on others, so those of the workspace are read when an order has one at all. */
const RULES = jsonRows(`
  select i.pricelist_id, i.applied_on, i.categ_id, i.product_tmpl_id, i.product_id, i.min_quantity, i.compute_price, i.fixed_price,
    i.percent_price, i.base, i.base_pricelist_id, i.price_discount, i.price_markup, i.price_round, i.price_surcharge,
    i.price_min_margin, i.price_max_margin, to_char(i.date_start, 'YYYY-MM-DD HH24:MI:SS') as date_start,
    to_char(i.date_end, 'YYYY-MM-DD HH24:MI:SS') as date_end
  from product_pricelist_item i where i.workspace_id = $1
    and exists (select 1 from sale_order o where o.workspace_id = $1 and o.id = any($3) and o.pricelist_id is not null)
    and (i.product_id is null or i.product_id = any($2))
  order by i.applied_on, i.min_quantity desc nulls last, i.categ_id desc nulls last, i.id desc`);

const UNITS = jsonRows(`select id, factor from uom_uom where workspace_id = $1 and id = any($4)`);

const RATE = (currency: string): string =>
  `coalesce((select r.rate from res_currency_rate r where r.workspace_id = $1 and r.currency_id = ${currency}
     and r.name <= current_date and (r.company_id is null or r.company_id = c.id) order by r.name desc, r.company_id nulls last limit 1), 1)`;

const RATES = jsonRows(`
  select p.id, ${RATE('p.currency_id')} / ${RATE('c.currency_id')} as rate from product_pricelist p
  join lateral (select id, currency_id from res_company where workspace_id = $1 and (p.company_id is null or id = p.company_id) order by id limit 1) c on true
  where p.workspace_id = $1`);

/** What lines are priced by, in one query whatever their number. Products out of the caller's reach are left out. */
export async function pricesFor(ctx: Ctx, lines: Values[]): Promise<PriceBook> {
  const inReach = await readableIds(ctx, 'product.product', idsOf(lines, 'product_id'));
  const [rows] = await ctx.db.rows<Rows>(
    `select ${PRODUCTS} as products, ${ORDERS} as orders, ${RULES} as rules, ${UNITS} as units, ${RATES} as rates`,
    [ctx.workspace.id, inReach, idsOf(lines, 'order_id'), idsOf(lines, 'product_uom_id')],
  );
  const { products, orders, rules, units, rates } = rows!;
  const known = new Map(orders.map((order) => [order.id, order]));
  return {
    products: new Map(products.map((product) => [product.id, product])),
    orders: known,
    rules,
    factors: new Map(units.map((unit) => [unit.id, unit.factor])),
    rates: new Map(rates.map((rate) => [rate.id, rate.rate])),
    companyOf: (line) => known.get(line.order_id as number)?.company_id ?? null,
  };
}
