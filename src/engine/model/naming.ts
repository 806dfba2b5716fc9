import type { ColumnLookup } from '../../errors.ts';
import { toSnakeCase } from './datamodel.ts';
import { type Field, isStored } from './field.ts';
import type { Model, Registry } from './model.ts';

/** Resolves tables and columns to models and fields, for errors reported by the database. */
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
        field && isStored(field) && !field.readonly && (field.type === 'char' || field.type === 'text'),
    );
}

/** Returns the record API name of a GraphQL field, for error messages. Domains and sort orders use these names. */
export function findFieldByGraphName(model: Model, name: string): string | undefined {
  const field = /[A-Z]/.test(name) ? model.fields.get(toSnakeCase(name)) : undefined;
  return field && !field.secret ? field.name : undefined;
}

/** Returns the GraphQL name of a field: `partnerId` for `partner_id`. */
export const toCamelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

/** Returns true if a property definition may have the name. */
export const isPropertyName = (name: string): boolean =>
  /^[a-z0-9_]{1,64}$/.test(name) && name !== '__proto__';
