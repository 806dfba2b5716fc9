import { type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { Duplex } from 'node:stream';
import { limits } from '../../../src/limits.ts';
import { createLookup, type NetworkPolicy, NoAddressError } from '../../../src/net/lookup.ts';
import { isPublicHost, NonPublicAddressError } from '../../../src/net/public-address.ts';

const MAX_REDIRECTS = 3;

export interface FetchedFile {
  content: Buffer;
  contentType: string | null;
}

/** The message completes a sentence about the file, such as `it is too large`. */
export class FetchError extends Error {}

interface FetchOptions {
  reach: NetworkPolicy;
  agent: string;
  signal: AbortSignal;
  /** Receives each chunk's size before the chunk is stored. @throws to abort the fetch */
  take(bytes: number): void;
}

/**
 * Downloads a file. Checks each redirect like the first URL, and connects only to checked addresses. Does not
 * decompress, so that a small response cannot fill the memory.
 * @throws FetchError, and errors of `take`
 */
export async function fetchFile(url: URL, options: FetchOptions): Promise<FetchedFile> {
  try {
    let target = url;
    for (let hops = 0; hops <= MAX_REDIRECTS; hops++) {
      const response = await openResponse(target, options);
      const next = findRedirect(response, target);
      if (!next) return await readFileBody(response, options);
      response.destroy();
      target = next;
    }
    throw new FetchError(`it redirects more than ${MAX_REDIRECTS} times`);
  } catch (error) {
    throw toFetchError(error as Error, options.signal);
  }
}

function openResponse(url: URL, { reach, agent, signal }: FetchOptions): Promise<IncomingMessage> {
  if (!reach.allowPrivate && !isPublicHost(url.hostname)) throw new NonPublicAddressError(url.hostname);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const send = url.protocol === 'https:' ? secure : plain;
  const headers = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': agent };
  const request = send(url, { headers, agent: false, signal, lookup: createLookup(reach) });
  request.on('response', resolve).on('error', reject).on('upgrade', rejectUpgrade(reject)).end();
  return promise;
}

/** Rejects a protocol upgrade, which contains no file and never ends. */
const rejectUpgrade = (reject: (error: Error) => void) => (response: IncomingMessage, socket: Duplex) => {
  socket.destroy();
  reject(new FetchError(`it returned status ${response.statusCode}`));
};

const REDIRECT_STATUSES = new Set([301, 302, 303, 307, 308]);

/** @throws FetchError if the target is not allowed */
function findRedirect(response: IncomingMessage, from: URL): URL | null {
  if (!REDIRECT_STATUSES.has(response.statusCode!)) return null;
  const to = URL.parse(response.headers.location ?? '', from);
  if (
    !response.headers.location ||
    !to ||
    !isFetchable(to) ||
    (from.protocol === 'https:' && to.protocol === 'http:')
  ) {
    response.destroy();
    throw new FetchError('it redirects to a URL that is not allowed');
  }
  return to;
}

export const isFetchable = ({ protocol, username, password }: URL): boolean =>
  (protocol === 'https:' || protocol === 'http:') && !username && !password;

async function readFileBody(response: IncomingMessage, { take, signal }: FetchOptions): Promise<FetchedFile> {
  try {
    if (response.statusCode !== 200) throw new FetchError(`it returned status ${response.statusCode}`);
    const encoding = response.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() !== 'identity')
      throw new FetchError(`it is compressed (${encoding.slice(0, 50)}), which was not requested`);
    const parts: Buffer[] = [];
    for await (const part of response) {
      take(part.length);
      parts.push(part);
    }
    // Ending the connection completes a body without a length.
    signal.throwIfAborted();
    if (parts.length === 0) throw new FetchError('it is empty');
    return { content: Buffer.concat(parts), contentType: response.headers['content-type'] ?? null };
  } finally {
    response.destroy();
  }
}

function toFetchError(error: Error & { code?: string }, signal: AbortSignal): Error {
  if (error instanceof NonPublicAddressError || error instanceof NoAddressError)
    return new FetchError(error.message);
  if (signal.aborted)
    return new FetchError(`it was not completely received within ${limits.email.fetchTime / 1000} seconds`);
  return error.code ? new FetchError(`the connection failed (${error.code})`) : error;
}
