import { sql } from '../../src/db/sql.ts';
import { assertModelAccess } from '../../src/engine/access/access.ts';
import { getModel } from '../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../src/engine/access/row-access.ts';
import type { Ctx } from '../../src/engine/ctx/ctx.ts';
import type { Values } from '../../src/engine/model/model.ts';
import type { Policy } from '../../src/engine/model/policy.ts';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { facadeResult, returnRecords } from '../../src/engine/operation/record-result.ts';
import { write } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';
import { formatNow } from '../kit/dates.ts';
import { shouldLockOrders } from './settings.ts';

// An order is a quotation, sent or confirmed. A canceled order can become a quotation again.

interface OrderRow {
  id: number;
  name: string;
  state: string;
  locked: boolean;
  /** True if one of the lines has no product. */
  vague: boolean;
}

/** Loads and locks orders until the transaction ends. Requires write access to all of them. */
export async function lockOrdersToChange(ctx: Ctx, ids: number[]): Promise<OrderRow[]> {
  const model = getModel(ctx, 'sale.order');
  assertModelAccess(ctx, model, 'write');
  await assertRowsExist(ctx, model, ids, 'write', 'no key update');
  return ctx.db.rows<OrderRow>(
    sql`select o.id, o.name, o.state, o.locked, exists (
       select 1 from sale_order_line l where l.workspace_id = ${ctx.workspace.id} and l.order_id = o.id
         and l.display_type is null and l.product_id is null and not l.is_downpayment) as vague
     from sale_order o where o.workspace_id = ${ctx.workspace.id} and o.id = any(${ids}) order by o.id`,
  );
}

/** Changes the state of all given orders, or of none if one is rejected. */
async function transitionOrders(
  ctx: Ctx,
  ids: number[],
  values: Values,
  getError: (order: OrderRow) => string | null,
): Promise<void> {
  await ctx.tx(async (tx) => {
    for (const order of await lockOrdersToChange(tx, ids)) {
      const orderError = getError(order);
      if (orderError) throw errors.user(orderError);
    }
    await write(tx.system(), 'sale.order', ids, values);
  });
}

export function findConfirmError({
  name,
  state,
  vague,
}: Pick<OrderRow, 'name' | 'state' | 'vague'>): string | null {
  if (state !== 'draft' && state !== 'sent')
    return (
      `Some orders are not in a state requiring confirmation: ${name} is ` +
      `${state === 'sale' ? 'confirmed' : 'cancelled'}.`
    );
  return vague
    ? `${name} has a line without a product. Set its product or delete the line before you confirm the order.`
    : null;
}

const policy: Policy = { auth: ['USER'], scope: 'write', access: ['sale.order', 'write'] };
const TRANSITION = { effects: ['writes'], onRecords: true, policy } as const;
const ids = { required: true } as const;

export const saleOrderConfirm = defineOperation('saleOrderConfirm', {
  ...TRANSITION,
  address: 'sale.order/action_confirm',
  description: 'Confirms quotations as sales orders.',
  formAction: { label: 'Confirm', isPrimary: true, offeredFor: { state: ['draft', 'sent'] } },
  args: (arg) => ({ ids: arg.recordIds(ids) }),
  ...returnRecords('sale.order', facadeResult.true),
  run: async (ctx, { ids: orders }) => {
    const locked = (await shouldLockOrders(ctx)) ? { locked: true } : {};
    await transitionOrders(
      ctx,
      orders,
      { state: 'sale', date_order: formatNow(), ...locked },
      findConfirmError,
    );
    return true;
  },
});

export const saleOrderCancel = defineOperation('saleOrderCancel', {
  ...TRANSITION,
  address: 'sale.order/action_cancel',
  description: 'Cancels quotations and unlocked orders.',
  formAction: { label: 'Cancel order', offeredFor: { state: ['draft', 'sent', 'sale'], locked: [false] } },
  args: (arg) => ({ ids: arg.recordIds(ids) }),
  ...returnRecords('sale.order', facadeResult.true),
  run: async (ctx, { ids: orders }) => {
    await transitionOrders(ctx, orders, { state: 'cancel' }, ({ name, locked }) =>
      locked ? `You cannot cancel a locked order: ${name} has to be unlocked first.` : null,
    );
    return true;
  },
});

export const saleOrderSetDraft = defineOperation('saleOrderSetDraft', {
  ...TRANSITION,
  address: 'sale.order/action_draft',
  description: 'Resets canceled or sent orders to quotations and clears their signatures.',
  formAction: { label: 'Set to quotation', offeredFor: { state: ['cancel'] } },
  args: (arg) => ({ ids: arg.recordIds(ids) }),
  ...returnRecords('sale.order', facadeResult.true),
  run: async (ctx, { ids: orders }) => {
    await transitionOrders(
      ctx,
      orders,
      { state: 'draft', signed_by: false, signed_on: false },
      ({ name, state }) =>
        state === 'sale' ? `${name} is confirmed. Cancel it before you reset it to a quotation.` : null,
    );
    return true;
  },
});

export const saleOrderMarkSent = defineOperation('saleOrderMarkSent', {
  ...TRANSITION,
  address: 'sale.order/action_quotation_sent',
  description: 'Marks quotations as sent.',
  formAction: { label: 'Mark as sent', offeredFor: { state: ['draft'] } },
  args: (arg) => ({ ids: arg.recordIds(ids) }),
  ...returnRecords('sale.order', facadeResult.null),
  run: async (ctx, { ids: orders }) => {
    await transitionOrders(ctx, orders, { state: 'sent' }, ({ name, state }) =>
      state === 'draft' ? null : `Only draft orders can be marked as sent directly; ${name} is not.`,
    );
    return null;
  },
});

export const saleOrderLock = defineOperation('saleOrderLock', {
  ...TRANSITION,
  address: 'sale.order/action_lock',
  description:
    'Locks confirmed orders. A locked order cannot be canceled, no lines can be added to it, and the products, ' +
    'quantities and prices of its lines cannot be changed.',
  formAction: { label: 'Lock', offeredFor: { state: ['sale'], locked: [false] } },
  args: (arg) => ({ ids: arg.recordIds(ids) }),
  ...returnRecords('sale.order', facadeResult.null),
  run: async (ctx, { ids: orders }) => {
    await transitionOrders(ctx, orders, { locked: true }, ({ name, state }) =>
      state === 'sale' ? null : `Only confirmed orders can be locked; ${name} is not.`,
    );
    return null;
  },
});

export const saleOrderUnlock = defineOperation('saleOrderUnlock', {
  ...TRANSITION,
  address: 'sale.order/action_unlock',
  description: 'Unlocks locked orders.',
  formAction: { label: 'Unlock', offeredFor: { locked: [true] } },
  args: (arg) => ({ ids: arg.recordIds(ids) }),
  ...returnRecords('sale.order', facadeResult.null),
  run: async (ctx, { ids: orders }) => {
    await transitionOrders(ctx, orders, { locked: false }, () => null);
    return null;
  },
});
