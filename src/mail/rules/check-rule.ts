import {
  type MailRule,
  PLAIN_ACTIONS,
  RULE_FIELDS,
  RULE_OPERATORS,
  type RuleAction,
  type RuleCondition,
} from './rule.ts';

/** What a rule of a mailbox may name. */
export interface RuleTargets {
  folders: ReadonlySet<number>;
  labels: ReadonlySet<number>;
}

/** Characters of a name and of a value; conditions and actions of one rule. */
const MOST = { name: 100, value: 500, conditions: 20, actions: 10 };

/** A rule as it may be stored, or why it may not: a sentence for the caller. */
export function checkRule(input: unknown, targets: RuleTargets): { rule: MailRule } | { error: string } {
  try {
    return { rule: ruleOf(input, targets) };
  } catch (error) {
    if (error instanceof RuleFault) return { error: error.message };
    throw error;
  }
}

class RuleFault extends Error {}

function ruleOf(input: unknown, targets: RuleTargets): MailRule {
  const given = objectOf(input, 'A rule');
  for (const key of Object.keys(given)) if (FORWARDS.test(key)) throw new RuleFault(NO_FORWARDING);
  const name = typeof given.name === 'string' ? given.name.trim() : '';
  if (name === '') throw new RuleFault('A rule needs a name.');
  if (name.length > MOST.name) throw new RuleFault(`The name of a rule has at most ${MOST.name} characters.`);
  if (!isText(name)) throw new RuleFault('The name of a rule holds a control character.');
  const match = given.match_type ?? 'all';
  if (match !== 'all' && match !== 'any') throw new RuleFault('match_type must be all or any.');
  if (typeof (given.active ?? true) !== 'boolean') throw new RuleFault('active must be true or false.');
  return {
    name,
    active: given.active !== false,
    match_type: match,
    conditions: listOf(given.conditions, 'condition').map(conditionOf),
    actions: listOf(given.actions, 'action').map((action) => actionOf(action, targets)),
  };
}

function objectOf(input: unknown, what: string): Record<string, unknown> {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    throw new RuleFault(`${what} must be an object.`);
  return input as Record<string, unknown>;
}

function listOf(input: unknown, noun: 'condition' | 'action'): unknown[] {
  const most = noun === 'condition' ? MOST.conditions : MOST.actions;
  if (!Array.isArray(input) || input.length === 0) throw new RuleFault(`A rule needs at least one ${noun}.`);
  if (input.length > most) throw new RuleFault(`A rule has at most ${most} ${noun}s.`);
  return input;
}

const NO_FORWARDING = 'Rules cannot forward, redirect or send messages.';
const NO_REGEX = 'Regular expressions are not supported in rules. Use contains, equals or startswith.';

const FORWARDS = /^(?:auto_?)?(?:forward|redirect|resend|send|reply|bounce)(?:$|_)/i;
const REGEX = /^(?:i|not_)?(?:regexp?|re|match(?:es)?(?:_regexp?)?|rlike|~\*?|=~)$/i;

const isOneOf = <T extends string>(list: readonly T[], value: unknown): value is T =>
  list.includes(value as T);

const quoted = (value: unknown): string => JSON.stringify(String(value).slice(0, 60));

/** NUL and halves of characters cannot be stored, and other control characters are in no message as it is read. */
const isText = (text: string): boolean => text.isWellFormed() && !/[\x00-\x08\x0a-\x1f\x7f]/.test(text);

function conditionOf(input: unknown): RuleCondition {
  const { field, operator, value } = objectOf(input, 'A condition');
  if (isOneOf(['regex', 'regexp'], field) || (typeof operator === 'string' && REGEX.test(operator)))
    throw new RuleFault(NO_REGEX);
  if (!isOneOf(RULE_FIELDS, field))
    throw new RuleFault(
      `${quoted(field)} is not a field of conditions. Use one of ${RULE_FIELDS.join(', ')}.`,
    );
  if (field === 'has_attachment') return { field, operator: 'equals', value: flagOf(value) };
  if (!isOneOf(RULE_OPERATORS, operator))
    throw new RuleFault(
      `${quoted(operator)} is not an operator of conditions. Use one of ${RULE_OPERATORS.join(', ')}.`,
    );
  if (typeof value !== 'string' || value.trim() === '')
    throw new RuleFault(`The condition on ${field} needs a value.`);
  if (value.length > MOST.value)
    throw new RuleFault(`The value of a condition has at most ${MOST.value} characters.`);
  if (!isText(value)) throw new RuleFault('The value of a condition holds a control character.');
  return { field, operator, value: value.trim() };
}

function flagOf(value: unknown): 'true' | 'false' {
  const text = String(value ?? 'true')
    .trim()
    .toLowerCase();
  if (['true', '1', 'yes', ''].includes(text)) return 'true';
  if (['false', '0', 'no'].includes(text)) return 'false';
  throw new RuleFault('The value of has_attachment must be true or false.');
}

function actionOf(input: unknown, targets: RuleTargets): RuleAction {
  const { action, folder_id, label_id } = objectOf(input, 'An action');
  if (typeof action === 'string' && FORWARDS.test(action)) throw new RuleFault(NO_FORWARDING);
  if (action === 'move_to_folder') {
    if (!targets.folders.has(folder_id as number))
      throw new RuleFault('move_to_folder needs the folder_id of a folder of this mailbox.');
    return { action, folder_id: folder_id as number };
  }
  if (action === 'add_label') {
    if (!targets.labels.has(label_id as number))
      throw new RuleFault('add_label needs the label_id of a label of this mailbox.');
    return { action, label_id: label_id as number };
  }
  if (isOneOf(PLAIN_ACTIONS, action)) return { action };
  const known = ['move_to_folder', 'add_label', ...PLAIN_ACTIONS].join(', ');
  throw new RuleFault(`${quoted(action)} is not an action of rules. Use one of ${known}.`);
}
