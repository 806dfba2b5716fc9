import { randomUUID } from 'node:crypto';
import type { AcceptedMessage } from './ses-send.ts';

export type SesEventType = 'Send' | 'Delivery' | 'Bounce' | 'Complaint';

export interface SesEvent {
  eventType: SesEventType;
  mail: Record<string, unknown>;
  [detail: string]: unknown;
}

interface EventOptions {
  recipients?: string[];
  bounceType?: 'Permanent' | 'Transient' | 'Undetermined';
  bounceSubType?: string;
}

export function buildSesEvent(
  message: AcceptedMessage,
  type: SesEventType,
  options: EventOptions = {},
): SesEvent {
  const recipients = options.recipients ?? message.recipients;
  const detail = details[type](recipients, new Date().toISOString(), options);
  return { eventType: type, mail: buildMail(message), [type.toLowerCase()]: detail };
}

/**
 * Returns the events that SES publishes for a message without further input, in order. Includes mailbox simulator
 * addresses.
 */
export function buildAutomaticEvents(message: AcceptedMessage): SesEvent[] {
  const findSimulated = (name: string) =>
    message.recipients.filter((recipient) =>
      new RegExp(`^${name}(\\+[^@]*)?@simulator\\.`, 'i').test(recipient),
    );
  const bounced = findSimulated('bounce');
  const suppressed = findSimulated('suppressionlist');
  const away = findSimulated('ooto');
  const complained = findSimulated('complaint');
  const delivered = message.recipients.filter(
    (recipient) => !bounced.includes(recipient) && !suppressed.includes(recipient),
  );
  const events = [buildSesEvent(message, 'Send')];
  if (delivered.length) events.push(buildSesEvent(message, 'Delivery', { recipients: delivered }));
  if (bounced.length) events.push(buildSesEvent(message, 'Bounce', { recipients: bounced }));
  if (suppressed.length)
    events.push(buildSesEvent(message, 'Bounce', { recipients: suppressed, bounceSubType: 'Suppressed' }));
  if (away.length)
    events.push(buildSesEvent(message, 'Bounce', { recipients: away, bounceType: 'Transient' }));
  if (complained.length) events.push(buildSesEvent(message, 'Complaint', { recipients: complained }));
  return events;
}

const details: Record<
  SesEventType,
  (recipients: string[], timestamp: string, options: EventOptions) => object
> = {
  Send: () => ({}),
  Delivery: (recipients, timestamp) => ({
    timestamp,
    processingTimeMillis: 420,
    recipients,
    smtpResponse: '250 2.6.0 Message received',
    reportingMTA: 'a8-53.smtp-out.amazonses.com',
  }),
  Bounce: (recipients, timestamp, { bounceType = 'Permanent', bounceSubType = 'General' }) => ({
    bounceType,
    bounceSubType,
    bouncedRecipients: recipients.map((emailAddress) => ({
      emailAddress,
      action: 'failed',
      status: '5.1.1',
      diagnosticCode: 'smtp; 550 5.1.1 user unknown',
    })),
    timestamp,
    feedbackId: randomUUID(),
    reportingMTA: 'dns; a8-53.smtp-out.amazonses.com',
  }),
  Complaint: (recipients, timestamp) => ({
    complainedRecipients: recipients.map((emailAddress) => ({ emailAddress })),
    timestamp,
    feedbackId: randomUUID(),
    complaintSubType: null,
    userAgent: 'Amazon SES Mailbox Simulator',
    complaintFeedbackType: 'abuse',
    arrivalDate: timestamp,
  }),
};

function buildMail(message: AcceptedMessage): Record<string, unknown> {
  const headers = readHeaders(
    message.raw ??
      (message.emailId ? Buffer.from(`X-Atrium-Email-ID: ${message.emailId}\r\n\r\n`) : Buffer.alloc(0)),
  );
  const getHeader = (name: string) => headers.find((header) => header.name.toLowerCase() === name)?.value;
  return {
    timestamp: new Date(message.at).toISOString(),
    messageId: message.messageId,
    source: message.from,
    sourceArn: `arn:aws:ses:us-east-1:000000000000:identity/${message.from}`,
    sendingAccountId: '000000000000',
    destination: message.recipients,
    headersTruncated: false,
    headers,
    commonHeaders: {
      from: [getHeader('from')],
      to: [getHeader('to')],
      date: getHeader('date'),
      messageId: getHeader('message-id'),
      subject: getHeader('subject'),
    },
    tags: {
      ...Object.fromEntries(Object.entries(message.tags).map(([name, tag]) => [name, [tag]])),
      ...(message.configurationSet ? { 'ses:configuration-set': [message.configurationSet] } : {}),
    },
  };
}

function readHeaders(raw: Buffer): { name: string; value: string }[] {
  const end = raw.indexOf('\r\n\r\n');
  const unfolded = raw.toString('latin1', 0, end === -1 ? raw.length : end).replace(/\r\n[ \t]+/g, ' ');
  return unfolded.split('\r\n').flatMap((line) => {
    const colon = line.indexOf(':');
    return colon > 0 ? [{ name: line.slice(0, colon), value: line.slice(colon + 1).trim() }] : [];
  });
}
