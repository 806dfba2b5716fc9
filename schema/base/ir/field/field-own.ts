import { sql } from '../../../../src/db/sql.ts';
import type { Ctx } from '../../../../src/engine/ctx/ctx.ts';
import type { Field } from '../../../../src/engine/model/field.ts';
import type { Model } from '../../../../src/engine/model/model.ts';
import { errors } from '../../../../src/errors.ts';
import { loadWorkspaceRows } from '../code-records.ts';
import { parseOrderFields } from '../model-order.ts';

export interface CustomFieldRow {
  id: number;
  model: string;
  model_id: number;
  name: string;
  ttype: string;
  relation: string | null;
  relation_field: string | null;
  related: string | null;
  required: boolean;
  index: boolean;
}

const COLUMNS = sql`id, model, model_id, name, ttype, relation, relation_field, related, required, "index"`;

/** Loads the custom fields of the given models, and other models' custom fields that refer to these models. */
export const loadRelatedFields = (ctx: Ctx, names: string[]): Promise<CustomFieldRow[]> =>
  ctx.db.rows<CustomFieldRow>(
    sql`select ${COLUMNS} from ir_model_fields
     where workspace_id = ${ctx.workspace.id} and (model = any(${names}) or relation = any(${names}))`,
  );

/** @throws USER_ERROR if one of `ids` is a built-in field */
export async function loadCustomFields(ctx: Ctx, ids: number[], action: string): Promise<CustomFieldRow[]> {
  const customRows = await loadWorkspaceRows<CustomFieldRow>(ctx, 'ir_model_fields', COLUMNS, ids);
  if (customRows.length < ids.length)
    throw errors.user(`You cannot ${action} a built-in field. Only custom fields can be changed.`);
  return customRows;
}

/**
 * Rejects the deletion of fields that are still used.
 * @param models models that are deleted with the fields
 * @throws USER_ERROR if another field or a model's order depends on one
 */
export function rejectUsedFields(ctx: Ctx, fields: CustomFieldRow[], models: string[] = []): void {
  const removedIds = new Set(fields.map((field) => field.id));
  for (const model of ctx.catalog.registry.values()) {
    if (models.includes(model.name)) continue;
    const used = fields.find((field) => isOrderField(model, field));
    if (used)
      throw errors.user(
        `The records of ${model.name} are sorted by ${used.name}. Change their sort order first.`,
      );
    for (const other of model.fields.values()) {
      if (!other.custom || removedIds.has(other.custom.id)) continue;
      const neededRow = fields.find((field) => dependsOnField(model, other, field));
      if (neededRow)
        throw errors.user(
          `The field ${neededRow.name} is used by the field ${other.name} of ${model.name}. Delete that field first.`,
        );
    }
  }
}

const isOrderField = (model: Model, field: CustomFieldRow): boolean =>
  model.customId !== null &&
  model.name === field.model &&
  (parseOrderFields(model.order)?.includes(field.name) ?? false);

function dependsOnField(model: Model, other: Field, field: CustomFieldRow): boolean {
  if (other.relation === field.model && other.inverse === field.name) return true;
  if (model.name === field.model && (other.currency === field.name || other.related?.[0] === field.name))
    return true;
  if (other.related?.[1] !== field.name) return false;
  return model.fields.get(other.related[0])?.relation === field.model;
}
