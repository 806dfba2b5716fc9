import { randomUUID } from 'node:crypto';
import { getAddressDomain } from '../address.ts';
import { formatField } from '../header.ts';
import { buildTextEntity } from '../mime-entity.ts';

interface ReturnedMail {
  /** Bare address of the message's sender. */
  to: string;
  at: Date;
  raw: Buffer;
  /** `status` is an enhanced status code, such as 5.1.1; `words` is a typical SMTP reply. */
  recipients: { address: string; status: string; words: string }[];
}

const MAX_HEADER_BYTES = 65_536;

/**
 * Composes a delivery status notification (RFC 3464) as a reply to the message.
 * @returns null for an automatic message (RFC 3834), which must not be answered
 */
export function buildReport({ to, at, raw, recipients }: ReturnedMail): Buffer | null {
  const header = extractHeader(raw);
  if (/^auto-submitted:(?!\s*no\b)/im.test(header)) return null;
  const host = getAddressDomain(to);
  const id = /^message-id:\s*(<[^<>\s]{1,250}>)/im.exec(header)?.[1];
  const boundary = randomUUID();
  const parts = [
    buildTextEntity('plain', buildText(recipients)),
    `Content-Type: message/delivery-status\r\n\r\n${buildStatus(host, recipients)}`,
    `Content-Type: text/rfc822-headers\r\n\r\n${header}`,
  ];
  const head = [
    formatField('From', `Mail Delivery System <mailer-daemon@${host}>`),
    formatField('To', `<${to}>`),
    formatField('Subject', 'Undelivered Mail Returned to Sender'),
    formatField('Date', at.toUTCString().replace('GMT', '+0000')),
    formatField('Message-ID', `<${boundary}@${host}>`),
    ...(id ? [formatField('In-Reply-To', id), formatField('References', id)] : []),
    'Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n',
    `Content-Type: multipart/report; report-type=delivery-status;\r\n boundary="${boundary}"\r\n\r\n`,
  ];
  const body = parts.map((part) => `--${boundary}\r\n${part}\r\n`);
  return Buffer.from(`${head.join('')}${body.join('')}--${boundary}--\r\n`);
}

function extractHeader(raw: Buffer): string {
  const end = raw.indexOf('\r\n\r\n');
  return raw.subarray(0, Math.min(end === -1 ? raw.length : end + 2, MAX_HEADER_BYTES)).toString('latin1');
}

const buildText = (recipients: ReturnedMail['recipients']): string =>
  [
    'Your message could not be delivered to:',
    '',
    ...recipients.map(({ address, words }) => `${address}: ${words}`),
    '',
  ].join('\r\n');

const buildStatus = (host: string, recipients: ReturnedMail['recipients']): string =>
  [
    `Reporting-MTA: dns; ${host}\r\n`,
    ...recipients.map(
      ({ address, status, words }) =>
        `Final-Recipient: rfc822; ${address}\r\nAction: failed\r\nStatus: ${status}\r\n` +
        `Diagnostic-Code: smtp; ${words}\r\n`,
    ),
  ].join('\r\n');
