import { BlockList, isIP } from 'node:net';

/** Networks that are not part of the public internet (IANA special-purpose registries). */
const NON_PUBLIC_NETWORKS = new BlockList();
for (const [net, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const)
  NON_PUBLIC_NETWORKS.addSubnet(net, bits, 'ipv4');
// Only 2000::/3 is allocated for public IPv6 addresses. It contains these ranges for tunnels to arbitrary destinations
// and for documentation.
for (const [net, bits] of [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
] as const)
  NON_PUBLIC_NETWORKS.addSubnet(net, bits, 'ipv6');

const GLOBAL_IPV6 = new BlockList();
GLOBAL_IPV6.addSubnet('2000::', 3, 'ipv6');

export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !NON_PUBLIC_NETWORKS.check(address, 'ipv4');
  return version === 6 && GLOBAL_IPV6.check(address, 'ipv6') && !NON_PUBLIC_NETWORKS.check(address, 'ipv6');
}

/** Checks the host of a URL. Names are checked again when they are resolved. */
export function isPublicHost(hostname: string): boolean {
  const bareName = hostname.replace(/^\[|\]$/g, '');
  return isIP(bareName) ? isPublicAddress(bareName) : !/(?:^|\.)localhost\.?$/i.test(bareName);
}

export class NonPublicAddressError extends Error {
  constructor(host: string) {
    super(`${host} resolves to an address that is not public`);
  }
}
