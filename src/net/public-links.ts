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
  if (mailTransport === 'local' || !LOOPBACK_HOST.test(new URL(publicUrl).hostname)) return null;
  return `Links in mail lead to ${publicUrl}, which only this machine reaches.`;
}

/** Names from RFC 6761 6.3, and loopback addresses as written in URLs. */
const LOOPBACK_HOST =
  /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f:]+\])$/;
