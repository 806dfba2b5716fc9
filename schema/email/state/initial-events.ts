import { type Sql, sql } from '../../../src/db/sql.ts';
import { buildWebhookCalls, createCallIdPrefix } from './webhook-calls.ts';

const SUPPRESSION_DATA = sql`case when e.state = 'suppressed' then jsonb_build_object('error', e.reason) end`;

interface InsertedEmails {
  workspace: number;
  /** May include emails that were not inserted. */
  emails: number[];
}

/** Builds a statement that queues webhook calls for emails inserted in the same transaction. */
export function buildInitialCalls({ workspace: id, emails }: InsertedEmails): Sql {
  const workspace = sql.param(id);
  // Mail from mailboxes triggers no calls until it is sent.
  const events = sql`(
    select e.id as number, e.id as email_id, e.domain_id, e.mailbox_id,
      case when e.state = 'suppressed' then 'SUPPRESSED' else 'QUEUED' end as status, ${SUPPRESSION_DATA} as data
    from svc_email e where e.workspace_id = ${workspace} and e.id = any(${emails}::int8[]))`;
  return buildWebhookCalls(workspace, createCallIdPrefix(), events);
}

/** Records the events of suppressed emails inserted in the same transaction. Each event gets the id of its email. */
export const buildSuppressedEvents = ({ workspace, emails }: InsertedEmails): Sql => sql`
  insert into svc_email_event (workspace_id, id, email_id, status, data)
  select e.workspace_id, e.id, e.id, 'SUPPRESSED', ${SUPPRESSION_DATA} from svc_email e
  where e.workspace_id = ${workspace} and e.id = any(${emails}::int8[]) and e.state = 'suppressed'`;
