import { type Sql, sql } from '../../../src/db/sql.ts';
import { buildWebhookCalls, createCallIdPrefix } from './webhook-calls.ts';

const SUPPRESSION_DATA = sql`case when e.state = 'suppressed' then jsonb_build_object('error', e.reason) end`;

interface InsertedEmails {
  workspace: number;
  /** May include emails that were not inserted. */
  emails: number[];
}

/** Builds a statement that queues webhook calls for emails inserted in the same transaction. */
export const buildInitialCalls = (inserted: InsertedEmails): Sql =>
  QUEUE_CALLS({ ...inserted, prefix: createCallIdPrefix() });

const QUEUE_CALLS = sql.prepare<InsertedEmails & { prefix: string }>((p) =>
  buildWebhookCalls(
    p.workspace,
    p.prefix,
    // Mail from mailboxes triggers no calls until it is sent.
    sql`(
      select e.id as number, e.id as email_id, e.domain_id, e.mailbox_id,
        case when e.state = 'suppressed' then 'SUPPRESSED' else 'QUEUED' end as status, ${SUPPRESSION_DATA} as data
      from svc_email e where e.workspace_id = ${p.workspace} and e.id = any(${p.emails}::int8[]))`,
  ),
);

/** Records the events of suppressed emails inserted in the same transaction. Each event gets the id of its email. */
export const buildSuppressedEvents = sql.prepare<InsertedEmails>(
  (p) => sql`
  insert into svc_email_event (workspace_id, id, email_id, status, data)
  select e.workspace_id, e.id, e.id, 'SUPPRESSED', ${SUPPRESSION_DATA} from svc_email e
  where e.workspace_id = ${p.workspace} and e.id = any(${p.emails}::int8[]) and e.state = 'suppressed'`,
);
