import { beforeAll, describe, expect, it, test } from 'vitest';
import { createKey } from '../../schema/base/keys/keys.ts';
import { setUpApp } from '../harness/app.ts';
import { type GraphqlResponse, postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';
import { createScene, type Person } from '../rights/scene.ts';

const app = setUpApp();
const scene = createScene(app);
let calls: JsonClient;
let otherTenant: Tenant;
/** A user with full access to leads of type `lead`, and to no other leads. */
let seller: Person;
let open: number;
let closed: number;

beforeAll(async () => {
  calls = createJsonClient(app);
  otherTenant = await app.tenant('other', 'apart');
  const group = await scene.addGroup('Sellers');
  await scene.grant('crm.lead', group, 'crwu');
  await scene.grant('crm.tag', group, 'r');
  await scene.grant('crm.stage', group, 'r');
  await scene.grant('crm.team', group, 'r');
  await scene.create('ir.rule', {
    name: 'leads alone',
    model_id: await scene.modelId('crm.lead'),
    groups: [[6, 0, [group]]],
    domain_force: "[('type', '=', 'lead')]",
  });
  seller = await scene.addPerson('seller', [group]);
  open = await scene.create('crm.lead', { name: 'Open', type: 'lead' });
  closed = await scene.create('crm.lead', { name: 'Closed', type: 'opportunity' });
});

const as = (key: string, query: string, variables?: object): Promise<GraphqlResponse> =>
  postGraphql(app, query, { key, variables });
const queryErrorCode = async (key: string, query: string, variables?: object): Promise<string> => {
  const { errors } = await as(key, query, variables);
  expect(errors, query).toHaveLength(1);
  return errors[0]!.extensions.code;
};
const countNamed = (name: string, model = 'crm.lead'): Promise<number> =>
  calls.value(`${model}/search_count`, { domain: [['name', '=', name]], context: { active_test: false } });

describe('model access rights', () => {
  it('are required to create, change and delete records', async () => {
    const { key } = app.main.user;
    for (const document of [
      'mutation { crmLeadCreate(input: { name: "Not mine" }) { id } }',
      'mutation { crmLeadsCreate(inputs: [{ name: "Not mine" }]) { id } }',
      `mutation { crmLeadUpdate(id: "${open}", input: { name: "Not mine" }) { id } }`,
      `mutation { crmLeadsUpdate(ids: ["${open}"], input: { name: "Not mine" }) { id } }`,
      'mutation { crmLeadsUpdate(where: { name: { eq: "Open" } }, input: { name: "Not mine" }) { id } }',
      `mutation { crmLeadDelete(id: "${open}") { count } }`,
      'mutation { crmLeadsDelete(where: { name: { eq: "Open" } }) { count } }',
    ])
      expect(await queryErrorCode(key, document), document).toBe('ACCESS_ERROR');
    expect(await countNamed('Not mine')).toBe(0);
    expect(await countNamed('Open')).toBe(1);
  });

  it('deny creating a record without read access unless only the id is selected', async () => {
    const group = await scene.addGroup('Writers alone');
    await scene.grant('crm.lost.reason', group, 'c');
    const { key } = await scene.addPerson('writer', [group]);
    const create = (selection: string) =>
      `mutation { crmLostReasonCreate(input: { name: "Blind" }) { ${selection} } }`;
    expect(await queryErrorCode(key, create('id name'))).toBe('ACCESS_ERROR');
    expect(await countNamed('Blind', 'crm.lost.reason')).toBe(0);
    const { data, errors } = await as(key, create('id __typename'));
    expect(errors).toEqual([]);
    expect(data.crmLostReasonCreate).toEqual({ id: expect.any(String), __typename: 'CrmLostReason' });
    expect(await countNamed('Blind', 'crm.lost.reason')).toBe(1);
  });

  it('apply to linked and nested records', async () => {
    const nested =
      'mutation { crmLeadCreate(input: { name: "Nested", type: LEAD, tags: { create: [{ name: "Sly" }] } }) { id } }';
    expect(await queryErrorCode(seller.key, nested)).toBe('ACCESS_ERROR');
    expect(await countNamed('Nested')).toBe(0);
    expect(await countNamed('Sly', 'crm.tag')).toBe(0);
  });

  it('deny writes to a read-only key and to a team key', async () => {
    const { key } = await createKey(app.main.ctx, {
      name: 'reads',
      userId: seller.id,
      scopes: ['read'],
      days: null,
    });
    for (const item of [key, app.main.teamKey]) {
      expect(
        await queryErrorCode(
          item,
          'mutation { crmLeadCreate(input: { name: "Scoped", type: LEAD }) { id } }',
        ),
      ).toBe('FORBIDDEN');
      expect(await queryErrorCode(item, `mutation { crmLeadsDelete(ids: ["${open}"]) { count } }`)).toBe(
        'FORBIDDEN',
      );
    }
    expect(await countNamed('Scoped')).toBe(0);
  });
});

describe('record rules on writes', () => {
  it('deny updates and deletions of hidden records by id and by condition', async () => {
    const { key } = seller;
    for (const document of [
      `mutation { crmLeadUpdate(id: "${closed}", input: { name: "Taken" }) { id } }`,
      `mutation { crmLeadsUpdate(ids: ["${open}", "${closed}"], input: { name: "Taken" }) { id } }`,
      `mutation { crmLeadDelete(id: "${closed}") { count } }`,
      `mutation { crmLeadsDelete(ids: ["${open}", "${closed}"]) { count } }`,
    ])
      expect(await queryErrorCode(key, document), document).toBe('ACCESS_ERROR');
    const { data } = await as(
      key,
      'mutation { crmLeadsUpdate(where: { name: { in: ["Open", "Closed"] } }, input: { city: "Reached" }) { name } }',
    );
    expect(data.crmLeadsUpdate).toEqual([{ name: 'Open' }]);
    const all = await calls.value('crm.lead/search_read', {
      domain: [['city', '=', 'Reached']],
      fields: ['name'],
    });
    expect(all).toEqual([{ id: open, name: 'Open' }]);
    expect(await countNamed('Taken')).toBe(0);
    // Hidden records are not counted either.
    const response = await as(
      key,
      'mutation { crmLeadsUpdate(all: true, expectCount: 1, input: { color: 2 }) { id } }',
    );
    expect(response.errors).toEqual([]);
  });

  it('apply to created records', async () => {
    const document = 'mutation { crmLeadCreate(input: { name: "Out of bounds", type: OPPORTUNITY }) { id } }';
    expect(await queryErrorCode(seller.key, document)).toBe('ACCESS_ERROR');
    expect(await countNamed('Out of bounds')).toBe(0);
    const mutation =
      'mutation { crmLeadsCreate(inputs: [{ name: "In bounds", type: LEAD }, { name: "Out of bounds", type: OPPORTUNITY }]) { id } }';
    expect(await queryErrorCode(seller.key, mutation)).toBe('ACCESS_ERROR');
    expect(await countNamed('In bounds')).toBe(0);
  });

  it('allow a write that hides the record from the caller and report this in the response', async () => {
    const lead = await scene.create('crm.lead', { name: 'Handed over', type: 'lead' });
    const update = (selection: string, type: string) =>
      `mutation { crmLeadUpdate(id: "${lead}", input: { type: ${type} }) { ${selection} } }`;
    const { errors, data } = await as(seller.key, update('id name', 'OPPORTUNITY'));
    expect(data.crmLeadUpdate ?? null).toBeNull();
    expect(errors[0]).toMatchObject({
      message: expect.stringContaining(
        `The change was made, but you may not read all records that were updated`,
      ),
      extensions: { code: 'ACCESS_ERROR' },
    });
    expect(errors[0]!.message).toContain(String(lead));
    expect((await calls.read('crm.lead', lead, ['type'])).type).toBe('opportunity');
  });

  it('deny links to records that the caller may not read', async () => {
    const group = await scene.addGroup('Own tags');
    await scene.grant('crm.lead', group, 'crwu');
    await scene.grant('crm.tag', group, 'r');
    const hiddenId = await scene.create('crm.tag', { name: 'Hidden tag' });
    await scene.create('ir.rule', {
      name: 'no hidden tags',
      model_id: await scene.modelId('crm.tag'),
      groups: [[6, 0, [group]]],
      domain_force: "[('name', '!=', 'Hidden tag')]",
    });
    const { key } = await scene.addPerson('tagger', [group]);
    for (const tags of [`{ connect: ["${hiddenId}"] }`, `{ set: ["${hiddenId}"] }`]) {
      const document = `mutation { crmLeadUpdate(id: "${open}", input: { tags: ${tags} }) { id } }`;
      expect(await queryErrorCode(key, document), document).toBe('ACCESS_ERROR');
    }
    expect((await calls.read('crm.lead', open, ['tag_ids'])).tag_ids).toEqual([]);
  });
});

describe('field access', () => {
  it("requires membership in the field's groups, both for values and for conditions", async () => {
    const group = await scene.addGroup('Catalog');
    await scene.grant('product.template', group, 'crwu');
    const portal = await scene.groupId('base.group_portal');
    const outside = await scene.addPerson('catalog-outside', [], { group_ids: [[6, 0, [portal, group]]] });
    const product = await scene.create('product.template', { name: 'Priced', standard_price: 7 });
    for (const document of [
      `mutation { productTemplateUpdate(id: "${product}", input: { standardPrice: 1 }) { id } }`,
      'mutation { productTemplateCreate(input: { name: "Cheap", standardPrice: 1 }) { id } }',
      'mutation { productTemplatesUpdate(where: { standardPrice: { gt: 1 } }, input: { name: "Found" }) { id } }',
      'mutation { productTemplatesDelete(where: { standardPrice: { gt: 1 } }) { count } }',
    ])
      expect(await queryErrorCode(outside.key, document), document).toBe('ACCESS_ERROR');
    const { data, errors } = await as(
      outside.key,
      `mutation { productTemplateUpdate(id: "${product}", input: { name: "Renamed" }) { name standardPrice } }`,
    );
    expect(errors).toEqual([]);
    expect(data.productTemplateUpdate).toEqual({ name: 'Renamed', standardPrice: null });
    expect((await calls.read('product.template', product, ['standard_price'])).standard_price).toBe(7);
  });

  it('is limited by the rights on related records', async () => {
    // A normal user cannot change users' rights through GraphQL.
    const { key, id } = app.main.user;
    const group = await scene.groupId('base.group_system');
    const document = `mutation { userUpdate(id: "${id}", input: { groups: { connect: ["${group}"] } }) { id } }`;
    expect(['ACCESS_ERROR', 'FORBIDDEN']).toContain(await queryErrorCode(key, document));
    expect((await calls.read('res.users', id, ['group_ids'])).group_ids).not.toContain(group);
  });

  it("is denied with an error at the input's path", async () => {
    const { errors } = await as(app.main.admin.key, 'mutation { crmTagCreate(input: { name: " " }) { id } }');
    expect(errors[0]!.extensions).toMatchObject({ code: 'VALIDATION' });
    const nested = await as(
      app.main.admin.key,
      'mutation { partnerCreate(input: { name: "P", children: { create: [{ name: "C", countryId: "none" }] } }) { id } }',
    );
    expect(nested.errors[0]!.extensions).toMatchObject({
      code: 'BAD_VALUE',
      argument: 'input.children.create.0.countryId',
    });
  });
});

describe('records of another workspace', () => {
  let foreign: { lead: number; tag: number; partner: number; stage: number };
  beforeAll(async () => {
    const otherClient = createJsonClient(app, otherTenant.admin.key);
    // Creates more records than this workspace contains, so that their ids do not exist in it.
    const shift = Array.from({ length: 40 }, (_, i) => ({ name: `Shift ${i}` }));
    await otherClient.value('crm.tag/create', { vals_list: shift });
    foreign = {
      lead: await otherClient.create('crm.lead', { name: 'Theirs' }),
      tag: await otherClient.create('crm.tag', { name: 'Their tag' }),
      partner: await otherClient.create('res.partner', { name: 'Their partner' }),
      stage: await otherClient.create('crm.stage', { name: 'Their stage' }),
    };
  });

  /** Returns all records of the other workspace that the attacks target. */
  const createTheirs = async (): Promise<string> => {
    const calls = createJsonClient(app, otherTenant.admin.key);
    const readRecord = (model: string, id: number) => calls.value(`${model}/read`, { ids: [id] });
    const { lead, tag, partner, stage } = foreign;
    return JSON.stringify([
      await readRecord('crm.lead', lead),
      await readRecord('crm.tag', tag),
      await readRecord('res.partner', partner),
      await readRecord('crm.stage', stage),
    ]);
  };

  test('are rejected by id in every position', async () => {
    const before = await createTheirs();
    const { lead, tag, partner, stage } = foreign;
    const attempts: [string, string][] = [
      [`crmLeadUpdate(id: "${lead}", input: { name: "Stolen" }) { id }`, 'MISSING'],
      [`crmLeadsUpdate(ids: ["${open}", "${lead}"], input: { name: "Stolen" }) { id }`, 'MISSING'],
      [`crmLeadDelete(id: "${lead}") { count }`, 'MISSING'],
      [`crmLeadsDelete(ids: ["${open}", "${lead}"]) { count }`, 'MISSING'],
      [`crmLeadUpdate(id: "${open}", input: { tags: { connect: ["${tag}"] } }) { id }`, 'VALIDATION'],
      [`crmLeadUpdate(id: "${open}", input: { tags: { set: ["${tag}"] } }) { id }`, 'VALIDATION'],
      [`crmLeadCreate(input: { name: "Stolen", tags: { connect: ["${tag}"] } }) { id }`, 'VALIDATION'],
      [`partnerCreate(input: { name: "Stolen", children: { connect: ["${partner}"] } }) { id }`, 'MISSING'],
      [
        `partnerCreate(input: { name: "Stolen", children: { create: [{ name: "Stolen", parentId: "${partner}" }] } }) { id }`,
        'GRAPHQL_VALIDATION_FAILED',
      ],
    ];
    for (const [document, expected] of attempts)
      expect(await queryErrorCode(app.main.admin.key, `mutation { ${document} }`), document).toBe(expected);
    for (const input of [`stageId: "${stage}"`, `partnerId: "${partner}"`]) {
      const { errors } = await as(
        app.main.admin.key,
        `mutation { crmLeadUpdate(id: "${open}", input: { ${input} }) { id } }`,
      );
      expect(errors, input).toHaveLength(1);
    }
    const absent = `mutation { partnerUpdate(id: "${await scene.create('res.partner', { name: 'Mine' })}", input: { children: {
      update: [{ id: "${partner}", input: { name: "Stolen" } }] } }) { id } }`;
    expect(await queryErrorCode(app.main.admin.key, absent)).toBe('MISSING');
    const where = `mutation { crmLeadsDelete(where: { id: { in: ["${lead}"] } }) { count ids } }`;
    expect((await as(app.main.admin.key, where)).data.crmLeadsDelete).toEqual({ count: 0, ids: [] });
    const tags = `mutation { crmLeadsDelete(where: { tags: { some: { id: { eq: "${tag}" } } } }) { count } }`;
    expect((await as(app.main.admin.key, tags)).data.crmLeadsDelete).toEqual({ count: 0 });
    expect(await createTheirs()).toBe(before);
    expect(await countNamed('Stolen')).toBe(0);
    expect(await countNamed('Stolen', 'res.partner')).toBe(0);
  });

  test('are not changed by an update of all records', async () => {
    const before = await createTheirs();
    const count = await calls.value('crm.tag/search_count', { domain: [] });
    const { data, errors } = await as(
      app.main.admin.key,
      `mutation { crmTagsUpdate(all: true, expectCount: ${count}, input: { color: 10 }) { id } }`,
    );
    expect(errors).toEqual([]);
    expect(data.crmTagsUpdate).toHaveLength(count);
    expect(await createTheirs()).toBe(before);
  });
});

describe('mutations', () => {
  it('are rejected without a key', async () => {
    const { errors } = await postGraphql(
      app,
      'mutation { crmLeadCreate(input: { name: "Anonymous" }) { id } }',
    );
    expect(errors[0]!.extensions.code).toBe('UNAUTHENTICATED');
    expect(await countNamed('Anonymous')).toBe(0);
  });

  it('treat invalid ids as nonexistent', async () => {
    for (const id of ['0', '-1', '1e3', ' 1', '99999999999', '2147483648', '1; drop table', '']) {
      expect(
        await queryErrorCode(app.main.admin.key, 'mutation ($id: ID!) { crmLeadDelete(id: $id) { count } }', {
          id,
        }),
        id,
      ).toBe('MISSING');
    }
  });
});
