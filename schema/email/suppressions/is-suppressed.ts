import { NOW } from '../../../src/db/now.ts';
import { type Sql, sql } from '../../../src/db/sql.ts';

/** Matches entries `s` of the suppression list that have not expired. */
export const isInForce = (time: Sql = NOW): Sql => sql`(s.expires_at is null or s.expires_at > ${time})`;

/** @param address SQL condition on `s.email`, such as `= lower(c.email)` */
export const isSuppressed = (workspace: unknown, address: Sql): Sql => sql`exists (
  select 1 from svc_suppression s where s.workspace_id = ${workspace} and s.email ${address} and ${isInForce()})`;

export const buildSuppressedSql = (workspace: unknown, addresses: unknown): Sql => sql`
  select s.email from svc_suppression s
  where s.workspace_id = ${workspace} and s.email = any(${addresses}::text[]) and ${isInForce()}`;
