import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getBaseSubject } from '../../../src/message/thread/base-subject.ts';
import { computeThreadKeys, findMessageIds } from '../../../src/message/thread/refs.ts';
import { getCpuTime } from '../../harness/cpu.ts';

test.each([
  ['Hello World', 'hello world'],
  ['  Re:  Hello\r\n\tWorld ', 'hello world'],
  ['Fwd: Re: FW: Hello', 'hello'],
  ['[list] Re: Hello', 'hello'],
  ['[list] Hello', 'hello'],
  ['[a] [b] Hello', 'hello'],
  ['Re [3]: Hello', 'hello'],
  ['Re[2]: [tag] Hello (fwd) (FWD)', 'hello'],
  ['[fwd: Hello]', 'hello'],
  ['[Fwd: Re: [list] Hello (fwd)]', 'hello'],
  ['[list]', '[list]'],
  ['[a] [b]', '[b]'],
  ['Re: [list]', '[list]'],
  ['AW: WG: Angebot', 'angebot'],
  ['Antw: SV: RE: Tilbud', 'tilbud'],
  ['回复：你好', '你好'],
  ['Automatic reply: Hello', 'hello'],
  ['Undeliverable: Re: Hello', 'hello'],
  ['Tentatively Accepted: Lunch', 'lunch'],
  ['Zugesagt: AW: Mittagessen', 'mittagessen'],
  ['Re: New title (was: Old title)', 'old title'],
  ['New title (was: Re: Old title) (fwd)', 'old title'],
  ['A (was: )', 'a (was: )'],
  ['Reading: Hello', 'reading: hello'],
  ['Regarding: Hello', 'regarding: hello'],
  ['re Hello', 're hello'],
  ['Re:', ''],
  ['', ''],
  ['[[x]] Hello', '[[x]] hello'],
  ['[x Hello', '[x hello'],
  ['Re: Crème'.normalize('NFD'), 'crème'],
])('reduces %j to the base subject %j', (subject, base) => {
  expect(getBaseSubject(subject)).toBe(base);
});

test('ignores reply and forward prefixes in the base subject', () => {
  const mark = fc.constantFrom('Re: ', 'FWD: ', 'Aw:', 'Re[7]: ', '[list] Re: ', '  ');
  const subject = fc.oneof(
    fc.fullUnicodeString(),
    fc.constantFrom('[', ']', '[fwd: x]', 'a (fwd) b', '[x] y', 'a (was: b)', '(was: b)', 'read: (was: c)'),
  );
  fc.assert(
    fc.property(fc.array(mark), subject, (marks, text) => {
      const base = getBaseSubject(text);
      if (base === '') return;
      expect(getBaseSubject(`${marks.join('')}${text}`)).toBe(base);
      expect(getBaseSubject(base)).toBe(base);
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  ['<a@x>', ['a@x']],
  [' <a@x>\r\n <B@x>,<c@y> ', ['a@x', 'B@x', 'c@y']],
  ['<a@\r\n x>', ['a@x']],
  ['Message of Monday <a@x> (was <b@x>)', ['a@x', 'b@x']],
  ['a@x b@x', ['a@x', 'b@x']],
  ['<<a@x>>', ['a@x']],
  ['<> < >', []],
  ['<a@x', ['a@x']],
  ['Your message of yesterday', []],
])('parses the ids in %j as %j', (field, ids) => {
  expect(findMessageIds(field)).toEqual(ids);
});

const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32);
const toHex = (refs: Buffer[]) => refs.map((ref) => ref.toString('hex'));

test('computes a 16-byte key for each message id and the base subject', () => {
  const keys = computeThreadKeys({
    messageId: '<m@x>',
    inReplyTo: '<p@x>',
    references: '<a@x> <p@x> <a@x>',
    subject: 'Re: Hello',
  });
  expect(toHex(keys.refs)).toEqual(['m@x', 'a@x', 'p@x'].map(hash));
  expect(keys.subject.toString('hex')).toBe(hash('hello'));
});

test("keeps the first and last 50 of more than 100 ids, including the message's own and its parent's", () => {
  const ids = Array.from({ length: 500 }, (_, index) => `<${index}@x>`);
  const { refs } = computeThreadKeys({
    messageId: '<m@x>',
    inReplyTo: '<p@x>',
    references: ids.join(' '),
    subject: '',
  });
  expect(refs.length).toBe(100);
  expect(toHex(refs).slice(0, 2)).toEqual([hash('m@x'), hash('0@x')]);
  expect(toHex(refs).slice(-2)).toEqual([hash('499@x'), hash('p@x')]);
});

test.each([
  ['open brackets', '<'.repeat(1e6)],
  ['empty ids', '<>'.repeat(5e5)],
  ['tags', '[a]'.repeat(3e5)],
  ['marks', 're:'.repeat(3e5)],
  ['open tags', '['.repeat(1e6)],
  ['forwards', '[fwd:'.repeat(2e5) + ']'.repeat(2e5)],
  ['spaces', `${' '.repeat(1e6)}x`],
])('computes the keys for a million characters of %s in time', (_case, text) => {
  const startTime = getCpuTime();
  computeThreadKeys({ messageId: text, inReplyTo: text, references: text, subject: text });
  expect(getCpuTime() - startTime).toBeLessThan(10_000);
});
