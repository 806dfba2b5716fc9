import type { Ctx } from './ctx.ts';
import type { Values } from './model.ts';
import { create } from './write.ts';

/**
 * Creates records under external identifiers (`module.name`), leaving out those that are there.
 * @returns the id of each, old or new, by name
 */
export async function addRecords<K extends string>(
  ctx: Ctx,
  module: string,
  model: string,
  records: Record<K, Values>,
): Promise<Record<K, number>> {
  const names = Object.keys(records) as K[];
  const known = await recordIds(ctx, module, names);
  const missing = names.filter((name) => !known.has(name));
  const made = missing.length
    ? await create(
        ctx,
        model,
        missing.map((name) => records[name]),
      )
    : [];
  await nameRecords(ctx, module, model, missing, made);
  for (const [index, name] of missing.entries()) known.set(name, made[index]!);
  return Object.fromEntries(names.map((name) => [name, known.get(name)!])) as Record<K, number>;
}

/** Ids of records by the second part of their external identifiers; those that are not there are left out. */
export async function recordIds(ctx: Ctx, module: string, names: string[]): Promise<Map<string, number>> {
  const rows = await ctx.db.rows<{ name: string; id: number }>(
    `select name, res_id as id from ir_model_data where workspace_id = $1 and module = $2 and name = any($3)`,
    [ctx.workspace.id, module, names],
  );
  return new Map(rows.map((row) => [row.name, row.id]));
}

async function nameRecords(
  ctx: Ctx,
  module: string,
  model: string,
  names: string[],
  ids: number[],
): Promise<void> {
  await ctx.db.rows(
    `insert into ir_model_data (workspace_id, module, name, model, res_id, noupdate)
     select $1, $2, x.name, $3, x.id, true from unnest($4::text[], $5::int[]) x(name, id)`,
    [ctx.workspace.id, module, model, names, ids],
  );
}
