import { type Sql, sql } from '../../../src/db/sql.ts';
import { buildWebhookCalls } from './webhook-calls.ts';

interface InsertedEmails {
  workspace: number;
  /** May include emails that were not inserted. */
  emails: number[];
}

/** Queues webhook calls for emails inserted in the same transaction. */
export const buildInitialCalls = sql.prepare<InsertedEmails>((p) =>
  buildWebhookCalls(p.workspace, sql`(${selectEvents(p)})`),
);

/** Records the events of suppressed emails inserted in the same transaction. */
export const buildSuppressedEvents = sql.prepare<InsertedEmails>(
  (p) => sql`
  insert into svc_email_event (workspace_id, email_id, status, data)
  select ${p.workspace}::int, r.email_id, r.status, r.data from (${selectEvents(p)}) r where r.status = 'SUPPRESSED'`,
);

/** Mail from mailboxes causes no calls until it is sent. */
const selectEvents = (p: { readonly [K in keyof InsertedEmails]: unknown }): Sql => sql`
  select e.id as email_id, e.domain_id, e.mailbox_id,
    case when e.state = 'suppressed' then 'SUPPRESSED' else 'QUEUED' end as status,
    case when e.state = 'suppressed' then jsonb_build_object('error', e.reason) end as data
  from svc_email e where e.workspace_id = ${p.workspace} and e.id = any(${p.emails}::int8[])`;
