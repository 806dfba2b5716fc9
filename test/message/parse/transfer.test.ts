import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import type { RawMail } from '../../../src/message/parse/raw.ts';
import { createTransferDecoder, type TransferEncoding } from '../../../src/message/parse/transfer.ts';
import { encodeQuotedPrintable } from '../../../src/message/quoted-printable.ts';
import { readContent } from './raw-text.ts';

const toRawMail = (bytes: Buffer, size: number): RawMail => ({
  size: bytes.length,
  async *read(from, to) {
    for (let start = from; start < to; start += size) yield bytes.subarray(start, Math.min(start + size, to));
  },
});

async function decodeText(text: string, encoding: TransferEncoding, size = 1_000): Promise<string> {
  const bytes = Buffer.from(text, 'latin1');
  const part = { bodyFrom: 0, bodyTo: bytes.length, encoding };
  return (await readContent(toRawMail(bytes, size), part)).toString('latin1');
}

test.each<[string, string, string]>([
  ['digits', 'aGVsbG8gd29ybGQ=', 'hello world'],
  ['lines and other characters', 'aGVs\r\nbG8g!d29 ybGQ', 'hello world'],
  ['several encoded texts in a row', 'YQ==YWI=\r\nYWJj', 'aababc'],
  ['the URL-safe alphabet', '-_-_', '\xfb\xff\xbf'],
  ['an extra digit', 'YWJjZ', 'abc'],
])('decodes base64: %s', async (_, encoded, expected) => {
  for (const size of [1, 2, 3, 5, 1_000]) expect(await decodeText(encoded, 'base64', size)).toBe(expected);
});

test.each<[string, string, string]>([
  ['bytes', 'caf=C3=a9', 'caf\xc3\xa9'],
  ['a soft break', 'one =\r\ntwo=\nthree= \t\r\nfour', 'one twothreefour'],
  ['white space before a line end', 'a  \t\r\nb \nc ', 'a\r\nb\nc'],
  ['white space within a line', 'a  b\tc', 'a  b\tc'],
  ['invalid escapes', 'a=b =zz ==41 =4', 'a=b =zz =A =4'],
  ['an equals sign at the end', 'a=', 'a'],
  ['a soft break with a bare CR', 'a=\rb', 'ab'],
  ['line ends', '\r\n\n\r\r\na', '\r\n\n\r\r\na'],
])('decodes quoted-printable: %s', async (_, encoded, expected) => {
  for (const size of [1, 2, 3, 5, 1_000])
    expect(await decodeText(encoded, 'quoted-printable', size)).toBe(expected);
});

test.each<TransferEncoding>(['7bit', '8bit', 'binary'])(
  'passes %s content through unchanged',
  async (encoding) => {
    expect(await decodeText('a=\r\nYQ==\xff', encoding, 3)).toBe('a=\r\nYQ==\xff');
  },
);

it('decodes base64 regardless of its line length', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array(), fc.integer({ min: 1, max: 90 }), async (bytes, width) => {
      const text = Buffer.from(bytes).toString('base64');
      const lines = text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
      expect(await decodeText(lines.join('\r\n'), 'base64', width)).toBe(
        Buffer.from(bytes).toString('latin1'),
      );
    }),
  );
});

it('decodes quoted-printable text from encodeQuotedPrintable', async () => {
  await fc.assert(
    fc.asyncProperty(fc.fullUnicodeString(), fc.integer({ min: 1, max: 90 }), async (encoded, size) => {
      const text = encoded.replace(/\r\n?|\n/g, '\r\n');
      const back = await decodeText(encodeQuotedPrintable(text), 'quoted-printable', size);
      expect(Buffer.from(back, 'latin1').toString()).toBe(text);
    }),
  );
});

it('decodes quoted-printable text identically for any chunk size', async () => {
  const parts = fc.array(fc.constantFrom('=', '4', 'C3', ' ', '\t', '\r', '\n', 'x', '=41', '=\r\n'), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(parts, fc.integer({ min: 1, max: 5 }), async (list, size) => {
      const text = list.join('');
      expect(await decodeText(text, 'quoted-printable', size)).toBe(
        await decodeText(text, 'quoted-printable'),
      );
    }),
    { numRuns: 1_000 },
  );
});

it('does not buffer all of a long run of spaces', () => {
  const decoder = createTransferDecoder('quoted-printable')!;
  expect(decoder.write(Buffer.alloc(100_000, ' ')).length).toBeGreaterThan(98_000);
});
