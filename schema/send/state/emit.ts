/** What of events a webhook wants: `kind` and `domain` are SQL. */
export const wanted = (kind: string, domain: string): string =>
  `w.status = 'ACTIVE' and (cardinality(w.event_types) = 0 or ${kind} = any(w.event_types))
   and (cardinality(w.domain_ids) = 0 or ${domain} is null or ${domain} = any(w.domain_ids))`;

/**
 * SQL that makes calls of the webhooks for what happened to emails, in the transaction in which it happened. `rows` has
 * the columns `workspace_id`, `email_id`, `domain_id`, `status` and `data`.
 */
export const callsOf = (rows: string, order = ''): string => `
  insert into svc_webhook_call (workspace_id, webhook_id, public_id, type, email_id, email_status, data)
  select r.workspace_id, w.id, gen_random_uuid(), 'email.' || lower(r.status), r.email_id, r.status, r.data
  from ${rows} r join svc_webhook w on w.workspace_id = r.workspace_id
    and ${wanted(`'email.' || lower(r.status)`, 'r.domain_id')} ${order}`;
