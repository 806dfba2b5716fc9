import { type Ctx, create, sql, write } from '../../kit/surface.ts';
import { findOpenStage, loadHelpdeskSetup } from '../setup.ts';
import { acknowledge } from './acknowledge.ts';
import { findTicket, type MatchedTicket } from './find-ticket.ts';
import type { MailTeam } from './mail-team.ts';
import { postToTicket } from './post-message.ts';
import type { TicketMessage } from './ticket-message.ts';

const TICKET_MODEL = 'helpdesk.ticket';

export async function processTicketMessage(ctx: Ctx, team: MailTeam, message: TicketMessage): Promise<void> {
  const ticket = await findTicket(ctx, message);
  const contact = await findContact(ctx, message.from);
  // Matches only authenticated senders to accounts, and only by login, because users can set other addresses
  // themselves.
  const isOwner = message.isProved && contact?.isLogin;
  const contactId = contact && (isOwner || !contact.hasAccount) ? contact.id : null;
  if (ticket) {
    await addMessage(ctx, ticket.id, message, contactId);
    return reopenTicket(ctx, ticket);
  }
  const partner = contact ? contactId : await createPartner(ctx, message);
  const [id] = await create(ctx, TICKET_MODEL, [
    {
      name: message.subject || '(no subject)',
      description: message.body,
      team_id: team.id,
      partner_id: partner ?? false,
      partner_name: message.name,
      partner_email: message.from,
      email_cc: message.cc.join(', ') || false,
    },
  ]);
  await addMessage(ctx, id!, message, partner);
  if (team.acknowledges) await acknowledge(ctx, team, id!, message);
}

async function addMessage(
  ctx: Ctx,
  ticket: number,
  { subject, body, from: address, name, messageId, files: receivedFiles }: TicketMessage,
  author: number | null,
): Promise<void> {
  const files: number[] = [];
  for (const file of receivedFiles) {
    const datas = (await file.content()).toString('base64');
    const values = { name: file.name, mimetype: file.type, datas, res_model: TICKET_MODEL, res_id: ticket };
    files.push(...(await create(ctx, 'ir.attachment', [values])));
  }
  const from = name === address ? address : `${name} <${address}>`;
  await postToTicket(ctx, ticket, {
    ...{ type: 'email', origin: 'mail', subject, body },
    ...{ author, from, messageId, files },
  });
}

export async function reopenTicket(ctx: Ctx, { id, team_id, closed, active }: MatchedTicket): Promise<void> {
  if (active && !closed) return;
  const stage = findOpenStage(await loadHelpdeskSetup(ctx), team_id);
  await write(ctx, TICKET_MODEL, [id], { active: true, ...(closed && stage && { stage_id: stage.id }) });
}

interface Contact {
  id: number;
  hasAccount: boolean;
  isLogin: boolean;
}

async function findContact(ctx: Ctx, email: string): Promise<Contact | null> {
  const workspace = sql.param(ctx.workspace.id);
  const [row] = await ctx.db.rows<Contact>(
    sql`select p.id, exists (select 1 from res_users u
         where u.workspace_id = ${workspace} and u.partner_id = p.id) as "hasAccount",
       exists (select 1 from res_users u
         where u.workspace_id = ${workspace} and u.partner_id = p.id and lower(u.login) = ${email}) as "isLogin"
     from res_partner p where p.workspace_id = ${workspace} and lower(p.email) = ${email}
       and p.email is not null and p.active order by p.id limit 1`,
  );
  return row ?? null;
}

async function createPartner(ctx: Ctx, { name, from }: TicketMessage): Promise<number> {
  const [id] = await create(ctx, 'res.partner', [{ name, email: from }]);
  return id!;
}
