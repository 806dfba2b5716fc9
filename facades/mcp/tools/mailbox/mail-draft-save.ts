import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool } from '../../tool.ts';
import {
  ACCOUNT_SCHEMA,
  buildIdSchema,
  buildTextSchema,
  buildWriteAnnotations,
  toSavedResult,
  WRITING_TOOL,
} from '../kit.ts';

export const mailDraftSaveTool = defineTool({
  name: 'mail_draft_save',
  title: 'Save a draft',
  description:
    'Saves a draft that only the user can see. Nothing is sent. With draft_id, omitted fields keep their ' +
    'values and empty strings clear fields.',
  inputSchema: inputSchema(
    {
      account_id: ACCOUNT_SCHEMA,
      to: buildTextSchema(),
      cc: buildTextSchema(),
      bcc: buildTextSchema(),
      subject: buildTextSchema(),
      body: buildTextSchema('Plain text.'),
      in_reply_to: buildIdSchema('entry_id to reply to.'),
      draft_id: buildIdSchema('Draft to change.'),
    },
    ['account_id'],
  ),
  ...WRITING_TOOL,
  annotations: buildWriteAnnotations({ destructiveHint: false, idempotentHint: false }),
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
    return toSavedResult(await call(ctx, 'mailDraftSave', { accountId, vals, ...(draftId && { draftId }) }));
  },
});
