import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startMailExchange } from '../../../facades/smtp/mx/facade.ts';
import { acceptMessage } from '../../../schema/mailbox/intake/accept.ts';
import { authenticateSender } from '../../../schema/mailbox/intake/check-sender.ts';
import { createMailIntake } from '../../../schema/mailbox/intake/mail-intake.ts';
import { findMailOrigin } from '../../../schema/mailbox/intake/origin.ts';
import type { SmtpClient } from '../../../schema/mailbox/intake/smtp-client.ts';
import {
  findSenderDoubt,
  type Verdicts,
  violatesDmarcPolicy,
} from '../../../schema/mailbox/intake/verdicts.ts';
import { sql } from '../../../src/db/sql.ts';
import { allocateId } from '../../../src/engine/ctx/allocate-ids.ts';
import { limits } from '../../../src/limits.ts';
import { parseMail } from '../../../src/message/parse/message.ts';
import { type RawMail, toRawMail } from '../../../src/message/parse/raw.ts';
import { readRawHeader } from '../../../src/message/parse/raw-header.ts';
import { startApp } from '../../harness/app.ts';
import { setUp } from '../../harness/set-up.ts';
import { until } from '../../harness/wait.ts';
import { startNameServer } from '../../standins/dns.ts';
import { type Postfix, postfix, RELAY_MODES, startPostfix } from '../../standins/postfix.ts';
import { openExchange } from '../exchange.ts';
import { setUpMailbox } from '../mailboxes.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

const names = setUp(() =>
  startNameServer({
    'TXT s1._domainkey.signs.example': [`v=DKIM1; k=rsa; p=${key}`],
    'TXT signs.example': ['v=spf1 -all'],
    'TXT lists.example': ['v=spf1 ip4:192.0.2.7 -all'],
    'TXT _dmarc.signs.example': ['v=DMARC1; p=reject'],
    'TXT _dmarc.lists.example': ['v=DMARC1; p=reject'],
    'TXT strict.example': ['v=spf1 -all'],
    'TXT _dmarc.strict.example': ['v=DMARC1; p=reject'],
    'TXT away.example': ['v=spf1 include:spf.silent.example -all'],
    'TXT _dmarc.away.example': ['v=DMARC1; p=reject'],
    'TXT _dmarc.xn--strng-dsa.example': ['v=DMARC1; p=quarantine'],
    'TXT _dmarc.lax.example': ['v=DMARC1; p=none'],
  }),
);
const app = setUp(() => startApp({ DNS_SERVERS: names.address, MX_TRUSTED_RELAYS: '127.0.0.1' }));
const facade = setUp(() => openExchange(app));
const ann = setUpMailbox(app);

beforeAll(async () => {
  ann.address = ann.address.replace('.localhost', '.test');
  await app.fileMail();
});

const buildMessage = (domain: string, subject: string, text: string): Buffer =>
  Buffer.from(
    `From: Sender <sender@${domain}>\r\nTo: ${ann.address}\r\nSubject: ${subject}\r\n` +
      `Message-ID: <${encodeURIComponent(subject)}@${domain}>\r\n\r\n${text}\r\n`,
  );

/** Signs a message (RFC 6376, simple/simple canonicalization). */
function signMail(subject: string, text: string): Buffer {
  const raw = buildMessage('signs.example', subject, text).toString();
  const [head, body] = raw.split('\r\n\r\n') as [string, string];
  const [from] = head.split('\r\n');
  const hash = createHash('sha256').update(body).digest('base64');
  const field = `DKIM-Signature: v=1; a=rsa-sha256; c=simple/simple; d=signs.example; s=s1; h=from; bh=${hash}; b=`;
  const signature = sign('sha256', Buffer.from(`${from}\r\n${field}`), privateKey).toString('base64');
  return Buffer.from(`${field}${signature}\r\n${raw}`);
}

interface SignOptions {
  names?: string[];
  tags?: string;
  hash?: 'sha1' | 'sha256';
}

/** Signs header fields and a body (RFC 6376, simple/simple canonicalization). */
function signFields(fields: string[], body: string, { names, tags = '', hash = 'sha256' }: SignOptions = {}) {
  const left = [...fields];
  const signed = (names ?? ['from', 'subject']).flatMap((name) => {
    const at = left.findLastIndex((field) => field.toLowerCase().startsWith(`${name}:`));
    return at < 0 ? [] : left.splice(at, 1);
  });
  const field =
    `DKIM-Signature: v=1; a=rsa-${hash}; c=simple/simple; d=signs.example; s=s1; ` +
    `h=${(names ?? ['from', 'subject']).join(':')}; ${tags}bh=${createHash(hash).update(body).digest('base64')}; b=`;
  const signature = sign(hash, Buffer.from([...signed, field].join('\r\n')), privateKey).toString('base64');
  return `${field}${signature}`;
}

interface FiledMail {
  verdicts: object;
  folder_id: number;
}

async function fileMail(raw: Buffer, subject: string, sender: string): Promise<FiledMail> {
  await acceptMessage(app.runtime, {
    sender,
    recipients: [ann.address],
    raw,
    source: 'smtp',
    client: { ip: '192.0.2.7', helo: 'mx.lists.example', isTrusted: false },
  });
  return waitForFiled(subject);
}

async function waitForFiled(subject: string): Promise<FiledMail> {
  let filedMail: FiledMail | undefined;
  await until(async () => {
    [filedMail] = await app.runtime.db.rows<FiledMail>(
      sql`select c.verdicts, e.folder_id from svc_mail_message c
       join svc_mail_entry e on e.workspace_id = c.workspace_id and e.content_id = c.id
       where c.workspace_id = ${app.main.ctx.workspace.id} and c.subject = ${subject}`,
    );
    return filedMail;
  }, `${subject} is filed`);
  return filedMail!;
}

const fileAndLoadVerdicts = async (raw: Buffer, subject: string, sender: string): Promise<object> =>
  (await fileMail(raw, subject, sender)).verdicts;

const OF_SIGNS = { spf: 'fail', dkim: 'pass', signedBy: ['signs.example'], dmarc: 'pass', policy: 'reject' };

test('accepts a DKIM signature for unchanged text of any length, and rejects it for changed text', async () => {
  const short = signMail('short', 'What was written.');
  expect(await fileAndLoadVerdicts(short, 'short', 'sender@signs.example')).toMatchObject(OF_SIGNS);

  const long = signMail('long', `${'What was written.\r\n'.repeat(20_000)}The end.`);
  expect(await fileAndLoadVerdicts(long, 'long', 'sender@signs.example')).toMatchObject(OF_SIGNS);

  const other = Buffer.from(signMail('other', 'What was written.').toString().replace('was', 'is'));
  expect(await fileAndLoadVerdicts(other, 'other', 'sender@signs.example')).toMatchObject({
    signedBy: [],
    dmarc: 'fail',
    policy: 'reject',
  });
});

test('authenticates a message without a DKIM signature by SPF', async () => {
  const text = 'Without a signature.\r\n'.repeat(20_000);
  for (const [subject, body] of [
    ['unsigned', 'Text.'],
    ['unsigned and long', text],
  ] as const)
    expect(
      await fileAndLoadVerdicts(
        buildMessage('lists.example', subject, body),
        subject,
        'sender@lists.example',
      ),
    ).toMatchObject({ spf: 'pass', dkim: 'none', signedBy: [], dmarc: 'pass', policy: 'reject' });
  // A DKIM-Signature in the body is not a signature of the message.
  const inText = buildMessage(
    'lists.example',
    'in the text',
    `DKIM-Signature: v=1; a=rsa-sha256; d=signs.example`,
  );
  expect(await fileAndLoadVerdicts(inText, 'in the text', 'sender@lists.example')).toMatchObject({
    dkim: 'none',
  });
});

/** Authenticates a message with the given header from a client that may send for lists.example. */
const checkHeader = (header: string, sender = 'a@lists.example') =>
  checkMail(toRawMail(Buffer.from(`Received: from mx\r\n${header}\r\n\r\nText.\r\n`, 'latin1')), sender);

async function checkMail(raw: RawMail, sender: string, ip = '192.0.2.7'): Promise<Verdicts> {
  const { from } = await parseMail(raw);
  const mail = { raw, header: await readRawHeader(raw), sender, from };
  return authenticateSender({ dnsServers: [names.address] }, mail, { ip, helo: 'mx.lists.example' });
}

/** From fields in which some parser finds an address of a domain with a strict DMARC policy. */
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
  'From: "Boss <a@lists.example>"@strict.example',
  'From: ceo@strict.example <a@lists.example',
  'From: <ceo@strict.example<a@lists.example>',
  'From: <ceo@strict.example <a@lists.example>>',
  'From: ceo@strict.example <>',
  'From: ceo@strict.example <a>',
  'From: ceo@strict.example\0<a@lists.example>',
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
  'From: "unclosed <ceo@(comment)strict.example>',
  `From: ${'x '.repeat(1_000)}=?utf-8?q?ceo=40strict.example?=`,
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
  'From: ceo@strict\xe3\x80\x82example',
  'From: ceo@strict\xef\xbd\xa1example',
  'From: ceo@\xef\xbd\x93trict.example',
  'From: ceo\xef\xbc\xa0strict.example',
  'From: ceo@strict..example',
  `From: ${Array.from({ length: 12 }, (_, i) => `a@d${i}.lists.example`)}, ceo@strict.example`,
  `From: ${'a@lists.example, '.repeat(5_000)}ceo@strict.example`,
  'Subject: without an author',
];

const SIGNATURE = 'DKIM-Signature: v=1; a=rsa-sha256; d=strict.example; s=s1; h=from; bh=eA==; b=eA==';

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

test('detects a forged author in a domain with a strict policy, however malformed the header is', async () => {
  const passed: string[] = [];
  for (const [i, from] of FORGED_FROM.entries())
    for (const [j, more] of AUTHENTICATION.entries()) {
      const header = (i + j) % 2 === 0 ? `${more}\r\n${from}` : `${from}\r\n${more}`;
      const verdicts = await checkHeader(
        header,
        from.startsWith('Subject') ? 'ceo@strict.example' : 'a@lists.example',
      );
      if (!violatesDmarcPolicy(verdicts)) passed.push(`${header.slice(0, 120)}: ${JSON.stringify(verdicts)}`);
    }
  expect(passed).toEqual([]);
});

test('accepts an address in a display name, and several authenticated authors', async () => {
  for (const from of [
    'From: ceo@strict.example <a@lists.example>',
    'From: ceo@strict.example via lists <a@lists.example>, Sam <b@lists.example>',
    'From: "ceo@strict.example by way of lists" <a@lists.example>',
    'From: a@lists.example (ceo@strict.example)',
    'From: =?utf-8?q?ceo=40strict.example?= <a@lists.example>',
    'From: a@lists.example, b@lists.example',
    'From: a@lists.example\r\nFrom: b@lists.example',
  ])
    expect(await checkHeader(from)).toMatchObject({ spf: 'pass', dmarc: 'pass', policy: 'reject' });
  expect(await checkHeader('From: a@lists.example, b@unknown.example')).toMatchObject({ dmarc: 'none' });
});

test("records temperror if the lookup of the author's domain fails, regardless of the other lookups", async () => {
  const time = vi.spyOn(limits.mx, 'dnsTime', 'get').mockReturnValue(500 as never);
  try {
    const hash = createHash('sha256').update('Text.\r\n').digest('base64');
    const silent = `DKIM-Signature: v=1; a=rsa-sha256; d=x.silent.example; s=s1; h=from; bh=${hash}; b=eA==`;
    const [forgedVerdicts, unknownVerdicts, genuineVerdicts] = await Promise.all([
      checkHeader(`From: ceo@strict.example\r\n${silent}`, 'a@y.silent.example'),
      checkHeader('From: ceo@z.silent.example'),
      checkHeader('From: ceo@away.example', 'ceo@away.example'),
    ]);
    expect(forgedVerdicts).toMatchObject({ spf: null, dkim: null, dmarc: 'fail', policy: 'reject' });
    expect(unknownVerdicts).toMatchObject({ spf: 'pass', dmarc: 'temperror' });
    expect(genuineVerdicts).toMatchObject({ spf: null, dmarc: 'temperror', policy: 'reject' });
  } finally {
    time.mockRestore();
  }
  expect(await checkHeader('From: nobody', '')).toMatchObject({ dmarc: 'permerror' });
});

const SIGNED_FIELDS = [
  'From: CEO <ceo@signs.example>',
  'Subject: News',
  'Date: Fri, 27 Nov 2026 10:00:00 +0000',
];
const SIGNED_TEXT = 'News.\r\n';

/** Authenticates a message from signs.example that another server resends. */
const checkReplay = (signature: string, fields: string[], body: string) =>
  checkMail(
    toRawMail(Buffer.from([`Received: from mx`, signature, ...fields, '', body].join('\r\n'), 'latin1')),
    'a@lists.example',
  );

test.each<[string, SignOptions, (fields: string[]) => string[], string?]>([
  ['another From', {}, (fields) => ['From: Bank <bank@signs.example>', ...fields]],
  ['another From below', { names: ['from', 'from'] }, (fields) => [...fields, 'From: bank@signs.example']],
  ['another subject', {}, (fields) => ['Subject: Pay now', ...fields]],
  ['another subject with a space', {}, (fields) => ['subject : Pay now', ...fields]],
  ['another date', { names: ['from', 'date'] }, (fields) => ['Date: 1 Dec 2026 10:00:00 +0000', ...fields]],
  ['two unsigned dates', {}, (fields) => ['Date: 1 Dec 2026 10:00:00 +0000', ...fields]],
  ['two unsigned recipients', {}, (fields) => ['To: a@main.test', 'To: b@main.test', ...fields]],
  ['a subject after a bare CR', {}, (fields) => ['X-Odd: b\rSubject: Pay now', ...fields]],
  [
    'a subject after a bare CR, which the signature excludes',
    { names: ['from', 'subject', 'subject'] },
    (fields) => ['X-Odd: b\rSubject: Pay now', ...fields],
  ],
  ['a subject with a space that is not ASCII', {}, (fields) => ['Subject\xa0: Pay now', ...fields]],
  ['text after the signed length', { tags: `l=${SIGNED_TEXT.length}; ` }, (fields) => fields, 'Pay now.\r\n'],
  ['no signed text at all', { tags: 'l=0; ' }, (fields) => fields, 'Pay now.\r\n'],
  ['the past', { tags: 't=1000000; x=1000100; ' }, (fields) => fields],
  ['SHA-1', { hash: 'sha1' }, (fields) => fields],
  ['too many field names', { names: ['from', 'subject', ...Array(400).fill('x-a')] }, (fields) => fields],
])('ignores a signature on a message with %s', async (_, options, change, more = '') => {
  const body = options.tags?.startsWith('l=0') ? '' : SIGNED_TEXT;
  const signature = signFields(SIGNED_FIELDS, body, options);
  const verdicts = await checkReplay(signature, change(SIGNED_FIELDS), body + more);
  expect(verdicts).toMatchObject({ signedBy: [], dmarc: 'fail', policy: 'reject' });
  expect(verdicts.dkim).not.toBe('pass');
  expect(findSenderDoubt(verdicts)).toBe('disowned');
});

test.each<[string, SignOptions, string[]?]>([
  ['unsigned fields', { names: ['from'] }],
  ['fields that are signed as absent', { names: ['from', 'from', 'subject', 'subject', 'to'] }],
  ['a length that covers the text', { tags: `l=${SIGNED_TEXT.length}; ` }],
  ['repeated fields, all signed', { names: ['from', 'to', 'to'] }, ['To: a@main.test', 'To: b@main.test']],
  [
    'repeated fields that readers do not show',
    {},
    ['X-Odd: a', 'X-Odd: b', 'MIME-Version: 1.0', 'MIME-Version: 1'],
  ],
])('accepts a signature on a message with %s', async (_, options, more = []) => {
  const fields = [...SIGNED_FIELDS, ...more];
  const verdicts = await checkReplay(signFields(fields, SIGNED_TEXT, options), fields, SIGNED_TEXT);
  expect(verdicts).toMatchObject({ dkim: 'pass', signedBy: ['signs.example'], dmarc: 'pass' });
  expect(findSenderDoubt(verdicts)).toBeNull();
});

test.each<[string, string | null, string?]>([
  ['From: ceo@strict.example', 'disowned'],
  ['From: ceo@lax.example', 'failed'],
  ['From: ceo@unknown.example', null],
  ['From: ceo@unknown.example', 'failed', 'a@strict.example'],
  ['From: ceo@unknown.example\r\nFrom: a@lists.example', 'malformed'],
  ['From: a@lists.example\r\nFrom: ceo@unknown.example', 'malformed'],
  ['From: ceo@lax.example\r\nFrom: a@lists.example', 'malformed'],
  ['From: ceo@strict.example\r\nFrom: a@lists.example', 'disowned'],
  ['From: The CEO', 'malformed'],
  ['From: The CEO <>', 'malformed'],
  ['From:', 'malformed'],
  ['From: undisclosed:;', 'malformed'],
  ['Subject: without an author', null],
  ['From: a@lists.example', null],
])('classifies the author of %j as %s', async (header, doubt, sender) => {
  expect(findSenderDoubt(await checkHeader(header, sender))).toBe(doubt);
});

test('marks an author as unchecked if the domain lookup failed', () => {
  const verdicts = { spf: null, dkim: null, signedBy: [], policy: null, arc: null };
  expect(findSenderDoubt({ ...verdicts, dmarc: 'temperror' })).toBe('unchecked');
  expect(findSenderDoubt({ ...verdicts, dmarc: null })).toBeNull();
});

test('authenticates a 40 MB message', async () => {
  const head = Buffer.from('From: ceo@strict.example\r\nSubject: Large\r\n\r\n');
  const largeMail: RawMail = {
    size: 40 * 1024 * 1024,
    async *read(from, to) {
      if (from < head.length) yield head.subarray(from, to);
      for (let start = Math.max(from, head.length); start < to; start += BODY.length)
        yield BODY.subarray(0, to - start);
    },
  };
  expect(await checkMail(largeMail, 'a@lists.example')).toMatchObject({ dmarc: 'fail', policy: 'reject' });
});

const BODY = Buffer.alloc(256 * 1024, 'text\r\n');

test('files forged mail in Spam', async () => {
  for (const [subject, from] of [
    ['two fields', 'From: ceo@strict.example\r\nFrom: a@lists.example'],
    ['two authors', 'From: ceo@strict.example, a@lists.example'],
    ['many signatures', `${Array(13).fill(SIGNATURE).join('\r\n')}\r\nFrom: ceo@strict.example`],
  ] as const) {
    const raw = Buffer.from(`${from}\r\nSubject: ${subject}\r\n\r\nText.\r\n`);
    expect(await fileMail(raw, subject, 'a@lists.example')).toMatchObject({
      verdicts: { spf: 'pass', dmarc: 'fail', policy: 'reject' },
      folder_id: ann.folders.spam,
    });
  }
});

const RELAYS = { mxTrustedRelays: ['127.0.0.1', '203.0.113.0/24'] };

const OWN = 'Return-Path: <a@x>\r\nReceived: from relay ([127.0.0.1]) by here with LMTP id 1; date';
const POSTFIX =
  'Received: from mx.lists.example (mail.lists.example [192.0.2.7])\r\n\tby relay (Postfix) with ESMTP id 2';
const RESULTS = 'Authentication-Results: relay; spf=fail smtp.mailfrom=x.example; dkim=pass';
const KNOWN = { ip: '192.0.2.7', helo: 'mx.lists.example' };

test.each<[string, Partial<SmtpClient>, string[], object]>([
  ['no trusted relay', { relay: undefined, ip: '192.0.2.1' }, [POSTFIX], { ip: '192.0.2.1' }],
  ['XFORWARD', { ip: '192.0.2.1', helo: 'x' }, [POSTFIX], { ip: '192.0.2.1', helo: 'x' }],
  [
    'XFORWARD of another relay',
    { ip: '203.0.113.9' },
    [POSTFIX.replace('192.0.2.7', '203.0.113.9'), POSTFIX],
    KNOWN,
  ],
  ['XFORWARD of a private address', { ip: '10.1.2.3' }, [POSTFIX], {}],
  ['XFORWARD of a user', { ip: '192.0.2.1' }, [POSTFIX.replace('ESMTP', 'ESMTPSA')], {}],
  ['Postfix', {}, [POSTFIX], KNOWN],
  [
    'a name that looks like an address',
    {},
    [POSTFIX.replace('mx.lists.example', 'x([10.0.0.1])')],
    { ip: '192.0.2.7', helo: 'x([10.0.0.1])' },
  ],
  [
    'a name that is an address',
    {},
    [POSTFIX.replace('mx.lists.example', '[203.0.113.9]')],
    { ip: '192.0.2.7', helo: '[203.0.113.9]' },
  ],
  [
    'a certificate with an address',
    {},
    [POSTFIX.replace('\r\n', '\r\n\t(Client CN "x [192.0.2.9]")\r\n')],
    KNOWN,
  ],
  [
    'Sendmail',
    {},
    ['Received: from mx.lists.example (who@y [192.0.2.7] (may be forged)) by relay with ESMTP'],
    KNOWN,
  ],
  ['Exim', {}, ['Received: from y ([192.0.2.7] helo=mx.lists.example) by relay with esmtp'], KNOWN],
  [
    'Exim without a name',
    {},
    ['Received: from [192.0.2.7] (helo=mx.lists.example) by relay with esmtp'],
    KNOWN,
  ],
  [
    'Exchange',
    {},
    ['Received: from mx.lists.example (192.0.2.7) by relay with Microsoft SMTP Server'],
    KNOWN,
  ],
  [
    'IPv6',
    {},
    ['Received: from x (x [IPv6:2001:db8::7]) by relay with ESMTP'],
    { ip: '2001:db8::7', helo: 'x' },
  ],
  ['a chain of relays', {}, [POSTFIX.replace('192.0.2.7', '203.0.113.9'), POSTFIX], KNOWN],
  ['a client that forges a Received field', {}, [POSTFIX, POSTFIX.replace('192.0.2.7', '192.0.2.9')], KNOWN],
  ['an authenticated user', {}, [POSTFIX.replace('ESMTP', 'ESMTPSA'), POSTFIX], {}],
  ['a client that claims to be authenticated', {}, [POSTFIX, POSTFIX.replace('ESMTP', 'ESMTPSA')], KNOWN],
  ['a private address', {}, [POSTFIX.replace('192.0.2.7', '10.0.0.9')], {}],
  ['a program on the relay', {}, ['Received: by relay (Postfix, from userid 0)'], {}],
  ['results of the relay', {}, [RESULTS, 'Received: by relay'], { spf: 'fail' }],
  [
    'results in quotes and comments',
    {},
    ['Authentication-Results: "r; spf=pass" (; spf=pass); spf=none', 'Received: by relay'],
    { spf: 'none' },
  ],
  ['results sent by a client', {}, ['Received: by relay', RESULTS], {}],
  ['results without a relay', {}, [RESULTS], {}],
  ['nothing', {}, [], {}],
])('finds the original client: %s', (_, client, above, expected) => {
  const header = [OWN, ...above, 'From: a@lists.example'].join('\r\n');
  expect(findMailOrigin(RELAYS, { isTrusted: true, relay: '127.0.0.1', ...client }, header)).toEqual(
    expected,
  );
});

/** Runs an SMTP session and returns the replies. Each line waits for the reply to the previous one. */
async function talk(port: number, lines: readonly string[]): Promise<string[]> {
  const socket = connect(port, '127.0.0.1');
  const replies: string[] = [];
  let output = '';
  socket.on('data', (data) => {
    output += data;
    for (let end = /^\d{3} .*\r\n/m.exec(output); end; end = /^\d{3} .*\r\n/m.exec(output)) {
      replies.push(output.slice(0, end.index + end[0].length));
      output = output.slice(end.index + end[0].length);
    }
  });
  for (const [i, line] of [...lines, 'QUIT'].entries()) {
    await until(() => replies.length > i, `an answer before ${line.slice(0, 40)}`);
    socket.write(`${line}\r\n`);
  }
  socket.end();
  return replies.slice(1);
}

/** Builds a transaction from lists.example, which authorizes only 192.0.2.7. */
const buildTransaction = (subject: string, above = ''): string[] => [
  'MAIL FROM:<a@lists.example>',
  `RCPT TO:<${ann.address}>`,
  'DATA',
  `${above}From: a@lists.example\r\nSubject: ${subject}\r\n\r\nText.\r\n.`,
];

test('authenticates relayed mail by the client that the relay reports', async () => {
  await talk(facade.lmtpPort, [
    'LHLO relay.test',
    'XFORWARD NAME=mx.lists.example ADDR=192.0.2.7 PROTO=ESMTP HELO=mx.lists.example SOURCE=REMOTE',
    ...buildTransaction('forwarded'),
    'XFORWARD ADDR=192.0.2.9 HELO=mx.lists.example',
    ...buildTransaction('forged behind a relay', `${POSTFIX}\r\n`),
    ...buildTransaction('nobody named'),
    ...buildTransaction('named in a field', `${POSTFIX}\r\n`),
  ]);
  const talkByProxy = (address: string, lines: readonly string[]) =>
    talk(facade.port, ['EHLO proxy', `XCLIENT ADDR=${address}`, 'EHLO mx.lists.example', ...lines]);
  await talkByProxy('192.0.2.7', buildTransaction('by proxy'));
  await talkByProxy('127.0.0.1', buildTransaction('by relay and proxy', `${POSTFIX}\r\n`));
  await talkByProxy('[UNAVAILABLE]', buildTransaction('by a proxy that does not know', `${POSTFIX}\r\n`));
  const repeated = await talkByProxy('192.0.2.9', [
    'XFORWARD ADDR=192.0.2.7',
    'XCLIENT ADDR=192.0.2.7',
    ...buildTransaction('forged behind a proxy', `${POSTFIX}\r\n`),
  ]);
  expect(repeated.slice(3, 5)).toEqual([expect.stringMatching(/^550/), expect.stringMatching(/^550/)]);
  const passed = { verdicts: { spf: 'pass', dmarc: 'pass' }, folder_id: ann.folders.inbox };
  expect(await waitForFiled('forwarded')).toMatchObject(passed);
  expect(await waitForFiled('named in a field')).toMatchObject(passed);
  expect(await waitForFiled('by proxy')).toMatchObject(passed);
  expect(await waitForFiled('by relay and proxy')).toMatchObject(passed);
  for (const forged of ['forged behind a relay', 'forged behind a proxy'])
    expect(await waitForFiled(forged)).toMatchObject({
      verdicts: { spf: 'fail', dmarc: 'fail' },
      folder_id: ann.folders.spam,
    });
  for (const unknown of ['nobody named', 'by a proxy that does not know'])
    expect(await waitForFiled(unknown)).toMatchObject({
      verdicts: { spf: null, dmarc: null, policy: 'reject' },
      folder_id: ann.folders.inbox,
    });
});

test('rejects relay commands from an untrusted client, and ignores its forged trace headers', async () => {
  const config = { ...app.runtime.config, mxTrustedRelays: [] };
  const open = await startMailExchange({ ...app.runtime, config }, createMailIntake(app.runtime), {
    port: 0,
  });
  try {
    const replies = await talk(open.port, [
      'EHLO mx.lists.example',
      'XCLIENT ADDR=192.0.2.7',
      'XFORWARD ADDR=192.0.2.7',
      ...buildTransaction('pretended', `Authentication-Results: main; spf=pass\r\n${POSTFIX}\r\n`),
    ]);
    expect(replies[0]).not.toMatch(/XCLIENT|XFORWARD/);
    expect(replies.slice(1, 3)).toEqual([expect.stringMatching(/^500/), expect.stringMatching(/^500/)]);
  } finally {
    await open.close();
  }
  expect(await waitForFiled('pretended')).toMatchObject({
    verdicts: { spf: 'fail', dmarc: 'fail' },
    folder_id: ann.folders.spam,
  });
});

test('does not disconnect a relay whose clients try many unknown recipients', async () => {
  const unknown = Array.from({ length: 25 }, (_, i) => `RCPT TO:<nobody-${i}@main.test>`);
  const replies = await talk(facade.lmtpPort, ['LHLO relay.test', 'MAIL FROM:<a@lists.example>', ...unknown]);
  expect(replies.slice(2)).toEqual(Array(25).fill(expect.stringMatching(/^550 5\.1\.1/)));
});

postfix.describe('behind Postfix', () => {
  let relay: Postfix;
  beforeAll(async () => {
    relay = await startPostfix(facade);
  });
  afterAll(() => relay?.end());

  const talkThrough = (mode: (typeof RELAY_MODES)[number], address: string, lines: readonly string[]) =>
    talk(relay.ports[mode], ['EHLO proxy', `XCLIENT ADDR=${address}`, 'EHLO mx.lists.example', ...lines]);

  test.each(RELAY_MODES)(
    'authenticates mail relayed by %s by its original client, which cannot forge its address',
    async (mode) => {
      await talkThrough(mode, '192.0.2.7', buildTransaction(`genuine by ${mode}`));
      const replies = await talkThrough(mode, '192.0.2.9', [
        'XFORWARD ADDR=192.0.2.7',
        'XCLIENT ADDR=192.0.2.7',
        ...buildTransaction(
          `forged by ${mode}`,
          `Authentication-Results: relay.test; spf=pass\r\n${POSTFIX}\r\n`,
        ),
      ]);
      expect(replies.slice(3, 5)).toEqual([expect.stringMatching(/^5/), expect.stringMatching(/^5/)]);
      await talk(relay.ports[mode], ['EHLO printer', ...buildTransaction(`from the network by ${mode}`)]);
      expect(await waitForFiled(`genuine by ${mode}`)).toMatchObject({
        verdicts: { spf: 'pass', dmarc: 'pass' },
        folder_id: ann.folders.inbox,
      });
      expect(await waitForFiled(`forged by ${mode}`)).toMatchObject({
        verdicts: { spf: 'fail', dmarc: 'fail' },
        folder_id: ann.folders.spam,
      });
      expect(await waitForFiled(`from the network by ${mode}`)).toMatchObject({
        verdicts: { spf: null, dmarc: null },
        folder_id: ann.folders.inbox,
      });
    },
  );
});

test('parses addresses and parameters according to RFC 5321', async () => {
  const { db } = app.runtime;
  await db.rows(
    sql`insert into svc_mail_address (workspace_id, id, account_id, address, kind)
     values (${app.main.ctx.workspace.id}, ${await allocateId(app.main.ctx, 'svc_mail_address')}, ${ann.id},
       'postmaster@main.test', 'alias')`,
  );
  const config = { ...app.runtime.config, publicUrl: 'https://mail.eu.main.test', mxTrustedRelays: [] };
  const exchange = await startMailExchange({ ...app.runtime, config }, createMailIntake(app.runtime), {
    port: 0,
  });
  const [local, domain] = ann.address.split('@');
  const from = 'MAIL FROM:<a@lists.example>';
  const cases: [string, RegExp][] = [
    ['MAIL FROM:<a@lists.example> FOO=BAR', /^555 5\.5\.4 /],
    ['MAIL FROM:<a@lists.example> FOO', /^555 5\.5\.4 /],
    ['MAIL FROM:<a@lists.example> RET=HDRS', /^555 /],
    ['MAIL FROM:<a@lists.example> BODY=BINARYMIME', /^501 /],
    ['MAIL FROM:<jos\u00e9@lists.example>', /^553 5\.6\.7 /],
    ['MAIL FROM:<a@lists.example> SIZE=12 BODY=8BITMIME', /^250 /],
    ['RSET', /^250 /],
    ['MAIL FROM:<jos\u00e9@lists.example> SMTPUTF8', /^250 /],
    ['RSET', /^250 /],
    ['MAIL FROM:<>', /^250 /],
    ['RSET', /^250 /],
    [`RCPT TO:<${ann.address}>`, /^503 /],
    [from, /^250 /],
    [from, /^503 /],
    [`RCPT TO:<${ann.address}> NOTIFY=NEVER`, /^555 /],
    ['RCPT TO:<jos\u00e9@main.test>', /^553 /],
    ['RCPT TO:<>', /^501 /],
    ['RCPT TO:<postmaster@other.example>', /^550 5\.1\.1 /],
    [`RCPT TO:<"${local}"@${domain}>`, /^250 /],
    [`RCPT TO:<"\\${local}"@${domain}>`, /^250 /],
    [`RCPT TO:<@relay.example:${ann.address}>`, /^250 /],
    ['RCPT TO:<PostMaster>', /^250 /],
    ['DATA', /^354 /],
    ['From: a@lists.example\r\nSubject: to the postmaster\r\n\r\nText.\r\n.', /^250 /],
    ['VRFY nobody', /^252 /],
    ['WIZ please', /^500 /],
    ['NOOP', /^250 /],
  ];
  try {
    const replies = await talk(exchange.port, ['EHLO client', ...cases.map(([line]) => line)]);
    for (const [i, [line, reply]] of cases.entries()) expect(replies[i + 1], line).toMatch(reply);
  } finally {
    await exchange.close();
  }
  expect(await waitForFiled('to the postmaster')).toMatchObject({ folder_id: ann.folders.spam });
});
