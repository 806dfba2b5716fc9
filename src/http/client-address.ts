import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { memoizePerObject } from '../cache.ts';
import type { Config } from '../config.ts';
import { createNetworkMatcher, toPlainAddress } from '../net/networks.ts';
import { isPublicAddress } from '../net/public-address.ts';

interface RequestArrival {
  incoming?: IncomingMessage | undefined;
  outgoing?: ServerResponse | undefined;
  /** IP address of the connection. Stored, because a closed socket no longer provides it. */
  address?: string | undefined;
  id?: string;
}

const ARRIVAL = Symbol('arrival');

/**
 * Stores the connection data on the request's headers, which all facades have. A WeakMap would keep requests and
 * responses alive until the next full garbage collection, because old entries refer to young objects (measured).
 */
interface HeadersWithArrival extends ReadableHeaders {
  [ARRIVAL]?: RequestArrival;
}

/** Headers from a `Request`, or directly from Node, which avoids creating a Headers object. Names are lower case. */
export type ReadableHeaders = Pick<Headers, 'get'>;

export const toReadableHeaders = ({ headers }: IncomingMessage): ReadableHeaders => ({
  get: (name) => headers[name]?.toString() ?? null,
});

export function recordArrival(headers: HeadersWithArrival, env: unknown): void {
  const { incoming, outgoing } = (env ?? {}) as RequestArrival;
  headers[ARRIVAL] = { incoming, outgoing, address: incoming?.socket.remoteAddress };
}

export function getArrival(headers: HeadersWithArrival): RequestArrival {
  headers[ARRIVAL] ??= {};
  return headers[ARRIVAL];
}

/**
 * Returns the caller's address. Proxies are trusted as configured, starting with the nearest. The first untrusted
 * address is the caller, regardless of the addresses that it claims to forward.
 */
export function getClientAddress({ config }: { config: Config }, headers: ReadableHeaders): string {
  const { address } = getArrival(headers);
  const peer = address ? toPlainAddress(address) : 'unknown';
  if (!isTrusted(config, peer)) return peer;
  let nearest = peer;
  for (const address of parseForwardedFor(headers).reverse()) {
    if (isIP(address) === 0) return nearest;
    nearest = address;
    if (!isTrusted(config, address)) return address;
  }
  return nearest;
}

/** Returns true if the peer and all forwarded addresses, trusted or not, are private. */
export const isFromPrivateNetwork = (headers: ReadableHeaders): boolean =>
  [getArrival(headers).address ?? '', ...parseForwardedFor(headers)].every(
    (address) => isIP(toPlainAddress(address)) !== 0 && !isPublicAddress(toPlainAddress(address)),
  );

/** Reads only one of the two headers, because a proxy that extends one passes the other through unchanged. */
function parseForwardedFor(headers: ReadableHeaders): string[] {
  const forwardedFor = headers.get('x-forwarded-for');
  if (forwardedFor !== null) return forwardedFor.split(',').map(toBareAddress);
  const forwarded = headers.get('forwarded');
  if (forwarded === null) return [];
  return forwarded.split(',').map((hop) => toBareAddress(/(?:^|;)\s*for="?([^";]*)/i.exec(hop)?.[1] ?? ''));
}

/** Removes the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function toBareAddress(text: string): string {
  const address = text.trim();
  const bracketed = /^\[([^\]]*)\]/.exec(address)?.[1];
  return toPlainAddress(bracketed ?? (isIP(address) ? address : address.replace(/:\d+$/, '')));
}

const getTrustedMatcher = memoizePerObject(({ trustedProxies }: Config) =>
  createNetworkMatcher(trustedProxies),
);

const isTrusted = (config: Config, address: string): boolean => getTrustedMatcher(config)(address);
