import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldText } from '../../../src/message/search/fold.ts';
import {
  containsPhrase,
  extractMessageWords,
  extractQueryWords,
  type WordSources,
} from '../../../src/message/search/words.ts';
import { getCpuTime } from '../../harness/cpu.ts';

const empty: WordSources = { subject: '', from: '', to: [], attachments: [], text: '' };
const indexText = (text: string) => extractMessageWords({ ...empty, text });
const formatWords = (text: string, ...rest: [field?: 'from' | 'list', prefix?: boolean]) =>
  extractQueryWords(text, ...rest).map(({ word, prefix }) => (prefix ? `${word}*` : word));

test.each([
  ['runs of letters and digits', 'The  budget-2026, (v2)!', ['the', 'budget', '2026', 'v2']],
  ['each word once', 'a A a', ['a']],
  ['accents', 'Crème brûlée Ångström e\u0301', ['creme', 'brulee', 'angstrom', 'e', 'angstroem']],
  [
    'letters that do not decompose',
    'Straße Łódź Søren Œuvre ΣΊΣΥΦΟΣ',
    ['strasse', 'lodz', 'soren', 'oeuvre', 'σισυφοσ'],
  ],
  ['umlauts also as digraphs', 'Köln Gro\u0308ße', ['koln', 'grosse', 'koeln', 'groesse']],
  [
    'grouped digits also joined',
    '1,234 1.234.567 12345,678',
    ['1', '234', '567', '12345', '678', '1234', '1234567'],
  ],
  ['compatibility forms', 'ﬁle ２０２６ ＡＢＣ', ['file', '2026', 'abc']],
  ['Hebrew and Arabic vowel points', 'שָׁלוֹם كِتَابٌ', ['שלום', 'كتاب']],
  ['Hindi vowel signs', 'हिंदी', ['हिंदी']],
  ['soft hyphens and joiners', 'Ver\u00adtrag می\u200cخواهم', ['vertrag', 'میخواهم']],
  ['Chinese as pairs and the last character', '请求书', ['请求', '求书', '书']],
  ['a single letter', '京 x', ['京', 'x']],
  ['kana with its long vowel, wide or narrow', 'データ ﾃﾞｰﾀ', ['デー', 'ータ', 'タ']],
  ['Hangul as syllables', '한국어', ['한국', '국어', '어']],
  ['letters next to Chinese', '2026年度report', ['2026', '年度', '度', 'report']],
  [
    'an address as a whole and in parts',
    '<Ann.Berg+x@Example.com>.',
    ['ann', 'berg', 'x', 'example', 'com', 'ann.berg+x@example.com'],
  ],
  ['an @ that is not in an address', '@ann a@ @', ['ann', 'a']],
  ['words over 64 characters', `${'x'.repeat(65)} ${'y'.repeat(64)}`, ['y'.repeat(64)]],
  ['malformed Unicode', '\ud800a\u0000b', ['a', 'b']],
])('indexes %s', (_case, text, words) => {
  expect(indexText(text)).toEqual(words);
});

test('indexes the words of each field with and without its prefix', () => {
  const words = extractMessageWords({
    subject: 'Budget',
    from: 'Ann <ann@x.org>',
    to: ['bob@x.org'],
    cc: ['cid@y.org'],
    bcc: ['dora@z.org'],
    attachments: ['Plan.PDF'],
    listId: 'Dev <dev.lists.x.org>',
    text: 'hello',
  });
  expect(words).toEqual(
    expect.arrayContaining(['hello', 'budget', 's:budget', 'f:ann', 'f:ann@x.org', 'ann@x.org']),
  );
  expect(words).toEqual(
    expect.arrayContaining(['t:bob@x.org', 't:cid@y.org', 'c:cid@y.org', 'b:dora', 'dora@z.org']),
  );
  expect(words).toEqual(expect.arrayContaining(['n:plan', 'n:pdf', 'pdf', 'l:dev', 'l:lists', 'l:x']));
  expect(words).not.toContain('c:bob@x.org');
  expect(words).not.toContain('lists');
  expect(new Set(words).size).toBe(words.length);
});

test.each([
  ['a word', ['Büro'], ['buro']],
  ['characters that are not letters', ['-- !'], []],
  ['an address as a whole', ['ann.berg@x.org'], ['ann.berg@x.org']],
  ['a name with dots', ['ann.berg'], ['ann', 'berg']],
  ['one Chinese character as a prefix', ['京'], ['京*']],
  ['only pairs of Chinese characters', ['东京都'], ['东京', '京都']],
  ['a field', ['Ann', 'from'], ['f:ann']],
  ['a prefix of the last word', ['ann.ber', 'from', true], ['f:ann', 'f:ber*']],
  ['an address in a list', ['dev@lists.x.org', 'list'], ['l:dev', 'l:lists', 'l:x', 'l:org']],
] as [string, [string, ('from' | 'list')?, boolean?], string[]][])(
  'extracts the words of a query: %s',
  (_case, args, words) => {
    expect(formatWords(...args)).toEqual(words);
  },
);

const piece = fc.oneof(
  fc.fullUnicodeString({ maxLength: 8 }),
  fc.constantFrom(
    'ann@x.org',
    'a.b-c@d',
    '@',
    '.',
    '京都',
    '데이터',
    'ที่',
    'é',
    'e\u0301',
    'ß',
    'x'.repeat(64),
    '\ud83d',
    '-',
    '+',
    '%',
  ),
);
const anyText = fc.array(piece, { maxLength: 12 }).map((parts) => parts.join(''));

describe('properties of random text', () => {
  test('the words of a query are a subset of the words indexed for the same text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const words = indexText(text);
        for (const { word, prefix } of extractQueryWords(text))
          expect(prefix ? words.some((item) => item.startsWith(word)) : words.includes(word)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  test('a text contains itself, and the words of a contained phrase are indexed', () => {
    fc.assert(
      fc.property(anyText, anyText, (text, phrase) => {
        expect(containsPhrase(`x ${text} x`, text)).toBe(indexText(text).length > 0);
        if (!containsPhrase(text, phrase)) return;
        const words = indexText(text);
        for (const { word, prefix } of extractQueryWords(phrase))
          if (!word.includes('@'))
            expect(prefix ? words.some((item) => item.startsWith(word)) : words.includes(word)).toBe(true);
      }),
      { numRuns: 3_000 },
    );
  });

  test('folding text is idempotent', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(foldText(foldText(text))).toBe(foldText(text));
      }),
      { numRuns: 3_000 },
    );
  });

  test('words have 1 to 66 characters and no spaces', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const word of extractMessageWords({ ...empty, text, subject: text, to: [text] }))
          expect(word).toMatch(/^\S{1,66}$/);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['Please review the Budget, today', 'the budget', true],
  ['Please review the budgets', 'the budget', false],
  ['the old budget', 'the budget', false],
  ['東京都庁', '京都', true],
  ['東京都 tower', '東京 tower', false],
  ['東京都 tower', '京都 tower', true],
  ['東京', '京', true],
  ['anything', '!', false],
])('%j contains the phrase %j: %j', (text, phrase, expected) => {
  expect(containsPhrase(text, phrase)).toBe(expected);
});

test.each([
  ['a', 'a'.repeat(1e6)],
  ['addresses', 'a@'.repeat(5e5)],
  ['at signs', '@'.repeat(1e6)],
  ['a long local part', `${'a.'.repeat(5e5)}@`],
  ['dots in domains', `a@a${'.'.repeat(9e4)}a `.repeat(11)],
  ['ligatures that expand', 'ﷺ'.repeat(1e5)],
  ['marks', `a${'\u0301\u0302'.repeat(5e5)}`],
  ['vowel signs', 'ิ'.repeat(1e6)],
  ['Chinese', '漢字'.repeat(5e5)],
  ['unpaired surrogates', '\ud800'.repeat(1e6)],
])('indexes a million characters of %s in time', (_case, text) => {
  const startTime = getCpuTime();
  extractMessageWords({ ...empty, text, subject: text, to: [text, text], attachments: [text] });
  extractQueryWords(text);
  expect(getCpuTime() - startTime).toBeLessThan(10_000);
});

test('the words of a message of maximum size fit into a tsvector', () => {
  let letter = 0x4e00;
  const buildRichText = (length: number) => {
    let text = '';
    while (text.length < length)
      text += `${String.fromCodePoint((letter++ % 0x5000) + 0x4e00)}${String.fromCodePoint(0x20000 + ((letter * 7) % 0xa000))}`;
    return text;
  };
  const words = extractMessageWords({
    subject: buildRichText(1e5),
    from: buildRichText(1e5),
    to: [buildRichText(1e5)],
    cc: [buildRichText(1e5)],
    bcc: [buildRichText(1e5)],
    attachments: [buildRichText(1e5)],
    listId: buildRichText(1e5),
    text: buildRichText(2e5),
  });
  const bytes = words.reduce((sum, word) => sum + Buffer.byteLength(word) + 2, 0);
  expect(words.length).toBeGreaterThan(60_000);
  expect(bytes).toBeLessThan(1_048_575);
});
