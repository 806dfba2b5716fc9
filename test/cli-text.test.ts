import { expect, test } from 'vitest';
import { formatCommandResult } from '../boot/cli/result-text.ts';

const rows = [
  { id: 1, name: 'main', last_login: null, features: ['email', 'mcp'] },
  { id: 20, name: 'a name of several words\u001b[31m', last_login: new Date(0), features: [] },
];

test('prints a list as a table with column headings', () => {
  expect(formatCommandResult(rows, null)).toBe(
    [
      'ID  NAME                          LAST LOGIN                FEATURES',
      '1   main                          -                         email, mcp',
      '20  a name of several words [31m  1970-01-01T00:00:00.000Z  -',
      '',
    ].join('\n'),
  );
  expect(formatCommandResult([], null)).toBe('none\n');
});

test.each([60, 45])('fits a terminal of %i columns without dropping words', (width) => {
  const text = formatCommandResult(rows, width);
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(width);
  for (const word of ['several', 'words', 'email', 'mcp']) expect(text).toContain(word);
});

test('wraps a value that is longer than its column', () => {
  const value = 'p=MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8A'.repeat(4);
  const text = formatCommandResult([{ type: 'TXT', value }], 50);
  expect(text.replace(/TYPE|VALUE|TXT|\s/g, '')).toBe(value);
});

test('formats a single record with one unwrapped line per value', () => {
  const key = 'uk_'.padEnd(100, 'x');
  expect(formatCommandResult({ id: 1, key }, 40)).toBe(`id:  1\nkey: ${key}\n`);
  expect(formatCommandResult({ applied: [] }, null)).toBe('applied: -\n');
});

test('keeps the line breaks of a text', () => {
  expect(formatCommandResult('[server]\nurl = "x"', null)).toBe('[server]\nurl = "x"\n');
});
