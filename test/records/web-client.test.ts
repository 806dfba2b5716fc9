import { beforeAll, describe, expect, test } from 'vitest';
import { MAX_OPEN_GROUPS } from '../../schema/data/web-group.ts';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { setUp } from '../harness/set-up.ts';

const app = setUpApp();
const admin = createJsonClient(app);
const user = setUp(() => createJsonClient(app, app.main.user.key));
let belgium: number;
let france: number;
const ownDomain = [['ref', '=', 'web-client']];
beforeAll(async () => {
  const countries = { domain: [['code', 'in', ['BE', 'FR']]], order: 'code' };
  [belgium, france] = await admin.value('res.country/search', countries);
  const buildPerson = (name: string, country_id: number | false, city: string) => ({
    name,
    country_id,
    city,
    ref: 'web-client',
  });
  await admin.value('res.partner/create', {
    vals_list: [
      buildPerson('Ann', belgium, 'Ghent'),
      buildPerson('Bob', belgium, 'Bruges'),
      buildPerson('Cy', france, 'Lille'),
      buildPerson('Dee', false, 'Nowhere'),
    ],
  });
});

const readGroups = (overrides: object = {}) =>
  user.value('res.partner/web_read_group', { domain: ownDomain, groupby: ['country_id'], ...overrides });

describe('web_read_group', () => {
  test('returns the groups of the first field, their total number and their domains', async () => {
    const { groups, length } = await readGroups();
    expect(length).toBe(3);
    expect(groups).toEqual([
      { country_id: [belgium, 'Belgium'], __extra_domain: [['country_id', '=', belgium]], __count: 2 },
      { country_id: [france, 'France'], __extra_domain: [['country_id', '=', france]], __count: 1 },
      { country_id: false, __extra_domain: [['country_id', '=', false]], __count: 1 },
    ]);
    const page = await readGroups({ limit: 1, offset: 1, aggregates: ['color:sum'] });
    expect(page.length).toBe(3);
    expect(page.groups).toHaveLength(1);
    expect(page.groups[0]).toMatchObject({ country_id: [france, 'France'], 'color:sum': 0, __count: 1 });
  });

  test('opens all groups down to their records if auto_unfold is set', async () => {
    const unfold_read_specification = { name: {} };
    const { groups } = await readGroups({ auto_unfold: true, unfold_read_specification });
    expect(
      groups.map(({ __records }: { __records: { name: string }[] }) => __records.map((r) => r.name)),
    ).toEqual([['Ann', 'Bob'], ['Cy'], ['Dee']]);
    const nested = await readGroups({
      groupby: ['country_id', 'city'],
      auto_unfold: true,
      unfold_read_specification,
    });
    expect(nested.groups[0].__groups).toMatchObject({
      length: 2,
      groups: [
        { city: 'Bruges', __records: [{ name: 'Bob' }] },
        { city: 'Ghent', __records: [{ name: 'Ann' }] },
      ],
    });
  });

  test('opens the groups that a client names, with the requested fields', async () => {
    const { groups } = await readGroups({
      opening_info: [
        { value: belgium, folded: false, offset: 1, limit: 1 },
        { value: france, folded: true },
      ],
      unfold_read_specification: { name: {} },
      groupby_read_specification: { country_id: { code: {} } },
    });
    expect(groups[0]).toMatchObject({
      __records: [{ name: 'Bob' }],
      __values: { id: belgium, code: 'BE' },
    });
    expect(groups[1]).not.toHaveProperty('__records');
    expect(groups[2].__values).toEqual({ id: false });
  });

  test("rejects requests that exceed the limits or the caller's permissions", async () => {
    await user.expectError(422, 'res.partner/web_read_group', { domain: ownDomain, groupby: [] });
    await user.expectError(403, 'ir.cron/web_read_group', { domain: [], groupby: ['interval_type'] });
    const groups = Array.from({ length: MAX_OPEN_GROUPS + 1 }, (_, n) => ({
      name: `M${n}`,
      ref: 'many',
    }));
    await admin.value('res.partner/create', { vals_list: groups });
    const opening_info = groups.map(({ name }) => ({ value: name }));
    const error = await user.expectError(422, 'res.partner/web_read_group', {
      domain: [['ref', '=', 'many']],
      groupby: ['name'],
      opening_info,
      unfold_read_specification: { name: {} },
    });
    expect(error.message).toContain('groups to open');
  });
});

describe('get_views and get_view', () => {
  test('return a generated view of each type with its fields', async () => {
    const views = ['list', 'form', 'search', 'kanban', 'graph', 'pivot', 'activity'].map((type) => [
      false,
      type,
    ]);
    const response = await user.value('res.partner/get_views', { views, options: { toolbar: true } });
    expect(Object.keys(response.views)).toEqual(views.map(([, type]) => type));
    expect(response.views.list).toEqual({
      arch: '<list string="Contact"><field name="complete_name"/></list>',
      id: false,
      model: 'res.partner',
    });
    const { fields } = response.models['res.partner'];
    expect(fields.country_id).toMatchObject({
      name: 'country_id',
      type: 'many2one',
      relation: 'res.country',
    });
    for (const [, name] of response.views.form.arch.matchAll(/<field name="(\w+)"/g))
      expect(fields).toHaveProperty(name);
    const view = await admin.value('crm.lead/get_view', { view_type: 'list' });
    expect(view).toEqual({
      arch: expect.stringMatching(/^<list string=".*"><field name="name"\/><\/list>$/),
      id: false,
      model: 'crm.lead',
      models: { 'crm.lead': ['name'] },
    });
  });

  test('reject other view types, stored views and inaccessible models', async () => {
    await user.expectError(422, 'res.partner/get_views', { views: [[false, 'qweb']] });
    await user.expectError(422, 'res.partner/get_views', { views: 'list' });
    await user.expectError(404, 'res.partner/get_views', { views: [[7, 'list']] });
    await user.expectError(404, 'res.partner/get_view', { view_id: 7 });
    await user.expectError(403, 'ir.cron/get_views', { views: [[false, 'list']] });
  });
});

test('accepts base64 in Python notation', async () => {
  const id = await admin.create('ir.attachment', { name: 'a.txt', datas: "b'aGVsbG8='" });
  expect((await admin.row('ir.attachment', id, ['datas'])).datas).toBe('aGVsbG8=');
  await admin.expectError(422, 'ir.attachment/create', {
    vals_list: [{ name: 'b.txt', datas: "b'aGVsbG8=" }],
  });
});
