import { isIP } from 'node:net';
import { isPublicHost } from './public-address.ts';

/**
 * Explains why recipients could not open links to this installation. Returns null if they can, or if no mail is sent.
 */
export function describeUnreachableLinks({
  mailTransport,
  publicUrl,
}: {
  mailTransport: string;
  publicUrl: string;
}): string | null {
  const { hostname } = new URL(publicUrl);
  if (mailTransport === 'local' || (isPublicHost(hostname) && !isLocalName(hostname))) return null;
  return `Links in mail lead to ${publicUrl}, which is not a public address.`;
}

/**
 * Names that the public DNS does not contain (RFC 6761, 6762 and 8375, and a reservation of `internal`). A name
 * of another domain may lead to a private address, so that recipients within a network can use it.
 */
const isLocalName = (hostname: string): boolean =>
  isIP(hostname.replace(/^\[|\]$/g, '')) === 0 &&
  /^[^.]+\.?$|\.(?:localhost|local|internal|intranet|lan|home\.arpa|invalid)\.?$/i.test(hostname);
