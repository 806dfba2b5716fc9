import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** What a page shows of a subscription. */
export interface Subscription {
  email: string;
  /** The book's name. */
  list: string;
  subscribed: boolean;
}

/** The subscription of a contact, kept from others until the transaction ends; null when it or its book is gone. */
export async function subscriptionOf(
  ctx: Ctx,
  contactId: string,
): Promise<{ shown: Subscription; reason: string | null } | null> {
  const [row] = await ctx.db.rows<Subscription & { reason: string | null }>(
    sql`select c.email, b.name as list, c.subscribed, c.unsubscribe_reason as reason from svc_contact c
     join svc_contact_book b on b.workspace_id = c.workspace_id and b.id = c.book_id
     where c.workspace_id = ${ctx.workspace.id} and c.public_id = ${contactId} for update of c`,
  );
  if (!row) return null;
  const { reason, ...shown } = row;
  return { shown, reason };
}
