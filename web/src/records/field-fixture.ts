import type { FieldDescription } from './model.ts';

/** Builds the description of a field for tests: stored, editable, and usable in filters, sort orders and groups. */
export const buildField = (
  name: string,
  type: FieldDescription['type'],
  extra: Partial<FieldDescription> = {},
): FieldDescription => ({
  name,
  graphqlName: name,
  relationName: null,
  type,
  label: name,
  help: null,
  required: false,
  readonly: false,
  stored: true,
  list: false,
  relation: null,
  relationType: null,
  relationField: null,
  currencyField: null,
  searchable: true,
  aggregator: null,
  sortable: true,
  groupable: true,
  exportable: true,
  digits: null,
  size: null,
  selection: null,
  conditions: [],
  ...extra,
});
