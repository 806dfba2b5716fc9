import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { toRawMail } from '../../../src/message/parse/raw.ts';
import { createMessageScanner } from '../../../src/message/parse/scan.ts';
import { getCpuTime } from '../../harness/cpu.ts';
import { readContent, scanInPieces, toBytes } from './raw-text.ts';

const scanBytes = (bytes: Uint8Array) => scanInPieces(bytes, [bytes.length]);
const getBody = (bytes: Buffer, { bodyFrom, bodyTo }: { bodyFrom: number; bodyTo: number }) =>
  bytes.toString('latin1', bodyFrom, bodyTo);

const MIXED = [
  'Subject: x',
  'Content-Type: multipart/mixed; boundary="out er"',
  '',
  'before',
  '--out er',
  'Content-Type: multipart/alternative; boundary=in',
  '',
  '--in',
  '',
  'plain',
  '--in',
  'Content-Type: Text/HTML; charset="utf-8"',
  'Content-Transfer-Encoding: Quoted-Printable',
  '',
  'caf=C3=A9 =',
  'x  ',
  '--in--',
  'between',
  '--out er  ',
  'Content-Type: application/pdf; name="a.pdf"',
  'Content-Disposition: attachment',
  'Content-ID: <one@x>',
  'Content-Transfer-Encoding: base64',
  '',
  'aGVsbG8=',
  '--out er--',
  'after',
];

test('returns the path, type, position and decoded size of each part', () => {
  const bytes = toBytes(...MIXED);
  const { parts, header, truncated } = scanBytes(bytes);
  expect(parts.map(({ path, type, size }) => [path, type, size])).toEqual([
    ['', 'multipart/mixed', 0],
    ['1', 'multipart/alternative', 0],
    ['1.1', 'text/plain', 5],
    ['1.2', 'text/html', 7],
    ['2', 'application/pdf', 5],
  ]);
  expect(getBody(bytes, parts[2]!)).toBe('plain');
  expect(getBody(bytes, parts[3]!)).toBe('caf=C3=A9 =\r\nx  ');
  expect(getBody(bytes, parts[4]!)).toBe('aGVsbG8=');
  expect(parts[4]).toMatchObject({
    filename: 'a.pdf',
    contentId: 'one@x',
    disposition: 'attachment',
    encoding: 'base64',
  });
  expect(header.toString()).toBe('Subject: x\nContent-Type: multipart/mixed; boundary="out er"\n');
  expect(truncated).toBe(false);
});

describe('line endings and prefixes', () => {
  const buildPaths = (bytes: Buffer) => scanBytes(bytes).parts.map(({ path, size }) => `${path}:${size}`);
  const text = MIXED.join('\r\n');

  it.each([
    ['LF', text.replaceAll('\r\n', '\n')],
    ['CR', text.replaceAll('\r\n', '\r')],
    ['a byte order mark', `\xef\xbb\xbf${text}`],
    ['the From line of an mbox file', `From a@b.c Mon Jan  1 00:00:00 2026\r\n${text}`],
  ])('scans a message with %s', (_, message) => {
    expect(buildPaths(Buffer.from(message, 'latin1'))).toEqual([':0', '1:0', '1.1:5', '1.2:7', '2:5']);
  });

  it('does not skip a header field named From', () => {
    expect(scanBytes(toBytes('From  : a@b.c', '', 'x')).header.toString()).toBe('From  : a@b.c\n');
  });

  it('does not treat a single CR as a line ending if lines end with LF', () => {
    expect(scanBytes(Buffer.from('A: b\rFrom: c\nD: e\n\nx')).header.toString()).toBe(
      'A: b\rFrom: c\nD: e\n',
    );
  });
});

describe('malformed messages', () => {
  it.each<[string, string[], string[]]>([
    ['an empty line', [], ['1 text/plain 0']],
    ['only a header', ['A: b'], ['1 text/plain 0']],
    [
      'no closing boundary',
      ['Content-Type: multipart/mixed; boundary=x', '', '--x', '', 'a'],
      [' multipart/mixed 0', '1 text/plain 3'],
    ],
    ['no boundary parameter', ['Content-Type: multipart/mixed', '', '--x', '', 'a'], ['1 text/plain 10']],
    ['no parts', ['Content-Type: multipart/mixed; boundary=x', '', 'abc'], ['1 text/plain 5']],
    [
      'a part without an empty line',
      ['Content-Type: multipart/mixed; boundary=x', '', '--x', 'Content-Type: image/png', '--x--'],
      [' multipart/mixed 0', '1 image/png 0'],
    ],
    [
      'an inner multipart ended by the outer one',
      [
        'Content-Type: multipart/mixed; boundary=x',
        '',
        '--x',
        'Content-Type: multipart/mixed; boundary=y',
        '',
        '--y',
        '',
        'a',
        '--x',
        '',
        'b',
        '--x--',
      ],
      [' multipart/mixed 0', '1 multipart/mixed 0', '1.1 text/plain 1', '2 text/plain 1'],
    ],
    [
      'a boundary that is a prefix of another',
      [
        'Content-Type: multipart/mixed; boundary=x',
        '',
        '--x',
        'Content-Type: multipart/mixed; boundary=x-y',
        '',
        '--x-y',
        '',
        'a',
        '--x-y--',
        '--x--',
      ],
      [' multipart/mixed 0', '1 multipart/mixed 0', '1.1 text/plain 1'],
    ],
    [
      'messages of a digest',
      ['Content-Type: multipart/digest; boundary=x', '', '--x', '', 'Subject: a', '', 'b', '--x--'],
      [' multipart/digest 0', '1 message/rfc822 15'],
    ],
  ])('returns the parts of a message with %s', (_, lines, expected) => {
    const { parts } = scanBytes(toBytes(...lines));
    expect(parts.map(({ path, type, size }) => `${path} ${type} ${size}`)).toEqual(expected);
  });
});

describe('scanner limits', () => {
  it('keep the first of each essential field in a header over 1 MB, and find the body', () => {
    const bytes = toBytes(
      ...Array.from({ length: 100_000 }, () => 'X-A: some value'),
      'Subject: late',
      ' and folded',
      'Subject: again',
      'X-B: late',
      '',
      'body',
    );
    const { header, parts, truncated } = scanBytes(bytes);
    expect(header.length).toBeLessThanOrEqual(1024 * 1024);
    expect(header.toString().replaceAll('X-A: some value\n', '')).toBe('Subject: late\n and folded\n');
    expect(getBody(bytes, parts[0]!)).toBe('body\r\n');
    expect(truncated).toBe(true);
  });

  it.each([
    ['on one line', ', '],
    ['folded', ',\r\n '],
  ])('truncate a field over 256 kB (%s), and keep the fields after it', (_, comma) => {
    const people = Array.from({ length: 15_000 }, (_, no) => `user${no}@example.org`);
    const { header, truncated } = scanBytes(toBytes(`To: ${people.join(comma)}`, 'Subject: x', '', 'body'));
    const [to, subject] = header.toString().split(/\n(?! )/);
    const addresses = to!.slice('To: '.length).replace(/,$/, '').split(/,\s*/);
    expect(addresses.length).toBeGreaterThan(10_000);
    expect(addresses).toEqual(people.slice(0, addresses.length));
    expect(subject).toBe('Subject: x');
    expect(truncated).toBe(true);
  });

  it('stop after 1,000 parts', () => {
    const lines = Array.from({ length: 5_000 }, () => ['--x', '', 'a']).flat();
    const { parts, truncated } = scanBytes(
      toBytes('Content-Type: multipart/mixed; boundary=x', '', ...lines),
    );
    expect(parts).toHaveLength(1_000);
    expect(parts.at(-1)).toMatchObject({ path: '999', size: 1 });
    expect(truncated).toBe(true);
  });

  it('stop at a nesting depth of 50', () => {
    const buildLevel = (no: number) => [`Content-Type: multipart/mixed; boundary=b${no}`, '', `--b${no}`];
    const { parts } = scanBytes(toBytes(...Array.from({ length: 5_000 }, (_, no) => buildLevel(no)).flat()));
    expect(parts).toHaveLength(51);
    expect(parts.at(-1)!.path.split('.')).toHaveLength(50);
  });

  it('keep the scanning time linear', { timeout: 60_000 }, () => {
    const buildLines = (count: number) =>
      Buffer.from(`Content-Type: multipart/mixed; boundary=x\n\n${'--\n'.repeat(count)}`);
    const getTime = (bytes: Buffer) => {
      const start = getCpuTime();
      scanInPieces(bytes, [64 * 1024]);
      return getCpuTime() - start;
    };
    getTime(buildLines(50_000));
    expect(getTime(buildLines(400_000))).toBeLessThan(60 * getTime(buildLines(40_000)) + 200);
  });
});

const segments = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...[
        'Content-Type: multipart/mixed; boundary=x\r\n',
        'Content-Type: multipart/alternative; boundary="x y"\n',
      ],
      ...[
        '--x\r\n',
        '--x--\r\n',
        '--x y\n',
        '--x y--\n',
        '\r\n',
        '\n',
        '\r',
        '--',
        'From a\n',
        '\xef\xbb\xbf',
      ],
      ...['Content-Transfer-Encoding: base64\r\n', 'Content-Transfer-Encoding: quoted-printable\r\n'],
      ...[
        'YWJj',
        'YQ==',
        '=',
        '=\r\n',
        '=C3=A9',
        '=4',
        ' ',
        '\t',
        'a',
        'Subject: =?utf-8?q?=C3?= \r\n',
        ' b\r\n',
      ],
      ...["Content-Disposition: attachment; filename*0*=utf-8''a%20; filename*1=b\n"],
    ),
    fc.string({ maxLength: 20 }),
  ),
  { maxLength: 40 },
);
const anyBytes = fc.oneof(
  segments.map((list) => Buffer.from(list.join(''), 'latin1')),
  fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes)),
);

describe('scanning random bytes', () => {
  it('returns the same result for any chunk sizes', () => {
    fc.assert(
      fc.property(anyBytes, fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (input, sizes) => {
        // The first 4 kB determine the line ending.
        const bytes = Buffer.concat([Buffer.from(`X-A: ${'b'.repeat(4_090)}\n`), input]);
        expect(scanInPieces(bytes, [4_096, ...sizes])).toEqual(scanBytes(bytes));
        expect(scanInPieces(input, sizes)).toEqual(scanBytes(input));
      }),
      { numRuns: 2_000 },
    );
  });

  it('returns parts within bounds, with the correct decoded sizes', async () => {
    await fc.assert(
      fc.asyncProperty(anyBytes, async (bytes) => {
        const { parts, size } = scanBytes(bytes);
        expect(size).toBe(bytes.length);
        expect(new Set(parts.map(({ path }) => path)).size).toBe(parts.length);
        for (const part of parts) {
          expect(part.bodyFrom).toBeLessThanOrEqual(part.bodyTo);
          expect(part.bodyTo).toBeLessThanOrEqual(bytes.length);
          if (part.type.startsWith('multipart/') && part.size === 0) continue;
          expect(await readContent(toRawMail(bytes), part)).toHaveLength(part.size);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it('keeps no references to the chunks', () => {
    const scanner = createMessageScanner();
    const chunk = Buffer.from('Subject: a\r\n\r\nb');
    scanner.push(chunk);
    chunk.fill(0);
    expect(scanner.end().header.toString()).toBe('Subject: a\n');
  });
});
