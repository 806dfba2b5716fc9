import type { Config } from '../../../src/config.ts';
import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';
import { runInBatches } from '../../../src/engine/work/run-in-batches.ts';
import { editEmails } from '../state/move-emails.ts';
import { scheduleMailDue } from '../state/queues.ts';
import { IS_QUEUED, isInBatch } from '../state/state-sql.ts';

/** Lifetime of a worker's cached keys and their status. */
export const MAX_KEY_AGE_MS = 60_000;

interface SigningState {
  isSigned: boolean;
  /** Published DMARC policy; null or undefined if unknown. */
  dmarcPolicy?: string | null;
}

/**
 * Returns the reason to hold mail that receivers would reject, or null. Ignores SPF, because forwarded mail passes
 * DMARC only through DKIM.
 */
export const findSigningHold = (
  { mailTransport, holdsUnsigned }: Pick<Config, 'mailTransport' | 'holdsUnsigned'>,
  name: string,
  { isSigned, dmarcPolicy }: SigningState,
): string | null =>
  mailTransport === 'smtp' && holdsUnsigned && !isSigned && dmarcPolicy === 'reject'
    ? `Mail from ${name} is held, because it is not signed and the domain's DMARC policy rejects unsigned ` +
      'mail. Publish its DKIM record.'
    : null;

/** Makes the domain's held mail due as soon as no worker uses an outdated cached key. */
export async function releaseHeldMail(
  db: Db,
  workspaceId: number,
  domainId: number,
  reason: string,
): Promise<void> {
  const releasedCount = await runInBatches(
    db,
    sql`with changed as (${editEmails({
      set: sql`run_at = now() + make_interval(secs => ${MAX_KEY_AGE_MS / 1000}), reason = null`,
      condition: isInBatch(
        workspaceId,
        sql`${IS_QUEUED} and m.domain_id = ${domainId} and m.reason = ${reason} and m.run_at < 'infinity'`,
      ),
      returning: sql`1`,
    })}) select count(*)::int as n from changed`,
  );
  if (releasedCount > 0) scheduleMailDue(db, workspaceId, { wait: MAX_KEY_AGE_MS });
}
