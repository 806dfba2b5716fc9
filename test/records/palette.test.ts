import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { createScene } from '../rights/scene.ts';

const app = setUpApp();
beforeAll(async () => {
  const admin = createJsonClient(app);
  for (let index = 0; index < 12; index++)
    await admin.create('res.partner', { name: `Quince Works ${index}` });
  await admin.create('crm.lead', { name: 'Quince deal' });
});

const find = async (query: string, key = app.main.admin.key, models?: string[]) =>
  postGraphql(
    app,
    `query ($query: String!, $models: [String!]) {
      palette(query: $query, models: $models) { isPartial records { model modelLabel typeName recordId name detail startsOn startsAt } } }`,
    { key, variables: { query, models } },
  );
const getModels = (records: { model: string }[]) => [...new Set(records.map(({ model }) => model))];

test('finds up to ten records of each model by name', async () => {
  const { records, isPartial } = (await find('quince')).data.palette;
  expect(isPartial).toBe(false);
  expect(getModels(records)).toEqual(expect.arrayContaining(['res.partner', 'crm.lead']));
  expect(records.filter(({ model }: { model: string }) => model === 'res.partner')).toHaveLength(10);
  expect(records[0]).toMatchObject({ typeName: 'Partner', name: expect.stringContaining('Quince Works') });
  expect((await find('  ')).data.palette.records).toEqual([]);
});

test.for([
  ['calendar.event', { start: '2026-12-01 10:00:00' }],
  ['helpdesk.ticket', {}],
  ['product.template', {}],
  ['project.project', {}],
  ['project.task', {}],
  ['sale.order', { partner_id: 1 }],
  ['x_walnut', {}],
] as const)('finds records of %s by default', async ([model, values]) => {
  const admin = createJsonClient(app);
  if (model === 'x_walnut') await admin.create('ir.model', { model, name: 'Walnut' });
  const name = model === 'x_walnut' ? 'x_name' : 'name';
  const id = await admin.create(model, { ...values, [name]: `Walnut ${model}` });
  const { records } = (await find(`Walnut ${model}`)).data.palette;
  expect(records).toContainEqual(expect.objectContaining({ model, recordId: String(id) }));
});

test('distinguishes meetings of equal names by their start', async () => {
  const admin = createJsonClient(app);
  await admin.create('calendar.event', { name: 'Sorb review', start: '2026-12-01 10:00:00' });
  await admin.create('calendar.event', {
    name: 'Sorb review',
    allday: true,
    start_date: '2026-12-02',
    stop_date: '2026-12-03',
  });
  const { records } = (await find('sorb review', undefined, ['calendar.event'])).data.palette;
  const starts = records.map(({ startsOn, startsAt }: Record<string, unknown>) => ({ startsOn, startsAt }));
  expect(starts).toHaveLength(2);
  expect(starts).toContainEqual({
    startsOn: null,
    startsAt: expect.stringMatching(/^2026-12-01T10:00:00(\.000)?Z$/),
  });
  expect(starts).toContainEqual({ startsOn: '2026-12-02', startsAt: null });
});

test('distinguishes records of equal names by customer, company, email or login', async () => {
  const admin = createJsonClient(app);
  const company = await admin.create('res.partner', { name: 'Medlar AG' });
  await admin.create('res.partner', { name: 'Anna Medlar', parent_id: company, email: 'anna@medlar.test' });
  await admin.create('res.partner', { name: 'Anna Medlar', email: 'anna@home.test' });
  await admin.create('res.partner', { name: 'Anna Medlar' });
  await admin.create('crm.lead', { name: 'Order of Anna Medlar', partner_id: company });
  await admin.create('res.users', { name: 'Anna Medlar', login: 'anna', password: 'a long password' });
  const { records } = (await find('anna medlar')).data.palette;
  const getDetails = (wanted: string) =>
    records.flatMap(({ model, detail }: { model: string; detail: string | null }) =>
      model === wanted ? [detail] : [],
    );
  expect(getDetails('res.partner')).toEqual(
    expect.arrayContaining(['anna@medlar.test', 'anna@home.test', null]),
  );
  // The name of a contact contains its company.
  expect(getDetails('res.partner')).not.toContain('Medlar AG');
  expect(getDetails('crm.lead')).toEqual(['Medlar AG']);
  expect(getDetails('res.users')).toEqual(['anna']);
});

test('shows no details of customers and companies that the caller may not read', async () => {
  const scene = createScene(app);
  const seller = await scene.addPerson('seller', [await scene.groupId('sales_team.group_sale_salesman')]);
  const company_id = await scene.create('res.company', { name: 'Elsewhere' });
  const customer = { name: 'Sorb Ltd', active: false };
  const [hidden, archived] = [
    await scene.create('res.partner', { ...customer, company_id }),
    await scene.create('res.partner', customer),
  ];
  for (const [partner_id, email_from] of [
    [hidden, 'sorb@test.test'],
    [hidden, ' '],
    [archived, false],
  ])
    await scene.create('crm.lead', { name: 'Rowan', partner_id, email_from, user_id: seller.id });
  const { records } = (await find('rowan', seller.key)).data.palette;
  const details = records.map(({ detail }: { detail: string | null }) => detail ?? '');
  expect(details.toSorted()).toEqual(['', 'Sorb Ltd', 'sorb@test.test']);
});

test('omits unreadable models, even if they are requested by name', async () => {
  const { records } = (await find('quince', app.main.user.key, ['res.partner', 'crm.lead', 'no.model'])).data
    .palette;
  expect(getModels(records)).toEqual(['res.partner']);
  const otherTenant = await app.tenant('elsewhere');
  expect((await find('quince', otherTenant.admin.key)).data.palette.records).toEqual([]);
});

test('limits the query length and the number of models', async () => {
  expect((await find('x'.repeat(101))).errors[0]!.message).toMatch(/query/);
  const models = Array.from({ length: 21 }, () => 'res.partner');
  expect((await find('x', app.main.admin.key, models)).errors[0]!.message).toMatch(/models/);
});
