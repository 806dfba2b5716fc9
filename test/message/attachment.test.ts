import { setFlagsFromString } from 'node:v8';
import { afterEach, expect, test } from 'vitest';
import { countBase64Digits } from '../../src/message/attachment.ts';

afterEach(() => setFlagsFromString('--regexp-optimization'));

test.each([
  ['', 0],
  ['aGk=', 3],
  ['aGk', 3],
  ['aA==', 2],
  ['aA = =\n', 2],
  ['a G\r\n\tk\u00a0=', 3],
  ['-_+/', 4],
  ['a', null],
  ['aGk=a', null],
  ['aA===', null],
  ['aGk<', null],
  ['aGké', null],
])('counts %j as %j base64 digits', (content, digits) => {
  expect(countBase64Digits(content)).toBe(digits);
});

test('counts digits in very long text even if the regular expression is not optimized', () => {
  setFlagsFromString('--no-regexp-optimization');
  expect(countBase64Digits(`A${' '.repeat(3e7)}<`)).toBeNull();
  expect(countBase64Digits('A'.repeat(3e7))).toBe(3e7);
});
