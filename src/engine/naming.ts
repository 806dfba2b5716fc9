import type { Naming } from '../errors.ts';
import type { Registry } from './model.ts';

/** Labels of models and their fields, for refusals that begin in the database. */
export const namingOf =
  (registry: Registry): Naming =>
  (table, column) => {
    const model = [...registry.values()].find((one) => one.table === table);
    return column === null ? model?.label : model?.fields.get(column)?.label;
  };
