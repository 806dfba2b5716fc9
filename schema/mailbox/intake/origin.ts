import { isIP } from 'node:net';
import { memoizePerObject } from '../../../src/cache.ts';
import type { Config } from '../../../src/config.ts';
import { type HeaderField, parseHeaderFields } from '../../../src/message/parse/header-fields.ts';
import { createNetworkMatcher } from '../../../src/net/networks.ts';
import type { SmtpClient } from './smtp-client.ts';

export interface MailOrigin {
  ip?: string;
  helo?: string;
  /** SPF result from a trusted relay that does not identify the client. */
  spf?: string;
}

type RelayConfig = Pick<Config, 'mxTrustedRelays'>;

/**
 * Finds the client that delivered a message to the first trusted relay. A relay identifies the client in XFORWARD or in
 * its Received field, or reports its result in Authentication-Results (RFC 8601). Mail from authenticated users has no
 * origin that SPF could check.
 * @param header message header, including the Received field of this server
 */
export function findMailOrigin(config: RelayConfig, client: SmtpClient | null, header: string): MailOrigin {
  const { ip, helo, relay } = client ?? {};
  if (!relay) return { ...(ip && { ip }), ...(helo && { helo }) };
  const fields = parseHeaderFields(Buffer.from(header.slice(0, MAX_TRACE_BYTES), 'latin1'));
  const headerFields = fields.slice(fields.findIndex(isReceived) + 1);
  const hops = headerFields.filter(isReceived).map(({ latin1 }) => latin1);
  if (hops[0] && isSubmission(hops[0])) return {};
  const isRelay = getRelayMatcher(config);
  if (ip && !isRelay(ip)) return isPrivate(ip) ? {} : { ip, ...(helo && { helo }) };
  for (const hop of hops.slice(0, MAX_RELAYS)) {
    const from = parseReceivedClient(hop);
    if (isSubmission(hop)) return {};
    if (!from) break;
    if (!isRelay(from.ip)) return isPrivate(from.ip) ? {} : from;
  }
  return parseAuthResults(headerFields);
}

const MAX_TRACE_BYTES = 64 * 1024;
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

/** True if the client was authenticated (RFC 3848). */
const isSubmission = (received: string): boolean =>
  /^from \S+ by \S+ with (?:utf8)?(?:e?smtp|lmtp)s?a\b/i.test(stripComments(received));

function stripComments(text: string): string {
  let bareText = text;
  for (let depth = 0; depth < 5; depth++) bareText = bareText.replace(/\([^()]*\)/g, ' ');
  return bareText.replace(/\s+/g, ' ').trim();
}

/**
 * Parses the client from a Received field (RFC 5321 4.4) by Postfix, Sendmail, Exim or Exchange. Trusts only the
 * comment after the HELO name, which the client chose and which may look like an address.
 */
function parseReceivedClient(received: string): { ip: string; helo: string } | null {
  const [, name, comment] = /^from\s+(\S+)\s+\(([^()]*(?:\([^()]*\)[^()]*)*)\)/i.exec(received) ?? [];
  if (name === undefined || comment === undefined) return null;
  const helo = /\bhelo=([^\s()]+)/i.exec(comment)?.[1];
  const clientName = comment.replace(/\bhelo=\S*/gi, '').trim();
  const literal =
    [...clientName.matchAll(IP_LITERAL)].at(-1)?.[1] ??
    (helo ? name.match(/^\[([^\]]+)\]/)?.[1] : clientName);
  const ip = literal?.replace(/^ipv6:/i, '') ?? '';
  return isIP(ip) === 0 ? null : { ip, helo: (helo ?? name).slice(0, 255) };
}

const IP_LITERAL = /\[((?:IPv6:)?[0-9a-f:.]+)\]/gi;

/**
 * Reads the relay's result, which is above the relay's Received field. The client may have forged all fields below it.
 */
function parseAuthResults(fields: readonly HeaderField[]): MailOrigin {
  const ownHopAt = fields.findIndex(isReceived);
  for (const { name, latin1 } of fields.slice(0, Math.max(ownHopAt, 0))) {
    if (name !== 'authentication-results') continue;
    const spf = /;\s*spf\s*=\s*(\w+)/i.exec(stripComments(latin1.replace(/"[^"]*"/g, '')))?.[1];
    if (spf && SPF_RESULTS.has(spf.toLowerCase())) return { spf: spf.toLowerCase() };
  }
  return {};
}

const SPF_RESULTS = new Set(['pass', 'fail', 'softfail', 'neutral', 'none', 'permerror']);
