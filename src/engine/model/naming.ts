import type { Naming } from '../../errors.ts';
import { snake } from './datamodel.ts';
import type { Model, Registry } from './model.ts';

/** Labels of models and their fields, for refusals that begin in the database. */
export const namingOf =
  (registry: Registry): Naming =>
  (table, column) => {
    const model = [...registry.values()].find((one) => one.table === table);
    return column === null ? model?.label : model?.fields.get(column)?.label;
  };

/** The field that GraphQL calls `name`; domains and orders call it as the record API does. */
export function fieldByGraphName(model: Model, name: string): string | undefined {
  const field = /[A-Z]/.test(name) ? model.fields.get(snake(name)) : undefined;
  return field && !field.secret ? field.name : undefined;
}

/** What GraphQL calls the field `name`: `partner_id` is `partnerId`. */
export const camel = (name: string): string => name.replace(/_(\w)/g, (_, c: string) => c.toUpperCase());

/** Whether a definition of a property may have the name. */
export const isPropertyName = (name: string): boolean => /^[a-z0-9_]{1,64}$/.test(name);
