import { domainToASCII } from 'node:url';
import { toSingleLine } from '../../src/single-line.ts';

interface EmailRecipients {
  to: string[];
  cc: string[];
  bcc: string[];
}

/**
 * Assigns the envelope recipients to the header fields that name them. A recipient that only the envelope names
 * receives a blind copy. If the header names no envelope recipient, each gets a separate message, because a list or a
 * client hides them from each other.
 * @returns one entry per message
 */
export function sortRecipients(
  envelope: readonly string[],
  header: { to: NamedAddress[]; cc: NamedAddress[] },
): EmailRecipients[] {
  const remainingAddresses = new Map(envelope.map((address) => [buildAddressKey(address), address]));
  const addRecipients = (list: NamedAddress[]) =>
    list.flatMap((box) =>
      remainingAddresses.delete(buildAddressKey(box.address)) ? formatAddress(box) : [],
    );
  const to = addRecipients(header.to);
  const cc = addRecipients(header.cc);
  const bcc = [...remainingAddresses.values()];
  if (to.length > 0) return [{ to, cc, bcc }];
  if (cc.length > 0) return [{ to: cc, cc: [], bcc }];
  return bcc.map((address) => ({ to: [address], cc: [], bcc: [] }));
}

interface NamedAddress {
  name: string;
  address: string;
}

export function formatAddress({ name, address }: NamedAddress): string {
  const displayName = toSingleLine(name).trim();
  return displayName ? `"${displayName.replace(/["\\]/g, '\\$&')}" <${address}>` : address;
}

/** Normalizes an address, because clients differ in how they write case and non-ASCII domains. */
function buildAddressKey(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase();
}
