import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress, NonPublicAddressError } from './public-address.ts';
import { createResolver, resolveOrEmpty } from './resolver.ts';

/** Which addresses a request of ours may go to that somebody else has named, and who is asked for them. */
export interface NetworkPolicy {
  /** Whether private, loopback and link-local addresses are open as well. */
  allowPrivate: boolean;
  /** Null for those of the system. */
  dnsServers: readonly string[] | null;
}

/** A name without an address that can be connected to. */
export class NoAddressError extends Error {}

/**
 * Resolves names for connections. Unless private addresses are allowed, one of them among public ones refuses the name.
 * What is checked here is what is connected to, so an answer that changes afterwards changes nothing. The system's own
 * look-up is not asked: it has few threads for the whole process, and a slow name server could hold them all.
 */
export const createLookup =
  ({ allowPrivate, dnsServers }: NetworkPolicy): LookupFunction =>
  (hostname, options, callback) => {
    const fail = (error: Error) => callback(error, '', 0);
    resolveAddresses(hostname.replace(/\.$/, ''), dnsServers).then((addresses) => {
      if (!allowPrivate && !addresses.every(isPublicAddress))
        return fail(new NonPublicAddressError(hostname));
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    }, fail);
  };

/** At least one. @throws NoAddress */
async function resolveAddresses(name: string, servers: readonly string[] | null): Promise<string[]> {
  const own = await readHostsFile(name);
  if (own.length > 0) return own;
  const resolver = createResolver(servers);
  const asked = await Promise.allSettled([
    resolveOrEmpty(resolver.resolve4(name)),
    resolveOrEmpty(resolver.resolve6(name)),
  ]);
  const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const failed = asked.find((answer) => answer.status === 'rejected');
  if (!failed) throw new NoAddressError(`${name} has no address`);
  throw new NoAddressError(`The address of ${name} could not be found out (${failed.reason.code})`);
}

/** What the machine itself knows of a name, such as `localhost`: it comes before what name servers say. */
async function readHostsFile(name: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const its = names.some((each) => each.toLowerCase() === name.toLowerCase());
    return its && isIP(address) ? [address] : [];
  });
}
