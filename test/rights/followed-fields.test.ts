import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { type JsonClient, json2 } from '../harness/facades/json2.ts';
import { createScene, type Person, toFlags } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
let seller: Person;
/** A lead whose contact a rule hides from the seller. */
let dark: number;
let light: number;

beforeAll(async () => {
  seller = await scene.addPerson('seller', [await scene.groupId('sales_team.group_sale_salesman_all_leads')]);
  const hiddenId = await scene.create('res.partner', {
    name: 'Hidden',
    city: 'Atlantis',
    function: 'hidden',
  });
  const visiblePartner = await scene.create('res.partner', { name: 'Seen', city: 'Bergen' });
  const parameter = await scene.create('ir.config_parameter', { key: 'followed', value: 'a setting' });
  const model_id = await scene.modelId('crm.lead');
  const createField = (name: string, overrides: object) =>
    scene.create('ir.model.fields', { model_id, name, field_description: name, ttype: 'char', ...overrides });
  await createField('x_city', { related: 'partner_id.city' });
  await createField('x_called', { related: 'partner_id.display_name' });
  await createField('x_parameter', { ttype: 'many2one', relation: 'ir.config_parameter' });
  await createField('x_setting', { ttype: 'text', related: 'x_parameter.value' });
  dark = await scene.create('crm.lead', { name: 'dark', partner_id: hiddenId, x_parameter: parameter });
  light = await scene.create('crm.lead', { name: 'light', partner_id: visiblePartner });
  await scene.create('ir.rule', {
    name: 'hides contacts',
    model_id: await scene.modelId('res.partner'),
    groups: [[6, 0, [await scene.groupId('base.group_user')]]],
    domain_force: "[('function', '!=', 'hidden')]",
    ...toFlags('crwu'),
  });
  await scene.create('ir.rule', {
    name: 'all contacts',
    model_id: await scene.modelId('res.partner'),
    groups: [[6, 0, [await scene.groupId('base.group_system')]]],
    domain_force: '[]',
    ...toFlags('crwu'),
  });
});

const inBoth = (extra: unknown[] = []) => [['id', 'in', [dark, light]], ...extra];
const searchLeads = async (by: JsonClient, condition: unknown[]): Promise<number[]> =>
  by.value('crm.lead/search', { domain: inBoth([condition]), order: 'id' });

test('an unrestricted administrator can read a related field', async () => {
  const [lead] = await scene.admin.value('crm.lead/read', { ids: [dark], fields: ['x_city', 'x_setting'] });
  expect(lead).toMatchObject({ x_city: 'Atlantis', x_setting: 'a setting' });
  expect(await searchLeads(scene.admin, ['x_city', '=', 'Atlantis'])).toEqual([dark]);
});

describe('a user who may not read the related record', () => {
  test('reads the field as unset, except for the name of the record', async () => {
    const leads = await seller.value('crm.lead/read', {
      ids: [dark, light],
      fields: ['x_city', 'x_called', 'x_setting'],
    });
    expect(leads).toMatchObject([
      { x_city: false, x_called: 'Hidden', x_setting: false },
      { x_city: 'Bergen', x_called: 'Seen' },
    ]);
  });

  test.each([
    [['x_city', '=', 'Atlantis'], () => []],
    [['x_city', 'ilike', 'atl'], () => []],
    [['x_city', 'in', ['Atlantis', 'Bergen']], () => [light]],
    [['x_city', '!=', 'Atlantis'], () => [dark, light]],
    [['x_city', '=', false], () => [dark]],
    [['x_city', '!=', false], () => [light]],
    [['x_setting', 'like', 'setting'], () => []],
    [['x_called', '=', 'Hidden'], () => [dark]],
  ])('matches the condition %j as if the field were unset', async (condition, expected) => {
    expect(await searchLeads(seller, condition)).toEqual(expected());
  });

  test('cannot reveal the field by sorting or grouping', async () => {
    const groups = await seller.value('crm.lead/formatted_read_group', {
      domain: inBoth(),
      groupby: ['x_city'],
      aggregates: ['__count'],
    });
    expect(groups.map((group: { x_city: unknown }) => group.x_city)).toEqual(['Bergen', false]);
    for (const order of ['x_city asc', 'x_city desc']) {
      const list = await seller.value('crm.lead/search', { domain: inBoth(), order });
      // Null sorts last in ascending and first in descending order, as in PostgreSQL.
      expect(list).toEqual(order.endsWith('asc') ? [light, dark] : [dark, light]);
    }
  });

  test('does not see the field in GraphQL', async () => {
    const query = `{ crmLeads(where: { id: { in: ["${dark}", "${light}"] } }, orderBy: [{ field: ID }]) { nodes { xCity xSetting } }
      crmLeadsOf: crmLeads(where: { xCity: { eq: "Atlantis" } }) { nodes { id } } }`;
    const data = await queryData(app, query, { key: seller.key });
    expect(data.crmLeads.nodes).toEqual([
      { xCity: null, xSetting: null },
      { xCity: 'Bergen', xSetting: null },
    ]);
    expect(data.crmLeadsOf.nodes).toEqual([]);
  });
});

test('a rule evaluates a related field on all records, even records of its own model', async () => {
  const model = await scene.modelId('res.partner');
  const createField = (name: string, related: string, overrides: object = {}) =>
    scene.create('ir.model.fields', {
      model_id: model,
      name,
      field_description: name,
      ttype: 'char',
      related,
      ...overrides,
    });
  await createField('x_above', 'parent_id.parent_id', { ttype: 'many2one', relation: 'res.partner' });
  await createField('x_above_city', 'x_above.city');
  const rule = await scene.create('ir.rule', {
    name: 'through itself',
    model_id: model,
    domain_force: "['|', ('x_above_city', '=', False), ('x_above_city', '!=', 'Nowhere')]",
    ...toFlags('crwu'),
  });
  const answer = await json2(
    app,
    'res.partner/search_read',
    { domain: [['x_above_city', '=', false]], fields: ['x_above', 'x_above_city'], limit: 3 },
    seller.key,
  );
  expect(answer.status).toBe(200);
  await scene.admin.value('ir.rule/unlink', { ids: [rule] });
});
