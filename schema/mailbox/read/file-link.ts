import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { signLink } from '../../../src/engine/identity/signed-link.ts';

export const FILE_LINK_KIND = 'mail-file';

const HOUR_MS = 3_600_000;

/** The expiry is rounded, so that a link stays the same for an hour and browsers can cache the file. */
const LINK_LIFETIME_MS = 24 * HOUR_MS;

/**
 * Builds a signed link to one of a message's files. It needs no API key, and is valid for a day while the caller is a
 * member of the mailbox.
 * @param number part number; 0 for the raw message
 */
export function buildFileLink(
  { runtime, workspace, principal }: Ctx,
  entryId: number,
  number: number,
): string {
  const expires = Math.floor(Date.now() / HOUR_MS) * HOUR_MS + LINK_LIFETIME_MS;
  const { config } = runtime;
  const link = signLink(
    config.secretKey,
    FILE_LINK_KIND,
    workspace.id,
    `${entryId}.${number}.${principal?.userId ?? 0}`,
    expires,
  );
  const query = new URLSearchParams({ id: link.id, hash: link.hash, expires: String(link.expires) });
  return `${config.publicUrl}/mail/file?${query}`;
}
