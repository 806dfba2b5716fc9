import { isIP } from 'node:net';
import { memoizePerObject } from '../../../src/cache.ts';
import type { Config } from '../../../src/config.ts';
import { type HeaderField, parseHeaderFields } from '../../../src/mail/parse/header-fields.ts';
import { createNetworkMatcher } from '../../../src/net/networks.ts';
import type { SmtpClient } from './smtp-client.ts';

/** Where a message came into the network of this server. */
export interface MailOrigin {
  /** Address of the client; without one it is not known. */
  ip?: string;
  /** What the client called itself. */
  helo?: string;
  /** What a trusted relay has found for SPF, where it does not say who the client was. */
  spf?: string;
}

type RelayConfig = Pick<Config, 'mxTrustedRelays'>;

/**
 * The client that brought a message to the first of the trusted relays that passed it on. A relay names it by XFORWARD
 * or in the Received field that it adds, else it may say in Authentication-Results what it found (RFC 8601). Mail of
 * signed-in users has no origin that SPF could check. Pure.
 * @param header of the message, with the Received field of this server
 */
export function findMailOrigin(config: RelayConfig, client: SmtpClient | null, header: string): MailOrigin {
  const { ip, helo, relay } = client ?? {};
  if (!relay) return { ...(ip && { ip }), ...(helo && { helo }) };
  const fields = parseHeaderFields(Buffer.from(header.slice(0, MAX_TRACE_BYTES), 'latin1'));
  const above = fields.slice(fields.findIndex(isReceived) + 1);
  const hops = above.filter(isReceived).map(({ latin1 }) => latin1);
  if (hops[0] && isSubmission(hops[0])) return {};
  const isRelay = getRelayMatcher(config);
  if (ip && !isRelay(ip)) return isPrivate(ip) ? {} : { ip, ...(helo && { helo }) };
  for (const hop of hops.slice(0, MAX_RELAYS)) {
    const from = parseReceivedClient(hop);
    if (isSubmission(hop)) return {};
    if (!from) break;
    if (!isRelay(from.ip)) return isPrivate(from.ip) ? {} : from;
  }
  return parseAuthResults(above);
}

/** Characters in which servers on the way write above a message. */
const MAX_TRACE_BYTES = 64 * 1024;
/** Trusted relays that pass a message on to each other. */
const MAX_RELAYS = 10;

const getRelayMatcher = memoizePerObject(({ mxTrustedRelays }: RelayConfig) =>
  createNetworkMatcher(mxTrustedRelays),
);

const isPrivate = createNetworkMatcher([
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

const isReceived = ({ name }: HeaderField): boolean => name === 'received';

/** RFC 3848: the client has signed in. */
const isSubmission = (received: string): boolean =>
  /^from \S+ by \S+ with (?:utf8)?(?:e?smtp|lmtp)s?a\b/i.test(stripComments(received));

function stripComments(text: string): string {
  let bare = text;
  for (let depth = 0; depth < 5; depth++) bare = bare.replace(/\([^()]*\)/g, ' ');
  return bare.replace(/\s+/g, ' ').trim();
}

/**
 * The client that a Received field names (RFC 5321 4.4), as Postfix, Sendmail, Exim and Exchange write it. What the
 * client called itself may look like an address, so only the comment behind it counts.
 */
function parseReceivedClient(received: string): { ip: string; helo: string } | null {
  const [, name, comment] = /^from\s+(\S+)\s+\(([^()]*(?:\([^()]*\)[^()]*)*)\)/i.exec(received) ?? [];
  if (name === undefined || comment === undefined) return null;
  const helo = /\bhelo=([^\s()]+)/i.exec(comment)?.[1];
  const seen = comment.replace(/\bhelo=\S*/gi, '').trim();
  const literal =
    [...seen.matchAll(IP_LITERAL)].at(-1)?.[1] ?? (helo ? name.match(/^\[([^\]]+)\]/)?.[1] : seen);
  const ip = literal?.replace(/^ipv6:/i, '') ?? '';
  return isIP(ip) === 0 ? null : { ip, helo: (helo ?? name).slice(0, 255) };
}

const IP_LITERAL = /\[((?:IPv6:)?[0-9a-f:.]+)\]/gi;

/** Only what stands above the Received field of the relay is its own: a client may send the rest. */
function parseAuthResults(above: readonly HeaderField[]): MailOrigin {
  const own = above.findIndex(isReceived);
  for (const { name, latin1 } of above.slice(0, Math.max(own, 0))) {
    if (name !== 'authentication-results') continue;
    const spf = /;\s*spf\s*=\s*(\w+)/i.exec(stripComments(latin1.replace(/"[^"]*"/g, '')))?.[1];
    if (spf && SPF_RESULTS.has(spf.toLowerCase())) return { spf: spf.toLowerCase() };
  }
  return {};
}

const SPF_RESULTS = new Set(['pass', 'fail', 'softfail', 'neutral', 'none', 'permerror']);
