import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import DKIM from 'nodemailer/lib/dkim';
import { classifySmtpError, isSoftBounce } from './classify-smtp.ts';
import { combineParts } from './combine-parts.ts';
import { buildEnvelope, type Envelope } from './envelope.ts';
import type { SendOutcome, SendPart, SendResult, Transport, TransportMessage } from './transport.ts';

interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://...`, with nodemailer's query options. */
  url: string;
  maxConnections?: number;
  /** Maximum time without a byte from the relay. */
  socketTimeoutMs?: number;
  sendTimeoutMs?: number;
}

/**
 * Connects to the relay as a send would and signs in if the URL has credentials, but sends nothing.
 * @throws Error with nodemailer's `code` if the relay rejects a step or takes longer than five seconds
 */
export async function verifyRelay(url: string): Promise<void> {
  const relay = createTransport({
    url,
    dnsTimeout: STEP_TIMEOUT_MS,
    connectionTimeout: STEP_TIMEOUT_MS,
    greetingTimeout: STEP_TIMEOUT_MS,
    socketTimeout: STEP_TIMEOUT_MS,
  });
  await relay.verify();
}

const STEP_TIMEOUT_MS = 5_000;

/** Time limit for sending a message, including the wait for a connection (RFC 5321 4.5.3.2.6). */
const SEND_TIMEOUT_MS = 10 * 60_000;

type SmtpPool = ReturnType<typeof createPool>;

export function createSmtpTransport(options: SmtpOptions): Transport {
  const concurrency = options.maxConnections ?? 8;
  const pool = createPool(options, concurrency);
  return {
    name: 'smtp',
    concurrency,
    send: (message, signal) => {
      const timeout = AbortSignal.timeout(options.sendTimeoutMs ?? SEND_TIMEOUT_MS);
      return sendMessage(pool, message, signal ? AbortSignal.any([signal, timeout]) : timeout);
    },
    limits: async () => null,
    close: async () => pool.close(),
  };
}

function createPool(options: SmtpOptions, maxConnections: number) {
  const pool = createTransport({
    url: options.url,
    pool: true,
    maxConnections,
    maxMessages: 1000,
    // The worker retries. A retry inside nodemailer could not be observed.
    maxRequeues: 0,
    connectionTimeout: 5000,
    greetingTimeout: 10_000,
    socketTimeout: options.socketTimeoutMs ?? 30_000,
  });
  pool.use('stream', reportStart);
  return pool;
}

/**
 * Calls `onStart` just before the first bytes are sent. A generator starts at its first read, and the connection first
 * reads after the server's 354 reply.
 */
function reportStart(mail: { data: object; message: MimeTree }, onDone: () => void): void {
  const { onStart } = mail.data as { onStart?: () => void };
  mail.message.processFunc((input) =>
    Readable.from(
      (async function* () {
        onStart?.();
        yield* input;
      })(),
      { objectMode: false },
    ),
  );
  onDone();
}

interface MimeTree {
  processFunc(wrap: (input: Readable) => Readable): void;
}

async function sendMessage(
  pool: SmtpPool,
  message: TransportMessage,
  signal: AbortSignal,
): Promise<SendOutcome> {
  const envelope = buildEnvelope(message);
  if ('kind' in envelope) return envelope;
  if (signal.aborted)
    return { kind: 'throttled', scope: 'unreachable', retryAfterMs: 0, reason: 'stopped before sending' };
  let hasStarted = false;
  const onStart = () => {
    hasStarted = true;
  };
  try {
    const mail = {
      envelope: { from: message.returns?.returnPath ?? envelope.from, to: envelope.recipients },
      ...(message.returns && { dsn: { id: message.returns.envelopeId } }),
      raw: await signMessage(message),
      signal,
      onStart,
    };
    const info = await pool.sendMail(mail);
    return buildOutcome(message.emailId, envelope, info);
  } catch (error) {
    return classifyFailure(error, hasStarted);
  }
}

/**
 * Signs the message (RFC 6376) before nodemailer receives it. Nodemailer would read the entire message to sign it, so
 * the start of the transfer could not be detected.
 */
async function signMessage({ raw, dkim }: TransportMessage): Promise<Buffer> {
  if (!dkim) return raw;
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${dkim.privateKey}\n-----END PRIVATE KEY-----\n`;
  const key = { domainName: dkim.domain, keySelector: dkim.selector, privateKey };
  return buffer(new DKIM({ ...key, headerFieldNames: SIGNED_HEADERS }).sign(raw));
}

/** Recommended by RFC 6376 5.4.1. RFC 8058 4 requires both unsubscribe fields, and Gmail requires Feedback-ID. */
const SIGNED_HEADERS = [
  'From:Reply-To:Subject:Date:Message-ID:To:Cc:In-Reply-To:References:MIME-Version:Content-Type',
  'Content-Transfer-Encoding:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Feedback-ID',
].join(':');

interface SmtpRejections {
  rejectedErrors?: readonly { recipient?: string; command?: string; response?: string }[];
}

/** The relay may have rejected some recipients at RCPT TO. SMTP has no message ids, so the email's id is used. */
function buildOutcome(
  emailId: string,
  to: Envelope,
  info: SmtpRejections & { response: string },
): SendOutcome {
  const response = info.response.replace(/\s+/g, ' ').slice(0, 200);
  const sentResult: SendResult = { kind: 'sent', providerId: `smtp-${emailId}`, response };
  const parts = parseRejections(info);
  if (parts.length === 0) return sentResult;
  const rejected = new Set(parts.flatMap((part) => part.recipients));
  return combineParts([
    { recipients: to.recipients.filter((address) => !rejected.has(address)), outcome: sentResult },
    ...parts,
  ]);
}

/** The whole send fails if all recipients were rejected at RCPT TO, each for a different reason. */
function classifyFailure(error: unknown, hasStarted: boolean): SendOutcome {
  const parts = hasStarted ? [] : parseRejections(error as SmtpRejections);
  return parts.length > 0 ? combineParts(parts) : classifySmtpError(error, hasStarted);
}

function parseRejections(from: SmtpRejections): SendPart[] {
  return (from.rejectedErrors ?? []).map((error) => {
    const recipients = error.recipient ? [error.recipient] : [];
    const outcome = classifySmtpError(error, false);
    return {
      recipients,
      outcome: isSoftBounce(error, outcome) ? { ...outcome, softBounced: recipients } : outcome,
    };
  });
}
