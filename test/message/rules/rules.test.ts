import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { applyRules, type RuleMail } from '../../../src/message/rules/apply-rules.ts';
import { validateRule } from '../../../src/message/rules/check-rule.ts';
import type { MailRule, RuleAction, RuleCondition } from '../../../src/message/rules/rule.ts';

const targets = { folders: new Set([7, 8]), labels: new Set([3, 4]) };
const check = (input: unknown) => validateRule(input, targets);
const getError = (input: unknown): string => {
  const result = check(input);
  return 'error' in result ? result.error : '';
};

const condition: RuleCondition = { field: 'subject', operator: 'contains', value: 'a' };
const ruleInput = {
  name: 'News',
  match_type: 'any',
  conditions: [condition],
  actions: [
    { action: 'move_to_folder', folder_id: 7 },
    { action: 'add_label', label_id: 3 },
    { action: 'star' },
  ],
};

describe('mail rule', () => {
  it('gets default values, and loses unknown properties', () => {
    const rule = { ...ruleInput, id: 5, editable: true, name: ' News ' };
    expect(check(rule)).toEqual({ rule: { ...ruleInput, name: 'News', active: true } });
    expect(check({ ...ruleInput, match_type: undefined, active: false })).toMatchObject({
      rule: { match_type: 'all', active: false },
    });
  });

  it('normalizes the value of has_attachment, and is rejected if the value is not a boolean', () => {
    const buildRule = (value: unknown) =>
      check({ ...ruleInput, conditions: [{ field: 'has_attachment', operator: 'contains', value }] });
    for (const value of ['true', true, 'YES', '1', undefined])
      expect(buildRule(value)).toMatchObject({
        rule: { conditions: [{ operator: 'equals', value: 'true' }] },
      });
    expect(buildRule('false')).toMatchObject({ rule: { conditions: [{ value: 'false' }] } });
    expect(buildRule('maybe')).toEqual({ error: 'The value of has_attachment must be true or false.' });
  });

  const with_ = (changes: object) => ({ ...ruleInput, ...changes });
  test.each<[string, unknown, RegExp]>([
    ['null', null, /must be an object/],
    ['a list', [], /must be an object/],
    ['a missing name', with_({ name: ' ' }), /must have a name/],
    ['a long name', with_({ name: 'x'.repeat(101) }), /at most 100/],
    ['a name with a line break', with_({ name: 'a\nb' }), /control character/],
    ['an unknown match_type', with_({ match_type: 'none' }), /all or any/],
    ['an invalid active', with_({ active: 'no' }), /true or false/],
    ['a rule without conditions', with_({ conditions: [] }), /at least one condition/],
    ['21 conditions', with_({ conditions: Array(21).fill(condition) }), /at most 20 conditions/],
    ['11 actions', with_({ actions: Array(11).fill({ action: 'star' }) }), /at most 10 actions/],
    ['a condition as a string', with_({ conditions: ['x'] }), /must be an object/],
    [
      'an unknown field',
      with_({ conditions: [{ ...condition, field: 'size' }] }),
      /"size" is not a condition field/,
    ],
    [
      'an unknown operator',
      with_({ conditions: [{ ...condition, operator: 'endswith' }] }),
      /"endswith" is not a condition operator/,
    ],
    ['a missing value', with_({ conditions: [{ ...condition, value: ' ' }] }), /requires a value/],
    ['a long value', with_({ conditions: [{ ...condition, value: 'x'.repeat(501) }] }), /at most 500/],
    ['NUL', with_({ conditions: [{ ...condition, value: 'a\0' }] }), /control character/],
    ['an unknown action', with_({ actions: [{ action: 'delete' }] }), /"delete" is not a rule action/],
    [
      "another user's folder",
      with_({ actions: [{ action: 'move_to_folder', folder_id: 9 }] }),
      /folder of this mailbox/,
    ],
    [
      'a folder as a string',
      with_({ actions: [{ action: 'move_to_folder', folder_id: '7' }] }),
      /folder of this/,
    ],
    [
      "another user's label",
      with_({ actions: [{ action: 'add_label', label_id: 9 }] }),
      /label of this mailbox/,
    ],
  ])('is rejected with an explanation: %s', (_, input, expected) => {
    expect(getError(input)).toMatch(expected);
  });

  it.each(['regex', 'regexp', 'matches', 'match', '=~', '~'])('must not use the operator %s', (operator) => {
    expect(getError(with_({ conditions: [{ ...condition, operator }] }))).toMatch(
      /Regular expressions are not/,
    );
  });

  it.each(['forward', 'forward_to', 'redirect', 'reply', 'send', 'bounce', 'auto_reply'])(
    'must not %s',
    (action) => {
      expect(getError(with_({ actions: [{ action, to: 'a@b.c' }] }))).toMatch(/cannot forward/);
      expect(getError(with_({ forward_to: 'a@b.c' }))).toMatch(/cannot forward/);
    },
  );

  it('of any random shape is accepted or rejected without an exception', () => {
    const key = fc.constantFrom(
      'name',
      'active',
      'match_type',
      'conditions',
      'actions',
      'field',
      'operator',
      'value',
      'action',
    );
    const value = fc.letrec((tie) => ({
      any: fc.oneof(
        fc.jsonValue(),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.dictionary(key, tie('any'), { maxKeys: 6 }),
      ),
    })).any;
    fc.assert(
      fc.property(value, (input) => {
        const result = check(input);
        expect('rule' in result || result.error.length > 0).toBe(true);
      }),
    );
  });
});

const mail: RuleMail = {
  from: [{ name: 'Ann Lee', address: 'Ann@x.y' }],
  to: [{ name: '', address: 'me@x.y' }],
  cc: [{ name: 'Team', address: 'team@x.y' }],
  subject: 'Invoice  2026 caf\u0065\u0301',
  text: 'Dear all,\nplease pay.',
  hasAttachment: true,
};

let nextId = 0;
const makeRule = (conditions: RuleCondition[], actions: RuleAction[], rest: Partial<MailRule> = {}) => {
  nextId += 1;
  return { id: nextId, name: 'r', active: true, match_type: 'all' as const, conditions, actions, ...rest };
};
const buildCondition = (
  field: RuleCondition['field'],
  operator: RuleCondition['operator'],
  value: string,
): RuleCondition => ({ field, operator, value });
const matches = (...conditions: RuleCondition[]): boolean =>
  applyRules([makeRule(conditions, [{ action: 'star' }])], mail).star;

describe('rule condition', () => {
  test.each<[RuleCondition, boolean]>([
    [buildCondition('from', 'contains', 'lee'), true],
    [buildCondition('from', 'equals', 'ann@x.y'), true],
    [buildCondition('from', 'equals', 'Ann Lee'), true],
    [buildCondition('from', 'equals', 'Ann'), false],
    [buildCondition('from', 'startswith', 'ann@'), true],
    [buildCondition('from', 'contains', 'lee <ann'), true],
    [buildCondition('to', 'equals', 'team@x.y'), true],
    [buildCondition('to', 'contains', 'ann'), false],
    [buildCondition('subject', 'startswith', 'invoice 2026'), true],
    [buildCondition('subject', 'contains', 'CAFÉ'), true],
    [buildCondition('subject', 'equals', 'invoice'), false],
    [buildCondition('subject', 'contains', 'inv.*'), false],
    [buildCondition('body', 'contains', 'all, please'), true],
    [buildCondition('has_attachment', 'equals', 'true'), true],
    [buildCondition('has_attachment', 'equals', 'false'), false],
  ])('evaluates %j to %j', (rule, expected) => {
    expect(matches(rule)).toBe(expected);
  });

  it('is combined with others by all or any', () => {
    const [yes, no] = [
      buildCondition('subject', 'contains', 'invoice'),
      buildCondition('subject', 'contains', 'other'),
    ];
    expect(matches(yes, no)).toBe(false);
    expect(applyRules([makeRule([no, yes], [{ action: 'star' }], { match_type: 'any' })], mail).star).toBe(
      true,
    );
  });
});

describe('rule execution', () => {
  const yes = [buildCondition('subject', 'contains', 'invoice')];
  const move = (folder_id: number): RuleAction => ({ action: 'move_to_folder', folder_id });
  const label = (label_id: number): RuleAction => ({ action: 'add_label', label_id });

  it('applies rules in order: flags and labels accumulate, and the last move wins', () => {
    const rules = [
      makeRule(yes, [move(7), label(3), { action: 'mark_read' }]),
      makeRule([buildCondition('subject', 'contains', 'other')], [move(9)]),
      makeRule(yes, [label(4), label(3), { action: 'star' }, move(8)]),
      makeRule(yes, [move(10)], { active: false }),
    ];
    expect(applyRules(rules, mail)).toEqual({
      folderId: 8,
      labels: [3, 4],
      markRead: true,
      star: true,
      spam: false,
      ruleIds: [rules[0]!.id, rules[2]!.id],
    });
  });

  it('treats mark_spam as the last move, and skips later rules', () => {
    const rules = [
      makeRule(yes, [move(7), label(3)]),
      makeRule(yes, [{ action: 'mark_spam' }, { action: 'mark_read' }, move(8)]),
      makeRule(yes, [move(8), { action: 'star' }]),
    ];
    expect(applyRules(rules, mail)).toEqual({
      folderId: null,
      labels: [3],
      markRead: true,
      star: false,
      spam: true,
      ruleIds: [rules[0]!.id, rules[1]!.id],
    });
  });

  it('returns no changes without rules', () => {
    expect(applyRules([], mail)).toMatchObject({ folderId: null, labels: [], spam: false, ruleIds: [] });
  });
});
