import { type IncomingMessage, Agent as PlainAgent, request as plain } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { limits } from '../../../src/limits.ts';
import { createLookup, type NetworkPolicy, NoAddressError } from '../../../src/net/lookup.ts';
import { isPublicHost, NonPublicAddressError } from '../../../src/net/public-address.ts';

const CALL_TIMEOUT_MS = 10_000;
/** Bounds the delay that a receiver can request. */
export const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;
const MAX_STORED_RESPONSE_CHARS = 4_096;

export interface WebhookResponse {
  /** Null if there was no response. */
  status: number | null;
  text: string | null;
  ms: number;
  retryAfterMs: number | null;
  /** Null for a 2xx status. */
  error: string | null;
}

/**
 * Sends a POST request. Follows no redirects, and connects only to public addresses unless configured otherwise. Reuses
 * connections, and repeats the call if the receiver has closed a reused one. Never rejects.
 */
export async function postWebhook(
  url: string,
  headers: Record<string, string>,
  body: string,
  reach: NetworkPolicy,
): Promise<WebhookResponse> {
  const startTime = performance.now();
  const getElapsedMs = () => Math.round(performance.now() - startTime);
  try {
    const signal = AbortSignal.timeout(CALL_TIMEOUT_MS);
    const { status, text, retryAfter } = await sendRequest(new URL(url), {
      headers,
      body,
      reach,
      signal,
      keepAlive: true,
    });
    const isSuccess = status >= 200 && status < 300;
    const retryAfterMs = isSuccess ? null : parseRetryAfter(retryAfter, Date.now());
    return {
      status,
      text,
      ms: getElapsedMs(),
      retryAfterMs,
      error: isSuccess ? null : `It answered ${status}.`,
    };
  } catch (error) {
    return {
      status: null,
      text: null,
      ms: getElapsedMs(),
      retryAfterMs: null,
      error: describeError(error as Error),
    };
  }
}

/** Parses Retry-After (RFC 9110 10.2.3) to milliseconds, at most a day. Returns null if it is missing or invalid. */
export function parseRetryAfter(retryAfter: string | undefined, now: number): number | null {
  const text = retryAfter?.trim() ?? '';
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), MAX_RETRY_AFTER_MS);
}

interface HttpReply {
  status: number;
  text: string;
  retryAfter?: string;
}

interface ExchangeOptions {
  headers: Record<string, string>;
  body: string;
  reach: NetworkPolicy;
  signal: AbortSignal;
  keepAlive: boolean;
}

function sendRequest(url: URL, options: ExchangeOptions): Promise<HttpReply> {
  const { headers, body, reach, signal, keepAlive } = options;
  if (!reach.allowPrivate && !isPublicHost(url.hostname))
    return Promise.reject(new NonPublicAddressError(url.hostname));
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const agent = keepAlive && getAgents(reach)[isSecure ? 'secure' : 'plain'];
    const lookup = createLookup(reach);
    const request = (isSecure ? secure : plain)(url, { method: 'POST', headers, agent, signal, lookup });
    const retryOrReject = (error: Error & { code?: string }) => {
      const isStale = request.reusedSocket && STALE_CONNECTION_CODES.has(error.code ?? '');
      if (isStale) sendRequest(url, { ...options, keepAlive: false }).then(resolve, reject);
      else reject(error);
    };
    request.on('error', retryOrReject);
    request.on('response', (response) => {
      const beginning = readBeginning(response);
      // The status is already final, even if the body does not end in time.
      request.off('error', retryOrReject).on('error', beginning.end);
      beginning.text.then((text) => {
        resolve({ status: response.statusCode!, text, retryAfter: response.headers['retry-after'] });
        if (!response.complete) request.destroy();
      });
    });
    // A protocol upgrade has no body, only a status.
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve({ status: statusCode!, text: '' });
    });
    request.end(body);
  });
}

/** Error codes of a reused connection that the receiver has closed. */
const STALE_CONNECTION_CODES = new Set(['ECONNRESET', 'EPIPE']);

interface HttpAgents {
  plain: PlainAgent;
  secure: SecureAgent;
}

/** Servers often close idle connections after five seconds. */
const KEEP_ALIVE_MS = 4_000;

function createAgents(): HttpAgents {
  const options = {
    keepAlive: true,
    timeout: KEEP_ALIVE_MS,
    maxFreeSockets: limits.webhook.callsAtOnceOfWebhook,
  };
  return { plain: new PlainAgent(options), secure: new SecureAgent(options) };
}

const publicAgents = createAgents();
const unrestrictedAgents = createAgents();

/** Keeps connections that may lead to private addresses in a separate pool. */
const getAgents = ({ allowPrivate }: NetworkPolicy): HttpAgents =>
  allowPrivate ? unrestrictedAgents : publicAgents;

function readBeginning(response: IncomingMessage): { text: Promise<string>; end: () => void } {
  const parts: Buffer[] = [];
  let size = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const end = () => {
    const text = Buffer.concat(parts).toString().replaceAll('\0', '').toWellFormed();
    resolve(text.slice(0, MAX_STORED_RESPONSE_CHARS));
  };
  response.on('data', (part: Buffer) => {
    if (size < MAX_STORED_RESPONSE_CHARS * MAX_CHARACTER_BYTES) parts.push(part);
    size += part.length;
    if (size >= MAX_STORED_RESPONSE_CHARS * MAX_CHARACTER_BYTES) end();
  });
  response.on('end', end).on('error', end);
  return { text: promise, end };
}

/** In UTF-8. */
const MAX_CHARACTER_BYTES = 4;

function describeError(error: Error & { code?: string }): string {
  if (error instanceof NonPublicAddressError || error instanceof NoAddressError) return `${error.message}.`;
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `No answer within ${CALL_TIMEOUT_MS / 1000} seconds.`;
  return (error.message || error.code || 'No connection.').replaceAll('\0', '').toWellFormed().slice(0, 500);
}
