import { memoizePerObject } from '../../../src/cache.ts';
import { type Field, isListField, VERSION_FIELD } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { toCamelCase } from '../../../src/engine/model/naming.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';

export const getTypeName = (model: Model): string => getModelGraphNames(model).type;

/** Excludes secrets, and the content of file records such as attachments, for which separate fields exist. */
export const isGraphField = (field: Field): boolean =>
  !field.secret && !(field.type === 'binary' && field.kept);

export const getGraphFields = (model: Model): Field[] => [...model.fields.values()].filter(isGraphField);

/** GraphQL names of the log fields and the version field. */
const USUAL_RELATION_NAMES: Record<string, string> = {
  create_date: 'createdAt',
  write_date: 'updatedAt',
  create_uid: 'createdById',
  write_uid: 'updatedById',
  [VERSION_FIELD]: 'version',
};

const LOG_FIELD_NAMES: Record<string, string> = { create_uid: 'createdBy', write_uid: 'updatedBy' };

/** Returns the name of a field's value or id, such as `partnerId` for `partner_id`. */
export const getFieldName = (model: Model, field: Field): string =>
  (field.custom && numberCustomNames(model).get(field.name)?.value) || deriveFieldName(model, field);

/** Returns the name of a field's related records, such as `parent` for `parent_id` and `children` for `child_ids`. */
export const getRelationName = (model: Model, field: Field): string =>
  (field.custom && numberCustomNames(model).get(field.name)?.records) || deriveRelationName(model, field);

function deriveFieldName(model: Model, field: Field): string {
  const ownName = model.options.graph?.names?.[field.name] ?? USUAL_RELATION_NAMES[field.name];
  if (ownName) return ownName;
  const name = toCamelCase(field.name);
  return field.type === 'many2one' && !name.endsWith('Id') ? `${name}Id` : name;
}

function deriveRelationName(model: Model, field: Field): string {
  const ownName = model.options.graph?.relations?.[field.name];
  if (ownName) return ownName;
  const stem = LOG_FIELD_NAMES[field.name] ?? toCamelCase(field.name.replace(/_ids?$/, ''));
  if (field.type === 'many2one') return stem;
  if (stem === 'child') return 'children';
  // The name is already plural, such as `taxes_id`.
  if (/[^su]s$/.test(stem)) return stem;
  if (/(?:s|x|ch|sh)$/.test(stem)) return `${stem}es`;
  // `implied_by_ids` contains the implying records, so the name is not pluralized.
  if (/[a-z]By$/.test(stem)) return stem;
  return /[^aeiou]y$/.test(stem) ? `${stem.slice(0, -1)}ies` : `${stem}s`;
}

interface CustomNames {
  value?: string;
  records?: string;
}

/**
 * Names the custom fields of a model. If names collide, such as `xShip` for `x_ship` and for the records of
 * `x_ship_id`, the later field gets a numbered name. A new field therefore never changes the names of existing ones.
 */
const numberCustomNames = memoizePerObject((model: Model): Map<string, CustomNames> => {
  const takenNames = new Set<string>();
  // Enum values are upper case, so names must not differ only by case.
  const isTaken = (name: string) => takenNames.has(toConstantCase(name));
  const reserve = (name: string) => takenNames.add(toConstantCase(name));
  const choose = (base: string, isFile = false): string => {
    let name = base;
    for (let next = 2; isTaken(name) || (isFile && isTaken(getUploadName(name))); next++)
      name = `${base}${next}`;
    reserve(name);
    if (isFile) reserve(getUploadName(name));
    return name;
  };
  const fields = getGraphFields(model);
  for (const field of fields) {
    if (field.custom) continue;
    reserve(deriveFieldName(model, field));
    if (field.relation) reserve(deriveRelationName(model, field));
  }
  const customFields = fields.filter((field) => field.custom).sort((a, b) => a.custom!.id - b.custom!.id);
  return new Map(
    customFields.map((field) => [
      field.name,
      {
        ...(!isListField(field) && { value: choose(deriveFieldName(model, field), field.type === 'binary') }),
        ...(field.relation && { records: choose(deriveRelationName(model, field)) }),
      },
    ]),
  );
});

/** Returns the name of the input field that accepts an upload for a file field. */
export const getUploadName = (name: string): string => `${name}UploadId`;

/** Converts `createdAt` to `CREATED_AT`. */
export const toConstantCase = (name: string): string =>
  name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toUpperCase();

/** Maps enum names, such as `HARD_BOUNCE`, to the values of a selection field, such as `hard bounce`. */
export const buildFieldEnumNames = memoizePerObject(
  // Labels and order of custom options may change, and the names must not.
  ({ selection = [], custom }: Field): Map<string, string> =>
    buildEnumNames(custom ? custom.values.map((value) => [value]) : selection),
);

/**
 * Maps enum names to values. A value that does not begin with a letter is named by its label without leading digits,
 * such as `LOW` for `0`, or `VALUE_0` without a label. Duplicate names are numbered.
 */
function buildEnumNames(options: readonly (readonly [value: string, label?: string])[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const [value, label = ''] of options) {
    const candidates = [value, label.replace(/^\d+/, ''), `value ${value}`].map(toEnumName);
    const base = candidates.find((name) => /^[A-Z]/.test(name))!;
    let name = base;
    for (let next = 2; names.has(name); next++) name = `${base}_${next}`;
    names.set(name, value);
  }
  return names;
}

const toEnumName = (text: string): string => (text.match(/[A-Za-z0-9]+/g) ?? []).join('_').toUpperCase();

export const isEnum = (field: Field): boolean =>
  field.type === 'selection' && !field.choices && (field.selection?.length ?? 0) > 0;

export const getEnumName = (model: Model, field: Field): string => {
  const ownName = model.options.graph?.enums?.[field.name];
  if (ownName) return ownName;
  const name = getFieldName(model, field);
  return `${getTypeName(model)}${name[0]!.toUpperCase()}${name.slice(1)}`;
};

export const findRelatedModel = (registry: Registry, field: Field): Model | undefined =>
  field.relation ? registry.get(field.relation) : undefined;
