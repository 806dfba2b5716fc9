import type { Db } from '../../../src/db/db.ts';
import { sql } from '../../../src/db/sql.ts';

/** Maximum length of the title, and of the details. */
const MAX_DETAIL_CHARS = 1_000;

interface FinishedWork {
  kind: 'workspace_export' | 'mail_import' | 'mail_change' | 'campaign';
  outcome: 'done' | 'failed';
  title: string;
  details: string | null;
  model: string;
  resId: number;
}

/**
 * Notifies a user that a long-running task has ended, in the task's transaction.
 * @param userId null if no person started the task; the notification is then skipped
 */
export async function notify(
  db: Db,
  workspaceId: number,
  userId: number | null,
  work: FinishedWork,
): Promise<void> {
  if (userId === null) return;
  const [id] = await db.idAllocator.allocate(workspaceId, 'svc_notification', 1);
  const { kind, outcome, title, details, model, resId } = work;
  await db.rows(
    sql`insert into svc_notification (workspace_id, id, user_id, kind, outcome, title, details, model, res_id)
     select u.workspace_id, ${id}::int, u.id, ${kind}, ${outcome}, ${title.slice(0, MAX_DETAIL_CHARS)},
       ${details?.slice(0, MAX_DETAIL_CHARS) ?? null}::text, ${model}, ${resId}::int
     from res_users u where u.workspace_id = ${workspaceId} and u.id = ${userId} and u.active`,
  );
}
