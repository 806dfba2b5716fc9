export interface ReportOptions {
  recipient: string;
  action?: string;
  status?: string;
  diagnostic?: string;
  envelopeId?: string | null;
  returned?: string;
}

const joinLines = (...all: (string | null | undefined)[]): string =>
  all.filter((line) => typeof line === 'string').join('\r\n');

/** Builds a delivery status notification in Postfix's format (RFC 3464). */
export const buildStatusReport = (to: string, options: ReportOptions): string =>
  joinLines(
    'From: MAILER-DAEMON@mx.example.net (Mail Delivery System)',
    `To: ${to}`,
    'Subject: Undelivered Mail Returned to Sender',
    `Message-ID: <${Math.random().toString(36).slice(2)}@mx.example.net>`,
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="cut"',
    '',
    '--cut',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'I am sorry to have to inform you that your message could not be delivered.',
    '',
    '--cut',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.net',
    options.envelopeId ? `Original-Envelope-Id: ${options.envelopeId}` : null,
    '',
    `Final-Recipient: rfc822; ${options.recipient}`,
    `Original-Recipient: rfc822;${options.recipient}`,
    `Action: ${options.action ?? 'failed'}`,
    `Status: ${options.status ?? '5.1.1'}`,
    'Remote-MTA: dns; mail.example.net',
    `Diagnostic-Code: smtp; ${options.diagnostic ?? `550 5.1.1 <${options.recipient}>: no such user`}`,
    '',
    '--cut',
    'Content-Type: text/rfc822-headers',
    '',
    options.returned ?? 'Subject: What was sent',
    '',
    '--cut--',
    '',
  );

/** Builds an abuse report (RFC 5965). */
export const buildAbuseReport = (to: string, returned: string, recipient?: string): string =>
  joinLines(
    'From: <abuse@example.net>',
    `To: ${to}`,
    'Subject: FW: a complaint',
    `Message-ID: <${Math.random().toString(36).slice(2)}@example.net>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=feedback-report; boundary="cut"',
    '',
    '--cut',
    'Content-Type: text/plain',
    '',
    'This is an email abuse report.',
    '',
    '--cut',
    'Content-Type: message/feedback-report',
    '',
    'Feedback-Type: abuse',
    'User-Agent: SomeGenerator/1.0',
    'Version: 1',
    recipient ? `Original-Rcpt-To: <${recipient}>` : null,
    '',
    '--cut',
    'Content-Type: message/rfc822',
    '',
    returned,
    '',
    '--cut--',
    '',
  );
