import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { getBoundDomain } from '../kit/bound-domain.ts';

/** Sender domain of the svc_campaign row `c`. */
const SENDER_DOMAIN_SQL = sql`lower(rtrim(split_part(c."from", '@', -1), '> '))`;

/**
 * Matches campaigns `c` from the domain that the caller's key is bound to. Matches all campaigns if the key is unbound.
 */
export function isFromBoundDomain(ctx: Ctx): Sql {
  const id = getBoundDomain(ctx);
  return id === null
    ? sql`true`
    : sql`exists (select 1 from svc_domain d
        where d.workspace_id = ${ctx.workspace.id} and d.id = ${id} and d.name = ${SENDER_DOMAIN_SQL})`;
}

/** Hides campaigns of other domains from a key that is bound to a domain. @throws NOT_FOUND */
export async function rejectOtherDomainCampaign(ctx: Ctx, publicId: string): Promise<void> {
  if (getBoundDomain(ctx) === null) return;
  const rows = await ctx.db.rows(
    sql`select 1 from svc_campaign c
     where c.workspace_id = ${ctx.workspace.id} and c.public_id = ${publicId} and ${isFromBoundDomain(ctx)}`,
  );
  if (rows.length === 0) throw errors.notFound('Campaign');
}
