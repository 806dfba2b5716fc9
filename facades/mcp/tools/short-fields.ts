import { canAccessField } from '../../../src/engine/access/access.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { type Field, isReturnedByDefault } from '../../../src/engine/model/field.ts';

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
  const plainFields = [...model.fields.values()].filter(
    (field) => isShort(field) && isReturnedByDefault(field) && canAccessField(ctx, field),
  );
  const displayFields = model.display && model.fields.has('display_name') ? ['display_name'] : [];
  return {
    fields: [
      ...new Set(['id', ...displayFields, ...plainFields.slice(0, MAX_FIELDS).map((field) => field.name)]),
    ],
  };
}

const LONG_FIELD_TYPES: ReadonlySet<string> = new Set(
  'binary html json properties properties_definition one2many many2many'.split(' '),
);

const BOOKKEEPING_FIELD = /^(create|write)_(uid|date)$/;

/** True for a stored field that is neither long nor an audit field. */
const isShort = ({ name, type, computed, related, secret }: Field): boolean =>
  !computed && !related && !secret && !LONG_FIELD_TYPES.has(type) && !BOOKKEEPING_FIELD.test(name);
