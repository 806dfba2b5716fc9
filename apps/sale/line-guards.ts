import { type Ctx, errors, isSet, sql, type Values } from '../kit/surface.ts';

const AGREED_FIELDS = [
  'product_id',
  'name',
  'price_unit',
  'product_uom_id',
  'product_uom_qty',
  'tax_ids',
  'discount',
  'order_id',
  'display_type',
];

type LineChange = { orders: number[] } | { lines: number[]; values: Values };

/** @throws USER_ERROR if the change adds lines to a locked order or changes agreed fields of its lines */
export async function rejectIfLocked(ctx: Ctx, change: LineChange): Promise<void> {
  const changes = 'values' in change ? AGREED_FIELDS.filter((name) => name in change.values) : [];
  if ('values' in change && changes.length === 0) return;
  const [orders, lines] =
    'values' in change ? [[change.values.order_id ?? 0], change.lines] : [change.orders, []];
  const [locked] = await ctx.db.rows<{ name: string }>(
    sql`select name from sale_order o where workspace_id = ${ctx.workspace.id} and locked and (id = any(${orders})
       or id in (select order_id from sale_order_line where workspace_id = ${ctx.workspace.id} and id = any(${lines})))
     limit 1`,
  );
  if (locked)
    throw errors.user(
      `${locked.name} is locked: ` +
        `${changes.length ? `its lines cannot change their ${changes.join(', ')}` : 'no lines can be added'}.`,
    );
}

/**
 * Rejects turning a product line into a section or note or back, and pricing a section or note.
 * @throws USER_ERROR, VALIDATION
 */
export async function rejectOtherType(ctx: Ctx, lines: number[], values: Values): Promise<void> {
  const isPriced = isSet(values.product_id) || Number(values.price_unit || 0) !== 0;
  if (values.display_type === undefined && !isPriced) return;
  const rows = await ctx.db.rows<{ display_type: string | null }>(
    sql`select distinct display_type from sale_order_line
     where workspace_id = ${ctx.workspace.id} and id = any(${lines})`,
  );
  const type = isSet(values.display_type) ? values.display_type : null;
  if (values.display_type !== undefined && rows.some((row) => row.display_type !== type))
    throw errors.user(
      'The type of a line cannot be changed (display_type). Delete the line and add another.',
    );
  if (isPriced && rows.some((row) => row.display_type !== null)) throw createPricedSectionError();
}

export const createPricedSectionError = (): Error =>
  errors.validation('A section or note cannot have a product or a price (display_type).');

/** Rejects deleting lines of a confirmed order, except sections and notes. @throws USER_ERROR */
export async function rejectIfConfirmed(ctx: Ctx, lines: number[]): Promise<void> {
  const [order] = await ctx.db.rows<{ name: string }>(
    sql`select o.name from sale_order_line l
     join sale_order o on o.workspace_id = ${ctx.workspace.id} and o.id = l.order_id
     where l.workspace_id = ${ctx.workspace.id} and l.id = any(${lines}) and o.state = 'sale'
       and l.display_type is null and not l.is_downpayment limit 1`,
  );
  if (order)
    throw errors.user(
      `${order.name} is confirmed, so its lines cannot be deleted. Set the quantity of a line to 0 instead.`,
    );
}
