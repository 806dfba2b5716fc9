import { sendFromMailbox } from '../../../src/engine/work/mailbox-message.ts';
import { renderPreformatted } from '../../../src/message/html/plain-html.ts';
import { AppError, type Ctx, formatInstant, sql } from '../../kit/surface.ts';
import { getAcknowledgementsPerHour } from '../settings.ts';
import type { MailTeam } from './mail-team.ts';
import { postToTicket } from './post-message.ts';
import { buildReplyAddress } from './reply-address.ts';
import { buildTicketSubject, buildTicketTexts, type NamedTicket } from './ticket-mail.ts';
import type { TicketMessage } from './ticket-message.ts';

const DEFAULT_TEXT = 'We have received your message and will get back to you.';

/** Headers that tell other programs not to reply automatically (RFC 3834, 5). */
const AUTO_REPLY_HEADERS = {
  'Auto-Submitted': 'auto-replied',
  Precedence: 'bulk',
  'X-Auto-Response-Suppress': 'All',
  'X-Atrium-Auto': 'helpdesk',
};

/**
 * Mails the customer the number of a new ticket, up to an hourly limit. Does nothing if sending is not allowed. The
 * mailbox is locked at this point, so the limit also holds for concurrent acknowledgments.
 */
export async function acknowledge(
  ctx: Ctx,
  team: MailTeam,
  id: number,
  { from, name, messageId }: TicketMessage,
): Promise<void> {
  if ((await countRecentAcknowledgements(ctx, from)) >= (await getAcknowledgementsPerHour(ctx))) return;
  const text = team.acknowledgement?.trim() || DEFAULT_TEXT;
  const ticket = await getNamedTicket(ctx, id);
  const replyHeaders: Record<string, string> = messageId
    ? { 'In-Reply-To': `<${messageId}>`, References: `<${messageId}>` }
    : {};
  const message = {
    mailboxId: team.mailbox,
    to: [{ name, address: from }],
    cc: [],
    subject: buildTicketSubject(ticket),
    ...buildTicketTexts(ctx, ticket, { text, html: renderPreformatted(text) }),
    replyTo: buildReplyAddress(ctx, team.address, id),
    headers: { ...AUTO_REPLY_HEADERS, ...replyHeaders },
    files: [],
  };
  try {
    const sentMessageId = await sendFromMailbox(ctx, message);
    const post = {
      type: 'auto_comment',
      origin: 'sent',
      body: renderPreformatted(text),
      author: null,
      from: team.address,
    } as const;
    await postToTicket(ctx, id, { ...post, messageId: sentMessageId });
    await ctx.db.rows(
      sql`update helpdesk_ticket set acknowledged_at = ${formatInstant(Date.now())}::timestamp
       where workspace_id = ${ctx.workspace.id} and id = ${id}`,
    );
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500) throw error;
    ctx.log.info({ ticket: id, reason: error.message }, 'could not acknowledge a ticket');
  }
}

async function countRecentAcknowledgements(ctx: Ctx, from: string): Promise<number> {
  const since = formatInstant(Date.now() - 3_600_000);
  return ctx.db.value<number>(
    sql`select count(*)::int from helpdesk_ticket t where t.workspace_id = ${ctx.workspace.id}
       and t.partner_email_normalized = ${from} and t.acknowledged_at > ${since}::timestamp`,
  );
}

async function getNamedTicket(ctx: Ctx, id: number): Promise<NamedTicket> {
  const [row] = await ctx.db.rows<NamedTicket>(
    sql`select t.id, t.ticket_ref, t.name, t.link_version from helpdesk_ticket t
     where t.workspace_id = ${ctx.workspace.id} and t.id = ${id}`,
  );
  return row!;
}
