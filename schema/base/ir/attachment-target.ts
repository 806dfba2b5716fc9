import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { buildSourceSql } from '../../../src/engine/sql/columns.ts';
import { getMainSource } from '../../../src/engine/sql/statement.ts';
import { excludeIds } from '../../../src/engine/value/exclude-ids.ts';
import { errors } from '../../../src/errors.ts';

/**
 * What attachments hang on has to be there; rights on it are asked apart.
 * @throws BAD_VALUE for a record of a model there is none, MISSING for a record there is none
 */
export async function checkTargets(ctx: Ctx, ids: number[]): Promise<void> {
  const targets = await ctx.db.rows<{ model: string; ids: number[] }>(
    sql`select res_model as model, array_agg(distinct coalesce(res_id, 0)) as ids from ir_attachment
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and res_model <> '' group by res_model`,
  );
  for (const target of targets) {
    const model = ctx.catalog.registry.get(target.model);
    const wanted = target.ids.filter((id) => id > 0);
    // Clients upload for a wizard that is no model here, and name the file in a message afterwards.
    if (wanted.length === 0) continue;
    if (!model)
      throw errors.badValue(
        `Wrong value for ir.attachment.res_model: there is no model '${target.model.slice(0, 80)}'`,
      );
    const rows = await ctx.db.rows<{ id: number }>(
      sql`select t.id from ${buildSourceSql({ workspace: sql.param(ctx.workspace.id) }, getMainSource(model))}
       and t.id = any(${wanted})`,
    );
    const absent = excludeIds(
      wanted,
      rows.map((row) => row.id),
    );
    if (absent.length) throw errors.missing(model.name, absent, ctx.principal?.userId);
  }
}
