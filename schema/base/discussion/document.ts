import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import type { Values } from '../../../src/engine/model/model.ts';
import { getModelRow, type ModelRow } from '../ir/model-row.ts';

/**
 * Returns the referenced record's model. Null if neither its id nor its name is set.
 * @throws VALIDATION if the model does not exist
 */
export async function findDocumentModel(ctx: Ctx, values: Values): Promise<ModelRow | null> {
  const { res_model_id: id, res_model: name } = values;
  return id || name ? getModelRow(ctx, 'res_model_id', id, name) : null;
}
