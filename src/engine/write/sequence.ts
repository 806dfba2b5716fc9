import { type Sql, sql } from '../../db/sql.ts';
import { getTimeZone } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { toWallClock } from '../value/instant.ts';
import { buildSequenceNames, getDateParts, type SequenceNumbers } from '../value/sequence-name.ts';

/**
 * Takes the next `count` names of the sequence with `code`. Prefers the company's sequence to the shared one.
 * Concurrent transactions wait for this one to end, and then take other names.
 * @returns null if there is no such sequence
 */
export const allocateNextNames = (
  ctx: Ctx,
  code: string,
  count: number,
  company: number | null = ctx.principal?.companyId ?? null,
): Promise<string[] | null> =>
  incrementSequence(
    ctx,
    count,
    sql`(select id from ir_sequence where workspace_id = ${ctx.workspace.id} and code = ${code} and active
      and (company_id is null or company_id = ${company}) order by company_id nulls last, id limit 1)`,
  );

/** @returns null if the sequence does not exist */
export const allocateSequenceNames = (ctx: Ctx, id: number, count: number): Promise<string[] | null> =>
  incrementSequence(ctx, count, sql`${id}`);

/** @param sequence SQL expression for the sequence's id */
async function incrementSequence(ctx: Ctx, count: number, sequence: Sql): Promise<string[] | null> {
  const increment = sql`number_increment * ${count}::int`;
  const [numbers] = await ctx.db.rows<SequenceNumbers>(
    sql`update ir_sequence set number_next = number_next + ${increment}
     where workspace_id = ${ctx.workspace.id} and id = ${sequence}
     returning prefix, suffix, padding, number_next - ${increment} as first, number_increment as step`,
  );
  return numbers
    ? buildSequenceNames(numbers, count, getDateParts(toWallClock(Date.now(), getTimeZone(ctx))))
    : null;
}
