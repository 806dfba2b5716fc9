import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, NonPublicAddressError } from './public-address.ts';
import { createResolver, resolveOrEmpty } from './resolver.ts';

/** Determines which addresses the server may contact for a caller's host, and which DNS servers it queries. */
export interface NetworkPolicy {
  /** Allows private, loopback and link-local addresses. */
  allowPrivate: boolean;
  /** Null for the system's servers. */
  dnsServers: readonly string[] | null;
}

export class NoAddressError extends Error {}

/**
 * Resolves names for connections. Unless private addresses are allowed, rejects a name with any private address. The
 * connection uses the checked address, so a later DNS change has no effect. Does not use the system resolver, because a
 * slow name server could block all of its few threads.
 */
export const createLookup =
  ({ allowPrivate, dnsServers }: NetworkPolicy): LookupFunction =>
  (hostname, options, callback) => {
    const callBackWithError = (error: Error) => callback(error, '', 0);
    resolveAddresses(hostname.replace(/\.$/, ''), dnsServers).then((addresses) => {
      if (!allowPrivate && !addresses.every(isPublicAddress))
        return callBackWithError(new NonPublicAddressError(hostname));
      const entries = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all) return callback(null, entries);
      callback(null, entries[0]!.address, entries[0]!.family);
    }, callBackWithError);
  };

/**
 * Returns at least one address.
 * @throws NoAddressError
 */
async function resolveAddresses(name: string, servers: readonly string[] | null): Promise<string[]> {
  const hostAddresses = await readHostsFile(name);
  if (hostAddresses.length > 0) return hostAddresses;
  const resolver = createResolver(servers);
  const results = await Promise.allSettled([
    resolveOrEmpty(resolver.resolve4(name)),
    resolveOrEmpty(resolver.resolve6(name)),
  ]);
  const resolvedResults = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  if (resolvedResults.length > 0) return resolvedResults;
  const failed = results.find((result) => result.status === 'rejected');
  if (!failed) throw new NoAddressError(`${name} has no IP address`);
  throw new NoAddressError(`The address of ${name} could not be resolved (${failed.reason.code})`);
}

/** Hosts file entries, such as for `localhost`, take precedence over DNS. */
async function readHostsFile(name: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isNamed = names.some((item) => item.toLowerCase() === name.toLowerCase());
    return isNamed && isIP(address) ? [address] : [];
  });
}
