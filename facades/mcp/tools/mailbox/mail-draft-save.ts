import { call } from '../../../../src/engine/operation/call.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import {
  ACCOUNT_SCHEMA,
  idSchema,
  inputSchema,
  outputSchema,
  textSchema,
  unwrapResult,
  writeAnnotations,
} from '../kit.ts';

interface DraftSaveArgs {
  account_id: number;
  to?: string;
  cc?: string;
  bcc?: string;
  subject?: string;
  body?: string;
  in_reply_to?: number;
  draft_id?: number;
}

export const mailDraftSaveTool = defineTool<DraftSaveArgs>({
  name: 'mail_draft_save',
  title: 'Save a draft',
  description:
    'Saves a draft that only the user sees; sends nothing. With draft_id, omitted fields are kept and ' +
    'empty strings clear fields.',
  inputSchema: inputSchema(
    {
      account_id: ACCOUNT_SCHEMA,
      to: textSchema(),
      cc: textSchema(),
      bcc: textSchema(),
      subject: textSchema(),
      body: textSchema('Plain text.'),
      in_reply_to: idSchema('entry_id to reply to.'),
      draft_id: idSchema('Draft to change.'),
    },
    ['account_id'],
  ),
  outputSchema: outputSchema(),
  annotations: writeAnnotations({ destructiveHint: false, idempotentHint: false }),
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
    const savedDraft = unwrapResult(
      await call(ctx, 'mailDraftSave', { accountId, vals, ...(draftId && { draftId }) }),
    );
    return toToolResult({ ...savedDraft }, 1);
  },
});
