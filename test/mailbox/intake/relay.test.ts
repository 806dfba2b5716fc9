import { createHash, createHmac, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../../src/db/sql.ts';
import { type App, startApp } from '../../harness/app.ts';
import { type S3Standin, startS3 } from '../../standins/s3.ts';
import { createTopic, type Topic } from '../../standins/sns.ts';
import { findEntries, waitUntilFiled } from '../exchange.ts';
import { loadMailbox, type Mailbox } from '../mailboxes.ts';

const KEY = 'a key that the relay knows as well';

let app: App;
let ann: Mailbox;
let bob: Mailbox;
let s3: S3Standin;
let topic: Topic;
const certificates = createServer((_request, response) => response.end(topic.pem));
const getCertificateUrl = () => `http://127.0.0.1:${(certificates.address() as AddressInfo).port}`;

beforeAll(async () => {
  await new Promise<void>((listening) => certificates.listen(0, '127.0.0.1', listening));
  topic = createTopic({ base: getCertificateUrl });
  s3 = await startS3();
  app = await startApp({
    DNS_SERVERS: '127.0.0.1:9',
    MAIL_INBOUND_KEY: KEY,
    AWS_SNS_ENDPOINT: getCertificateUrl(),
    SES_INBOUND_TOPIC_ARNS: topic.arn,
    SES_INBOUND_BUCKET: s3.url,
  });
  ann = await loadMailbox(app.main.ctx, app.main.user.id);
  bob = await loadMailbox(app.main.ctx, app.main.admin.id);
  // The relay accepts mail only for verified domains.
  for (const box of [ann, bob]) box.address = box.address.replace('.localhost', '.test');
  await app.fileMail();
});
afterAll(async () => {
  await app?.close();
  await s3?.close();
  certificates.close();
});

const getWorkspaceId = () => app.main.ctx.workspace.id;

const buildMessage = (subject: string, extra = ''): string =>
  `From: Sender <sender@example.org>\r\nTo: ${ann.address}\r\nSubject: ${subject}\r\n` +
  `Message-ID: <${randomBytes(6).toString('hex')}@example.org>\r\n${extra}\r\nText of ${subject}.\r\n`;

interface RelayOptions {
  sender?: string;
  recipients?: string[];
  clientIp?: string;
  key?: string;
  at?: number;
  /** The submitted message, if it differs from the signed one. */
  posted?: string;
  asQuery?: boolean;
}

async function postRelay(raw: string, options: RelayOptions = {}) {
  const { sender = 'sender@example.org', recipients = [ann.address], clientIp = '', key = KEY } = options;
  const timestamp = String(Math.floor((options.at ?? Date.now()) / 1000));
  const hash = createHash('sha256').update(raw).digest('hex');
  const lines = [timestamp, sender, recipients.join(','), clientIp, hash];
  const signature = `v1=${createHmac('sha256', key).update(lines.join('\n')).digest('hex')}`;
  const query = new URLSearchParams([
    ['timestamp', timestamp],
    ['signature', signature],
    ['sender', sender],
    ...recipients.map((recipient) => ['recipient', recipient]),
    ['client_ip', clientIp],
    ['content_sha256', hash],
  ]);
  const headers = {
    'x-atrium-timestamp': timestamp,
    'x-atrium-signature': signature,
    'x-atrium-sender': sender,
    'x-atrium-recipients': recipients.join(','),
    'x-atrium-client-ip': clientIp,
    'x-atrium-content-sha256': hash,
  };
  const url = `${app.url}/mail/inbound${options.asQuery ? `?${query}` : ''}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'message/rfc822', ...(options.asQuery ? {} : headers) },
    body: options.posted ?? raw,
  });
  return { status: response.status, body: await response.json() };
}

test.each([[false], [true]])(
  'accepts a message posted by a relay, and reports an outcome for each recipient (sent in the query: %s)',
  async (asQuery) => {
    const subject = `relayed ${asQuery}`;
    const recipients = [ann.address, `nobody-${randomBytes(3).toString('hex')}@main.test`, bob.address];
    const response = await postRelay(buildMessage(subject), { recipients, asQuery });
    expect(response).toEqual({
      status: 200,
      body: {
        recipients: [
          { address: recipients[0], outcome: 'accepted' },
          { address: recipients[1], outcome: 'unknown' },
          { address: recipients[2], outcome: 'accepted' },
        ],
      },
    });
    await waitUntilFiled(app);
    expect(await findEntries(app, ann, subject)).toMatchObject([{ folder_id: ann.folders.inbox }]);
    expect(await findEntries(app, bob, subject)).toHaveLength(1);
  },
);

test('files a message once if a relay repeats its request', async () => {
  const raw = buildMessage('repeated');
  const at = Date.now();
  expect((await postRelay(raw, { at })).status).toBe(200);
  expect((await postRelay(raw, { at })).status).toBe(200);
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'repeated')).toHaveLength(1);
});

test('accepts a repeated request even if the first one filled the mailbox', async () => {
  const setQuota = (bytes: number | null) =>
    app.runtime.db.rows(
      sql`update svc_mail_account a set quota = c.used_bytes + ${bytes}::int8 from svc_mail_clock c
       where a.workspace_id = ${getWorkspaceId()} and a.id = ${ann.id} and c.workspace_id = ${getWorkspaceId()}
         and c.account_id = a.id`,
    );
  const raw = buildMessage('fills it', `X-Filler: ${'x'.repeat(600)}\r\n`);
  const at = Date.now();
  await setQuota(1_800);
  const first = await postRelay(raw, { at });
  await waitUntilFiled(app);
  const repeatedResponse = await postRelay(raw, { at });
  const another = await postRelay(buildMessage('another', `X-Filler: ${'x'.repeat(1_000)}\r\n`));
  await setQuota(null);
  expect(first).toMatchObject({ status: 200, body: { recipients: [{ outcome: 'accepted' }] } });
  expect(repeatedResponse).toEqual(first);
  expect(another.status).toBe(507);
  expect(await findEntries(app, ann, 'fills it')).toHaveLength(1);
});

test('rejects a request without a valid, recent signature', async () => {
  const raw = buildMessage('forged');
  expect((await postRelay(raw, { key: 'another key of the same length ...' })).status).toBe(401);
  expect((await postRelay(raw, { at: Date.now() - 400_000 })).status).toBe(401);
  expect((await postRelay(raw, { at: Date.now() + 400_000 })).status).toBe(401);
  expect((await postRelay(raw, { posted: raw.replace('Text', 'Ruse') })).status).toBe(400);
  expect((await fetch(`${app.url}/mail/inbound`, { method: 'POST', body: raw })).status).toBe(401);
  expect((await postRelay(raw, { recipients: [] })).status).toBe(400);
  expect((await postRelay(raw, { clientIp: 'somewhere' })).status).toBe(400);
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'forged')).toEqual([]);
});

test('returns the reason for a rejection to the relay', async () => {
  expect((await postRelay(buildMessage('x'), { recipients: ['nobody@main.test'] })).status).toBe(404);
  const setQuota = (bytes: number | null) =>
    app.runtime.db.rows(
      sql`update svc_mail_account set quota = ${bytes} where workspace_id = ${getWorkspaceId()} and id = ${ann.id}`,
    );
  await setQuota(10);
  expect((await postRelay(buildMessage('x'))).status).toBe(413);
  await setQuota(1_200);
  await postRelay(buildMessage('fills', `X-Filler: ${'x'.repeat(200)}\r\n`));
  await waitUntilFiled(app);
  const full = await postRelay(buildMessage('x', `X-Filler: ${'x'.repeat(400)}\r\n`));
  await setQuota(null);
  expect(full).toMatchObject({ status: 507, body: { recipients: [{ outcome: 'full' }] } });
});

test('applies the spam verdict of a relay', async () => {
  await postRelay(buildMessage('marked', 'X-Spam-Flag: YES\r\n'));
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'marked')).toMatchObject([{ folder_id: ann.folders.spam }]);
});

const buildNotice = (subject: string, action: object, overrides: object = {}, content?: string) => ({
  notificationType: 'Received',
  mail: {
    timestamp: new Date().toISOString(),
    source: 'sender@example.org',
    messageId: randomBytes(20).toString('hex'),
    destination: [ann.address],
    commonHeaders: { subject },
  },
  receipt: {
    timestamp: new Date().toISOString(),
    recipients: [ann.address],
    spamVerdict: { status: 'PASS' },
    virusVerdict: { status: 'PASS' },
    spfVerdict: { status: 'PASS' },
    dkimVerdict: { status: 'GRAY' },
    dmarcVerdict: { status: 'PASS' },
    action,
    ...overrides,
  },
  ...(content !== undefined && { content }),
});

const SNS = { type: 'SNS', topicArn: 'arn', encoding: 'BASE64' };

const postNotification = (options: object) =>
  topic.post(`${app.url}/mail/inbound/ses`, topic.notification(options));

test("files a message from an SES notification once, with SES's sender verdicts", async () => {
  const notice = buildNotice('from SES', SNS, {}, Buffer.from(buildMessage('from SES')).toString('base64'));
  expect(await postNotification(notice)).toBe(200);
  // SNS delivers at least once, so a notification may be repeated.
  expect(await postNotification(notice)).toBe(200);
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'from SES')).toMatchObject([
    { folder_id: ann.folders.inbox, verdicts: { spf: 'pass', dkim: null, dmarc: 'pass' } },
  ]);
});

test('authenticates the author without SES if SES could not determine the result', async () => {
  const content = Buffer.from(buildMessage('gray')).toString('base64');
  expect(
    await postNotification(buildNotice('gray', SNS, { dmarcVerdict: { status: 'GRAY' } }, content)),
  ).toBe(200);
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'gray')).toMatchObject([
    { verdicts: { spf: 'pass', dmarc: 'temperror' } },
  ]);
});

test('files a message that SES stored in a bucket', async () => {
  const { searchParams } = new URL(s3.url);
  const client = new S3Client({
    region: 'eu-west-1',
    endpoint: searchParams.get('endpoint')!,
    forcePathStyle: true,
    credentials: { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' },
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  const Body = buildMessage('from a bucket');
  await client.send(new PutObjectCommand({ Bucket: 'contents', Key: 'inbound-1', Body }));
  client.destroy();
  const action = { type: 'S3', bucketName: 'contents', objectKey: 'inbound-1' };
  expect(await postNotification(buildNotice('from a bucket', action))).toBe(200);
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'from a bucket')).toHaveLength(1);
  expect(await postNotification(buildNotice('x', { ...action, objectKey: 'not-there' }))).toBe(503);
  expect(await postNotification(buildNotice('x', { ...action, bucketName: 'of-somebody-else' }))).toBe(403);
});

test.each([['spamVerdict'], ['virusVerdict']])(
  'files a message in Spam if its %s is FAIL',
  async (verdict) => {
    const content = Buffer.from(buildMessage(verdict)).toString('base64');
    expect(
      await postNotification(buildNotice(verdict, SNS, { [verdict]: { status: 'FAIL' } }, content)),
    ).toBe(200);
    await waitUntilFiled(app);
    expect(await findEntries(app, ann, verdict)).toMatchObject([{ folder_id: ann.folders.spam }]);
  },
);

test('files no message from a notification that is forged, or has another topic or type', async () => {
  const notice = buildNotice(
    'forged notice',
    SNS,
    {},
    Buffer.from(buildMessage('forged notice')).toString('base64'),
  );
  const url = `${app.url}/mail/inbound/ses`;
  const envelope = topic.notification(notice);
  expect(await topic.post(url, { ...envelope, Message: envelope.Message.replace('PASS', 'FAIL') })).toBe(403);
  expect(await topic.post(url, { ...envelope, TopicArn: `${envelope.TopicArn}x` })).toBe(403);
  expect(await topic.post(`${app.url}/api/ses_callback`, envelope)).toBe(403);
  expect(await postNotification({ notificationType: 'AmazonSnsSubscriptionSucceeded' })).toBe(200);
  await waitUntilFiled(app);
  expect(await findEntries(app, ann, 'forged notice')).toEqual([]);
});
