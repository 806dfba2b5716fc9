import type { Field } from '../../../src/engine/model/field.ts';
import type { Model, Registry } from '../../../src/engine/model/model.ts';
import { toCamelCase } from '../../../src/engine/model/naming.ts';
import { getModelGraphNames } from '../../../src/engine/model/registry.ts';

// What the record graph calls models and fields.

export const getTypeName = (model: Model): string => getModelGraphNames(model).type;

/** Fields that the graph shows. A file that is its record, as an attachment is, has fields of its own there. */
export const isGraphField = (field: Field): boolean =>
  !field.secret && !(field.type === 'binary' && field.kept);

export const getGraphFields = (model: Model): Field[] => [...model.fields.values()].filter(isGraphField);

/** Names that every model's fields have. */
const USUAL: Record<string, string> = {
  create_date: 'createdAt',
  write_date: 'updatedAt',
  create_uid: 'createdById',
  write_uid: 'updatedById',
};

const LOGGED: Record<string, string> = { create_uid: 'createdBy', write_uid: 'updatedBy' };

/** Of the field with the value, or the id: `partner_id` is `partnerId`. */
export function getFieldName(model: Model, field: Field): string {
  const given = model.options.graph?.names?.[field.name] ?? USUAL[field.name];
  if (given) return given;
  const name = toCamelCase(field.name);
  return field.type === 'many2one' && !name.endsWith('Id') ? `${name}Id` : name;
}

/** Of the field with the record or records: `parent_id` gives `parent`, `child_ids` gives `children`. */
export function getRelationName(model: Model, field: Field): string {
  const given = model.options.graph?.relations?.[field.name];
  if (given) return given;
  const stem = LOGGED[field.name] ?? toCamelCase(field.name.replace(/_ids?$/, ''));
  if (field.type === 'many2one') return stem;
  if (stem === 'child') return 'children';
  // `taxes_id` has its plural already.
  if (/[^su]s$/.test(stem)) return stem;
  if (/(?:s|x|ch|sh)$/.test(stem)) return `${stem}es`;
  // `implied_by_ids` is what implies.
  if (/[a-z]By$/.test(stem)) return stem;
  return /[^aeiou]y$/.test(stem) ? `${stem.slice(0, -1)}ies` : `${stem}s`;
}

/** `createdAt` is `CREATED_AT`, `stage` is `STAGE`. */
export const toConstantCase = (name: string): string =>
  name.replace(/(?<=[a-z0-9])[A-Z]/g, '_$&').toUpperCase();

/** `hard bounce` is `HARD_BOUNCE`; two values of one name get a number. */
export function buildEnumNames(values: readonly string[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const value of values) {
    const plain = value.replace(/[^A-Za-z0-9]+/g, '_').toUpperCase();
    const base = /^[A-Z_]/.test(plain) && !plain.startsWith('__') ? plain : `_${plain.replace(/^_+/, '')}`;
    let name = base;
    for (let next = 2; names.has(name); next++) name = `${base}_${next}`;
    names.set(name, value);
  }
  return names;
}

/** Whether the values of the field are an enum. */
export const isEnum = (field: Field): boolean =>
  field.type === 'selection' && !field.choices && (field.selection?.length ?? 0) > 0;

export const getEnumName = (model: Model, field: Field): string => {
  const given = model.options.graph?.enums?.[field.name];
  if (given) return given;
  const name = getFieldName(model, field);
  return `${getTypeName(model)}${name[0]!.toUpperCase()}${name.slice(1)}`;
};

/** The model that a relation leads to, where there is one. */
export const findRelatedModel = (registry: Registry, field: Field): Model | undefined =>
  field.relation ? registry.get(field.relation) : undefined;
