import { call } from '../../../../src/engine/verb/call.ts';
import { errors } from '../../../../src/errors.ts';
import { defineTool, needsConfirm, toolAnswer } from '../../tool.ts';
import { ACCOUNT, answers, CONFIRM, done, TEXT, takes, writes } from '../kit.ts';

interface Args {
  account_id: number;
  email: string;
  action: 'block' | 'unblock';
}

export const mailSenderBlockTool = defineTool<Args>({
  name: 'mail_sender_block',
  title: 'Block a sender',
  description:
    'Blocks a sender, whose later mail then goes to Spam, or unblocks one. One address, no wildcard. block needs ' +
    'confirm.',
  inputSchema: takes(
    {
      account_id: ACCOUNT,
      email: TEXT(),
      action: { type: 'string', enum: ['block', 'unblock'] },
      confirm: CONFIRM,
    },
    ['account_id', 'email', 'action'],
  ),
  outputSchema: answers(),
  annotations: writes(),
  scope: 'write',
  effects: ['writes'],
  group: 'mail',
  feature: 'mail.blocklist',
  method: ({ action }) => (action === 'unblock' ? 'unblock_sender' : 'block_sender'),
  run: async ({ ctx, args: { account_id: accountId, email, action }, confirmed }) => {
    if (action === 'unblock')
      return toolAnswer({ ...done(await call(ctx, 'mailSenderUnblock', { accountId, email })) }, 1);
    if (confirmed)
      return toolAnswer({ ...done(await call(ctx, 'mailSenderBlock', { accountId, email })) }, 1);
    const sender = await call(ctx, 'mailSender', { accountId, email });
    if (!sender.can_block && !sender.is_blocked)
      throw errors.user(
        'It cannot be blocked: blocking takes one address without wildcards that is not one of the mailbox itself, ' +
          'while the feature mail.blocklist is enabled.',
      );
    const message = sender.is_blocked
      ? `${sender.email} is blocked already.`
      : `Later mail from ${sender.email} would go to Spam; mail already received stays.`;
    return needsConfirm({ message, email: sender.email, is_contact: sender.is_contact });
  },
});
