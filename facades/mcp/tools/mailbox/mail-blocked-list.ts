import { call, callByName } from '../../../../src/engine/operation/call.ts';
import { toIsoTime } from '../../../../src/engine/value/instant.ts';
import { limits } from '../../../../src/limits.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import { ACCOUNT_SCHEMA, getMailAccount, parseRows, READING_TOOL } from '../kit.ts';

interface BlockedSender {
  email: string;
  /** UTC, with a space between date and time, as in records. */
  create_date: string;
}

export const mailBlockedListTool = defineTool({
  name: 'mail_blocked_list',
  title: 'List blocked senders',
  description: `Lists up to ${limits.mail.listedBlocks} blocked senders of a mailbox.`,
  inputSchema: inputSchema({ account_id: ACCOUNT_SCHEMA }, ['account_id']),
  ...READING_TOOL,
  group: 'mail',
  method: 'list_blocked',
  run: async ({ ctx, args: { account_id: accountId } }) => {
    const account = await getMailAccount(ctx, accountId);
    const features: Record<string, boolean> = await call(ctx, 'mailboxFeatures', { accountId });
    const maxRows = limits.mail.listedBlocks;
    const rows = await callByName(ctx, 'recordSearchRead', {
      model: 'svc.mail.block',
      domain: [['account_id', '=', accountId]],
      fields: ['email', 'create_date'],
      order: 'email',
      limit: maxRows,
    });
    const blocked = parseRows<BlockedSender[]>(rows).map(({ email, create_date: at }) => ({
      email,
      blocked_at: toIsoTime(at),
    }));
    const members = {
      account,
      blocking_enabled: features['mail.blocklist'] === true,
      blocked,
      total: blocked.length,
      ...(blocked.length === maxRows && { total_is_at_least: true }),
    };
    return toToolResult(members, blocked.length);
  },
});
