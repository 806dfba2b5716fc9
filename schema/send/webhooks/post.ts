import { type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import { limits } from '../../../src/limits.ts';
import { lookupFor, NoAddress, type Reach } from './lookup.ts';
import { ClosedAddress, isOpenHost } from './public-address.ts';

/** What came of one attempt. */
export interface WebhookAnswer {
  /** HTTP status; null when there was no answer. */
  status: number | null;
  /** Beginning of the answer. */
  text: string | null;
  ms: number;
  /** Why there was no answer, or what is wrong with it; null for a 2xx. */
  error: string | null;
}

/**
 * Posts once. Follows no redirect, connects to public addresses only unless configured otherwise, and keeps no
 * connection: an idle one that the other side has closed meanwhile would look like a failure. Never rejects.
 */
export async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  reach: Reach,
): Promise<WebhookAnswer> {
  const started = performance.now();
  const ms = () => Math.round(performance.now() - started);
  try {
    const { status, text } = await exchange(new URL(url), headers, body, reach);
    const ok = status >= 200 && status < 300;
    return { status, text, ms: ms(), error: ok ? null : `It answered ${status}.` };
  } catch (error) {
    return { status: null, text: null, ms: ms(), error: reasonOf(error as Error) };
  }
}

function exchange(
  url: URL,
  headers: Record<string, string>,
  body: string,
  reach: Reach,
): Promise<{ status: number; text: string }> {
  if (!reach.webhookAllowPrivate && !isOpenHost(url.hostname))
    return Promise.reject(new ClosedAddress(url.hostname));
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? secure : plain)(url, {
      method: 'POST',
      headers,
      agent: false,
      signal: AbortSignal.timeout(limits.webhook.time),
      lookup: lookupFor(reach),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const beginning = beginningOf(response);
      // The status has come, so the answer is known, whether or not its text ends in time.
      request.off('error', reject).on('error', beginning.end);
      beginning.text.then((text) => {
        resolve({ status: response.statusCode!, text });
        request.destroy();
      });
    });
    request.end(body);
  });
}

/** The first characters of an answer: as soon as they are there, or it ends. */
function beginningOf(response: IncomingMessage): { text: Promise<string>; end: () => void } {
  const parts: Buffer[] = [];
  let size = 0;
  const { promise, resolve } = Promise.withResolvers<string>();
  const end = () => {
    const text = Buffer.concat(parts).toString().replaceAll('\0', '').toWellFormed();
    resolve(text.slice(0, limits.webhook.answer));
  };
  response.on('data', (part: Buffer) => {
    if (size < limits.webhook.answer * LONGEST_CHARACTER) parts.push(part);
    size += part.length;
    if (size >= limits.webhook.answer * LONGEST_CHARACTER) end();
  });
  response.on('end', end).on('error', end);
  return { text: promise, end };
}

/** Bytes of UTF-8. */
const LONGEST_CHARACTER = 4;

function reasonOf(error: Error & { code?: string }): string {
  if (error instanceof ClosedAddress || error instanceof NoAddress) return `${error.message}.`;
  if (error.name === 'AbortError' || error.name === 'TimeoutError')
    return `No answer within ${limits.webhook.time / 1000} seconds.`;
  return (error.message || error.code || 'No connection.').replaceAll('\0', '').toWellFormed().slice(0, 500);
}
