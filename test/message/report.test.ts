import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { parseMail } from '../../src/message/parse/message.ts';
import { toRawMail } from '../../src/message/parse/raw.ts';
import { readReport } from '../../src/message/report/read-report.ts';
import { classifyBounce } from '../../src/message/report/report.ts';
import { buildStatusReport } from '../mailbox/intake/reports.ts';

async function parseReport(name: string, folder = 'multipart_report_emails') {
  const path = `../fixtures/mail/corpus/rails-mail/${folder}/${name}.eml`;
  const raw = toRawMail(readFileSync(new URL(path, import.meta.url)));
  return readReport(await parseMail(raw), raw, '');
}

test('parses reports from other mail servers', async () => {
  expect(await parseReport('report_422')).toMatchObject({
    kind: 'delivery',
    recipients: [{ addresses: ['fraser@oooooooo.com.au'], action: 'delayed', status: '4.2.2' }],
  });
  expect(await parseReport('report_530')).toMatchObject({
    kind: 'delivery',
    recipients: [{ addresses: ['edwin@zzzzzzz.com'], action: 'failed', status: '5.3.0' }],
  });
  expect((await parseReport('multi_address_bounce2'))!.recipients).toHaveLength(5);
  expect(await parseReport('japanese_iso_2022', 'multi_charset')).toBeNull();
});

test('parses an action with a comment and an internationalized domain', async () => {
  const message = buildStatusReport('ann@main.test', {
    recipient: 'gone@bücher.example',
    action: 'Failed (no such user)',
  });
  const raw = toRawMail(Buffer.from(message));
  expect(await readReport(await parseMail(raw), raw, '')).toMatchObject({
    recipients: [
      { action: 'failed', addresses: ['gone@xn--bcher-kva.example', 'gone@xn--bcher-kva.example'] },
    ],
  });
});

test.each(['Unrouteable address', 'mailbox is full'])(
  'reads the reason "%s" of Exim without a code',
  async (reason) => {
    const raw = toRawMail(
      Buffer.from(
        'From: Mail Delivery System <Mailer-Daemon@a.example>\r\nX-Failed-Recipients: Gone@a.example\r\n\r\n' +
          `A message could not be delivered:\r\n\r\n  gone@a.example\r\n    ${reason}\r\n`,
      ),
    );
    expect(await readReport(await parseMail(raw), raw, '')).toMatchObject({
      recipients: [{ action: 'failed', status: '', diagnostic: reason }],
    });
  },
);

test.each([
  ['5.1.1', '', 'Permanent', 'NoEmail'],
  ['5.1.7', '550 5.1.7 sender', 'Transient', 'ContentRejected'],
  ['5.1.8', '550 5.1.8 domain not found', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 <me@a.example>: Sender address rejected: User unknown', 'Transient', 'ContentRejected'],
  [
    '5.0.0',
    '550-Callback setup failed 550-Response: 550 5.1.1 no such user 550 Sender verify failed',
    'Transient',
    'ContentRejected',
  ],
  ['5.0.0', '550 Sender callout verification failed: 550 no such user', 'Transient', 'ContentRejected'],
  ['5.0.0', '550-Callout verification failed: 550 5.1.1 User unknown', 'Permanent', 'NoEmail'],
  ['5.0.0', '550-Callout verification failed: 550 No Such User Here', 'Permanent', 'NoEmail'],
  ['5.0.0', '550-Callout verification failed: 552 5.2.2 mailbox full', 'Transient', 'MailboxFull'],
  ['5.1.1', '554 5.7.1 Client host blocked', 'Transient', 'ContentRejected'],
  ['5.1.1', '550 Blocked, see https://www.spamhaus.org/query', 'Transient', 'ContentRejected'],
  ['5.1.1', '550 User unknown, see https://spam.example.net', 'Permanent', 'NoEmail'],
  ['5.1.1', '550 <spam@a.example>: not here', 'Permanent', 'NoEmail'],
  ['5.1.1', '552 5.2.2 mailbox full', 'Transient', 'MailboxFull'],
  ['5.4.7', '452 4.2.2 mailbox full', 'Transient', 'General'],
  ['5.0.0', '550 5.1.1 unknown', 'Permanent', 'NoEmail'],
  ['5.0.0', '550 No such user here', 'Permanent', 'NoEmail'],
  ['5.3.0', '554 5.7.1 refused', 'Transient', 'ContentRejected'],
  ['5.2.1', '', 'Permanent', 'General'],
  ['5.2.1', '550-5.2.1 The user is receiving mail at a rate that prevents', 'Transient', 'General'],
  ['5.2.1', '550-5.2.1 The user is receiving mail too quickly.', 'Transient', 'General'],
  ['5.7.1', '550 5.7.1 No such user!', 'Permanent', 'NoEmail'],
  ['5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable', 'Permanent', 'NoEmail'],
  ['5.5.0', '550 5.5.0 Requested action not taken: mailbox unavailable (S2017)', 'Permanent', 'NoEmail'],
  ['5.0.0', '550 Requested action not taken: mailbox unavailable', 'Permanent', 'NoEmail'],
  ['5.0.0', '550 mailbox unavailable (in reply to RCPT TO command)', 'Permanent', 'NoEmail'],
  ['5.0.0', '550-mailbox unavailable 550 invalid DNS MX record', 'Undetermined', 'Undetermined'],
  ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied. AS(201)', 'Permanent', 'NoEmail'],
  ['5.4.1', '', 'Undetermined', 'Undetermined'],
  ['5.0.0', "554 delivery error: dd This user doesn't have a yahoo.com account", 'Permanent', 'NoEmail'],
  ['5.0.0', '550 Ann (ann@a.example) not listed in Domino Directory', 'Permanent', 'NoEmail'],
  ['5.2.2', 'user unknown', 'Transient', 'MailboxFull'],
  ['5.3.4', '', 'Transient', 'MessageTooLarge'],
  ['4.4.1', '', 'Transient', 'General'],
  ['5.0.0', 'from 10.5.1.1', 'Undetermined', 'Undetermined'],
  ['5.0.0', '554 rejected for policy reasons', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 mailbox unavailable. Reject due to policy restrictions', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 SPF check failed', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 relaying denied', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 relay not permitted', 'Transient', 'ContentRejected'],
  ['5.0.0', '554 your IP address has no reverse DNS', 'Transient', 'ContentRejected'],
  [
    '5.0.0',
    '554 IP=192.0.2.1 - A problem occurred. (Ask your postmaster) (BL)',
    'Transient',
    'ContentRejected',
  ],
  ['5.0.0', '554 Transaction failed, bad DNS PTR resource record', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 Too many invalid recipients from your IP', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 unsolicited mail, or complaints about your server', 'Transient', 'ContentRejected'],
  ['5.4.7', '5.4.7 Delivery expired (message too old)', 'Transient', 'General'],
  ['5.0.0', '550 no such user, blocked', 'Permanent', 'NoEmail'],
  ['5.1.0', '550 #5.1.0 Address rejected.', 'Permanent', 'NoEmail'],
  ['5.0.0', '550 5.1.0 Address rejected ann@a.example', 'Permanent', 'NoEmail'],
  ['5.1.0', '550 5.1.0 <me@a.example>: Sender address rejected', 'Transient', 'ContentRejected'],
  ['5.1.0', '550 5.1.0 rejected', 'Undetermined', 'Undetermined'],
  ['5.0.0', '550 Unrouteable address', 'Permanent', 'NoEmail'],
  ['5.0.0', '550 Unroutable address', 'Permanent', 'NoEmail'],
  ['5.0.0', '550-Sender verify failed 550 Unrouteable address', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 User suspended: ann@163.example', 'Permanent', 'General'],
  ['5.0.0', '554 delivery error: dd This account has been disabled or discontinued', 'Permanent', 'General'],
  ['5.0.0', '550 mailbox <a@a.example> is inactive', 'Permanent', 'General'],
  ['5.0.0', '550 account temporarily suspended', 'Undetermined', 'Undetermined'],
  ['5.0.0', '554 your account has been suspended', 'Undetermined', 'Undetermined'],
  ['5.0.0', '552 Mailbox is full', 'Transient', 'MailboxFull'],
  ['5.0.0', '552 quota exceeded', 'Transient', 'MailboxFull'],
  [
    '5.0.0',
    '550-Requested action not taken: mailbox unavailable 550 For explanation visit ' +
      'https://postmaster.gmx.net/en/error-messages?ip=192.0.2.1&c=hd',
    'Permanent',
    'NoEmail',
  ],
  [
    '5.0.0',
    '554-Transaction failed 554-Reject due to policy restrictions. 554 For explanation visit ' +
      'https://postmaster.gmx.net/en/case?c=hi',
    'Transient',
    'ContentRejected',
  ],
  ['5.0.0', '554 DT:SPM 163 smtp11,1 please see http://mail.163.com/help', 'Transient', 'ContentRejected'],
  ['5.0.0', '554 IP<192.0.2.1> in blacklist; HL:IPB', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 MI:SPF mx14 please see http://mail.163.com/help', 'Transient', 'ContentRejected'],
  [
    '5.0.0',
    '550 Mail content denied. http://service.mail.qq.com/detail/122/12',
    'Transient',
    'ContentRejected',
  ],
  ['5.0.0', '550 Connection frequency limited. http://service.mail.qq.com', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 The recipient may contain a non-existent account', 'Permanent', 'NoEmail'],
  ['5.0.0', '550 Mailbox unavailable or access denied', 'Undetermined', 'Undetermined'],
  ['5.0.0', '554 Email rejected due to security policies', 'Transient', 'ContentRejected'],
  [
    '5.0.0',
    '550 Administrative prohibition - https://community.mimecast.com',
    'Transient',
    'ContentRejected',
  ],
  ['5.0.0', '550 Anti-Spoofing policy - Inbound not allowed', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 Rejected by header based Anti-Spoofing policy', 'Transient', 'ContentRejected'],
  ['5.0.0', '550 Invalid Recipient - https://community.mimecast.com', 'Permanent', 'NoEmail'],
  ['', '', 'Undetermined', 'Undetermined'],
])('classifies status %s (%s) as %s, %s', (status, diagnostic, bounceType, bounceSubType) => {
  const recipient = { addresses: [], action: 'failed' as const, status, diagnostic };
  expect(classifyBounce(recipient)).toEqual({ bounceType, bounceSubType });
});
