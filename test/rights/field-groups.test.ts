import { beforeAll, describe, expect, test } from 'vitest';
import { post, setUpApp } from '../harness/app.ts';
import { createJsonClient, type JsonClient, json2 } from '../harness/facades/json2.ts';
import { createScene, type Person } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
const admin = createJsonClient(app);
let payroll: Person;
let bob: JsonClient;
let group: number;
let field: number;
let contact: number;
beforeAll(async () => {
  group = await scene.addGroup('Payroll');
  payroll = await scene.addPerson('payroll', [group, await scene.groupId('base.group_partner_manager')]);
  const groups = ['base.group_partner_manager', 'base.group_allow_export'];
  bob = await scene.addPerson('bob', await Promise.all(groups.map(scene.groupId)));
  const model_id = await scene.modelId('res.partner');
  const vals = { name: 'x_salary', ttype: 'integer', field_description: 'Salary', model_id };
  field = await admin.create('ir.model.fields', { ...vals, groups: [[6, 0, [group]]] });
  contact = await payroll.create('res.partner', { name: 'Employee', x_salary: 4242 });
});

describe("a user outside a field's groups", () => {
  test.each([
    ['read', { ids: 'contact', fields: ['x_salary'] }],
    ['search_read', { domain: [['x_salary', '=', 4242]], fields: ['name'] }],
    ['search_count', { domain: [['x_salary', '>', 1]] }],
    ['search', { domain: [], order: 'x_salary' }],
    ['formatted_read_group', { domain: [], groupby: [], aggregates: ['x_salary:sum'] }],
    ['formatted_read_group', { domain: [], groupby: ['x_salary'], aggregates: [] }],
    ['write', { ids: 'contact', vals: { x_salary: 1 } }],
    ['create', { vals_list: [{ name: 'X', x_salary: 1 }] }],
    ['export_data', { ids: 'contact', fields_to_export: ['x_salary'] }],
    ['web_read', { ids: 'contact', specification: { x_salary: {} } }],
  ])('cannot call %s with the field', async (method, body) => {
    const args = 'ids' in body ? { ...body, ids: [contact] } : body;
    const { status, text } = await json2(app, `res.partner/${method}`, args, (bob as Person).key);
    expect(text).not.toContain('4242');
    expect(status, text).toBe(403);
  });

  test('does not see the field in field lists or records', async () => {
    expect(Object.keys(await bob.value('res.partner/fields_get', {}))).not.toContain('x_salary');
    expect((await bob.value('res.partner/read', { ids: [contact] }))[0]).not.toHaveProperty('x_salary');
    const [copy] = await bob.value('res.partner/copy', { ids: [contact] });
    expect((await payroll.row('res.partner', copy, ['x_salary'])).x_salary).toBe(0);
  });

  test('does not see the field in GraphQL', async () => {
    const query = `{ partner(id: "${contact}") { name xSalary } }`;
    const call = async (key: string) => (await post(`${app.url}/graphql`, { query }, key)).json();
    expect((await call(payroll.key)).data.partner).toMatchObject({ xSalary: 4242 });
    const response = await call((bob as Person).key);
    expect(response.data.partner).toEqual({ name: 'Employee', xSalary: null });
    const salaryQuery = `{ partners(where: { xSalary: { eq: 4242 } }) { nodes { id } } }`;
    const searched = (await post(`${app.url}/graphql`, { query: salaryQuery }, (bob as Person).key)).json();
    expect(searched.errors[0].extensions.code).toBe('ACCESS_ERROR');
  });

  test('does not see the field through a related field', async () => {
    const model_id = await scene.modelId('crm.lead');
    const related = { name: 'x_pay', ttype: 'integer', related: 'partner_id.x_salary', model_id };
    await admin.create('ir.model.fields', related);
    expect(Object.keys(await bob.value('res.partner/fields_get', {}))).not.toContain('x_pay');
    const seller = await scene.addPerson('seller', [await scene.groupId('sales_team.group_sale_manager')]);
    await seller.expectError(403, 'crm.lead/search_read', { domain: [['x_pay', '>', 0]], fields: ['x_pay'] });
    expect(Object.keys(await seller.value('crm.lead/fields_get', {}))).not.toContain('x_pay');
  });
});

describe("a field's groups", () => {
  test('grant access to their members', async () => {
    expect((await payroll.row('res.partner', contact, ['x_salary'])).x_salary).toBe(4242);
    expect((await admin.read('ir.model.fields', field, ['groups'])).groups).toEqual([group]);
  });

  test('can be changed with x2many commands', async () => {
    const otherId = await scene.addGroup('Other');
    const set = (groups: unknown) => admin.value('ir.model.fields/write', { ids: [field], vals: { groups } });
    const readGroups = async () => (await admin.read('ir.model.fields', field, ['groups'])).groups.sort();
    await set([[4, otherId]]);
    expect(await readGroups()).toEqual([group, otherId].sort());
    await set([[3, group]]);
    expect(await readGroups()).toEqual([otherId]);
    await payroll.expectError(403, 'res.partner/read', { ids: [contact], fields: ['x_salary'] });
    await set([[5]]);
    expect((await bob.row('res.partner', contact, ['x_salary'])).x_salary).toBe(4242);
    await set([group]);
    await bob.expectError(403, 'res.partner/read', { ids: [contact], fields: ['x_salary'] });
    for (const invalid of [[[0, 0, { name: 'New' }]], 'x', [[6, 0, ['x']]]])
      await admin.expectError(422, 'ir.model.fields/write', { ids: [field], vals: { groups: invalid } });
    await admin.expectError(404, 'ir.model.fields/write', { ids: [field], vals: { groups: [[4, 999_999]] } });
  });

  test('keep protecting the field if one of them is deleted', async () => {
    const deletedGroup = await scene.addGroup('Gone');
    const vals = { name: 'x_closed', ttype: 'char', model_id: await scene.modelId('res.partner') };
    await admin.create('ir.model.fields', { ...vals, groups: [[6, 0, [deletedGroup]]] });
    await bob.expectError(403, 'res.partner/read', { ids: [contact], fields: ['x_closed'] });
    await admin.value('res.groups/unlink', { ids: [deletedGroup] });
    await bob.expectError(403, 'res.partner/read', { ids: [contact], fields: ['x_closed'] });
  });
});
