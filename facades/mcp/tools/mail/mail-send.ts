import { call } from '../../../../src/engine/verb/call.ts';
import type { Verbs } from '../../../../src/engine/verb/verb.ts';
import { defineTool, needsConfirm, toolAnswer } from '../../tool.ts';
import { ACCOUNT, answers, CONFIRM, done, ID, TEXT, takes, writes } from '../kit.ts';

interface Args {
  account_id: number;
  to: string;
  subject: string;
  body: string;
  body_html: string;
  cc: string;
  bcc: string;
  in_reply_to?: number;
}

const PLAIN = (description?: string) => ({ ...TEXT(description), default: '' });

export const mailSendTool = defineTool<Args>({
  name: 'mail_send',
  title: 'Send mail',
  description:
    'Sends a message from a mailbox. Without confirm it shows what would go out: show that to the user first.',
  inputSchema: takes(
    {
      account_id: ACCOUNT,
      to: TEXT('Separated by commas or semicolons.'),
      subject: TEXT(),
      body: PLAIN(),
      body_html: PLAIN('HTML; wins over body.'),
      cc: PLAIN(),
      bcc: PLAIN(),
      in_reply_to: ID('entry_id that it answers.'),
      confirm: CONFIRM,
    },
    ['account_id', 'to', 'subject'],
  ),
  outputSchema: answers(),
  annotations: writes({ idempotentHint: false, openWorldHint: true }),
  scope: 'write',
  effects: ['sends'],
  group: 'mail',
  method: 'compose_send',
  isOurs: true,
  waits: true,
  run: async ({ ctx, args, confirmed }) => {
    const { to, subject, body, cc, bcc } = args;
    const letter = {
      accountId: args.account_id,
      ...{ to, subject, body, cc, bcc },
      bodyHtml: args.body_html,
      ...(args.in_reply_to && { inReplyTo: args.in_reply_to }),
    };
    // What is wrong with the message is an error; what keeps it from leaving is part of the answer.
    const checked = done(await call(ctx, 'mailSendPreview', letter));
    if (!confirmed) return needsConfirm({ preview: previewOf(checked, args.in_reply_to) });
    const sent = await call(ctx, 'mailSend', letter);
    return toolAnswer({ ...sent }, sent.ok ? 1 : 0);
  },
});

type Checked = Exclude<Verbs['mailSendPreview']['value'], { ok: false }>;

function previewOf(
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
  }: Checked,
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
