import { isIP, type Socket } from 'node:net';
import { toPlainAddress } from '../net/networks.ts';

// Which host names are ours, and the origin that programs know a workspace by.

/**
 * Whether a Host header names us: the public host, one below it, a loopback name or an address. A page that
 * rebinds its own name to our address (DNS rebinding) cannot send any of these. Pure.
 */
export function isOwnHost(publicUrl: string, host: string | null): boolean {
  const name = parseHostname(`http://${host}`);
  if (host === null || name === null) return false;
  return isPublicName(publicUrl, name) || isLoopback(name) || isIP(stripBrackets(name)) !== 0;
}

/**
 * Whether a host of ours is one of the few at which a workspace is known: the public address and its own below that,
 * with the public port, or the address and port at which the connection arrived. Pure.
 * @param slug of the workspace
 * @param socket where the connection arrived
 */
export function isKnownHost(publicUrl: string, host: string, slug: string, socket: LocalSocket): boolean {
  const { host: own } = new URL(publicUrl);
  const { host: given, hostname, port } = new URL(`${new URL(publicUrl).protocol}//${host}`);
  if (given === own || given === `${slug}.${own}`) return true;
  if (Number(port || 80) !== socket.localPort) return false;
  return (
    LOOPBACK_HOSTS.has(hostname) ||
    hostname === `${slug}.localhost` ||
    stripBrackets(hostname) === toPlainAddress(socket.localAddress ?? '')
  );
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

/** This end of a connection. */
type LocalSocket = Pick<Socket, 'localAddress' | 'localPort'>;

/** The origin of a host of ours: below the public address with its scheme; others have no certificate. Pure. */
export function getHostOrigin(publicUrl: string, host: string): string {
  const { hostname } = new URL(`http://${host}`);
  const scheme = isPublicName(publicUrl, hostname) ? new URL(publicUrl).protocol : 'http:';
  return new URL(`${scheme}//${host}`).origin;
}

function isPublicName(publicUrl: string, name: string): boolean {
  const own = new URL(publicUrl).hostname;
  return name === own || name.endsWith(`.${own}`);
}

export const parseHostname = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).hostname : null;

const stripBrackets = (name: string): string => name.replace(/^\[|\]$/g, '');

/** Whether a host name leads to the machine that asks. Pure. */
export const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(name);
