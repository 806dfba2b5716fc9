import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { encodeWords } from '../../../src/message/encoded-words.ts';
import { parseAddresses } from '../../../src/message/parse/addresses.ts';
import { decodeText } from '../../../src/message/parse/charset.ts';
import { parseMailDate } from '../../../src/message/parse/date.ts';
import { toSafeFilename } from '../../../src/message/parse/filename.ts';
import { decodeWords } from '../../../src/message/parse/header-words.ts';
import { parseStructured } from '../../../src/message/parse/parameters.ts';
import { readPartHeader } from '../../../src/message/parse/part-header.ts';

const toLatin1 = (text: string): string => Buffer.from(text).toString('latin1');

describe('encoded words (RFC 2047)', () => {
  test.each([
    ['Q', '=?utf-8?Q?caf=C3=A9_au_lait?=', 'café au lait'],
    ['B', '=?ISO-8859-1?B?SvxyZ2Vu?=', 'Jürgen'],
    ['a language', '=?utf-8*de?Q?gr=C3=BCn?=', 'grün'],
    ['white space between two words is dropped', '=?utf-8?Q?a?= \r\n =?utf-8?Q?b?=', 'ab'],
    ['white space before text is preserved', 'x =?utf-8?Q?a?= y', 'x a y'],
    ['a character split across words', '=?utf-8?B?4g==?= =?utf-8?B?gqw=?=', '€'],
    ['two words in different character sets', '=?utf-8?Q?=C3=A9?= =?iso-8859-1?Q?=E9?=', 'éé'],
    ['stateful character sets', '=?iso-2022-jp?B?GyRCJF4bKEI=?= =?iso-2022-jp?B?GyRCJF8bKEI=?=', 'まみ'],
    ['raw bytes inside', '=?utf-8?Q?caf\xc3\xa9?=', 'café'],
    ['within quotes', '"=?utf-8?Q?a?="', '"a"'],
    ['spaces inside', '=?utf-8?Q?a b?=', 'a b'],
    ['an unknown character set', '=?none?Q?caf=C3=A9?=', 'café'],
    ['an unterminated word', '=?utf-8?Q?abc', '=?utf-8?Q?abc'],
    ['raw UTF-8', toLatin1('Jörg €'), 'Jörg €'],
    ['raw windows-1252', 'J\xf6rg \x80', 'Jörg €'],
    ['UTF-7', '=?utf-7?Q?+AOk-?=', 'é'],
    ['NUL', '=?utf-8?Q?a=00b?=', 'ab'],
  ])('are decoded: %s', (_, text, expected) => {
    expect(decodeWords(text)).toBe(expected);
  });

  it('round-trip random text through encodeWords', () => {
    fc.assert(
      fc.property(fc.fullUnicodeString({ minLength: 1 }), (input) => {
        const text = input.replaceAll('\0', '');
        expect(decodeWords(encodeWords(text))).toBe(text);
      }),
    );
  });
});

describe('decodeText', () => {
  test.each([
    ['windows-1252', 'iso-8859-1', [0x93, 0xe9], '“é'],
    ['a character set that only iconv-lite supports', 'cp437', [0x82], 'é'],
    ['a name with a hyphen', 'CP-850', [0x82], 'é'],
    ['the character set of old Korean mail', 'ks_c_5601-1987', [0xc7, 0xd1], '한'],
    ['UTF-16', 'utf-16le', [0xe9, 0], 'é'],
    ['no character set, UTF-8 bytes', null, [0xc3, 0xa9], 'é'],
    ['no character set, other bytes', null, [0xe9], 'é'],
    ['invalid ASCII', 'us-ascii', [0xc3, 0xa9], 'é'],
    ['an unknown character set', 'x-klingon', [0xe9], 'é'],
    ['NUL', 'utf-8', [0x61, 0, 0x62], 'ab'],
  ])('decodes %s', (_, charset, bytes, expected) => {
    expect(decodeText(Uint8Array.from(bytes), charset)).toBe(expected);
  });
});

describe('header parameters', () => {
  test.each<[string, string, Record<string, string>]>([
    ['plain and quoted', 'text/plain; Charset=utf-8; name="a b"', { charset: 'utf-8', name: 'a b' }],
    ['a semicolon in quotes', 'x/y; name="a;b\\"c"; z=1', { name: 'a;b"c', z: '1' }],
    ['comments', 'x/y (a;b=c); z (d) =1', { z: '1' }],
    ['a path', 'x/y; name="C:\\temp\\a.txt"', { name: 'C:\\temp\\a.txt' }],
    ['RFC 2231', "x/y; filename*=utf-8'de'%E2%82%AC%20a", { filename: '€ a' }],
    ['RFC 2231 sections in any order', "x/y; a*1=b; a*0*=utf-8''%C3; a*2*=%A9", { a: '\ufffdb\ufffd' }],
    ['a character split across words', "x/y; a*0*=utf-8''%C3; a*1*=%A9x", { a: 'éx' }],
    ['sections that are not encoded', 'x/y; a*0="one "; a*1=two', { a: 'one two' }],
    ['prefers the extended parameter', "x/y; a=plain; a*=utf-8''ext", { a: 'ext' }],
    ['RFC 2047 words in a parameter', 'x/y; name="=?utf-8?Q?caf=C3=A9?="', { name: 'café' }],
    ['raw UTF-8', toLatin1('x/y; name="café"'), { name: 'café' }],
    ['unterminated quotes', 'x/y; a="b; c=d', { a: 'b; c=d' }],
    ['no parameters', '', {}],
  ])('are parsed: %s', (_, text, expected) => {
    expect(Object.fromEntries(parseStructured(text).parameters)).toEqual(expected);
  });

  it('contain well-formed values for random text', () => {
    const piece = fc.constantFrom(
      '"',
      '\\',
      '(',
      ')',
      ';',
      '=',
      '*',
      "'",
      '%41',
      '%',
      'a',
      '0',
      ' ',
      '=?utf-8?q?',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (list) => {
        const { parameters } = parseStructured(`text/plain;${list.join('')}`);
        for (const value of parameters.values()) expect(value.isWellFormed()).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

test.each([
  ['report.pdf', 'report.pdf'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\a.txt', 'a.txt'],
  ['a\u202egnp.exe', 'agnp.exe'],
  ['a\r\nb\0.txt', 'ab.txt'],
  ['.htaccess', 'htaccess'],
  ['..', null],
  ['  ', null],
  ['a<b>:"|?*.txt', 'a_b______.txt'],
])('converts the file name %j to %j', (text, expected) => {
  expect(toSafeFilename(text)).toBe(expected);
});

it('preserves the extension of a long file name', () => {
  expect(toSafeFilename(`${'x'.repeat(300)}.pdf`)).toBe(`${'x'.repeat(251)}.pdf`);
});

describe('part header', () => {
  test.each<[string, string, object]>([
    ['an empty header', '', { type: 'text/plain', charset: null, encoding: '7bit', disposition: null }],
    ['an invalid type', 'Content-Type: pdf', { type: 'text/plain' }],
    ['text without a subtype', 'Content-Type: text', { type: 'text/plain' }],
    ['an odd subtype', 'Content-Type: application/a,b', { type: 'application/octet-stream' }],
    [
      'an unknown disposition',
      'Content-Disposition: form-data; filename=a',
      { disposition: 'attachment', filename: 'a' },
    ],
    ['an encoding with a comment', 'Content-Transfer-Encoding: BASE64 (x)', { encoding: 'base64' }],
    ['an unknown encoding', 'Content-Transfer-Encoding: x-uuencode', { encoding: '7bit' }],
    ['the first of two types', 'Content-Type: text/html\nContent-Type: image/png', { type: 'text/html' }],
  ])('applies defaults to %s', (_, header, expected) => {
    expect(readPartHeader(Buffer.from(header))).toMatchObject(expected);
  });
});

test.each([
  ['Wed, 17 May 2000 19:15:35 -0400', '2000-05-17T23:15:35.000Z'],
  ['17 May 00 19:15 EDT', '2000-05-17T23:15:00.000Z'],
  ['Wed, 17 May 2000 19:15:35 GMT (a comment)', '2000-05-17T19:15:35.000Z'],
  ['Wednesday, 17-May-2000 19.15.35 +0000', '2000-05-17T19:15:35.000Z'],
  ['Wed May 17 19:15:35 2000', '2000-05-17T19:15:35.000Z'],
  ['Wed, 17 May 2000 19:15:60 Z', '2000-05-17T19:16:00.000Z'],
  ['17 May 2000 19 : 15 : 35 +0530', '2000-05-17T13:45:35.000Z'],
  ['2000-05-17T19:15:35+02:00', '2000-05-17T17:15:35.000Z'],
  ['17 May 103 10:00:00', '2003-05-17T10:00:00.000Z'],
  ['Fri, May 09 2017 16:54:30 -0800', '2017-05-10T00:54:30.000Z'],
  ['Fri, May 9, 2017, 16:54 GMT', '2017-05-09T16:54:00.000Z'],
  ['Tue May 09 2017 16:54:30 GMT-0800 (PST)', '2017-05-10T00:54:30.000Z'],
  ['Tue, 9 May 2017 4:54:30 PM -0800', '2017-05-10T00:54:30.000Z'],
  ['Tuesday, May 9, 2017 12:05 a.m.', '2017-05-09T00:05:00.000Z'],
  ['Tue, 9 May 2017 16:54:30 GMT+02:00', '2017-05-09T14:54:30.000Z'],
  ['9 May 2017 16:54:30.123 +0200', '2017-05-09T14:54:30.000Z'],
  ['2017-05-09 16:54:30 +0200', '2017-05-09T14:54:30.000Z'],
  ['2017-05-09 16:54:30 UTC', '2017-05-09T16:54:30.000Z'],
  ['bogus', null],
  ['', null],
  ['31 Feb 2020 10:00:00 +0000', null],
  ['1 Foo 2020 10:00:00 +0000', null],
  ['1 Jan 2020 25:00:00 +0000', null],
])('parses %j as the date %j', (text, expected) => {
  expect(parseMailDate(text)?.toISOString() ?? null).toBe(expected);
});

it('parses random formatted dates', () => {
  fc.assert(
    fc.property(
      fc.date({ min: new Date('1950-01-02'), max: new Date('9998-12-31'), noInvalidDate: true }),
      (date) => {
        date.setMilliseconds(0);
        expect(parseMailDate(date.toUTCString())).toEqual(date);
      },
    ),
  );
});

it('returns a date or null for random text', () => {
  const piece = fc.constantFrom(
    '1',
    '31',
    '2026',
    'Jan',
    'Mon, ',
    ':',
    ' ',
    '+0100',
    '(',
    ')',
    '-',
    '99',
    'T',
    '.',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (list) => {
      const date = parseMailDate(list.join(''));
      expect(date === null || !Number.isNaN(date.getTime())).toBe(true);
    }),
    { numRuns: 2_000 },
  );
});

test.each([
  ['a@b.c', [['', 'a@b.c']]],
  [
    'Ann <a@b.c>, "B, Bob" <b@b.c>',
    [
      ['Ann', 'a@b.c'],
      ['B, Bob', 'b@b.c'],
    ],
  ],
  ['=?utf-8?Q?M=C3=BCller=2C_A?= <a@b.c>', [['Müller, A', 'a@b.c']]],
  [
    'Team: Ann <a@b.c>, b@b.c;',
    [
      ['Ann', 'a@b.c'],
      ['', 'b@b.c'],
    ],
  ],
  ['undisclosed-recipients:;', []],
  ['a name alone', [['a name alone', '']]],
  [toLatin1('Jörg <jörg@exämple.net>'), [['Jörg', 'jörg@exämple.net']]],
  ['', []],
])('parses the addresses %j', (text, expected) => {
  expect(parseAddresses(text).map(({ name, address }) => [name, address])).toEqual(expected);
});
