import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { builder } from '../../../src/engine/operation/builder.ts';
import { validateRule } from '../../../src/mail/rules/check-rule.ts';
import type { MailRule } from '../../../src/mail/rules/rule.ts';
import { MailError } from '../kit/mail-error.ts';
import { loadRuleTargets } from './rule-targets.ts';

const ConditionInput = builder.inputType('MailRuleConditionInput', {
  description: 'What a rule looks for in a message.',
  fields: (t) => ({
    field: t.string({ required: true, description: 'One of from, to, subject, body and has_attachment.' }),
    operator: t.string({
      description: 'One of contains, equals and startswith. `has_attachment` needs none.',
    }),
    value: t.string({
      required: true,
      description:
        'Text that the field is compared with, whatever its case; `true` or `false` for has_attachment.',
    }),
  }),
});

const ActionInput = builder.inputType('MailRuleActionInput', {
  description: 'What a rule does with a message.',
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
    id: t.recordId({ description: 'Rule to replace; without it a new rule is created.' }),
    name: t.string({ description: 'What lists show it as, up to 100 characters.' }),
    active: t.boolean({ description: 'Whether it runs; by default it does.' }),
    matchType: t.string({
      description: 'Whether `all` conditions have to be met, which is the default, or `any`.',
    }),
    conditions: t.field({ type: [ConditionInput], description: 'At least one.' }),
    actions: t.field({ type: [ActionInput], description: 'At least one.' }),
    editable: t.boolean({ description: 'As lists have it; it changes nothing.' }),
  }),
});

export type RuleInputValues = typeof RuleInput.$inferInput;

/** @throws MailRefusal if the rule is invalid */
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
  const checked = validateRule(rawRule, { folders: ids(folders), labels: ids(labels) });
  if ('error' in checked) throw new MailError(checked.error);
  return checked.rule;
}
