import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { defineTypedShape } from '../../../src/engine/operation/shape.ts';
import { errors } from '../../../src/errors.ts';
import type { MailRule } from '../../../src/message/rules/rule.ts';
import {
  catchMailError,
  MAIL_ADMIN_READ_POLICY,
  MAIL_ADMIN_WRITE_POLICY,
  MailError,
  returnOutcome,
  returnShape,
} from '../kit/operation.ts';
import { requireFeature } from '../settings/features.ts';
import { deleteRule, saveRule, withLockedRules } from './rule-change.ts';
import { parseRuleInput, RuleInput, type RuleInputValues } from './rule-input.ts';
import { loadRules, loadRuleTargets, RuleRow } from './rule-row.ts';

// Rules that administrators create in other people's mailboxes. Administrators cannot see members' rules, folders or
// labels, or the messages that a rule would match.

const FolderShape = defineTypedShape(
  'MailAdminRuleFolder',
  "A folder to which an administrator's rule may move messages.",
  {
    id: { type: 'ID', description: 'Id of the folder.' },
    role: { type: 'String', description: 'One of inbox, archive, spam and trash.' },
  },
);

export const mailAdminRules = defineOperation('mailAdminRules', {
  kind: 'query',
  effects: ['reads'],
  policy: MAIL_ADMIN_READ_POLICY,
  description:
    'Lists the rules that administrators set up in a mailbox, and the folders that these rules can use.',
  args: (arg) => ({ accountId: arg.recordId({ required: true, description: 'Mailbox.' }) }),
  ...returnShape('MailAdminRuleList', "Administrators' rules in a mailbox.", {
    rules: { type: [RuleRow], description: 'The rules in the order they run.' },
    folders: { type: [FolderShape], description: 'Folders that a rule may move messages to.' },
  }),
  run: (ctx, { accountId }) => loadAdminRules(ctx, accountId),
});

export const mailAdminRuleSave = defineOperation('mailAdminRuleSave', {
  kind: 'mutation',
  effects: ['writes'],
  policy: { ...MAIL_ADMIN_WRITE_POLICY, audit: 'mail.rule' },
  description:
    'Creates a rule in a mailbox, or replaces one that an administrator created. Members of the mailbox ' +
    'can see the rule but not change it. The rule can move messages to Inbox, Archive, Spam and Trash, but ' +
    'cannot add labels.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    rule: arg({ type: RuleInput, required: true, description: 'The complete rule.' }),
  }),
  ...returnOutcome('MailAdminRuleSaved', 'Result of saving a rule as an administrator.', {
    ruleId: { type: 'ID', description: 'Id of the rule. Null if the call was rejected.' },
  }),
  run: (ctx, { accountId, rule }) => catchMailError(() => saveAdminRule(ctx, accountId, rule)),
});

export const mailAdminRuleDelete = defineOperation('mailAdminRuleDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  policy: { ...MAIL_ADMIN_WRITE_POLICY, audit: 'mail.rule' },
  description: 'Deletes a rule that an administrator created. Changes that it has already made are kept.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    ruleId: arg.recordId({ required: true, description: 'Rule to delete, in the same mailbox.' }),
  }),
  ...returnOutcome('MailAdminRuleDeleted', 'Result of deleting a rule as an administrator.'),
  run: (ctx, { accountId, ruleId }) => catchMailError(() => deleteAdminRule(ctx, accountId, ruleId)),
});

export async function loadAdminRules(ctx: Ctx, accountId: number) {
  await getCompanyId(ctx, accountId);
  const rules = (await loadRules(ctx, accountId)).filter(({ editable }) => !editable);
  const { folders } = await loadRuleTargets(ctx, accountId);
  return { rules, folders: folders.flatMap(({ id, role }) => (role ? [{ id, role }] : [])) };
}

/** @throws MailError if the rule is invalid; NOT_FOUND */
export async function saveAdminRule(ctx: Ctx, accountId: number, rule: RuleInputValues) {
  await requireFeature(ctx, await getCompanyId(ctx, accountId), 'mail.rules');
  const { folders } = await loadAdminRules(ctx, accountId);
  rejectPrivateTargets(rule, new Set(folders.map(({ id }) => id)));
  return withLockedRules(ctx, accountId, async (tx, rules) => {
    const checkedRule: MailRule = await parseRuleInput(tx, accountId, rule);
    return {
      rule_id: await saveRule(tx, accountId, { input: rule, checked: checkedRule, byAdmin: true }, rules),
    };
  });
}

/**
 * @throws MailError if a member created the rule
 * @throws NOT_FOUND if the mailbox does not exist, ACCESS_ERROR if it has no such rule
 */
export async function deleteAdminRule(ctx: Ctx, accountId: number, ruleId: number): Promise<object> {
  await getCompanyId(ctx, accountId);
  return withLockedRules(ctx, accountId, async (tx, rules) => {
    await deleteRule(tx, rules, ruleId, true);
    return {};
  });
}

/** Rejects labels and custom folders, which are private to the members. @throws MailError */
function rejectPrivateTargets({ actions }: RuleInputValues, folders: ReadonlySet<number>): void {
  for (const { action, folderId } of actions ?? []) {
    if (action === 'add_label') throw new MailError('Administrator rules cannot add labels.');
    if (action === 'move_to_folder' && !folders.has(folderId ?? 0))
      throw new MailError('Administrator rules can only move messages to Inbox, Archive, Spam or Trash.');
  }
}

async function getCompanyId(ctx: Ctx, accountId: number): Promise<number | null> {
  const [account] = await ctx.db.rows<{ company_id: number | null }>(
    sql`select company_id from svc_mail_account where workspace_id = ${ctx.workspace.id} and id = ${accountId}`,
  );
  if (!account) throw errors.notFound('Mailbox');
  return account.company_id;
}
