import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { computeKeyedHash, isSameHash } from '../../../src/engine/value/keys.ts';

// Customers reply to an address that identifies the ticket. Mail programs keep the address even if they drop other
// headers, and so do providers that replace the Message-ID.

/** In hexadecimal characters, for a total of 80 bits. */
const SIGNATURE_LENGTH = 20;

const computeSignature = ({ runtime, workspace }: Ctx, id: number): string =>
  computeKeyedHash(runtime.config.secretKey, `ticket ${workspace.id} ${id}`).slice(0, SIGNATURE_LENGTH);

/** Limit of RFC 5321, section 4.5.3.1.1. */
const MAX_LOCAL_PART_LENGTH = 64;

/** Builds the mailbox address for replies about a ticket. Null if the local part would be too long. */
export function buildReplyAddress(ctx: Ctx, mailbox: string, id: number): string | null {
  const at = mailbox.lastIndexOf('@');
  const local = `${mailbox.slice(0, at)}+t${id}.${computeSignature(ctx, id)}`;
  return local.length > MAX_LOCAL_PART_LENGTH ? null : `${local}${mailbox.slice(at)}`;
}

/** Returns the ticket identified by one of the addresses. Null if none has a valid signature. */
export function parseReplyAddress(ctx: Ctx, addresses: readonly string[]): number | null {
  for (const address of addresses) {
    const [, digits, signature] = /\+t(\d{1,9})\.([0-9a-f]{20})@/i.exec(address) ?? [];
    if (digits && isSameHash(computeSignature(ctx, Number(digits)), signature!.toLowerCase()))
      return Number(digits);
  }
  return null;
}
