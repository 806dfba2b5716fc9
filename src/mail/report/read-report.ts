import { addressesOf } from '../parse/addresses.ts';
import { fieldText, firstOf, type HeaderLine } from '../parse/header-fields.ts';
import type { ParsedMail } from '../parse/message.ts';
import type { RawMail } from '../parse/raw.ts';
import { plainReport } from './plain-report.ts';
import type { MailReport, ReportedRecipient } from './report.ts';
import { fieldGroups, returnedHeader } from './report-fields.ts';

/** Recipients of one report that are read. */
const MOST = 100;

/**
 * Reads a delivery status notification (RFC 3464), a report of abuse (RFC 5965) or what servers write in place of the
 * first one. Whether it is true is another question.
 * @param sender of the envelope
 * @returns null for any other message
 */
export async function readReport(mail: ParsedMail, raw: RawMail, sender: string): Promise<MailReport | null> {
  const find = (...types: string[]) => mail.parts.find(({ type }) => types.includes(type));
  const returned = find('message/rfc822', 'message/global', 'text/rfc822-headers', 'message/global-headers');
  const status = find('message/delivery-status', 'message/global-delivery-status');
  const feedback = find('message/feedback-report');
  if (feedback) {
    const [fields = []] = await fieldGroups(raw, feedback);
    return complaintOf(fields, await returnedHeader(raw, returned));
  }
  if (!status) return plainReport(mail, sender, await returnedHeader(raw, returned));
  const [message = [], ...recipients] = await fieldGroups(raw, status);
  const read = recipients.slice(0, MOST).flatMap(recipientOf);
  if (read.length === 0) return null;
  return {
    kind: 'delivery',
    recipients: read,
    envelopeId: textOf(message, 'original-envelope-id'),
    ...originalOf(await returnedHeader(raw, returned)),
  };
}

/** Kinds of feedback that are complaints (RFC 5965 7.3, RFC 6430). */
const COMPLAINTS = new Set(['abuse', 'fraud', 'virus', 'other']);

function complaintOf(fields: HeaderLine[], returned: HeaderLine[]): MailReport | null {
  if (!COMPLAINTS.has(textOf(fields, 'feedback-type').toLowerCase())) return null;
  const all = fields.filter(({ name }) => name === 'original-rcpt-to').slice(0, MOST);
  const original = originalOf(returned);
  return {
    kind: 'complaint',
    recipients: all.map(({ latin1 }) => ({
      addresses: [bare(latin1)],
      action: 'failed',
      status: '',
      diagnostic: '',
    })),
    envelopeId: textOf(fields, 'original-envelope-id'),
    ...original,
    returnPath: bare(firstOf(fields, 'original-mail-from')) || original.returnPath,
  };
}

const ACTIONS = new Set<string>(['failed', 'delayed', 'delivered']);

function recipientOf(fields: HeaderLine[]): ReportedRecipient[] {
  const action = textOf(fields, 'action').toLowerCase();
  if (!ACTIONS.has(action)) return [];
  const addresses = ['original-recipient', 'final-recipient'].map((name) => typed(firstOf(fields, name)));
  return [
    {
      addresses: addresses.map(bare).filter(Boolean),
      action: action as ReportedRecipient['action'],
      status: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(textOf(fields, 'status'))?.[0] ?? '',
      diagnostic: typed(textOf(fields, 'diagnostic-code')).slice(0, 500),
    },
  ];
}

const originalOf = (returned: HeaderLine[]): Pick<MailReport, 'returnPath' | 'messageId'> => ({
  returnPath: bare(firstOf(returned, 'return-path')),
  messageId: textOf(returned, 'message-id').replace(/^<|>$/g, ''),
});

const textOf = (fields: HeaderLine[], name: string): string =>
  fieldText(firstOf(fields, name)).slice(0, 1_000);

/** Without the type that stands before it, as in `rfc822; ann@example.com`. */
const typed = (text: string): string => text.replace(/^[\w-]{1,40}\s*;\s*/, '');

const bare = (text: string): string => (addressesOf(text)[0]?.address ?? '').toLowerCase();
