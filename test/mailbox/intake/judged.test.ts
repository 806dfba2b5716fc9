import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { Socket } from 'node:dgram';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { accept } from '../../../schema/mail/intake/accept.ts';
import { sql } from '../../../src/db/sql.ts';
import { type App, startApp } from '../../harness/app.ts';
import { until } from '../../harness/wait.ts';
import { nameServer } from '../../standins/dns.ts';
import { type Mailbox, mailboxOf } from '../mailboxes.ts';

// What is found out of the senders of messages that other servers bring.

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

let app: App;
let ann: Mailbox;
let names: { address: string; socket: Socket };

beforeAll(async () => {
  names = await nameServer({
    'TXT s1._domainkey.signs.example': [`v=DKIM1; k=rsa; p=${key}`],
    'TXT signs.example': ['v=spf1 -all'],
    'TXT lists.example': ['v=spf1 ip4:192.0.2.7 -all'],
    'TXT _dmarc.signs.example': ['v=DMARC1; p=reject'],
    'TXT _dmarc.lists.example': ['v=DMARC1; p=reject'],
  });
  app = await startApp({ DNS_SERVERS: names.address });
  ann = await mailboxOf(app.main.ctx, app.main.user.id);
  ann.address = ann.address.replace('.localhost', '.test');
  await app.fileMail();
});
afterAll(async () => {
  await app?.close();
  names?.socket.close();
});

const message = (domain: string, subject: string, text: string): Buffer =>
  Buffer.from(
    `From: Sender <sender@${domain}>\r\nTo: ${ann.address}\r\nSubject: ${subject}\r\n` +
      `Message-ID: <${encodeURIComponent(subject)}@${domain}>\r\n\r\n${text}\r\n`,
  );

/** RFC 6376, with header and body as they are (simple/simple). */
function signed(subject: string, text: string): Buffer {
  const raw = message('signs.example', subject, text).toString();
  const [head, body] = raw.split('\r\n\r\n') as [string, string];
  const [from] = head.split('\r\n');
  const hash = createHash('sha256').update(body).digest('base64');
  const field = `DKIM-Signature: v=1; a=rsa-sha256; c=simple/simple; d=signs.example; s=s1; h=from; bh=${hash}; b=`;
  const signature = sign('sha256', Buffer.from(`${from}\r\n${field}`), privateKey).toString('base64');
  return Buffer.from(`${field}${signature}\r\n${raw}`);
}

async function verdictsOn(raw: Buffer, subject: string, sender: string): Promise<object> {
  await accept(app.runtime, {
    sender,
    recipients: [ann.address],
    raw,
    source: 'smtp',
    client: { ip: '192.0.2.7', helo: 'mx.lists.example', isTrusted: false },
  });
  let found: object | undefined;
  await until(async () => {
    const [row] = await app.runtime.db.rows<{ verdicts: object }>(
      sql`select c.verdicts from svc_mail_message c
       where c.workspace_id = ${app.main.ctx.workspace.id} and c.subject = ${subject}`,
    );
    found = row?.verdicts;
    return found;
  }, `${subject} is filed`);
  return found!;
}

const OF_SIGNS = { spf: 'fail', dkim: 'pass', signedBy: ['signs.example'], dmarc: 'pass', policy: 'reject' };

test('a signature is right for the text that was signed and for no other, however long it is', async () => {
  const short = signed('short', 'What was written.');
  expect(await verdictsOn(short, 'short', 'sender@signs.example')).toMatchObject(OF_SIGNS);

  const long = signed('long', `${'What was written.\r\n'.repeat(20_000)}The end.`);
  expect(await verdictsOn(long, 'long', 'sender@signs.example')).toMatchObject(OF_SIGNS);

  const other = Buffer.from(signed('other', 'What was written.').toString().replace('was', 'is'));
  expect(await verdictsOn(other, 'other', 'sender@signs.example')).toMatchObject({
    signedBy: [],
    dmarc: 'fail',
    policy: 'reject',
  });
});

test('a message without a signature is judged by where it comes from', async () => {
  const text = 'Without a signature.\r\n'.repeat(20_000);
  for (const [subject, body] of [
    ['unsigned', 'Text.'],
    ['unsigned and long', text],
  ] as const)
    expect(
      await verdictsOn(message('lists.example', subject, body), subject, 'sender@lists.example'),
    ).toMatchObject({ spf: 'pass', dkim: 'none', signedBy: [], dmarc: 'pass', policy: 'reject' });
  // A signature in the text is no signature of the message.
  const inText = message(
    'lists.example',
    'in the text',
    `DKIM-Signature: v=1; a=rsa-sha256; d=signs.example`,
  );
  expect(await verdictsOn(inText, 'in the text', 'sender@lists.example')).toMatchObject({ dkim: 'none' });
});
