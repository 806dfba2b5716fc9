import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';

/** The domain a campaign is sent from, in SQL on the row `c` of svc_campaign. */
const DOMAIN = sql`lower(rtrim(split_part(c."from", '@', -1), '> '))`;

/** Whether a campaign `c` is of the domain that the caller is bound to; any is for a caller that is not. */
export function isOfDomain(ctx: Ctx): Sql {
  const id = getBoundDomain(ctx);
  return id === null
    ? sql`true`
    : sql`exists (select 1 from svc_domain d
        where d.workspace_id = ${ctx.workspace.id} and d.id = ${id} and d.name = ${DOMAIN})`;
}

/** To a key of a domain the campaigns of others do not exist. @throws NOT_FOUND */
export async function rejectOtherDomain(ctx: Ctx, publicId: string): Promise<void> {
  if (getBoundDomain(ctx) === null) return;
  const rows = await ctx.db.rows(
    sql`select 1 from svc_campaign c
     where c.workspace_id = ${ctx.workspace.id} and c.public_id = ${publicId} and ${isOfDomain(ctx)}`,
  );
  if (rows.length === 0) throw errors.notFound('Campaign');
}
