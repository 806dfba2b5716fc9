import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { moveInBatches, recordMove } from './move-emails.ts';
import { isInBatch } from './state-sql.ts';

/**
 * Cancels queued emails of a workspace.
 * @param which condition on `m`, an email
 * @param why null if a user requested it
 * @returns the number of emails
 */
export const cancel = (db: Db, workspaceId: number, which: Sql, why: string | null): Promise<number> =>
  moveInBatches(db, workspaceId, buildCancelStatement(sql.param(workspaceId), which, why));

function buildCancelStatement(workspace: unknown, which: Sql, why: string | null): Sql {
  const reason = sql.param(why);
  return recordMove('cancel', {
    workspace,
    to: 'cancelled',
    set: sql`latest_status = 'CANCELLED', reason = coalesce(${reason}::text, m.reason)`,
    which: isInBatch(workspace, which),
    event: { status: 'CANCELLED', data: sql`${reason}::text`, as: 'error' },
  });
}
