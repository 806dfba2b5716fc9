import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { getBook } from '../contacts/books.ts';
import { buildCampaignColumns, type CampaignChanges, type CampaignColumns } from './campaign-input.ts';
import { rejectOtherDomainCampaign } from './campaign-sender.ts';
import { applyCampaignChanges, loadCampaignInput } from './campaign-update.ts';
import { EMPTY_CONTACT } from './check-variables.ts';
import { type CampaignMessage, type CampaignRecipient, createMessages } from './message.ts';

interface RenderedCampaign {
  texts: CampaignColumns;
  domain: string;
  bookId: number | null;
  variables: string[];
  /** Address of the contact whose values fill the message. Null if the message uses the fallbacks. */
  contact: string | null;
  message: CampaignMessage;
  /** Subject for a contact without any values. */
  emptySubject: string;
}

/**
 * Renders a campaign for a contact in its book, by default the first subscribed one. The unsubscribe link has no
 * effect, because it is not signed for a contact. @throws NOT_FOUND, BAD_REQUEST
 */
export async function renderCampaign(
  ctx: Ctx,
  id: string,
  changes: CampaignChanges,
  address: string | null,
): Promise<RenderedCampaign> {
  await rejectOtherDomainCampaign(ctx, id);
  const { book, given } = await loadCampaign(ctx, id);
  const { columns: texts, domain } = buildCampaignColumns(applyCampaignChanges(given, changes));
  const { bookId, variables } = await findBook(ctx, changes.contactBookId ?? null, book);
  const contact = bookId === null ? null : await findContact(ctx, bookId, address);
  if (address && !contact) throw errors.badField('contact', 'no contact in the book has this address.');
  const campaign = { workspace_id: ctx.workspace.id, public_id: '', book_id: bookId, variables, ...texts };
  const buildMessage = createMessages(campaign, ctx.runtime.config);
  return {
    texts,
    domain,
    bookId,
    variables,
    contact: contact?.email ?? null,
    message: buildMessage({ ...EMPTY_CONTACT, ...contact, public_id: '' }),
    emptySubject: buildMessage({ ...EMPTY_CONTACT, public_id: '' }).subject,
  };
}

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
  const condition = address ? sql`lower(email) = lower(${address})` : sql`subscribed`;
  const [contact] = await ctx.db.rows<CampaignRecipient>(
    sql`select public_id, email, first_name, last_name, properties from svc_contact
     where workspace_id = ${ctx.workspace.id} and book_id = ${bookId} and ${condition} order by id limit 1`,
  );
  return contact ?? null;
}
