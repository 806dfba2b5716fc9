import { type Sql, sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

export const getBoundDomain = (ctx: Ctx): number | null => ctx.principal?.domainId ?? null;

export function isInBoundDomain(ctx: Ctx, column: Sql): Sql {
  const boundDomain = sql.param(getBoundDomain(ctx));
  return sql`(${boundDomain}::int is null or ${column} = ${boundDomain})`;
}

export const isVisibleEmail = (ctx: Ctx, id: string): Sql =>
  sql`m.workspace_id = ${ctx.workspace.id} and m.public_id = ${id} and m.mailbox_id is null
    and ${isInBoundDomain(ctx, sql`m.domain_id`)}`;
