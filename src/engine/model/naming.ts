import type { ColumnLookup } from '../../errors.ts';
import { toSnakeCase } from './datamodel.ts';
import { type Field, isStoredField } from './field.ts';
import type { Model, Registry } from './model.ts';

/** Maps tables and columns in database errors to models and fields. */
export const createColumnLookup =
  (registry: Registry): ColumnLookup =>
  (table, column) => {
    const model = [...registry.values()].find((item) => item.table === table);
    return column === null ? model : model?.fields.get(column);
  };

/** Finds the text field that provides a record's name, if callers can set it. */
export function findNameField(model: Model): Field | undefined {
  return [model.display, 'name']
    .map((name) => (name === null ? undefined : model.fields.get(name)))
    .find(
      (field) =>
        field && isStoredField(field) && !field.readonly && (field.type === 'char' || field.type === 'text'),
    );
}

/**
 * Returns the record API name of the field with this GraphQL name. Errors mention it, because domains and sort orders
 * use record API names.
 */
export function findFieldByGraphName(model: Model, name: string): string | undefined {
  const field = /[A-Z]/.test(name) ? model.fields.get(toSnakeCase(name)) : undefined;
  return field && !field.secret ? field.name : undefined;
}

export const toCamelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

/**
 * Returns the field's key in the rows of the record graph, such as `partnerId`. Custom fields whose names differ only
 * in case or underscores must have different keys.
 */
export function getRowKey({ name, custom }: Field): string {
  const key = toCamelCase(name);
  return custom && toSnakeCase(key) !== name ? name : key;
}

export const isPropertyName = (name: string): boolean =>
  /^[a-z0-9_]{1,64}$/.test(name) && name !== '__proto__';
