import type { ColumnLookup } from '../../errors.ts';
import { toSnakeCase } from './datamodel.ts';
import { type Field, isStored } from './field.ts';
import type { Model, Registry } from './model.ts';

/** Labels and names of models and their fields, for refusals that begin in the database. */
export const createColumnLookup =
  (registry: Registry): ColumnLookup =>
  (table, column) => {
    const model = [...registry.values()].find((one) => one.table === table);
    return column === null ? model : model?.fields.get(column);
  };

/** The text field that a record takes its name from, when callers may set it. */
export function findNameField(model: Model): Field | undefined {
  return [model.display, 'name']
    .map((name) => (name === null ? undefined : model.fields.get(name)))
    .find(
      (field) =>
        field && isStored(field) && !field.readonly && (field.type === 'char' || field.type === 'text'),
    );
}

/** The field that GraphQL calls `name`; domains and orders call it as the record API does. */
export function findFieldByGraphName(model: Model, name: string): string | undefined {
  const field = /[A-Z]/.test(name) ? model.fields.get(toSnakeCase(name)) : undefined;
  return field && !field.secret ? field.name : undefined;
}

/** What GraphQL calls the field `name`: `partner_id` is `partnerId`. */
export const toCamelCase = (name: string): string =>
  name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

/** Whether a definition of a property may have the name. */
export const isPropertyName = (name: string): boolean =>
  /^[a-z0-9_]{1,64}$/.test(name) && name !== '__proto__';
