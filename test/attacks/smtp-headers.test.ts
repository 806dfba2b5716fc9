import { Readable } from 'node:stream';
import type { SMTPServerDataStream } from 'smtp-server';
import { expect, test } from 'vitest';
import { toSendArguments } from '../../facades/smtp/message.ts';
import { parseMessage } from '../../facades/smtp/parse.ts';
import { readMessage } from '../../facades/smtp/read-message.ts';
import { createBudget } from '../../src/budget.ts';
import { parseAddresses } from '../../src/message/parse/addresses.ts';
import { parseMail } from '../../src/message/parse/message.ts';
import { parseStructured } from '../../src/message/parse/parameters.ts';
import { toRawMail } from '../../src/message/parse/raw.ts';
import { measureBestRun } from '../harness/cpu.ts';

// The event loop parses headers, so a slow header delays all other requests.

const MB = 1024 * 1024;
/** Maximum CPU milliseconds on a fast machine. 640 KB of nested groups used to take 2,900. */
const MAX_MS = 250;

const SHAPES = [
  ...[
    'g0: ',
    'a:b;',
    'a@b,',
    'a,',
    '<a@b>',
    '<',
    '(',
    '(a',
    '"',
    '"\\',
    '[',
    '@',
    ';',
    'x=y;',
    ';*0*=',
    '%41',
  ],
  ...['=?utf-8?q?', '=?utf-8?q?a?= ', ' ', '\r\n a', '\r\n '],
];
const FIELDS = ['To', 'From', 'Subject', 'Content-Type', 'X-A', 'List-Unsubscribe', 'References'];

const toChunks = function* (text: string) {
  for (let start = 0; start < text.length; start += 65_536)
    yield Buffer.from(text.slice(start, start + 65_536), 'latin1');
};

function submit(text: string): Promise<unknown> {
  const stream = Readable.from(toChunks(text)) as unknown as SMTPServerDataStream;
  const envelope = { sender: 'a@b.test', recipients: ['c@d.test'] };
  return readMessage(stream, createBudget(MB * 4), async (message) =>
    toSendArguments({ ...envelope, mail: await parseMessage(message, 1), bytes: message.raw.size }, 1),
  ).catch(() => undefined);
}

test.each(FIELDS)(
  'does not block the event loop while parsing a %s header of 64 KB or 256 KB',
  async (field) => {
    for (const shape of SHAPES) {
      for (const size of [64_000, MB / 4]) {
        const value = shape.repeat(size / shape.length);
        const inPart = `Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${field}: ${value}\r\n\r\nBody\r\n--b--\r\n`;
        for (const text of [`${field}: ${value}\r\n\r\nBody\r\n`, inPart])
          expect(await measureBestRun(() => submit(text), MAX_MS), `${shape} ${size}`).toBeLessThan(MAX_MS);
      }
    }
  },
  60_000,
);

test.each(['\r\n ', '\n ', '\r\n x', '\r\na:', '\n'])(
  'does not block the event loop while parsing a received message of 1 MB of lines: %j',
  async (shape) => {
    const raw = toRawMail(Buffer.from(`From: a@b.test\r\nSubject: ${shape.repeat(MB / shape.length)}`));
    expect(await measureBestRun(() => parseMail(raw), MAX_MS)).toBeLessThan(MAX_MS);
  },
);

const MIXED_HEAD = 'Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nText\r\n--b\r\n';

test.each([
  ['flowed lines', 'Content-Type: text/plain; format=flowed\r\n\r\n', ['a \n', '> \n', '\r\n', 'a']],
  ['UTF-7', 'Content-Type: text/plain; charset=utf-7\r\n\r\n', ['+AD', '&+AD', '\n+AD\r']],
  ['parts', MIXED_HEAD, ['--b\r\n', '--b\r\n\r\n', '--b\r\nX: y\r\n', '--', '\r\n--b ']],
  [
    'HTML without plain text',
    `${MIXED_HEAD}Content-Type: text/html\r\n\r\n`,
    ['<p>', '<div style="a:b">', '<style>p{}', '&'],
  ],
])(
  'does not block the event loop while parsing a body of %s',
  async (_, head, shapes) => {
    for (const shape of shapes) {
      for (const size of [127_000, MB]) {
        const text = head + shape.repeat(size / shape.length);
        expect(await measureBestRun(() => submit(text), MAX_MS), `${shape} ${size}`).toBeLessThan(MAX_MS);
      }
    }
  },
  60_000,
);

test.each([
  ['addresses', parseAddresses],
  ['parameters', parseStructured],
])('reads %s of 1 MB within the time budget', async (_, parse) => {
  for (const shape of SHAPES) {
    const text = shape.repeat(MB / shape.length);
    expect(await measureBestRun(() => parse(text), MAX_MS), shape).toBeLessThan(MAX_MS);
  }
});

test.each([
  [
    'address headers',
    `To: ${'a@b.test, '.repeat(7_000)}\r\n\r\nBody`,
    /^5\.3\.4 The address headers .* 65536 bytes/,
  ],
  ['a header', `X-A: ${'a '.repeat(100_000)}\r\n\r\nBody`, /^5\.3\.4 A message header is larger than 196608/],
])('rejects %s above the limit', async (_, text, reply) => {
  const stream = Readable.from(toChunks(text)) as unknown as SMTPServerDataStream;
  await expect(readMessage(stream, createBudget(MB), (message) => parseMessage(message, 1))).rejects.toThrow(
    reply,
  );
});
