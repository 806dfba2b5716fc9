import { sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Model } from '../model/model.ts';
import { assertModelAccess } from './access.ts';
import { assertRowsExist } from './row-access.ts';

/**
 * Checks that the records to which the given messages, files and the like are attached exist and are visible. The rules
 * for writing are checked elsewhere.
 * @throws BAD_VALUE if a model does not exist, MISSING if a record does not exist, ACCESS_ERROR if it is not visible
 */
export async function assertFollowedRecords(ctx: Ctx, model: Model, ids: number[]): Promise<void> {
  const { follows } = model.options;
  if (!follows || ctx.sudo || !ctx.principal) return;
  // Clients upload files for a wizard model, which does not exist here, and attach them to a message later.
  const followed = await ctx.db.rows<{ model: string; ids: number[] }>(
    sql`select ${sql.id(follows.model)} as model, array_agg(distinct ${sql.id(follows.id)}) as ids
     from ${sql.id(model.table)} where workspace_id = ${ctx.workspace.id} and id = any(${ids})
       and ${sql.id(follows.model)} <> '' and ${sql.id(follows.id)} > 0 group by 1`,
  );
  for (const { model: name, ids: recordIds } of followed) {
    const target = ctx.catalog.registry.get(name);
    if (!target)
      throw errors.badValue(
        `Wrong value for ${model.name}.${follows.model}: unknown model '${name.slice(0, 80)}'`,
      );
    assertModelAccess(ctx, target, 'read');
    await assertRowsExist(ctx, target, recordIds, 'read', 'key share');
  }
}
