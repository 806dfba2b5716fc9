import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { buildReturnAddress, parseReturnPath } from '../../../schema/email/provider/return-path.ts';
import { sql } from '../../../src/db/sql.ts';
import { sendOverSmtp } from '../../harness/smtp.ts';
import { until } from '../../harness/wait.ts';
import type { ReceivedMessage } from '../../standins/smtp.ts';
import { waitUntilFiled } from '../exchange.ts';
import { callMailOk } from '../mailboxes.ts';
import { findMiscounts } from '../recount.ts';
import { setUpRelayedMail } from './relayed-mail.ts';
import { buildAbuseReport, buildStatusReport } from './reports.ts';

const { app, facade, ann, sendMail } = setUpRelayedMail();

const getWorkspaceId = () => app.main.ctx.workspace.id;

const loadStatus = (id: number) =>
  app.runtime.db.value<string>(
    sql`select latest_status from svc_email where workspace_id = ${getWorkspaceId()} and id = ${id}`,
  );

const loadEvents = (id: number) =>
  app.runtime.db.rows<{ status: string; data: Record<string, unknown> | null }>(
    sql`select status, data from svc_email_event where workspace_id = ${getWorkspaceId()} and email_id = ${id}
     and status not in ('QUEUED', 'SENT') order by id`,
  );

const isSuppressed = async (email: string) => {
  const rows = await app.runtime.db.rows(
    sql`select 1 from svc_suppression where workspace_id = ${getWorkspaceId()} and email = ${email}`,
  );
  return rows.length > 0;
};

/** Delivers a message over SMTP, waits until it is filed, and returns the ids of its folders. */
async function deliverMail(to: string, raw: string, envelopeFrom = ''): Promise<number[]> {
  const response = await sendOverSmtp(facade.port, { envelope: { from: envelopeFrom, to: [to] }, raw });
  expect(response).toMatch(/^250/);
  const loadFolders = () =>
    app.runtime.db.rows<{ state: string; folder_id: number | null }>(
      sql`select d.state, e.folder_id from svc_mail_delivery d
       left join svc_mail_entry e on e.workspace_id = ${getWorkspaceId()} and e.id = d.entry_id
       where d.workspace_id = ${getWorkspaceId()} order by d.id desc limit 1`,
    );
  await until(async () => (await loadFolders())[0]!.state === 'filed', 'it is filed');
  return (await loadFolders()).map(({ folder_id }) => folder_id!);
}

const getHeader = ({ raw }: ReceivedMessage) => raw.toString('latin1').split('\r\n\r\n')[0]!;

test('gives each email sent from a mailbox a unique return path to that mailbox', async () => {
  const { received, id } = await sendMail('bob@example.net');
  expect(received.from).toMatch(/^[^+@]+\+b-[0-9a-f]{32}@/);
  expect(received.from.replace(/\+[^@]*/, '')).toBe(ann.address);
  expect(received.envelopeId).toMatch(/^[0-9a-f]{32}$/);
  expect(received.from).not.toContain(received.envelopeId!);
  expect(received.raw.toString()).not.toContain(received.envelopeId!);
  expect(parseReturnPath(app.runtime.config, getWorkspaceId(), received.from)).toBe(id);
});

test('marks the email as bounced, suppresses the address and files the report for an unknown mailbox', async () => {
  const { id, received, entry } = await sendMail('gone@example.net');
  const report = buildStatusReport(received.from, {
    recipient: 'gone@example.net',
    returned: getHeader(received),
  });
  expect(await deliverMail(received.from, report)).toEqual([ann.folders.inbox]);
  expect(await loadStatus(id)).toBe('BOUNCED');
  expect(await loadEvents(id)).toMatchObject([
    {
      status: 'BOUNCED',
      data: {
        bounceType: 'Permanent',
        bounceSubType: 'NoEmail',
        bouncedRecipients: [
          {
            emailAddress: 'gone@example.net',
            status: '5.1.1',
            diagnosticCode: '550 5.1.1 <gone@example.net>: no such user',
          },
        ],
      },
    },
  ]);
  expect(await isSuppressed('gone@example.net')).toBe(true);
  expect(JSON.stringify(await callMailOk(app, 'get_entry_detail', { entry_id: entry }))).toMatch(
    /"bounced"/i,
  );
  expect(await findMiscounts(app)).toEqual([]);
});

test('counts a repeated report once', async () => {
  const { id, received } = await sendMail('twice@example.net');
  const report = buildStatusReport(received.from, {
    recipient: 'twice@example.net',
    status: '4.4.1',
    action: 'delayed',
  });
  await deliverMail(received.from, report);
  const before = await loadEvents(id);
  expect(before).toMatchObject([{ status: 'DELIVERY_DELAYED' }]);
  const lmtp = { lmtp: true, ignoreTLS: true };
  // A relay may replace the Message-ID.
  const copy = report.replace(/^Message-ID: .*$/m, 'Message-ID: <another@mx.example.net>');
  for (const raw of [report, copy])
    await sendOverSmtp(facade.lmtpPort, { envelope: { from: '', to: [received.from] }, raw }, lmtp);
  await waitUntilFiled(app);
  expect(await loadStatus(id)).toBe('DELIVERY_DELAYED');
  expect(await loadEvents(id)).toEqual(before);
});

test.each([
  ['a full mailbox', { status: '5.2.2', diagnostic: '552 5.2.2 over quota' }, 'Transient', 'MailboxFull'],
  ['rejected content', { status: '5.7.1', diagnostic: '550 5.7.1 spam' }, 'Transient', 'ContentRejected'],
  ['no response for days', { status: '4.4.7', diagnostic: '' }, 'Transient', 'General'],
])('records a bounce but no suppression for %s', async (_what, report, bounceType, bounceSubType) => {
  const to = `${randomBytes(4).toString('hex')}@example.net`;
  const { id, received } = await sendMail(to);
  await deliverMail(received.from, buildStatusReport(received.from, { recipient: to, ...report }));
  expect(await loadEvents(id)).toMatchObject([{ status: 'BOUNCED', data: { bounceType, bounceSubType } }]);
  expect(await isSuppressed(to)).toBe(false);
});

test('suppresses an address temporarily after five reports of a full mailbox', async () => {
  const to = 'full@example.net';
  for (let count = 1; count <= 5; count++) {
    expect(await isSuppressed(to)).toBe(false);
    const { received } = await sendMail(to);
    await deliverMail(
      received.from,
      buildStatusReport(received.from, { recipient: to, status: '5.2.2', diagnostic: '552 5.2.2 full' }),
    );
  }
  const [entry] = await app.runtime.db.rows<{ reason: string; expires: boolean }>(
    sql`select reason, expires_at is not null as expires from svc_suppression
     where workspace_id = ${getWorkspaceId()} and email = ${to}`,
  );
  expect(entry).toEqual({ reason: 'SOFT_BOUNCE', expires: true });
});

test('treats a bounce with a forged return path as ordinary mail', async () => {
  const { id, received } = await sendMail('victim@example.net');
  const otherTenant = await app.tenant('there');
  const [, token] = /\+b-([0-9a-f]{32})@/.exec(received.from)!;
  const changed = received.from.replace(
    token!,
    token!.replace(/^./, (digit) => (digit === '0' ? '1' : '0')),
  );
  const ofOther = buildReturnAddress(
    app.runtime.config,
    otherTenant.ctx.workspace.id,
    id,
    ann.address,
  )!.returnPath;
  const swapped = received.from.replace(token!, received.envelopeId!);
  for (const to of [ann.address, changed, ofOther, swapped])
    await deliverMail(
      to,
      buildStatusReport(to, { recipient: 'victim@example.net', returned: getHeader(received) }),
    );
  expect(await loadStatus(id)).toBe('SENT');
  expect(await loadEvents(id)).toEqual([]);
  expect(await isSuppressed('victim@example.net')).toBe(false);
});

test('ignores a report whose return path and Message-ID belong to different emails', async () => {
  const [one, other] = [await sendMail('one@example.net'), await sendMail('other@example.net')];
  const report = buildStatusReport(one.received.from, {
    recipient: 'one@example.net',
    returned: getHeader(other.received),
  });
  await deliverMail(one.received.from, report);
  expect([await loadStatus(one.id), await loadStatus(other.id)]).toEqual(['SENT', 'SENT']);
});

test('suppresses one of several recipients only if the report contains the envelope id', async () => {
  const { id, received } = await sendMail('mallory@example.net, carol@example.net');
  await deliverMail(received.from, buildStatusReport(received.from, { recipient: 'stranger@example.net' }));
  expect(await loadEvents(id)).toEqual([]);
  await deliverMail(received.from, buildStatusReport(received.from, { recipient: 'carol@example.net' }));
  expect(await loadEvents(id)).toMatchObject([{ status: 'BOUNCED', data: { bounceType: 'Undetermined' } }]);
  expect(await isSuppressed('carol@example.net')).toBe(false);
  for (let count = 1; count <= 6; count++) {
    const { received: other } = await sendMail('mallory@example.net, carol@example.net');
    await deliverMail(
      other.from,
      buildStatusReport(other.from, { recipient: 'carol@example.net', status: '5.2.2' }),
    );
  }
  expect(await isSuppressed('carol@example.net')).toBe(false);
  const { envelopeId } = received;
  await deliverMail(
    received.from,
    buildStatusReport(received.from, { recipient: 'carol@example.net', envelopeId }),
  );
  expect(await isSuppressed('carol@example.net')).toBe(true);
  expect(await isSuppressed('mallory@example.net')).toBe(false);
});

test('applies a complaint to the email identified by its return path', async () => {
  const { id, received } = await sendMail('angry@example.net');
  const returned = `Return-Path: <${received.from}>\r\n${received.raw.toString('latin1')}`;
  await deliverMail(ann.address, buildAbuseReport(ann.address, returned), 'abuse@example.net');
  expect(await loadStatus(id)).toBe('COMPLAINED');
  expect(await isSuppressed('angry@example.net')).toBe(true);
  const { id: safe, received: other } = await sendMail('calm@example.net');
  const report = buildAbuseReport(ann.address, other.raw.toString('latin1'), 'calm@example.net');
  await deliverMail(ann.address, report, 'abuse@example.net');
  expect(await loadStatus(safe)).toBe('SENT');
});

const buildPlainBounce = (from: string, extra: string, text: string): string =>
  `From: ${from}\r\nTo: ${ann.address}\r\nSubject: failure notice\r\n` +
  `Message-ID: <${randomBytes(6).toString('hex')}@mx.example.net>\r\n${extra}\r\n${text}\r\n`;

test.each([
  [
    'qmail',
    '',
    (to: string, copy: string) =>
      `Hi. This is the qmail-send program at mx.example.net.\r\n\r\n<${to}>:\r\n192.0.2.1 does not like recipient.\r\n` +
      `Remote host said: 550 5.1.1 User unknown\r\n\r\n--- Below this line is a copy of the message.\r\n\r\n${copy}`,
  ],
  [
    'Exim',
    'X-Failed-Recipients: {to}\r\nAuto-Submitted: auto-replied\r\n',
    (to: string, copy: string) =>
      `A message that you sent could not be delivered to one or more of its recipients.\r\n\r\n  ${to}\r\n` +
      '    host mail.example.net [192.0.2.1]\r\n    SMTP error from remote mail server after RCPT TO:<>:\r\n' +
      `    550 no such user here\r\n\r\n------ This is a copy of the message, including all the headers. ------\r\n\r\n${copy}`,
  ],
])('marks an email as bounced by a plain text bounce from %s', async (_server, extra, text) => {
  const to = `${randomBytes(4).toString('hex')}@example.net`;
  const { id, received } = await sendMail(to);
  const body = text(to, received.raw.toString('latin1'));
  await deliverMail(
    received.from,
    buildPlainBounce('MAILER-DAEMON@mx.example.net', extra.replace('{to}', to), body),
  );
  expect(await loadEvents(id)).toMatchObject([
    { status: 'BOUNCED', data: { bounceType: 'Permanent', bouncedRecipients: [{ emailAddress: to }] } },
  ]);
});

test.each([
  ['a failure', 'The user 450 Club has left.\r\n550 5.1.1 No such user', 'Permanent'],
  [
    'a failure at a host with an address like a code',
    'mx [192.5.1.1] said:\r\n550 5.1.1 No such user',
    'Permanent',
  ],
  [
    'a failure of a message about a delay',
    '550 5.1.1 No such user',
    'Permanent',
    'Undeliverable: Order delayed',
  ],
  [
    'a failed sender verification',
    '550-Verification failed for <ann@main.test>\r\n550-No such user here\r\n550 Sender verify failed',
    'Transient',
  ],
  [
    'a delay',
    'Your message has not yet been delivered.\r\n450 greylisted',
    undefined,
    'Warning: message delayed',
  ],
])(
  'reads %s in the plain text of a mail server',
  async (_what, text, bounceType, subject = 'failure notice') => {
    const { id, received } = await sendMail(`${randomBytes(4).toString('hex')}@example.net`);
    const extra = 'Auto-Submitted: auto-replied\r\n';
    const bounce = buildPlainBounce('MAILER-DAEMON@mx.example.net', extra, text);
    await deliverMail(received.from, bounce.replace('failure notice', subject));
    expect(await loadEvents(id)).toMatchObject([
      bounceType ? { status: 'BOUNCED', data: { bounceType } } : { status: 'DELIVERY_DELAYED' },
    ]);
  },
);

test.each([
  ['an automatic reply', 'X-Autoreply: yes\r\n', 'I am in room 450 today.'],
  ['an automatic reply with a precedence', 'Precedence: auto_reply\r\n', 'I am in room 450 today.'],
  [
    'a read receipt',
    'MIME-Version: 1.0\r\n' +
      'Content-Type: multipart/report; report-type=disposition-notification; boundary="cut"\r\n',
    '--cut\r\n\r\nDeleted without being read: 550 5.1.1\r\n--cut\r\n' +
      'Content-Type: message/disposition-notification\r\n\r\nDisposition: automatic-action; deleted\r\n--cut--',
  ],
])('does not treat %s from a postmaster as a bounce', async (_what, extra, text) => {
  const { id, received } = await sendMail('postmaster@example.net');
  await deliverMail(received.from, buildPlainBounce('postmaster@example.net', extra, text));
  expect(await loadStatus(id)).toBe('SENT');
});

test('does not treat an auto-reply to the return path as a bounce', async () => {
  const { id, received } = await sendMail('away@example.net');
  const text = 'I am away until 5.10.2030. Error 550 5.1.1 is how my phone rings.';
  await deliverMail(
    received.from,
    buildPlainBounce('away@example.net', 'Auto-Submitted: auto-replied\r\n', text),
  );
  await deliverMail(
    received.from,
    buildPlainBounce('postmaster@example.net', 'Auto-Submitted: auto-replied\r\n', text),
  );
  expect(await loadStatus(id)).toBe('SENT');
});
