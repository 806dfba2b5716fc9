import { NOW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';

/** Whether an entry `s` of the suppression list has not expired at a time. */
export const isInForce = (time: Sql = NOW): Sql => sql`(s.expires_at is null or s.expires_at > ${time})`;

/**
 * Whether an address is suppressed.
 * @param address SQL of a condition on `s.email`, such as `= lower(c.email)`
 */
export const isSuppressed = (workspace: unknown, address: Sql): Sql => sql`exists (
  select 1 from svc_suppression s where s.workspace_id = ${workspace} and s.email ${address} and ${isInForce()})`;

/** A query of the suppressed ones among addresses. */
export const suppressedAmong = (workspace: unknown, addresses: unknown): Sql => sql`
  select s.email from svc_suppression s
  where s.workspace_id = ${workspace} and s.email = any(${addresses}::text[]) and ${isInForce()}`;
