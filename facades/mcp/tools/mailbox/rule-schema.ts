import { buildIdSchema } from '../kit.ts';

/** A rule as agents write it. The operations validate it. */
export interface McpRuleInput {
  id?: number;
  name?: string;
  active?: boolean;
  match_type?: string;
  conditions?: { field: string; operator?: string; value?: string }[];
  actions?: RuleActionInput[];
}

interface RuleActionInput {
  action: string;
  folder_id?: number | null;
  label_id?: number | null;
}

export interface StoredRule {
  id: number;
  name: string;
  actions: RuleActionInput[];
}

export const RULE_SCHEMA = {
  type: 'object',
  description:
    'Required for preview and save. With id, replaces that rule. field: from, to, subject, body, ' +
    'has_attachment. operator: contains, equals, startswith. action: move_to_folder, add_label, mark_read, ' +
    'star, mark_spam.',
  properties: {
    id: buildIdSchema(),
    name: { type: 'string' },
    active: { type: 'boolean' },
    match_type: { type: 'string', enum: ['all', 'any'] },
    conditions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          field: { type: 'string' },
          operator: { type: 'string' },
          value: { type: 'string' },
        },
      },
    },
    actions: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          action: { type: 'string' },
          folder_id: { type: 'integer' },
          label_id: { type: 'integer' },
        },
      },
    },
  },
};

export const toRuleVariables = ({ match_type: matchType, conditions, actions, ...rule }: McpRuleInput) => ({
  ...rule,
  ...(matchType && { matchType }),
  conditions: (conditions ?? []).map(({ value = 'true', ...condition }) => ({ ...condition, value })),
  actions: (actions ?? []).map(({ action, folder_id: folderId, label_id: labelId }) => ({
    action,
    ...(folderId && { folderId }),
    ...(labelId && { labelId }),
  })),
});

const MOVES = new Set(['move_to_folder', 'mark_spam']);

/** True if the rule changes where mail is delivered. */
export const isMoving = ({ actions = [] }: { actions?: RuleActionInput[] }): boolean =>
  actions.some(({ action }) => MOVES.has(action));

const WARNINGS: Record<string, string> = {
  move_to_folder: 'It moves mail out of the Inbox.',
  mark_spam: 'It sends mail to Spam.',
  mark_read: 'It marks mail as read before anybody has seen it.',
};

/** Warnings to show to a person before the rule runs. */
export const getRuleWarnings = ({ actions = [] }: { actions?: RuleActionInput[] }): string[] => [
  ...new Set(actions.flatMap(({ action }) => WARNINGS[action] ?? [])),
];
