import { isIP, type Socket } from 'node:net';
import { toPlainAddress } from '../net/networks.ts';

/**
 * Returns true if a Host header names this server: the public host, a subdomain of it, a loopback name or an IP
 * address. A page that rebinds its host name to this server's address (DNS rebinding) cannot send any of these.
 */
export function isOwnHost(publicUrl: string, host: string | null): boolean {
  const name = parseHostname(`http://${host}`);
  if (host === null || name === null) return false;
  return isPublicName(publicUrl, name) || isLoopback(name) || isIP(stripBrackets(name)) !== 0;
}

/**
 * Returns true if a workspace is served under the host: the public host and its subdomain, with the public port, or the
 * address and port of the connection.
 * @param slug slug of the workspace
 * @param socket connection of the request
 */
export function isKnownHost(publicUrl: string, host: string, slug: string, socket: LocalSocket): boolean {
  const { host: ownHost } = new URL(publicUrl);
  const { host: requestHost, hostname, port } = new URL(`${new URL(publicUrl).protocol}//${host}`);
  if (requestHost === ownHost || requestHost === `${slug}.${ownHost}`) return true;
  if (Number(port || 80) !== socket.localPort) return false;
  return (
    LOOPBACK_HOSTS.has(hostname) ||
    hostname === `${slug}.localhost` ||
    stripBrackets(hostname) === toPlainAddress(socket.localAddress ?? '')
  );
}

const LOOPBACK_HOSTS: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);

type LocalSocket = Pick<Socket, 'localAddress' | 'localPort'>;

/**
 * Returns the origin of one of the server's hosts. Subdomains of the public host use its scheme. Other hosts have no
 * certificate and use HTTP.
 */
export function getHostOrigin(publicUrl: string, host: string): string {
  const { hostname } = new URL(`http://${host}`);
  const scheme = isPublicName(publicUrl, hostname) ? new URL(publicUrl).protocol : 'http:';
  return new URL(`${scheme}//${host}`).origin;
}

function isPublicName(publicUrl: string, name: string): boolean {
  const ownHost = new URL(publicUrl).hostname;
  return name === ownHost || name.endsWith(`.${ownHost}`);
}

export const parseHostname = (url: string): string | null =>
  URL.canParse(url) ? new URL(url).hostname : null;

const stripBrackets = (name: string): string => name.replace(/^\[|\]$/g, '');

export const isLoopback = (name: string): boolean =>
  name === 'localhost' ||
  name.endsWith('.localhost') ||
  name === '[::1]' ||
  /^127\.\d+\.\d+\.\d+$/.test(name);
