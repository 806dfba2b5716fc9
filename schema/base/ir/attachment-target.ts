import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { buildSourceSql } from '../../../src/engine/sql/columns.ts';
import { getMainSource } from '../../../src/engine/sql/statement.ts';
import { excludeIds } from '../../../src/engine/value/exclude-ids.ts';
import { errors } from '../../../src/errors.ts';

/**
 * Checks that the attachments' records exist. Access to them is checked elsewhere.
 * @throws BAD_VALUE if a model does not exist, MISSING if a record does not exist
 */
export async function checkAttachmentTargets(ctx: Ctx, ids: number[]): Promise<void> {
  const targets = await ctx.db.rows<{ model: string; ids: number[] }>(
    sql`select res_model as model, array_agg(distinct coalesce(res_id, 0)) as ids from ir_attachment
     where workspace_id = ${ctx.workspace.id} and id = any(${ids}) and res_model <> '' group by res_model`,
  );
  for (const target of targets) {
    const model = ctx.catalog.registry.get(target.model);
    const recordIds = target.ids.filter((id) => id > 0);
    // Clients upload files for a wizard model, which does not exist here, and attach them to a message later.
    if (recordIds.length === 0) continue;
    if (!model)
      throw errors.badValue(
        `Wrong value for ir.attachment.res_model: unknown model '${target.model.slice(0, 80)}'`,
      );
    const rows = await ctx.db.rows<{ id: number }>(
      sql`select t.id from ${buildSourceSql({ workspace: sql.param(ctx.workspace.id) }, getMainSource(model))}
       and t.id = any(${recordIds})`,
    );
    const missingIds = excludeIds(
      recordIds,
      rows.map((row) => row.id),
    );
    if (missingIds.length) throw errors.missing(model.name, missingIds, ctx.principal?.userId);
  }
}
