import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { getAddressDomain, type Mailbox, parseAddress } from '../../../src/message/address.ts';
import { buildMimeMessage } from '../../../src/message/compose.ts';
import { toRawMail } from '../../../src/message/parse/raw.ts';
import type { EmailDraft } from '../../email/accept/email-draft.ts';
import { computeMessageKey, type Filing } from '../messages/file-entries.ts';
import { storeRaw } from '../messages/raw.ts';
import { type ReadMail, readMail } from '../messages/read-content.ts';
import { storeContent, toPerson } from '../messages/store-content.ts';
import { formatRecipient } from './recipient-list.ts';

export interface SentCopy {
  /** Without angle brackets. */
  messageId: string;
  read: ReadMail;
}

/** Composes and stores the copy. Call it before the mailbox is locked, because it is slow. */
export async function storeSentCopy(ctx: Ctx, email: EmailDraft): Promise<SentCopy> {
  const messageId = `${email.public_id}@${getAddressDomain(parseAddress(email.from)!.address)}`;
  const raw = buildRawMessage(email, messageId);
  const { hash } = await storeRaw(ctx, raw);
  return { messageId, read: await readMail(toRawMail(raw), hash, ctx.workspace.id) };
}

const buildRawMessage = (email: EmailDraft, messageId: string): Buffer =>
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

/** Prepares the copy for filing. The email must already be inserted. */
export async function buildCopyFiling(
  ctx: Ctx,
  accountId: number,
  { read }: SentCopy,
  publicId: string,
  bcc: Mailbox[] = [],
): Promise<Filing & { emailId: number }> {
  return {
    folderId: await getSentFolderId(ctx, accountId),
    contentId: await storeContent(ctx, read.content),
    size: read.content.size,
    date: new Date(),
    key: computeMessageKey(read.content.messageId, read.content.rawHash),
    threads: read.threads,
    words: await read.words(bcc.map(formatRecipient)),
    isRead: true,
    source: 'sent',
    envelope: bcc.length > 0 ? { bcc: bcc.map(toPerson) } : null,
    emailId: await getEmailId(ctx, publicId),
  };
}

function getEmailId(ctx: Ctx, publicId: string): Promise<number> {
  return ctx.db.value<number>(
    sql`select id from svc_email where workspace_id = ${ctx.workspace.id} and public_id = ${publicId}`,
  );
}

function getSentFolderId(ctx: Ctx, accountId: number): Promise<number> {
  return ctx.db.value<number>(
    sql`select id from svc_mail_folder
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and role = 'sent'`,
  );
}
