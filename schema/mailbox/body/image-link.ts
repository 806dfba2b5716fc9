import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { computeKeyedHash, isSameHash } from '../../../src/engine/value/keys.ts';
import { MAX_IMAGE_URL_CHARS } from '../../../src/text/sanitize-message.ts';

const computeHash = ({ runtime, workspace, principal }: Ctx, address: string): string =>
  computeKeyedHash(
    runtime.config.secretKey,
    `mail image ${workspace.id} ${principal?.userId ?? 0} ${address}`,
  );

/**
 * Builds a path that lets only this user load a remote image. It is stable, so that browsers can cache the image.
 * Returns null if the URL is too long, or the caller is not a user.
 */
export function buildImagePath(ctx: Ctx, address: string): string | null {
  if (!ctx.principal?.userId || address.length > MAX_IMAGE_URL_CHARS) return null;
  return `/mail/image/${computeHash(ctx, address)}.${Buffer.from(address).toString('base64url')}`;
}

/** Returns null if the path was not signed for this caller. */
export function parseSignedAddress(ctx: Ctx, signedAddress: string): string | null {
  const separator = signedAddress.indexOf('.');
  const address = Buffer.from(signedAddress.slice(separator + 1), 'base64url').toString();
  return separator > 0 && isSameHash(computeHash(ctx, address), signedAddress.slice(0, separator))
    ? address
    : null;
}
