import { refusesMessage } from '../mail/report/report.ts';
import type { RefusedResult, SendResult, ThrottledResult } from './transport.ts';

/** What nodemailer hangs on an error of a send. */
interface SmtpError {
  message?: string;
  code?: string;
  /** The server's reply code, absent when the connection ended without one. */
  responseCode?: number;
  response?: string;
  /** What was answered, such as `MAIL FROM`; `CONN` is the greeting. */
  command?: string;
}

/**
 * What a failed SMTP transaction says about the message (RFC 5321 4.2.1). `started` says whether a byte of the
 * message had left: before that nothing can be out, after it a lost answer leaves the message unknown.
 */
export function classifySmtpError(error: unknown, started: boolean): SendResult {
  const fault: SmtpError = typeof error === 'object' && error !== null ? error : { message: String(error) };
  const reply = fault.responseCode ?? 0;
  const reason = `${fault.code ?? 'SMTP'}: ${fault.response || fault.message || 'no message'}`
    .replace(/\s+/g, ' ')
    .slice(0, 500);
  // A refused log-in or handshake is about the relay's account: it stops every message until an operator mends it.
  if (!started && ACCOUNT_ERROR_CODES.has(fault.code ?? '')) return buildThrottled('unreachable', reason);
  if (reply >= 500) {
    const scope = findScope(reply, fault.response ?? '', fault.command ?? '');
    if (scope) return buildThrottled(scope, reason);
    return { kind: 'refused', code: `SMTP_${reply}`, reason, ...findMissingMailbox(fault) };
  }
  if (reply >= 400) return { kind: 'throttled', ...chooseRetry(reply), reason };
  if (started) return { kind: 'unknown', reason };
  // Larger than the relay has said that it takes, so it was not even asked.
  if (fault.code === 'EMESSAGE') return { kind: 'refused', code: 'SMTP_552', reason };
  return { kind: 'throttled', scope: 'unreachable', retryAfterMs: 5000, reason };
}

const ACCOUNT_ERROR_CODES = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EREQUIRETLS', 'ECONFIG']);

/** Whether a refusal is about the recipient, and may end. */
export const isSoftBounce = (
  { command, response = '' }: SmtpError,
  outcome: SendResult,
): outcome is RefusedResult =>
  outcome.kind === 'refused' && !outcome.noMailbox && command === 'RCPT TO' && !refusesMessage('', response);

/** Until a person has mended it; a daily limit comes back by itself. */
const buildThrottled = (scope: ThrottledResult['scope'], reason: string): ThrottledResult => ({
  kind: 'throttled',
  scope,
  retryAfterMs: scope === 'daily' ? 900_000 : 60_000,
  reason,
});

/** What other mail a 5xx is about as well; null where it is about the message or the recipient. */
function findScope(reply: number, response: string, command: string): ThrottledResult['scope'] | null {
  const [, status = '', words = ''] = /^\d{3}[ -](?:(5\.\d{1,3}\.\d{1,3})[ -])?(.*)$/s.exec(response) ?? [];
  if (status === '5.4.5') return 'daily';
  if (UNAUTHENTICATED_REPLIES.has(reply)) return 'account';
  if (command === 'MAIL FROM') return classifyMailFrom(reply, status);
  // Postfix says at a recipient what it has against the client or the sender (smtpd_delay_reject).
  if (command === 'RCPT TO') return classifyRecipient(status, words);
  return command === 'DATA' ? null : 'account';
}

/**
 * RFC 3463 and RFC 7505: no such mailbox, system or address, moved without a new one, a domain that takes no mail.
 * 5.1.7 and 5.1.8 are about the sender.
 */
function findMissingMailbox({ command, response }: SmtpError): { noMailbox?: string } {
  const status = /^5\d\d[ -](5\.1\.(?:1|2|3|6|10))\b/.exec(response ?? '')?.[1];
  return status && command === 'RCPT TO' ? { noMailbox: status } : {};
}

/** RFC 4954: authentication required, too weak, invalid, or without the encryption it needs. */
const UNAUTHENTICATED_REPLIES = new Set([530, 534, 535, 538]);

/** The size is declared here; nothing else of the message is known yet. */
function classifyMailFrom(reply: number, status: string): ThrottledResult['scope'] | null {
  if (reply === 552 || status === '5.3.4' || status === '5.2.3') return null;
  return status === '5.7.0' ? 'account' : 'sender';
}

/** The words must come first: a relay that asks the recipient's server may quote what that has said. */
function classifyRecipient(status: string, words: string): ThrottledResult['scope'] | null {
  const said = words.replace(/^<[^>]*>:? ?/, '');
  if (status === '5.7.0') return 'account';
  if (/^(relay(ing)? (access )?denied|(we do not|unable to) relay|client host rejected)/i.test(said))
    return 'account';
  return status === '5.1.7' || status === '5.1.8' || /^sender address rejected/i.test(said) ? 'sender' : null;
}

/** 421 and 454 ask to come back soon; 450 to 452 are about the mailbox (grey listing, full) and want a minute. */
function chooseRetry(reply: number): Pick<ThrottledResult, 'scope' | 'retryAfterMs'> {
  return reply === 421 || reply === 454
    ? { scope: 'rate', retryAfterMs: 5000 }
    : { scope: 'recipient', retryAfterMs: 60_000 };
}
