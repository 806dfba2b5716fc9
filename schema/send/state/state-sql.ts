import { type Sql, sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';
import { buildWebhookCalls } from './webhook-calls.ts';

/**
 * Whether an email `m` is queued: in two halves, as the indexes are by which a worker finds its mail. Asked for
 * as one it would be looked for in all mail there ever was.
 */
export const IS_QUEUED = sql`(m.state = 'queued' and m.campaign_id is null
  or m.state = 'queued' and m.campaign_id is not null)`;

/** Whether an email `m` is, as far as known, not going to be sent any more. */
export const HAS_ENDED = sql`m.state in ('sent', 'failed', 'cancelled', 'suppressed')`;

/**
 * Whether the provider has reported of an email `m`, so that it has it, whatever came of the answer. DELIVERY_DELAYED
 * is our own word as well; that of the provider comes with its id.
 */
export const PROVIDER_REPORTED = sql`(m.latest_status in ('DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')
  or m.latest_status = 'DELIVERY_DELAYED' and m.provider_id is not null)`;

/**
 * When an email `m` that goes back into the queue is due: at `time`, or with its campaign when that is paused. The
 * lock waits for a pause or a resume that is being written, which could not see the email; counters do not wait for it.
 */
export const buildRequeueTime = (
  workspace: unknown,
  time: Sql,
): Sql => sql`case when m.campaign_id is not null
  and (select c.status from svc_campaign c where c.workspace_id = ${workspace} and c.id = m.campaign_id for key share)
    = 'PAUSED'
  then 'infinity' else ${time} end`;

/**
 * Whether an email `m` is one of those that a query finds and locks. The query runs once; in a `from` it runs for every
 * email of a workspace that the statistics do not know yet.
 * @param ids a query of ids that ends in a locking clause
 */
export const isLocked = (workspace: unknown, ids: Sql): Sql =>
  sql`m.workspace_id = ${workspace} and m.id = any(array(${ids}))`;

/**
 * Whether an email `m` is in a batch of those that are meant. One that another process changes meanwhile is asked
 * again.
 * @param which condition on `m`
 */
export const isInBatch = (workspace: unknown, which: Sql): Sql =>
  isLocked(
    workspace,
    sql`select m.id from svc_email m where m.workspace_id = ${workspace} and ${which}
      limit ${sql.literal(limits.sql.batchRows)} for no key update`,
  );

/** Whether an email `m` is the one of a row of the relation `alias`, which is about this workspace. */
export const isSameEmail = (workspace: unknown, alias: string): Sql =>
  sql`m.workspace_id = ${workspace} and m.id = ${sql.id(alias, 'id')}`;

/**
 * Two more parts of a `with` that changes emails of a workspace: what happened to them is recorded, and webhooks are
 * called.
 * @param rows a part with the columns `email_id`, `domain_id`, `mailbox_id`, `status` and `data`
 */
export const buildEventParts = (
  workspace: unknown,
  rows: Sql,
): Sql => sql`called as (${buildWebhookCalls(workspace, rows)}),
  recorded as (
    insert into svc_email_event (workspace_id, email_id, status, data)
    select ${workspace}::int, email_id, status, data from ${rows})`;
