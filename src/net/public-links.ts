/**
 * Why readers of mail could not follow links to this installation; null if they can, and where no mail leaves. Pure.
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

/** Names of RFC 6761 6.3, and the addresses of this machine as URLs write them. */
const LOOPBACK_HOST =
  /^(?:(?:.+\.)?localhost\.?|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[::1?\]|\[::ffff:7f[0-9a-f:]+\])$/;
