import { call } from '../../../../src/engine/operation/call.ts';
import { errors } from '../../../../src/errors.ts';
import { inputSchema } from '../../input-schema.ts';
import { buildConfirmationRequest, defineTool } from '../../tool.ts';
import { ACCOUNT_SCHEMA, buildTextSchema, CONFIRM_ARGUMENT, toSavedResult, WRITING_TOOL } from '../kit.ts';

export const mailSenderBlockTool = defineTool({
  name: 'mail_sender_block',
  title: 'Block a sender',
  description:
    'Blocks or unblocks the address of a sender. Later mail from a blocked sender goes to Spam. Wildcards ' +
    'are not supported. Blocking requires confirm.',
  inputSchema: inputSchema(
    {
      account_id: ACCOUNT_SCHEMA,
      email: buildTextSchema(),
      action: { type: 'string', enum: ['block', 'unblock'] },
      confirm: CONFIRM_ARGUMENT,
    },
    ['account_id', 'email', 'action'],
  ),
  ...WRITING_TOOL,
  group: 'mail',
  feature: 'mail.blocklist',
  method: ({ action }) => (action === 'unblock' ? 'unblock_sender' : 'block_sender'),
  run: async ({ ctx, args: { account_id: accountId, email, action }, confirmed }) => {
    if (action === 'unblock')
      return toSavedResult(await call(ctx, 'mailSenderUnblock', { accountId, email }));
    if (confirmed) return toSavedResult(await call(ctx, 'mailSenderBlock', { accountId, email }));
    const sender = await call(ctx, 'mailSender', { accountId, email });
    if (!sender.can_block && !sender.is_blocked)
      throw errors.user(
        'This sender cannot be blocked. Pass a single address that has no wildcards and does not ' +
          'belong to the mailbox. The feature mail.blocklist must be enabled.',
      );
    const message = sender.is_blocked
      ? `${sender.email} is already blocked.`
      : `Later mail from ${sender.email} would go to Spam. Existing messages would not be moved.`;
    return buildConfirmationRequest({ message, email: sender.email, is_contact: sender.is_contact });
  },
});
