import { type Sql, sql } from '../../../src/db/sql.ts';

/** Whether a webhook `w` wants an event of this kind and domain. */
export const wanted = (kind: Sql, domain: Sql): Sql =>
  sql`w.status = 'ACTIVE' and (cardinality(w.event_types) = 0 or ${kind} = any(w.event_types))
   and (cardinality(w.domain_ids) = 0 or ${domain} is null or ${domain} = any(w.domain_ids))`;

/**
 * A statement that makes calls of the webhooks for what happened to emails, in the transaction in which it happened.
 * @param rows a relation with the columns `workspace_id`, `email_id`, `domain_id`, `status` and `data`
 * @param order an `order by`, in which it is `r`
 */
export const webhookCalls = (rows: Sql, order: Sql = sql.empty): Sql => sql`
  insert into svc_webhook_call (workspace_id, webhook_id, public_id, type, email_id, email_status, data)
  select r.workspace_id, w.id, gen_random_uuid(), 'email.' || lower(r.status), r.email_id, r.status, r.data
  from ${rows} r join svc_webhook w on w.workspace_id = r.workspace_id
    and ${wanted(sql`'email.' || lower(r.status)`, sql`r.domain_id`)} ${order}`;
