import type { Ctx } from '../../src/engine/ctx.ts';

interface Sequence {
  prefix: string | null;
  suffix: string | null;
  padding: number;
  step: number;
  /** Of the first of the numbers taken. */
  first: number;
}

/** The next `count` names of orders of a company, by its sequence `sale.order` or the one of all. */
export async function takeNames(ctx: Ctx, company: number | null, count: number): Promise<string[]> {
  const [sequence] = await ctx.db.rows<Sequence>(
    `update ir_sequence s set number_next = s.number_next + s.number_increment * $3::int
     where s.workspace_id = $1 and s.id = (
       select id from ir_sequence where workspace_id = $1 and code = 'sale.order' and active
         and (company_id is null or company_id = $2) order by company_id nulls last, id limit 1)
     returning s.prefix, s.suffix, s.padding, s.number_increment as step, s.number_next - s.number_increment * $3::int as first`,
    [ctx.workspace.id, company, count],
  );
  // A workspace may have deleted the sequence.
  if (!sequence) return new Array<string>(count).fill('New');
  return Array.from({ length: count }, (_, index) =>
    nameOf(sequence, sequence.first + index * sequence.step),
  );
}

/** `S00001`: number with prefix and suffix, in which `%(year)s` and the like stand for the day (UTC). */
export function nameOf(
  sequence: Pick<Sequence, 'prefix' | 'suffix' | 'padding'>,
  number: number,
  now = new Date(),
): string {
  const [year, month, day] = now.toISOString().slice(0, 10).split('-') as [string, string, string];
  const parts: Record<string, string> = { year, month, day, y: year.slice(2) };
  const filled = (text: string | null): string =>
    (text ?? '').replace(/%\((\w+)\)s/g, (mark, part: string) => parts[part] ?? mark);
  return `${filled(sequence.prefix)}${String(number).padStart(sequence.padding, '0')}${filled(sequence.suffix)}`;
}
