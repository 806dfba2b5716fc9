import { execFile } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { connect as connectTls } from 'node:tls';
import { promisify } from 'node:util';
import { createTransport, type SendMailOptions } from 'nodemailer';
import { expect, test } from 'vitest';
import { loadCertificate } from '../../facades/smtp/certificate.ts';
import { startSubmission } from '../../facades/smtp/facade.ts';
import { createKey, revokeKey } from '../../schema/base/keys/keys.ts';
import type { EmailContent } from '../../schema/email/accept/email-draft.ts';
import { sql } from '../../src/db/sql.ts';
import { findPython } from '../clients/python.ts';
import { type App, setUpApp } from '../harness/app.ts';
import { startProcess } from '../harness/process.ts';
import { setUp } from '../harness/set-up.ts';
import { until } from '../harness/wait.ts';

const python = await findPython('smtplib', 'python3');

const app = setUpApp();
const facade = setUp(() => startSubmission(app.runtime, { port: 0, tlsPort: 0 }));
const remoteServer = setUp(() => startSubmission(app.runtime, { port: 0, tlsPort: 0, isLocal: () => false }));
/** Treats every client as remote. */

const createMailer = (pass: string, port = facade.port, overrides: object = {}) =>
  createTransport({
    host: '127.0.0.1',
    port,
    requireTLS: true,
    tls: { rejectUnauthorized: false },
    auth: { user: 'anything', pass },
    ...overrides,
  });

const from = 'Sender <me@main.test>';
const plain = { from, to: 'bob@example.org', subject: 'Subject', text: 'Body' };

interface StoredEmail extends EmailContent {
  metadata: { messageId?: string } | null;
  state: string;
}

const loadNewest = async (count = 1): Promise<StoredEmail[]> =>
  app.runtime.db.rows<StoredEmail>(
    sql`select * from svc_email where workspace_id > 0 order by id desc limit ${count}`,
  );

const countEmails = (): Promise<number> =>
  app.runtime.db.value<number>(sql`select count(*)::int from svc_email where workspace_id > 0`);

async function submitMail(mail: SendMailOptions, key = app.main.teamKey): Promise<string> {
  const { response } = await createMailer(key).sendMail(mail);
  return /^250 2\.0\.0 Ok: queued as (.+)$/.exec(response)![1]!;
}

const submitRejected = (mail: SendMailOptions, key = app.main.teamKey) =>
  createMailer(key)
    .sendMail(mail)
    .then(
      ({ response }) => response,
      (error: { response?: string; message: string }) => error.response ?? error.message,
    );

test('keeps recipients, headers, attachments and inline files of a nodemailer message', async () => {
  const id = await submitMail({
    from: '"Sender, Inc." <me@main.test>',
    to: ['Bob <bob@example.org>', 'second@example.org'],
    cc: 'Cc Person <cc@example.org>',
    bcc: 'hidden@example.org',
    replyTo: 'Answers <answers@main.test>',
    subject: 'Größe – ein Betreff, der so lang ist, dass ihn der Client auf mehrere Zeilen verteilen muss',
    text: 'Text',
    html: '<p>Hallo <img src="cid:logo$1@x"></p>',
    headers: {
      'X-Mine': 'yes',
      'X-Long': `${'word '.repeat(40)}ü`,
      'List-Unsubscribe': '<https://main.test/u>, <mailto:u@main.test>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
    inReplyTo: '<before@example.org>',
    references: '<before@example.org>',
    messageId: '<first@main.test>',
    attachments: [
      { filename: 'größe.txt', content: 'file', contentType: 'text/plain' },
      { filename: 'logo.png', content: Buffer.from([1, 2, 3]), cid: 'logo$1@x' },
    ],
  });
  const [email] = await loadNewest();
  expect(email).toMatchObject({
    public_id: id,
    from: '"Sender, Inc." <me@main.test>',
    to: ['"Bob" <bob@example.org>', 'second@example.org'],
    cc: ['"Cc Person" <cc@example.org>'],
    bcc: ['hidden@example.org'],
    reply_to: ['"Answers" <answers@main.test>'],
    subject: 'Größe – ein Betreff, der so lang ist, dass ihn der Client auf mehrere Zeilen verteilen muss',
    text: expect.stringMatching(/^Text\s*$/),
    metadata: { messageId: '<first@main.test>' },
    headers: {
      'X-Mine': 'yes',
      'X-Long': expect.stringMatching(/^(?:=\?UTF-8\?Q\?\S+\?= ?)+$/),
      'List-Unsubscribe': '<https://main.test/u>, <mailto:u@main.test>',
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'In-Reply-To': '<before@example.org>',
      References: '<before@example.org>',
    },
  });
  expect(Object.keys(email!.headers!)).not.toContain('Bcc');
  const findFile = (name: string) => email!.attachments!.find(({ filename }) => filename === name);
  const [file, logo] = [findFile('größe.txt'), findFile('logo.png')];
  expect(file).toEqual({
    filename: 'größe.txt',
    content: Buffer.from('file').toString('base64'),
    contentType: 'text/plain',
  });
  expect(logo).toMatchObject({ filename: 'logo.png', contentType: 'image/png', content: 'AQID' });
  expect(email!.html).toContain(`cid:${logo!.contentId}`);
});

test('sends a submitted message with the worker that sends other email', async () => {
  const worker = await app.deliver();
  const id = await submitMail({ ...plain, bcc: 'hidden@example.org' });
  let row: { recipients: string[]; raw: Buffer } | undefined;
  await until(async () => {
    [row] = await app.runtime.db.rows<{ recipients: string[]; raw: Buffer }>(
      sql`select o.recipients, o.raw from svc_outbox o join svc_email e on e.workspace_id = o.workspace_id and e.id = o.email_id
       where o.workspace_id > 0 and e.public_id = ${id}`,
    );
    return row;
  }, 'it is kept');
  await worker.stop();
  expect(row!.recipients).toEqual(['bob@example.org', 'hidden@example.org']);
  expect(row!.raw.toString()).not.toContain('hidden@example.org');
});

test('uses the envelope recipients and ignores addresses found only in the header', async () => {
  await submitMail({
    envelope: { from: 'bounces@elsewhere.test', to: ['BOB@example.org', 'only@exämple.org'] },
    raw: 'From: me@main.test\r\nTo: bob@example.org, absent@example.org\r\nBcc: also-absent@example.org\r\nSubject: s\r\n\r\nb\r\n',
  });
  const [email] = await loadNewest();
  expect([email!.to, email!.cc]).toEqual([['bob@example.org'], []]);
  expect(email!.bcc.map((text) => text.replace('xn--exmple-cua', 'exämple'))).toEqual(['only@exämple.org']);
  expect(email!.from).toBe('me@main.test');
});

test('sends separate messages to undisclosed recipients', async () => {
  const ids = await submitMail({
    envelope: { from: 'me@main.test', to: ['one@example.org', 'two@example.org'] },
    raw: 'From: me@main.test\r\nTo: undisclosed-recipients:;\r\nSubject: s\r\n\r\nb\r\n',
  });
  expect(ids.split(' ')).toHaveLength(2);
  const matchingEmails = await loadNewest(2);
  expect(matchingEmails.map(({ to, cc, bcc }) => [...to, ...cc, ...bcc]).sort()).toEqual([
    ['one@example.org'],
    ['two@example.org'],
  ]);
});

test('sends a message without a subject or body', async () => {
  await submitMail({ from, to: 'bob@example.org', attachments: [{ filename: 'scan.pdf', content: 'pdf' }] });
  const [email] = await loadNewest();
  expect(email).toMatchObject({ subject: '(no subject)', attachments: [{ filename: 'scan.pdf' }] });
});

test('deduplicates messages by key, Message-ID and envelope', async () => {
  const mail = { ...plain, messageId: '<again@main.test>' };
  const [first, count] = [await submitMail(mail), await countEmails()];
  expect(await submitMail(mail)).toBe(first);
  expect(await countEmails()).toBe(count);
  const other = await createKey(app.main.ctx, { name: 'other', userId: null, scopes: [], days: null });
  expect(await submitMail(mail, other.key)).not.toBe(first);
  const rest = { ...mail, envelope: { from: 'me@main.test', to: ['late@example.org'] } };
  expect(await submitMail(rest)).not.toBe(first);
  expect(await submitRejected({ ...mail, text: 'Another body' })).toMatch(/^554 5\.6\.0 .*Message-ID/);
});

test('rejects an invalid key at AUTH and a revoked key at the next message', async () => {
  for (const key of ['us_0123456789_0123456789abcdef0123456789abcdef', app.main.user.key, 'password', '']) {
    expect(await submitRejected(plain, key)).toMatch(/^535 5\.7\.8|Missing credentials/);
  }
  const { id, key } = await createKey(app.main.ctx, { name: 'short', userId: null, scopes: [], days: null });
  const transport = createMailer(key, facade.port, { pool: true, maxConnections: 1 });
  await transport.sendMail(plain);
  await revokeKey(app.main.ctx, id, null);
  await expect(transport.sendMail(plain)).rejects.toMatchObject({ responseCode: 535 });
  transport.close();
});

test("rejects an unverified domain and another workspace's domain with 550 5.7.1", async () => {
  await app.runtime.db.rows(
    sql`insert into svc_domain (id, workspace_id, name, status, region) values (nextval('svc_domain_id_seq'), ${app.main.ctx.workspace.id}, 'pending.test', 'PENDING', 'local')`,
  );
  expect(await submitRejected({ ...plain, from: 'me@pending.test' })).toMatch(/^550 5\.7\.1 .*not verified/);
  expect(await submitRejected({ ...plain, from: 'me@elsewhere.test' })).toMatch(
    /^550 5\.7\.1 .*not registered in this workspace/,
  );
});

test('omits a suppressed recipient, like the REST API', async () => {
  await app.runtime.db.rows(
    sql`insert into svc_suppression (workspace_id, id, email) values (${app.main.ctx.workspace.id}, 800, 'blocked@example.org')`,
  );
  await submitMail({ ...plain, to: ['blocked@example.org', 'bob@example.org'] });
  expect((await loadNewest())[0]!.to).toEqual(['bob@example.org']);
  await submitMail({ ...plain, to: 'Blocked <Blocked@example.org>' });
  expect((await loadNewest())[0]).toMatchObject({ state: 'suppressed' });
});

test('announces the size limit, and rejects a larger message with 552 before or after its bytes arrive', {
  tags: 'slow',
}, async () => {
  const maxBytes = 28 * 1024 * 1024;
  const lines = await talk(facade.port, ['EHLO me', 'QUIT']);
  // Local parts must be ASCII, so the extension is not offered.
  expect(lines).not.toContain('SMTPUTF8');
  expect(lines).toContain(`SIZE ${maxBytes}`);
  const count = await countEmails();
  const large = { ...plain, attachments: [{ filename: 'a.bin', content: Buffer.alloc(22 * 1024 * 1024) }] };
  expect(await submitRejected(large)).toMatch(/^552 /);
  const begin = buildOpening();
  expect(
    await talk(facade.port, [...begin.slice(0, 2), `MAIL FROM:<me@main.test> SIZE=${maxBytes + 1}`, 'QUIT']),
  ).toMatch(/^552 /m);
  const body = `${`${'x'.repeat(998)}\r\n`.repeat(29_500)}.`;
  expect(await talk(facade.port, [...begin, body, 'QUIT'])).toMatch(/^552 5\.3\.4 /m);
  expect(await countEmails()).toBe(count);
});

test('returns 552 for more than 10 attachments, even if several clients send them concurrently', {
  tags: 'slow',
}, async () => {
  const count = await countEmails();
  const buildAttachments = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ filename: `${index}.txt`, content: `file ${index}` }));
  expect(await submitRejected({ ...plain, attachments: buildAttachments(11) })).toMatch(
    /^552 5\.3\.4 .*10 attachments/,
  );
  await submitMail({ ...plain, attachments: buildAttachments(10) });
  expect((await loadNewest())[0]!.attachments).toHaveLength(10);
  const part = '--b\r\nContent-Type: application/x\r\n\r\n';
  const long = `${'x'.repeat(998)}\r\n`.repeat(25_000);
  const message = [
    'From: me@main.test\r\nTo: bob@example.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n',
    ...Array(10).fill(`${part}small\r\n`),
    `${part}${long}`,
    '--b--\r\n.',
  ].join('');
  const session = [...buildOpening(), message, 'QUIT'];
  const sessions = await Promise.all(Array.from({ length: 6 }, () => talk(facade.port, session)));
  for (const lines of sessions) expect(lines).toMatch(/^552 5\.3\.4 .*10 attachments/m);
  expect(await countEmails()).toBe(count + 1);
});

test('sends an empty attachment', async () => {
  const worker = await app.deliver();
  const id = await submitMail({ ...plain, attachments: [{ filename: 'empty.log', content: '' }] });
  const mail = `${app.url}/api/v1/emails/${id}`;
  const headers = { authorization: `Bearer ${app.main.teamKey}` };
  await until(
    async () => (await (await fetch(mail, { headers })).json()).latestStatus === 'DELIVERED',
    'it left',
  );
  await worker.stop();
  const source = await app.runtime.db.value<string>(
    sql`select convert_from(o.raw, 'UTF8') from svc_outbox o
     join svc_email e on e.workspace_id = ${app.main.ctx.workspace.id} and e.id = o.email_id
     where o.workspace_id = ${app.main.ctx.workspace.id} and e.public_id = ${id}`,
  );
  expect(source).toMatch(/filename="?empty\.log"?\r\n[\s\S]*?\r\n\r\n(?:\r\n)?--/);
});

test('sends 421 to a client that disconnects during a message and counts no error', async () => {
  const socket = connect(facade.port, '127.0.0.1');
  const readCount = async (status: number) => {
    const text = await (await fetch(`${app.url}/metrics`)).text();
    const line = new RegExp(
      `^atrium_request_seconds_count\\{facade="smtp",status="${status}"\\} (\\d+)`,
      'm',
    );
    return Number(line.exec(text)?.[1] ?? 0);
  };
  const [disconnected, faults] = [await readCount(421), await readCount(451)];
  await talkOn(socket, [...buildOpening(), () => socket.write('Subject: ha')]);
  await until(async () => (await readCount(421)) > disconnected, 'it is counted');
  expect(await readCount(451)).toBe(faults);
});

test('requires AUTH, and offers it to remote clients only after STARTTLS', async () => {
  expect(await talk(facade.port, ['EHLO me', 'MAIL FROM:<me@main.test>', 'QUIT'])).toMatch(/^530 /m);
  const responses = await talk(remoteServer.port, [
    'EHLO me',
    'AUTH PLAIN AGEAYg==',
    'MAIL FROM:<me@main.test>',
    'QUIT',
  ]);
  expect(responses).toContain('STARTTLS');
  expect(responses).not.toMatch(/^250.AUTH/m);
  expect(responses).toMatch(/^50\d /m);
  expect(responses).toMatch(/^530 5\.7\.0 .*STARTTLS/m);
  await createMailer(app.main.teamKey, remoteServer.port).sendMail(plain);
  const loopback = createMailer(app.main.teamKey, facade.port, { requireTLS: false, ignoreTLS: true });
  await loopback.sendMail(plain);
});

test('accepts remote mail on the TLS port without STARTTLS and rejects plain text', async () => {
  for (const { tlsPort } of [facade, remoteServer]) {
    const { response } = await createMailer(app.main.teamKey, tlsPort, { secure: true }).sendMail(plain);
    expect(response).toContain('queued as');
  }
  const socket = connectTls(remoteServer.tlsPort, { host: '127.0.0.1', rejectUnauthorized: false });
  const replies = await talkOn(socket, ['EHLO me', 'MAIL FROM:<me@main.test>', 'QUIT']);
  expect(replies).not.toContain('STARTTLS');
  expect(replies).toMatch(/^250.AUTH PLAIN LOGIN/m);
  expect(replies).toMatch(/^530 /m);
  await expect(
    createMailer('wrong', remoteServer.tlsPort, { secure: true }).sendMail(plain),
  ).rejects.toMatchObject({
    responseCode: 535,
  });
  const unsafe = createMailer(app.main.teamKey, remoteServer.tlsPort, {
    requireTLS: false,
    ignoreTLS: true,
    greetingTimeout: 500,
  });
  await expect(unsafe.sendMail(plain)).rejects.toThrow();
});

test.each([
  ['S/MIME', 'multipart/signed; protocol="application/pkcs7-signature"; micalg=sha-256; boundary=b'],
  ['PGP/MIME', 'multipart/encrypted; protocol="application/pgp-encrypted"; boundary=b'],
  ['enveloped S/MIME', 'application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m'],
])('rejects %s mail with 554 5.6.1 instead of rewriting it', async (_name, type) => {
  const count = await countEmails();
  const envelope = { from: 'me@main.test', to: ['bob@example.org'] };
  const head = 'From: me@main.test\r\nTo: bob@example.org\r\nSubject: s\r\nMIME-Version: 1.0\r\n';
  const body = '--b\r\nContent-Type: text/plain\r\n\r\nText\r\n--b--\r\n';
  expect(await submitRejected({ envelope, raw: `${head}Content-Type: ${type}\r\n\r\n${body}` })).toMatch(
    /^554 5\.6\.1 /,
  );
  expect(await countEmails()).toBe(count);
});

test.each([
  ['multipart/signed; protocol="application/pgp-signature"; micalg=pgp-sha256; boundary=i'],
  ['Multipart/Encrypted; protocol="application/pgp-encrypted"; boundary=i'],
])('rejects %s inside a mailing list message', async (type) => {
  const count = await countEmails();
  const inner =
    '--i\r\nContent-Type: text/plain\r\n\r\nText\r\n--i\r\nContent-Type: application/pgp-signature\r\n\r\nx\r\n--i--\r\n';
  const raw =
    'From: me@main.test\r\nTo: bob@example.org\r\nSubject: s\r\nMIME-Version: 1.0\r\n' +
    'Content-Type: multipart/mixed; boundary=o\r\n\r\n' +
    `--o\r\nContent-Type: ${type}\r\n\r\n${inner}\r\n` +
    '--o\r\nContent-Type: text/plain\r\n\r\nfooter of the list\r\n--o--\r\n';
  const envelope = { from: 'me@main.test', to: ['bob@example.org'] };
  expect(await submitRejected({ envelope, raw })).toMatch(/^554 5\.6\.1 /);
  expect(await countEmails()).toBe(count);
});

test('accepts a signed message as an attachment', async () => {
  const content = `From: a@b.test\r\nContent-Type: multipart/signed; protocol="x/y"; boundary=i\r\n\r\n--i\r\n\r\nText\r\n--i--\r\n`;
  const signed = { filename: 'm.eml', content, contentType: 'message/rfc822' };
  await submitMail({ ...plain, attachments: [{ ...signed, contentDisposition: 'attachment' as const }] });
  const [file] = (await loadNewest())[0]!.attachments!;
  expect(file).toMatchObject({ filename: 'm.eml' });
});

test('keeps a detached signature as an attachment if there are other attachments', async () => {
  const attachments = [
    { filename: 'a.tar.gz', content: 'data' },
    { filename: 'a.tar.gz.asc', content: 'signature', contentType: 'application/pgp-signature' },
  ];
  await submitMail({ ...plain, attachments });
  expect((await loadNewest())[0]!.attachments).toHaveLength(2);
});

test('creates the certificate even if the data directory does not exist yet', () => {
  const dataDir = join(app.runtime.config.dataDir, 'not', 'there');
  const { cert } = loadCertificate({ smtpTls: null, dataDir, publicUrl: app.runtime.config.publicUrl });
  expect(loadCertificate({ smtpTls: null, dataDir, publicUrl: 'http://other.example' }).cert).toBe(cert);
});

test('creates one certificate for the public host, readable only by the owner', async () => {
  const path = join(app.runtime.config.dataDir, 'smtp.pem');
  expect(existsSync(path)).toBe(true);
  expect(statSync(path).mode & 0o077).toBe(0);
  const certificate = readFileSync(path, 'utf8');
  const secondServer = await startSubmission(app.runtime, { port: 0 });
  await secondServer.close();
  expect(readFileSync(path, 'utf8')).toBe(certificate);
  const trustingMail = createMailer(app.main.teamKey, facade.port, {
    tls: {
      ca: certificate.slice(certificate.indexOf('-----BEGIN CERT')),
      servername: '127.0.0.1',
      checkServerIdentity: () => undefined,
    },
  });
  await trustingMail.sendMail(plain);
});

python.describe("with Python's smtplib", () => {
  test("accepts AUTH PLAIN after STARTTLS and LOGIN over TLS from Python's smtplib", async () => {
    const script = `
import smtplib, ssl, sys
from email.message import EmailMessage
port, key = int(sys.argv[1]), sys.argv[2]
context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
for method in ('auth_plain', 'auth_login'):
    m = EmailMessage()
    m['From'] = 'Python <me@main.test>'; m['To'] = 'Bob <bob@example.org>'; m['Cc'] = 'cc@example.org'; m['Bcc'] = 'hidden@example.org'
    m['Subject'] = 'From Python \\u2013 ' + method; m['X-Mine'] = method
    m.set_content('Body\\n.dot\\n'); m.add_alternative('<b>Body</b>', subtype='html')
    m.add_attachment(b'data', maintype='application', subtype='pdf', filename='a.pdf')
    plainly = smtplib.SMTP('127.0.0.1', port) if method == 'auth_plain' else None
    with plainly or smtplib.SMTP_SSL('127.0.0.1', int(sys.argv[3]), context=context) as s:
        if plainly: s.starttls(context=context)
        s.ehlo()
        s.user, s.password = 'any', key
        s.auth('PLAIN' if method == 'auth_plain' else 'LOGIN', getattr(s, method))
        print(s.send_message(m))
try:
    with smtplib.SMTP('127.0.0.1', port) as s:
        s.starttls(context=context); s.login('any', 'wrong')
except smtplib.SMTPAuthenticationError as e:
    print(e.smtp_code)
`;
    const { stdout } = await promisify(execFile)(python.module, [
      '-c',
      script,
      String(facade.port),
      app.main.teamKey,
      String(facade.tlsPort),
    ]);
    expect(stdout.trim().split('\n')).toEqual(['{}', '{}', '535']);
    const [login, plainly] = await loadNewest(2);
    for (const [email, method] of [
      [login, 'auth_login'],
      [plainly, 'auth_plain'],
    ] as const) {
      expect(email).toMatchObject({
        to: ['"Bob" <bob@example.org>'],
        cc: ['cc@example.org'],
        bcc: ['hidden@example.org'],
        subject: `From Python – ${method}`,
        headers: { 'X-Mine': method },
        attachments: [{ filename: 'a.pdf', contentType: 'application/pdf' }],
      });
      expect(email!.text).toContain('Body\n.dot');
      expect(email!.html).toContain('<b>Body</b>');
    }
  });
});

test('defers messages during a database outage', async () => {
  const reject = () => Promise.reject(new Error('away'));
  const runtime = {
    ...app.runtime,
    db: {
      ...app.runtime.db,
      forRequest: () => ({ ...app.runtime.db, rows: reject, transaction: reject }),
    },
  } as unknown as App['runtime'];
  const brokenServer = await startSubmission(runtime, { port: 0 });
  const response = await createMailer(app.main.teamKey, brokenServer.port)
    .sendMail(plain)
    .catch((error) => error);
  await brokenServer.close();
  expect(response).toMatchObject({ responseCode: 451, response: expect.stringContaining('4.3.0') });
});

test('completes messages in progress and disconnects idle clients on shutdown', async () => {
  const ending = await startSubmission(app.runtime, { port: 0 });
  const idleSocket = connect(ending.port, '127.0.0.1');
  const greeting = new Promise<string>((resolve) => {
    let text = '';
    idleSocket.on('data', (data) => {
      text += data;
    });
    idleSocket.on('close', () => resolve(text));
  });
  const auth = Buffer.from(`\0any\0${app.main.teamKey}`).toString('base64');
  const begin = [
    'EHLO me',
    `AUTH PLAIN ${auth}`,
    'MAIL FROM:<me@main.test>',
    'RCPT TO:<bob@example.org>',
    'DATA',
  ];
  const busy = talk(ending.port, [
    ...begin,
    () => ending.close().then(() => undefined),
    'Subject: s\r\n\r\nb\r\n.',
  ]);
  expect(await busy).toMatch(/^250 2\.0\.0 Ok/m);
  expect(await greeting).toMatch(/^421 4\.3\.2/m);
});

test('opens the configured port in a server process and exits cleanly', { tags: 'slow' }, async () => {
  const process = await startProcess({
    ...app.env,
    SMTP_SUBMISSIONS_PORT: '0',
    ROLE: 'web',
    LOG_LEVEL: 'info',
  });
  let port = 0;
  await until(() => {
    const line = /"port":(\d+)[^\n]*SMTP submission|SMTP submission[^\n]*port[^\d]*(\d+)/.exec(
      process.output(),
    );
    port = Number(line?.slice(1).find(Boolean));
    return port > 0;
  }, 'the door tells its port');
  const id = await createMailer(app.main.teamKey, port, { secure: true }).sendMail(plain);
  expect(id.response).toContain('queued as');
  expect(await process.end('SIGTERM')).toBe(0);
});

const buildOpening = (): string[] => [
  'EHLO me',
  `AUTH PLAIN ${Buffer.from(`\0any\0${app.main.teamKey}`).toString('base64')}`,
  'MAIL FROM:<me@main.test>',
  'RCPT TO:<bob@example.org>',
  'DATA',
];

/** Runs a scripted session that sends each line after the reply to the previous one. @returns all replies */
const talk = (port: number, lines: (string | (() => unknown))[]): Promise<string> =>
  talkOn(connect(port, '127.0.0.1'), lines);

async function talkOn(socket: Socket, lines: (string | (() => unknown))[]): Promise<string> {
  let all = '';
  let notify: () => void = () => {};
  let lineCount = 0;
  const complete = () => /^\d{3} .*\r\n$/m.test(all.slice(lineCount));
  socket.on('data', (data) => {
    all += data;
    if (complete()) notify();
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => {});
  const reply = () =>
    Promise.race([
      closed,
      new Promise<void>((resolve) => {
        notify = resolve;
        if (complete()) resolve();
      }),
    ]);
  await reply();
  for (const line of lines) {
    if (typeof line !== 'string') {
      line();
      continue;
    }
    lineCount = all.length;
    socket.write(`${line}\r\n`);
    await reply();
  }
  socket.destroy();
  return all;
}
