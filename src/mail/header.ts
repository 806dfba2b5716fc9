import { foldLines, quoteString } from 'nodemailer/lib/mime-funcs';
import { parseAddress, splitAddresses } from './address.ts';
import { encodedWords } from './encoded-words.ts';

/** Header fields the composer writes itself, or that belong to the relay. RFC 5322 3.6, RFC 2045, RFC 6376. */
const ownFields = new Set([
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

/**
 * True when the text holds a control character other than TAB: CR and LF would start a header of the attacker's own.
 */
export function hasControl(text: string): boolean {
  return /[\x00-\x08\x0a-\x1f\x7f-\x9f\u2028\u2029]/.test(text);
}

/** True for an RFC 5322 field name (printable ASCII without the colon) of at most 76 characters. */
function isFieldName(name: string): boolean {
  return /^[!-9;-~]{1,76}$/.test(name);
}

/**
 * Why a caller's own header may not be sent, or null when it may.
 * `Reply-To`, `In-Reply-To` and `References` may be given; what the composer writes itself may not.
 */
export function headerFault(name: string, value: string): string | null {
  if (!isFieldName(name)) return `header name ${JSON.stringify(name.slice(0, 80))} is not valid`;
  const lower = name.toLowerCase();
  // By X-SES-… a sender would choose how the operator's account sends.
  if (ownFields.has(lower) || lower.startsWith('x-ses-'))
    return `header ${name} is set from its own field and cannot be given in headers`;
  if (hasControl(value)) return `header ${name} holds a line break or a control character`;
  if (value.length > 8192) return `header ${name} is longer than 8192 characters`;
  if (value.trim() === '' || headerText(lower, value) !== null) return null;
  if (lower === 'reply-to') return `header ${name} is not a list of addresses`;
  return `header ${name} can only be ASCII, without words of 900 characters`;
}

/** Fields that programs read: as RFC 2047 words they would mean nothing. */
const STRUCTURED = /^(list-.*|references|in-reply-to|feedback-id|.*message-id)$/;

/**
 * The value of a caller's own header as it is written; null when it cannot be.
 * @param lower name of the header in lower case
 */
export function headerText(lower: string, value: string): string | null {
  if (lower === 'reply-to') return addressesText(value);
  if (!STRUCTURED.test(lower)) return unstructured(value);
  const plain = value.trim().replace(/[\t ]+/g, ' ');
  if (!needsEncodedWords(plain)) return plain;
  // RFC 2919: a phrase may come first.
  const [, phrase, id] = (lower === 'list-id' && /^([^<>]*)(<[^<>]*>)$/.exec(plain)) || [];
  return phrase && id && !needsEncodedWords(id) ? `${encodedWords(phrase.trim())} ${id}` : null;
}

function addressesText(value: string): string | null {
  const mailboxes = splitAddresses(value).map(parseAddress);
  return mailboxes.includes(null) ? null : mailboxes.map((mailbox) => mailboxText(mailbox!)).join(', ');
}

/** One header field with its CRLF, folded at white space to 76 characters where it can be. The value must be ASCII. */
export function field(name: string, value: string): string {
  const line = `${name}: ${value}`;
  return `${line.length > 76 ? foldLines(line, 76) : line}\r\n`;
}

/** ASCII goes out as given, so structured values (List-Id, JSON) keep their quotes; anything else as RFC 2047 words. */
export function unstructured(value: string): string {
  return needsEncodedWords(value) ? encodedWords(value) : value;
}

/** `address`, `Name <address>` or `"Na.me" <address>` (RFC 5322 3.4), other names as RFC 2047 words. */
export function mailboxText({ name, address }: { name?: string; address: string }): string {
  if (!name) return address;
  if (needsEncodedWords(name)) return `${encodedWords(name)} <${address}>`;
  return `${/^[\w ]*$/.test(name) ? name : quoteString(name)} <${address}>`;
}

/** True for text that is not printable ASCII, or that could not be folded and unfolded unchanged. */
export function needsEncodedWords(value: string): boolean {
  return /[^\x20-\x7e]/.test(value) || value !== value.trim() || hasLongRun(value);
}

/**
 * 20 spaces on end would leave a line of nothing, 900 other characters one that is too long. In one pass: a regular
 * expression would backtrack at each position.
 */
function hasLongRun(value: string): boolean {
  let start = 0;
  let spaces = false;
  for (let at = 0; at < value.length; at += 1) {
    if ((value.charCodeAt(at) === 32) !== spaces) {
      start = at;
      spaces = !spaces;
    }
    if (at - start + 1 === (spaces ? 20 : 900)) return true;
  }
  return false;
}
