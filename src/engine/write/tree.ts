import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { queryByKey } from '../ctx/query-by-key.ts';
import type { Model } from '../model/model.ts';
import type { WritableRow } from './row.ts';

// Hierarchies within a model (`tree` in defineModel). No record may be its own ancestor.

/** Serializes parent changes, because two concurrent changes could create a cycle that neither of them detects. */
export async function lockTree(ctx: Ctx, { name }: Model): Promise<void> {
  await ctx.db.rows(
    sql`select pg_advisory_xact_lock(hashtext('tree of ' || ${name}), ${ctx.workspace.id}::int)`,
  );
}

/** @throws VALIDATION if one of `ids` is its own ancestor */
export async function rejectLoops(
  ctx: Ctx,
  { table, options: { tree } }: Model,
  ids: number[],
): Promise<void> {
  const [rows, parent, workspace] = [sql.id(table), sql.id(tree!.parent), sql.param(ctx.workspace.id)];
  const [loop] = await queryByKey(
    ctx,
    sql`with recursive up(start, id) as (
       select id, ${parent} from ${rows} where workspace_id = ${workspace} and id = any(${ids})
       union
       select up.start, t.above from up cross join lateral (select ${parent} as above from ${rows}
         where workspace_id = ${workspace} and id = up.id and up.id <> up.start offset 0) t
     ) select 1 from up where id = start limit 1`,
  );
  if (loop) throw errors.validation(tree!.loop);
}

/**
 * Callers can predict ids, so the parent of a new record may be the record itself or another new one.
 * @throws VALIDATION if one of the rows is its own ancestor
 */
export function rejectNewLoops({ fields, options: { tree } }: Model, rows: WritableRow[]): void {
  if (!tree) return;
  const [id, parent] = [fields.get('id')!, fields.get(tree.parent)!];
  const parents = new Map(rows.map(({ columns }) => [columns.get(id), columns.get(parent)]));
  for (const start of parents.keys()) {
    const path = new Set<unknown>();
    for (let current: unknown = start; parents.has(current); current = parents.get(current)) {
      if (path.has(current)) throw errors.validation(tree.loop);
      path.add(current);
    }
    for (const visited of path) parents.delete(visited);
  }
}
