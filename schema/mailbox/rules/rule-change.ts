import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { defineOperation } from '../../../src/engine/operation/operation.ts';
import { assertVersion } from '../../../src/engine/write/versions.ts';
import { limits } from '../../../src/limits.ts';
import type { MailRule } from '../../../src/message/rules/rule.ts';
import { createMailAccessError, getMemberMailbox } from '../accounts/member-access.ts';
import { lockForChange } from '../accounts/modseq.ts';
import { catchMailError, MAIL_WRITE_POLICY, MailError, returnOutcome } from '../kit/operation.ts';
import { requireFeature } from '../settings/features.ts';
import { parseRuleInput, RuleInput, type RuleInputValues } from './rule-input.ts';
import { loadRules, type RuleRow } from './rule-row.ts';

const RULE_ID_SHAPE = {
  type: 'ID',
  description: 'Id of the rule. Null if the call was rejected.',
} as const;

export const mailRuleSave = defineOperation('mailRuleSave', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_rule',
  address: 'svc.mail.account/rule_save',
  policy: MAIL_WRITE_POLICY,
  description:
    'Creates a rule, which runs after the others, or replaces the given rule. A mailbox can have up to ' +
    `${limits.mail.rules} rules. Rules cannot forward or reply to mail, and do not support regular ` +
    'expressions.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    rule: arg({ type: RuleInput, required: true, description: 'The complete rule.' }),
  }),
  ...returnOutcome('MailRuleSaved', 'Result of saving a rule.', { ruleId: RULE_ID_SHAPE }),
  run: (ctx, { accountId, rule }) =>
    changeRules(ctx, accountId, async (tx, rules) => ({
      rule_id: await saveRule(
        tx,
        accountId,
        { input: rule, checked: await parseRuleInput(tx, accountId, rule) },
        rules,
      ),
    })),
});

export const mailRuleSetActive = defineOperation('mailRuleSetActive', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_rule',
  address: 'svc.mail.account/rule_set_active',
  policy: MAIL_WRITE_POLICY,
  description: 'Turns a rule on or off.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    ruleId: arg.recordId({ required: true, description: 'Rule to turn on or off, in the same mailbox.' }),
    active: arg.boolean({ required: true, description: 'True to turn the rule on.' }),
  }),
  ...returnOutcome('MailRuleSwitched', 'Result of turning a rule on or off.'),
  run: (ctx, { accountId, ruleId, active }) =>
    changeRules(ctx, accountId, async (tx, rules) => {
      getEditableRule(tx, rules, ruleId);
      await tx.db.rows(
        sql`update svc_mail_rule set is_active = ${active}, row_version = row_version + 1, write_date = now(),
           write_uid = ${tx.principal?.userId ?? null}
         where workspace_id = ${tx.workspace.id} and id = ${ruleId}`,
      );
      return {};
    }),
});

export const mailRuleDelete = defineOperation('mailRuleDelete', {
  kind: 'mutation',
  effects: ['writes', 'deletes'],
  tool: 'mail_rule',
  address: 'svc.mail.account/rule_delete',
  policy: MAIL_WRITE_POLICY,
  description: 'Deletes a rule. Changes that it has already made are kept.',
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    ruleId: arg.recordId({ required: true, description: 'Rule to delete, in the same mailbox.' }),
  }),
  ...returnOutcome('MailRuleDeleted', 'Result of deleting a rule.'),
  run: (ctx, { accountId, ruleId }) =>
    changeRules(ctx, accountId, async (tx, rules) => {
      await deleteRule(tx, rules, ruleId, false);
      return {};
    }),
});

export const mailRulesReorder = defineOperation('mailRulesReorder', {
  kind: 'mutation',
  effects: ['writes'],
  tool: 'mail_rule',
  address: 'svc.mail.account/rules_reorder',
  policy: MAIL_WRITE_POLICY,
  description: "Sets the order of a mailbox's rules.",
  args: (arg) => ({
    accountId: arg.recordId({ required: true, description: 'Mailbox.' }),
    ids: arg.recordIds({
      required: true,
      description: 'All rules of the mailbox, in the order they run.',
    }),
  }),
  ...returnOutcome('MailRulesReordered', 'Result of reordering rules.'),
  run: (ctx, { accountId, ids }) =>
    changeRules(ctx, accountId, async (tx, rules) => {
      await reorderRules(tx, ids, rules);
      return {};
    }),
});

/** Locks the mailbox, so that concurrent changes run one after another. */
async function changeRules<T extends object>(
  ctx: Ctx,
  accountId: number,
  change: (tx: Ctx, rules: RuleRow[]) => Promise<T>,
) {
  const account = await getMemberMailbox(ctx, accountId);
  return catchMailError(async () => {
    await requireFeature(ctx, account.company_id, 'mail.rules');
    return withLockedRules(ctx, accountId, change);
  });
}

export const withLockedRules = <T extends object>(
  ctx: Ctx,
  accountId: number,
  change: (tx: Ctx, rules: RuleRow[]) => Promise<T>,
): Promise<T> =>
  ctx.tx(async (tx) => {
    await lockForChange(tx, accountId, { kind: 'folders' });
    return change(tx, await loadRules(tx, accountId));
  });

/**
 * Returns a rule that the caller can change. Administrators can change only administrators' rules, and members only
 * members' rules.
 * @throws ACCESS_ERROR if the mailbox has no such rule
 * @throws MailError if the caller cannot change the rule
 */
function getEditableRule(ctx: Ctx, rules: RuleRow[], id: number, byAdmin = false): RuleRow {
  const rule = rules.find((rule) => rule.id === id);
  if (!rule) throw createMailAccessError(ctx, 'Mail rule', 'svc.mail.rule');
  if (rule.editable !== byAdmin) return rule;
  throw new MailError(
    byAdmin
      ? 'This rule was not set up by an administrator, so it cannot be changed here.'
      : 'An administrator set up this rule, so it cannot be changed here.',
  );
}

export async function deleteRule(ctx: Ctx, rules: RuleRow[], id: number, byAdmin: boolean): Promise<void> {
  getEditableRule(ctx, rules, id, byAdmin);
  await ctx.db.rows(sql`delete from svc_mail_rule where workspace_id = ${ctx.workspace.id} and id = ${id}`);
}

interface RuleToSave {
  input: RuleInputValues;
  checked: MailRule;
  byAdmin?: boolean;
}

export async function saveRule(
  ctx: Ctx,
  accountId: number,
  { input, checked, byAdmin = false }: RuleToSave,
  rules: RuleRow[],
): Promise<number> {
  const { name, active, match_type, conditions, actions } = checked;
  const values = { conditions: JSON.stringify(conditions), actions: JSON.stringify(actions) };
  const { id: workspace } = ctx.workspace;
  const author = ctx.principal?.userId ?? null;
  if (input.id != null) {
    const { version } = getEditableRule(ctx, rules, input.id, byAdmin);
    assertVersion('rule', version, input.version);
    await ctx.db.rows(
      sql`update svc_mail_rule set name = ${name}, is_active = ${active}, match_type = ${match_type},
         conditions = ${values.conditions}::jsonb, actions = ${values.actions}::jsonb,
         row_version = row_version + 1, write_date = now(), write_uid = ${author}
       where workspace_id = ${workspace} and id = ${input.id}`,
    );
    return input.id;
  }
  if (rules.length >= limits.mail.rules)
    throw new MailError(`A mailbox may have at most ${limits.mail.rules} rules.`);
  const id = await allocateId(ctx, 'svc_mail_rule');
  await ctx.db.rows(
    sql`insert into svc_mail_rule (workspace_id, id, account_id, sequence, name, is_active, match_type, conditions,
       actions, by_admin, create_uid, write_uid)
     select ${workspace}, ${id}, ${accountId}, coalesce(max(r.sequence), 0) + 1, ${name}, ${active}, ${match_type},
       ${values.conditions}::jsonb, ${values.actions}::jsonb, ${byAdmin}, ${author}::int, ${author}::int
     from svc_mail_rule r where r.workspace_id = ${workspace} and r.account_id = ${accountId}`,
  );
  return id;
}

async function reorderRules(ctx: Ctx, ids: number[], rules: RuleRow[]): Promise<void> {
  const uniqueIds = new Set(ids);
  const existingIds = new Set(rules.map(({ id }) => id));
  if (ids.some((id) => !existingIds.has(id))) throw createMailAccessError(ctx, 'Mail rule', 'svc.mail.rule');
  if (uniqueIds.size !== ids.length || uniqueIds.size !== existingIds.size)
    throw new MailError('ids: must contain each rule of the mailbox exactly once.');
  await ctx.db.rows(
    sql`update svc_mail_rule r set sequence = o.place
     from unnest(${ids}::int[]) with ordinality o(id, place)
     where r.workspace_id = ${ctx.workspace.id} and r.id = o.id`,
  );
}
