import { domainToASCII } from 'node:url';
import type { ParsedAddress, ParsedAddresses } from 'mailparser';
import { toSingleLine } from '../../src/single-line.ts';

/** Who a message goes to, as the email API takes it. */
export interface EmailRecipients {
  to: string[];
  cc: string[];
  bcc: string[];
}

/**
 * Who gets a message: those of the envelope alone. Where its header names them decides whether they are shown;
 * who is in the envelope alone is a blind copy. When the header names none of them, each gets a message of its own: a
 * list or a client has hidden them from each other. Pure.
 * @returns one entry a message
 */
export function sortRecipients(
  envelope: readonly string[],
  header: { to: NamedAddress[]; cc: NamedAddress[] },
): EmailRecipients[] {
  const open = new Map(envelope.map((address) => [buildAddressKey(address), address]));
  const take = (list: NamedAddress[]) =>
    list.flatMap((box) => (open.delete(buildAddressKey(box.address)) ? formatAddress(box) : []));
  const to = take(header.to);
  const cc = take(header.cc);
  const bcc = [...open.values()];
  if (to.length > 0) return [{ to, cc, bcc }];
  if (cc.length > 0) return [{ to: cc, cc: [], bcc }];
  return bcc.map((address) => ({ to: [address], cc: [], bcc: [] }));
}

export interface NamedAddress {
  name: string;
  address: string;
}

/** All mailboxes of one or several fields of a kind, those of groups included. */
export function getMailboxes(fields: ParsedAddresses | ParsedAddresses[] | undefined): NamedAddress[] {
  return [fields ?? []].flat().flatMap(({ value }) => value.flatMap(flattenAddress));
}

const flattenAddress = ({ name, address, group }: ParsedAddress): NamedAddress[] =>
  group ? group.flatMap(flattenAddress) : address ? [{ name, address }] : [];

/** `"Name" <address>`, or the address alone. */
export function formatAddress({ name, address }: NamedAddress): string {
  const shown = toSingleLine(name).trim();
  return shown ? `"${shown.replace(/["\\]/g, '\\$&')}" <${address}>` : address;
}

/** The same for all ways to write an address: clients differ in case, and in how a name beyond ASCII is written. */
function buildAddressKey(address: string): string {
  const at = address.lastIndexOf('@');
  const domain = address.slice(at + 1);
  return `${address.slice(0, at)}@${domainToASCII(domain) || domain}`.toLowerCase();
}
