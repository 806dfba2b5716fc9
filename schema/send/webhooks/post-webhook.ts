import { type IncomingMessage, Agent as PlainAgent, request as plain } from 'node:http';
import { Agent as SecureAgent, request as secure } from 'node:https';
import { limits } from '../../../src/limits.ts';
import { createLookup, type NetworkPolicy, NoAddressError } from '../../../src/net/lookup.ts';
import { isPublicHost, NonPublicAddressError } from '../../../src/net/public-address.ts';

/** What came of one attempt. */
export interface WebhookResponse {
  /** HTTP status; null when there was no answer. */
  status: number | null;
  /** Beginning of the answer. */
  text: string | null;
  ms: number;
  /** Milliseconds after which the receiver wants to be asked again; null when it does not say. */
  retryAfterMs: number | null;
  /** Why there was no answer, or what is wrong with it; null for a 2xx. */
  error: string | null;
}

/**
 * Posts once. Follows no redirect, and connects to public addresses only unless configured otherwise: each connection
 * to an address that was checked, and is kept for the next call. One that the other side has closed meanwhile is no
 * failure: the call is made again on a new one. Never rejects.
 */
export async function postWebhook(
  url: string,
  headers: Record<string, string>,
  body: string,
  reach: NetworkPolicy,
): Promise<WebhookResponse> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const signal = AbortSignal.timeout(limits.webhook.time);
    const { status, text, retryAfter } = await sendRequest(new URL(url), {
      headers,
      body,
      reach,
      signal,
      keepAlive: true,
    });
    const ok = status >= 200 && status < 300;
    const retryAfterMs = ok ? null : parseRetryAfter(retryAfter, Date.now());
    return { status, text, ms: ms(), retryAfterMs, error: ok ? null : `It answered ${status}.` };
  } catch (error) {
    return { status: null, text: null, ms: ms(), retryAfterMs: null, error: describeError(error as Error) };
  }
}

/** The value of Retry-After (RFC 9110 10.2.3) in milliseconds, of at most a day; null for none. Pure. */
export function parseRetryAfter(retryAfter: string | undefined, now: number): number | null {
  const text = retryAfter?.trim() ?? '';
  const wait = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(wait) ? null : Math.min(Math.max(wait, 0), limits.webhook.retryAfter);
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
  /** Whether a kept connection will do. */
  keepAlive: boolean;
}

function sendRequest(url: URL, options: ExchangeOptions): Promise<HttpReply> {
  const { headers, body, reach, signal, keepAlive: kept } = options;
  if (!reach.allowPrivate && !isPublicHost(url.hostname))
    return Promise.reject(new NonPublicAddressError(url.hostname));
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:';
    const agent = kept && getAgents(reach)[isSecure ? 'secure' : 'plain'];
    const lookup = createLookup(reach);
    const request = (isSecure ? secure : plain)(url, { method: 'POST', headers, agent, signal, lookup });
    const retryOrReject = (error: Error & { code?: string }) => {
      const isStale = request.reusedSocket && STALE.has(error.code ?? '');
      if (isStale) sendRequest(url, { ...options, keepAlive: false }).then(resolve, reject);
      else reject(error);
    };
    request.on('error', retryOrReject);
    request.on('response', (response) => {
      const beginning = readBeginning(response);
      // The status has come, so the answer is known, whether or not its text ends in time.
      request.off('error', retryOrReject).on('error', beginning.end);
      beginning.text.then((text) => {
        resolve({ status: response.statusCode!, text, retryAfter: response.headers['retry-after'] });
        if (!response.complete) request.destroy();
      });
    });
    // The status is all there is of an answer that turns the connection into another protocol.
    request.on('upgrade', ({ statusCode }, socket) => {
      socket.destroy();
      resolve({ status: statusCode!, text: '' });
    });
    request.end(body);
  });
}

/** How a connection ends that the other side has closed while nothing was said on it. */
const STALE = new Set(['ECONNRESET', 'EPIPE']);

interface HttpAgents {
  plain: PlainAgent;
  secure: SecureAgent;
}

/** Milliseconds for which a connection is kept; servers commonly close theirs after five seconds. */
const KEEP_ALIVE_MS = 4_000;

function createAgents(): HttpAgents {
  const options = {
    keepAlive: true,
    timeout: KEEP_ALIVE_MS,
    maxFreeSockets: limits.webhook.callsAtOnceOfWebhook,
  };
  return { plain: new PlainAgent(options), secure: new SecureAgent(options) };
}

const open = createAgents();
const all = createAgents();

/** Connections to any address are kept apart from those that were checked. */
const getAgents = ({ allowPrivate }: NetworkPolicy): HttpAgents => (allowPrivate ? all : open);

/** The first characters of an answer: as soon as they are there, or it ends. */
function readBeginning(response: IncomingMessage): { text: Promise<string>; end: () => void } {
  const parts: Buffer[] = [];
  let size = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const end = () => {
    const text = Buffer.concat(parts).toString().replaceAll('\0', '').toWellFormed();
    resolve(text.slice(0, limits.webhook.answer));
  };
  response.on('data', (part: Buffer) => {
    if (size < limits.webhook.answer * MAX_CHARACTER_BYTES) parts.push(part);
    size += part.length;
    if (size >= limits.webhook.answer * MAX_CHARACTER_BYTES) end();
  });
  response.on('end', end).on('error', end);
  return { text: promise, end };
}

/** Bytes of UTF-8. */
const MAX_CHARACTER_BYTES = 4;

function describeError(error: Error & { code?: string }): string {
  if (error instanceof NonPublicAddressError || error instanceof NoAddressError) return `${error.message}.`;
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `No answer within ${limits.webhook.time / 1000} seconds.`;
  return (error.message || error.code || 'No connection.').replaceAll('\0', '').toWellFormed().slice(0, 500);
}
