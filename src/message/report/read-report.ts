import { extractAddress } from '../address.ts';
import { parseAddresses } from '../parse/addresses.ts';
import { decodeFieldText, getFirstValue, type HeaderField } from '../parse/header-fields.ts';
import type { ParsedMail } from '../parse/message.ts';
import type { RawMail } from '../parse/raw.ts';
import { parsePlainReport } from './plain-report.ts';
import type { MailReport, ReportedRecipient } from './report.ts';
import { readFieldGroups, readReturnedHeader } from './report-fields.ts';

const MAX_RECIPIENTS = 100;

/**
 * Parses a delivery status notification (RFC 3464), its plain-text equivalents, or an abuse report (RFC 5965). Does not
 * verify that the report is authentic.
 * @param sender envelope sender
 * @returns null for any other message
 */
export async function readReport(mail: ParsedMail, raw: RawMail, sender: string): Promise<MailReport | null> {
  const find = (...types: string[]) => mail.parts.find(({ type }) => types.includes(type));
  const returnedPart = find(
    'message/rfc822',
    'message/global',
    'text/rfc822-headers',
    'message/global-headers',
  );
  const status = find('message/delivery-status', 'message/global-delivery-status');
  const feedback = find('message/feedback-report');
  if (feedback) {
    const [fields = []] = await readFieldGroups(raw, feedback);
    return parseComplaint(fields, await readReturnedHeader(raw, returnedPart));
  }
  if (!status) return parsePlainReport(mail, sender, await readReturnedHeader(raw, returnedPart));
  const [message = [], ...recipients] = await readFieldGroups(raw, status);
  const results = recipients.slice(0, MAX_RECIPIENTS).flatMap(parseRecipient);
  if (results.length === 0) return null;
  return {
    kind: 'delivery',
    recipients: results,
    envelopeId: getText(message, 'original-envelope-id'),
    ...parseOriginal(await readReturnedHeader(raw, returnedPart)),
  };
}

/** Feedback types that are complaints (RFC 5965 7.3, RFC 6430). */
const COMPLAINT_TYPES = new Set(['abuse', 'fraud', 'virus', 'other']);

function parseComplaint(fields: HeaderField[], returnedFields: HeaderField[]): MailReport | null {
  if (!COMPLAINT_TYPES.has(getText(fields, 'feedback-type').toLowerCase())) return null;
  const all = fields.filter(({ name }) => name === 'original-rcpt-to').slice(0, MAX_RECIPIENTS);
  const original = parseOriginal(returnedFields);
  return {
    kind: 'complaint',
    recipients: all.map(({ latin1 }) => ({
      addresses: [parseBareAddress(latin1)],
      action: 'failed',
      status: '',
      diagnostic: '',
    })),
    envelopeId: getText(fields, 'original-envelope-id'),
    ...original,
    returnPath: parseBareAddress(getFirstValue(fields, 'original-mail-from')) || original.returnPath,
  };
}

const ACTIONS = new Set<string>(['failed', 'delayed', 'delivered']);

function parseRecipient(fields: HeaderField[]): ReportedRecipient[] {
  // The action may be followed by a comment.
  const action = getText(fields, 'action').toLowerCase().split(/[ (]/, 1)[0]!;
  if (!ACTIONS.has(action)) return [];
  const addresses = ['original-recipient', 'final-recipient'].map((name) =>
    stripType(getFirstValue(fields, name)),
  );
  return [
    {
      addresses: addresses.map(parseBareAddress).filter(Boolean),
      action: action as ReportedRecipient['action'],
      status: /\b[245]\.\d{1,3}\.\d{1,3}\b/.exec(getText(fields, 'status'))?.[0] ?? '',
      diagnostic: stripType(getText(fields, 'diagnostic-code')).slice(0, 500),
    },
  ];
}

const parseOriginal = (returnedFields: HeaderField[]): Pick<MailReport, 'returnPath' | 'messageId'> => ({
  returnPath: parseBareAddress(getFirstValue(returnedFields, 'return-path')),
  messageId: getText(returnedFields, 'message-id').replace(/^<|>$/g, ''),
});

const getText = (fields: HeaderField[], name: string): string =>
  decodeFieldText(getFirstValue(fields, name)).slice(0, 1_000);

/** Removes the address type, such as `rfc822;` in `rfc822; ann@example.com`. */
const stripType = (text: string): string => text.replace(/^[\w-]{1,40}\s*;\s*/, '');

/** Converts an internationalized domain to punycode, in which recipients are stored. */
const parseBareAddress = (text: string): string => extractAddress(parseAddresses(text)[0]?.address ?? '');
