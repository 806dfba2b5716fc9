import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { addMember } from './member.ts';

const app = setUpApp();
const admin = createJsonClient(app);
const LISTS = ['opportunity_ids', 'project_ids', 'sale_order_ids', 'task_ids', 'ticket_ids'];
let partner: number;
let ids: Record<string, number[]>;

beforeAll(async () => {
  partner = await admin.create('res.partner', { name: 'Acme' });
  await admin.create('res.partner', { name: 'Other' });
  const values = { name: 'New', partner_id: partner };
  await admin.create('crm.lead', { ...values, type: 'lead' });
  ids = {
    opportunity_ids: [await admin.create('crm.lead', { ...values, type: 'opportunity' })],
    project_ids: [await admin.create('project.project', values)],
    sale_order_ids: [await admin.create('sale.order', { partner_id: partner })],
    task_ids: [await admin.create('project.task', values)],
    ticket_ids: [await admin.create('helpdesk.ticket', values)],
  };
});

test('contacts list their opportunities, projects, orders, tasks and tickets', async () => {
  expect(await admin.row('res.partner', partner, LISTS)).toEqual({ id: partner, ...ids });
});

test('fields_get describes the lists', async () => {
  const fields = await admin.value('res.partner/fields_get', { allfields: LISTS });
  expect(fields.opportunity_ids).toMatchObject({
    type: 'one2many',
    relation: 'crm.lead',
    relation_field: 'partner_id',
    domain: [['type', '=', 'opportunity']],
  });
  expect(fields.sale_order_ids).toMatchObject({ string: 'Sales Orders', domain: [], readonly: true });
});

test.for(LISTS)('filters contacts by %s', async (list) => {
  const find = (domain: unknown[]) => admin.value('res.partner/search', { domain });
  expect(await find([[list, 'in', ids[list]]])).toEqual([partner]);
  expect(await find([[list, 'any', [['create_uid', '!=', false]]]])).toEqual([partner]);
  expect(
    await find([
      [list, '=', false],
      ['name', 'in', ['Acme', 'Other']],
    ]),
  ).not.toContain(partner);
});

test('GraphQL filters contacts by their lists, and selects them', async () => {
  const { partners } = await queryData(
    app,
    `{ partners(where: { and: [
        { saleOrders: { some: { state: { eq: DRAFT } } } }, { opportunities: { some: { type: { eq: OPPORTUNITY } } } }
        { tickets: { some: { active: { eq: true } } } }, { tasks: { some: {} } }, { projects: { some: {} } }
      ] }) { nodes { id saleOrders { nodes { id } } tickets { totalCount } opportunities { totalCount } } } }`,
  );
  expect(partners.nodes).toEqual([
    {
      id: String(partner),
      saleOrders: { nodes: [{ id: String(ids.sale_order_ids![0]) }] },
      tickets: { totalCount: 1 },
      opportunities: { totalCount: 1 },
    },
  ]);
});

test('record rules and access rights apply to the lists', async () => {
  const seller = await addMember(app, app.main, 'seller', ['sales_team.group_sale_salesman']);
  const clerk = await addMember(app, app.main, 'clerk', ['base.group_user']);
  const vals = { user_id: app.main.user.id };
  await admin.value('sale.order/write', { ids: ids.sale_order_ids, vals });
  expect((await seller.caller.row('res.partner', partner, ['sale_order_ids'])).sale_order_ids).toEqual([]);
  const domain = [['sale_order_ids', 'any', []]];
  expect(await seller.caller.value('res.partner/search', { domain })).toEqual([]);
  const [hidden] = await clerk.caller.value('res.partner/read', { ids: [partner] });
  expect(hidden).toMatchObject(Object.fromEntries(LISTS.map((list) => [list, []])));
});
