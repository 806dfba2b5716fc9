import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineTypedShape, type ValueOf } from '../../../src/engine/operation/shape.ts';

const SubscriptionShape = defineTypedShape(
  'ListSubscription',
  "A contact's subscription to a list, as shown to the contact.",
  {
    email: { type: 'String', description: 'Address of the contact.' },
    list: { type: 'String', description: 'Name of the contact book.' },
    subscribed: { type: 'Boolean', description: 'True if the contact is subscribed.' },
  },
);

export type Subscription = ValueOf<typeof SubscriptionShape>;

/** Result of an operation that returns a subscription; null if the contact or its book was deleted. */
export const returnSubscription = {
  type: SubscriptionShape.ref,
  nullable: true,
};

export const findSubscription = async (ctx: Ctx, contactId: string): Promise<Subscription | null> =>
  (await readSubscription(ctx, contactId, false))?.subscription ?? null;

/**
 * Like `findSubscription`, but locks the contact until the end of the transaction and includes the unsubscribe reason.
 */
export const lockSubscription = (ctx: Ctx, contactId: string) => readSubscription(ctx, contactId, true);

async function readSubscription(
  ctx: Ctx,
  contactId: string,
  isLocked: boolean,
): Promise<{ subscription: Subscription; reason: string | null } | null> {
  const workspace = sql.param(ctx.workspace.id);
  const [row] = await ctx.db.rows<Subscription & { reason: string | null }>(
    sql`select c.email, b.name as list, c.subscribed, c.unsubscribe_reason as reason from svc_contact c
     join svc_contact_book b on b.workspace_id = ${workspace} and b.id = c.book_id
     where c.workspace_id = ${workspace} and c.public_id = ${contactId}
     ${isLocked ? sql`for update of c` : sql.empty}`,
  );
  if (!row) return null;
  const { reason, ...shown } = row;
  return { subscription: shown, reason };
}
