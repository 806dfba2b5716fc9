import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  evaluateRule,
  MAX_RULE_CHARS,
  parseRuleText,
  type RuleSubject,
} from '../../src/engine/domain/rule-text.ts';
import { AppError } from '../../src/errors.ts';
import { limits } from '../../src/limits.ts';
import { getCpuTime } from '../harness/cpu.ts';

const ANN: RuleSubject = {
  userId: 7,
  partnerId: 12,
  companyId: 2,
  companyIds: [2, 3],
  login: 'ann',
  name: 'Ann',
  lang: 'en_US',
  tz: 'UTC',
};
const NOW = Date.parse('2026-03-09T08:07:06Z');
const toDomain = (text: string, subject = ANN) => evaluateRule(parseRuleText(text), subject, NOW);

test.each<[string, unknown]>([
  ['', []],
  [' \n# nothing\n', []],
  ['[]', []],
  ['()', []],
  ["[(1, '=', 1)]", [[1, '=', 1]]],
  ["[('user_id', '=', user.id)]", [['user_id', '=', 7]]],
  [
    "['|', ('user_id','=',user.id), ('user_id','=',False)]",
    ['|', ['user_id', '=', 7], ['user_id', '=', false]],
  ],
  ["[('company_id', 'in', company_ids)]", [['company_id', 'in', [2, 3]]]],
  ["[('company_id', 'in', [False] + company_ids)]", [['company_id', 'in', [false, 2, 3]]]],
  ["[('company_id', 'in', company_ids + [False] + [9])]", [['company_id', 'in', [2, 3, false, 9]]]],
  ["[('company_id', 'in', user.company_ids.ids)]", [['company_id', 'in', [2, 3]]]],
  ["[('company_id', '=', company_id)]", [['company_id', '=', 2]]],
  ["[('id', '=', user.partner_id.id)]", [['id', '=', 12]]],
  ["[('id', 'in', user.partner_id.ids)]", [['id', 'in', [12]]]],
  ["[('c', 'child_of', [user.company_id.id])]", [['c', 'child_of', [2]]]],
  [
    "[('login', '=', user.login), ('lang', '!=', user.lang)]",
    [
      ['login', '=', 'ann'],
      ['lang', '!=', 'en_US'],
    ],
  ],
  [
    "[('a', '=', True), ('b', '=', None)]",
    [
      ['a', '=', true],
      ['b', '=', null],
    ],
  ],
  ["[('date', '<', time.strftime('%Y-%m-%d'))]", [['date', '<', '2026-03-09']]],
  ['[("date", "<", time.strftime("%d/%m/%Y %H:%M:%S 100%%"))]', [['date', '<', '09/03/2026 08:07:06 100%']]],
  [
    "[('x', '=', -1.5), ('y', '=', 1e3), ('z', '=', .5)]",
    [
      ['x', '=', -1.5],
      ['y', '=', 1000],
      ['z', '=', 0.5],
    ],
  ],
  [
    "[('x', '=', (1)), ('y', 'in', (1,)), ('z', 'in', (1, 2,),)]",
    [
      ['x', '=', 1],
      ['y', 'in', [1]],
      ['z', 'in', [1, 2]],
    ],
  ],
  ["[('n', '=', 'it\\'s \\\\ \\x41\\u00e9\\n')]", [['n', '=', "it's \\ Aé\n"]]],
  ["[ # mine\n ('a', '=', 1), # one\n]", [['a', '=', 1]]],
  ["[('a', '=', '# no comment')]", [['a', '=', '# no comment']]],
  ["[('a', '=', 'user.id')]", [['a', '=', 'user.id']]],
  ["[('a', 'any', [('b', '=', user.id)])]", [['a', 'any', [['b', '=', 7]]]]],
  [
    "[('a', '=', 1)] + [('b', '=', 2)]",
    [
      ['a', '=', 1],
      ['b', '=', 2],
    ],
  ],
  ['["|", ["a", "=", true], ["b", "=", null]]', ['|', ['a', '=', true], ['b', '=', null]]],
  ['["a\\/b", 1]', ['a/b', 1]],
])('%s', (text, domain) => {
  expect(toDomain(text)).toEqual(domain);
});

test('matches nothing if a rule refers to the user and there is no user', () => {
  const anonymous = { ...ANN, userId: null, partnerId: null, companyId: null, companyIds: [] };
  expect(toDomain("[('a', '=', user.id), ('b', 'in', user.ids), ('c', '=', company_id)]", anonymous)).toEqual(
    [
      ['a', '=', 0],
      ['b', 'in', []],
      ['c', '=', 0],
    ],
  );
});

test('evaluates one parsed rule separately for each principal', () => {
  const rule = parseRuleText("[('company_id', 'in', company_ids)]");
  const first = evaluateRule(rule, ANN);
  (first[0] as unknown[]).push('spoilt');
  expect(evaluateRule(rule, { ...ANN, companyIds: [9] })).toEqual([['company_id', 'in', [9]]]);
  expect(ANN.companyIds).toEqual([2, 3]);
});

test.each<[string, number]>([
  ['user.id', 1],
  ['1', 1],
  ["'x'", 1],
  ['True', 1],
  ['[', 2],
  ['[1', 3],
  ['[1 2]', 4],
  ['[,]', 2],
  ['[1,,2]', 4],
  ['(1]', 3],
  ['[1] [2]', 5],
  ['[1] + 2', 5],
  ["['a' + 'b']", 6],
  ['[1] - [2]', 5],
  ['[user]', 2],
  ['[user.password]', 2],
  ['[user.partner_id]', 2],
  ['[user.env.cr]', 2],
  ['[constructor]', 2],
  ['[__proto__]', 2],
  ['[__import__("os").system("x")]', 2],
  ['[user.id.__class__]', 2],
  ['[user.id()]', 9],
  ['[x for x in []]', 2],
  ['[lambda: 1]', 2],
  ['[1 if True else 2]', 4],
  ['[not True]', 2],
  ["{'a': 1}", 1],
  ["['a]", 2],
  ["['a\n']", 2],
  ["['\\u12']", 4],
  ['[1_000]', 2],
  ['[1.2.3]', 2],
  ['[0x10]', 2],
  ['[1e999]', 2],
  ['[time.time()]', 2],
  ['[time.strftime(1)]', 16],
  ["[time.strftime('%A')]", 16],
  ["[time.strftime('%Y', 1)]", 20],
  ['[time.strftime]', 15],
  [`${'['.repeat(limits.domain.depth + 2)}`, limits.domain.depth + 2],
])('rejects %s with the position %i', (text, index) => {
  expect(() => parseRuleText(text)).toThrow(
    expect.objectContaining({
      kind: 'BAD_VALUE',
      message: expect.stringContaining(`at character ${index} `),
    }),
  );
});

const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.constantFrom(true, false, null),
    fc.array(tie('value'), { maxLength: 4 }),
  ),
}));

test('parses any list serialized as JSON', () => {
  fc.assert(
    fc.property(fc.array(value.value, { maxLength: 5 }), (list) => {
      expect(JSON.stringify(toDomain(JSON.stringify(list)))).toBe(JSON.stringify(list));
    }),
  );
});

test('parses any text into a list or rejects it with an error', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...'[]()+,#\'"\\\n -.',
      '%',
      'user.id',
      'company_ids',
      'time.strftime',
      "'%Y'",
      'None',
      '\\u00',
      '1e5',
    ),
    fc.string({ maxLength: 5, unit: 'binary' }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), (parts) => {
      try {
        expect(Array.isArray(toDomain(parts.join('')))).toBe(true);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        expect(error.kind).toBe('BAD_VALUE');
      }
    }),
    { numRuns: 1_000 },
  );
});

test('parses long text in linear time', () => {
  // The longest input that fits the limit with its delimiters.
  const size = Math.floor((MAX_RULE_CHARS - 2) / 5);
  const long = [' ', '#', '#\n', '1', '.', '-', 'a', 'a.', "'", '\\', '[', '+', '[]+', '(),', 'user.'];
  const began = getCpuTime();
  for (const part of long)
    for (const text of [part.repeat(size), `[${part.repeat(size)}`, `['${part.repeat(size)}'`])
      expect(() => {
        const rule = parseRuleText(text);
        if (rule.kind === 'list') throw new AppError('BAD_VALUE', '');
      }).toThrow(AppError);
  expect(getCpuTime() - began).toBeLessThan(20_000);
});
