import type { SMTPServerSession } from 'smtp-server';
import type { DeliveringClient } from './mail-sink.ts';

/** Who is at the other end of a session. */
export interface Peer {
  address: string;
  /** It may say by XCLIENT and XFORWARD for whom it speaks. */
  isRelay: boolean;
  /** Who brings the message of the current transaction, for whom it was passed on. */
  client: DeliveringClient;
  /** What the Received field of this server says. */
  trace: { helo: string; address: string };
}

/** A new session. The library overwrites the address in it with what the peer says by XCLIENT and XFORWARD. */
export function openPeer(session: SMTPServerSession, address: string, isRelay: boolean): Peer {
  session.disabledCommands = isRelay ? UNUSED : [...UNUSED, 'XCLIENT', 'XFORWARD'];
  return { address, isRelay, client: { isTrusted: isRelay }, trace: { helo: '', address } };
}

/** AUTH, and jokes of the library. */
const UNUSED = ['AUTH', 'WIZ', 'SHELL', 'KILL'];

/**
 * At MAIL FROM. What the peer has said by XFORWARD holds for this transaction alone. By XCLIENT it is a proxy: whom it
 * names speaks for the rest of the session, and may itself be a relay.
 */
export function beginTransaction(
  peer: Peer,
  { xClient, xForward, hostNameAppearsAs }: SMTPServerSession,
  isRelay: (address: string) => boolean,
): void {
  const helo = (hostNameAppearsAs || '').slice(0, 255);
  const isProxy = xClient.has('ADDR');
  const address = isProxy ? toText(xClient.get('ADDR')) : peer.address;
  if (toText(xClient.get('LOGIN'))) peer.client = { isTrusted: true };
  else if (isRelay(address)) peer.client = { relay: address, isTrusted: true, ...parseForward(xForward) };
  else peer.client = { ...(address && { ip: address }), helo, isTrusted: false };
  // The name in the session is that of the client from the first XFORWARD on.
  if (isProxy) peer.trace = { helo, address };
  else if (xForward.size === 0 && peer.trace.helo === '') peer.trace = { helo, address };
  else peer.trace.helo ||= `[${address}]`;
  xForward.clear();
}

function parseForward(xForward: SMTPServerSession['xForward']): Pick<DeliveringClient, 'ip' | 'helo'> {
  const ip = toText(xForward.get('ADDR'));
  const helo = toText(xForward.get('HELO')).slice(0, 255);
  return ip ? { ip, ...(helo && { helo }) } : {};
}

const toText = (value: string | number | false | undefined): string =>
  typeof value === 'string' ? value : '';
