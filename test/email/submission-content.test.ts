import { Readable } from 'node:stream';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { SMTPServerDataStream } from 'smtp-server';
import { describe, expect, it } from 'vitest';
import { toSendArguments } from '../../facades/smtp/message.ts';
import { parseMessage } from '../../facades/smtp/parse.ts';
import { readMessage } from '../../facades/smtp/read-message.ts';
import { createBudget } from '../../src/budget.ts';

const MAX_BYTES = 32 * 1024 * 1024;

async function submit(raw: Buffer, chunkBytes = 65_536) {
  const chunks = Array.from({ length: Math.ceil(raw.length / chunkBytes) }, (_, index) =>
    raw.subarray(index * chunkBytes, (index + 1) * chunkBytes),
  );
  const stream = Readable.from(chunks) as unknown as SMTPServerDataStream;
  const { emails } = await readMessage(stream, createBudget(MAX_BYTES), async (message) => {
    const mail = await parseMessage(message, 1);
    return toSendArguments({ sender: 'a@b.test', recipients: ['c@d.test'], mail, bytes: raw.length }, 1);
  });
  return emails[0]!;
}

/** @param lines with one character per byte */
const submitLines = (...lines: string[]) => submit(Buffer.from(lines.join('\r\n'), 'latin1'));

const submitParts = (kind: string, ...parts: string[][]) =>
  submitLines(
    `Content-Type: multipart/${kind}; boundary=b`,
    '',
    ...parts.flatMap((lines) => ['--b', ...lines]),
    '--b--',
    '',
  );

const buildRaw = async (mail: SendMailOptions): Promise<Buffer> =>
  (await createTransport({ streamTransport: true, buffer: true }).sendMail(mail)).message as Buffer;

const toBase64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');
const PLAIN = ['Content-Type: text/plain', '', 'Text'];
const HTML = ['Content-Type: text/html', '', '<p>HTML</p>'];

describe('the text of a submitted message', () => {
  it.each([
    ['utf-8', 'Gr\xc3\xb6\xc3\x9fe', 'Größe'],
    ['iso-8859-1', 'Gr\xf6\xdfe', 'Größe'],
    ['iso-2022-jp', '\x1b$BF|K\\8l\x1b(B', '日本語'],
    ['unknown', 'Gr\xf6\xdfe', 'Größe'],
  ])('is decoded from %s', async (charset, bytes, text) => {
    const email = await submitLines(`Content-Type: text/plain; charset=${charset}`, '', bytes);
    expect(email).toMatchObject({ text, html: null });
  });

  it('keeps its white space, special characters and invisible characters', async () => {
    const text = '  Two  spaces\n\n--\n> quote\n\u200b\u200b\u200dend \n';
    const email = await submit(await buildRaw({ text, html: '<p>\u200b\u200b <!-- note --></p>' }));
    expect(email).toMatchObject({ text, html: '<p>\u200b\u200b <!-- note --></p>' });
  });

  it('has only the formats that the client sent', async () => {
    expect(await submitLines(...HTML)).toMatchObject({ text: null, html: '<p>HTML</p>' });
    expect(await submitLines(...PLAIN)).toMatchObject({ text: 'Text', html: null });
    expect(await submitLines('Subject: s', '', '')).toMatchObject({ text: '\n', html: null });
  });

  it('joins the lines of format=flowed, because the sent message does not declare it', async () => {
    const email = await submitLines('Content-Type: text/plain; format=flowed', '', 'One ', 'line', ' >two');
    expect(email.text).toBe('One line\n>two');
  });

  it('contains all parts of multipart/mixed in both formats', async () => {
    const footer = ['Content-Type: text/plain', '', 'List <a>', 'https://list.test'];
    const body = [
      'Content-Type: multipart/alternative; boundary=i',
      '',
      ...['--i', ...PLAIN, '--i', ...HTML, '--i--'],
    ];
    expect(await submitParts('mixed', body, footer)).toMatchObject({
      text: 'Text\nList <a>\nhttps://list.test',
      html: '<p>HTML</p><br>\nList &lt;a&gt;<br>\nhttps://list.test',
      attachments: [],
    });
    expect(await submitParts('mixed', PLAIN, HTML)).toMatchObject({
      text: 'Text\nHTML',
      html: 'Text<br>\n<p>HTML</p>',
    });
  });

  it('may be larger than the text of a received message, and is then decoded in a worker thread', async () => {
    const line = `${'Gr\xf6\xdfe '.repeat(12)}end`;
    const lines = Array<string>(40_000).fill(line);
    const email = await submitLines('Content-Type: text/html; charset=iso-8859-1', '', ...lines);
    expect(email.html).toBe(lines.join('\n'));
  });

  it('is the same if the message arrives byte by byte', async () => {
    const raw = await buildRaw({ subject: 'ä', text: 'ö'.repeat(99), attachments: [{ content: 'ü' }] });
    expect(await submit(raw, 1)).toEqual(await submit(raw));
  });
});

describe('the files of a submitted message', () => {
  const submitFile = async (...head: string[]) =>
    (await submitParts('mixed', PLAIN, [...head, '', 'x'])).attachments![0]!;

  it.each([
    [
      'RFC 2231',
      "attachment; filename*0*=utf-8''Gr%C3%B6; filename*1*=%C3%9Fe; filename*2=.txt",
      'Größe.txt',
    ],
    ['encoded words', 'attachment; filename="=?iso-8859-1?Q?Gr=F6=DFe?=.txt"', 'Größe.txt'],
    ['raw UTF-8', 'attachment; filename="Gr\xc3\xb6\xc3\x9fe.txt"', 'Größe.txt'],
    ['raw ISO-8859-1', 'attachment; filename="Gr\xf6\xdfe.txt"', 'Größe.txt'],
    ['special characters', 'attachment; filename=".a: \\"b\\"; <c>?.txt"', '.a: "b"; <c>?.txt'],
    ['direction characters', "attachment; filename*=utf-8''a%E2%80%AEb.txt", 'ab.txt'],
    ['no name', 'attachment', 'attachment-1'],
  ])('keep a name with %s', async (_, disposition, filename) => {
    expect(await submitFile(`Content-Disposition: ${disposition}`)).toMatchObject({ filename });
  });

  it.each([
    ['text/plain; charset=ISO-8859-1; name=a.txt', 'text/plain; charset=ISO-8859-1'],
    ['Text/Calendar; METHOD=REQUEST; x="a b"', 'text/calendar; method=REQUEST; x="a b"'],
    ['application/octet-stream; name=a.pdf', undefined],
    ['message/rfc822', 'application/octet-stream'],
    ['image', 'application/octet-stream'],
  ])('with the type %s have the type %s', async (type, contentType) => {
    const file = await submitFile(`Content-Type: ${type}`, 'Content-Disposition: attachment');
    expect(file.contentType).toBe(contentType);
  });

  it.each([
    ['base64', 'AAH/Cg0K\r\nAQ', '\0\x01\xff\n\r\n\x01'],
    ['quoted-printable', 'A=00=FF \t\r\nB=\r\nC=0A', 'A\0\xff\r\nBC\n'],
    ['8bit', 'A\x80\n\r\n.B ', 'A\x80\n\r\n.B '],
    ['x-unknown', 'A=00', 'A=00'],
  ])('keep their bytes in %s', async (encoding, body, content) => {
    const head = [`Content-Transfer-Encoding: ${encoding}`, 'Content-Type: image/png'];
    const email = await submitParts('mixed', PLAIN, [...head, '', body]);
    expect(email.attachments![0]!.content).toBe(toBase64(content));
  });

  it('include attached messages unchanged, and text parts that have a name', async () => {
    const message =
      'Subject: inner\r\nContent-Type: multipart/signed; boundary=i\r\n\r\n--i\r\n\r\nText\r\n--i--';
    const named = ['Content-Type: text/plain; name=a.txt', 'Content-Disposition: inline', '', 'File'];
    const email = await submitParts('mixed', PLAIN, ['Content-Type: message/rfc822', '', message], named);
    expect(email).toMatchObject({
      text: 'Text',
      attachments: [
        { filename: 'attachment-1.eml', content: toBase64(message) },
        { filename: 'a.txt', content: toBase64('File') },
      ],
    });
  });

  it('are inline if the HTML refers to them, even by an unusual Content-ID', async () => {
    const buildImage = (cid: string) => ['Content-Type: image/png', `Content-ID: <${cid}>`, '', 'x'];
    const html = ['Content-Type: text/html', '', '<img src="cid:a@x"><img src="cid:b$[1]">'];
    const email = await submitParts('related', html, buildImage('a@x'), buildImage('b$[1]'), buildImage('c'));
    expect(email.html).toBe('<img src="cid:a@x"><img src="cid:inline-2">');
    expect(email.attachments!.map(({ contentId }) => contentId)).toEqual(['a@x', 'inline-2', undefined]);
  });
});

it('keeps custom header fields with their capitalization and encoded words', async () => {
  const email = await submitLines(
    'From: a@b.test',
    'X-Words: =?utf-8?Q?Gr=C3=B6=C3=9Fe?=',
    'x-RAW: Gr\xf6\xdfe',
    'X-Folded: a',
    '\tb',
    'X-Folded: later',
    'Bcc: hidden@d.test',
    'Received: from a',
    'Subject: Two  =?utf-8?Q?spaces?=',
    '',
    'Text',
  );
  expect(email.subject).toBe('Two  spaces');
  expect(email.headers).toEqual({
    'X-Words': '=?utf-8?Q?Gr=C3=B6=C3=9Fe?=',
    'x-RAW': 'Größe',
    'X-Folded': 'a b',
  });
});

it.each([
  [
    'a part header above the limit',
    'multipart/mixed; boundary=b',
    [[`X-A: ${'a '.repeat(100_000)}`, '', '']],
    /^5\.3\.4 .* header/,
  ],
  ['more than 1,000 parts', 'multipart/mixed; boundary=b', Array(1_001).fill(PLAIN), /^5\.6\.0 .*parsed/],
])('rejects %s', async (_, type, parts: string[][], reply) => {
  const body = parts.flatMap((lines) => ['--b', ...lines]);
  await expect(submitLines(`Content-Type: ${type}`, '', ...body, '--b--')).rejects.toThrow(reply);
});
