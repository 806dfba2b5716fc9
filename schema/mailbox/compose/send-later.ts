import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { renderPreformatted } from '../../../src/message/html/plain-html.ts';
import { processText } from '../../../src/text/process-text.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { loadPrefs } from '../settings/prefs.ts';
import { allocateDraftId } from './draft.ts';
import { OUTGOING_KIND, type OutgoingRow, withdrawOutgoing } from './outgoing.ts';
import { getRepliedMessage } from './replied-message.ts';
import { BODY_HTML_DESCRIPTION, fillSendInput, prepareMessage, type SendInput } from './send-input.ts';
import { consumeDraft, preflightMessage } from './send-message.ts';
import { getStagedFileRows } from './staged-files.ts';

const MAX_SCHEDULED_MESSAGES = 200;
const UNDO_SEND_SECONDS = 120;
const MAX_SCHEDULED_DAYS = 366;

const MessageInput = builder.inputType('MailLetterInput', {
  description: 'A message to be sent later.',
  fields: (t) => ({
    to: t.string({ required: true, description: 'Recipients, separated by commas or semicolons.' }),
    cc: t.string({ description: 'Cc recipients.' }),
    bcc: t.string({ description: 'Bcc recipients. Only the copy in Sent shows them.' }),
    subject: t.string({ description: 'Subject line.' }),
    body: t.string({ description: 'Plain text.' }),
    bodyHtml: t.string({ description: BODY_HTML_DESCRIPTION }),
    inReplyTo: t.recordId({ description: 'Message to reply to, in the same mailbox.' }),
    draftId: t.recordId({
      description: 'Draft to send. It becomes a draft again if the message is recalled.',
    }),
    attachmentIds: t.recordIds({
      description: 'Staged attachments to send. They are kept until the message is sent.',
    }),
    fromAddress: t.string({
      description: "Address to send from, such as an alias. Defaults to the mailbox's main address.",
    }),
    addSignature: t.boolean({
      description: 'True to add the signature where your preferences place it. Defaults to true.',
    }),
  }),
});

export const mailSendLater = defineOperation('mailSendLater', {
  effects: ['writes', 'sends'],
  policy: MAIL_WRITE_POLICY,
  description:
    'Sends a message at a given time, or after a delay during which it can be recalled (`mailSendUndo`). ' +
    'The message is checked now and again when it is due. If it cannot be sent, it stays in ' +
    '`outgoingMessages` with the reason.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to send from.' }),
    letter: arg({ type: MessageInput, required: true, description: 'The message.' }),
    sendAt: arg({
      type: 'DateTime',
      description: `Time to send the message, up to ${MAX_SCHEDULED_DAYS} days ahead.`,
    }),
    undoSeconds: arg.int({
      description:
        `Seconds to wait before sending, up to ${UNDO_SEND_SECONDS}. If neither this nor \`sendAt\` is ` +
        'set, your preferences apply.',
    }),
  }),
  ...returnOutcome('MailSendLaterResult', 'Result of scheduling a message.', {
    outgoingId: { type: 'ID', description: 'Id of the message. Null if the call was rejected.' },
    sendAt: { type: 'DateTime', description: 'When the message will be sent.' },
  }),
  run: async (ctx, { accountId, letter: message, sendAt, undoSeconds }) => {
    await getMemberMailbox(ctx, accountId);
    return catchMailError(async () => {
      const sendTime = await computeSendTime(
        ctx,
        sendAt == null ? null : String(sendAt),
        undoSeconds ?? null,
      );
      return scheduleMessage(ctx, accountId, message, sendTime);
    });
  },
});

export const mailSendUndo = defineOperation('mailSendUndo', {
  effects: ['writes'],
  policy: MAIL_WRITE_POLICY,
  description:
    'Recalls a message that is waiting to be sent or could not be sent, and turns it back into a draft.',
  args: (arg) => ({ outgoingId: arg.recordId({ required: true, description: 'Message to recall.' }) }),
  ...returnOutcome('MailSendUndone', 'A message that was recalled.', {
    draftId: { type: 'ID', description: 'Id of the draft. Null if the call was rejected.' },
    attachmentIds: { type: ['ID'], description: 'Staged attachments of the message.' },
    fromAddress: {
      type: 'String',
      description: 'Address that the message would have been sent from. Empty for the main address.',
    },
    addSignature: { type: 'Boolean', description: 'True if the signature would have been added.' },
  }),
  run: (ctx, { outgoingId }) => catchMailError(() => ctx.tx((tx) => undoSend(tx, outgoingId))),
});

/** @throws MailError if the time is in the past or too far ahead */
async function computeSendTime(ctx: Ctx, sendAt: string | null, undoSeconds: number | null): Promise<Date> {
  if (sendAt !== null && undoSeconds !== null)
    throw new MailError('Pass only one of send_at and undo_seconds.');
  if (sendAt !== null) {
    const ahead = Date.parse(sendAt) - Date.now();
    if (!(ahead > 0 && ahead <= MAX_SCHEDULED_DAYS * 86_400_000))
      throw new MailError(`send_at: must be in the future, at most ${MAX_SCHEDULED_DAYS} days ahead.`);
    return new Date(sendAt);
  }
  const seconds = undoSeconds ?? (await loadPrefs(ctx, ctx.principal!.userId!)).undoSendSeconds;
  if (seconds < 0 || seconds > UNDO_SEND_SECONDS)
    throw new MailError(`undo_seconds: must be from 0 to ${UNDO_SEND_SECONDS}.`);
  return new Date(Date.now() + seconds * 1_000);
}

type MessageInputValues = typeof MessageInput.$inferInput;

async function scheduleMessage(ctx: Ctx, accountId: number, values: MessageInputValues, at: Date) {
  const input = await parseMessageInput(ctx, values);
  await checkCanSend(ctx, accountId, input);
  return ctx.tx(async (tx) => {
    await checkOutgoingCount(tx);
    const mode = values.draftId ? await consumeDraft(tx, accountId, values.draftId) : getDraftMode(input);
    const id = await allocateId(tx, 'svc_mail_outgoing');
    await insertOutgoing(tx, { id, accountId, input, mode, at });
    await reserveStagedFiles(tx, id, input.attachmentIds);
    scheduleDueWork(tx.db, tx.workspace.id, OUTGOING_KIND, { at: at.toISOString() });
    return { outgoing_id: id, send_at: at.toISOString() };
  });
}

const parseMessageInput = async (ctx: Ctx, values: MessageInputValues): Promise<SendInput> => ({
  ...fillSendInput(values),
  bodyHtml: await processText(ctx.workspace.id, 'sanitizeFieldHtml', values.bodyHtml ?? '', 'body_html'),
  attachmentIds: [...new Set(values.attachmentIds ?? [])],
});

const getDraftMode = ({ inReplyTo }: SendInput): string => (inReplyTo === null ? 'new' : 'reply');

/** Rejects a message now if it could not be sent later. */
async function checkCanSend(ctx: Ctx, accountId: number, input: SendInput): Promise<void> {
  const account = await getMemberMailbox(ctx, accountId);
  const message = await prepareMessage(ctx, account, input);
  const repliedMessage = input.inReplyTo ? await getRepliedMessage(ctx, accountId, input.inReplyTo) : null;
  await getStagedFileRows(ctx, { accountId, attachmentIds: input.attachmentIds, outgoingId: null });
  await preflightMessage(ctx, account, message, repliedMessage);
}

async function checkOutgoingCount(ctx: Ctx): Promise<void> {
  const count = await ctx.db.value<number>(
    sql`select count(*)::int from svc_mail_outgoing
     where workspace_id = ${ctx.workspace.id} and user_id = ${ctx.principal!.userId}`,
  );
  if (count >= MAX_SCHEDULED_MESSAGES)
    throw new MailError(
      `You already have ${MAX_SCHEDULED_MESSAGES} messages waiting to be sent (the maximum). Try again later.`,
    );
}

interface NewOutgoing {
  id: number;
  accountId: number;
  input: SendInput;
  mode: string;
  at: Date;
}

async function insertOutgoing(ctx: Ctx, { id, accountId, input, mode, at }: NewOutgoing): Promise<void> {
  const time = at.toISOString();
  await ctx.db.rows(
    sql`insert into svc_mail_outgoing (workspace_id, id, account_id, user_id, from_address, "to", cc, bcc, subject,
       body, body_html, mode, in_reply_to, attachment_ids, add_signature, send_at, next_at)
     values (${ctx.workspace.id}, ${id}, ${accountId}, ${ctx.principal!.userId}, ${input.fromAddress}, ${input.to},
       ${input.cc}, ${input.bcc}, ${input.subject}, ${input.body}, ${input.bodyHtml}, ${mode}, ${input.inReplyTo},
       ${input.attachmentIds}, ${input.addSignature}, ${time}::timestamp, ${time}::timestamp)`,
  );
}

/** Reserves staged files for a scheduled message. @throws MailError if one is already being sent */
async function reserveStagedFiles(ctx: Ctx, outgoingId: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const reservedRows = await ctx.db.rows(
    sql`update svc_mail_staged set outgoing_id = ${outgoingId} where workspace_id = ${ctx.workspace.id}
       and user_id = ${ctx.principal!.userId} and id = any(${ids}::int[]) and outgoing_id is null returning id`,
  );
  if (reservedRows.length < ids.length) throw new MailError('The message is already being sent.');
}

async function undoSend(ctx: Ctx, outgoingId: number) {
  const row = await withdrawOutgoing(ctx, outgoingId);
  await ctx.db.rows(
    sql`update svc_mail_staged set outgoing_id = null, create_date = now()
     where workspace_id = ${ctx.workspace.id} and user_id = ${row.user_id} and outgoing_id = ${outgoingId}`,
  );
  const id = await allocateDraftId(ctx);
  await ctx.db.rows(
    sql`insert into svc_mail_draft (workspace_id, id, account_id, user_id, "to", cc, bcc, subject, body, mode,
       in_reply_to)
     values (${ctx.workspace.id}, ${id}, ${row.account_id}, ${row.user_id}, ${row.to}, ${row.cc}, ${row.bcc},
       ${row.subject}, ${toDraftBody(row)}, ${row.mode}, ${row.in_reply_to})`,
  );
  return {
    draft_id: id,
    attachment_ids: row.attachment_ids,
    from_address: row.from_address,
    add_signature: row.add_signature,
  };
}

const toDraftBody = ({ body, body_html: html }: OutgoingRow): string =>
  html || (body.includes('<') ? renderPreformatted(body) : body);
