import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { limits } from '../../../src/limits.ts';
import { loadMailSource } from '../../../src/message/parse/material.ts';
import { buildPlaceholder, type ParsedMail, parseMail } from '../../../src/message/parse/message.ts';
import { toRawMail } from '../../../src/message/parse/raw.ts';
import { buildRawMail, readContent, toBytes } from './raw-text.ts';

const parseLines = (...lines: string[]): Promise<ParsedMail> => parseMail(buildRawMail(...lines));

describe('parsed header', () => {
  it('contains the value of each field', async () => {
    const mail = await parseLines(
      'From: Ann <a@x.y>, b@x.y',
      'Sender: s@x.y',
      'To: c@x.y',
      'TO: d@x.y',
      'Cc: =?utf-8?Q?J=C3=B6rg?= <e@x.y>',
      'Bcc: f@x.y',
      'Reply-To: g@x.y',
      'Resent-To: h@x.y',
      'Subject: =?utf-8?Q?caf=C3=A9?=',
      '\tau lait',
      'Date: Wed, 17 May 2000 19:15:35 -0400',
      'Message-ID:  <One@x.y> ',
      'In-Reply-To: <two@x.y> (Ann)',
      'References: <three@x.y>',
      ' <two@x.y> <three@x.y>',
      'List-Id: News <news.x.y>',
      'Auto-Submitted: auto-generated',
      '',
      'Hello',
    );
    expect(mail).toMatchObject({
      state: 'parsed',
      subject: 'café au lait',
      from: [
        { name: 'Ann', address: 'a@x.y' },
        { name: '', address: 'b@x.y' },
      ],
      sender: [{ address: 's@x.y' }],
      to: [{ address: 'c@x.y' }, { address: 'd@x.y' }],
      cc: [{ name: 'Jörg', address: 'e@x.y' }],
      bcc: [{ address: 'f@x.y' }],
      replyTo: [{ address: 'g@x.y' }],
      resentTo: [{ address: 'h@x.y' }],
      date: '2000-05-17T23:15:35.000Z',
      messageId: 'One@x.y',
      inReplyTo: ['two@x.y'],
      references: ['three@x.y', 'two@x.y'],
      list: [{ name: 'list-id', value: 'News <news.x.y>' }],
      auto: [{ name: 'auto-submitted', value: 'auto-generated' }],
      text: 'Hello\n',
      html: null,
      snippet: 'Hello',
      attachments: [],
    });
  });

  it('contains fields at any position in 200 kB', async () => {
    const headers = [
      'From: Ann <a@x.y>',
      'Subject: late',
      'Date: Wed, 17 May 2000 19:15:35 -0400',
      'Message-ID: <one@x.y>',
      'References: <two@x.y>',
      'Cc: c@x.y',
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: base64',
    ];
    const people = Array.from({ length: 3_000 }, (_, no) => `user${no}@example.org`);
    const others = Array.from({ length: 1_500 }, (_, no) => `X-A: ${'some value '.repeat(10)}${no}`);
    for (const to of [`To: ${people.join(', ')}`, `To: ${people.join(',\r\n ')}`])
      for (const at of [0, 700, 1_500]) {
        const lines = [...others.slice(0, at), to, ...headers, ...others.slice(at)];
        const mail = await parseLines(...lines, '', Buffer.from('<p>caf\u00e9').toString('base64'));
        expect(mail).toMatchObject({
          subject: 'late',
          from: [{ name: 'Ann', address: 'a@x.y' }],
          cc: [{ address: 'c@x.y' }],
          date: '2000-05-17T23:15:35.000Z',
          messageId: 'one@x.y',
          references: ['two@x.y'],
          text: 'caf\u00e9',
          truncated: false,
        });
        expect(mail.to.map(({ address }) => address)).toEqual(people);
      }
  });

  it('has no date if the Date field is invalid or missing', async () => {
    expect((await parseLines('Date: bogus', '', '')).date).toBeNull();
    expect((await parseLines('Subject: x', '', '')).date).toBeNull();
  });

  it('is decoded as UTF-8, or as windows-1252 if it is not valid UTF-8', async () => {
    expect((await parseLines('Subject: J\xc3\xb6rg', '', '')).subject).toBe('Jörg');
    expect((await parseLines('Subject: J\xf6rg', '', '')).subject).toBe('Jörg');
  });

  it('marks a message without header fields as a placeholder', async () => {
    const mail = await parseLines('just text', 'and more');
    expect(mail).toMatchObject({ state: 'placeholder', subject: '', text: '', html: null, date: null });
  });
});

describe('the parsed body', () => {
  const buildTwo = (type: string, ...rest: string[]) => [
    'Subject: x',
    `Content-Type: multipart/${type}; boundary=x`,
    '',
    '--x',
    'Content-Type: text/plain; charset=utf-8',
    '',
    'pl\xc3\xa4in',
    '--x',
    'Content-Type: text/html',
    '',
    '<p>ht<b>ml</b></p>',
    ...rest,
    '--x--',
  ];

  it('uses one text part of multipart/alternative', async () => {
    const mail = await parseLines(...buildTwo('alternative'));
    expect(mail).toMatchObject({ text: 'pläin', html: '<p>ht<b>ml</b></p>', attachments: [] });
  });

  it('joins the text parts of multipart/mixed', async () => {
    const mail = await parseLines(...buildTwo('mixed'));
    expect(mail).toMatchObject({ text: 'pläin\nhtml', html: '<pre>pläin</pre>\n<p>ht<b>ml</b></p>' });
  });

  it('converts the HTML to text if there is no text part', async () => {
    const mail = await parseLines('Content-Type: text/html', '', '<style>p{}</style><p>One &amp; two');
    expect(mail).toMatchObject({ text: 'One & two', snippet: 'One & two' });
  });

  it('excludes attachments and text parts with a file name', async () => {
    const buildPart = (head: string) => ['--x', head, '', 'a'];
    const mail = await parseLines(
      ...buildTwo(
        'mixed',
        ...buildPart('Content-Type: text/plain; name=notes.txt'),
        ...buildPart('Content-Type: text/plain\r\nContent-Disposition: attachment'),
        ...buildPart('Content-Type: image/png\r\nContent-ID: <i@x>\r\nContent-Disposition: inline'),
        ...buildPart('Content-Type: message/rfc822'),
      ),
    );
    expect(mail.attachments.map(({ path, type }) => `${path} ${type}`)).toEqual([
      '3 text/plain',
      '4 text/plain',
      '5 image/png',
      '6 message/rfc822',
    ]);
    expect(mail.text).toBe('pläin\nhtml');
  });

  it('may be an HTML part with a file name in multipart/related', async () => {
    const mail = await parseLines(
      'Content-Type: multipart/related; boundary=x',
      '',
      '--x',
      'Content-Type: text/html',
      '',
      '<img src="cid:a">',
      '--x',
      'Content-Type: image/png; name=a.png',
      'Content-ID: <a>',
      '',
      'a',
      '--x--',
    );
    expect(mail).toMatchObject({ html: '<img src="cid:a">', attachments: [{ contentId: 'a' }] });
  });

  it('is truncated to the first 2 MB of a long text part', async () => {
    const mail = await parseLines('Subject: x', '', 'a'.repeat(3 * 1024 * 1024));
    expect(mail.text).toHaveLength(4 * limits.mail.body + 1024);
    expect(mail.truncated).toBe(true);
  });

  it('is truncated to 4 MB in total', async () => {
    const part = ['--x', '', 'a'.repeat(400 * 1024)];
    const lines = Array.from({ length: 20 }, () => part).flat();
    const mail = await parseLines('Content-Type: multipart/mixed; boundary=x', '', ...lines, '--x--');
    expect(mail.text.length).toBeLessThanOrEqual(2 * (4 * limits.mail.body + 1024) + 20);
    expect(mail.truncated).toBe(true);
  });

  it('has a snippet of at most 200 characters with collapsed white space', async () => {
    const mail = await parseLines(
      'Subject: x',
      '',
      `  a\tb${'\r\n'.repeat(5)}c\xc2\xa0d ${'😀 '.repeat(200)}`,
    );
    expect(mail.snippet.startsWith('a b c d')).toBe(true);
    expect(mail.snippet.length).toBeLessThanOrEqual(200);
    expect(mail.snippet.isWellFormed()).toBe(true);
  });
});

describe('difficult messages', () => {
  const buildSample = (name: string): Buffer =>
    readFileSync(new URL(`../../fixtures/mail/corpus/rails-mail/${name}.eml`, import.meta.url));

  test.each<[string, object]>([
    [
      'rfc2822/example13',
      { from: [{ name: 'John Doe', address: 'jdoe@machine.example' }], date: '1997-11-21T15:55:06.000Z' },
    ],
    [
      'rfc6532/utf8_headers',
      { subject: 'Säying Hello', from: [{ name: 'Jöhn Doe', address: 'jdöe@mächine.example' }] },
    ],
    [
      'multi_charset/japanese_iso_2022',
      { subject: 'まみむめも', to: [{ name: 'みける', address: 'raasdnil@gmail.com' }] },
    ],
    ['multi_charset/ks_c_5601-1987', { snippet: '스티해' }],
    ['error_emails/bad_date_header2', { date: null, subject: '40% OFF holiday patterns and fabric!' }],
    ['error_emails/encoding_madness', { date: '2010-09-22T07:30:53.000Z', snippet: 'Body Text' }],
    ['error_emails/multiple_content_types', { parts: [{ path: '' }, { path: '1' }, { path: '2' }] }],
    ['error_emails/new_line_in_to_header', { to: Array.from({ length: 6 }, () => ({ name: '' })) }],
    ['attachment_emails/attachment_nonascii_filename', { attachments: [{ filename: 'ciële.txt' }] }],
    ['mime_emails/email_with_similar_boundaries', { attachments: [{ path: '2', filename: 'LOGO.png' }] }],
  ])('parses %s', async (name, expected) => {
    expect(await parseMail(toRawMail(buildSample(name)))).toMatchObject({ state: 'parsed', ...expected });
  });

  it('parses samples with random bytes replaced', { timeout: 60_000 }, async () => {
    const samples = [
      'multi_charset/japanese_iso_2022',
      'error_emails/multiple_content_types',
      'attachment_emails/attachment_nonascii_filename',
    ].map(buildSample);
    const change = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...samples),
        fc.array(change, { maxLength: 20 }),
        async (message, changes) => {
          const bytes = Buffer.from(message);
          for (const [at, byte] of changes) bytes[at % bytes.length] = byte;
          const mail = await parseMail(toRawMail(bytes));
          const text = JSON.stringify(mail);
          expect(JSON.parse(text)).toEqual(mail);
          expect(text).not.toMatch(/\\u0000|\\ud[89a-f]/);
        },
      ),
      { numRuns: 300 },
    );
  });
});

it('buildPlaceholder keeps the header fields', async () => {
  const material = await loadMailSource(buildRawMail('Subject: x', 'From: a@b.c', '', 'text'));
  expect(buildPlaceholder(material)).toMatchObject({
    state: 'placeholder',
    subject: 'x',
    from: [{ address: 'a@b.c' }],
    text: '',
    parts: [{ path: '1' }],
  });
});

it('reads an attachment back unchanged', async () => {
  const file = Buffer.from(Uint8Array.from({ length: 300_000 }, (_, index) => (index * 7) % 256));
  const lines = file.toString('base64').match(/.{1,76}/g)!;
  const bytes = toBytes(
    'Content-Type: multipart/mixed; boundary=x',
    '',
    '--x',
    'Content-Type: application/pdf; name=a.pdf',
    'Content-Transfer-Encoding: base64',
    '',
    ...lines,
    '--x--',
  );
  const { attachments } = await parseMail(toRawMail(bytes));
  expect(attachments).toMatchObject([{ size: file.length }]);
  expect(await readContent(toRawMail(bytes), attachments[0]!)).toEqual(file);
});
