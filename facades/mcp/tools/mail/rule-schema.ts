import { ID } from '../kit.ts';

/** A rule as agents give it; what is wrong with it, the verbs say. */
export interface AskedRule {
  id?: number;
  name?: string;
  active?: boolean;
  match_type?: string;
  conditions?: { field: string; operator?: string; value?: string }[];
  actions?: AskedAction[];
}

export interface AskedAction {
  action: string;
  folder_id?: number | null;
  label_id?: number | null;
}

/** A rule of a mailbox. */
export interface KnownRule {
  id: number;
  name: string;
  actions: AskedAction[];
}

export const RULE_SCHEMA = {
  type: 'object',
  description:
    'With preview and save; with id it replaces that rule. field: from, to, subject, body, has_attachment. operator: ' +
    'contains, equals, startswith. action: move_to_folder, add_label, mark_read, star, mark_spam.',
  properties: {
    id: ID(),
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

/** The rule as the verbs take it. */
export const variablesOf = ({ match_type: matchType, conditions, actions, ...rule }: AskedRule) => ({
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

/** Whether it changes where mail goes. */
export const isMoving = ({ actions = [] }: { actions?: AskedAction[] }): boolean =>
  actions.some(({ action }) => MOVES.has(action));

const WARNINGS: Record<string, string> = {
  move_to_folder: 'It moves mail out of the Inbox.',
  mark_spam: 'It sends mail to Spam.',
  mark_read: 'It marks mail as read before anybody has seen it.',
};

/** What a person should know before such a rule runs. */
export const ruleWarnings = ({ actions = [] }: { actions?: AskedAction[] }): string[] => [
  ...new Set(actions.flatMap(({ action }) => WARNINGS[action] ?? [])),
];
