import { beforeAll, describe, expect, it } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { createScene, type Person } from '../rights/scene.ts';

const app = setUpApp();
const scene = createScene(app);
let ann: Person;
/** A contact hidden from Ann, its child, which is hidden too, and a contact that she can read. */
let hidden: number;
let child: number;
let open: number;
/** Ann's lead, which refers to the hidden contact. */
let behind: number;
let foreign: { contact: number; key: string };

beforeAll(async () => {
  ann = await scene.addPerson('ann', [await scene.groupId('sales_team.group_sale_manager')]);
  const company = await scene.create('res.company', { name: 'Second' });
  const secret = { name: 'Hidden', email: 'm@hidden.example', company_id: company };
  hidden = await scene.create('res.partner', secret);
  open = await scene.create('res.partner', { name: 'Open', email: 'a@open.example' });
  child = await scene.create('res.partner', { name: 'Child' });
  behind = await ann.create('crm.lead', { name: 'Behind' });
  const { ctx } = app.main;
  await ctx.db.rows(
    sql`update crm_lead set partner_id = ${hidden} where workspace_id = ${ctx.workspace.id} and id = ${behind}`,
  );
  await ctx.db.rows(
    sql`update res_partner set parent_id = ${hidden} where workspace_id = ${ctx.workspace.id} and id = ${child}`,
  );
  const otherTenant = await app.tenant('other', 'apart');
  foreign = {
    contact: await createScene(app, otherTenant).create('res.partner', {
      name: 'Foreign',
      email: 'f@foreign.example',
    }),
    key: otherTenant.admin.key,
  };
});

const queryAsAnn = (query: string, variables: object = {}) =>
  postGraphql(app, query, { key: ann.key, variables });

describe('a hidden record', () => {
  it.each([
    ['by its id', () => `{ partners(where: { id: { eq: "${hidden}" } }) { totalCount nodes { id } } }`],
    [
      'by its values',
      () => '{ partners(where: { email: { startsWith: "m@hidden" } }) { totalCount nodes { id } } }',
    ],
    ['by a domain', () => `{ partners(domain: [["id", "=", ${hidden}]]) { totalCount nodes { id } } }`],
    [
      'through a relation',
      () => `{ crmLeads(where: { partner: { email: { contains: "hidden" } } }) { totalCount nodes { id } } }`,
    ],
    [
      'through an inverse relation',
      () =>
        `{ crmLeads(where: { id: { eq: "${behind}" }, not: { partner: { email: { contains: "open" } } }, partner: { id: { isNull: false } } }) { totalCount nodes { id } } }`,
    ],
    [
      'through its children',
      () => `{ partners(where: { parent: { name: { eq: "Hidden" } } }) { totalCount nodes { id } } }`,
    ],
    [
      'through a list',
      () =>
        `{ partners(where: { children: { some: { id: { eq: "${child}" } } } }) { totalCount nodes { id } } }`,
    ],
    [
      'archived or not',
      () => `{ partners(withArchived: true, where: { name: { eq: "Hidden" } }) { totalCount nodes { id } } }`,
    ],
  ])('is not found if queried %s', async (_how, query) => {
    const { data, errors } = await queryAsAnn(query());
    expect(errors).toEqual([]);
    const [page] = Object.values(data) as { totalCount: number; nodes: unknown[] }[];
    expect(page).toEqual({ totalCount: 0, nodes: [] });
  });

  it('is null as a record and as a relation', async () => {
    const { data, errors } = await queryAsAnn(
      `{ partner(id: "${hidden}") { id } crmLead(id: "${behind}") { partner { id email } } }`,
    );
    expect(errors).toEqual([]);
    expect(data).toEqual({ partner: null, crmLead: { partner: null } });
  });

  it.each(['', ', orderBy: [{ field: EMAIL }]', ', orderBy: [{ field: EMAIL, nulls: FIRST }]'])(
    "cannot be located with another user's cursor%s",
    async (orderBy) => {
      const at = `{ partners(where: { id: { eq: "${hidden}" } }${orderBy}) { edges { cursor } } }`;
      const { data } = await postGraphql(app, at, { key: app.main.admin.key });
      const [{ cursor }] = data.partners.edges;
      for (const page of [`after: "${cursor}"`, `before: "${cursor}"`]) {
        const { errors } = await queryAsAnn(`{ partners(${page}${orderBy}) { nodes { id } } }`);
        expect(errors[0]!.message).toContain('belongs to another list, sort order, user or workspace');
      }
    },
  );

  it('is invisible if it belongs to another workspace', async () => {
    for (const key of [ann.key, app.main.admin.key]) {
      const { data } = await postGraphql(
        app,
        `{ partner(id: "${foreign.contact}") { id }
          a: partners(where: { id: { eq: "${foreign.contact}" } }) { totalCount }
          b: partners(where: { children: { none: {} }, name: { eq: "Foreign" } }) { totalCount }
          c: partners(where: { parent: { id: { eq: "${foreign.contact}" } } }) { totalCount } }`,
        { key },
      );
      expect(data).toEqual({
        partner: null,
        a: { totalCount: 0 },
        b: { totalCount: 0 },
        c: { totalCount: 0 },
      });
    }
    expect(
      (await queryAsAnn(`{ partners(where: { id: { eq: "${open}" } }) { totalCount } }`)).data.partners,
    ).toEqual({
      totalCount: 1,
    });
  });
});

describe('a hidden field', () => {
  it('is null for users outside the group and listed once in the extensions', async () => {
    const query = '{ users { nodes { login text: newPassword } edges { node { newPassword } } } }';
    const { data, errors, text } = await queryAsAnn(query);
    expect(errors).toEqual([]);
    expect(data.users.nodes[0]).toEqual({ login: expect.any(String), text: null });
    expect(JSON.parse(text).extensions.hidden).toEqual(['User.newPassword']);
  });

  it('is null if it is a list', async () => {
    const [message] = await scene.admin.value('res.partner/message_post', { ids: [open], body: 'Hello' });
    const query = `{ message(id: "${message}") { id trackingValues { totalCount } } }`;
    const { data, errors, text } = await queryAsAnn(query);
    expect(errors).toEqual([]);
    expect(data.message).toEqual({ id: String(message), trackingValues: null });
    expect(JSON.parse(text).extensions.hidden).toEqual(['Message.trackingValues']);
    const response = await postGraphql(app, query, { key: app.main.admin.key });
    expect(response.data.message.trackingValues).toEqual({ totalCount: 0 });
  });

  it.each([
    ['a condition', '{ users(where: { newPassword: { eq: "x" } }) { totalCount } }'],
    ['a null condition', '{ users(where: { not: { newPassword: { isNull: true } } }) { totalCount } }'],
    [
      'a condition on a relation',
      '{ crmLeads(where: { user: { newPassword: { isNull: false } } }) { totalCount } }',
    ],
    ['a sort order', '{ users(orderBy: [{ field: NEW_PASSWORD }]) { nodes { login } } }'],
    ['a domain', '{ users(domain: [["new_password", "!=", false]]) { totalCount } }'],
  ])('is rejected in %s', async (_where, query) => {
    const { errors } = await queryAsAnn(query);
    expect(errors[0]!.extensions.code).toBe('ACCESS_ERROR');
    await queryData(app, query);
  });
});
