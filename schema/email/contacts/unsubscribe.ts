import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLinkSubject, signLink } from '../../../src/engine/identity/signed-link.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { emitEvent } from '../../../src/engine/work/events.ts';
import { editEmails } from '../state/move-emails.ts';
import { buildContactEvent } from './contact-event.ts';
import { findSubscription, lockSubscription, returnSubscription, type Subscription } from './subscription.ts';

/** Kind of signed link. Do not change it: the signatures in sent mail depend on it. */
const LINK = 'unsubscribe';

/**
 * Builds the query string of the unsubscribe link. The link never expires, because recipients may keep the mail
 * forever.
 */
export function buildUnsubscribeQuery(
  secretKey: string,
  workspaceId: number,
  contactId: string,
  campaignId: string,
): string {
  const { id, hash } = signLink(secretKey, LINK, workspaceId, `${contactId}-${campaignId}`);
  return `id=${id}&hash=${hash}`;
}

/** Read-only, because link scanners open every link. */
export const unsubscribeView = defineOperation('unsubscribeView', {
  effects: ['reads'],
  policy: { auth: ['LINK'], link: LINK, scope: 'read' },
  description:
    'Returns the subscription that an unsubscribe link belongs to, or null if the contact or its book was deleted.',
  args: () => ({}),
  ...returnSubscription,
  run: (ctx) => findSubscription(ctx, parseContactLink(ctx).contactId),
});

export const unsubscribe = defineOperation('unsubscribe', {
  effects: ['writes'],
  policy: { auth: ['LINK'], link: LINK, scope: 'write', audit: 'contact.unsubscribe' },
  description:
    'Unsubscribes the contact that an unsubscribe link belongs to. With `subscribed: true`, ' +
    'subscribes the contact again, unless an email to the contact bounced or was reported as spam.',
  args: (arg) => ({
    subscribed: arg.boolean({ defaultValue: false, description: 'True to subscribe the contact again.' }),
  }),
  ...returnSubscription,
  run: (ctx, { subscribed }) => ctx.tx((tx) => setSubscribed(tx, subscribed ?? false)),
});

function parseContactLink(ctx: Ctx): { contactId: string; campaignId: string } {
  const [contactId, campaignId] = getLinkSubject(ctx).split('-') as [string, string];
  return { contactId, campaignId };
}

async function setSubscribed(ctx: Ctx, isSubscribed: boolean): Promise<Subscription | null> {
  const { contactId, campaignId } = parseContactLink(ctx);
  const subscription = await lockSubscription(ctx, contactId);
  if (!subscription) return null;
  if (!changesSubscription(isSubscribed, subscription)) return subscription.subscription;
  await changeSubscription(ctx, contactId, campaignId, isSubscribed);
  return { ...subscription.subscription, subscribed: isSubscribed };
}

/**
 * True if the link would change the subscription. An old link does not resubscribe a contact that bounced or
 * complained.
 */
function changesSubscription(
  subscribe: boolean,
  { subscription, reason }: { subscription: Subscription; reason: string | null },
): boolean {
  return subscribe ? reason === 'UNSUBSCRIBED' : subscription.subscribed || reason === null;
}

/** Updates the contact and, if they still exist, the campaign's email to the contact and the campaign's counter. */
async function changeSubscription(
  ctx: Ctx,
  contactId: string,
  campaignId: string,
  isSubscribed: boolean,
): Promise<void> {
  const workspace = sql.param(ctx.workspace.id);
  const event = await ctx.db.value<Record<string, unknown>>(
    sql`with changed as (
       update svc_contact set subscribed = ${isSubscribed},
         unsubscribe_reason = ${isSubscribed ? null : 'UNSUBSCRIBED'},
         write_date = now()
       where workspace_id = ${workspace} and public_id = ${contactId} returning *
     ), counted as (
       update svc_campaign set unsubscribed = greatest(0, unsubscribed + ${isSubscribed ? -1 : 1}::int)
       where workspace_id = ${workspace} and public_id = ${campaignId}
     ), recorded as (${editEmails({
       set: sql`unsubscribed_at = ${isSubscribed ? sql`null` : sql`now()`}`,
       condition: sql`m.workspace_id = ${workspace} and m.contact_id = (select id from changed) and m.campaign_id = (
         select id from svc_campaign where workspace_id = ${workspace} and public_id = ${campaignId})`,
     })})
     select ${buildContactEvent('changed', sql`b.public_id`)} from changed
     join svc_contact_book b on b.workspace_id = ${workspace} and b.id = changed.book_id`,
  );
  await emitEvent(ctx, 'contact.updated', event);
}
