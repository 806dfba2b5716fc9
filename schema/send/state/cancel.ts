import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { inBatches } from '../../../src/engine/work/batch.ts';
import { recordMove } from './move-emails.ts';
import { batchOf, sameEmail } from './state-sql.ts';

/**
 * Cancels queued emails.
 * @param which condition on `m`, an email
 * @param why null when somebody wanted it
 * @returns how many
 */
export const cancel = (db: Db, which: Sql, why: string | null): Promise<number> =>
  inBatches(db, cancelled(which, why));

function cancelled(which: Sql, why: string | null): Sql {
  const reason = sql.param(why);
  return recordMove('cancel', {
    to: 'cancelled',
    set: sql`latest_status = 'CANCELLED', reason = coalesce(${reason}::text, m.reason)`,
    source: batchOf(which),
    which: sameEmail('batch'),
    event: {
      status: 'CANCELLED',
      data: sql`case when ${reason}::text is not null then jsonb_build_object('error', ${reason}::text) end`,
    },
  });
}
