export interface MailRule {
  name: string;
  active: boolean;
  match_type: 'all' | 'any';
  conditions: RuleCondition[];
  actions: RuleAction[];
}

export const RULE_FIELDS = ['from', 'to', 'subject', 'body', 'has_attachment'] as const;
export const RULE_OPERATORS = ['contains', 'equals', 'startswith'] as const;
export const PLAIN_ACTIONS = ['mark_read', 'star', 'mark_spam'] as const;

export interface RuleCondition {
  field: (typeof RULE_FIELDS)[number];
  operator: (typeof RULE_OPERATORS)[number];
  /** `true` or `false` for `has_attachment`. */
  value: string;
}

export type RuleAction =
  | { action: 'move_to_folder'; folder_id: number }
  | { action: 'add_label'; label_id: number }
  | { action: (typeof PLAIN_ACTIONS)[number] };
