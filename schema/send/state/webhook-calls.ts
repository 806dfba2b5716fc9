import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { noteDue, type When } from '../../../src/engine/work/due.ts';

/** The kind under which a workspace is due that has calls to make. */
export const WEBHOOK = 'webhook';

/** Notes that a workspace has calls to make; for statements that answer with how many calls they made. */
export function noteCalls(db: Db, workspaceId: number, calls: number, when: When = {}): void {
  if (calls > 0) noteDue(db, workspaceId, WEBHOOK, when);
}

/** Whether a webhook `w` wants an event of this kind and domain. */
export const wanted = (kind: Sql, domain: Sql): Sql =>
  sql`w.status = 'ACTIVE' and (cardinality(w.event_types) = 0 or ${kind} = any(w.event_types))
   and (cardinality(w.domain_ids) = 0 or ${domain} is null or ${domain} = any(w.domain_ids))`;

/**
 * A statement that makes calls of the webhooks for what happened to emails, in the transaction in which it happened.
 * Who runs it notes them afterwards (`noteCalls`).
 * @param rows a relation with the columns `email_id`, `domain_id`, `status` and `data`
 * @param order an `order by`, in which it is `r`
 */
export const webhookCalls = (workspace: unknown, rows: Sql, order: Sql = sql.empty): Sql => sql`
  insert into svc_webhook_call (workspace_id, webhook_id, public_id, type, email_id, email_status, data)
  select ${workspace}::int, w.id, gen_random_uuid(), 'email.' || lower(r.status), r.email_id, r.status, r.data
  from ${rows} r join svc_webhook w on w.workspace_id = ${workspace}
    and ${wanted(sql`'email.' || lower(r.status)`, sql`r.domain_id`)} ${order} returning webhook_id`;

/** How many calls a part `called` of the statement makes. */
export const CALLS = sql`(select count(*)::int from called) as calls`;
