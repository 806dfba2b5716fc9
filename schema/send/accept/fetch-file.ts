import { type IncomingMessage, request as plain } from 'node:http';
import { request as secure } from 'node:https';
import type { Duplex } from 'node:stream';
import { limits } from '../../../src/limits.ts';
import { createLookup, type NetworkPolicy, NoAddressError } from '../../../src/net/lookup.ts';
import { isPublicHost, NonPublicAddressError } from '../../../src/net/public-address.ts';

/** A file as its server gave it. */
export interface FetchedFile {
  content: Buffer;
  /** The media type that the server names. */
  contentType: string | null;
}

/** A file cannot be fetched; the message ends a sentence that begins with what is fetched. */
export class FetchError extends Error {}

interface FetchOptions {
  reach: NetworkPolicy;
  /** What we say to its server that we are. */
  agent: string;
  signal: AbortSignal;
  /** Hears of each piece before it is kept. @throws what ends the fetch */
  take(bytes: number): void;
}

/**
 * Gets a file. Each redirect is checked like the first address, and each connection goes to an address that was
 * checked. Nothing is decompressed, so no more is held than was sent.
 * @throws NotFetched, and what `take` throws
 */
export async function fetchFile(url: URL, fetching: FetchOptions): Promise<FetchedFile> {
  try {
    let at = url;
    for (let hops = 0; hops <= limits.email.fetchRedirects; hops++) {
      const answer = await openResponse(at, fetching);
      const next = findRedirect(answer, at);
      if (!next) return await readFileBody(answer, fetching);
      answer.destroy();
      at = next;
    }
    throw new FetchError(`it redirects more than ${limits.email.fetchRedirects} times`);
  } catch (error) {
    throw toFetchError(error as Error, fetching.signal);
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

/** An answer that turns the connection into another protocol has neither a file nor an end. */
const rejectUpgrade = (reject: (error: Error) => void) => (answer: IncomingMessage, socket: Duplex) => {
  socket.destroy();
  reject(new FetchError(`it answered ${answer.statusCode}`));
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Where the answer leads; null for one that is no redirect. @throws NotFetched for an address that is not followed */
function findRedirect(answer: IncomingMessage, from: URL): URL | null {
  if (!REDIRECTS.has(answer.statusCode!)) return null;
  const to = URL.parse(answer.headers.location ?? '', from);
  if (
    !answer.headers.location ||
    !to ||
    !isFetchable(to) ||
    (from.protocol === 'https:' && to.protocol === 'http:')
  ) {
    answer.destroy();
    throw new FetchError('it redirects to an address that is not followed');
  }
  return to;
}

/** Whether an address is one of HTTP without a password. Pure. */
export const isFetchable = ({ protocol, username, password }: URL): boolean =>
  (protocol === 'https:' || protocol === 'http:') && !username && !password;

async function readFileBody(answer: IncomingMessage, { take }: FetchOptions): Promise<FetchedFile> {
  try {
    if (answer.statusCode !== 200) throw new FetchError(`it answered ${answer.statusCode}`);
    const encoding = answer.headers['content-encoding'] ?? 'identity';
    if (encoding.toLowerCase() !== 'identity')
      throw new FetchError(`it is compressed (${encoding.slice(0, 50)}), which was not asked for`);
    const parts: Buffer[] = [];
    for await (const part of answer) {
      take(part.length);
      parts.push(part);
    }
    if (parts.length === 0) throw new FetchError('it is empty');
    return { content: Buffer.concat(parts), contentType: answer.headers['content-type'] ?? null };
  } finally {
    answer.destroy();
  }
}

/** What the caller hears; anything that is not about the network is thrown as it is. */
function toFetchError(error: Error & { code?: string }, signal: AbortSignal): Error {
  if (error instanceof NonPublicAddressError || error instanceof NoAddressError)
    return new FetchError(error.message);
  if (signal.aborted)
    return new FetchError(`not all of it came within ${limits.email.fetchTime / 1000} seconds`);
  return error.code ? new FetchError(`the connection failed (${error.code})`) : error;
}
