import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { htmlToText } from '../../../src/mail/html-text.ts';
import { getBook } from '../contacts/books.ts';
import { TEAM_READ_POLICY } from '../kit/policies.ts';
import { isInForce } from '../suppressions/is-suppressed.ts';
import { buildCampaignColumns } from './campaign-input.ts';
import { rejectOtherDomain } from './campaign-sender.ts';
import {
  applyCampaignChanges,
  CampaignChanges,
  type CampaignChangesInput,
  loadCampaignInput,
} from './campaign-update.ts';
import { EMPTY_CONTACT, findUnknownVariables } from './check-variables.ts';
import { type CampaignRecipient, createMessages } from './message.ts';

const Recipients = defineTypedShape('CampaignRecipients', 'Contacts that a campaign would be sent to now.', {
  subscribed: { type: 'Int', description: 'Subscribed contacts of the book.' },
  suppressed: {
    type: 'Int',
    description: 'Number of these contacts on the suppression list. They get no email.',
  },
  isComplete: {
    type: 'Boolean',
    description:
      `False if the book has more than ${limits.campaign.counted} subscribed contacts; ` +
      'counting stops there.',
  },
});

const Preview = defineTypedShape('CampaignPreview', 'A campaign as one contact would get it.', {
  subject: { type: 'String', description: 'Subject line with the values of the contact.' },
  html: {
    type: 'String',
    description: 'HTML body with the values of the contact. Its unsubscribe link belongs to no contact.',
  },
  text: { type: 'String', description: 'Plain text of the HTML.' },
  contact: {
    type: 'String',
    nullable: true,
    description: "Address of the contact. Null if the book doesn't have one; the fallbacks are then shown.",
  },
  unknownVariables: {
    type: ['String'],
    description: 'Variables that the book does not define. A campaign with any of them cannot be scheduled.',
  },
  recipients: { type: Recipients, description: 'Number of recipients.' },
});

export const campaignPreview = defineOperation('campaignPreview', {
  kind: 'query',
  effects: ['reads'],
  policy: TEAM_READ_POLICY,
  description:
    'Returns a campaign as a contact of its book would get it, and counts the recipients. With `campaign`, shows it ' +
    'with those changes, which are not saved.',
  args: (arg) => ({
    id: arg.id({ required: true, description: 'Campaign id.' }),
    campaign: arg({ type: CampaignChanges, description: 'Unsaved changes to show.' }),
    contact: arg.string({
      description: 'Address of a contact of the book. The first subscribed one by default.',
    }),
  }),
  type: Preview.ref,
  run: (ctx, { id, campaign, contact }) => preview(ctx, String(id), campaign ?? {}, contact?.trim() || null),
});

async function preview(ctx: Ctx, id: string, changes: CampaignChangesInput, address: string | null) {
  await rejectOtherDomain(ctx, id);
  const { book, given } = await loadCampaign(ctx, id);
  const { columns } = buildCampaignColumns(applyCampaignChanges(given, changes));
  const { from, subject, preview_text, html } = columns as Record<
    'from' | 'subject' | 'preview_text' | 'html',
    string
  >;
  const { bookId, variables } = await findBook(ctx, changes.contactBookId ?? null, book);
  const contact = bookId === null ? null : await findContact(ctx, bookId, address);
  if (address && !contact) throw errors.badField('contact', 'no contact of the book has this address.');
  const text = {
    workspace_id: ctx.workspace.id,
    public_id: '',
    from,
    book_id: bookId,
    subject,
    preview_text,
    html,
  };
  // The preview's unsubscribe link is not signed for a contact, so it unsubscribes no one.
  const reader = { ...EMPTY_CONTACT, ...contact, public_id: '' };
  const message = createMessages({ ...text, variables }, ctx.runtime.config)(reader);
  return {
    subject: message.subject,
    html: message.html,
    text: htmlToText(message.html),
    contact: contact?.email ?? null,
    unknownVariables: [
      ...new Set(
        findUnknownVariables([subject, preview_text ?? '', html], variables).map(({ name }) => name),
      ),
    ],
    recipients: await countRecipients(ctx, bookId),
  };
}

/** @throws NOT_FOUND */
async function loadCampaign(ctx: Ctx, id: string) {
  const [row] = await ctx.db.rows<{ id: number; book_id: number | null }>(
    sql`select id, book_id from svc_campaign where workspace_id = ${ctx.workspace.id} and public_id = ${id}`,
  );
  if (!row) throw errors.notFound('Campaign');
  return { book: row.book_id, given: await loadCampaignInput(ctx, row.id) };
}

async function findBook(ctx: Ctx, publicId: string | null, id: number | null) {
  if (publicId) {
    const book = await getBook(ctx, publicId);
    return { bookId: book.id, variables: book.variables };
  }
  const [row] = await ctx.db.rows<{ variables: string[] }>(
    sql`select variables from svc_contact_book where workspace_id = ${ctx.workspace.id} and id = ${id}`,
  );
  return row ? { bookId: id, variables: row.variables } : { bookId: null, variables: [] };
}

async function findContact(
  ctx: Ctx,
  bookId: number,
  address: string | null,
): Promise<CampaignRecipient | null> {
  const which = address ? sql`lower(email) = lower(${address})` : sql`subscribed`;
  const [contact] = await ctx.db.rows<CampaignRecipient>(
    sql`select public_id, email, first_name, last_name, properties from svc_contact
     where workspace_id = ${ctx.workspace.id} and book_id = ${bookId} and ${which} order by id limit 1`,
  );
  return contact ?? null;
}

interface RecipientCounts {
  subscribed: number;
  suppressed: number;
}

async function countRecipients(
  ctx: Ctx,
  bookId: number | null,
): Promise<RecipientCounts & { isComplete: boolean }> {
  const [row] = await ctx.db.rows<RecipientCounts>(
    sql`select count(*)::int as subscribed, count(s.id)::int as suppressed
     from (
       select c.email from svc_contact c
       where c.workspace_id = ${ctx.workspace.id} and c.book_id = ${bookId} and c.subscribed
       order by c.id limit ${limits.campaign.counted + 1}
     ) c
     left join svc_suppression s on s.workspace_id = ${ctx.workspace.id} and s.email = lower(c.email)
       and ${isInForce()}`,
  );
  const { subscribed, suppressed } = row!;
  const isComplete = subscribed <= limits.campaign.counted;
  return { subscribed: Math.min(subscribed, limits.campaign.counted), suppressed, isComplete };
}
