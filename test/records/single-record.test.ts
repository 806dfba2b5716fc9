import { expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();
const admin = createJsonClient(app);

test.each([
  ['res.partner', 'message_post', { body: 'x' }],
  ['res.partner', 'onchange', { values: {}, field_names: ['name'], fields_spec: { name: {} } }],
  ['res.partner', 'address_get', {}],
  ['res.users', 'has_group', { group_ext_id: 'base.group_user' }],
  ['res.partner.category', 'get_field_translations', { field_name: 'name' }],
  ['res.users.apikeys.description', 'make_key', {}],
])('rejects two records for %s.%s with the error of Odoo', async (model, method, args) => {
  const ids = [1, 2];
  const error = await admin.expectError(422, `${model}/${method}`, { ids, ...args });
  expect(error.name).toBe('builtins.ValueError');
  expect(error.message).toBe(`Expected singleton: ${model}(1, 2). Pass exactly one id.`);
});
