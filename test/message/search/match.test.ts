import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseSearch } from '../../../src/message/search/grammar.ts';
import {
  matchesSearch,
  namesFolders,
  type SearchedMessage,
  subtractAge,
} from '../../../src/message/search/match.ts';

const message: SearchedMessage = {
  subject: 'Budget review: the third quarter',
  from: 'Ann Bérg <ann.berg@example.com>',
  to: ['Bob <bob@x.org>'],
  cc: ['Cid <cid@y.org>'],
  bcc: ['dora@z.org'],
  attachments: ['Plan 2026.pdf'],
  hasAttachments: true,
  listId: 'Developers <dev.lists.example.com>',
  text: 'Dear all,\nplease find the numbers.  Two words here; 請求書 is attached.',
  messageId: '<M1@example.com>',
  deliveredTo: ['Me+news@Example.com'],
  thread: '7',
  size: 10_240,
  date: new Date('2026-03-14T23:30:00Z'),
  isRead: false,
  isStarred: true,
  isAnswered: false,
  folderRole: 'inbox',
  folderName: 'Inbox',
  labels: ['Büro', 'Big deals'],
};

/** Berlin time: the message is filed after midnight on the 15th. */
const clock = {
  now: new Date('2026-03-20T12:00:00Z'),
  startOfDay: (day: string) => new Date(`${day}T00:00:00+01:00`),
};

const isMatch = (search: string, searchedMessage = message) =>
  matchesSearch(parseSearch(search).tree, searchedMessage, clock);

test.each([
  ...[
    '',
    'budget',
    'BUDGET numbers',
    'berg',
    'bérg ann',
    'ann.berg@example.com',
    'bob',
    'cid',
    'dora',
    'pdf',
    '2026',
  ],
  ...[
    '"two words"',
    '"words here"',
    '"the third"',
    '請求書',
    '求',
    '"請求書"',
    'num*',
    'absent OR budget',
    '-absent',
  ],
  ...[
    '-(budget absent)',
    '{absent budget}',
    'from:berg',
    'from:ann.berg@example.com',
    'from:example.com',
    'from:ber*',
  ],
  ...['from:"Ann Berg"', 'to:bob', 'to:cid', 'cc:cid', '-cc:bob', 'bcc:dora', '-to:dora', 'subject:budget'],
  ...['subject:(third quarter)', '-subject:numbers', '-from:budget', 'filename:pdf', 'filename:"plan 2026"'],
  ...[
    'list:dev@lists.example.com',
    'list:dev',
    'list:developers',
    '-developers',
    'label:buro',
    'label:"big deals"',
  ],
  ...[
    '-label:big',
    'in:inbox',
    'in:anywhere',
    '-in:spam',
    'is:unread',
    '-is:read',
    'is:starred',
    '-is:answered',
  ],
  ...['has:attachment', 'after:2026/03/15', '-after:2026/03/16', 'before:2026/03/16', '-before:2026/03/15'],
  ...['newer_than:6d', '-newer_than:5d', 'older_than:5d', 'newer_than:1m', 'newer_than:1y', '-older_than:1m'],
  ...['larger:9K', '-larger:10K', '-smaller:10K', 'smaller:11K', 'size:1', 'rfc822msgid:M1@example.com'],
  ...[
    'rfc822msgid:<M1@example.com>',
    '-rfc822msgid:m1@example.com',
    'deliveredto:me+NEWS@example.com',
    'thread:7',
  ],
  ...['-thread:8', '-budge', '-"third review"', '-"the third q"', '-from:erg', '-in:Projects'],
])('%j matches the message', (search) => {
  expect(isMatch(search)).toBe(true);
  expect(
    isMatch(search.startsWith('-') ? search.slice(1) : `-(${search || 'absent'} ${search || 'absent'})`),
  ).toBe(search === '');
});

test('matches a custom folder by its name', () => {
  const filed = { ...message, folderRole: null, folderName: 'Große Pläne' };
  expect(isMatch('in:"grosse plane"', filed)).toBe(true);
  expect(isMatch('in:inbox', filed)).toBe(false);
});

test.each([
  ['a', false],
  ['in:inbox', true],
  ['a -in:spam', true],
  ['a OR (b in:Projects)', true],
  ['', false],
])('detects folder operators in %j: %j', (search, expected) => {
  expect(namesFolders(parseSearch(search).tree)).toBe(expected);
});

test.each([
  ['2026-03-31T10:00:00Z', 1, 'month', '2026-02-28T10:00:00.000Z'],
  ['2026-01-31T10:00:00Z', 2, 'month', '2025-11-30T10:00:00.000Z'],
  ['2024-02-29T10:00:00Z', 1, 'year', '2023-02-28T10:00:00.000Z'],
  ['2026-03-01T10:00:00Z', 1, 'day', '2026-02-28T10:00:00.000Z'],
] as const)('%s minus %i %s is %s', (now, count, unit, moment) => {
  expect(subtractAge(new Date(now), count, unit).toISOString()).toBe(moment);
});

/** A search with its result, computed without the parser. */
type ExpectedMatch = { search: string; holds(words: ReadonlySet<string>): boolean };

const vocabulary = ['alpha', 'beta', 'gamma', 'delta', 'alphabet', 'betamax'];
const leaf = fc.oneof(
  fc
    .constantFrom(...vocabulary)
    .map((word): ExpectedMatch => ({ search: word, holds: (words) => words.has(word) })),
  fc.constantFrom('alp', 'beta', 'gam').map(
    (start): ExpectedMatch => ({
      search: `${start}*`,
      holds: (words) => [...words].some((word) => word.startsWith(start)),
    }),
  ),
);
const { search: anySearch } = fc.letrec<{ search: ExpectedMatch }>((tie) => ({
  search: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie('search'), { minLength: 1, maxLength: 3 }).map(
      (parts): ExpectedMatch => ({
        search: `(${parts.map(({ search }) => search).join(' ')})`,
        holds: (words) => parts.every((part) => part.holds(words)),
      }),
    ),
    fc.tuple(tie('search'), tie('search'), tie('search')).map(
      ([a, b, c]): ExpectedMatch => ({
        search: `(${a.search} OR ${b.search} ${c.search})`,
        holds: (words) => (a.holds(words) || b.holds(words)) && c.holds(words),
      }),
    ),
    fc.array(tie('search'), { minLength: 1, maxLength: 3 }).map(
      (parts): ExpectedMatch => ({
        search: `{${parts.map(({ search }) => search).join(' ')}}`,
        holds: (words) => parts.some((part) => part.holds(words)),
      }),
    ),
    tie('search').map(
      (part): ExpectedMatch => ({ search: `-${part.search}`, holds: (words) => !part.holds(words) }),
    ),
  ),
}));

test('matches random searches according to their terms and operators', () => {
  const bare = { ...message, subject: '', from: '', to: [], cc: [], bcc: [], attachments: [] };
  fc.assert(
    fc.property(anySearch, fc.subarray(vocabulary), ({ search, holds }, words) => {
      fc.pre(!search.includes('--') && search.length < 2_000);
      const { tree, notes } = parseSearch(search);
      expect(notes).toEqual([]);
      expect(matchesSearch(tree, { ...bare, text: words.join(' ') }, clock)).toBe(holds(new Set(words)));
    }),
    { numRuns: 3_000 },
  );
});
