import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { create, write } from '../../../src/engine/write/write.ts';
import { deskOf, openStage } from '../desk.ts';
import { acknowledge } from './acknowledge.ts';
import { type TicketToReply, ticketOfLetter } from './found-ticket.ts';
import type { TicketLetter } from './letter-content.ts';
import type { MailTeam } from './mail-team.ts';
import { postToTicket } from './post-message.ts';

const TICKET = 'helpdesk.ticket';

/** Adds a message to the ticket that it answers, or begins a ticket with it. */
export async function takeLetter(ctx: Ctx, team: MailTeam, letter: TicketLetter): Promise<void> {
  const ticket = await ticketOfLetter(ctx, letter);
  const contact = await contactBy(ctx, letter.from);
  // Who only says to own an account is not taken for its owner, nor is an account for the owner of an address that it
  // has given itself.
  const isOwner = letter.isProved && contact?.isLogin;
  const known = contact && (isOwner || !contact.hasAccount) ? contact.id : null;
  if (ticket) {
    await addLetter(ctx, ticket.id, letter, known);
    return openAgain(ctx, ticket);
  }
  const partner = contact ? known : await newPartner(ctx, letter);
  const [id] = await create(ctx, TICKET, [
    {
      name: letter.subject || '(no subject)',
      description: letter.body,
      team_id: team.id,
      partner_id: partner ?? false,
      partner_name: letter.name,
      partner_email: letter.from,
      email_cc: letter.cc.join(', ') || false,
    },
  ]);
  await addLetter(ctx, id!, letter, partner);
  if (team.acknowledges) await acknowledge(ctx, team, id!, letter);
}

async function addLetter(
  ctx: Ctx,
  ticket: number,
  { subject, body, from: address, name, messageId, files: given }: TicketLetter,
  author: number | null,
): Promise<void> {
  const files: number[] = [];
  for (const file of given) {
    const datas = (await file.content()).toString('base64');
    const values = { name: file.name, mimetype: file.type, datas, res_model: TICKET, res_id: ticket };
    files.push(...(await create(ctx, 'ir.attachment', [values])));
  }
  const from = name === address ? address : `${name} <${address}>`;
  await postToTicket(ctx, ticket, {
    ...{ type: 'email', origin: 'mail', subject, body },
    ...{ author, from, messageId, files },
  });
}

/** A ticket that the customer writes to is open. */
export async function openAgain(ctx: Ctx, { id, team_id, closed, active }: TicketToReply): Promise<void> {
  if (active && !closed) return;
  const stage = openStage(await deskOf(ctx), team_id);
  await write(ctx, TICKET, [id], { active: true, ...(closed && stage && { stage_id: stage.id }) });
}

interface Contact {
  id: number;
  hasAccount: boolean;
  /** Whether the address is the login of the account. */
  isLogin: boolean;
}

/** The contact of an address, of several the oldest, and whether it is a user. */
async function contactBy(ctx: Ctx, email: string): Promise<Contact | null> {
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

async function newPartner(ctx: Ctx, { name, from }: TicketLetter): Promise<number> {
  const [id] = await create(ctx, 'res.partner', [{ name, email: from }]);
  return id!;
}
