import { beforeAll, expect, test } from 'vitest';
import { MAX_CUSTOM_FIELDS } from '../../schema/base/ir/field/field-new.ts';
import { setUpApp } from '../harness/app.ts';
import { type JsonClient, json2 } from '../harness/facades/json2.ts';
import { postWeb, signInWeb } from '../harness/facades/web.ts';
import { createScene } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
let admin: JsonClient;
beforeAll(async () => {
  admin = scene.admin;
});

test('rejects an activity on a missing record of any model', async () => {
  for (const res_model of ['res.partner', 'res.country', 'crm.tag']) {
    const error = await admin.expectError(404, 'mail.activity/create', {
      vals_list: [{ res_model, res_id: 999_999, summary: 'nowhere' }],
    });
    expect(error.message).toContain('does not exist');
  }
  expect(await admin.create('mail.activity', { summary: 'of mine' })).toBeGreaterThan(0);
});

test('never fails unexpectedly for an object in place of text or a number', async () => {
  for (const value of [{ toString: '' }, { valueOf: 1, toString: null }, {}])
    for (const field of ['name', 'id', 'color', 'active', 'create_date'])
      for (const operator of ['=', '<', 'ilike', '=ilike']) {
        const domain = [[field, operator, value]];
        const answer = await json2(app, 'res.partner/search', { domain }, app.main.admin.key);
        expect([200, 422], JSON.stringify(domain)).toContain(answer.status);
      }
});

test.each([
  ['search', 'limit'],
  ['search', 'offset'],
  ['search_read', 'limit'],
  ['search_count', 'limit'],
  ['name_search', 'limit'],
  ['web_search_read', 'count_limit', { specification: {} }],
  ['web_search_read', 'limit', { specification: {} }],
  ['web_name_search', 'limit', { specification: {}, name: '' }],
  ['read_group', 'limit', { groupby: ['color'], fields: [] }],
  ['formatted_read_group', 'limit', { groupby: ['color'] }],
  ['formatted_read_group', 'offset', { groupby: ['color'] }],
])('%s rejects a negative %s', async (method, name, overrides: object = {}) => {
  const error = await admin.expectError(422, `res.partner/${method}`, {
    domain: [],
    ...overrides,
    [name]: -1,
  });
  expect(error.message).toContain('may not be negative');
});

test('rejects a property named __proto__', async () => {
  const team = await admin.create('crm.team', { name: 'T' });
  const definition = [{ name: '__proto__', type: 'char', string: 'P' }];
  const vals = { lead_properties_definition: JSON.parse(JSON.stringify(definition)) };
  await admin.expectError(422, 'crm.team/write', { ids: [team], vals });
});

test('limits the number of custom fields, and reads a record with the maximum number of them', async () => {
  const model_id = await scene.modelId('crm.tag');
  const buildFields = (count: number, from: number) =>
    Array.from({ length: count }, (_, n) => ({ name: `x_f${from + n}`, ttype: 'char', model_id }));
  await admin.value('ir.model.fields/create', { vals_list: buildFields(MAX_CUSTOM_FIELDS, 0) });
  const error = await admin.expectError(422, 'ir.model.fields/create', { vals_list: buildFields(1, 5_000) });
  expect(error.message).toContain('crm.tag can have at most 1000 custom fields');
  const tag = await admin.create('crm.tag', { name: 'Wide' });
  expect(Object.keys((await admin.value('crm.tag/read', { ids: [tag] }))[0]).length).toBeGreaterThan(1_000);
  await admin.create('ir.model.fields', {
    name: 'x_other',
    ttype: 'char',
    model_id: await scene.modelId('crm.stage'),
  });
});

test.each([
  ['same-site', false],
  ['cross-site', false],
  ['same-origin', true],
  ['none', true],
])('accepts a session without Origin for Sec-Fetch-Site: %s: %s', async (site, comesAlong) => {
  const cookie = await signInWeb(app);
  const call = { model: 'res.users', method: 'context_get', args: [], kwargs: {} };
  const response = await postWeb(app, '/web/dataset/call_kw', call, { cookie, 'sec-fetch-site': site });
  expect([response.status, response.text.includes('"result"')]).toEqual(
    comesAlong ? [200, true] : [403, false],
  );
});
