import { parseAddress, splitAddresses } from './address.ts';
import { encodeWords } from './encoded-words.ts';
import { encodeUnstructured, formatMailboxText, hasControlCharacter, needsEncodedWords } from './header.ts';

/** Header fields that the composer writes or that belong to the relay (RFC 5322 3.6, RFC 2045, RFC 6376). */
const RESERVED_FIELDS = new Set(
  (
    'from sender to cc bcc subject date message-id mime-version return-path received dkim-signature ' +
    'content-type content-transfer-encoding content-disposition content-id x-atrium-email-id'
  ).split(' '),
);

/** Fields that servers add in transit (RFC 5322 3.6.6, RFC 8601, RFC 8617). */
const TRANSIT_FIELD =
  /^(?:resent-.*|arc-.*|authentication-results|received-spf|delivered-to|domainkey-signature)$/;

function isFieldName(name: string): boolean {
  return /^[!-9;-~]{1,76}$/.test(name);
}

/**
 * Returns the reason why a custom header is not allowed, or null. `Reply-To`, `In-Reply-To` and `References` may
 * replace the composer's fields.
 */
export function findHeaderFault(name: string, value: string): string | null {
  if (!isFieldName(name)) return `header name ${JSON.stringify(name.slice(0, 80))} is not valid`;
  const lower = name.toLowerCase();
  // X-SES-* fields would let a sender control the operator's SES account.
  if (RESERVED_FIELDS.has(lower) || lower.startsWith('x-ses-'))
    return `header ${name} has its own field and cannot be set in headers`;
  if (TRANSIT_FIELD.test(lower))
    return `header ${name} is added during delivery and cannot be set in headers`;
  if (!value.isWellFormed()) return `header ${name} contains a lone surrogate (half of a character)`;
  if (hasControlCharacter(value)) return `header ${name} contains a line break or a control character`;
  if (value.length > 8192) return `header ${name} is longer than 8192 characters`;
  if (value.trim() === '' || formatHeaderValue(lower, value) !== null) return null;
  if (lower === 'reply-to') return `header ${name} is not a list of addresses`;
  return `header ${name} can only be ASCII, without words of 900 characters`;
}

/** Fields that programs parse. RFC 2047 words would break them. */
const STRUCTURED_FIELD = /^(list-.*|references|in-reply-to|feedback-id|.*message-id)$/;

/**
 * Formats the value of a custom header. Null if that is not possible.
 * @param lower header name in lower case
 */
export function formatHeaderValue(lower: string, value: string): string | null {
  if (lower === 'reply-to') return formatAddresses(value);
  if (!STRUCTURED_FIELD.test(lower)) return encodeUnstructured(value);
  const plainText = value.trim().replace(/[\t ]+/g, ' ');
  if (!needsEncodedWords(plainText)) return plainText;
  // List-Id may start with a phrase (RFC 2919).
  const [, phrase, id] = (lower === 'list-id' && /^([^<>]*)(<[^<>]*>)$/.exec(plainText)) || [];
  return phrase && id && !needsEncodedWords(id) ? `${encodeWords(phrase.trim())} ${id}` : null;
}

function formatAddresses(value: string): string | null {
  const mailboxes = splitAddresses(value).map(parseAddress);
  return mailboxes.includes(null) ? null : mailboxes.map((mailbox) => formatMailboxText(mailbox!)).join(', ');
}
