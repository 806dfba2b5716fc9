import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** The only domain that the caller's key knows; null for a caller that knows all of the workspace. */
export const getBoundDomain = (ctx: Ctx): number | null => ctx.principal?.domainId ?? null;

/** SQL of whether a domain's id is one that the caller's key knows. */
export function isInBoundDomain(ctx: Ctx, column: Sql): Sql {
  const bound = sql.param(getBoundDomain(ctx));
  return sql`(${bound}::int is null or ${column} = ${bound})`;
}

/** SQL of whether an email `m` is the one with this public id and the caller may see it. */
export const isVisibleEmail = (ctx: Ctx, id: string): Sql =>
  sql`m.workspace_id = ${ctx.workspace.id} and m.public_id = ${id} and m.mailbox_id is null
    and ${isInBoundDomain(ctx, sql`m.domain_id`)}`;
