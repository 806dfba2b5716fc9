import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { signLink } from '../../../src/engine/identity/signed-link.ts';

/** The kind of link that leads to a file of a message. */
export const FILE_LINK = 'mail-file';

const HOUR = 3_600_000;

/** Links of one hour of the day are the same, so that browsers keep what they lead to. */
const LIFE = 24 * HOUR;

/**
 * A link to a file of a message, which needs no key and works for a day, as long as the caller is a member of the
 * mailbox.
 * @param number of the part; 0 for the raw message
 */
export function fileLink({ runtime, workspace, principal }: Ctx, entryId: number, number: number): string {
  const expires = Math.floor(Date.now() / HOUR) * HOUR + LIFE;
  const { config } = runtime;
  const link = signLink(
    config.secretKey,
    FILE_LINK,
    workspace.id,
    `${entryId}.${number}.${principal?.userId ?? 0}`,
    expires,
  );
  const query = new URLSearchParams({ id: link.id, hash: link.hash, expires: String(link.expires) });
  return `${config.publicUrl}/mail/file?${query}`;
}
