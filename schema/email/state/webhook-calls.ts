import { randomUUID } from 'node:crypto';
import type { Db } from '../../../src/db/db.ts';
import { CALL_IDS_PER_NUMBER } from '../../../src/db/id-allocator.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';

export const WEBHOOK_QUEUE = 'webhook';

export function scheduleCallsDue(db: Db, workspaceId: number, calls: number): void {
  if (calls > 0) scheduleDueWork(db, workspaceId, WEBHOOK_QUEUE);
}

export const matchesWebhook = (kind: Sql, domain: Sql): Sql =>
  sql`${matchesDomain(domain)} and (cardinality(w.event_types) = 0 or ${kind} = any(w.event_types))`;

/** Matches webhooks for a mailbox event. They must list the event type explicitly, because mailboxes are private. */
export const matchesMailboxWebhook = (kind: Sql, domain: Sql): Sql =>
  sql`${matchesDomain(domain)} and ${kind} = any(w.event_types)`;

const matchesDomain = (domain: Sql): Sql => sql`w.status = 'ACTIVE'
   and (cardinality(w.domain_ids) = 0 or ${domain} is null or ${domain} = any(w.domain_ids))`;

const MAILBOX_EVENT_STATUSES = sql`('SENT', 'DELIVERED', 'BOUNCED')`;

/** Returns the random start of the public ids of a statement's calls. `buildCallPublicId` completes it. */
export const createCallIdPrefix = (): string => randomUUID().slice(0, -CALL_DIGITS);

/** Hexadecimal digits that number the calls of a statement. */
const CALL_DIGITS = 6;

/** Citus routes an insert that selects rows only if it calls no volatile function, such as `gen_random_uuid`. */
export const buildCallPublicId = (prefix: unknown): Sql =>
  sql`${prefix} || lpad(to_hex(row_number() over ()), ${sql.literal(CALL_DIGITS)}, '0')`;

/**
 * Builds a statement that queues webhook calls in the transaction of their events, and returns a row for each. Applies
 * the owner's settings to mail sent from a mailbox. The caller must then mark the workspace as due
 * (`scheduleCallsDue`).
 * @param rows relation with the columns `number` (the id of the event or of the new email), `email_id`, `domain_id`,
 *   `mailbox_id`, `status` and `data`
 */
export const buildWebhookCalls = (workspace: unknown, prefix: unknown, rows: Sql): Sql => sql`
  insert into svc_webhook_call (workspace_id, id, webhook_id, public_id, type, email_id, email_status, data)
  select w.workspace_id,
    r.number * ${sql.literal(CALL_IDS_PER_NUMBER)} + row_number() over (partition by r.number order by w.id),
    w.id, ${buildCallPublicId(prefix)},
    case when r.mailbox_id is null then 'email.' else 'mail.' end || lower(r.status), r.email_id, r.status, r.data
  from ${rows} r
  join svc_webhook w on w.workspace_id = ${workspace} and case when r.mailbox_id is null
    then ${matchesWebhook(sql`'email.' || lower(r.status)`, sql`r.domain_id`)}
    else r.status in ${MAILBOX_EVENT_STATUSES}
      and ${matchesMailboxWebhook(sql`'mail.' || lower(r.status)`, sql`r.domain_id`)}
      and (select b.event_detail <> 'none' from svc_mail_account b
        where b.workspace_id = ${workspace} and b.id = r.mailbox_id) end
  returning 1`;
