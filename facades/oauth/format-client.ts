import { isLoopback } from '../../src/http/own-host.ts';
import { limits } from '../../src/limits.ts';
import { toSingleLine } from '../../src/single-line.ts';

// What clients say of themselves, as people are shown it.

/** Whether a redirect stays on the person's machine: a port there, or a scheme of a program. Pure. */
export function isOnMachine(uri: string): boolean {
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' ? false : protocol !== 'http:' || isLoopback(hostname);
}

/** A name in one line, without what hides or reorders letters. Pure. */
export const sanitizeClientName = (name: string): string =>
  toSingleLine(name.replaceAll(/[\p{Cf}\p{Co}\p{Cs}]/gu, ''))
    .slice(0, limits.oauth.clientName)
    .trim() || 'Unnamed';

/** Where a redirect leads, as people read it: a host, or for a program on the machine its scheme. Pure. */
export function formatRedirect(uri: string): string {
  const { protocol, host } = new URL(uri);
  return protocol === 'https:' || protocol === 'http:' ? host : `${protocol}//${host}`;
}
