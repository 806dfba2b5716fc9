import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { limits } from '../../../src/limits.ts';
import { getMemberMailbox } from '../accounts/member-access.ts';
import { MAIL_READ_POLICY, returnShape } from '../kit/operation.ts';
import { requireFeatureToRead } from '../settings/features.ts';
import { loadRules, loadRuleTargets, RuleRow } from './rule-row.ts';

const FolderShape = defineTypedShape('MailRuleFolder', 'A folder that rules may move messages to.', {
  id: { type: 'ID', description: 'Id of the folder.' },
  name: { type: 'String', description: 'Name.' },
  role: {
    type: 'String',
    nullable: true,
    description: 'One of inbox, archive, spam and trash; null for a custom folder.',
  },
});

const LabelShape = defineTypedShape('MailRuleLabel', 'A label that rules may add.', {
  id: { type: 'ID', description: 'Id of the label.' },
  name: { type: 'String', description: 'Name.' },
  color: { type: 'Int', description: 'From 0 to 11.' },
});

export const mailRuleList = defineOperation('mailRuleList', {
  kind: 'query',
  effects: ['reads'],
  tool: 'mail_rules_get',
  address: 'svc.mail.account/rules_list',
  policy: MAIL_READ_POLICY,
  description:
    'Lists the rules of a mailbox in the order they run, and the folders and labels that a rule may use.',
  args: (arg) => ({ accountId: arg.recordId({ required: true, description: 'Mailbox.' }) }),
  ...returnShape('MailRuleList', 'Rules of a mailbox.', {
    rules: { type: [RuleRow], description: 'The rules in the order they run.' },
    folders: { type: [FolderShape], description: 'Folders that a rule may move messages to.' },
    labels: { type: [LabelShape], description: 'Labels that a rule may add.' },
    maxRules: { type: 'Int', description: 'Maximum number of rules in a mailbox.' },
  }),
  run: async (ctx, { accountId }) => {
    const account = await getMemberMailbox(ctx, accountId);
    await requireFeatureToRead(ctx, account.company_id, 'mail.rules');
    const rules = await loadRules(ctx, accountId);
    return { rules, ...(await loadRuleTargets(ctx, accountId)), max_rules: limits.mail.rules };
  },
});
