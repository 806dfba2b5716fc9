import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLinkSubject, signLink } from '../../../src/engine/identity/signed-link.ts';
import { call } from '../../../src/engine/operation/call.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { emitEvent } from '../../../src/engine/work/events.ts';
import { errors } from '../../../src/errors.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { describeUnreachableLinks } from '../../../src/net/public-links.ts';
import { toSingleLine } from '../../../src/single-line.ts';
import { parseBlocks, renderBlocks } from '../editor/block-html.ts';
import { compileText, fillText } from '../editor/variables.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';
import { TEAM_WRITE_POLICY } from '../kit/policies.ts';
import { returnContact } from '../kit/resolve-records.ts';
import { findConfirmationSender } from './book-input.ts';
import { type BookRow, getBook } from './books.ts';
import { buildContactEvent } from './contact-event.ts';
import { buildContactValues, type ContactFields } from './contact-values.ts';
import { findSubscription, lockSubscription, returnSubscription, type Subscription } from './subscription.ts';

const CONFIRMATION_TTL_MS = 7 * 24 * 3_600_000;

/** Kind of signed link. Do not change it: the signatures in sent mail depend on it. */
const LINK = 'subscribe';

export type PendingContact = ContactFields & { public_id: string };

/**
 * Sends confirmation requests through the ordinary send queue. Books belong to the whole workspace, so a key bound to a
 * domain sends confirmations from that domain, the only one it may use.
 * @throws BAD_REQUEST if no confirmation can be sent
 */
export async function sendConfirmations(ctx: Ctx, book: BookRow, contacts: PendingContact[]): Promise<void> {
  const linkProblem = describeUnreachableLinks(ctx.runtime.config);
  if (linkProblem)
    throw errors.badRequest(
      `${linkProblem} Set PUBLIC_URL to an address that recipients can reach, so that they can confirm.`,
    );
  const from = await findConfirmationSender(ctx, book.double_opt_in_from, getBoundDomain(ctx));
  const html = compileText(renderBlocks(parseBlocks('doubleOptInContent', book.double_opt_in_content)));
  const subject = compileText(book.double_opt_in_subject);
  const buildConfirmationEmail = (contact: PendingContact) => {
    const values = buildContactValues(contact, book.variables);
    values.set('doubleoptinurl', buildConfirmUrl(ctx, contact.public_id));
    return {
      from,
      to: [contact.email],
      subject: toSingleLine(fillText(subject, values, String)).slice(0, limits.email.subject),
      html: fillText(html, values, escapeHtml),
    };
  };
  let inputs: ReturnType<typeof buildConfirmationEmail>[] = [];
  let sentCount = 0;
  for (const contact of contacts) {
    const email = buildConfirmationEmail(contact);
    inputs.push(email);
    sentCount += email.html.length;
    if (inputs.length < limits.email.batch && sentCount < limits.email.madeAtOnce) continue;
    await call(ctx, 'emailsSend', { inputs });
    inputs = [];
    sentCount = 0;
  }
  if (inputs.length > 0) await call(ctx, 'emailsSend', { inputs });
}

function buildConfirmUrl(ctx: Ctx, contactId: string): string {
  const { secretKey, publicUrl } = ctx.runtime.config;
  const link = signLink(secretKey, LINK, ctx.workspace.id, contactId, Date.now() + CONFIRMATION_TTL_MS);
  return `${publicUrl}/subscribe?contactId=${link.id}&expiresAt=${link.expires}&hash=${link.hash}`;
}

export const contactConfirmationSend = defineOperation('contactConfirmationSend', {
  effects: ['writes', 'sends'],
  policy: TEAM_WRITE_POLICY,
  description: 'Resends the confirmation email to a contact that has not confirmed.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    id: arg.id({ required: true, description: 'Contact id.' }),
  }),
  ...returnContact,
  run: (ctx, { bookId, id }) =>
    ctx.tx(async (tx) => {
      const book = await getBook(tx, String(bookId));
      const [contact] = await tx.db.rows<
        PendingContact & { subscribed: boolean; unsubscribe_reason: string | null }
      >(
        sql`select public_id, email, first_name, last_name, properties, subscribed, unsubscribe_reason from svc_contact
         where workspace_id = ${tx.workspace.id} and book_id = ${book.id} and public_id = ${id}`,
      );
      if (!contact) throw errors.notFound('Contact');
      if (contact.subscribed || contact.unsubscribe_reason !== null)
        throw errors.badRequest('This contact has already confirmed or unsubscribed.');
      await sendConfirmations(tx, book, [contact]);
      return contact.public_id;
    }),
});

export const subscriptionConfirmView = defineOperation('subscriptionConfirmView', {
  effects: ['reads'],
  policy: { auth: ['LINK'], link: LINK, scope: 'read' },
  description:
    'Returns the subscription that a confirmation link belongs to, or null if the contact or its book was deleted.',
  args: () => ({}),
  ...returnSubscription,
  run: (ctx) => findSubscription(ctx, getLinkSubject(ctx)),
});

export const subscriptionConfirm = defineOperation('subscriptionConfirm', {
  effects: ['writes'],
  policy: { auth: ['LINK'], link: LINK, scope: 'write', audit: 'contact.confirm' },
  description: 'Subscribes the contact that a confirmation link belongs to.',
  args: () => ({}),
  ...returnSubscription,
  run: (ctx) => ctx.tx((tx) => confirmSubscription(tx, getLinkSubject(tx))),
});

/** An old link does not resubscribe a contact that has unsubscribed. */
async function confirmSubscription(ctx: Ctx, contactId: string): Promise<Subscription | null> {
  const subscription = await lockSubscription(ctx, contactId);
  if (!subscription) return null;
  const { subscription: shownSubscription, reason } = subscription;
  if (shownSubscription.subscribed) return shownSubscription;
  if (reason !== null) throw errors.badRequest('This address has since been unsubscribed.');
  const event = await ctx.db.value<Record<string, unknown>>(
    sql`with confirmed as (
       update svc_contact set subscribed = true, write_date = now()
       where workspace_id = ${ctx.workspace.id} and public_id = ${contactId} returning *
     )
     select ${buildContactEvent('confirmed', sql`b.public_id`)} from confirmed
     join svc_contact_book b on b.workspace_id = ${ctx.workspace.id} and b.id = confirmed.book_id`,
  );
  await emitEvent(ctx, 'contact.updated', event);
  return { ...shownSubscription, subscribed: true };
}
