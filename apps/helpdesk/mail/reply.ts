import { sql } from '../../../src/db/sql.ts';
import { assertModelAccess } from '../../../src/engine/access/access.ts';
import { getModel, getReadableModel } from '../../../src/engine/access/create-statement.ts';
import { assertRowsExist } from '../../../src/engine/access/row-access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { facadeResult, returnRecord } from '../../../src/engine/operation/record-result.ts';
import { read } from '../../../src/engine/read/records.ts';
import { isLonger } from '../../../src/engine/value/is-longer.ts';
import { type MailboxMessage, sendFromMailbox } from '../../../src/engine/work/mailbox-message.ts';
import { write } from '../../../src/engine/write/write.ts';
import { errors } from '../../../src/errors.ts';
import { limits } from '../../../src/limits.ts';
import { type Mailbox, parseAddress, splitAddresses } from '../../../src/message/address.ts';
import { processText } from '../../../src/text/process-text.ts';
import { formatNow } from '../../kit/dates.ts';
import { findClosingStage, loadHelpdeskSetup } from '../setup.ts';
import { postToTicket } from './post-message.ts';
import { buildReplyAddress } from './reply-address.ts';
import { buildTicketSubject, buildTicketTexts, type NamedTicket } from './ticket-mail.ts';

/** Maximum number of Message-IDs that a reply refers to. */
const MAX_REFERENCES = 20;

const TICKET_MODEL = 'helpdesk.ticket';

export const helpdeskTicketAnswer = defineOperation('helpdeskTicketAnswer', {
  effects: ['writes', 'sends'],
  address: 'helpdesk.ticket/action_answer',
  policy: { auth: ['USER'], scope: 'write', access: ['helpdesk.ticket', 'write'] },
  description:
    "Sends a reply to a ticket's customer from the team's mailbox and adds it to the conversation. Returns " +
    'the message. Requires write access to the ticket. To add a comment that the customer does not see, ' +
    'post a note instead.',
  args: (arg) => ({
    ids: arg.recordIds({ required: true, description: 'Ticket to reply to. Pass exactly one id.' }),
    body: arg.string({ required: true, description: 'Reply as HTML, which is sanitized.' }),
    cc: arg.string({ defaultValue: '', description: 'Cc recipients, separated by commas.' }),
    attachmentIds: arg.recordIds({ description: 'Attachments to send with the reply.' }),
    close: arg.boolean({ defaultValue: false, description: 'True to also close the ticket.' }),
  }),
  ...returnRecord('mail.message', facadeResult.id, (id: number) => id),
  run: async (ctx, { ids, body, cc, attachmentIds, close }) => {
    const [id] = ids;
    if (id === undefined || ids.length > 1) throw errors.notSingle('helpdesk.ticket', ids);
    if (isLonger(body, limits.mail.body))
      throw errors.badValue(`body: must have at most ${limits.mail.body.toLocaleString('en')} characters.`);
    const html = await processText(ctx.workspace.id, 'sanitizeFieldHtml', body, 'body');
    const text = await processText(ctx.workspace.id, 'convertHtmlToText', html);
    const input = { html, text, cc: parseCc(cc ?? ''), files: attachmentIds ?? [], closes: close ?? false };
    return ctx.tx((tx) => replyToTicket(tx, id, input));
  },
});

interface ReplyInput {
  html: string;
  text: string;
  cc: Mailbox[];
  files: number[];
  closes: boolean;
}

const parseCc = (text: string): Mailbox[] =>
  splitAddresses(text)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const mailbox = parseAddress(part);
      if (!mailbox)
        throw errors.badValue(`cc: ${JSON.stringify(part.slice(0, 100))} is not a valid address.`);
      return mailbox;
    });

interface ReplyTarget extends NamedTicket {
  team_id: number | null;
  mailbox: number | null;
  address: string | null;
  partner_name: string | null;
  partner_email: string | null;
  /** Message-IDs of the thread, newest first. */
  thread: string[];
  answered: string | null;
  first_response_date: string | null;
}

/**
 * Sends the reply before writing the ticket. Filing mail also locks the mailbox before the ticket, so the two cannot
 * deadlock.
 */
async function replyToTicket(
  ctx: Ctx,
  id: number,
  { html, text, cc, files, closes }: ReplyInput,
): Promise<number> {
  const model = getModel(ctx, TICKET_MODEL);
  assertModelAccess(ctx, model, 'write');
  await assertRowsExist(ctx, model, [id], 'write');
  const ticket = await getReplyTarget(ctx, id);
  const { mailbox, address, partner_email: email, partner_name: name } = ticket;
  if (mailbox === null || address === null)
    throw errors.user("The ticket's team has no mailbox to reply from. Set one on the team (mailbox_id).");
  const to = email && parseAddress(email)?.address;
  if (!to) throw errors.user('The ticket has no email address to reply to. Set one first (partner_email).');
  const messageId = await sendFromMailbox(ctx, {
    mailboxId: mailbox,
    to: [{ ...(name && { name }), address: to }],
    cc,
    subject: buildTicketSubject(ticket),
    ...buildTicketTexts(ctx, ticket, { text, html }),
    replyTo: buildReplyAddress(ctx, address, id),
    headers: buildReplyHeaders(ticket),
    files: await loadFiles(ctx, files),
  });
  const author = ctx.principal?.partnerId ?? null;
  const message = await postToTicket(ctx, id, {
    ...{ type: 'email_outgoing', origin: 'sent', body: html },
    ...{ author, from: address, messageId, files },
  });
  await recordReply(ctx, ticket, closes);
  return message;
}

async function getReplyTarget(ctx: Ctx, id: number): Promise<ReplyTarget> {
  const workspace = sql.param(ctx.workspace.id);
  const [row] = await ctx.db.rows<ReplyTarget>(
    sql`select t.id, t.ticket_ref, t.name, t.link_version, t.team_id, t.partner_name, t.partner_email,
       t.first_response_date::text, a.id as mailbox, a.address,
       array(select m.message_id from mail_message m where m.workspace_id = ${workspace}
         and m.model = 'helpdesk.ticket' and m.res_id = t.id and m.message_id is not null
         order by m.id desc limit ${sql.literal(MAX_REFERENCES)}) as thread,
       (select m.message_id from mail_message m where m.workspace_id = ${workspace}
         and m.model = 'helpdesk.ticket' and m.res_id = t.id and m.message_id is not null
         and m.origin = 'mail' order by m.id desc limit 1) as answered
     from helpdesk_ticket t
     left join helpdesk_team h on h.workspace_id = ${workspace} and h.id = t.team_id
     left join svc_mail_account a on a.workspace_id = ${workspace} and a.id = h.mailbox_id and a.active
     where t.workspace_id = ${workspace} and t.id = ${id}`,
  );
  return row!;
}

/** Builds the headers that make mail programs thread the reply (RFC 5322, 3.6.4). */
function buildReplyHeaders({ thread, answered }: ReplyTarget): Record<string, string> {
  const ids = thread.toReversed().filter((id) => id !== answered && isPlainId(id));
  const last = answered !== null && isPlainId(answered) ? answered : ids.at(-1);
  if (!last) return {};
  const references = ids.includes(last) ? ids : [...ids, last];
  return { 'In-Reply-To': `<${last}>`, References: references.map((id) => `<${id}>`).join(' ') };
}

const isPlainId = (id: string): boolean => /^[!-;=?-~]{1,250}$/.test(id);

/** @throws MISSING, ACCESS_ERROR if the caller may not read a file, USER_ERROR if the files are too large */
async function loadFiles(ctx: Ctx, ids: number[]): Promise<MailboxMessage['files']> {
  if (ids.length === 0) return [];
  const model = getReadableModel(ctx, 'ir.attachment');
  await assertRowsExist(ctx, model, ids, 'read');
  const bytes = await ctx.db.value<number>(
    sql`select coalesce(sum(file_size), 0)::float8 from ir_attachment
     where workspace_id = ${ctx.workspace.id} and id = any(${ids})`,
  );
  if (bytes > limits.mail.attachmentBytes)
    throw errors.user('The attachments are too large in total. Send fewer or smaller files.');
  const rows = (
    await read(ctx, { model: 'ir.attachment', ids, fields: ['name', 'mimetype', 'datas'], flavour: 'ids' })
  ).value<{ name: string; mimetype: string | false; datas: string | false }[]>();
  return rows.map(({ name, mimetype, datas }) => ({
    filename: name,
    contentType: mimetype || 'application/octet-stream',
    content: datas || '',
  }));
}

async function recordReply(ctx: Ctx, ticket: ReplyTarget, closes: boolean): Promise<void> {
  const first = ticket.first_response_date === null ? { first_response_date: formatNow() } : {};
  const stage = closes ? findClosingStage(await loadHelpdeskSetup(ctx), ticket.team_id) : undefined;
  if (closes && !stage)
    throw errors.user('The team has no closing stage. Set is_close on one of its stages.');
  const values = { ...first, ...(stage && { stage_id: stage.id }) };
  if (Object.keys(values).length > 0) await write(ctx.system(), TICKET_MODEL, [ticket.id], values);
}
