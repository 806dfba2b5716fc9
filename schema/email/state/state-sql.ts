import { type Sql, sql } from '../../../src/db/sql.ts';
import { limits } from '../../../src/limits.ts';

/**
 * Matches queued emails `m`. The two branches match the indexes of the workers' queues; a single condition would scan
 * all mail.
 */
export const IS_QUEUED = sql`(m.state = 'queued' and m.campaign_id is null
  or m.state = 'queued' and m.campaign_id is not null)`;

/** Matches emails `m` whose processing has ended. */
export const HAS_ENDED = sql`m.state in ('sent', 'failed', 'cancelled', 'suppressed')`;

/**
 * Matches emails `m` that the provider has reported on, which proves that it accepted them. Atrium also sets
 * DELIVERY_DELAYED, but without a provider id.
 */
export const PROVIDER_REPORTED = sql`(m.latest_status in ('DELIVERED', 'OPENED', 'CLICKED', 'BOUNCED', 'COMPLAINED')
  or m.latest_status = 'DELIVERY_DELAYED' and m.provider_id is not null)`;

/**
 * Builds the due time of a requeued email `m`: `time`, or never while its campaign is paused. The lock waits for a
 * concurrent pause or resume, which cannot see the email yet; it does not conflict with counter updates.
 */
export const buildRequeueTime = (
  workspace: unknown,
  time: Sql,
): Sql => sql`case when m.campaign_id is not null
  and (select c.status from svc_campaign c where c.workspace_id = ${workspace} and c.id = m.campaign_id for key share)
    = 'PAUSED'
  then 'infinity' else ${time} end`;

/**
 * Matches emails `m` that a query selects and locks. The array makes the query run once. In `from`, it would run for
 * every email if PostgreSQL had no statistics for the workspace.
 * @param ids query of ids that ends in a locking clause
 */
export const isLocked = (workspace: unknown, ids: Sql): Sql =>
  sql`m.workspace_id = ${workspace} and m.id = any(array(${ids}))`;

/**
 * Matches one batch of emails `m`. The lock rechecks the condition for emails changed concurrently.
 * @param condition condition on `m`
 */
export const isInBatch = (workspace: unknown, condition: Sql): Sql =>
  isLocked(
    workspace,
    sql`select m.id from svc_email m where m.workspace_id = ${workspace} and ${condition}
      limit ${sql.literal(limits.sql.batchRows)} for no key update`,
  );

/** Matches the email `m` with the id in the current row of `alias`. */
export const isSameEmail = (workspace: unknown, alias: string): Sql =>
  sql`m.workspace_id = ${workspace} and m.id = ${sql.id(alias, 'id')}`;
