import type { ReplyMode } from '../composers.ts';
import { formatRecipient } from './recipients/recipient-text.ts';

interface Person {
  name: string;
  email: string;
}

interface OriginalMessage {
  subject: string;
  fromName: string;
  fromEmail: string;
  to: Person[];
  cc: Person[];
  replyTo: Person[];
}

interface ReplyHead {
  to: string[];
  cc: string[];
  subject: string;
}

const REPLY_PREFIX = /^\s*(?:re|aw|sv|antw)\s*:/i;
const FORWARD_PREFIX = /^\s*(?:fwd?|wg)\s*:/i;

/**
 * Builds the recipients and subject of a reply. A reply to all excludes the user's own addresses. A reply to a sent
 * message goes to its recipients.
 * @param ownAddresses the user's addresses, in lowercase
 */
export function buildReplyHead(
  mode: ReplyMode,
  { subject, fromName, fromEmail, ...of }: OriginalMessage,
  ownAddresses: ReadonlySet<string>,
): ReplyHead {
  if (mode === 'forward')
    return { to: [], cc: [], subject: FORWARD_PREFIX.test(subject) ? subject : `Fwd: ${subject}` };
  const isOwn = ownAddresses.has(fromEmail.toLowerCase());
  const sender = of.replyTo.length > 0 ? of.replyTo : [{ name: fromName, email: fromEmail }];
  const first = isOwn ? of.to : sender;
  const usedAddresses = new Set(first.map(({ email }) => email.toLowerCase()));
  const excludeOwn = (people: Person[]) =>
    people.filter(({ email }) => {
      const address = email.toLowerCase();
      if (usedAddresses.has(address) || ownAddresses.has(address)) return false;
      usedAddresses.add(address);
      return true;
    });
  const isReplyAll = mode === 'reply_all';
  return {
    to: [...first, ...(isReplyAll ? excludeOwn(of.to) : [])].map(formatRecipient),
    cc: (isReplyAll ? excludeOwn(of.cc) : []).map(formatRecipient),
    subject: REPLY_PREFIX.test(subject) ? subject : `Re: ${subject}`,
  };
}

export const textToHtml = (text: string): string =>
  text
    .replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`)
    .replace(/\r\n?|\n/g, '<br>')
    .replaceAll('  ', '\u00a0 ');

const QUOTE_START = '<div class="quote-wrapper">';

const QUOTE_STYLE = 'margin:0 0 0 0.8ex;border-left:1px solid #ccc;padding-left:1ex';

/**
 * Builds the quote of a reply: an attribution line and the original message.
 * @param quoted sanitized HTML
 */
export const buildQuote = (about: string, quoted: string): string =>
  `${QUOTE_START}<p>${about}</p><blockquote style="${QUOTE_STYLE}">${quoted}</blockquote></div>`;

/** Builds the quote of a forwarded message: its header lines and its content. */
export const buildForwarded = (lines: readonly string[], forwarded: string): string =>
  `${QUOTE_START}<p>${lines.map(textToHtml).join('<br>')}</p>${forwarded}</div>`;

/** Splits a body into the written text and the trailing quote, as built by `buildQuote`. */
export function splitQuote(body: string): { content: string; quote: string } {
  const index = body.indexOf(QUOTE_START);
  if (index < 0 || !body.trimEnd().endsWith('</div>')) return { content: body, quote: '' };
  return { content: body.slice(0, index), quote: body.slice(index) };
}

/** A draft body with markup is HTML. Any other body is plain text. */
export const bodyToHtml = (body: string): string => (body.includes('<') ? body : textToHtml(body));
