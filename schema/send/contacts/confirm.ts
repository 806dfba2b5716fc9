import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getLinkSubject, signLink } from '../../../src/engine/identity/signed-link.ts';
import { call } from '../../../src/engine/verb/call.ts';
import { verb } from '../../../src/engine/verb/verb.ts';
import { emitEvent } from '../../../src/engine/work/events.ts';
import { errors } from '../../../src/errors.ts';
import { escapeHtml } from '../../../src/escape-html.ts';
import { limits } from '../../../src/limits.ts';
import { toSingleLine } from '../../../src/one-line.ts';
import { blocksOf, htmlOfBlocks } from '../editor/block-html.ts';
import { compileText, fillText } from '../editor/variables.ts';
import { answersContact } from '../kit/answers.ts';
import { boundDomain } from '../kit/bound-domain.ts';
import { teamWrites } from '../kit/policies.ts';
import { confirmationSender } from './book-input.ts';
import { type BookRow, bookBy } from './books.ts';
import { contactEvent } from './contact-event.ts';
import { type Addressee, contactValues } from './contact-values.ts';
import {
  answersSubscription,
  lockedSubscription,
  type Subscription,
  subscriptionOf,
} from './subscription.ts';

/** The kind of the links. Part of their signature: mail that is out has it. */
const LINK = 'subscribe';

/** A contact that has not answered yet. */
export type Pending = Addressee & { public_id: string };

/**
 * Asks new contacts whether they want mail. The mail goes the way of all mail. Books are the team's: who adds contacts
 * with a key of a domain has them asked from there, since the key may send from no other.
 * @throws BAD_REQUEST when none can be sent
 */
export async function sendConfirmations(ctx: Ctx, book: BookRow, contacts: Pending[]): Promise<void> {
  const from = await confirmationSender(ctx, book.double_opt_in_from, boundDomain(ctx));
  const html = compileText(htmlOfBlocks(blocksOf('doubleOptInContent', book.double_opt_in_content)));
  const subject = compileText(book.double_opt_in_subject);
  const emailTo = (contact: Pending) => {
    const values = contactValues(contact, book.variables);
    values.set('doubleoptinurl', confirmUrl(ctx, contact.public_id));
    return {
      from,
      to: [contact.email],
      subject: toSingleLine(fillText(subject, values, String)).slice(0, limits.email.subject),
      html: fillText(html, values, escapeHtml),
    };
  };
  let inputs: ReturnType<typeof emailTo>[] = [];
  let made = 0;
  for (const contact of contacts) {
    const email = emailTo(contact);
    inputs.push(email);
    made += email.html.length;
    if (inputs.length < limits.email.batch && made < limits.email.madeAtOnce) continue;
    await call(ctx, 'emailsSend', { inputs });
    inputs = [];
    made = 0;
  }
  if (inputs.length > 0) await call(ctx, 'emailsSend', { inputs });
}

function confirmUrl(ctx: Ctx, contactId: string): string {
  const { secretKey, publicUrl } = ctx.runtime.config;
  const link = signLink(
    secretKey,
    LINK,
    ctx.workspace.id,
    contactId,
    Date.now() + limits.contact.confirmTime,
  );
  return `${publicUrl}/subscribe?contactId=${link.id}&expiresAt=${link.expires}&hash=${link.hash}`;
}

export const contactConfirmationSendVerb = verb('contactConfirmationSend', {
  kind: 'mutation',
  effects: ['writes', 'sends'],
  policy: teamWrites,
  description: 'Sends the confirmation email again to a contact that has not confirmed.',
  args: (arg) => ({
    bookId: arg.id({ required: true, description: 'Contact book id.' }),
    id: arg.id({ required: true, description: 'Contact id.' }),
  }),
  ...answersContact,
  run: (ctx, { bookId, id }) =>
    ctx.tx(async (tx) => {
      const book = await bookBy(tx, String(bookId));
      const [contact] = await tx.db.rows<
        Pending & { subscribed: boolean; unsubscribe_reason: string | null }
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

export const subscriptionConfirmViewVerb = verb('subscriptionConfirmView', {
  kind: 'query',
  effects: ['reads'],
  policy: { auth: ['LINK'], link: LINK, scope: 'read' },
  description:
    'Returns the subscription that a confirmation link belongs to, or null if the contact or its book was deleted.',
  args: () => ({}),
  ...answersSubscription,
  run: (ctx) => subscriptionOf(ctx, getLinkSubject(ctx)),
});

export const subscriptionConfirmVerb = verb('subscriptionConfirm', {
  kind: 'mutation',
  effects: ['writes'],
  policy: { auth: ['LINK'], link: LINK, scope: 'write', audit: 'contact.confirm' },
  description: 'Subscribes the contact that a confirmation link belongs to.',
  args: () => ({}),
  ...answersSubscription,
  run: (ctx) => ctx.tx((tx) => confirm(tx, getLinkSubject(tx))),
});

/** Only who has not answered yet is asked: somebody who has unsubscribed since is not subscribed by an old link. */
async function confirm(ctx: Ctx, contactId: string): Promise<Subscription | null> {
  const found = await lockedSubscription(ctx, contactId);
  if (!found) return null;
  const { shown, reason } = found;
  if (shown.subscribed) return shown;
  if (reason !== null) throw errors.badRequest('This address has since been unsubscribed.');
  const [row] = await ctx.db.rows<{ event: Record<string, unknown> }>(
    sql`with confirmed as (
       update svc_contact set subscribed = true, write_date = now()
       where workspace_id = ${ctx.workspace.id} and public_id = ${contactId} returning *
     )
     select ${contactEvent('confirmed', sql`b.public_id`)} as event from confirmed
     join svc_contact_book b on b.workspace_id = ${ctx.workspace.id} and b.id = confirmed.book_id`,
  );
  await emitEvent(ctx, 'contact.updated', row!.event);
  return { ...shown, subscribed: true };
}
