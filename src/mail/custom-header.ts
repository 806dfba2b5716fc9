import { parseAddress, splitAddresses } from './address.ts';
import { encodeWords } from './encoded-words.ts';
import { encodeUnstructured, formatMailboxText, hasControl, needsEncodedWords } from './header.ts';

/** Header fields the composer writes itself, or that belong to the relay. RFC 5322 3.6, RFC 2045, RFC 6376. */
const RESERVED_FIELDS = new Set([
  'from',
  'sender',
  'to',
  'cc',
  'bcc',
  'subject',
  'date',
  'message-id',
  'mime-version',
  'return-path',
  'received',
  'dkim-signature',
  'content-type',
  'content-transfer-encoding',
  'content-disposition',
  'content-id',
  'x-atrium-email-id',
]);

/** What servers say of a message that passes them; RFC 5322 3.6.6, RFC 8601, RFC 8617. */
const TRANSIT_FIELD =
  /^(?:resent-.*|arc-.*|authentication-results|received-spf|delivered-to|domainkey-signature)$/;

/** True for an RFC 5322 field name (printable ASCII without the colon) of at most 76 characters. */
function isFieldName(name: string): boolean {
  return /^[!-9;-~]{1,76}$/.test(name);
}

/**
 * Why a caller's own header may not be sent, or null when it may.
 * `Reply-To`, `In-Reply-To` and `References` may be given; what the composer writes itself may not.
 */
export function findHeaderFault(name: string, value: string): string | null {
  if (!isFieldName(name)) return `header name ${JSON.stringify(name.slice(0, 80))} is not valid`;
  const lower = name.toLowerCase();
  // By X-SES-… a sender would choose how the operator's account sends.
  if (RESERVED_FIELDS.has(lower) || lower.startsWith('x-ses-'))
    return `header ${name} is set from its own field and cannot be given in headers`;
  if (TRANSIT_FIELD.test(lower)) return `header ${name} is added on the way and cannot be given in headers`;
  if (!value.isWellFormed()) return `header ${name} holds half of a character`;
  if (hasControl(value)) return `header ${name} holds a line break or a control character`;
  if (value.length > 8192) return `header ${name} is longer than 8192 characters`;
  if (value.trim() === '' || formatHeaderValue(lower, value) !== null) return null;
  if (lower === 'reply-to') return `header ${name} is not a list of addresses`;
  return `header ${name} can only be ASCII, without words of 900 characters`;
}

/** Fields that programs read: as RFC 2047 words they would mean nothing. */
const STRUCTURED_FIELD = /^(list-.*|references|in-reply-to|feedback-id|.*message-id)$/;

/**
 * The value of a caller's own header as it is written; null when it cannot be.
 * @param lower name of the header in lower case
 */
export function formatHeaderValue(lower: string, value: string): string | null {
  if (lower === 'reply-to') return formatAddresses(value);
  if (!STRUCTURED_FIELD.test(lower)) return encodeUnstructured(value);
  const plain = value.trim().replace(/[\t ]+/g, ' ');
  if (!needsEncodedWords(plain)) return plain;
  // RFC 2919: a phrase may come first.
  const [, phrase, id] = (lower === 'list-id' && /^([^<>]*)(<[^<>]*>)$/.exec(plain)) || [];
  return phrase && id && !needsEncodedWords(id) ? `${encodeWords(phrase.trim())} ${id}` : null;
}

function formatAddresses(value: string): string | null {
  const mailboxes = splitAddresses(value).map(parseAddress);
  return mailboxes.includes(null) ? null : mailboxes.map((mailbox) => formatMailboxText(mailbox!)).join(', ');
}
