import { type Ctx, sql } from '../kit/surface.ts';
import { computeLineAmounts, type PricedLine } from './line-amounts.ts';

interface AmountRow extends PricedLine {
  id: number;
  step: number;
  display_type: string | null;
}

export async function updateLineAmounts(ctx: Ctx, lines: number[]): Promise<void> {
  const rows = await ctx.db.rows<AmountRow>(
    sql`select l.id, l.product_uom_qty, l.price_unit, coalesce(l.discount, 0) as discount, l.display_type,
       c.rounding as step,
       (select coalesce(json_agg(
          json_build_object('amount', t.amount, 'amount_type', t.amount_type, 'price_include', t.price_include)
          order by t.sequence, t.id), '[]')
        from sale_order_line_tax_rel r join account_tax t on t.workspace_id = ${ctx.workspace.id} and t.id = r.tax_id
        where r.workspace_id = ${ctx.workspace.id} and r.line_id = l.id) as taxes
     from sale_order_line l join sale_order o on o.workspace_id = ${ctx.workspace.id} and o.id = l.order_id
     join res_currency c on c.workspace_id = ${ctx.workspace.id} and c.id = o.currency_id
     where l.workspace_id = ${ctx.workspace.id} and l.id = any(${lines})`,
  );
  const amounts = rows.map((row) => ({
    id: row.id,
    ...computeLineAmounts(row.display_type ? toZeroLine(row) : row, row.step),
  }));
  await ctx.db.rows(
    sql`update sale_order_line l
     set price_subtotal = x.price_subtotal, price_tax = x.price_tax, price_total = x.price_total
     from jsonb_to_recordset(${JSON.stringify(amounts)}::jsonb)
       as x(id int, price_subtotal numeric, price_tax numeric, price_total numeric)
     where l.workspace_id = ${ctx.workspace.id} and l.id = x.id`,
  );
  await updateOrderAmounts(ctx, await getOrderIds(ctx, lines));
}

const toZeroLine = (line: AmountRow): AmountRow => ({
  ...line,
  product_uom_qty: 0,
  price_unit: 0,
  taxes: [],
});

/** Locks the given orders and the orders of the given lines, because this transaction recomputes their totals. */
export async function lockOrders(ctx: Ctx, orders: unknown[], lines: number[] = []): Promise<void> {
  const orderIds = orders.filter((id) => typeof id === 'number');
  await ctx.db.rows(
    sql`select o.id from sale_order o where o.workspace_id = ${ctx.workspace.id} and (o.id = any(${orderIds})
       or o.id in (select order_id from sale_order_line
         where workspace_id = ${ctx.workspace.id} and id = any(${lines})))
     order by o.id for no key update of o`,
  );
}

export async function getOrderIds(ctx: Ctx, lines: number[]): Promise<number[]> {
  const rows = await ctx.db.rows<{ order_id: number }>(
    sql`select distinct order_id from sale_order_line
     where workspace_id = ${ctx.workspace.id} and id = any(${lines})`,
  );
  return rows.map((row) => row.order_id);
}

/** Sets orders' amounts to the sums of their lines, except `excludedLines`, which are about to be deleted. */
export async function updateOrderAmounts(
  ctx: Ctx,
  orders: number[],
  excludedLines: number[] = [],
): Promise<void> {
  await ctx.db.rows(
    sql`with x as materialized (
       select i.id, coalesce(sum(l.price_subtotal), 0) as untaxed, coalesce(sum(l.price_tax), 0) as tax
       from unnest(${orders}::int[]) i(id) left join sale_order_line l
         on l.workspace_id = ${ctx.workspace.id} and l.order_id = i.id and not l.id = any(${excludedLines}) group by 1
     ) update sale_order o set amount_untaxed = x.untaxed, amount_tax = x.tax, amount_total = x.untaxed + x.tax
     from x where o.workspace_id = ${ctx.workspace.id} and o.id = x.id`,
  );
}
