import { readFile } from 'node:fs/promises';
import { isIP, type LookupFunction } from 'node:net';
import { ClosedAddress, isPublic } from './public-address.ts';
import { createResolver, known } from './resolver.ts';

/** Which addresses a request of ours may go to that somebody else has named, and who is asked for them. */
export interface Reach {
  /** Whether private, loopback and link-local addresses are open as well. */
  allowPrivate: boolean;
  /** Null for those of the system. */
  dnsServers: readonly string[] | null;
}

/** A name without an address that can be connected to. */
export class NoAddress extends Error {}

/**
 * Resolves names for connections. Unless private addresses are allowed, one of them among public ones refuses the name.
 * What is checked here is what is connected to, so an answer that changes afterwards changes nothing. The system's own
 * look-up is not asked: it has few threads for the whole process, and a slow name server could hold them all.
 */
export const lookupFor =
  ({ allowPrivate, dnsServers }: Reach): LookupFunction =>
  (hostname, options, callback) => {
    const refuse = (error: Error) => callback(error, '', 0);
    addressesOf(hostname.replace(/\.$/, ''), dnsServers).then((addresses) => {
      if (!allowPrivate && !addresses.every(isPublic)) return refuse(new ClosedAddress(hostname));
      const found = addresses.map((address) => ({ address, family: isIP(address) }));
      if (options.all) return callback(null, found);
      callback(null, found[0]!.address, found[0]!.family);
    }, refuse);
  };

/** At least one. @throws NoAddress */
async function addressesOf(name: string, servers: readonly string[] | null): Promise<string[]> {
  const own = await ownAddresses(name);
  if (own.length > 0) return own;
  const resolver = createResolver(servers);
  const asked = await Promise.allSettled([known(resolver.resolve4(name)), known(resolver.resolve6(name))]);
  const found = asked.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (found.length > 0) return found;
  const failed = asked.find((answer) => answer.status === 'rejected');
  if (!failed) throw new NoAddress(`${name} has no address`);
  throw new NoAddress(`The address of ${name} could not be found out (${failed.reason.code})`);
}

/** What the machine itself knows of a name, such as `localhost`: it comes before what name servers say. */
async function ownAddresses(name: string): Promise<string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const its = names.some((each) => each.toLowerCase() === name.toLowerCase());
    return its && isIP(address) ? [address] : [];
  });
}
