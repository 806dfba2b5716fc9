import { randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { verifyDomain } from '../../../schema/email/domains/domain-verify.ts';
import { waitForNotices } from '../../../schema/email/provider/notices.ts';
import { sql } from '../../../src/db/sql.ts';
import { startApp } from '../../harness/app.ts';
import { setUp } from '../../harness/set-up.ts';
import { sendOverSmtp } from '../../harness/smtp.ts';
import { until } from '../../harness/wait.ts';
import { startSes } from '../../standins/ses.ts';
import { startSmtp } from '../../standins/smtp.ts';
import { openExchange, waitUntilFiled } from '../exchange.ts';
import { callMailOk, loadMailbox, type Mailbox } from '../mailboxes.ts';
import { buildAbuseReport, buildStatusReport } from './reports.ts';

// The relay is the SMTP interface of SES, which publishes events and also returns bounces by mail.
const relay = setUp(startSmtp);
const ses = setUp(() => startSes());
const app = setUp(() =>
  startApp({
    MAIL_TRANSPORT: 'smtp',
    SMTP_URL: relay.url,
    MAIL_BOUNCES: 'on',
    DNS_SERVERS: '127.0.0.1:9',
    SES_TOPIC_ARNS: ses.topic.arn,
    AWS_SNS_ENDPOINT: ses.url,
  }),
);
const facade = setUp(() => openExchange(app));
let ann: Mailbox;

beforeAll(async () => {
  const { main } = app;
  await verifyDomain(main.ctx, main.domain);
  ann = await loadMailbox(main.ctx, main.user.id);
  await app.deliver();
  await app.fileMail();
});

const getWorkspaceId = () => app.main.ctx.workspace.id;

async function sendMail(to: string) {
  const subject = randomBytes(6).toString('hex');
  await callMailOk(app, 'compose_send', { account_id: ann.id, to, subject, body: 'Hello.' });
  const findReceived = () => relay.received.find(({ raw }) => raw.includes(subject));
  const loadRow = async () => {
    const [row] = await app.runtime.db.rows<{ id: number; public_id: string; state: string }>(
      sql`select id, public_id, state from svc_email where workspace_id = ${getWorkspaceId()} and subject = ${subject}`,
    );
    return row!;
  };
  await until(async () => (await loadRow()).state === 'sent', 'it is sent');
  return { ...(await loadRow()), received: findReceived()! };
}

type Sent = Awaited<ReturnType<typeof sendMail>>;

const loadStatuses = async (id: number) => {
  const rows = await app.runtime.db.rows<{ status: string }>(
    sql`select status from svc_email_event where workspace_id = ${getWorkspaceId()} and email_id = ${id}
     and status not in ('QUEUED', 'SENT') order by id`,
  );
  return rows.map(({ status }) => status);
};

const loadSuppressions = async (email: string) => {
  const rows = await app.runtime.db.rows<{ reason: string }>(
    sql`select reason from svc_suppression where workspace_id = ${getWorkspaceId()} and email = ${email}`,
  );
  return rows.map(({ reason }) => reason);
};

async function publish(sent: Sent, eventType: 'Bounce' | 'Complaint', details: object): Promise<void> {
  const timestamp = new Date().toISOString();
  const headers = [{ name: 'X-Atrium-Email-ID', value: sent.public_id }];
  const feedbackId = `0100${randomBytes(6).toString('hex')}-000000`;
  const message = {
    eventType,
    mail: { messageId: randomBytes(8).toString('hex'), timestamp, headers },
    [eventType.toLowerCase()]: { timestamp, feedbackId, ...details },
  };
  const callback = `${app.url}/api/ses_callback`;
  expect(await ses.topic.post(callback, ses.topic.notification(message))).toBe(200);
  await waitForNotices(app.runtime.db);
}

async function returnMail(to: string, raw: string, from = ''): Promise<void> {
  await sendOverSmtp(facade.port, { envelope: { from, to: [to] }, raw });
  await waitUntilFiled(app);
}

const publishBounce = (sent: Sent, recipient: string) =>
  publish(sent, 'Bounce', {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: recipient, diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
  });
const returnBounce = (sent: Sent, recipient: string) => {
  const { from, envelopeId } = sent.received;
  return returnMail(from, buildStatusReport(from, { recipient, envelopeId }));
};
const publishFullMailbox = (sent: Sent, recipient: string) =>
  publish(sent, 'Bounce', {
    bounceType: 'Transient',
    bounceSubType: 'MailboxFull',
    bouncedRecipients: [{ emailAddress: recipient, diagnosticCode: 'smtp; 552 5.2.2 full' }],
  });
const returnFullMailbox = (sent: Sent, recipient: string) => {
  const { from, envelopeId } = sent.received;
  const report = { recipient, envelopeId, status: '5.2.2', diagnostic: '552 5.2.2 full' };
  return returnMail(from, buildStatusReport(from, report));
};
const publishComplaint = (sent: Sent, recipient: string) =>
  publish(sent, 'Complaint', { complainedRecipients: [{ emailAddress: recipient }] });
const returnComplaint = (sent: Sent) => {
  const returned = `Return-Path: <${sent.received.from}>\r\n${sent.received.raw.toString('latin1')}`;
  return returnMail(ann.address, buildAbuseReport(ann.address, returned), 'abuse@example.net');
};

const pairs = [
  ['permanent bounce', publishBounce, returnBounce, 'BOUNCED', ['HARD_BOUNCE']],
  ['full mailbox', publishFullMailbox, returnFullMailbox, 'BOUNCED', []],
  ['complaint', publishComplaint, returnComplaint, 'COMPLAINED', ['COMPLAINT']],
] as const;

test.each(pairs)('records a %s once if it is published and returned by mail', async (...row) => {
  const [, published, returned, status, reasons] = row;
  for (const order of [
    [published, returned],
    [returned, published],
  ]) {
    const to = `${randomBytes(4).toString('hex')}@example.net`;
    const sent = await sendMail(to);
    for (const report of order) await report(sent, to);
    expect(await loadStatuses(sent.id)).toEqual([status]);
    expect(await loadSuppressions(to)).toEqual(reasons);
  }
});

test('records a permanent bounce after a full mailbox, but not the reverse', async () => {
  const to = `${randomBytes(4).toString('hex')}@example.net`;
  const sent = await sendMail(to);
  await returnFullMailbox(sent, to);
  await publishBounce(sent, to);
  await returnFullMailbox(sent, to);
  expect(await loadStatuses(sent.id)).toEqual(['BOUNCED', 'BOUNCED']);
  expect(await loadSuppressions(to)).toEqual(['HARD_BOUNCE']);
});

test('records a recipient that the relay rejected once, and the bounce of another recipient', async () => {
  const [gone, away] = ['gone', 'away'].map((name) => `${name}@${randomBytes(4).toString('hex')}.example`);
  relay.refuse.set(gone!, { code: 550, text: '5.1.1 user unknown' });
  const sent = await sendMail(`${gone}, ${away}`);
  await publishBounce(sent, gone!);
  expect(await loadStatuses(sent.id)).toEqual(['BOUNCED']);
  await publishBounce(sent, away!);
  await returnBounce(sent, away!);
  expect(await loadStatuses(sent.id)).toEqual(['BOUNCED', 'BOUNCED']);
  expect(await loadSuppressions(away!)).toEqual(['HARD_BOUNCE']);
});

test('counts a soft bounce of one of several recipients once', async () => {
  const to = `full@${randomBytes(4).toString('hex')}.example`;
  for (let count = 1; count <= 4; count++) {
    const sent = await sendMail(`${to}, other@example.net`);
    await publishFullMailbox(sent, to);
    await publishFullMailbox(sent, to);
    await returnFullMailbox(sent, to);
  }
  expect(await loadSuppressions(to)).toEqual([]);
  await publishFullMailbox(await sendMail(`${to}, other@example.net`), to);
  expect(await loadSuppressions(to)).toEqual(['SOFT_BOUNCE']);
});
