import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { AppError } from '../../../src/errors.ts';
import { getMemberMailbox, type MemberMailbox } from '../accounts/member-access.ts';
import { catchMailError, MAIL_READ_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { formatRecipient } from './recipient-list.ts';
import { getRepliedMessage, type RepliedMessage } from './replied-message.ts';
import { type ComposedMessage, fillSendInput, prepareMessage, type SendInput } from './send-input.ts';
import { preflightMessage } from './send-message.ts';

const MAX_PREVIEW_CHARS = 500;

export const mailSendPreview = defineOperation('mailSendPreview', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_READ_POLICY,
  description: 'Checks a message as `mailSend` does and shows what would be sent. Sends nothing.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to send from.' }),
    to: arg.string({ required: true, description: 'Recipients, separated by commas or semicolons.' }),
    subject: arg.string({ defaultValue: '', description: 'Subject line.' }),
    body: arg.string({ defaultValue: '', description: 'Plain text.' }),
    inReplyTo: arg.recordId({ description: 'Message to reply to, in the same mailbox.' }),
    cc: arg.string({ defaultValue: '', description: 'Cc recipients.' }),
    bcc: arg.string({ defaultValue: '', description: 'Bcc recipients.' }),
    bodyHtml: arg.string({ defaultValue: '', description: 'HTML body. Takes precedence over `body`.' }),
  }),
  ...returnOutcome('MailSendPreview', 'Preview of a message.', {
    from: { type: 'String', description: 'Sender.' },
    to: { type: ['String'], description: 'Recipients.' },
    cc: { type: ['String'], description: 'Cc recipients.' },
    bcc: { type: ['String'], description: 'Bcc recipients.' },
    recipientCount: { type: 'Int', description: 'Total number of recipients.' },
    subject: { type: 'String', description: 'Subject.' },
    format: { type: 'String', description: '`text` or `html`.' },
    textStarts: {
      type: 'String',
      description: `The first ${MAX_PREVIEW_CHARS} characters of the text, including the signature.`,
    },
    textChars: { type: 'Int', description: 'Number of characters in the text.' },
    newRecipients: {
      type: ['String'],
      description: 'Recipient addresses that the mailbox has not written to before.',
    },
    problem: {
      type: 'String',
      description: 'Problem that prevents sending. Null if the message can be sent.',
    },
  }),
  run: async (ctx, args) => {
    const account = await getMemberMailbox(ctx, args.accountId);
    return catchMailError(() => buildPreview(ctx, account, fillSendInput(args)));
  },
});

async function buildPreview(ctx: Ctx, account: MemberMailbox, input: SendInput) {
  const message = await prepareMessage(ctx, account, input);
  const repliedMessage = input.inReplyTo ? await getRepliedMessage(ctx, account.id, input.inReplyTo) : null;
  const characters = [...message.text.trim()];
  const all = [...message.to, ...message.cc, ...message.bcc];
  return {
    from: formatRecipient(message.from),
    to: message.to.map(formatRecipient),
    cc: message.cc.map(formatRecipient),
    bcc: message.bcc.map(formatRecipient),
    recipient_count: all.length,
    subject: message.subject,
    format: message.html === null ? 'text' : 'html',
    text_starts: characters.slice(0, MAX_PREVIEW_CHARS).join(''),
    text_chars: characters.length,
    new_recipients: await findNewRecipients(ctx, account.id, [
      ...new Set(all.map(({ address }) => address.toLowerCase())),
    ]),
    problem: await findProblem(ctx, account, message, repliedMessage),
  };
}

async function findNewRecipients(ctx: Ctx, accountId: number, emails: string[]): Promise<string[]> {
  const rows = await ctx.db.rows<{ email: string }>(
    sql`select email from svc_mail_correspondent where workspace_id = ${ctx.workspace.id}
     and account_id = ${accountId} and email = any(${emails}) and uses > 0`,
  );
  const knownEmails = new Set(rows.map(({ email }) => email));
  return emails.filter((email) => !knownEmails.has(email));
}

/**
 * Checks the sending domain and the suppression list. Throws access errors, because they are not problems with the
 * message.
 */
async function findProblem(
  ctx: Ctx,
  account: MemberMailbox,
  message: ComposedMessage,
  repliedMessage: RepliedMessage | null,
): Promise<string | null> {
  try {
    await preflightMessage(ctx, account, message, repliedMessage);
    return null;
  } catch (error) {
    const isRefused =
      error instanceof MailError || (error instanceof AppError && error.kind === 'BAD_REQUEST');
    if (isRefused) return error.message;
    throw error;
  }
}
