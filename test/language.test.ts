import { expect, test } from 'vitest';
import { formatRate, isExceeded, measureRates, type Rate } from '../scripts/language/check.ts';
import { findSubjectMistake, readSubjects } from '../scripts/language/commit-subjects.ts';
import { compareWords, normalizeWords } from '../scripts/language/dictionary.ts';
import { findMarkers, isParticiple, startsWithQuestionWord } from '../scripts/language/markers.ts';
import {
  type Excerpt,
  type Excerpts,
  extractFromPage,
  extractFromSource,
} from '../scripts/language/texts.ts';

const none: Excerpts = {
  comments: [],
  documentation: [],
  descriptions: [],
  errors: [],
  'UI strings': [],
  'test titles': [],
  functions: [],
  types: [],
};

test.each([
  ['Fields that the caller may read.', []],
  ['What is omitted keeps its value.', ['What is']],
  ['Jobs, of which none of mine is done by nobody', ['of which', 'none of', 'nobody']],
  ['The owner, who may share it', ['who may']],
  ['Users who may share it', []],
  ['The records beside those of others stay as they are.', ['those of', 'beside', 'as they are']],
  ['Somewhat isolated, in whichever order', []],
])('finds markers in "%s"', (text, markers) => {
  expect(findMarkers(text).sort()).toEqual(markers.sort());
});

test.each([
  ['Whether the key is active.', true],
  ['Of the tables, none is locked.', true],
  ['True if the key is active.', false],
  ['Asks whether to retry.', false],
  ['Offsets of the parts.', false],
])('detects a question word at the beginning of "%s": %s', (text, expected) => {
  expect(startsWithQuestionWord(text)).toBe(expected);
});

test.each([
  ['taken', true],
  ['Asked', true],
  ['waiting', true],
  ['takenNames', false],
  ['feed', false],
  ['ping', false],
  ['Setting', false],
  ['MAX_HELD', false],
  ['openPort', false],
])('decides whether %s is a participle: %s', (name, expected) => {
  expect(isParticiple(name)).toBe(expected);
});

test('reads the texts and names in a source file with their line numbers', () => {
  const source = `// The first line of a comment
// and the second one.
export interface Quota { used: number }

/**
 * Reads the quota
 * of a mailbox.
 */
export async function readQuota<T>(id: T) {
  if (!id) throw errors.invalid('The id of the mailbox is missing.');
}
const glob = 'src/**/*.ts';
const format = (quota: Quota): string => \`\${quota.used}\`;
arg.string({ description: "The mailbox's name." });
`;
  expect(extractFromSource(source, 'src/quota.ts')).toEqual({
    comments: [
      { text: 'Reads the quota of a mailbox.', place: 'src/quota.ts:5' },
      { text: 'The first line of a comment and the second one.', place: 'src/quota.ts:1' },
    ],
    descriptions: [{ text: "The mailbox's name.", place: 'src/quota.ts:14' }],
    errors: [{ text: 'The id of the mailbox is missing.', place: 'src/quota.ts:10' }],
    'UI strings': [],
    functions: [
      { text: 'readQuota', place: 'src/quota.ts:9' },
      { text: 'format', place: 'src/quota.ts:13' },
    ],
    types: [{ text: 'Quota', place: 'src/quota.ts:3' }],
  });
});

test('reads strings of the user interface in English', () => {
  const source = `export const quota = { full: 'The mailbox is full.' };`;
  const text = { text: 'The mailbox is full.', place: 'web/src/i18n/en/quota.ts:1' };
  expect(extractFromSource(source, 'web/src/i18n/en/quota.ts')['UI strings']).toEqual([text]);
  expect(extractFromSource(source, 'web/src/quota.ts')['UI strings']).toEqual([]);
});

test('reads pages without headings and code', () => {
  const page = '# Quotas\n\n- A quota bounds a mailbox.\n\n```\nnobody\n```\nIt has a default.\n';
  expect(extractFromPage(page, 'docs/quotas.md')).toEqual([
    { text: 'A quota bounds a mailbox.', place: 'docs/quotas.md:3' },
    { text: 'It has a default.', place: 'docs/quotas.md:8' },
  ]);
});

const repeat = (text: string, count: number): Excerpt[] =>
  Array.from({ length: count }, (_, index) => ({ text, place: `src/a.ts:${index + 1}` }));
const findExceeded = (excerpts: Partial<Excerpts>): Rate[] =>
  measureRates({ ...none, ...excerpts }).filter(isExceeded);

test('accepts rates up to the limit', () => {
  // 10,000 words with 8 markers, 2 % question words and 0.5 % participles.
  const comments = [...repeat('Reads one line of text.', 1_992), ...repeat('Reads it for nobody else.', 8)];
  expect(findExceeded({ comments })).toEqual([]);
  expect(findExceeded({ descriptions: [...repeat('Time of it.', 98), ...repeat('Who did it.', 2)] })).toEqual(
    [],
  );
  expect(findExceeded({ types: [...repeat('Quota', 199), ...repeat('Held', 1)] })).toEqual([]);
});

test('rejects rates above the limit, with the worst examples first', () => {
  const comments = [
    ...repeat('Reads one line of text.', 1_990),
    ...repeat('Reads it for nobody else.', 9),
    { text: 'None of it is for nobody.', place: 'src/worst.ts:7' },
  ];
  const [rate, ...otherRates] = findExceeded({ comments });
  expect(otherRates).toEqual([]);
  const lines = formatRate(rate!).split('\n');
  expect(lines[0]).toMatch(/^ +\d+\.\d\d markers per 10,000 words of comments \(at most 8\)$/);
  expect(lines[1]).toBe('  src/worst.ts:7: None of, nobody: None of it is for nobody.');
});

test('rejects question words and participles', () => {
  const descriptions = [...repeat('Time of it.', 97), ...repeat('Who did it.', 3)];
  const functions = [...repeat('readQuota', 99), ...repeat('held', 1)];
  expect(findExceeded({ descriptions, functions, types: repeat('Held', 1) }).map(({ name }) => name)).toEqual(
    [
      '% of descriptions that begin with a question word',
      '% of functions that are named by a participle',
      '% of types that are named by a participle',
    ],
  );
});

test.each([
  ['rest: answer a repeated idempotency key with the first result', null],
  ['schema/mailbox: pass the cursor on', null],
  ['web: feed the editor', null],
  ['mcp: ping idle sessions', null],
  ['Revert "rest: answer a repeated key"', null],
  [`docs: ${'explain '.repeat(8)}it`, null],
  [`docs: ${'explain '.repeat(8)}now`, 'has 73 characters, at most 72 are allowed'],
  ['Answer a repeated key', 'is not "area: summary", such as "rest: return a page cursor"'],
  ['rest:answer a repeated key', 'is not "area: summary", such as "rest: return a page cursor"'],
  ['fixup! rest: answer a repeated key', 'is not "area: summary", such as "rest: return a page cursor"'],
  ['rest: ', 'is not "area: summary", such as "rest: return a page cursor"'],
  ['rest: answer a repeated key.', 'ends with a period'],
  ['rest: Answer a repeated key', 'does not begin with a verb in lower case after the area'],
  ['rest: `key` is checked', 'does not begin with a verb in lower case after the area'],
  ['rest: answers a repeated key', 'begins with "answers", which is not in the imperative'],
  ['rest: answered a repeated key', 'begins with "answered", which is not in the imperative'],
  ['rest: answering a repeated key', 'begins with "answering", which is not in the imperative'],
  ['rest: the key is checked', 'begins with "the", which is not in the imperative'],
])('checks the commit subject "%s"', (subject, mistake) => {
  expect(findSubjectMistake(subject)).toBe(mistake);
});

test('explains what to do if the base of the commits is missing', () => {
  expect(() => readSubjects('origin/no-such-branch')).toThrow(
    'this clone does not contain origin/no-such-branch. Fetch it, or pass another commit with --base.',
  );
});

test('reports words missing from the dictionary and words that are no longer needed', () => {
  const needed = normalizeWords(['webmail', 'Citus', "Odoo's", 'CITUS', '']);
  expect(needed).toEqual(['citus', 'odoo', 'webmail']);
  expect(compareWords(['citus', 'greylisting', 'odoo'], needed)).toEqual(['+ webmail', '- greylisting']);
  expect(compareWords(needed, needed)).toEqual([]);
});
