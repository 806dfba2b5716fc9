import { defineArgumentTexts } from '../../src/engine/operation/argument-texts.ts';

defineArgumentTexts({
  aggregates: 'Aggregates to compute, such as `__count` or `amount:sum`.',
  default: 'Values of the copies that replace the copied values.',
  domain:
    'Conditions the records must meet, such as `[["name", "ilike", "ann"]]`. An empty list matches all.',
  fieldName: 'Technical name of the field, such as `name`.',
  fields: 'Names of the fields. Defaults to all.',
  id: 'Record id.',
  ids: 'Ids of the records to work on.',
  limit: 'Maximum number of results.',
  load: 'With `_classic_read`, many2one values are `[id, display name]` pairs; with any other value, ids.',
  model: 'Technical name of the model, such as `res.partner`.',
  offset: 'Number of results to skip.',
  operation: 'One of `create`, `read`, `write` and `unlink`.',
  operator: 'How names are compared, such as `ilike` or `=`.',
  order: 'Sort order, such as `name, id desc`.',
  specification: 'Fields to return, as an object. A relation can list the fields of its records.',
  vals: 'Values by field name.',
  valsList: 'Values by field name, one object per record.',
});
