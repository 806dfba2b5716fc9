import type { Ctx } from './ctx.ts';
import { toWall } from './instant.ts';
import { dateParts, type Numbers, sequenceNames } from './sequence-name.ts';

/**
 * The next `count` names of the sequence with `code`: the one of the company, else the one for all. Whoever takes names
 * at the same time waits until this transaction ends, and gets others.
 * @returns null when there is no such sequence
 */
export async function nextNames(
  ctx: Ctx,
  code: string,
  count: number,
  company: number | null = ctx.principal?.companyId ?? null,
): Promise<string[] | null> {
  const [sequence] = await ctx.db.rows<{ id: number }>(
    `select id from ir_sequence where workspace_id = $1 and code = $2 and active and (company_id is null or company_id = $3)
     order by company_id nulls last, id limit 1`,
    [ctx.workspace.id, code, company],
  );
  return sequence ? takeNames(ctx, sequence.id, count) : null;
}

/** The next names of the sequence `id`; null when there is none. */
export async function takeNames(ctx: Ctx, id: number, count: number): Promise<string[] | null> {
  const [numbers] = await ctx.db.rows<Numbers>(
    `update ir_sequence set number_next = number_next + number_increment * $3::int where workspace_id = $1 and id = $2
     returning prefix, suffix, padding, number_next - number_increment * $3::int as first, number_increment as step`,
    [ctx.workspace.id, id, count],
  );
  if (!numbers) return null;
  const tz = ctx.context.tz ?? ctx.principal?.tz ?? 'UTC';
  return sequenceNames(numbers, count, dateParts(toWall(Date.now(), tz)));
}
