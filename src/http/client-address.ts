import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { memoizePerObject } from '../cache.ts';
import type { Config } from '../config.ts';
import { createNetworkMatcher, toPlainAddress } from '../net/networks.ts';
import { isPublicAddress } from '../net/public-address.ts';

// Where a request comes from: failed sign-ins are counted by it, the audit trail and the log name it.

/** What is known of a request beside what it says: its sockets, and the name it is given. */
interface RequestArrival {
  incoming?: IncomingMessage | undefined;
  outgoing?: ServerResponse | undefined;
  /** Of the connection; a socket forgets it when it closes. */
  address?: string | undefined;
  id?: string;
}

const ARRIVAL = Symbol('arrival');

/**
 * The headers of a request, which all doors have at hand, with its arrival. In a WeakMap it would keep the request and
 * its answer until the next full collection, as what is old holds what is young until then (measured).
 */
interface HeadersWithArrival extends ReadableHeaders {
  [ARRIVAL]?: RequestArrival;
}

/** Headers by their names in small letters: those of a `Request`, or those of Node, of which none has to be made. */
export type ReadableHeaders = Pick<Headers, 'get'>;

/** The headers of a request as Node has read them. */
export const toReadableHeaders = ({ headers }: IncomingMessage): ReadableHeaders => ({
  get: (name) => headers[name]?.toString() ?? null,
});

/** `env` is what the server gives beside a request. */
export function recordArrival(headers: HeadersWithArrival, env: unknown): void {
  const { incoming, outgoing } = (env ?? {}) as RequestArrival;
  headers[ARRIVAL] = { incoming, outgoing, address: incoming?.socket.remoteAddress };
}

export function getArrival(headers: HeadersWithArrival): RequestArrival {
  headers[ARRIVAL] ??= {};
  return headers[ARRIVAL];
}

/**
 * The address of the caller. Of a chain of proxies those that are trusted are believed, from the nearest on: the first
 * one that is not is the caller, whatever it says of others.
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

/** Whether the peer and every forwarded address, trusted or not, is private. */
export const isFromPrivateNetwork = (headers: ReadableHeaders): boolean =>
  [getArrival(headers).address ?? '', ...parseForwardedFor(headers)].every(
    (address) => isIP(toPlainAddress(address)) !== 0 && !isPublicAddress(toPlainAddress(address)),
  );

/** A proxy that adds to one of the two headers passes the other one on as it came, so only one is looked at. */
function parseForwardedFor(headers: ReadableHeaders): string[] {
  const simple = headers.get('x-forwarded-for');
  if (simple !== null) return simple.split(',').map(toBareAddress);
  const full = headers.get('forwarded');
  if (full === null) return [];
  return full.split(',').map((hop) => toBareAddress(/(?:^|;)\s*for="?([^";]*)/i.exec(hop)?.[1] ?? ''));
}

/** Without the port that some proxies add: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function toBareAddress(text: string): string {
  const given = text.trim();
  const bracketed = /^\[([^\]]*)\]/.exec(given)?.[1];
  return toPlainAddress(bracketed ?? (isIP(given) ? given : given.replace(/:\d+$/, '')));
}

const getTrustedMatcher = memoizePerObject(({ trustedProxies }: Config) =>
  createNetworkMatcher(trustedProxies),
);

const isTrusted = (config: Config, address: string): boolean => getTrustedMatcher(config)(address);
