import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { errors } from '../../../src/errors.ts';
import { formatValue } from '../../../src/json.ts';

export interface ModelRow {
  id: number;
  model: string;
}

/**
 * Finds a model by id, or by name if `id` is not set.
 * @param field name of the field in the error message
 * @throws VALIDATION if the model does not exist
 */
export async function getModelRow(ctx: Ctx, field: string, id: unknown, name: unknown): Promise<ModelRow> {
  const condition = sql`(id = ${typeof id === 'number' ? id : null} or model = ${id ? null : formatValue(name)})`;
  const [row] = await ctx.db.rows<ModelRow>(
    sql`select id, model from ir_model_stock where ${condition}
     union all select id, model from ir_model where workspace_id = ${ctx.workspace.id} and ${condition}`,
  );
  if (!row)
    throw errors.validation(
      `The field '${field}' refers to a model that does not exist: ${formatValue(id || name).slice(0, 80)}.`,
    );
  return row;
}
