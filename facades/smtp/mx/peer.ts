import type { SMTPServerSession } from 'smtp-server';
import type { BringingClient } from './mail-sink.ts';

/** Who is at the other end of a session. */
export interface Peer {
  address: string;
  /** It may say by XCLIENT and XFORWARD for whom it speaks. */
  isRelay: boolean;
  /** Who brings the message of the current transaction, for whom it was passed on. */
  client: BringingClient;
  /** What the Received field of this server says. */
  trace: { helo: string; address: string };
}

/** A new session. The library overwrites the address in it with what the peer says by XCLIENT and XFORWARD. */
export function openPeer(session: SMTPServerSession, address: string, isRelay: boolean): Peer {
  session.disabledCommands = isRelay ? ['AUTH'] : ['AUTH', 'XCLIENT', 'XFORWARD'];
  return { address, isRelay, client: { isTrusted: isRelay }, trace: { helo: '', address } };
}

/** At MAIL FROM. What the peer has said by XFORWARD holds for this transaction alone. */
export function beginTransaction(
  peer: Peer,
  { xClient, xForward, hostNameAppearsAs }: SMTPServerSession,
): void {
  const { address, isRelay } = peer;
  const helo = (hostNameAppearsAs || '').slice(0, 255);
  const ip = textOf(xClient.get('ADDR'));
  if (!isRelay) peer.client = { ip: address, helo, isTrusted: false };
  else if (textOf(xClient.get('LOGIN'))) peer.client = { isTrusted: true };
  else if (ip) peer.client = { ip, helo, isTrusted: true };
  else peer.client = { relay: address, isTrusted: true, ...forwarded(xForward) };
  // The name in the session is that of the client from the first XFORWARD on.
  if (ip) peer.trace = { helo, address: ip };
  else if (xForward.size === 0 && peer.trace.helo === '') peer.trace = { helo, address };
  else peer.trace.helo ||= `[${address}]`;
  xForward.clear();
}

function forwarded(xForward: SMTPServerSession['xForward']): Pick<BringingClient, 'ip' | 'helo'> {
  const ip = textOf(xForward.get('ADDR'));
  const helo = textOf(xForward.get('HELO')).slice(0, 255);
  return ip ? { ip, ...(helo && { helo }) } : {};
}

const textOf = (value: string | number | false | undefined): string =>
  typeof value === 'string' ? value : '';
