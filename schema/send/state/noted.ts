import { callsOf } from './emit.ts';

/**
 * SQL of two more parts of a `with` that changes emails: what happened to them is noted, and webhooks are called.
 * @param rows a part with the columns `workspace_id`, `email_id`, `domain_id`, `status` and `data`
 */
export const notedOf = (rows: string): string => `called as (${callsOf(rows)}), noted as (
    insert into svc_email_event (workspace_id, email_id, status, data)
    select workspace_id, email_id, status, data from ${rows}
  )`;
