import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { computeKeyedHash, isSameHash } from '../../../src/engine/value/keys.ts';

// Answers of customers come to an address that names the ticket: mail programs keep it where they drop other headers,
// and providers that write a Message-ID of their own do not touch it.

/** Characters of the signature: 80 bits. */
const SIGNATURE_LENGTH = 20;

const computeSignature = ({ runtime, workspace }: Ctx, id: number): string =>
  computeKeyedHash(runtime.config.secretKey, `ticket ${workspace.id} ${id}`).slice(0, SIGNATURE_LENGTH);

/** Characters before the `@` of an address (RFC 5321, 4.5.3.1.1). */
const MAX_LOCAL_PART_LENGTH = 64;

/** The address of a mailbox to which answers about a ticket go; null for one that is too long for more. */
export function buildReplyAddress(ctx: Ctx, mailbox: string, id: number): string | null {
  const at = mailbox.lastIndexOf('@');
  const local = `${mailbox.slice(0, at)}+t${id}.${computeSignature(ctx, id)}`;
  return local.length > MAX_LOCAL_PART_LENGTH ? null : `${local}${mailbox.slice(at)}`;
}

/** The ticket that one of these addresses names; null where none does, or its signature is wrong. */
export function parseReplyAddress(ctx: Ctx, addresses: readonly string[]): number | null {
  for (const address of addresses) {
    const [, digits, signature] = /\+t(\d{1,9})\.([0-9a-f]{20})@/i.exec(address) ?? [];
    if (digits && isSameHash(computeSignature(ctx, Number(digits)), signature!.toLowerCase()))
      return Number(digits);
  }
  return null;
}
