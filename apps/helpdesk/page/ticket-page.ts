import { getLinkSubject } from '../../../src/engine/identity/signed-link.ts';
import { processText } from '../../../src/text/process-text.ts';
import { type Ctx, defineTypedShape, sql } from '../../kit/surface.ts';

/** Older messages are omitted. */
const MAX_SHOWN_MESSAGES = 100;
const MAX_SHOWN_MESSAGE_CHARS = 20_000;

const PageMessageShape = defineTypedShape('HelpdeskPageMessage', 'A message on a ticket page.', {
  author: { type: 'String', description: 'Name of the author.' },
  isCustomer: { type: 'Boolean', description: 'True if the customer wrote the message.' },
  date: { type: 'DateTime', description: 'When the message was written.' },
  text: { type: 'String', description: 'Content, as plain text.' },
  files: { type: ['String'], description: "Names of the message's attachments." },
});

export const TicketPageShape = defineTypedShape(
  'HelpdeskTicketPage',
  'A ticket, as shown on the page that its emails link to.',
  {
    number: { type: 'String', description: 'Number of the ticket.' },
    subject: { type: 'String', description: 'Subject of the ticket.' },
    team: { type: 'String', nullable: true, description: 'Team that handles the ticket.' },
    stage: { type: 'String', nullable: true, description: 'Stage of the ticket.' },
    isClosed: { type: 'Boolean', description: 'True if the ticket is closed.' },
    canRate: { type: 'Boolean', description: 'True if the customer can rate the ticket.' },
    rating: {
      type: 'String',
      nullable: true,
      description: "The customer's rating: 1, 3 or 5. Null if the ticket is not rated.",
    },
    messages: {
      type: [PageMessageShape],
      description: `The newest ${MAX_SHOWN_MESSAGES} messages, oldest first. Notes are not included.`,
    },
  },
);

export interface VisitedTicket {
  id: number;
  team_id: number | null;
  number: string;
  subject: string;
  team: string | null;
  stage: string | null;
  closed: boolean;
  active: boolean;
  rates: boolean;
  rating: string | null;
  partner_id: number | null;
  partner_name: string | null;
  partner_email: string | null;
}

/** Finds the ticket that the caller's link grants access to. Null if the ticket was deleted or the link was revoked. */
export async function findVisitedTicket(ctx: Ctx): Promise<VisitedTicket | null> {
  const [id, version] = getLinkSubject(ctx).split('.').map(Number);
  const workspace = sql.param(ctx.workspace.id);
  const [row] = await ctx.db.rows<VisitedTicket>(
    sql`select t.id, t.team_id, coalesce(t.ticket_ref, t.id::text) as number, t.name as subject, h.name as team,
       s.name as stage, t.close_date is not null as closed, t.active, coalesce(h.use_rating, false) as rates,
       t.rating, t.partner_id, t.partner_name, t.partner_email
     from helpdesk_ticket t
     left join helpdesk_team h on h.workspace_id = ${workspace} and h.id = t.team_id
     left join helpdesk_stage s on s.workspace_id = ${workspace} and s.id = t.stage_id
     where t.workspace_id = ${workspace} and t.id = ${id} and t.link_version = ${version}`,
  );
  return row ?? null;
}

export async function buildTicketPage(ctx: Ctx, ticket: VisitedTicket) {
  const { number, subject, team, stage, closed, rates, rating } = ticket;
  return {
    number,
    subject,
    team,
    stage,
    isClosed: closed,
    canRate: closed && rates,
    rating,
    messages: await loadMessages(ctx, ticket.id),
  };
}

interface MessageRow {
  author: string;
  isCustomer: boolean;
  date: string;
  body: string;
  files: string[];
}

/** Loads only messages with a verified origin: sent to the customer, or received from the customer. */
async function loadMessages(ctx: Ctx, ticket: number) {
  const workspace = sql.param(ctx.workspace.id);
  const rows = await ctx.db.rows<MessageRow>(
    sql`select m.origin <> 'sent' as "isCustomer", m.date::text as date,
       left(coalesce(m.body, ''), ${MAX_SHOWN_MESSAGE_CHARS * 4}) as body,
       case when m.origin <> 'sent' then coalesce(p.name, m.email_from) else coalesce(p.name, '') end as author,
       array(select f.name from message_attachment_rel r
         join ir_attachment f on f.workspace_id = ${workspace} and f.id = r.attachment_id
         where r.workspace_id = ${workspace} and r.message_id = m.id order by f.id) as files
     from mail_message m
     join mail_message_subtype k on k.workspace_id = ${workspace} and k.id = m.subtype_id and not k.internal
     left join res_partner p on p.workspace_id = ${workspace} and p.id = m.author_id
     where m.workspace_id = ${workspace} and m.model = 'helpdesk.ticket' and m.res_id = ${ticket}
       and m.origin is not null and not m.is_internal
     order by m.id desc limit ${MAX_SHOWN_MESSAGES}`,
  );
  const messages: (Omit<MessageRow, 'body'> & { text: string })[] = [];
  for (const { body, date, ...row } of rows.toReversed()) {
    const text = await processText(ctx.workspace.id, 'convertHtmlToText', body);
    messages.push({
      ...row,
      date: new Date(`${date}Z`).toISOString(),
      text: text.slice(0, MAX_SHOWN_MESSAGE_CHARS).toWellFormed(),
    });
  }
  return messages;
}
