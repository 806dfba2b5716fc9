import { call } from '../../../../src/engine/operation/call.ts';
import type { Operations } from '../../../../src/engine/operation/operation.ts';
import { inputSchema } from '../../input-schema.ts';
import { buildConfirmationRequest, defineTool, toToolResult } from '../../tool.ts';
import {
  ACCOUNT_SCHEMA,
  buildIdSchema,
  buildTextSchema,
  buildWriteAnnotations,
  CONFIRM_ARGUMENT,
  unwrapResult,
  WRITING_TOOL,
} from '../kit.ts';

const buildOptionalTextSchema = (description?: string) => ({ ...buildTextSchema(description), default: '' });

export const mailSendTool = defineTool({
  name: 'mail_send',
  title: 'Send mail',
  description:
    'Sends a message from a mailbox. Without confirm, only returns the message that would be sent: show it ' +
    'to the user first.',
  inputSchema: inputSchema(
    {
      account_id: ACCOUNT_SCHEMA,
      to: buildTextSchema('Separated by commas or semicolons.'),
      subject: buildTextSchema(),
      body: buildOptionalTextSchema(),
      body_html: buildOptionalTextSchema('HTML; wins over body.'),
      cc: buildOptionalTextSchema(),
      bcc: buildOptionalTextSchema(),
      in_reply_to: buildIdSchema('entry_id that it answers.'),
      draft_id: buildIdSchema('Draft to delete once it is sent.'),
      confirm: CONFIRM_ARGUMENT,
    },
    ['account_id', 'to', 'subject'],
  ),
  ...WRITING_TOOL,
  annotations: buildWriteAnnotations({ idempotentHint: false, openWorldHint: true }),
  effects: ['sends'],
  group: 'mail',
  method: 'compose_send',
  isOurs: true,
  waits: true,
  run: async ({ ctx, args, confirmed }) => {
    const { to, subject, body, cc, bcc } = args;
    const message = {
      accountId: args.account_id,
      ...{ to, subject, body, cc, bcc },
      bodyHtml: args.body_html,
      ...(args.in_reply_to && { inReplyTo: args.in_reply_to }),
    };
    // Throws if the message is invalid. Other reasons that prevent delivery are part of the preview.
    const preview = unwrapResult(await call(ctx, 'mailSendPreview', message));
    // Fails before sending if the draft does not exist.
    if (args.draft_id) await call(ctx, 'mailDraftRead', { draftId: args.draft_id });
    if (!confirmed) {
      const view = { preview: toPreviewView(preview, args.in_reply_to) };
      return buildConfirmationRequest(view, `send a message to ${describeRecipients(preview)}`);
    }
    const sendResult = await call(ctx, 'mailSend', {
      ...message,
      ...(args.draft_id && { draftId: args.draft_id }),
    });
    return toToolResult({ ...sendResult }, sendResult.ok ? 1 : 0);
  },
});

type SendPreview = Exclude<Operations['mailSendPreview']['value'], { ok: false }>;

/** Names only addresses, because a display name could pose as another recipient. */
function describeRecipients({ to, cc, bcc, recipient_count: count }: SendPreview): string {
  const first = [...to, ...cc, ...bcc][0] ?? '';
  const address = /<([^<>]*)>$/.exec(first)?.[1] ?? first;
  return count > 1 ? `${address} and ${count - 1} more` : address;
}

function toPreviewView(
  {
    text_starts,
    text_chars,
    format,
    new_recipients,
    problem,
    from,
    to,
    cc,
    bcc,
    recipient_count,
    subject,
  }: SendPreview,
  inReplyTo?: number,
) {
  return {
    ...{ from, to, cc, bcc, recipient_count, subject },
    in_reply_to: inReplyTo ?? null,
    attachments: [],
    ...{ format, text_starts, text_chars },
    text_truncated: [...text_starts].length < text_chars,
    new_recipients,
    ...(problem !== null && { problem }),
  };
}
