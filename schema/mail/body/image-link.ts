import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { computeKeyedHash, isSameHash } from '../../../src/engine/value/keys.ts';
import { limits } from '../../../src/limits.ts';

const computeHash = ({ runtime, workspace, principal }: Ctx, address: string): string =>
  computeKeyedHash(
    runtime.config.secretKey,
    `mail image ${workspace.id} ${principal?.userId ?? 0} ${address}`,
  );

/**
 * The path at which the caller, and no other user, sees an image of another server. It is the same each time, so that
 * browsers keep what it leads to. Null where the address is too long, and for callers that are no user.
 */
export function buildImagePath(ctx: Ctx, address: string): string | null {
  if (!ctx.principal?.userId || address.length > limits.mail.imageUrl) return null;
  return `/mail/image/${computeHash(ctx, address)}.${Buffer.from(address).toString('base64url')}`;
}

/** The address that the end of such a path stands for; null for one that the caller was not given. */
export function parseSignedAddress(ctx: Ctx, signed: string): string | null {
  const cut = signed.indexOf('.');
  const address = Buffer.from(signed.slice(cut + 1), 'base64url').toString();
  return cut > 0 && isSameHash(computeHash(ctx, address), signed.slice(0, cut)) ? address : null;
}
