import { call, callByName } from '../../../../src/engine/verb/call.ts';
import { limits } from '../../../../src/limits.ts';
import { defineTool, READS, toolAnswer } from '../../tool.ts';
import { ACCOUNT, accountBy, answers, readAnswer, takes } from '../kit.ts';

interface Block {
  email: string;
  /** As records have it: UTC, with a space. */
  create_date: string;
}

export const mailBlockedListTool = defineTool<{ account_id: number }>({
  name: 'mail_blocked_list',
  title: 'List blocked senders',
  description: `Lists the blocked senders of a mailbox, at most ${limits.mail.blockedListed}.`,
  inputSchema: takes({ account_id: ACCOUNT }, ['account_id']),
  outputSchema: answers(),
  annotations: READS,
  scope: 'read',
  effects: ['reads'],
  group: 'mail',
  method: 'list_blocked',
  run: async ({ ctx, args: { account_id: accountId } }) => {
    const account = await accountBy(ctx, accountId);
    const features: Record<string, boolean> = await call(ctx, 'mailboxFeatures', { accountId });
    const most = limits.mail.blockedListed;
    const rows = await callByName(ctx, 'recordSearchRead', {
      model: 'svc.mail.block',
      domain: [['account_id', '=', accountId]],
      fields: ['email', 'create_date'],
      order: 'email',
      limit: most,
    });
    const blocked = readAnswer<Block[]>(rows).map(({ email, create_date: at }) => ({
      email,
      blocked_at: `${at.replace(' ', 'T')}Z`,
    }));
    const members = {
      account,
      blocking_enabled: features['mail.blocklist'] === true,
      blocked,
      total: blocked.length,
      ...(blocked.length === most && { total_is_at_least: true }),
    };
    return toolAnswer(members, blocked.length);
  },
});
