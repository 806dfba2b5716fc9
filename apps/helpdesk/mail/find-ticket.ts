import { escapeLikePattern } from '../../../src/engine/value/like-pattern.ts';
import { type Ctx, sql } from '../../kit/surface.ts';
import { parseReplyAddress } from './reply-address.ts';
import type { TicketMessage } from './ticket-message.ts';

export interface MatchedTicket {
  id: number;
  team_id: number | null;
  closed: boolean;
  active: boolean;
}

/**
 * Returns the ticket that a message belongs to, or null if it starts a new one. Anyone who knows the signed reply
 * address or the Message-ID of an email sent by this server may reply. Ticket numbers and other authors' Message-IDs
 * can be guessed, so they count only if the sender participates in the ticket.
 */
export async function findTicket(ctx: Ctx, message: TicketMessage): Promise<MatchedTicket | null> {
  const addressed = parseReplyAddress(ctx, message.recipients);
  return (
    (addressed === null ? null : await findTicketById(ctx, addressed)) ??
    (await findRepliedTicket(ctx, message)) ??
    (await findTicketByNumber(ctx, message))
  );
}

async function findTicketById(ctx: Ctx, id: number): Promise<MatchedTicket | null> {
  const [row] = await ctx.db.rows<MatchedTicket>(
    sql`select t.id, t.team_id, t.close_date is not null as closed, t.active from helpdesk_ticket t
     where t.workspace_id = ${ctx.workspace.id} and t.id = ${id}`,
  );
  return row ?? null;
}

async function findRepliedTicket(ctx: Ctx, { answers, from }: TicketMessage): Promise<MatchedTicket | null> {
  if (answers.length === 0) return null;
  const [row] = await ctx.db.rows<MatchedTicket>(
    sql`select t.id, t.team_id, t.close_date is not null as closed, t.active
     from mail_message m join helpdesk_ticket t on t.workspace_id = ${ctx.workspace.id} and t.id = m.res_id
     where m.workspace_id = ${ctx.workspace.id} and m.message_id = any(${answers}) and m.model = 'helpdesk.ticket'
       and (m.origin = 'sent' or t.partner_email_normalized = ${from}
         or m.origin = 'mail' and (lower(m.email_from) = ${from}
           or lower(m.email_from) like ${`% <${escapeLikePattern(from)}>`}))
     order by m.id desc limit 1`,
  );
  return row ?? null;
}

/** Finds the ticket by the number in the subject, if the sender is the ticket's authenticated customer. */
async function findTicketByNumber(
  ctx: Ctx,
  { subject, from, isProved }: TicketMessage,
): Promise<MatchedTicket | null> {
  const [, number] = /\[#([\w/-]{1,40})\]/.exec(subject) ?? [];
  if (!number || !isProved) return null;
  const [row] = await ctx.db.rows<MatchedTicket>(
    sql`select t.id, t.team_id, t.close_date is not null as closed, t.active from helpdesk_ticket t
     where t.workspace_id = ${ctx.workspace.id} and t.ticket_ref = ${number}
       and t.partner_email_normalized = ${from} order by t.id desc limit 1`,
  );
  return row ?? null;
}
