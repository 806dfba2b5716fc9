import { expect, test } from 'vitest';
import { joinFlowed } from '../../../src/message/flowed.ts';
import { parseMail } from '../../../src/message/parse/message.ts';
import { toRawMail } from '../../../src/message/parse/raw.ts';
import { getCpuTime } from '../../harness/cpu.ts';

test.each([
  ['a soft break', 'Hello this is \none line.', 'Hello this is one line.'],
  ['several soft breaks', 'a \nb \nc\nd', 'a b c\nd'],
  ['a fixed line', 'a\nb', 'a\nb'],
  ['an empty line after a soft break', 'a \n\nb', 'a\n\nb'],
  ['a stuffed space', ' From a\n  indented\n >no quote', 'From a\n indented\n>no quote'],
  ['a stuffed line that continues', ' a \n b', 'a b'],
  ['a line of one space, which is empty', 'a\n \nb', 'a\n\nb'],
  ['quotes', '> a \n> b\n>> c \n>> d', '> a b\n>> c d'],
  ['quotes without a stuffed space', '>a \n>b', '> a b'],
  ['separated quote marks, which belong to the text', '> > a', '> > a'],
  ['an empty quoted line', '> a\n>\n> b', '> a\n>\n> b'],
  ['a soft break before another quote depth', '> a \nb \n>> c', '> a\nb\n>> c'],
  ['a signature', 'a \n-- \nAnn \nLee', 'a\n-- \nAnn Lee'],
  ['a quoted signature', '> a \n> -- \n> Ann', '> a\n> -- \n> Ann'],
  ['a stuffed signature', 'a\n -- \nAnn', 'a\n-- \nAnn'],
  ['a soft break at the end', 'a ', 'a'],
  ['more than one space', 'a  \nb', 'a  b'],
  ['empty text', '', ''],
])('joins lines: %s', (_, text, joined) => {
  expect(joinFlowed(text, 'flowed')).toBe(joined);
});

test.each([
  ['a soft break', 'ab \ncd', 'abcd'],
  ['a preserved space', 'ab  \ncd', 'ab cd'],
  ['a quote', '> ab \n> cd', '> abcd'],
  ['a signature', 'ab \n-- \ncd', 'ab\n-- \ncd'],
  ['a soft break before another quote depth', '> ab \ncd', '> ab\ncd'],
])('joins lines with DelSp: %s', (_, text, joined) => {
  expect(joinFlowed(text, 'delsp')).toBe(joined);
});

test('decodes a message in Japanese correctly', async () => {
  // 日本 and 語 in ISO-2022-JP, split across two lines.
  const lines = ['\x1b$BF|K\\\x1b(B ', '\x1b$B8l\x1b(B'];
  const type = 'Content-Type: text/plain; charset=ISO-2022-JP; Format=Flowed; delsp=Yes';
  const mail = await parseMail(toRawMail(Buffer.from([type, '', ...lines, ''].join('\r\n'), 'latin1')));
  expect(mail).toMatchObject({ text: '日本語\n', snippet: '日本語' });
});

test.each(['html; format=flowed', 'plain; format=fixed', 'plain'])(
  'keeps the line breaks of text/%s',
  async (type) => {
    const mail = await parseMail(toRawMail(Buffer.from(`Content-Type: text/${type}\n\n<pre>a \nb</pre>`)));
    expect(mail.text).toMatch(/a ?\nb/);
  },
);

test.each([
  ['soft breaks', 'a \n'.repeat(350_000)],
  ['marks', '>'.repeat(1_000_000)],
  ['depths', `${'>'.repeat(1_000)} \n`.repeat(1_000)],
  ['spaces', ' '.repeat(1_000_000)],
])('joins 1 MB of %s quickly', (_, text) => {
  const startTime = getCpuTime();
  joinFlowed(text, 'flowed');
  joinFlowed(text, 'delsp');
  expect(getCpuTime() - startTime).toBeLessThan(5_000);
});
