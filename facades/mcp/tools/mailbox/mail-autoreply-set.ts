import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { buildConfirmationRequest, defineTool } from '../../tool.ts';
import {
  ACCOUNT_SCHEMA,
  buildTextSchema,
  buildWriteAnnotations,
  CONFIRM_ARGUMENT,
  toSavedResult,
  unwrapResult,
  WRITING_TOOL,
} from '../kit.ts';

export const mailAutoreplySetTool = defineTool({
  name: 'mail_autoreply_set',
  title: 'Set the auto-reply',
  description:
    "Turns a mailbox's auto-reply on or off and changes its text. Omitted fields keep their values. " +
    'Without confirm, only shows the reply that would be sent.',
  inputSchema: inputSchema(
    {
      account_id: ACCOUNT_SCHEMA,
      active: { type: 'boolean' },
      subject: buildTextSchema(),
      body: buildTextSchema(),
      from: buildTextSchema('First day, YYYY-MM-DD; empty clears.'),
      until: buildTextSchema('Last day; empty clears.'),
      confirm: CONFIRM_ARGUMENT,
    },
    ['account_id', 'active'],
  ),
  ...WRITING_TOOL,
  annotations: buildWriteAnnotations({ openWorldHint: true }),
  effects: ['writes', 'sends'],
  group: 'mail',
  feature: 'mail.rules',
  method: 'autoreply_save',
  isOurs: true,
  run: async ({ ctx, args: { account_id: accountId, confirm: _, ...data }, confirmed }) => {
    if (confirmed) return toSavedResult(await call(ctx, 'mailAutoReplySave', { accountId, data }));
    const { ok: __, ...preview } = unwrapResult(await call(ctx, 'mailAutoReplyPreview', { accountId, data }));
    const subject = preview.subject || 'Auto: <subject of the message that is answered>';
    return buildConfirmationRequest({ preview: { ...preview, subject } });
  },
});
