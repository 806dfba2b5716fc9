import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseSearch } from '../../../src/message/search/grammar.ts';
import type { SearchNode } from '../../../src/message/search/tree.ts';
import { getCpuTime } from '../../harness/cpu.ts';

/** Formats a tree as a line, such as `and(a or(b c))`. */
function formatNode(node: SearchNode | null): string {
  if (node === null) return '';
  if (node.kind === 'and' || node.kind === 'or')
    return `${node.kind}(${node.nodes.map(formatNode).join(' ')})`;
  if (node.kind === 'not') return `not(${formatNode(node.node)})`;
  if (node.kind === 'words')
    return `${node.field ? `${node.field}=` : ''}${node.text}${node.prefix ? '*' : ''}`;
  if (node.kind === 'phrase') return `${node.field ? `${node.field}=` : ''}"${node.text}"`;
  const { kind, ...rest } = node;
  return [kind, ...Object.values(rest)].join(':');
}

const parse = (text: string) => {
  const { tree, notes } = parseSearch(text);
  return [formatNode(tree), ...notes];
};

test.each([
  ['', ''],
  ['  ', ''],
  ['a b', 'and(a b)'],
  ['a AND b', 'and(a b)'],
  ['a OR b', 'or(a b)'],
  ['a | b', 'or(a b)'],
  ['a b OR c d', 'and(a or(b c) d)'],
  ['a OR b OR c', 'or(a b c)'],
  ['a OR b c OR d', 'and(or(a b) or(c d))'],
  ['OR a', 'a'],
  ['a OR', 'a'],
  ['a OR OR b', 'or(a b)'],
  ['a or b', 'and(a or b)'],
  ['{a b c}', 'or(a b c)'],
  ['{a b OR c}', 'or(a b c)'],
  ['{a (b c)}', 'or(a and(b c))'],
  ['(a OR b) c', 'and(or(a b) c)'],
  ['(a b) OR c', 'or(and(a b) c)'],
  ['-a', 'not(a)'],
  ['-(a b)', 'not(and(a b))'],
  ['-{a b}', 'not(or(a b))'],
  ['-a OR b', 'or(not(a) b)'],
  ['-"a b"', 'not("a b")'],
  ['- a', 'a'],
  ['a - b & !', 'and(a b)'],
  ['e-mail', 'e-mail'],
  ['"a b" c', 'and("a b" c)'],
  ['“a b”', '"a b"'],
  ['""', ''],
  ['bud*', 'bud*'],
  ['京*', '京*'],
  ['from:ann', 'from=ann'],
  ['FROM:ann', 'from=ann'],
  ['-from:ann', 'not(from=ann)'],
  ['from:"Ann Berg"', 'from="Ann Berg"'],
  ['from:ann*', 'from=ann*'],
  ['from:(ann OR bob)', 'or(from=ann from=bob)'],
  ['from:{ann bob}', 'or(from=ann from=bob)'],
  ['from:(ann -bob "x y")', 'and(from=ann not(from=bob) from="x y")'],
  ['from:(ann (bob OR subject:x))', 'and(from=ann or(from=bob subject=x))'],
  ['-to:(a b)', 'not(and(to=a to=b))'],
  ['to:a cc:b bcc:c', 'and(to=a cc=b bcc=c)'],
  ['subject:x list:y filename:pdf', 'and(subject=x list=y attachment=pdf)'],
  ['label:Work label:"Big deals"', 'and(label:Work label:Big deals)'],
  ['is:read is:UNREAD is:starred is:answered', 'and(is:read is:unread is:starred is:answered)'],
  ['is:(unread OR starred)', 'or(is:unread is:starred)'],
  ['has:attachment', 'attachment'],
  ['in:inbox -in:Spam in:anywhere', 'and(in:inbox not(in:spam) in:anywhere)'],
  ['in:Projects in:"Old mail"', 'and(folder:Projects folder:Old mail)'],
  ['after:2026/1/2 before:2026-12-31', 'and(day:from:2026-01-02 day:until:2026-12-31)'],
  ['newer:2024/02/29 older:2026/01/01', 'and(day:from:2024-02-29 day:until:2026-01-01)'],
  ['newer_than:3d older_than:2M newer_than:1y', 'and(age:newer:3:day age:older:2:month age:newer:1:year)'],
  ['size:100 larger:10K smaller:5mb', 'and(size:larger:100 size:larger:10240 size:smaller:5242880)'],
  ['rfc822msgid:<A@x> thread:7', 'and(exact:messageId:A@x exact:thread:7)'],
  ['deliveredto:Ann@X.org', 'exact:deliveredTo:ann@x.org'],
  ['http://example.com/a?b=c', 'http://example.com/a?b=c'],
  ['c:\\windows', 'c:\\windows'],
  ['12:30', '12:30'],
  ['at:12:30', 'at:12:30'],
  ['Note: hello', 'and(Note: hello)'],
  ['ann@example.com', 'ann@example.com'],
  ['(((a)))', 'a'],
  ['()', ''],
  ['a () b', 'and(a b)'],
  ['a"b c"d', 'and(a "b c" d)'],
])('parses %j as %j', (text, tree) => {
  expect(parse(text)).toEqual([tree]);
});

const WORD = 'is not an operator; it was searched for as a word.';

test.each([
  ['foo:bar', 'foo:bar', `"foo:" ${WORD}`],
  ['-foo:bar', 'not(foo:bar)', `"foo:" ${WORD}`],
  ['foo:"a b"', 'and(foo "a b")', `"foo:" ${WORD}`],
  ['foo:(a b)', 'and(foo and(a b))', `"foo:" ${WORD}`],
  ['"a b', '"a b"', 'A quotation mark is not closed; the rest was read as one phrase.'],
  ['(a b', 'and(a b)', 'A bracket is not closed.'],
  ['a) b', 'and(a b)', 'A bracket was never opened.'],
  ['from:', '', '"from:" needs a value.'],
  ['from: ann', 'ann', '"from:" needs a value.'],
  ['from:""', '', '"from:" needs a value.'],
  ['from:()', '', '"from:" needs a value.'],
  ['subject:!', '', '"subject:" needs a value.'],
  ['after:tomorrow x', 'x', '"after:tomorrow" is not a date; use YYYY/MM/DD.'],
  ['before:2026/02/30', '', '"before:2026/02/30" is not a date; use YYYY/MM/DD.'],
  ['newer_than:3', '', '"newer_than:3" is not an age; use 3d, 2m or 1y.'],
  ['larger:big', '', '"larger:big" is not a size; use 10K or 5M.'],
  ['is:new', '', '"is:new" is not known; use is:read, is:unread, is:starred or is:answered.'],
  ['has:drive', '', '"has:drive" is not known; use has:attachment.'],
  ['ab*', 'ab', '"ab*" needs 3 letters before the asterisk; it was searched for as a word.'],
  ['x'.repeat(70), '', 'A word of more than 64 characters was left out.'],
])('parses %j as %j and returns a note', (text, tree, note) => {
  expect(parse(text)).toEqual([tree, note]);
});

test('reports unknown folders and labels', () => {
  const mailboxNames = { folders: ['Projects'], labels: ['Work'] };
  expect(parseSearch('in:projects label:WORK', mailboxNames).notes).toEqual([]);
  const { tree, notes } = parseSearch('in:nowhere label:play', mailboxNames);
  expect(formatNode(tree)).toBe('label:play');
  expect(notes).toEqual([
    '"in:nowhere" is not known; use in:inbox, in:sent, in:drafts, in:spam, in:trash, in:archive or in:anywhere, or the name of a folder.',
    'There is no label "play".',
  ]);
});

test('treats operators as words if they are disabled', () => {
  const { tree, notes } = parseSearch('from:ann OR -"b c" (d) *', { operators: false });
  expect(formatNode(tree)).toBe('and(from:ann OR -"b c" (d))');
  expect(notes).toEqual([]);
});

describe('search parser limits', () => {
  test('truncate the input to 2,000 characters', () => {
    const { tree, notes } = parseSearch(`${'a '.repeat(100)}${' '.repeat(1_798)}bc`);
    expect(notes).toEqual([]);
    expect(formatNode(tree)).toContain('bc');
    expect(parseSearch(`${' '.repeat(1_999)}bc`)).toEqual({
      tree: { kind: 'words', text: 'b', prefix: false },
      notes: ['Only the first 2,000 characters were read.'],
    });
  });

  test.each([undefined, false])('truncate the input to 200 terms (operators: %j)', (operators) => {
    const { tree, notes } = parseSearch('a '.repeat(201), { operators });
    expect((tree as { nodes: unknown[] }).nodes.length).toBe(200);
    expect(notes).toEqual(['Only the first 200 terms were read.']);
    expect(parseSearch('a '.repeat(200), { operators }).notes).toEqual([]);
  });

  test('ignore brackets nested more than 20 levels deep, but keep the terms in them', () => {
    const buildNested = (depth: number) => `${'-('.repeat(depth)}a${')'.repeat(depth)} b`;
    expect(parseSearch(buildNested(20)).notes).toEqual([]);
    expect(parseSearch(buildNested(21)).notes).toEqual(['Brackets nested more than 20 deep were left out.']);
    expect(parseSearch(buildNested(21)).tree).toEqual(parseSearch(buildNested(20)).tree);
  });
});

const garbage = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        ...'(){}"-:*|/ ',
        'OR',
        ' AND ',
        'from:',
        'is:',
        'in:',
        'after:',
        'size:',
        'foo:',
        'label:',
        'thread:',
      ),
      fc.constantFrom(
        'a',
        'bcd',
        '2026/01/02',
        '3d',
        '10K',
        'unread',
        '京',
        '“',
        '\ud800',
        '\u0000',
        '\u200b',
      ),
      fc.fullUnicodeString({ maxLength: 5 }),
    ),
    { maxLength: 60 },
  )
  .map((parts) => parts.join(''));

const computeDepth = (node: SearchNode): number => {
  if (node.kind === 'and' || node.kind === 'or') return 1 + Math.max(...node.nodes.map(computeDepth));
  return node.kind === 'not' ? 1 + computeDepth(node.node) : 1;
};

test('parses random text into a tree of limited depth, without lists of one node', () => {
  const check = (node: SearchNode): void => {
    if (node.kind === 'not') check(node.node);
    if (node.kind !== 'and' && node.kind !== 'or') return;
    expect(node.nodes.length).toBeGreaterThan(1);
    node.nodes.forEach(check);
  };
  fc.assert(
    fc.property(garbage, fc.boolean(), (text, operators) => {
      const { tree, notes } = parseSearch(text, { operators, folders: [], labels: [] });
      expect(notes.length).toBeLessThanOrEqual(20);
      if (tree) check(tree);
      if (tree) expect(computeDepth(tree)).toBeLessThanOrEqual(64);
    }),
    { numRuns: 20_000 },
  );
});

test.each([
  ['brackets', '('.repeat(2_000)],
  ['closing brackets', ')'.repeat(2_000)],
  ['operators', 'from:'.repeat(400)],
  ['a name without a colon', 'a'.repeat(2_000)],
  ['dashes', '-'.repeat(2_000)],
  ['quotation marks', '"'.repeat(2_000)],
  ['more text than is parsed', ' a:b (-"'.repeat(1e6)],
])('parses %s in time', (_case, text) => {
  const startTime = getCpuTime();
  for (let times = 0; times < 100; times += 1) parseSearch(text);
  expect(getCpuTime() - startTime).toBeLessThan(10_000);
});
