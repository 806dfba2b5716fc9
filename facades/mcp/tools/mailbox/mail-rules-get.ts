import { call } from '../../../../src/engine/operation/call.ts';
import { inputSchema } from '../../input-schema.ts';
import { defineTool, toToolResult } from '../../tool.ts';
import { ACCOUNT_SCHEMA, getMailAccount, READING_TOOL } from '../kit.ts';

export const mailRulesGetTool = defineTool({
  name: 'mail_rules_get',
  title: 'Read mail rules',
  description:
    "Lists a mailbox's rules in the order they run, the folders and labels they can use, and the auto-reply.",
  inputSchema: inputSchema({ account_id: ACCOUNT_SCHEMA }, ['account_id']),
  ...READING_TOOL,
  group: 'mail',
  feature: 'mail.rules',
  method: 'rules_list',
  run: async ({ ctx, args: { account_id: accountId } }) => {
    const account = await getMailAccount(ctx, accountId);
    const { max_rules, rules, folders, labels } = await call(ctx, 'mailRuleList', { accountId });
    const autoreply = await call(ctx, 'mailAutoReply', { accountId });
    const rule_count = rules.length;
    return toToolResult(
      { account, max_rules, rule_count, rules, folders, labels, autoreply, note: NOTE },
      rule_count,
    );
  },
});

const NOTE =
  'Rules run in this order on incoming mail. Flags and labels accumulate, the last move wins, and ' +
  'mark_spam stops processing. Rules that are not editable were set up by an administrator.';
