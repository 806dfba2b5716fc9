import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createTransport } from 'nodemailer';
import DKIM from 'nodemailer/lib/dkim';
import { classifySmtpError, isSoftBounce } from './classify-smtp.ts';
import { combineParts } from './combine-parts.ts';
import { buildEnvelope, type Envelope } from './envelope.ts';
import type { SendOutcome, SendPart, SendResult, Transport, TransportMessage } from './transport.ts';

export interface SmtpOptions {
  /** `smtp://user:password@host:port` or `smtps://...`, with nodemailer's query options. */
  url: string;
  maxConnections?: number;
  /** Milliseconds of silence of the server. */
  socketTimeoutMs?: number;
}

/**
 * Connects to the relay as a send does, signs in where the address has credentials, and sends nothing.
 * @throws Error with the `code` of nodemailer when it is refused, or a step takes longer than five seconds
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

type SmtpPool = ReturnType<typeof createPool>;

/** Sends through a relay over a pool of kept connections. */
export function createSmtpTransport(options: SmtpOptions): Transport {
  const concurrency = options.maxConnections ?? 8;
  const pool = createPool(options, concurrency);
  return {
    name: 'smtp',
    concurrency,
    send: (message, signal) => sendMessage(pool, message, signal),
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
    // The worker decides what is tried again; a second try hidden in here could not be seen.
    maxRequeues: 0,
    connectionTimeout: 5000,
    greetingTimeout: 10_000,
    socketTimeout: options.socketTimeoutMs ?? 30_000,
  });
  pool.use('stream', reportStart);
  return pool;
}

/**
 * A generator starts at its first read, and the connection first reads after the server's 354: from there on bytes
 * leave.
 */
function reportStart(mail: { data: object; message: MimeTree }, done: () => void): void {
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
  done();
}

interface MimeTree {
  processFunc(wrap: (input: Readable) => Readable): void;
}

async function sendMessage(
  pool: SmtpPool,
  message: TransportMessage,
  signal?: AbortSignal,
): Promise<SendOutcome> {
  const checked = buildEnvelope(message);
  if ('kind' in checked) return checked;
  if (signal?.aborted)
    return { kind: 'throttled', scope: 'unreachable', retryAfterMs: 0, reason: 'stopped before sending' };
  let started = false;
  const onStart = () => {
    started = true;
  };
  try {
    const mail = {
      envelope: { from: message.returns?.returnPath ?? checked.from, to: checked.recipients },
      ...(message.returns && { dsn: { id: message.returns.envelopeId } }),
      raw: await signMessage(message),
      signal,
      onStart,
    };
    const info = await pool.sendMail(mail);
    return buildOutcome(message.emailId, checked, info);
  } catch (error) {
    return classifyFailure(error, started);
  }
}

/**
 * RFC 6376. Before the message is handed to the library, which would read all of it to sign it, so that it could not be
 * seen when its bytes begin to leave.
 */
async function signMessage({ raw, dkim }: TransportMessage): Promise<Buffer> {
  if (!dkim) return raw;
  const privateKey = `-----BEGIN PRIVATE KEY-----\n${dkim.privateKey}\n-----END PRIVATE KEY-----\n`;
  const key = { domainName: dkim.domain, keySelector: dkim.selector, privateKey };
  return buffer(new DKIM({ ...key, headerFieldNames: SIGNED_HEADERS }).sign(raw));
}

/** RFC 6376 5.4.1; RFC 8058 4 wants both of the fields for unsubscribing; Gmail, Feedback-ID. */
const SIGNED_HEADERS = [
  'From:Reply-To:Subject:Date:Message-ID:To:Cc:In-Reply-To:References:MIME-Version:Content-Type',
  'Content-Transfer-Encoding:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Feedback-ID',
].join(':');

interface SmtpRejections {
  rejectedErrors?: readonly { recipient?: string; command?: string; response?: string }[];
}

/**
 * A relay may take the message for some recipients and refuse others at RCPT TO. SMTP has no ids, so ours stands in.
 */
function buildOutcome(
  emailId: string,
  to: Envelope,
  info: SmtpRejections & { response: string },
): SendOutcome {
  const response = info.response.replace(/\s+/g, ' ').slice(0, 200);
  const sent: SendResult = { kind: 'sent', providerId: `smtp-${emailId}`, response };
  const parts = parseRejections(info);
  if (parts.length === 0) return sent;
  const refused = new Set(parts.flatMap((part) => part.recipients));
  return combineParts([
    { recipients: to.recipients.filter((address) => !refused.has(address)), outcome: sent },
    ...parts,
  ]);
}

/** Every recipient refused at RCPT TO fails the whole send, each for its own reason. */
function classifyFailure(error: unknown, started: boolean): SendOutcome {
  const parts = started ? [] : parseRejections(error as SmtpRejections);
  return parts.length > 0 ? combineParts(parts) : classifySmtpError(error, started);
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
