import type { Db } from '../../../src/db/db.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { type DueTime, scheduleDue } from '../../../src/engine/work/due.ts';

export const WEBHOOK_QUEUE = 'webhook';

export function scheduleCallsDue(db: Db, workspaceId: number, calls: number, dueTime: DueTime = {}): void {
  if (calls > 0) scheduleDue(db, workspaceId, WEBHOOK_QUEUE, dueTime);
}

export const matchesWebhook = (kind: Sql, domain: Sql): Sql =>
  sql`${matchesDomain(domain)} and (cardinality(w.event_types) = 0 or ${kind} = any(w.event_types))`;

/** Matches webhooks for a mailbox event. They must list the event type explicitly, because mailboxes are private. */
export const matchesMailboxWebhook = (kind: Sql, domain: Sql): Sql =>
  sql`${matchesDomain(domain)} and ${kind} = any(w.event_types)`;

const matchesDomain = (domain: Sql): Sql => sql`w.status = 'ACTIVE'
   and (cardinality(w.domain_ids) = 0 or ${domain} is null or ${domain} = any(w.domain_ids))`;

const OF_MAILBOXES = sql`('SENT', 'DELIVERED', 'BOUNCED')`;

/**
 * Builds a statement that queues webhook calls in the transaction of their events. Applies the owner's settings to mail
 * sent from a mailbox. The caller must then mark the workspace as due (`scheduleCallsDue`).
 * @param rows relation with the columns `email_id`, `domain_id`, `mailbox_id`, `status` and `data`
 * @param order `order by` clause that refers to the relation as `r`
 */
export const buildWebhookCalls = (workspace: unknown, rows: Sql, order: Sql = sql.empty): Sql => sql`
  insert into svc_webhook_call (workspace_id, webhook_id, public_id, type, email_id, email_status, data)
  select ${workspace}::int, w.id, gen_random_uuid(),
    case when r.mailbox_id is null then 'email.' else 'mail.' end || lower(r.status), r.email_id, r.status, r.data
  from ${rows} r
  left join svc_mail_account b on b.workspace_id = ${workspace} and b.id = r.mailbox_id
  join svc_webhook w on w.workspace_id = ${workspace} and case when r.mailbox_id is null
    then ${matchesWebhook(sql`'email.' || lower(r.status)`, sql`r.domain_id`)}
    else b.event_detail <> 'none' and r.status in ${OF_MAILBOXES}
      and ${matchesMailboxWebhook(sql`'mail.' || lower(r.status)`, sql`r.domain_id`)} end
  ${order} returning webhook_id`;

export const CALL_COUNT = sql`(select count(*)::int from called) as calls`;
