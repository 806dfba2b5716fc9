import { connect, type Socket } from 'node:net';
import { connect as secure } from 'node:tls';
import { beforeAll, expect, test } from 'vitest';
import { startSubmission } from '../../facades/smtp/facade.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { setUp } from '../harness/set-up.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let otherTenant: Tenant;
const facade = setUp(() => startSubmission(app.runtime, { port: 0 }));
const remoteServer = setUp(() => startSubmission(app.runtime, { port: 0, isLocal: () => false }));

beforeAll(async () => {
  otherTenant = await app.tenant('there');
});

interface EmailRow {
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
}

const loadEmails = () =>
  app.runtime.db.rows<EmailRow & { id: number }>(
    sql`select id, "from", "to", cc, bcc, subject from svc_email where workspace_id > 0 order by id`,
  );

const buildAuth = (key: string) => `AUTH PLAIN ${Buffer.from(`\0anything\0${key}`).toString('base64')}`;

/** Waits only for the greeting, writes everything at once, and reads until the server disconnects. */
function sendRaw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let output = '';
    socket.on('data', (part) => {
      output += part;
    });
    socket.on('error', reject).on('close', () => resolve(output));
    socket.once('data', () => socket.write(text));
  });
}

async function submitMail(message: string, key = app.main.teamKey, sender = 'me@main.test') {
  const before = (await loadEmails()).length;
  const begin = [
    'EHLO me',
    buildAuth(key),
    `MAIL FROM:<${sender}>`,
    'RCPT TO:<bob@example.org>',
    'DATA',
    '',
  ].join('\r\n');
  const replies = await sendRaw(facade.port, `${begin}${message}\r\n.\r\nQUIT\r\n`);
  return { replies, emails: (await loadEmails()).slice(before) };
}

const buildMessage = (...headers: string[]) => [...headers, 'To: bob@example.org', '', 'Hello'].join('\r\n');
const OWN_HEADER = 'From: me@main.test';
const FOREIGN_HEADER = 'From: ceo@there.test';

test('sends a plain message as one email', async () => {
  const { emails, replies } = await submitMail(buildMessage(OWN_HEADER, 'Subject: Hi'));
  expect(replies).toMatch(/^250 2\.0\.0 Ok: queued/m);
  expect(emails).toMatchObject([{ from: 'me@main.test', to: ['bob@example.org'], subject: 'Hi' }]);
});

test.each([
  ['a foreign From', buildMessage(FOREIGN_HEADER)],
  ['two From headers, the foreign one last', buildMessage(OWN_HEADER, FOREIGN_HEADER)],
  ['two From headers, the foreign one first', buildMessage(FOREIGN_HEADER, OWN_HEADER)],
  ['two addresses in one From', buildMessage('From: me@main.test, ceo@there.test')],
  ['two addresses in one From, reversed', buildMessage('From: ceo@there.test, me@main.test')],
  ['a From on two lines', buildMessage('From: me@main.test\r\n <ceo@there.test>')],
  ['a comment that looks like an address', buildMessage('From: (me@main.test) ceo@there.test')],
  ['a name that looks like an address', buildMessage('From: "me@main.test" <ceo@there.test>')],
  ['a group', buildMessage('From: main.test: ceo@there.test;')],
  ['a source route', buildMessage('From: <@main.test:ceo@there.test>')],
  ['two at signs', buildMessage('From: <ceo@there.test@main.test>')],
  ['a quoted at sign', buildMessage('From: <"ceo@there.test,"@main.test>, ceo@there.test')],
  ['a bare carriage return', buildMessage('From: me@main.test\rFrom: ceo@there.test')],
  ['a NUL', buildMessage('From: ceo@there.test\0@main.test')],
  ['an encoded address', buildMessage('From: =?utf-8?Q?me=40main.test?= <ceo@there.test>')],
  ['capitals and spaces', buildMessage('FROM : ceo@There.TEST')],
  ['no From', buildMessage('Subject: none')],
])('never sends on behalf of another user or domain: %s', async (_what, text) => {
  for (const sender of ['me@main.test', 'ceo@there.test']) {
    const { emails } = await submitMail(text, app.main.teamKey, sender);
    for (const { from } of emails) {
      expect(from).not.toMatch(/there\.test/i);
      expect(from).toMatch(/@main\.test>?$/);
    }
  }
});

test("rejects a sender from another workspace's domain", async () => {
  expect((await submitMail(buildMessage(OWN_HEADER), otherTenant.teamKey)).emails).toEqual([]);
  expect((await submitMail(buildMessage(FOREIGN_HEADER), otherTenant.teamKey)).emails).toHaveLength(1);
});

const LINE_ENDS = [
  '\n.\n',
  '\r\n.\n',
  '\n.\r\n',
  '\r.\r',
  '\r\n.\r',
  '\r.\r\n',
  '\n.\r',
  '\r\n\0.\r\n',
  '\r\n..\r\n',
];

test.each(LINE_ENDS)('treats the text after %j in a message as part of the message', async (end) => {
  const second = `MAIL FROM:<me@main.test>\r\nRCPT TO:<smuggled@example.org>\r\nDATA\r\n${buildMessage(OWN_HEADER, 'Subject: Smuggled')}`;
  const { emails } = await submitMail(`${buildMessage(OWN_HEADER, 'Subject: Carrier')}${end}${second}`);
  expect(emails.map(({ subject }) => subject)).not.toContain('Smuggled');
  expect(emails.flatMap(({ to, cc, bcc }) => [...to, ...cc, ...bcc])).not.toContain('smuggled@example.org');
  expect(emails.length).toBeLessThanOrEqual(1);
});

test.each([
  'Subject: =?utf-8?Q?x=0D=0ABcc:_evil@example.org?=',
  'Subject: =?utf-8?B?eA0KQmNjOiBldmlsQGV4YW1wbGUub3Jn?=',
  'Subject: x\rBcc: evil@example.org',
])('%j injects no header and no recipient', async (subject) => {
  const { emails } = await submitMail(buildMessage(OWN_HEADER, subject));
  for (const email of emails) {
    expect(email.subject).not.toMatch(/[\r\n]/);
    expect([...email.to, ...email.cc, ...email.bcc]).toEqual(['bob@example.org']);
  }
});

const readReply = (socket: Socket) =>
  new Promise<string>((resolve) => socket.once('data', (part) => resolve(String(part))));

test('discards plain-text input sent after STARTTLS once TLS is established', async () => {
  const before = await loadEmails();
  const plainSocket = connect(remoteServer.port, '127.0.0.1');
  await readReply(plainSocket);
  plainSocket.write('EHLO me\r\n');
  await readReply(plainSocket);
  const injected = `${buildAuth(app.main.teamKey)}\r\nMAIL FROM:<me@main.test>\r\n`;
  plainSocket.write(`STARTTLS\r\n${injected}`);
  expect(await readReply(plainSocket)).toMatch(/^220 /);
  const socket = secure({ socket: plainSocket, rejectUnauthorized: false });
  const responses: string[] = [];
  socket.on('data', (part) => responses.push(String(part)));
  const closed = new Promise<void>((resolve) =>
    socket.on('close', () => resolve()).on('error', () => resolve()),
  );
  socket.on('secureConnect', () => socket.write('EHLO me\r\nMAIL FROM:<me@main.test>\r\nQUIT\r\n'));
  await closed;
  expect(responses.join('')).not.toMatch(/^235 /m);
  expect(responses.join('')).not.toMatch(/^250 (2\.1\.0|Accepted)/m);
  expect(await loadEmails()).toEqual(before);
});
