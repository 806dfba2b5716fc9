import { call } from '../../../../src/engine/verb/call.ts';
import { defineTool, needsConfirm, toolAnswer } from '../../tool.ts';
import { ACCOUNT, answers, CONFIRM, done, TEXT, takes, writes } from '../kit.ts';

interface Args {
  account_id: number;
  active: boolean;
  subject?: string;
  body?: string;
  from?: string;
  until?: string;
  confirm: boolean;
}

export const mailAutoreplySetTool = defineTool<Args>({
  name: 'mail_autoreply_set',
  title: 'Set the auto reply',
  description:
    'Switches the auto reply of a mailbox on or off and changes its text. What is omitted stays. Without confirm it ' +
    'shows exactly what would go out.',
  inputSchema: takes(
    {
      account_id: ACCOUNT,
      active: { type: 'boolean' },
      subject: TEXT(),
      body: TEXT(),
      from: TEXT('First day, YYYY-MM-DD; empty clears.'),
      until: TEXT('Last day; empty clears.'),
      confirm: CONFIRM,
    },
    ['account_id', 'active'],
  ),
  outputSchema: answers(),
  annotations: writes({ openWorldHint: true }),
  scope: 'write',
  effects: ['writes', 'sends'],
  group: 'mail',
  feature: 'mail.rules',
  method: 'autoreply_save',
  isOurs: true,
  run: async ({ ctx, args: { account_id: accountId, confirm: _, ...data }, confirmed }) => {
    if (confirmed)
      return toolAnswer({ ...done(await call(ctx, 'mailAutoReplySave', { accountId, data })) }, 1);
    const { ok: __, ...preview } = done(await call(ctx, 'mailAutoReplyPreview', { accountId, data }));
    const subject = preview.subject || 'Auto: <subject of the message that is answered>';
    return needsConfirm({ preview: { ...preview, subject } });
  },
});
