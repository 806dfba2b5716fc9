import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { createCache } from '../../src/cache.ts';
import { createLookup, type NetworkPolicy } from '../../src/net/lookup.ts';
import { isPublicHost, NonPublicAddressError } from '../../src/net/public-address.ts';

const MAX_DOCUMENT_BYTES = 5 * 1024;
const FETCH_TIMEOUT_MS = 2_500;
/** Minimum time before a document is fetched again, regardless of the result. */
const MIN_FETCH_INTERVAL_MS = 30_000;
const MAX_CACHED_DOCUMENTS = 1_000;

interface FetchedDocument {
  bytes: Buffer;
  cacheControl: string | undefined;
}

/**
 * Creates a `fetch` for client metadata documents, whose URLs are client ids. Connects only to public addresses,
 * follows no redirects, limits the size, and does not repeat a request within `MIN_FETCH_INTERVAL_MS`.
 */
export function createFetch(reach: NetworkPolicy): (address: string) => Promise<Response> {
  const documents = createCache<string, Promise<FetchedDocument>>({
    age: MIN_FETCH_INTERVAL_MS,
    entries: MAX_CACHED_DOCUMENTS,
  });
  return async (address) => {
    const { bytes, cacheControl } = await documents.getOrCreate(address, () => fetchDocument(reach, address));
    return new Response(new Uint8Array(bytes), {
      headers: {
        'content-type': 'application/json',
        ...(cacheControl && { 'cache-control': cacheControl }),
      },
    });
  };
}

async function fetchDocument(reach: NetworkPolicy, address: string): Promise<FetchedDocument> {
  const url = new URL(address);
  if (url.protocol !== 'https:') throw new Error('only https: is supported');
  if (!reach.allowPrivate && !isPublicHost(url.hostname)) throw new NonPublicAddressError(url.hostname);
  const response = await getDocument(url, reach);
  try {
    if (response.statusCode !== 200) throw new Error(`it returned status ${response.statusCode}`);
    const type = response.headers['content-type'] ?? '';
    if (!/^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(type)) throw new Error('it is not JSON');
    return { bytes: await readBytes(response), cacheControl: response.headers['cache-control'] };
  } finally {
    response.destroy();
  }
}

function getDocument(url: URL, reach: NetworkPolicy): Promise<IncomingMessage> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { accept: 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Atrium' };
  const signal = AbortSignal.timeout(FETCH_TIMEOUT_MS);
  request(url, { headers, agent: false, signal, lookup: createLookup(reach) })
    .on('response', resolve)
    .on('error', reject)
    .on('upgrade', (_answer, socket) => {
      socket.destroy();
      reject(new Error('it switched to another protocol'));
    })
    .end();
  return promise;
}

async function readBytes(response: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response) {
    size += part.length;
    if (size > MAX_DOCUMENT_BYTES) throw new Error('it is too large');
    parts.push(part);
  }
  return Buffer.concat(parts);
}
