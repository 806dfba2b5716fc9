import { mayField } from './access.ts';
import type { Ctx } from './ctx.ts';
import type { Field } from './model.ts';
import { modelOf } from './records.ts';

/**
 * The values that fields of a new record have before anybody sets them, by name; a field without one is left out, and
 * so is an unknown one. They are the defaults of the columns, so they are told in one place only.
 */
export async function defaultsOf(ctx: Ctx, name: string, names: string[]): Promise<Record<string, unknown>> {
  const model = modelOf(ctx, name);
  const fields = [...new Set(names)]
    .map((field) => model.fields.get(field))
    .filter((field) => field !== undefined)
    .filter((field) => field.hasDefault && !field.readonly && !field.secret && mayField(ctx, field));
  if (fields.length === 0) return {};
  const columns = await ctx.db.rows<{ name: string; expression: string }>(
    `select column_name as name, column_default as expression from information_schema.columns
     where table_schema = current_schema() and table_name = $1 and column_name = any($2) and column_default is not null`,
    [model.table, fields.map((field) => field.name)],
  );
  return evaluate(ctx, fields, columns);
}

async function evaluate(
  ctx: Ctx,
  fields: Field[],
  columns: { name: string; expression: string }[],
): Promise<Record<string, unknown>> {
  const known = fields.flatMap((field) => columns.find((column) => column.name === field.name) ?? []);
  if (known.length === 0) return {};
  const values = known.map(({ expression }, index) => `(${expression}) as v${index}`).join(', ');
  const [row] = await ctx.db.rows<Record<string, unknown>>(`select ${values}`);
  return Object.fromEntries(known.map(({ name }, index) => [name, row![`v${index}`]]));
}
