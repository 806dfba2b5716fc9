import type { SMTPServerSession } from 'smtp-server';
import type { DeliveringClient } from './mail-sink.ts';

export interface Peer {
  address: string;
  /** True if the peer may pass on client data with XCLIENT and XFORWARD. */
  isRelay: boolean;
  /** Original client of the current transaction. */
  client: DeliveringClient;
  /** Client name and address for this server's Received header. */
  trace: { helo: string; address: string };
}

/**
 * Creates a session's peer. `address` is the connection's address; the library overwrites the session's address with
 * XCLIENT and XFORWARD data.
 */
export function openPeer(session: SMTPServerSession, address: string, isRelay: boolean): Peer {
  session.disabledCommands = isRelay
    ? UNSUPPORTED_COMMANDS
    : [...UNSUPPORTED_COMMANDS, 'XCLIENT', 'XFORWARD'];
  return { address, isRelay, client: { isTrusted: isRelay }, trace: { helo: '', address } };
}

/** AUTH, and commands that the library implements as jokes. */
const UNSUPPORTED_COMMANDS = ['AUTH', 'WIZ', 'SHELL', 'KILL'];

/**
 * Updates the client at MAIL FROM. XFORWARD data applies to this transaction only. XCLIENT means that the peer is a
 * proxy: the named client replaces it for the rest of the session, and may itself be a relay.
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
  // After the first XFORWARD, the session contains the original client's name.
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
