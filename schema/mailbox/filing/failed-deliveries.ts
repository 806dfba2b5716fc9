import { toIsoSql } from '../../../src/db/iso-sql.ts';
import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { scheduleDueWork } from '../../../src/engine/work/due.ts';
import { INTAKE_KIND } from '../intake/accept.ts';

const MAX_LISTED_FAILURES = 500;

export const loadFailedDeliveries = (ctx: Ctx) =>
  ctx.db.rows<object>(
    sql`select d.id, a.address, ${toIsoSql(sql`i.received_at`)} as received_at, i.size, d.attempts, d.error
     from svc_mail_delivery d
     join svc_mail_intake i on i.workspace_id = ${ctx.workspace.id} and i.id = d.intake_id
     left join svc_mail_account a on a.workspace_id = ${ctx.workspace.id} and a.id = d.account_id
     where d.workspace_id = ${ctx.workspace.id} and d.state = 'failed' order by d.id
     limit ${sql.literal(MAX_LISTED_FAILURES)}`,
  );

/**
 * @param id id of one message; null for all failed messages
 * @returns the number of messages
 */
export async function retryFailedDeliveries(ctx: Ctx, id: number | null): Promise<number> {
  const rows = await ctx.db.rows(
    sql`update svc_mail_delivery set state = 'queued', attempts = 0, suspected = 0, error = null,
       next_at = ${new Date().toISOString()}::timestamp
     where workspace_id = ${ctx.workspace.id} and state = 'failed' and (${id}::int8 is null or id = ${id}::int8)
     returning id`,
  );
  if (rows.length > 0) scheduleDueWork(ctx.db, ctx.workspace.id, INTAKE_KIND);
  return rows.length;
}
