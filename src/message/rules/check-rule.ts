import {
  type MailRule,
  PLAIN_ACTIONS,
  RULE_FIELDS,
  RULE_OPERATORS,
  type RuleAction,
  type RuleCondition,
} from './rule.ts';

interface RuleTargets {
  folders: ReadonlySet<number>;
  labels: ReadonlySet<number>;
}

/** Maximum characters per name and per value, and maximum conditions and actions per rule. */
const MAX_RULE_SIZES = { name: 100, value: 500, conditions: 20, actions: 10 };

/** Validates a rule. Returns it in its stored form, or an error message for the caller. */
export function validateRule(input: unknown, targets: RuleTargets): { rule: MailRule } | { error: string } {
  try {
    return { rule: parseRule(input, targets) };
  } catch (error) {
    if (error instanceof InvalidRuleError) return { error: error.message };
    throw error;
  }
}

class InvalidRuleError extends Error {}

function parseRule(input: unknown, targets: RuleTargets): MailRule {
  const rule = parseObject(input, 'A rule');
  for (const key of Object.keys(rule))
    if (FORWARDING_KEY.test(key)) throw new InvalidRuleError(NO_FORWARDING);
  const name = typeof rule.name === 'string' ? rule.name.trim() : '';
  if (name === '') throw new InvalidRuleError('A rule must have a name.');
  if (name.length > MAX_RULE_SIZES.name)
    throw new InvalidRuleError(`The name of a rule may have at most ${MAX_RULE_SIZES.name} characters.`);
  if (!isStorableText(name)) throw new InvalidRuleError('The name of a rule contains a control character.');
  const match = rule.match_type ?? 'all';
  if (match !== 'all' && match !== 'any') throw new InvalidRuleError('match_type must be all or any.');
  if (typeof (rule.active ?? true) !== 'boolean') throw new InvalidRuleError('active must be true or false.');
  return {
    name,
    active: rule.active !== false,
    match_type: match,
    conditions: parseList(rule.conditions, 'condition').map(parseCondition),
    actions: parseList(rule.actions, 'action').map((action) => parseAction(action, targets)),
  };
}

function parseObject(input: unknown, label: string): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new InvalidRuleError(`${label} must be an object.`);
  return input as Record<string, unknown>;
}

function parseList(input: unknown, resource: 'condition' | 'action'): unknown[] {
  const maxItems = resource === 'condition' ? MAX_RULE_SIZES.conditions : MAX_RULE_SIZES.actions;
  if (!Array.isArray(input) || input.length === 0)
    throw new InvalidRuleError(`A rule must have at least one ${resource}.`);
  if (input.length > maxItems)
    throw new InvalidRuleError(`A rule may have at most ${maxItems} ${resource}s.`);
  return input;
}

const NO_FORWARDING = 'Rules cannot forward, redirect or send messages.';
const NO_REGEX = 'Regular expressions are not supported in rules. Use contains, equals or startswith.';

const FORWARDING_KEY = /^(?:auto_?)?(?:forward|redirect|resend|send|reply|bounce)(?:$|_)/i;
const REGEX_OPERATOR = /^(?:i|not_)?(?:regexp?|re|match(?:es)?(?:_regexp?)?|rlike|~\*?|=~)$/i;

const isOneOf = <T extends string>(list: readonly T[], value: unknown): value is T =>
  list.includes(value as T);

const quoteValue = (value: unknown): string => JSON.stringify(String(value).slice(0, 60));

/** NUL and lone surrogates cannot be stored, and parsed messages contain no other control characters. */
const isStorableText = (text: string): boolean =>
  text.isWellFormed() && !/[\x00-\x08\x0a-\x1f\x7f]/.test(text);

function parseCondition(input: unknown): RuleCondition {
  const { field, operator, value } = parseObject(input, 'A condition');
  if (isOneOf(['regex', 'regexp'], field) || (typeof operator === 'string' && REGEX_OPERATOR.test(operator)))
    throw new InvalidRuleError(NO_REGEX);
  if (!isOneOf(RULE_FIELDS, field))
    throw new InvalidRuleError(
      `${quoteValue(field)} is not a condition field. Use one of ${RULE_FIELDS.join(', ')}.`,
    );
  if (field === 'has_attachment') return { field, operator: 'equals', value: parseFlag(value) };
  if (!isOneOf(RULE_OPERATORS, operator))
    throw new InvalidRuleError(
      operator == null
        ? `The condition on ${field} requires an operator. Use one of ${RULE_OPERATORS.join(', ')}.`
        : `${quoteValue(operator)} is not a condition operator. Use one of ${RULE_OPERATORS.join(', ')}.`,
    );
  if (typeof value !== 'string' || value.trim() === '')
    throw new InvalidRuleError(`The condition on ${field} requires a value.`);
  if (value.length > MAX_RULE_SIZES.value)
    throw new InvalidRuleError(
      `The value of a condition may have at most ${MAX_RULE_SIZES.value} characters.`,
    );
  if (!isStorableText(value))
    throw new InvalidRuleError('The value of a condition contains a control character.');
  return { field, operator, value: value.trim() };
}

function parseFlag(value: unknown): 'true' | 'false' {
  const text = String(value ?? 'true')
    .trim()
    .toLowerCase();
  if (['true', '1', 'yes', ''].includes(text)) return 'true';
  if (['false', '0', 'no'].includes(text)) return 'false';
  throw new InvalidRuleError('The value of has_attachment must be true or false.');
}

function parseAction(input: unknown, targets: RuleTargets): RuleAction {
  const { action, folder_id, label_id } = parseObject(input, 'An action');
  if (typeof action === 'string' && FORWARDING_KEY.test(action)) throw new InvalidRuleError(NO_FORWARDING);
  if (action === 'move_to_folder') {
    if (!targets.folders.has(folder_id as number))
      throw new InvalidRuleError('move_to_folder requires the folder_id of a folder of this mailbox.');
    return { action, folder_id: folder_id as number };
  }
  if (action === 'add_label') {
    if (!targets.labels.has(label_id as number))
      throw new InvalidRuleError('add_label requires the label_id of a label of this mailbox.');
    return { action, label_id: label_id as number };
  }
  if (isOneOf(PLAIN_ACTIONS, action)) return { action };
  const actionNames = ['move_to_folder', 'add_label', ...PLAIN_ACTIONS].join(', ');
  throw new InvalidRuleError(`${quoteValue(action)} is not a rule action. Use one of ${actionNames}.`);
}
