import { expect, test } from 'vitest';
import { joinFlowed } from '../../../src/message/flowed.ts';
import { sanitizeHtml } from '../../../src/message/html/sanitize.ts';
import { readVisibleText } from '../../../src/message/html-text.ts';
import { parseAddresses } from '../../../src/message/parse/addresses.ts';
import { readMapiProperties } from '../../../src/message/parse/containers/mapi-properties.ts';
import { readRtf } from '../../../src/message/parse/containers/rtf-text.ts';
import { unpackContainer } from '../../../src/message/parse/containers/unpack.ts';
import { decodeFieldText, parseHeaderFields } from '../../../src/message/parse/header-fields.ts';
import { parseStructured } from '../../../src/message/parse/parameters.ts';
import { extractReply } from '../../../src/message/parse/text-reply.ts';
import { parseStyleSheet } from '../../../src/message/style/style-sheet.ts';
import { getCpuTime } from '../../harness/cpu.ts';
import { buildSigned, buildTnef, toIndefinite } from './containers.ts';
import { scanInPieces } from './raw-text.ts';

const scan = (head: string) => (text: string) =>
  scanInPieces(Buffer.from(head + text, 'latin1'), [64 * 1024]);
const sanitize = (html: string) =>
  sanitizeHtml(html, { cid: () => null, remoteImage: () => null, styles: 'scoped' });

/** Parsers, with the inputs whose repetition is the worst case. */
const READERS: [string, (text: string) => unknown, string[]][] = [
  [
    'addresses',
    parseAddresses,
    ['a@b.c,', 'g:', 'g:a@b.c;', '(', '((a))', '<', '"', '=?utf-8?q?a?= ', '\\', '"a" <'],
  ],
  ['parameters', parseStructured, ['; a=b', '; n*0=a', "; n*0*=''%41", '(', '()', '"', '\\', '; a="b']],
  ['encoded words', decodeFieldText, ['=?utf-8?q?a?= ', '=?a?b?', '=?', ' ', '=?x?b?YQ?==?y?q?a?=']],
  ['fields', (text) => parseHeaderFields(Buffer.from(text)), ['a: b\n', 'a:b\n c\n', '\n', ' x\n', 'a']],
  ['the scan of a header', scan(''), ['a: b\n', 'To: a@b.c\n', ' x\n', 'a', 'Subject:\n x\n']],
  [
    'the scan of parts',
    scan('Content-Type: multipart/mixed; boundary=b\n\n'),
    ['--b\n', '--b\n\nx\n', '--', '--\n'],
  ],
  ['flowed text', (text) => joinFlowed(text, 'delsp'), ['a \n', '> a \n', '>', ' ', '\n', 'a \n> a \n']],
  ['replies', extractReply, ['> a\n', 'On x wrote:\n', '\n', 'From: a\n', '_____\n', 'a:\n', '> ', ' ']],
  [
    'the text of HTML',
    readVisibleText,
    ['<b>', '<b><div>', '<ul><li>', '<table><td>', '</p>', '<b></i>', '<p style="a:b;'],
  ],
  ['HTML', sanitize, ['<div>', '<', '&amp;', '<a href=#x id=x>', '<style>', '<style>a{}</style>', 'href = ']],
  [
    'RTF',
    readRtf,
    ['{', '}', '{}', '\\par ', "\\'e4", '\\u228 ', '\\f1\\f2', '{\\*\\htmltag a}', '\\bin9 ', '\\', '{\\*'],
  ],
  [
    'signed messages',
    (text) => unpackContainer(buildSigned(Buffer.from(text, 'latin1'))),
    ['\x24\x80', '\x24\x80\x04\x01a\x00\x00', '\x04\x00', '\x00\x00'],
  ],
  [
    'the pieces of signed messages',
    (text) => unpackContainer(buildSigned(toIndefinite(0x24, text))),
    ['\x04\x00', '\x04\x01a', '\x24\x00', '\x24\x80\x00\x00'],
  ],
  [
    'TNEF',
    (text) => unpackContainer(buildTnef(Buffer.from(text, 'latin1'))),
    [
      '\x00',
      '\x02\x02\x90\x06\x00\x00\x00\x00\x00\x00\x00',
      '\x01\x03\x90\x06\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00',
    ],
  ],
  [
    'properties in TNEF',
    (text) => readMapiProperties(Buffer.from(`\xff\xff\xff\x7f${text}`, 'latin1')),
    ['\x02\x10\x00\x10\x00\x00\x00\x00', '\x1e\x10\x00\x10\xff\xff\xff\x7f', '\x00'],
  ],
  [
    'style sheets',
    (text) => parseStyleSheet([text]),
    ['a{', '}', '.a{color:red}', '(', '"', '\\', '/*', 'a,', '@a;', '@media{'],
  ],
];

const FEW = 128 * 1024;
const MANY = 4 * FEW;

const repeatTo = (part: string, length: number): string =>
  part.repeat(Math.ceil(length / part.length)).slice(0, length);

function getTime(run: () => unknown): number {
  const startTime = getCpuTime();
  run();
  return Math.max(0.5, getCpuTime() - startTime);
}

/**
 * Returns how much slower the long text is. Takes the minimum, because garbage collection distorts some measurements.
 */
function getGrowth(parse: (text: string) => unknown, part: string): number {
  const [few, manyPieces] = [repeatTo(part, FEW), repeatTo(part, MANY)];
  let growth = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 12 && growth >= MAX_GROWTH; round++) {
    const time = getTime(() => parse(few));
    growth = Math.min(growth, getTime(() => parse(manyPieces)) / time);
  }
  return growth;
}

/** Linear work grows by a factor of 4, or up to 9 if the short text fits into a CPU cache; quadratic work by 16. */
const MAX_GROWTH = 11;

test.each(READERS.flatMap(([name, parse, parts]) => parts.map((part) => [name, part, parse] as const)))(
  '%s parses repeated %j in linear time',
  (_name, part, parse) => {
    expect(getGrowth(parse, part)).toBeLessThan(MAX_GROWTH);
  },
);
