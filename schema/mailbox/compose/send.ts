import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { catchMailError, MAIL_WRITE_POLICY, returnOutcome } from '../kit/operation.ts';
import { loadFeatures } from '../settings/features.ts';
import { getRepliedMessage } from './replied-message.ts';
import { BODY_HTML_DESCRIPTION, fillSendInput, prepareMessage, type SendInput } from './send-input.ts';
import { sendMailboxMessage } from './send-message.ts';
import { loadStagedFiles } from './staged-files.ts';
import { type TransportResult, waitForTransport } from './transport-result.ts';

const TransportShape = defineTypedShape('MailTransportResult', 'Delivery status of a message.', {
  state: {
    type: 'String',
    description: 'One of queued, sending, sent, failed, unknown, cancelled and suppressed.',
  },
  reason: {
    type: 'String',
    nullable: true,
    description: 'Why delivery failed, or the recipients for whom it failed. Null if delivery did not fail.',
  },
});

export const mailSend = defineOperation('mailSend', {
  kind: 'mutation',
  effects: ['writes', 'sends'],
  closedToAgents: true,
  address: 'svc.mail.account/compose_send',
  policy: { ...MAIL_WRITE_POLICY, waits: true },
  description:
    'Sends a message from a mailbox and files a copy in its Sent folder. Waits up to ten seconds for the provider.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox to send from.' }),
    to: arg.string({ required: true, description: 'Recipients, separated by commas or semicolons.' }),
    subject: arg.string({ defaultValue: '', description: 'Subject line.' }),
    body: arg.string({ defaultValue: '', description: 'Plain text.' }),
    inReplyTo: arg.recordId({ description: 'Message to reply to, in the same mailbox.' }),
    cc: arg.string({ defaultValue: '', description: 'Cc recipients.' }),
    bcc: arg.string({ defaultValue: '', description: 'Bcc recipients. Only the copy in Sent shows them.' }),
    draftId: arg.recordId({ description: 'Draft to send. Deleted once the message is accepted.' }),
    attachmentIds: arg.recordIds({ description: 'Staged attachments to send.' }),
    bodyHtml: arg.string({ defaultValue: '', description: BODY_HTML_DESCRIPTION }),
    fromAddress: arg.string({
      defaultValue: '',
      description: "Address to send from, such as an alias. Defaults to the mailbox's main address.",
    }),
    addSignature: arg.boolean({
      defaultValue: true,
      description:
        "True to add the mailbox's signature where your preferences place it. A body that already " +
        'contains the signature is not changed.',
    }),
  }),
  ...returnOutcome('MailSendResult', 'Result of sending a message.', {
    entryId: { type: 'ID', description: 'Id of the copy in Sent.' },
    messageId: { type: 'String', description: 'Message-ID of the message.' },
    transport: { type: TransportShape, description: 'Delivery status from the provider.' },
    suppressed: {
      type: ['String'],
      description: 'Recipients omitted because they are on the suppression list.',
    },
  }),
  run: (ctx, args) =>
    composeSend(ctx, {
      ...fillSendInput(args),
      accountId: args.accountId,
      draftId: args.draftId ?? null,
    }),
});

const QUEUED_RESULT: TransportResult = { state: 'queued', reason: null };

interface ComposeRequest extends SendInput {
  accountId: number;
  draftId: number | null;
}

async function composeSend(ctx: Ctx, request: ComposeRequest) {
  const account = await getMemberMailbox(ctx, request.accountId);
  const sentResult = await catchMailError(async () => {
    const message = await prepareMessage(ctx, account, request);
    const repliedMessage = request.inReplyTo
      ? await getRepliedMessage(ctx, account.id, request.inReplyTo)
      : null;
    const files = await loadStagedFiles(ctx, { ...request, outgoingId: null });
    return sendMailboxMessage(ctx, {
      account,
      message,
      answered: repliedMessage,
      files,
      outgoingId: null,
      ...request,
    });
  });
  if (!sentResult.ok) return sentResult;
  const { emailId, ...shown } = sentResult;
  // The message is accepted, so an error from here on must not look like a failed send.
  const transport = await waitForTransport(ctx, emailId).catch(() => QUEUED_RESULT);
  const features = await loadFeatures(ctx, account.company_id).catch(() => null);
  const isHonest = features?.['mail.honest_send'] ?? true;
  const isFailed = transport.state === 'failed' || transport.state === 'suppressed';
  if (isHonest && isFailed)
    return { ...shown, transport, ok: false, error: transport.reason ?? 'It was not sent.' };
  return { ...shown, transport };
}
