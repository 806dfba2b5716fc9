import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { buildRecordedMove, moveInBatches } from './move-emails.ts';
import { isInBatch } from './state-sql.ts';

/**
 * @param condition condition on `m`
 * @param reason null if a user requested the cancellation
 * @returns the number of emails
 */
export const cancel = (db: Db, workspaceId: number, condition: Sql, reason: string | null): Promise<number> =>
  moveInBatches(db, workspaceId, buildCancelStatement(sql.param(workspaceId), condition, reason), {
    dataKey: 'error',
  });

function buildCancelStatement(workspace: unknown, condition: Sql, reasonText: string | null): Sql {
  const reason = sql.param(reasonText);
  return buildRecordedMove('cancel', {
    to: 'cancelled',
    set: sql`latest_status = 'CANCELLED', reason = coalesce(${reason}::text, m.reason)`,
    condition: isInBatch(workspace, condition),
    event: { status: 'CANCELLED', data: sql`${reason}::text` },
  });
}
