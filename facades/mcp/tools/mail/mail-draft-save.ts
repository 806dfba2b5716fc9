import { call } from '../../../../src/engine/verb/call.ts';
import { defineTool, toolAnswer } from '../../tool.ts';
import { ACCOUNT, answers, done, ID, TEXT, takes, writes } from '../kit.ts';

interface Args {
  account_id: number;
  to?: string;
  cc?: string;
  bcc?: string;
  subject?: string;
  body?: string;
  in_reply_to?: number;
  draft_id?: number;
}

export const mailDraftSaveTool = defineTool<Args>({
  name: 'mail_draft_save',
  title: 'Save a draft',
  description:
    'Saves a draft that the user alone sees; sends nothing. With draft_id, what is omitted stays and empty text ' +
    'clears.',
  inputSchema: takes(
    {
      account_id: ACCOUNT,
      to: TEXT(),
      cc: TEXT(),
      bcc: TEXT(),
      subject: TEXT(),
      body: TEXT('Plain text.'),
      in_reply_to: ID('entry_id that it answers.'),
      draft_id: ID('Draft to change.'),
    },
    ['account_id'],
  ),
  outputSchema: answers(),
  annotations: writes({ destructiveHint: false, idempotentHint: false }),
  scope: 'write',
  effects: ['writes'],
  group: 'mail',
  method: 'draft_save',
  isOurs: true,
  run: async ({ ctx, args }) => {
    const {
      account_id: accountId,
      draft_id: draftId,
      body: bodyText,
      in_reply_to: inReplyTo,
      ...rest
    } = args;
    const vals = {
      ...rest,
      ...(bodyText !== undefined && { bodyText }),
      ...(inReplyTo && { inReplyTo }),
      ...(inReplyTo && !draftId && { mode: 'reply' }),
    };
    const saved = done(await call(ctx, 'mailDraftSave', { accountId, vals, ...(draftId && { draftId }) }));
    return toolAnswer({ ...saved }, 1);
  },
});
