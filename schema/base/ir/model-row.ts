import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';

/** A model by its row in ir.model; of code or of the workspace, also one that this very transaction adds. */
export interface ModelRow {
  id: number;
  model: string;
}

/**
 * The model with that id, else with that name.
 * @param field which names it, for the refusal
 * @throws VALIDATION when there is none
 */
export async function modelRow(ctx: Ctx, field: string, id: unknown, name: unknown): Promise<ModelRow> {
  const [row] = await ctx.db.rows<ModelRow>(
    `select id, model from ir_model_stock where id = $2 or model = $3
     union all select id, model from ir_model where workspace_id = $1 and (id = $2 or model = $3)`,
    [ctx.workspace.id, typeof id === 'number' ? id : null, id ? null : String(name)],
  );
  if (!row)
    throw errors.validation(
      `The model of the field '${field}' does not exist: ${String(id || name).slice(0, 80)}.`,
    );
  return row;
}
