import fc from 'fast-check';
import { simpleParser } from 'mailparser';
import MailComposer from 'nodemailer/lib/mail-composer';
import { expect, test } from 'vitest';
import { buildMimeMessage, type ComposeInput } from '../../src/message/compose.ts';
import { encodeQuotedPrintable } from '../../src/message/quoted-printable.ts';

const base: ComposeInput = {
  emailId: 'em_1',
  messageId: 'm1@example.com',
  date: new Date('2026-01-02T03:04:05Z'),
  from: 'Ann <ann@example.com>',
  to: ['bob@example.com'],
  subject: 'Hello',
  text: 'Hi\n',
};

const lean = { skipHtmlToText: true, skipTextToHtml: true, skipImageLinks: true, skipTextLinks: true };

/**
 * Checks the limits that apply to every message.
 * @returns the header lines
 */
function check(raw: Buffer): string[] {
  const text = raw.toString('latin1');
  expect(text).not.toMatch(/[^\x00-\x7f]|(?<!\r)\n|\r(?!\n)/);
  const lines = text.split('\r\n');
  const head = lines.slice(0, lines.indexOf(''));
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(998);
  for (const line of head) expect(line.trim(), 'no white-space-only header line').not.toBe('');
  for (const word of text.slice(0, text.indexOf('\r\n\r\n')).matchAll(/=\?UTF-8\?[QB]\?[^?]*\?=/g)) {
    expect(word[0].length).toBeLessThanOrEqual(75);
  }
  return head;
}

test('includes the email id, a Message-ID and a Date in a message, but no Bcc', async () => {
  const head = check(buildMimeMessage({ ...base, cc: ['Carl <c@exämple.de>'], replyTo: ['r@example.com'] }));
  expect(head).toEqual([
    'From: Ann <ann@example.com>',
    'To: bob@example.com',
    'Cc: Carl <c@xn--exmple-cua.de>',
    'Reply-To: r@example.com',
    'Subject: Hello',
    'Date: Fri, 02 Jan 2026 03:04:05 +0000',
    'Message-ID: <m1@example.com>',
    'X-Atrium-Email-ID: em_1',
    'MIME-Version: 1.0',
    'Content-Type: text/plain; charset=utf-8',
    'Content-Transfer-Encoding: 7bit',
  ]);
});

test('refers to the parent and the thread in a reply', () => {
  const head = check(
    buildMimeMessage({ ...base, inReplyTo: 'p@x.example', references: ['<a@x.example>', 'p@x.example'] }),
  );
  expect(head).toContain('In-Reply-To: <p@x.example>');
  expect(head).toContain('References: <a@x.example> <p@x.example>');
});

test('keeps quotes in structured headers and encodes non-ASCII values as encoded words', () => {
  const headers = {
    'List-Id': '"My list" <l.example.com>',
    'List-Unsubscribe': '<https://x.example/u?a=1>',
    'X-N': 'größe',
  };
  const head = check(buildMimeMessage({ ...base, headers }));
  expect(head).toContain('List-Id: "My list" <l.example.com>');
  expect(head).toContain('List-Unsubscribe: <https://x.example/u?a=1>');
  expect(head).toContain('X-N: =?UTF-8?Q?gr=C3=B6=C3=9Fe?=');
});

test('trims machine-readable fields without encoding them and accepts several Reply-To addresses', () => {
  const headers = {
    'List-Unsubscribe': ' <https://x.example/u?id=1>,\t<mailto:u@x.example> ',
    'List-Id': 'Größe <news.example.com>',
    'Reply-To': 'a@x.example, "B, c" <b@x.example>',
  };
  const head = check(buildMimeMessage({ ...base, headers }));
  expect(head).toContain('List-Unsubscribe: <https://x.example/u?id=1>, <mailto:u@x.example>');
  expect(head).toContain('List-Id: =?UTF-8?Q?Gr=C3=B6=C3=9Fe?= <news.example.com>');
  expect(head).toContain('Reply-To: a@x.example, "B, c" <b@x.example>');
  for (const value of ['<https://x.example/ö>', `<https://x.example/${'a'.repeat(900)}>`])
    expect(() => buildMimeMessage({ ...base, headers: { 'List-Unsubscribe': value } })).toThrow(
      'can only be ASCII',
    );
});

test('attaches a message as a plain file, because message/rfc822 cannot be base64', async () => {
  const content = Buffer.from('Subject: x\r\n\r\nHi').toString('base64');
  const raw = buildMimeMessage({ ...base, attachments: [{ filename: 'm.eml', content }] });
  expect(raw.toString()).toContain('Content-Type: application/octet-stream; name="m.eml"');
  expect((await simpleParser(raw)).attachments[0]!.content.toString()).toBe('Subject: x\r\n\r\nHi');
});

const injections: [name: string, change: Partial<ComposeInput>, reason: RegExp][] = [
  ['subject', { subject: 'Hi\r\nBcc: x@evil.example' }, /subject contains a line break/],
  ['subject with LF', { subject: 'Hi\nBcc: x@evil.example' }, /subject contains a line break/],
  ['subject with CR', { subject: 'Hi\rBcc: x@evil.example' }, /subject contains a line break/],
  ['subject with NUL', { subject: 'Hi\0' }, /subject contains a line break or a control/],
  ['subject with NEL', { subject: 'Hi\u0085Bcc: x@evil.example' }, /subject contains a line break/],
  ['from name', { from: 'A\r\nBcc: x@evil.example <a@example.com>' }, /from .* is not a valid address/],
  ['to', { to: ['a@example.com\r\nBcc: x@evil.example'] }, /to .* is not a valid address/],
  ['to list', { to: ['a@example.com, b@example.com'] }, /to .* is not a valid address/],
  ['cc', { cc: ['<a@example.com>\nX: y'] }, /cc .* is not a valid address/],
  ['reply-to', { replyTo: ['a@example.com\n'] }, /replyTo .* is not a valid address/],
  ['header value', { headers: { 'X-A': 'b\r\nBcc: x@evil.example' } }, /X-A contains a line break/],
  ['header name', { headers: { 'X-A: b\r\nBcc': 'x@evil.example' } }, /header name .* is not valid/],
  ['header name with colon', { headers: { 'From: x (': 'y' } }, /header name .* is not valid/],
  ['bcc as header', { headers: { bCC: 'x@evil.example' } }, /bCC has its own field/],
  ['second from', { headers: { From: 'x@evil.example' } }, /From has its own field/],
  ['email id as header', { headers: { 'x-atrium-email-id': 'other' } }, /has its own field/],
  ['a header that SES interprets', { headers: { 'X-SES-Configuration-Set': 'other' } }, /has its own field/],
  ['message id', { messageId: 'a@b>\r\nX: y' }, /messageId is not a valid message id/],
  ['references', { references: ['a@b', 'x> <y'] }, /references is not a valid message id/],
  ['email id', { emailId: 'a\r\nb' }, /emailId is not a token/],
  ['filename', { attachments: [{ filename: 'a\r\nX: y', content: 'AAAA' }] }, /filename is not valid/],
  [
    'content type',
    { attachments: [{ filename: 'a', content: 'AAAA', contentType: 'a/b\r\nX: y' }] },
    /content type .* not valid/,
  ],
  [
    'nested type',
    { attachments: [{ filename: 'a', content: 'AAAA', contentType: 'multipart/mixed' }] },
    /content type .* not valid/,
  ],
  ['not base64', { attachments: [{ filename: 'a', content: 'no base64!' }] }, /is not base64/],
];

test.each(injections)('rejects header injection through %s with a reason', (_name, change, reason) => {
  expect(() => buildMimeMessage({ ...base, ...change })).toThrow(reason);
});

test.each([
  ['text', { text: 'T' }, 'text/plain'],
  ['html', { text: null, html: '<p>H</p>' }, 'text/html'],
  ['both', { text: 'T', html: '<p>H</p>' }, 'multipart/alternative'],
  ['nothing', { text: null }, 'text/plain'],
  ['a file', { attachments: [{ filename: 'a.pdf', content: 'AAAA' }] }, 'multipart/mixed'],
])('sets the content type of a message with %s', async (_name, change, type) => {
  const raw = buildMimeMessage({ ...base, ...change });
  check(raw);
  expect(raw.toString()).toContain(`Content-Type: ${type}`);
});

const word = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom(
    'Größe',
    '日本語のメール',
    '🎉👩‍👩‍👧',
    'a'.repeat(1200),
    'plain words here',
    '"quoted", \\ (x)',
    'مرحبا',
    '= ?=x _',
    'e\u0301',
  ),
);
const line = fc
  .array(word, { maxLength: 12 })
  .map((words) => words.join(' ').replace(/[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]|=\?/g, ''));
const bodyText = fc
  .array(fc.oneof(line, fc.constantFrom('.', '..x', 'From me', '--', ' trailing ', '\t', '='.repeat(80))), {
    maxLength: 20,
  })
  .map((lines) => lines.join('\n'));
const name = line.map((text) =>
  text
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .slice(0, 80)
    .toWellFormed()
    .trim(),
);
const quote = (text: string) =>
  text ? `"${text.replace(/["\\]/g, '\\$&')}" <p@example.com>` : 'p@example.com';
const file = fc.record({
  filename: name.filter((text) => text !== ''),
  content: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('base64')),
});

const message = fc.record({
  from: name.map(quote),
  subject: line,
  text: fc.option(bodyText),
  html: fc.option(bodyText),
  header: line,
  attachments: fc.array(file, { maxLength: 2 }),
});

/**
 * Returns the message as a client displays it, after normalization. The parser does not decode custom headers, so they
 * are read as subjects.
 */
async function parse(raw: Buffer) {
  const mail = await simpleParser(raw, lean);
  const squash = (text: unknown) =>
    String(text || '')
      .replace(/\s+/g, ' ')
      .trim();
  return {
    from: squash(mail.from?.value[0]?.name),
    subject: squash(mail.subject),
    text: (mail.text ?? '').replace(/\r\n/g, '\n').replace(/\n+$/, ''),
    html: (mail.html || '').replace(/\r\n/g, '\n').replace(/\n+$/, ''),
    header: squash((await simpleParser(`Subject: ${mail.headers.get('x-line')}\r\n\r\n`, lean)).subject),
    files: mail.attachments.map((attachment) => [
      squash(attachment.filename),
      attachment.content.toString('base64'),
    ]),
  };
}

/** Composes the expected message with the library's composer, as a reference implementation. */
function composeExpected(input: ComposeInput): Promise<Buffer> {
  const { from, to, subject, text, html, headers, attachments } = input;
  const files = attachments?.map((attachment) => ({ ...attachment, encoding: 'base64' }));
  const options = {
    from,
    to: [...to],
    subject,
    text: text || '',
    html: html || undefined,
    headers: { ...headers },
    attachments: files,
    newline: 'win',
  };
  return new MailComposer(options).compile().build();
}

test("composes messages that parse to the same content as nodemailer's, for any Unicode input", async () => {
  await fc.assert(
    fc.asyncProperty(message, async ({ header, ...rest }) => {
      const input = { ...base, ...rest, headers: { 'X-Line': header.trim() || 'x' } };
      const raw = buildMimeMessage(input);
      check(raw);
      const parsedMail = await parse(raw);
      expect(parsedMail).toEqual(await parse(await composeExpected(input)));
      expect(parsedMail.subject).toBe(rest.subject.toWellFormed().replace(/\s+/g, ' ').trim());
      expect(parsedMail.text.trimEnd()).toBe((rest.text ?? '').toWellFormed().trimEnd());
    }),
    { numRuns: 100 },
  );
});

test('encodes quoted-printable in lines of at most 76 characters without trailing spaces or split escapes', () => {
  fc.assert(
    fc.property(bodyText, (text) => {
      const lines = encodeQuotedPrintable(text.replace(/\n/g, '\r\n')).split('\r\n');
      for (const line of lines) {
        expect(line.length).toBeLessThanOrEqual(76);
        expect(line).toMatch(/^(?:[\t\x20-\x3c\x3e-\x7e]|=[0-9A-F]{2})*=?$/);
        expect(line).not.toMatch(/[\t ]$/);
      }
    }),
    { numRuns: 500 },
  );
});

test('delivers a large attachment unchanged', async () => {
  const content = Buffer.from(Uint8Array.from({ length: 1_000_003 }, (_, index) => (index * 31) & 255));
  const raw = buildMimeMessage({
    ...base,
    attachments: [{ filename: 'ä.bin', content: content.toString('base64') }],
  });
  check(raw);
  const mail = await simpleParser(raw, lean);
  expect(mail.attachments[0]?.filename).toBe('ä.bin');
  expect(mail.attachments[0]?.content.equals(content)).toBe(true);
});
