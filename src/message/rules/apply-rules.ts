import type { MailAddress } from '../parse/addresses.ts';
import type { MailRule, RuleCondition } from './rule.ts';

export interface RuleMail {
  from: MailAddress[];
  to: MailAddress[];
  cc: MailAddress[];
  subject: string;
  text: string;
  hasAttachment: boolean;
}

interface RuleOutcome {
  /** Folder of the last move. Null if no rule moves the message. */
  folderId: number | null;
  labels: number[];
  markRead: boolean;
  star: boolean;
  /** Moves the message to Spam, regardless of `folderId`. */
  spam: boolean;
  ruleIds: number[];
}

/**
 * Runs all active rules in the given order. Flags and labels accumulate, and the last move wins. `mark_spam` counts as
 * a move and stops processing.
 */
export function applyRules(rules: (MailRule & { id: number })[], mail: RuleMail): RuleOutcome {
  const outcome: RuleOutcome = {
    folderId: null,
    labels: [],
    markRead: false,
    star: false,
    spam: false,
    ruleIds: [],
  };
  const readField = createFieldReader(mail);
  for (const rule of rules) {
    if (!rule.active || !matchesRule(rule, readField)) continue;
    outcome.ruleIds.push(rule.id);
    applyActions(outcome, rule);
    if (outcome.spam) break;
  }
  return outcome;
}

function applyActions(outcome: RuleOutcome, { actions }: MailRule): void {
  for (const step of actions) {
    if (step.action === 'move_to_folder') outcome.folderId = step.folder_id;
    else if (step.action === 'add_label') {
      if (!outcome.labels.includes(step.label_id)) outcome.labels.push(step.label_id);
    } else if (step.action === 'mark_read') outcome.markRead = true;
    else if (step.action === 'star') outcome.star = true;
    else outcome.spam = true;
  }
  if (outcome.spam) outcome.folderId = null;
}

/** Returns a field's strings. A condition is met if it matches any of them. */
type FieldReader = (field: RuleCondition['field']) => string[];

function matchesRule({ match_type, conditions }: MailRule, readField: FieldReader): boolean {
  const isMet = (condition: RuleCondition): boolean => meetsCondition(condition, readField);
  return match_type === 'all' ? conditions.every(isMet) : conditions.some(isMet);
}

function meetsCondition({ field, operator, value }: RuleCondition, readField: FieldReader): boolean {
  const expected = normalizeForComparison(value);
  return readField(field).some((text) => {
    if (operator === 'equals') return text === expected;
    return operator === 'startswith' ? text.startsWith(expected) : text.includes(expected);
  });
}

const normalizeForComparison = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();

/** Normalizes each field once, when a condition first uses it. */
function createFieldReader(mail: RuleMail): FieldReader {
  const valuesByField = new Map<string, string[]>();
  return (field) => {
    const texts = valuesByField.get(field) ?? getFieldTexts(mail, field).map(normalizeForComparison);
    valuesByField.set(field, texts);
    return texts;
  };
}

function getFieldTexts(mail: RuleMail, field: RuleCondition['field']): string[] {
  if (field === 'from') return mail.from.flatMap(getAddressTexts);
  if (field === 'to') return [...mail.to, ...mail.cc].flatMap(getAddressTexts);
  if (field === 'subject') return [mail.subject];
  return field === 'body' ? [mail.text] : [String(mail.hasAttachment)];
}

const getAddressTexts = ({ name, address }: MailAddress): string[] =>
  name === '' ? [address] : [address, name, `${name} <${address}>`];
