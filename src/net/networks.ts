import { BlockList, isIP } from 'node:net';

/** Converts an IPv4-mapped IPv6 address, as reported by a dual-stack socket, to IPv4. */
export const toPlainAddress = (address: string): string =>
  /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;

export function createNetworkMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    list.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
  }
  return (address) => {
    const family = isIP(address);
    return family > 0 && list.check(address, family === 6 ? 'ipv6' : 'ipv4');
  };
}
