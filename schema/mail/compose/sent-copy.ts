import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getAddressDomain, type Mailbox, parseAddress } from '../../../src/mail/address.ts';
import { buildMimeMessage } from '../../../src/mail/compose.ts';
import { toRawMail } from '../../../src/mail/parse/raw.ts';
import type { EmailDraft } from '../../send/accept/email-draft.ts';
import { type Filing, messageKey } from '../messages/file-entries.ts';
import { keepContent } from '../messages/keep-content.ts';
import { keepRaw } from '../messages/raw.ts';
import { type ReadMail, readMail } from '../messages/read-content.ts';
import { recipientText } from './recipient-list.ts';

/** What is filed in Sent of a message that goes out, as it goes out. */
export interface SentCopy {
  /** Without angle brackets. */
  messageId: string;
  read: ReadMail;
}

/** Composes and keeps the copy, before the mailbox is held. */
export async function keepCopy(ctx: Ctx, email: EmailDraft): Promise<SentCopy> {
  const messageId = `${email.public_id}@${getAddressDomain(parseAddress(email.from)!.address)}`;
  const raw = composed(email, messageId);
  const { hash } = await keepRaw(ctx, raw);
  return { messageId, read: await readMail(toRawMail(raw), hash, ctx.workspace.id) };
}

const composed = (email: EmailDraft, messageId: string): Buffer =>
  buildMimeMessage({
    emailId: email.public_id,
    messageId,
    date: new Date(),
    from: email.from,
    to: email.to,
    cc: email.cc,
    replyTo: email.reply_to,
    subject: email.subject,
    text: email.text,
    html: email.html,
    headers: email.headers,
    attachments: email.attachments,
  });

/** How the copy is filed; the email has been inserted. */
export async function filingOfCopy(
  ctx: Ctx,
  accountId: number,
  { read }: SentCopy,
  publicId: string,
  bcc: Mailbox[] = [],
): Promise<Filing & { emailId: number }> {
  return {
    folderId: await sentFolder(ctx, accountId),
    contentId: await keepContent(ctx, read.content),
    size: read.content.size,
    date: new Date(),
    key: messageKey(read.content.messageId, read.content.rawHash),
    threads: read.threads,
    words: read.words(bcc.map(recipientText)),
    isRead: true,
    source: 'sent',
    envelope: bcc.length > 0 ? { bcc: bcc.map(personOf) } : null,
    emailId: await emailIdOf(ctx, publicId),
  };
}

const personOf = ({ name, address }: Mailbox) => ({ name: name ?? '', email: address });

async function emailIdOf(ctx: Ctx, publicId: string): Promise<number> {
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_email where workspace_id = ${ctx.workspace.id} and public_id = ${publicId}`,
  );
  return row!.id;
}

async function sentFolder(ctx: Ctx, accountId: number): Promise<number> {
  const [row] = await ctx.db.rows<{ id: number }>(
    sql`select id from svc_mail_folder
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and role = 'sent'`,
  );
  return row!.id;
}
