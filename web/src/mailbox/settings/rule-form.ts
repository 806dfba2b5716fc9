import type { MailRuleListQuery, MailRuleSaveMutationVariables } from './generated.ts';

export type MailRule = MailRuleListQuery['mailRuleList']['rules'][number];

export interface RuleForm {
  name: string;
  matchType: string;
  conditions: { field: string; operator: string; value: string }[];
  actions: { action: string; target: string }[];
}

export const CONDITION_FIELDS = ['from', 'to', 'subject', 'body', 'has_attachment'] as const;
export const CONDITION_OPERATORS = ['contains', 'equals', 'startswith'] as const;
export const RULE_ACTIONS = ['move_to_folder', 'add_label', 'mark_read', 'star', 'mark_spam'] as const;

export const createRuleForm = (sender?: { name: string; email: string } | null): RuleForm => ({
  name: sender ? sender.name || sender.email : '',
  matchType: 'all',
  conditions: [
    sender
      ? { field: 'from', operator: 'equals', value: sender.email }
      : { field: 'from', operator: 'contains', value: '' },
  ],
  actions: [{ action: 'mark_read', target: '' }],
});

export const toRuleForm = ({ name, matchType, conditions, actions }: MailRule): RuleForm => ({
  name,
  matchType,
  conditions: conditions.map(({ field, operator, value }) => ({ field, operator, value })),
  actions: actions.map(({ action, folderId, labelId }) => ({ action, target: folderId ?? labelId ?? '' })),
});

export const toRuleInput = (
  { name, matchType, conditions, actions }: RuleForm,
  old?: Pick<MailRule, 'id' | 'active'>,
): MailRuleSaveMutationVariables['rule'] => ({
  id: old?.id,
  active: old?.active,
  name: name.trim(),
  matchType,
  conditions: conditions.map(({ field, operator, value }) =>
    field === 'has_attachment'
      ? { field, value: value === 'false' ? 'false' : 'true' }
      : { field, operator, value },
  ),
  actions: actions.map(({ action, target }) => ({
    action,
    folderId: action === 'move_to_folder' ? target : undefined,
    labelId: action === 'add_label' ? target : undefined,
  })),
});
