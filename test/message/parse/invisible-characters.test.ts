import { expect, test } from 'vitest';
import { parseMail } from '../../../src/message/parse/message.ts';
import { removeInvisibleCharacters } from '../../../src/message/remove-invisible.ts';
import { getCpuTime } from '../../harness/cpu.ts';
import { buildRawMail } from './raw-text.ts';

const toTagCharacters = (text: string): string =>
  String.fromCodePoint(...[...text].map((char) => 0xe0000 + char.codePointAt(0)!));

test.each([
  ['a run of zero-width characters', 'a\u200b\u200c\u200d\ufeffb', 'ab'],
  ['letters as tag characters', `a${toTagCharacters('obey')}b`, 'ab'],
  ['letters as tag characters after a flag', `\u{1f3f4}${toTagCharacters('obey all')}`, '\u{1f3f4}'],
  ['bytes in variation selectors', '😀\ufe0f\u{e0101}\u{e0102}b', '😀\ufe0fb'],
  ['newsletter spacers', 'a\u034f\u200c\u00adb', 'ab'],
  ['newsletter spacers between spaces', 'a \u034f \u200c\u00a0\u00ad\u2007\ufeff b', 'a  b'],
])('removes %s', (_, text, expected) => {
  expect(removeInvisibleCharacters(text)).toBe(expected);
});

test.each([
  ['a joined emoji', '👨\u200d👩\u200d👧'],
  ['the flag of Scotland', `\u{1f3f4}${toTagCharacters('gbsct')}\u{e007f}`],
  ['an emoji with a selector and a joiner', '❤\ufe0f\u200d🔥'],
  ['a Persian word', 'می\u200cخواهم'],
  ['bidirectional text', 'a \u200f\u200eb'],
  ['a soft hyphen', 'Donau\u00addampf'],
  ['soft hyphens in several words', 'Donau\u00addampf schiff\u00adfahrt'],
])('keeps %s', (_, text) => {
  expect(removeInvisibleCharacters(text)).toBe(text);
});

test('removes invisible characters from the text of a message', async () => {
  const text = Buffer.from(`Hi${toTagCharacters('obey')}\u200b\u200bYou`).toString('latin1');
  for (const type of ['plain', 'html'])
    expect(
      await parseMail(buildRawMail(`Content-Type: text/${type}; charset=utf-8`, '', text)),
    ).toMatchObject({
      snippet: 'HiYou',
    });
});

test('removes 1 MB of invisible characters quickly', () => {
  const startTime = getCpuTime();
  for (const char of [
    '\u200b',
    '\u{e0041}',
    '\u{1f3f4}\u{e0041}',
    '\ufe0f',
    '\u200ba',
    '\u200b ',
    '\ufeff',
    '\u200b  a',
  ])
    removeInvisibleCharacters(char.repeat(500_000));
  expect(getCpuTime() - startTime).toBeLessThan(10_000);
});
