import type { CustomField } from '../../src/engine/model/custom-models.ts';

export const buildCustomField = (
  model: string,
  name: string,
  ttype: string,
  overrides: Partial<CustomField> = {},
): CustomField => ({
  id: 1,
  model,
  name,
  field_description: name,
  help: null,
  ttype,
  relation: null,
  relation_field: null,
  required: false,
  readonly: false,
  index: false,
  copied: true,
  translate: null,
  size: null,
  on_delete: null,
  options: null,
  ...overrides,
});
