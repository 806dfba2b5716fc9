import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { describeExpectedVersion } from '../../../src/engine/write/versions.ts';
import { validateRule } from '../../../src/message/rules/check-rule.ts';
import type { MailRule } from '../../../src/message/rules/rule.ts';
import { MailError } from '../kit/operation.ts';
import { loadRuleTargets } from './rule-row.ts';

const ConditionInput = builder.inputType('MailRuleConditionInput', {
  description: 'A condition of a rule.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'One of from, to, subject, body and has_attachment.' }),
    operator: t.string({
      description: 'One of contains, equals and startswith. Required, except for has_attachment.',
    }),
    value: t.string({
      required: true,
      description: 'Text to compare the field with, ignoring case; `true` or `false` for has_attachment.',
    }),
  }),
});

const ActionInput = builder.inputType('MailRuleActionInput', {
  description: 'An action of a rule.',
  fields: (t) => ({
    action: t.string({
      required: true,
      description: 'One of move_to_folder, add_label, mark_read, star and mark_spam.',
    }),
    folderId: t.recordId({ description: 'Folder to move to, for move_to_folder.' }),
    labelId: t.recordId({ description: 'Label to add, for add_label.' }),
    to: t.string({ description: 'Not supported: rules cannot forward messages.' }),
  }),
});

export const RuleInput = builder.inputType('MailRuleInput', {
  description: 'A rule of a mailbox.',
  fields: (t) => ({
    id: t.recordId({ description: 'Rule to replace. By default, a new rule is created.' }),
    name: t.string({ description: 'Name shown in lists, up to 100 characters.' }),
    active: t.boolean({ description: 'True to enable the rule. Defaults to true.' }),
    matchType: t.string({
      description: 'Either `all` (the default) or `any` of the conditions must match.',
    }),
    conditions: t.field({ type: [ConditionInput], description: 'At least one condition.' }),
    actions: t.field({ type: [ActionInput], description: 'At least one action.' }),
    version: t.int({ description: describeExpectedVersion('rule') }),
    editable: t.boolean({ description: 'Has no effect. Accepted because lists return this field.' }),
  }),
});

export type RuleInputValues = typeof RuleInput.$inferInput;

/** @throws MailError if the rule is invalid */
export async function parseRuleInput(ctx: Ctx, accountId: number, input: RuleInputValues): Promise<MailRule> {
  const { folders, labels } = await loadRuleTargets(ctx, accountId);
  const ids = (list: { id: number }[]) => new Set(list.map(({ id }) => id));
  const { name, active, matchType, conditions, actions } = input;
  const rawRule = {
    name,
    active: active ?? true,
    match_type: matchType ?? 'all',
    conditions: conditions ?? [],
    actions: (actions ?? []).map(({ action, folderId, labelId, to }) => ({
      action: to == null ? action : 'forward',
      folder_id: folderId,
      label_id: labelId,
    })),
  };
  const validRule = validateRule(rawRule, { folders: ids(folders), labels: ids(labels) });
  if ('error' in validRule) throw new MailError(validRule.error);
  return validRule.rule;
}
