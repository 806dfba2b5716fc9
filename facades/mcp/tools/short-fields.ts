import { canAccessField } from '../../../src/engine/access/access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { isListField } from '../../../src/engine/model/field.ts';
import { listMainFields } from '../../../src/engine/model/main-fields.ts';

/** Maximum number of default fields, so that a page of records fits a client's limit. */
const MAX_FIELDS = 16;

const ALL_FIELDS = '*';

/** Returns the fields to read: the requested ones, all for `["*"]`, or the model's main fields by default. */
export function selectFieldsToRead(
  ctx: Ctx,
  name: string,
  fields: string[] | undefined,
): { fields?: string[] } {
  if (fields) return fields.includes(ALL_FIELDS) ? {} : { fields };
  const model = ctx.catalog.registry.get(name);
  if (!model) return {};
  const mainFields = listMainFields(model).filter(
    (field) => !isListField(field) && canAccessField(ctx, field),
  );
  const displayFields = model.display && model.fields.has('display_name') ? ['display_name'] : [];
  return {
    fields: ['id', ...displayFields, ...mainFields.slice(0, MAX_FIELDS).map((field) => field.name)],
  };
}
