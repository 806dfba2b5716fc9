import type { Ctx } from '../../../src/engine/ctx.ts';
import type { Values } from '../../../src/engine/model.ts';
import { errors } from '../../../src/errors.ts';

/** The row of ir.model that values name, by id or by name. @throws VALIDATION when there is none */
export async function modelRow(ctx: Ctx, values: Values): Promise<{ id: number; model: string } | null> {
  const { res_model_id: id, res_model: name } = values;
  if (!id && !name) return null;
  const [row] = await ctx.db.rows<{ id: number; model: string }>(
    `select id, model from ir_model_stock where id = $2 or model = $3
     union all select id, model from ir_model where workspace_id = $1 and (id = $2 or model = $3)`,
    [ctx.workspace.id, typeof id === 'number' ? id : null, id ? null : String(name)],
  );
  if (!row)
    throw errors.validation(
      `The model of the field 'res_model_id' does not exist: ${String(id || name).slice(0, 80)}.`,
    );
  return row;
}
