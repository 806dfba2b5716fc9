import pg from 'pg';
import { expect, test, vi } from 'vitest';
import { MAX_HEADER_NAMES } from '../../schema/mailbox/read/message-facts.ts';
import {
  MAX_RESPONSE_HEADER_CHARS,
  MAX_RESPONSE_PARTS,
  MAX_RESPONSE_TEXT_BYTES,
} from '../../schema/mailbox/read/response-budget.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { callMailOk, queryGraphql, setUpMailbox } from './mailboxes.ts';
import { fileRaw } from './raw-mail.ts';

const app = setUpApp();
const mailbox = setUpMailbox(app);

const RICH = `Received: from a by b
Received: from c by d
From: =?utf-8?Q?J=C3=B6rg?= <joerg@example.org>
To: "User, The" <user@main.test>, second@main.test
Cc: third@example.org
Reply-To: Office <office@example.org>
Subject: Figures
Date: Wed, 4 Mar 2026 05:06:07 +0100
Message-ID: <figures@example.org>
In-Reply-To: <asked@main.test>
References: <first@main.test> <asked@main.test>
X-Odd: =?utf-8?Q?=C3=84?=
 folded
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=m

--m
Content-Type: multipart/alternative; boundary=a

--a
Content-Type: text/plain; charset=utf-8

My answer.

On Monday, Ann wrote:
> the question
--a
Content-Type: text/html; charset=utf-8

<p onclick="x()">My answer.</p><img src="cid:pic@x"><img src="https://tracker.example/p.png">
<script>alert(1)</script>
--a--
--m
Content-Type: image/png; name=pic.png
Content-Transfer-Encoding: base64
Content-ID: <pic@x>
Content-Disposition: inline

iVBORw0KGgo=
--m--
`;

const ALL_FIELDS = `from { name email } to { name email } cc { name email } bcc { email } replyTo { name email }
  messageId inReplyTo references subject preview text textReply
  headers(names: ["received", "X-Odd"]) { name value }
  html hasRemoteImages open: html(remoteImages: true)
  attachments { id number name type size inline contentId url }
  verdicts { spf dkim dmarc arc } deliveryStatus isRead isStarred isAnswered mailboxId mailbox { address }
  folder { role } labels { nodes { name } } thread { id count }`;

const loadMessage = async (id: number, fields: string, key?: string) => {
  const { data, errors } = await queryGraphql(app, `{ mailMessage(id: ${id}) { ${fields} } }`, {}, key);
  return { message: data?.mailMessage, errors };
};

test('returns every part of a message as a typed field, without changing flags', async () => {
  const id = await fileRaw(app.main, mailbox, RICH);
  const { message, errors } = await loadMessage(id, ALL_FIELDS);
  expect(errors).toBeUndefined();
  const { html, open, attachments, text, ...rest } = message;
  expect(rest).toEqual({
    from: { name: 'Jörg', email: 'joerg@example.org' },
    to: [
      { name: 'User, The', email: 'user@main.test' },
      { name: '', email: 'second@main.test' },
    ],
    cc: [{ name: '', email: 'third@example.org' }],
    bcc: [],
    replyTo: [{ name: 'Office', email: 'office@example.org' }],
    messageId: 'figures@example.org',
    inReplyTo: 'asked@main.test',
    references: ['first@main.test', 'asked@main.test'],
    subject: 'Figures',
    preview: 'My answer. On Monday, Ann wrote: > the question',
    textReply: 'My answer.',
    headers: [
      { name: 'received', value: 'from a by b' },
      { name: 'received', value: 'from c by d' },
      { name: 'x-odd', value: 'Ä folded' },
    ],
    hasRemoteImages: true,
    verdicts: null,
    deliveryStatus: null,
    isRead: false,
    isStarred: false,
    isAnswered: false,
    mailboxId: String(mailbox.id),
    mailbox: { address: mailbox.address },
    folder: { role: 'INBOX' },
    labels: { nodes: [] },
    thread: { id: String(id), count: 1 },
  });
  expect(text).toContain('> the question');
  expect(html).toContain('My answer.');
  expect(html).not.toMatch(/script|onclick|tracker/);
  expect(open).toContain('https://tracker.example/p.png');
  expect(attachments).toEqual([
    {
      id: `${id}.${attachments[0].number}`,
      number: attachments[0].number,
      name: 'pic.png',
      type: 'image/png',
      size: 8,
      inline: true,
      contentId: 'pic@x',
      url: expect.stringContaining('/mail/file?'),
    },
  ]);
  expect((await (await fetch(attachments[0].url)).arrayBuffer()).byteLength).toBe(8);
  expect((await loadMessage(id, 'isRead')).message).toEqual({ isRead: false });
});

test('returns all headers in order if `names` is omitted, and rejects too many names', async () => {
  const id = await fileRaw(app.main, mailbox, RICH.replace('figures@', 'headers@'));
  const names = (await loadMessage(id, 'headers { name }')).message.headers.map(
    (header: { name: string }) => header.name,
  );
  expect(names.slice(0, 4)).toEqual(['received', 'received', 'from', 'to']);
  expect(names.at(-1)).toBe('content-type');
  const list = JSON.stringify(Array.from({ length: MAX_HEADER_NAMES + 1 }, (_, i) => `x${i}`));
  const { errors } = await loadMessage(id, `headers(names: ${list}) { name }`);
  expect(errors[0].extensions.code).toBe('BAD_REQUEST');
});

test('returns the stored authentication verdicts over GraphQL and JSON', async () => {
  const id = await fileRaw(app.main, mailbox, RICH.replace('figures@', 'verdicts@').replace('Figures', 'V'));
  const { db, workspace } = app.main.ctx;
  const verdicts = {
    spf: 'softfail',
    dkim: 'pass',
    signedBy: ['example.org'],
    dmarc: 'fail',
    policy: 'reject',
    arc: 'odd',
  };
  await db.rows(
    sql`update svc_mail_message set verdicts = ${JSON.stringify(verdicts)}::jsonb
     where workspace_id = ${workspace.id} and subject = 'V'`,
  );
  const { message } = await loadMessage(id, 'verdicts { doubt spf dkim signedBy dmarc policy arc }');
  expect(message.verdicts).toEqual({
    doubt: 'DISOWNED',
    spf: 'SOFTFAIL',
    dkim: 'PASS',
    signedBy: ['example.org'],
    dmarc: 'FAIL',
    policy: 'REJECT',
    arc: null,
  });
  const detail = await callMailOk(app, 'get_entry_detail', { entry_id: id });
  expect(detail.verdicts).toEqual({
    ...verdicts,
    doubt: 'disowned',
    signedBy: undefined,
    signed_by: ['example.org'],
    arc: null,
  });
});

const getStatementText = (statement: unknown): string =>
  typeof statement === 'string' ? statement : ((statement as { text?: string })?.text ?? '');

test.each([
  ['from { email } references attachments { name } textReply verdicts { spf } thread { count }', 3],
  ['headers { name }', 1],
  ['html', 2],
])(
  'runs the same number of statements for a page of messages with %s as for a single message',
  async (fields, minCount) => {
    for (const n of [1, 2, 3, 4])
      await fileRaw(app.main, mailbox, RICH.replace('figures@', `page${fields.length}-${n}@`));
    const readStatements = async (first: number) => {
      const sent = vi.spyOn(pg.Client.prototype, 'query');
      const { data } = await queryGraphql(app, `{ mailMessages(first: ${first}) { nodes { ${fields} } } }`);
      expect(data.mailMessages.nodes).toHaveLength(first);
      const count = sent.mock.calls.filter(([statement]) =>
        /svc_mail_/.test(getStatementText(statement)),
      ).length;
      sent.mockRestore();
      return count;
    };
    const few = await readStatements(1);
    expect(few).toBeGreaterThan(minCount);
    expect(await readStatements(4)).toBe(few);
  },
);

test('includes bodies in the query cost, and returns an error with a path for HTML beyond the response limit', async () => {
  const readPage = (fields: string, first = 500) =>
    queryGraphql(app, `{ mailMessages(first: ${first}) { nodes { ${fields} } } }`);
  for (const fields of ['html', 'a: text b: textReply c: text'])
    expect([fields, (await readPage(fields)).errors[0].extensions.code]).toEqual([fields, 'TOO_COMPLEX']);
  const large = `Subject: large\nContent-Type: text/html\n\n<p>${'word '.repeat(200_000)}</p>\n`;
  for (let n = 0; n < 5; n++) await fileRaw(app.main, mailbox, `X-N: ${n}\n${large}`);
  const { data, errors } = await readPage('subject html', 5);
  const hasHtml = data.mailMessages.nodes.map((node: { html: string | null }) => node.html !== null);
  expect(hasHtml).toEqual([true, true, true, true, false]);
  expect(errors).toMatchObject([{ path: ['mailMessages', 'nodes', 4, 'html'] }]);
});

async function loadField(field: string, first: number) {
  const { data, errors } = await queryGraphql(
    app,
    `{ mailMessages(first: ${first}) { nodes { shown: ${field} } } }`,
  );
  const nodes = data.mailMessages.nodes as { shown: unknown }[];
  const beyond = nodes.flatMap(({ shown }, index) => (shown === null ? [index] : []));
  const paths = errors?.map((error: { path: unknown[] }) => error.path) ?? [];
  expect(paths).toEqual(beyond.map((index) => ['mailMessages', 'nodes', index, 'shown']));
  return beyond;
}

async function fileNewestMails(count: number, messageOf: (n: number) => string): Promise<void> {
  const date = new Date(Date.now() + 86_400_000);
  for (let n = 0; n < count; n++) await fileRaw(app.main, mailbox, `X-N: ${n}\n${messageOf(n)}`, { date });
}

test('returns an error with a path for each text beyond the response limit', {
  tags: 'slow',
}, async () => {
  const size = 50_000;
  const maxMessages = Math.floor(MAX_RESPONSE_TEXT_BYTES / (2 * size));
  await fileNewestMails(
    maxMessages + 2,
    () => `Content-Type: text/plain; charset=utf-8\n\n${'ä'.repeat(size)}`,
  );
  expect(await loadField('textReply', maxMessages + 2)).toEqual([maxMessages, maxMessages + 1]);
  expect(await loadField('textReply', maxMessages)).toEqual([]);
});

test('returns an error with a path for headers beyond the response limit', {
  tags: 'slow',
  timeout: 60_000,
}, async () => {
  const line = `X-Long: ${'x'.repeat(900)}\n`;
  const maxMessages = Math.ceil(MAX_RESPONSE_HEADER_CHARS / (66 * 906));
  await fileNewestMails(maxMessages + 2, () => `${line.repeat(66)}Subject: x\n\nHi\n`);
  expect(await loadField('headers(names: ["subject"]) { value }', maxMessages + 2)).toEqual([
    maxMessages,
    maxMessages + 1,
  ]);
});

test('returns an error with a path for attachments beyond the response limit', async () => {
  const parts = 900;
  const file = '--m\nContent-Type: image/png\nContent-Disposition: attachment\n\nx\n';
  const maxMessages = Math.floor(MAX_RESPONSE_PARTS / parts);
  const head = 'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=m\n\n';
  await fileNewestMails(maxMessages + 2, () => `${head}${file.repeat(parts)}--m--\n`);
  expect(await loadField('attachments { number }', maxMessages + 2)).toEqual([maxMessages, maxMessages + 1]);
}, 60_000);

test.each([
  ['the envelope sender', 'Return-Path: <env@example.org>', 'env@example.org'],
  ['no Sender', 'Return-Path: <env@example.org>\nSender: s@example.org', 'env@example.org'],
  ['nothing', 'Return-Path: <>', null],
])('uses %s as the sender of a message without From', async (_name, fields, email) => {
  const id = await fileRaw(
    app.main,
    mailbox,
    `${fields}\nTo: ${mailbox.address}\nSubject: ${fields}\n\nText\n`,
  );
  const { data } = await queryGraphql(app, 'query ($id: ID!) { mailMessage(id: $id) { from { email } } }', {
    id,
  });
  expect(data.mailMessage.from).toEqual(email && { email });
});

test("hides a message's fields from other users", async () => {
  const id = await fileRaw(app.main, mailbox, RICH.replace('figures@', 'mine@'));
  expect((await loadMessage(id, ALL_FIELDS, app.main.admin.key)).message).toBeNull();
});
