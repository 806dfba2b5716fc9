import type { FieldDescription, ModelDescription } from './model.ts';

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

export const lineModel: ModelDescription = {
  name: 'sale.order.line',
  label: 'Sales Order Line',
  pluralLabel: 'Sales Order Lines',
  mainFields: [],
  typeName: 'SaleOrderLine',
  queryField: 'saleOrderLine',
  listField: 'saleOrderLines',
  groupField: null,
  displayField: 'name',
  versionField: 'version',
  access: { read: true, create: true, update: true, delete: true },
  fields: [buildField('name', 'CHAR'), buildField('quantity', 'FLOAT')],
  operations: [],
};
