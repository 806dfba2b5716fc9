import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import type { Socket } from 'node:dgram';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { accept } from '../../../schema/mail/intake/accept.ts';
import { checkSender } from '../../../schema/mail/intake/check-sender.ts';
import { isDisowned, type Verdicts } from '../../../schema/mail/intake/verdicts.ts';
import { sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import { parseMail } from '../../../src/mail/parse/message.ts';
import { type RawMail, rawOf } from '../../../src/mail/parse/raw.ts';
import { rawHeaderOf } from '../../../src/mail/parse/raw-header.ts';
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
    'TXT strict.example': ['v=spf1 -all'],
    'TXT _dmarc.strict.example': ['v=DMARC1; p=reject'],
    'TXT _dmarc.xn--strng-dsa.example': ['v=DMARC1; p=quarantine'],
    'TXT _dmarc.lax.example': ['v=DMARC1; p=none'],
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

/** A message as it is filed. */
interface FiledMail {
  verdicts: object;
  folder_id: number;
}

async function filed(raw: Buffer, subject: string, sender: string): Promise<FiledMail> {
  await accept(app.runtime, {
    sender,
    recipients: [ann.address],
    raw,
    source: 'smtp',
    client: { ip: '192.0.2.7', helo: 'mx.lists.example', isTrusted: false },
  });
  let found: FiledMail | undefined;
  await until(async () => {
    [found] = await app.runtime.db.rows<FiledMail>(
      sql`select c.verdicts, e.folder_id from svc_mail_message c
       join svc_mail_entry e on e.workspace_id = c.workspace_id and e.content_id = c.id
       where c.workspace_id = ${app.main.ctx.workspace.id} and c.subject = ${subject}`,
    );
    return found;
  }, `${subject} is filed`);
  return found!;
}

const verdictsOn = async (raw: Buffer, subject: string, sender: string): Promise<object> =>
  (await filed(raw, subject, sender)).verdicts;

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

/** Trace headers as this server writes them, then this header, as it comes from a server that lists.example allows. */
const brought = (header: string, sender = 'a@lists.example') =>
  checked(rawOf(Buffer.from(`Received: from mx\r\n${header}\r\n\r\nText.\r\n`, 'latin1')), sender);

async function checked(raw: RawMail, sender: string, ip = '192.0.2.7'): Promise<Verdicts> {
  const { from } = await parseMail(raw);
  const mail = { raw, header: await rawHeaderOf(raw), sender, from };
  return checkSender({ dnsServers: [names.address] }, mail, { ip, helo: 'mx.lists.example' });
}

/** From fields in which some program reads an address of a domain that wants forgeries rejected. */
const FORGED_FROM = [
  'From: ceo@strict.example',
  'From: ceo@strict.example\r\nFrom: a@lists.example',
  'From: a@lists.example\r\nFrom: ceo@strict.example',
  'From: a@lists.example\r\nfrom : ceo@strict.example',
  'From: a@lists.example\r\nFROM\r\n : ceo@strict.example',
  'From: ceo@strict.example, a@lists.example',
  'From: a@lists.example, Boss <ceo@strict.example>',
  'From: a@lists.example; ceo@strict.example',
  'From: Board: ceo@strict.example, a@lists.example;',
  'From: ceo@strict.example <a@lists.example>',
  'From: "Boss" <ceo@strict.example> <a@lists.example>',
  'From: <ceo@strict.example>, "unclosed <a@lists.example>',
  'From: "unclosed <ceo@strict.example>',
  'From: (unclosed <ceo@strict.example>',
  'From: "ceo@strict.example"',
  'From: "ceo@strict.example", <a@lists.example>',
  'From: =?utf-8?q?ceo=40strict.example?=',
  'From: <=?utf-8?q?ceo=40strict.example?=>',
  'From: "a b"@strict.example',
  'From: ceo @ strict . example',
  'From: ceo@(comment)strict.example',
  'From: <@lists.example:ceo@strict.example>',
  'From: ceo@strict.example.',
  'From: CEO@STRICT.EXAMPLE',
  'From: ceo@mail.strict.example',
  'From: ceo@str\0ict.example',
  'From: ceo@strict.example\0a@lists.example',
  "From: ceo@strict.example'",
  'From: a@lists.example\r\n ,ceo@strict.example',
  'From: a@lists.example\r\n,ceo@strict.example',
  'X-Odd: b\rFrom: ceo@strict.example\r\nFrom: a@lists.example',
  'From: a@lists.example\rFrom: ceo@strict.example',
  'From: boss@str\xc3\xa9ng.example',
  'From: boss@xn--strng-dsa.example',
  `From: ${Array.from({ length: 12 }, (_, i) => `a@d${i}.lists.example`)}, ceo@strict.example`,
  `From: ${'a@lists.example, '.repeat(5_000)}ceo@strict.example`,
  'Subject: without an author',
];

const SIGNATURE = 'DKIM-Signature: v=1; a=rsa-sha256; d=strict.example; s=s1; h=from; bh=eA==; b=eA==';

/** What else a header may hold that keeps a check from its end. */
const AUTHENTICATION = [
  'X-Plain: yes',
  SIGNATURE,
  Array(13).fill(SIGNATURE).join('\r\n'),
  Array(60).fill('DKIM-Signature: rubbish').join('\r\n'),
  Array(13).fill('ARC-Seal: i=1; a=rsa-sha256; d=strict.example; s=s1; cv=none; b=eA==').join('\r\n'),
  `${SIGNATURE}\r\nX-Long: ${'x'.repeat(140_000)}`,
  `${SIGNATURE}\r\nX-Folded: x${'\r\n x'.repeat(4_000)}`,
  'Authentication-Results: mx; spf=pass; dkim=pass; dmarc=pass header.from=strict.example',
];

test('no malformed header brings a forged author of a strict domain past its policy', async () => {
  const passed: string[] = [];
  for (const [i, from] of FORGED_FROM.entries())
    for (const [j, more] of AUTHENTICATION.entries()) {
      const header = (i + j) % 2 === 0 ? `${more}\r\n${from}` : `${from}\r\n${more}`;
      const verdicts = await brought(
        header,
        from.startsWith('Subject') ? 'ceo@strict.example' : 'a@lists.example',
      );
      if (!isDisowned(verdicts)) passed.push(`${header.slice(0, 120)}: ${JSON.stringify(verdicts)}`);
    }
  expect(passed).toEqual([]);
});

test('an author in quotes, or several of whom all are proved, is not forged', async () => {
  for (const from of [
    'From: "ceo@strict.example by way of lists" <a@lists.example>',
    'From: a@lists.example (ceo@strict.example)',
    'From: =?utf-8?q?ceo=40strict.example?= <a@lists.example>',
    'From: a@lists.example, b@lists.example',
    'From: a@lists.example\r\nFrom: b@lists.example',
  ])
    expect(await brought(from)).toMatchObject({ spf: 'pass', dmarc: 'pass', policy: 'reject' });
  expect(await brought('From: a@lists.example, b@unknown.example')).toMatchObject({ dmarc: 'none' });
});

test('an author whose domain cannot be looked up is doubtful, whoever else does not answer', async () => {
  const time = vi.spyOn(limits.mx, 'dnsTime', 'get').mockReturnValue(500 as never);
  try {
    const hash = createHash('sha256').update('Text.\r\n').digest('base64');
    const silent = `DKIM-Signature: v=1; a=rsa-sha256; d=x.silent.example; s=s1; h=from; bh=${hash}; b=eA==`;
    const [forged, unknown] = await Promise.all([
      brought(`From: ceo@strict.example\r\n${silent}`, 'a@y.silent.example'),
      brought('From: ceo@z.silent.example'),
    ]);
    expect(forged).toMatchObject({ spf: null, dkim: null, dmarc: 'fail', policy: 'reject' });
    expect(unknown).toMatchObject({ spf: 'pass', dmarc: 'temperror' });
  } finally {
    time.mockRestore();
  }
  expect(await brought('From: nobody', '')).toMatchObject({ dmarc: 'permerror' });
});

test('a message of any size is judged', async () => {
  const head = Buffer.from('From: ceo@strict.example\r\nSubject: Large\r\n\r\n');
  const large: RawMail = {
    size: 40 * 1024 * 1024,
    async *read(from, to) {
      if (from < head.length) yield head.subarray(from, to);
      for (let at = Math.max(from, head.length); at < to; at += BODY.length) yield BODY.subarray(0, to - at);
    },
  };
  expect(await checked(large, 'a@lists.example')).toMatchObject({ dmarc: 'fail', policy: 'reject' });
});

const BODY = Buffer.alloc(256 * 1024, 'text\r\n');

test('forged mail goes to Spam', async () => {
  for (const [subject, from] of [
    ['two fields', 'From: ceo@strict.example\r\nFrom: a@lists.example'],
    ['two authors', 'From: ceo@strict.example, a@lists.example'],
    ['many signatures', `${Array(13).fill(SIGNATURE).join('\r\n')}\r\nFrom: ceo@strict.example`],
  ] as const) {
    const raw = Buffer.from(`${from}\r\nSubject: ${subject}\r\n\r\nText.\r\n`);
    expect(await filed(raw, subject, 'a@lists.example')).toMatchObject({
      verdicts: { spf: 'pass', dmarc: 'fail', policy: 'reject' },
      folder_id: ann.folders.spam,
    });
  }
});
