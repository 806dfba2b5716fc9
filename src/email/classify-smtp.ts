import { refusesMessage } from '../message/report/report.ts';
import type { RefusedResult, SendResult, ThrottledResult } from './transport.ts';

interface SmtpError {
  message?: string;
  code?: string;
  /** The server's reply code. Undefined if the connection ended without a reply. */
  responseCode?: number;
  response?: string;
  /** The command that the server replied to, such as `MAIL FROM`. `CONN` is the greeting. */
  command?: string;
}

/**
 * Classifies a failed SMTP transaction (RFC 5321 4.2.1).
 * @param hasStarted true if a byte of the message was sent, so that the outcome is unknown if the reply is lost
 */
export function classifySmtpError(error: unknown, hasStarted: boolean): SendResult {
  const fault: SmtpError = typeof error === 'object' && error !== null ? error : { message: String(error) };
  const reply = fault.responseCode ?? 0;
  const reason = `${fault.code ?? 'SMTP'}: ${fault.response || fault.message || 'no message'}`
    .replace(/\s+/g, ' ')
    .slice(0, 500);
  // A failed login or handshake concerns the relay account and stops all messages until an operator fixes it.
  if (!hasStarted && ACCOUNT_ERROR_CODES.has(fault.code ?? ''))
    return buildThrottledResult('unreachable', reason);
  if (reply >= 500) {
    const scope = findThrottleScope(reply, fault.response ?? '', fault.command ?? '');
    if (scope) return buildThrottledResult(scope, reason);
    return { kind: 'refused', code: `SMTP_${reply}`, reason, ...findMissingMailbox(fault) };
  }
  if (reply >= 400) return { kind: 'throttled', ...chooseRetry(reply), reason };
  if (hasStarted) return { kind: 'unknown', reason };
  // The message exceeds the size that the relay announced, so it was not sent.
  if (fault.code === 'EMESSAGE') return { kind: 'refused', code: 'SMTP_552', reason };
  return { kind: 'throttled', scope: 'unreachable', retryAfterMs: 5000, reason };
}

const ACCOUNT_ERROR_CODES = new Set(['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EREQUIRETLS', 'ECONFIG']);

export const isSoftBounce = (
  { command, response = '' }: SmtpError,
  outcome: SendResult,
): outcome is RefusedResult =>
  outcome.kind === 'refused' && !outcome.noMailbox && command === 'RCPT TO' && !refusesMessage('', response);

/** The delay gives an operator time to fix the problem. A daily limit resets later, without an operator. */
const buildThrottledResult = (scope: ThrottledResult['scope'], reason: string): ThrottledResult => ({
  kind: 'throttled',
  scope,
  retryAfterMs: scope === 'daily' ? 900_000 : 60_000,
  reason,
});

/**
 * Returns the scope of other mail that a 5xx reply affects. Null if the reply concerns only the message or the
 * recipient.
 */
function findThrottleScope(
  reply: number,
  response: string,
  command: string,
): ThrottledResult['scope'] | null {
  const [, status = '', text = ''] = /^\d{3}[ -](?:(5\.\d{1,3}\.\d{1,3})[ -])?(.*)$/s.exec(response) ?? [];
  if (status === '5.4.5') return 'daily';
  if (UNAUTHENTICATED_REPLIES.has(reply)) return 'account';
  if (command === 'MAIL FROM') return classifyMailFrom(reply, status);
  // Postfix delays rejections of the client or the sender until RCPT TO (smtpd_delay_reject).
  if (command === 'RCPT TO') return classifyRecipient(status, text);
  return command === 'DATA' ? null : 'account';
}

/**
 * Detects permanent addressing failures (RFC 3463, RFC 7505): a mailbox, system or address does not exist, a mailbox
 * has moved without a new address, or a domain accepts no mail. 5.1.7 and 5.1.8 concern the sender.
 */
function findMissingMailbox({ command, response }: SmtpError): { noMailbox?: string } {
  const status = /^5\d\d[ -](5\.1\.(?:1|2|3|6|10))\b/.exec(response ?? '')?.[1];
  return status && command === 'RCPT TO' ? { noMailbox: status } : {};
}

/** Replies for authentication that is missing, too weak, invalid or not encrypted (RFC 4954). */
const UNAUTHENTICATED_REPLIES = new Set([530, 534, 535, 538]);

/** MAIL FROM describes only the size of the message. Other rejections concern the sender or the account. */
function classifyMailFrom(reply: number, status: string): ThrottledResult['scope'] | null {
  if (reply === 552 || status === '5.3.4' || status === '5.2.3') return null;
  return status === '5.7.0' ? 'account' : 'sender';
}

/** Matches only the start of the text, because a relay may quote the reply of the recipient's server. */
function classifyRecipient(status: string, phrase: string): ThrottledResult['scope'] | null {
  const text = phrase.replace(/^<[^>]*>:? ?/, '');
  if (status === '5.7.0') return 'account';
  if (/^(relay(ing)? (access )?denied|(we do not|unable to) relay|client host rejected)/i.test(text))
    return 'account';
  return status === '5.1.7' || status === '5.1.8' || /^sender address rejected/i.test(text) ? 'sender' : null;
}

/** 421 and 454 request a quick retry. 450 to 452 concern the mailbox (greylisting, quota) and need a minute. */
function chooseRetry(reply: number): Pick<ThrottledResult, 'scope' | 'retryAfterMs'> {
  return reply === 421 || reply === 454
    ? { scope: 'rate', retryAfterMs: 5000 }
    : { scope: 'recipient', retryAfterMs: 60_000 };
}
