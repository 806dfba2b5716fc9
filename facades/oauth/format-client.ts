import { isLoopback } from '../../src/http/own-host.ts';
import { toSingleLine } from '../../src/single-line.ts';

export const MAX_SHOWN_CLIENT_NAME_CHARS = 100;

/** True if a redirect stays on the user's machine: a loopback address, or a program's URL scheme. */
export function isLocalRedirect(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' ? false : protocol !== 'http:' || isLoopback(hostname);
}

/** Returns the name on one line, without characters that hide or reorder letters. */
export const sanitizeClientName = (name: string): string =>
  toSingleLine(name.replaceAll(/[\p{Cf}\p{Co}\p{Cs}]/gu, ''))
    .slice(0, MAX_SHOWN_CLIENT_NAME_CHARS)
    .trim() || 'Unnamed';

/** Returns a redirect's target for display: a host, or a program's URL scheme. */
export function formatRedirect(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`;
}
