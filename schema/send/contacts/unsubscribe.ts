import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineLink, signLink } from '../../../src/engine/entry/signed-link.ts';
import { emit } from '../../../src/engine/work/events.ts';
import { eventJson } from './contact-json.ts';
import { type Subscription, subscriptionOf } from './subscription.ts';

/** The query of the links by which a contact leaves a book; good for ever, since the mail lies somewhere for ever. */
export function unsubscribeQuery(
  secretKey: string,
  workspaceId: number,
  contactId: string,
  campaignId: string,
): string {
  const { id, hash } = signLink(secretKey, 'unsubscribe', workspaceId, `${contactId}-${campaignId}`);
  return `id=${id}&hash=${hash}`;
}

/** Looking changes nothing: programs that check links look at every one. */
defineLink('unsubscribe', (ctx, subject, action): Promise<Subscription | null> => {
  const [contactId, campaignId] = subject.split('-') as [string, string];
  return ctx.tx(async (tx) => {
    const found = await subscriptionOf(tx, contactId);
    if (!found) return null;
    const { shown, reason } = found;
    if (action === 'unsubscribe' && (shown.subscribed || reason === null)) {
      await change(tx, contactId, campaignId, false);
      return { ...shown, subscribed: false };
    }
    // Whoever bounced or complained is not written to again because somebody found an old mail.
    if (action === 'subscribe' && reason === 'UNSUBSCRIBED') {
      await change(tx, contactId, campaignId, true);
      return { ...shown, subscribed: true };
    }
    return shown;
  });
});

/** The campaign, when there still is one, counts who left because of it. */
async function change(ctx: Ctx, contactId: string, campaignId: string, subscribed: boolean): Promise<void> {
  const [row] = await ctx.db.rows<{ event: Record<string, unknown> }>(
    `with changed as (
       update svc_contact set subscribed = $3, unsubscribe_reason = case when $3 then null else 'UNSUBSCRIBED' end, write_date = now()
       where workspace_id = $1 and public_id = $2 returning *
     ), counted as (
       update svc_campaign set unsubscribed = greatest(0, unsubscribed + case when $3 then -1 else 1 end)
       where workspace_id = $1 and public_id = $4
     )
     select ${eventJson('changed', 'b.public_id')} as event from changed
     join svc_contact_book b on b.workspace_id = changed.workspace_id and b.id = changed.book_id`,
    [ctx.workspace.id, contactId, subscribed, campaignId],
  );
  await emit(ctx, 'contact.updated', row!.event);
}
