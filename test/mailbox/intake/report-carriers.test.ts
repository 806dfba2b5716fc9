import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { waitForNotices } from '../../../schema/email/provider/notices.ts';
import { sql } from '../../../src/db/sql.ts';
import { setUp } from '../../harness/set-up.ts';
import { sendOverSmtp } from '../../harness/smtp.ts';
import { startSes } from '../../standins/ses.ts';
import { waitUntilFiled } from '../exchange.ts';
import { type RelayedMessage, setUpRelayedMail } from './relayed-mail.ts';
import { buildAbuseReport, buildStatusReport } from './reports.ts';

const ses = setUp(() => startSes());
// The relay is the SMTP interface of SES, which publishes events and also returns bounces by mail.
const { relay, app, facade, ann, sendMail } = setUpRelayedMail(() => ({
  SES_TOPIC_ARNS: ses.topic.arn,
  AWS_SNS_ENDPOINT: ses.url,
}));

const getWorkspaceId = () => app.main.ctx.workspace.id;

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

async function publish(
  sent: RelayedMessage,
  eventType: 'Bounce' | 'Complaint',
  details: object,
): Promise<void> {
  const timestamp = new Date().toISOString();
  const headers = [{ name: 'X-Atrium-Email-ID', value: sent.publicId }];
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

const publishBounce = (sent: RelayedMessage, recipient: string) =>
  publish(sent, 'Bounce', {
    bounceType: 'Permanent',
    bounceSubType: 'General',
    bouncedRecipients: [{ emailAddress: recipient, diagnosticCode: 'smtp; 550 5.1.1 user unknown' }],
  });
const returnBounce = (sent: RelayedMessage, recipient: string) => {
  const { from, envelopeId } = sent.received;
  return returnMail(from, buildStatusReport(from, { recipient, envelopeId }));
};
const publishFullMailbox = (sent: RelayedMessage, recipient: string) =>
  publish(sent, 'Bounce', {
    bounceType: 'Transient',
    bounceSubType: 'MailboxFull',
    bouncedRecipients: [{ emailAddress: recipient, diagnosticCode: 'smtp; 552 5.2.2 full' }],
  });
const returnFullMailbox = (sent: RelayedMessage, recipient: string) => {
  const { from, envelopeId } = sent.received;
  const report = { recipient, envelopeId, status: '5.2.2', diagnostic: '552 5.2.2 full' };
  return returnMail(from, buildStatusReport(from, report));
};
const publishComplaint = (sent: RelayedMessage, recipient: string) =>
  publish(sent, 'Complaint', { complainedRecipients: [{ emailAddress: recipient }] });
const returnComplaint = (sent: RelayedMessage) => {
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
