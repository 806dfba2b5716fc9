import { zoneOf } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { toWall } from '../value/instant.ts';
import { dateParts, type Numbers, sequenceNames } from '../value/sequence-name.ts';

/**
 * The next `count` names of the sequence with `code`: the one of the company, else the one for all. Whoever takes names
 * at the same time waits until this transaction ends, and gets others.
 * @returns null when there is no such sequence
 */
export const nextNames = (
  ctx: Ctx,
  code: string,
  count: number,
  company: number | null = ctx.principal?.companyId ?? null,
): Promise<string[] | null> =>
  take(
    ctx,
    count,
    `(select id from ir_sequence where workspace_id = $1 and code = $3 and active
      and (company_id is null or company_id = $4) order by company_id nulls last, id limit 1)`,
    [code, company],
  );

/** The next names of the sequence `id`; null when there is none. */
export const takeNames = (ctx: Ctx, id: number, count: number): Promise<string[] | null> =>
  take(ctx, count, '$3', [id]);

/** @param sequence its id, as an expression of `params`, which begin with $3 */
async function take(ctx: Ctx, count: number, sequence: string, params: unknown[]): Promise<string[] | null> {
  const [numbers] = await ctx.db.rows<Numbers>(
    `update ir_sequence set number_next = number_next + number_increment * $2::int where workspace_id = $1 and id = ${sequence}
     returning prefix, suffix, padding, number_next - number_increment * $2::int as first, number_increment as step`,
    [ctx.workspace.id, count, ...params],
  );
  return numbers ? sequenceNames(numbers, count, dateParts(toWall(Date.now(), zoneOf(ctx)))) : null;
}
