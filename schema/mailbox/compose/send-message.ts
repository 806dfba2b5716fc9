import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { limits } from '../../../src/limits.ts';
import { type Attachment, computeByteLength, countBase64Digits } from '../../../src/message/attachment.ts';
import { buildDraft, type EmailDraft } from '../../email/accept/email-draft.ts';
import { buildEmailRow, insertEmails } from '../../email/accept/email-insert.ts';
import { runPreflight } from '../../email/accept/preflight.ts';
import { getSuppressedRecipients } from '../../email/kit/recipients.ts';
import type { MemberMailbox } from '../accounts/member-access.ts';
import { MailError } from '../kit/operation.ts';
import { type Filing, fileEntries } from '../messages/file-entries.ts';
import type { FilingChange } from '../messages/threads.ts';
import { recordRecipients } from '../people/correspondents.ts';
import { linkInlineFiles, type MessageFile } from './inline-files.ts';
import { formatRecipient, MAX_MESSAGE_RECIPIENTS } from './recipient-list.ts';
import { buildThreadHeaders, type RepliedMessage } from './replied-message.ts';
import type { ComposedMessage } from './send-input.ts';
import { buildCopyFiling, storeSentCopy } from './sent-copy.ts';
import { consumeStagedFiles } from './staged-files.ts';

const MAX_SENDS_PER_HOUR = 300;

interface MessageToSend {
  account: MemberMailbox;
  message: ComposedMessage;
  answered: RepliedMessage | null;
  files: MessageFile[];
  draftId: number | null;
  attachmentIds: number[];
  /** Set for a scheduled message. */
  outgoingId: number | null;
}

interface SentMessage {
  entry_id: number;
  message_id: string;
  suppressed: string[];
  emailId: number;
}

/**
 * Accepts a message for sending, and files its copy in Sent. Counts it against the rate limit and deletes its draft in
 * the same transaction.
 * @throws MailError if all recipients are suppressed, or the rate limit is exceeded
 * @throws BAD_REQUEST if the sender's domain is not verified
 */
export async function sendMailboxMessage(ctx: Ctx, sending: MessageToSend): Promise<SentMessage> {
  const { account, answered } = sending;
  const { message, files } = linkInlineFiles(sending.message, sending.files);
  const { email, closed, row } = await preflightMessage(ctx, account, message, answered, files);
  const copy = await storeSentCopy(ctx, email);
  const sentMessage = await ctx.tx(async (tx) => {
    await consumeOutgoing(tx, sending);
    if (!(await consumeStagedFiles(tx, sending))) throw new MailError('The message is already being sent.');
    if (sending.draftId !== null) await consumeDraft(tx, account.id, sending.draftId);
    if (!(await insertEmails(tx, [row], { key: null, hash: '' }, [])))
      throw new TransientMailError('The sending domain has just been changed. Try again.');
    const filing = await buildCopyFiling(tx, account.id, copy, email.public_id, message.bcc);
    const entry = await fileSentCopy(tx, sending, filing);
    await recordSend(tx, sending, filing.emailId);
    return { entry_id: entry, emailId: filing.emailId };
  });
  return {
    ...sentMessage,
    message_id: `<${copy.messageId}>`,
    suppressed: getSuppressedRecipients(email, closed),
  };
}

/**
 * Builds the email, and checks that it can be sent.
 * @throws MailError if all recipients are suppressed
 * @throws BAD_REQUEST if the sender's domain is not verified
 */
export async function preflightMessage(
  ctx: Ctx,
  account: MemberMailbox,
  message: ComposedMessage,
  repliedMessage: RepliedMessage | null,
  files: Attachment[] = [],
) {
  const draft = buildDraft(toEmailInput(message, repliedMessage), null, MAX_MESSAGE_RECIPIENTS);
  const email = attachFiles(draft, files);
  const suppressedAddresses = await runPreflight(ctx, [email]);
  const row = { ...buildEmailRow(email, suppressedAddresses), mailbox_id: account.id };
  if (row.state === 'suppressed') throw new MailError('Every recipient is on the suppression list.');
  return { email, closed: suppressedAddresses, row };
}

const toEmailInput = (
  { from, to, cc, bcc, subject, text, html, replyTo, headers }: ComposedMessage,
  repliedMessage: RepliedMessage | null,
) => ({
  from: formatRecipient(from),
  to: to.map(formatRecipient),
  cc: cc.map(formatRecipient),
  bcc: bcc.map(formatRecipient),
  subject,
  text,
  html,
  replyTo: replyTo ? [replyTo] : [],
  headers: repliedMessage ? { ...headers, ...buildThreadHeaders(repliedMessage) } : headers,
});

function attachFiles(draft: EmailDraft, files: Attachment[]): EmailDraft {
  if (files.length === 0) return draft;
  const bytes = files.reduce(
    (sum, { content }) => sum + computeByteLength(countBase64Digits(content) ?? 0),
    0,
  );
  if (bytes > limits.mail.attachmentBytes)
    throw new MailError('The attachments are too large in total. Send fewer or smaller files.');
  const storedCount = files.reduce((sum, { content }) => sum + content.length, 0);
  return { ...draft, attachments: files, content_bytes: draft.content_bytes + storedCount };
}

/**
 * Deletes the scheduled message's row. The message may be sent only if the row still exists.
 * @throws MailError if it has been sent or recalled
 */
async function consumeOutgoing(ctx: Ctx, { outgoingId }: MessageToSend): Promise<void> {
  if (outgoingId === null) return;
  const rows = await ctx.db.rows(
    sql`delete from svc_mail_outgoing where workspace_id = ${ctx.workspace.id} and id = ${outgoingId} returning id`,
  );
  if (rows.length === 0) throw new MailError('The message has already been sent or recalled.');
}

/**
 * @returns the draft's mode
 * @throws MailError if the draft has been sent or deleted
 */
export async function consumeDraft(ctx: Ctx, accountId: number, draftId: number): Promise<string> {
  const [draft] = await ctx.db.rows<{ mode: string }>(
    sql`delete from svc_mail_draft where workspace_id = ${ctx.workspace.id} and id = ${draftId}
       and account_id = ${accountId} and user_id = ${ctx.principal?.userId ?? 0} returning mode`,
  );
  if (!draft) throw new MailError('draft_id: the draft does not exist. It may already have been sent.');
  return draft.mode;
}

async function fileSentCopy(ctx: Ctx, { account, answered }: MessageToSend, filing: Filing): Promise<number> {
  const [id] = await fileEntries(ctx, account.id, [filing], async (lockedCtx, change) => {
    await checkSendRate(lockedCtx, account.id);
    if (answered) await markAsAnswered(lockedCtx, answered.id, change);
    return [filing];
  });
  return id!;
}

/** A temporary rejection: the same message can be sent later. */
export class TransientMailError extends MailError {}

/**
 * Requires a locked mailbox, so that concurrent sends cannot jointly exceed the limit.
 * @throws MailError if the limit is exceeded
 */
async function checkSendRate(ctx: Ctx, accountId: number): Promise<void> {
  const since = new Date(Date.now() - 3_600_000).toISOString();
  const count = await ctx.db.value<number>(
    sql`select count(*)::int from svc_mail_send_log
     where workspace_id = ${ctx.workspace.id} and account_id = ${accountId} and at > ${since}::timestamp`,
  );
  if (count >= MAX_SENDS_PER_HOUR)
    throw new TransientMailError(
      `This mailbox has sent ${MAX_SENDS_PER_HOUR} messages in the last hour. Try again later.`,
    );
}

async function markAsAnswered(ctx: Ctx, entryId: number, { modseq, updated }: FilingChange): Promise<void> {
  const markedRows = await ctx.db.rows<{ id: number }>(
    sql`update svc_mail_entry set is_answered = true, modseq = ${modseq}
     where workspace_id = ${ctx.workspace.id} and id = ${entryId} and not is_answered returning id`,
  );
  for (const { id } of markedRows) updated.push(id);
}

async function recordSend(ctx: Ctx, { account, message }: MessageToSend, emailId: number): Promise<void> {
  const workspace = ctx.workspace.id;
  const people = new Map(
    [...message.to, ...message.cc, ...message.bcc].map((address) => [address.address.toLowerCase(), address]),
  );
  await ctx.db.rows(
    sql`insert into svc_mail_send_log (workspace_id, account_id, email_id, recipients)
     values (${workspace}, ${account.id}, ${emailId}, ${people.size})`,
  );
  await recordRecipients(ctx, account.id, people);
}
