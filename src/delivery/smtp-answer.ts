import type { Answer, Throttled } from './transport.ts';

/** What nodemailer hangs on an error of a send. */
interface SmtpError {
  message?: string;
  code?: string;
  /** The server's reply code, absent when the connection ended without one. */
  responseCode?: number;
  response?: string;
}

/**
 * What a failed SMTP transaction says about the message (RFC 5321 4.2.1). `started` says whether a byte of the
 * message had left: before that nothing can be out, after it a lost answer leaves the message unknown.
 */
export function classifySmtp(error: unknown, started: boolean): Answer {
  const fault: SmtpError = typeof error === 'object' && error !== null ? error : { message: String(error) };
  const reply = fault.responseCode ?? 0;
  const reason = `${fault.code ?? 'SMTP'}: ${fault.response || fault.message || 'no message'}`
    .replace(/\s+/g, ' ')
    .slice(0, 500);
  // A refused log-in or handshake is about the relay's account: it stops every message until an operator mends it.
  if (
    !started &&
    ['EAUTH', 'ENOAUTH', 'EOAUTH2', 'ETLS', 'EREQUIRETLS', 'ECONFIG'].includes(fault.code ?? '')
  ) {
    return { kind: 'throttled', scope: 'unreachable', retryAfterMs: 60_000, reason };
  }
  if (reply >= 500) return { kind: 'refused', code: `SMTP_${reply}`, reason };
  if (reply >= 400) return { kind: 'throttled', ...pause(reply), reason };
  if (!started) return { kind: 'throttled', scope: 'unreachable', retryAfterMs: 5000, reason };
  return { kind: 'unknown', reason };
}

/** 421 and 454 ask to come back soon; 450 to 452 are about the mailbox (grey listing, full) and want a minute. */
function pause(reply: number): Pick<Throttled, 'scope' | 'retryAfterMs'> {
  return reply === 421 || reply === 454
    ? { scope: 'rate', retryAfterMs: 5000 }
    : { scope: 'recipient', retryAfterMs: 60_000 };
}
