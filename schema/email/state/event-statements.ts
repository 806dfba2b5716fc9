import { type Sql, sql } from '../../../src/db/sql.ts';
import type { EmailStatus } from './email-status.ts';
import { buildWebhookCalls, createCallIdPrefix } from './webhook-calls.ts';

/** A new event, with columns of its email. */
export interface EventRow {
  /** Number from the workspace's counter, allocated for `svc_email_event`. */
  id: number;
  email_id: number;
  domain_id: number | null;
  mailbox_id: number | null;
  status: EmailStatus;
  data: unknown;
}

/**
 * Builds two statements for one transaction: the first queues webhook calls for the events, and returns a row for each.
 * The second stores the events.
 */
export function buildEventStatements(workspace: number, rows: readonly EventRow[]): [Sql, Sql] {
  const events = JSON.stringify(rows);
  // Reads the emails, because Citus routes an insert to the workspace's node if it reads the workspace from a row.
  return [
    buildWebhookCalls(
      sql.param(workspace),
      createCallIdPrefix(),
      sql`(select r.id as number, r.* from ${readEvents(events)})`,
    ),
    sql`insert into svc_email_event (workspace_id, id, email_id, status, data)
     select e.workspace_id, r.id, e.id, r.status, r.data
     from ${readEvents(events)} join svc_email e on e.workspace_id = ${workspace} and e.id = r.email_id`,
  ];
}

const readEvents = (events: string): Sql => sql`json_to_recordset(${events}::json)
  r(id bigint, email_id bigint, domain_id bigint, mailbox_id int, status text, data jsonb)`;
