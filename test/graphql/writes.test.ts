import type { GraphQLInputObjectType } from 'graphql';
import { beforeAll, describe, expect, it, test, vi } from 'vitest';
import { buildModelRoots, buildModelTypes } from '../../schema/graph/plan/plan.ts';
import { MAX_WRITE_DEPTH, MAX_WRITE_INPUTS } from '../../schema/graph/write/values.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { type GraphqlResponse, postGraphql, queryData } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { renderText } from '../harness/sql.ts';
import { createScene } from '../rights/scene.ts';
import { createSeededRandom } from '../rpc/seeded.ts';

const app = setUpApp();
const calls = createJsonClient(app);

const run = (query: string, variables?: object): Promise<GraphqlResponse> =>
  postGraphql(app, query, { key: app.main.admin.key, variables });

const runDone = (query: string, variables?: object) => queryData(app, query, { variables });

async function runRejected(query: string, variables?: object) {
  const { errors } = await run(query, variables);
  expect(errors, query).toHaveLength(1);
  return { code: errors[0]!.extensions.code, message: errors[0]!.message };
}

const count = (model: string, domain: unknown[]): Promise<number> =>
  calls.value(`${model}/search_count`, { domain });

describe('a single record', () => {
  it('is created, updated, deleted and returned with the selected fields', async () => {
    const created = await runDone(
      `mutation { crmLeadCreate(input: { name: "A deal", type: OPPORTUNITY, priority: HIGH, expectedRevenue: 12.5,
        dateDeadline: "2026-03-04", tags: { create: [{ name: "New" }] } })
        { id name type priority expectedRevenue dateDeadline tags { nodes { name } } createdBy { login } } }`,
    );
    const { id } = created.crmLeadCreate;
    expect(created.crmLeadCreate).toEqual({
      id: expect.stringMatching(/^\d+$/),
      name: 'A deal',
      type: 'OPPORTUNITY',
      priority: 'HIGH',
      expectedRevenue: 12.5,
      dateDeadline: '2026-03-04',
      tags: { nodes: [{ name: 'New' }] },
      createdBy: { login: 'admin' },
    });
    const updated = await runDone(
      'mutation ($id: ID!) { crmLeadUpdate(id: $id, input: { priority: null, city: "Bergen" }) { name priority city dateDeadline } }',
      { id },
    );
    expect(updated.crmLeadUpdate).toEqual({
      name: 'A deal',
      priority: null,
      city: 'Bergen',
      dateDeadline: '2026-03-04',
    });
    expect(await runDone('mutation ($id: ID!) { crmLeadDelete(id: $id) { ids count } }', { id })).toEqual({
      crmLeadDelete: { ids: [id], count: 1 },
    });
    expect(
      await runRejected('mutation ($id: ID!) { crmLeadDelete(id: $id) { count } }', { id }),
    ).toMatchObject({
      code: 'MISSING',
    });
  });

  it('is written with one statement, and read with another only if necessary', async () => {
    const create = (selection: string) =>
      `mutation { crmLostReasonCreate(input: { name: "Counted" }) { ${selection} } }`;
    const { crmLostReasonCreate: reason } = await runDone(create('id'));
    const update = (selection: string) =>
      `mutation { crmLostReasonUpdate(id: "${reason.id}", input: { name: "Again" }) { ${selection} } }`;
    const readStatements = async (query: string): Promise<number> => {
      const rows = vi.spyOn(app.runtime.db, 'rows');
      const transaction = vi.spyOn(app.runtime.db, 'transaction');
      await runDone(query);
      const useCount = rows.mock.calls.filter(([sql]) => !renderText(sql).includes('svc_api_key_use')).length;
      expect(transaction).not.toHaveBeenCalled();
      rows.mockRestore();
      transaction.mockRestore();
      return useCount;
    };
    expect(await readStatements(create('id __typename'))).toBe(1);
    expect(await readStatements(create('id name active createdAt createdById'))).toBe(1);
    expect(await readStatements(create('id displayName'))).toBe(2);
    expect(await readStatements(update('id'))).toBe(1);
    expect(await readStatements(update('name active updatedAt'))).toBe(1);
    expect(await readStatements(update('name createdBy { id login }'))).toBe(2);
  });

  it('is returned with the changes of earlier fields in the same document', async () => {
    const { partnerCreate: parent } = await runDone(
      'mutation { partnerCreate(input: { name: "Above" }) { id } }',
    );
    const data = await runDone(
      `mutation ($id: ID!) {
        a: partnerUpdate(id: $id, input: { children: { create: [{ name: "One" }] } }) { children { nodes { name } } }
        b: partnerUpdate(id: $id, input: { children: { create: [{ name: "Two" }] } }) { children { nodes { name } } }
      }`,
      { id: parent.id },
    );
    expect(data.a.children.nodes.map((node: { name: string }) => node.name)).toEqual(['One']);
    expect(data.b.children.nodes.map((node: { name: string }) => node.name)).toEqual(['One', 'Two']);
  });

  it('is rejected before execution if a required value is missing or a value is invalid', async () => {
    for (const input of [
      '{ color: 1 }',
      '{ name: null }',
      '{ name: "A", color: "red" }',
      '{ name: "A", id: 7 }',
      '{ name: "A", createdAt: "2026-01-01T00:00:00Z" }',
    ]) {
      const { code } = await runRejected(`mutation { crmTagCreate(input: ${input}) { id } }`);
      expect(code, input).toBe('GRAPHQL_VALIDATION_FAILED');
    }
    const enums = 'mutation ($type: CrmLeadType) { crmLeadCreate(input: { name: "A", type: $type }) { id } }';
    for (const type of ['opportunity', 'NOTHING', 1])
      expect((await run(enums, { type })).errors, String(type)).toHaveLength(1);
    expect(
      await runRejected('mutation { crmTagUpdate(id: "nowhere", input: { color: 1 }) { id } }'),
    ).toMatchObject({
      code: 'MISSING',
    });
    expect(
      await runRejected('mutation { crmLeadCreate(input: { name: "A", stageId: "x" }) { id } }'),
    ).toEqual({
      code: 'BAD_VALUE',
      message: `Invalid value for the argument 'input.stageId': "x" is the id of no crm.stage record`,
    });
    const required = await runRejected('mutation { crmTagUpdate(id: "1", input: { name: null }) { id } }');
    expect(required.code).toBe('VALIDATION');
  });
});

describe('multiple records', () => {
  const buildNames = (prefix: string, n: number) =>
    Array.from({ length: n }, (_, i) => ({ name: `${prefix} ${i}` }));
  const createTags = async (prefix: string, n: number): Promise<string[]> => {
    const query = 'mutation ($inputs: [CrmTagCreateInput!]!) { crmTagsCreate(inputs: $inputs) { id name } }';
    const { crmTagsCreate } = await runDone(query, { inputs: buildNames(prefix, n) });
    expect(crmTagsCreate.map((tag: { name: string }) => tag.name)).toEqual(
      buildNames(prefix, n).map((name) => name.name),
    );
    return crmTagsCreate.map((tag: { id: string }) => tag.id);
  };

  it('are created atomically and in input order', async () => {
    await createTags('Many', 5);
    const query = 'mutation ($inputs: [CrmTagCreateInput!]!) { crmTagsCreate(inputs: $inputs) { id } }';
    expect((await runRejected(query, { inputs: [{ name: 'Half done' }, { name: '  ' }] })).code).toBe(
      'VALIDATION',
    );
    expect(await count('crm.tag', [['name', '=', 'Half done']])).toBe(0);
    expect(
      await runRejected(query, { inputs: buildNames('Too many', limits.graphql.writes + 1) }),
    ).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(String(limits.graphql.writes)),
    });
    expect(await runDone(query, { inputs: [] })).toEqual({ crmTagsCreate: [] });
  });

  it('are updated atomically by their ids', async () => {
    const ids = await createTags('ById', 3);
    const query = 'mutation ($ids: [ID!]) { crmTagsUpdate(ids: $ids, input: { color: 7 }) { id color } }';
    expect(await runDone(query, { ids })).toEqual({ crmTagsUpdate: ids.map((id) => ({ id, color: 7 })) });
    const secondMutation = 'mutation ($ids: [ID!]) { crmTagsUpdate(ids: $ids, input: { color: 11 }) { id } }';
    expect((await runRejected(secondMutation, { ids: [ids[0], '2000000011'] })).code).toBe('MISSING');
    expect(await count('crm.tag', [['color', '=', 11]])).toBe(0);
  });

  it('are updated and deleted by conditions', async () => {
    const ids = await createTags('ByWhere', 4);
    const where = '{ name: { startsWith: "ByWhere" } }';
    const updated = await runDone(
      `mutation { crmTagsUpdate(where: ${where}, input: { color: 5 }) { id color } }`,
    );
    expect(updated.crmTagsUpdate).toEqual(ids.map((id) => ({ id, color: 5 })));
    const response = await runRejected(
      `mutation { crmTagsDelete(where: ${where}, expectCount: 5) { count } }`,
    );
    expect(response).toEqual({
      code: 'STALE',
      message: 'The selection has 4 records, but 5 were expected. Nothing was changed.',
    });
    expect(await count('crm.tag', [['name', '=like', 'ByWhere%']])).toBe(4);
    const deleted = await runDone(
      `mutation { crmTagsDelete(where: ${where}, expectCount: 4) { ids count } }`,
    );
    expect(deleted.crmTagsDelete).toEqual({ ids, count: 4 });
    const none = await runDone(`mutation { crmTagsDelete(where: ${where}, expectCount: 0) { ids count } }`);
    expect(none.crmTagsDelete).toEqual({ ids: [], count: 0 });
  });

  it.each(['', 'where: null', 'ids: null', 'all: false', 'all: null'])(
    'are not changed without ids, a condition or `all` (%s), even with the correct expectCount',
    async (choice) => {
      const before = await count('crm.tag', []);
      const setDoc = (extra: string) =>
        `mutation { crmTagsUpdate(${choice} ${extra} input: { color: 9 }) { id } }`;
      expect((await runRejected(setDoc(''))).code).toBe('BAD_REQUEST');
      expect((await runRejected(setDoc(`expectCount: ${before}`))).message).toContain('`all: true`');
      expect((await runRejected(`mutation { crmTagsDelete${choice && `(${choice})`} { count } }`)).code).toBe(
        'BAD_REQUEST',
      );
      expect(await count('crm.tag', [['color', '=', 9]])).toBe(0);
    },
  );

  it('are changed with `all`, unless `expectCount` is wrong', async () => {
    const before = await count('crm.tag', []);
    expect(
      (
        await runRejected(
          `mutation { crmTagsUpdate(all: true, expectCount: ${before + 1}, input: { color: 9 }) { id } }`,
        )
      ).message,
    ).toContain(`The selection has ${before} records`);
    const { crmTagsUpdate } = await runDone(
      'mutation { crmTagsUpdate(all: true, input: { color: 9 }) { id } }',
    );
    expect(crmTagsUpdate).toHaveLength(before);
    await runDone(
      `mutation { crmTagsUpdate(all: true, expectCount: ${before}, input: { color: 0 }) { id } }`,
    );
  });

  describe('empty conditions', () => {
    /** Positions of a condition: `_` on a lead, `%` on a stage or a tag. */
    const PLACES = [
      '_',
      '{ color: { eq: 0 }, and: [_] }',
      '{ and: [{ color: { eq: 0 } }, _] }',
      '{ or: [{ color: { eq: 99 } }, _] }',
      '{ not: _ }',
      '{ not: { not: _ } }',
      '{ stage: % }',
      '{ tags: { some: % } }',
      '{ tags: { none: % } }',
      '{ tags: { every: % } }',
      '{ or: [{ color: { eq: 99 } }, { stage: % }] }',
      '{ tags: { none: { not: % } } }',
    ];
    const EMPTY = [
      '{}',
      '{ name: {} }',
      '{ name: { eq: $text } }',
      '{ name: { ne: "x", contains: $text } }',
      '{ name: { in: [] } }',
      '{ name: { notIn: [] } }',
      '{ name: { notIn: $texts } }',
      '{ name: { contains: "" } }',
      '{ name: { contains: "\u0301", ignoreAccents: true } }',
      '{ name: { startsWith: "" } }',
      '{ name: { endsWith: "" } }',
      '{ name: { like: "%%" } }',
      '{ name: { like: "%_%" } }',
      '{ name: { ne: "" } }',
      '{ name: { notIn: [""] } }',
      '{ name: { gt: "" } }',
      '{ name: { gte: "" } }',
      '{ not: { name: { lt: "" } } }',
      '{ not: { name: { eq: "" } } }',
      '{ displayName: { ne: "" } }',
      '{ name: { ignoreCase: true } }',
      '{ name: { isNull: null } }',
      '{ id: { isNull: false } }',
      '{ id: { ne: null } }',
      '{ and: [] }',
      '{ or: [] }',
      '{ or: [{}] }',
      '{ not: {} }',
      '{ id: $id }',
      '{ or: [{ name: { eq: "x" } }, { name: { ne: "x" } }] }',
      '{ or: [{ name: { lt: "x" } }, { name: { gte: "x" } }] }',
      '{ or: [{ name: { contains: "x" } }, { not: { name: { contains: "x" } } }] }',
      '{ or: [{ name: { eq: "a" } }, { color: { eq: 1 } }, { not: { color: { in: [1, 2] } } }, { color: { eq: 2 } }] }',
      '{ or: [{ createdBy: null }, { name: { eq: "x" } }, { not: { createdBy: null } }] }',
      '{ not: { and: [{ name: { eq: "x" } }, { name: { eq: "y" } }] } }',
      '{ not: { color: { gt: 2, lt: 3 } } }',
      '{ or: [{ createdAt: { gt: "2026-01-01T00:00:00Z" } }, { createdAt: { lte: "2026-01-01T00:00:00Z" } }] }',
      '{ id: { ne: "-5" } }',
      '{ version: { gte: 0 } }',
    ];

    it.each(EMPTY)('%s is rejected in any position', async (empty) => {
      const before = await count('crm.lead', []);
      await calls.create('crm.lead', { name: 'Kept' });
      for (const place of PLACES) {
        const where = place.replace(/[_%]/, empty);
        const used = Object.entries({ text: 'String', texts: '[String!]', id: 'IDFilter' }).filter(([name]) =>
          new RegExp(`\\$${name}\\b`).test(where),
        );
        const head = used.length ? `(${used.map(([name, type]) => `$${name}: ${type}`).join(', ')})` : '';
        for (const doc of [
          `mutation ${head} { crmLeadsUpdate(where: ${where}, input: { color: 99 }) { id } }`,
          `mutation ${head} { crmLeadsDelete(where: ${where}, expectCount: ${before + 1}) { count } }`,
        ])
          expect((await runRejected(doc, {})).code, doc).toBe('BAD_VALUE');
      }
      expect(await count('crm.lead', [])).toBe(before + 1);
      expect(await count('crm.lead', [['color', '=', 99]])).toBe(0);
    });

    it.each([
      { stage: { name: {} } },
      { stage: { name: { eq: undefined } } },
      { tags: { every: {} } },
      { tags: {} },
      { or: [{ name: { eq: 'Kept' } }, {}] },
      {},
    ])('are rejected in a variable: %j', async (where) => {
      const doc =
        'mutation ($where: CrmLeadWhere) { crmLeadsUpdate(where: $where, input: { color: 99 }) { id } }';
      expect((await runRejected(doc, { where })).code).toBe('BAD_VALUE');
      expect(await count('crm.lead', [['color', '=', 99]])).toBe(0);
    });

    it.each([
      '{ not: { partner: null } }',
      '{ not: { partnerId: { eq: $id } } }',
      '{ not: { or: [{ partner: null }, { company: null }] } }',
      '{ orderLines: { none: { order: null } } }',
      '{ or: [{ name: { eq: "none" } }, { not: { currency: null } }] }',
      '{ clientOrderRef: { gte: "" } }',
      '{ id: { ne: "0" } }',
      '{ not: { id: null } }',
      '{ pricelistId: { notIn: ["0"] } }',
      '{ state: { in: [DRAFT, SENT, SALE, CANCEL] } }',
      '{ not: { clientOrderRef: { lt: "" } } }',
    ])('%s is rejected, because it is true for every order', async (where) => {
      const before = await count('sale.order', []);
      await calls.create('sale.order', { partner_id: await calls.create('res.partner', { name: 'Kept' }) });
      const doc = `mutation ${where.includes('$id') ? '($id: ID)' : ''} {
        saleOrdersDelete(where: ${where}, expectCount: ${before + 1}) { count }
      }`;
      expect((await runRejected(doc, { id: null })).code).toBe('BAD_VALUE');
      expect(await count('sale.order', [])).toBe(before + 1);
    });

    it.each([
      '{ or: [{ active: { eq: true } }, { active: { eq: false } }] }',
      '{ or: [{ type: { eq: LEAD } }, { type: { eq: OPPORTUNITY } }] }',
      '{ or: [{ dateDeadline: { isNull: true } }, { dateDeadline: { isNull: false } }] }',
      '{ or: [{ leadProperties: { isNull: true } }, { leadProperties: { isNull: false } }] }',
      '{ or: [{ tags: { some: { name: { eq: "x" } } } }, { tags: { none: { name: { eq: "x" } } } }] }',
      '{ or: [{ country: null }, { country: { code: { eq: "x" } } }, { country: { code: { ne: "x" } } }] }',
      '{ not: { probability: { between: [5, 1] } } }',
      '{ tags: { none: { and: [{ name: { eq: "a" } }, { name: { eq: "b" } }] } } }',
    ])('%s is rejected, because it is true for every lead', async (where) => {
      const doc = `mutation { crmLeadsUpdate(where: ${where}, input: { color: 99 }) { id } }`;
      expect((await runRejected(doc)).code).toBe('BAD_VALUE');
    });

    it.each([
      '{ or: [{ type: { eq: LEAD } }, { active: { eq: true } }] }',
      '{ or: [{ color: { lt: 2 } }, { color: { gt: 2 } }] }',
      '{ or: [{ expectedRevenue: { lte: 2 } }, { expectedRevenue: { gte: 3 } }] }',
      '{ or: [{ dateDeadline: { lt: "2026-01-01" } }, { dateDeadline: { gte: "2026-01-01" } }] }',
      '{ or: [{ city: { eq: "x" } }, { city: { ne: "y" }, name: { eq: "z" } }] }',
      '{ or: [{ tags: { some: { name: { eq: "x" } } } }, { tags: { some: { name: { ne: "x" } } } }] }',
      '{ or: [{ city: { lt: "a" } }, { city: { gte: "B" } }] }',
      '{ not: { stage: null } }',
    ])('%s is accepted, because it restricts the records', async (where) => {
      const doc = `mutation { crmLeadsUpdate(where: ${where}, expectCount: 100000, input: { color: 99 }) { id } }`;
      expect((await runRejected(doc)).code).toBe('STALE');
    });

    it('includes a variable without a value for the whole filter', async () => {
      const doc = `mutation ($where: CrmLeadWhere) { crmLeadsDelete(where: $where) { count } }`;
      for (const variables of [{}, { where: null }])
        expect((await runRejected(doc, variables)).code).toBe('BAD_VALUE');
    });

    it('are reported with their path and a hint', async () => {
      const { message } = await runRejected(
        'mutation ($n: String) { crmLeadsUpdate(where: { stage: { name: { eq: $n } } }, input: { color: 2 }) { id } }',
      );
      expect(message).toBe(
        '`where.stage.name.eq` does not limit which records are changed: the variable $n has no value. Omit it, ' +
          'or pass `all: true` instead of `where` if you mean all records.',
      );
    });

    it('reject `contains` on properties, which are no JSON to clients', async () => {
      for (const value of ['{ a: 1 }', '{}', '[]', '"x"'])
        for (const doc of [
          `{ crmLeads(where: { leadProperties: { contains: ${value} } }) { totalCount } }`,
          `mutation { crmLeadsDelete(where: { leadProperties: { contains: ${value} } }) { count } }`,
        ])
          expect((await runRejected(doc)).code, doc).toBe('BAD_VALUE');
    });

    it('match every record in a list query', async () => {
      const all = await count('crm.lead', []);
      const list =
        '($n: String) { crmLeads(where: { stage: { name: { eq: $n } }, name: { contains: $n } }) { totalCount } }';
      const stagedCount = await count('crm.lead', [['stage_id', '!=', false]]);
      expect((await runDone(`query ${list}`, {})).crmLeads.totalCount).toBe(stagedCount);
      const open = '{ crmLeads(where: { or: [{ name: { eq: "nobody" } }, {}] }) { totalCount } }';
      expect((await runDone(open)).crmLeads.totalCount).toBe(all);
    });

    it('are distinguished from conditions that limit the records', async () => {
      for (const where of [
        '{ city: { isNull: true }, name: { eq: "nobody" } }',
        '{ not: { stage: null }, name: { eq: "nobody" } }',
        '{ user: null, or: [{ name: { eq: "nobody" } }, { name: { eq: "none" } }] }',
        '{ tags: { none: { name: { eq: "x" } } }, not: { name: { ne: "nobody" } } }',
      ]) {
        const { crmLeadsUpdate } = await runDone(
          `mutation { crmLeadsUpdate(where: ${where}, input: { color: 1 }) { id } }`,
        );
        expect(crmLeadsUpdate).toEqual([]);
      }
    });
  });

  it('rejects ids together with conditions', async () => {
    const { code } = await runRejected(
      'mutation { crmTagsDelete(ids: ["1"], where: { color: { eq: 1 } }) { count } }',
    );
    expect(code).toBe('BAD_REQUEST');
  });

  it('rejects mutations that match too many records', async () => {
    const rows = Array.from({ length: limits.graphql.writes + 1 }, (_, i) => ({ name: `Crowd ${i}` }));
    await calls.value('crm.tag/create', { vals_list: rows });
    const where = '{ name: { startsWith: "Crowd" } }';
    expect((await runRejected(`mutation { crmTagsDelete(where: ${where}) { count } }`)).message).toContain(
      String(limits.graphql.writes),
    );
    expect(await count('crm.tag', [['name', '=like', 'Crowd%']])).toBe(rows.length);
  });
});

describe('lists in inputs', () => {
  const children = '{ id children(orderBy: [{ field: NAME }]) { nodes { id name } } }';
  const buildFamily = (record: { children: { nodes: { name: string }[] } }) =>
    record.children.nodes.map(({ name }) => name);

  it('create, update, detach and delete lines', async () => {
    const partner = await runDone(
      `mutation { partnerCreate(input: { name: "Firm", children: { create: [{ name: "A" }, { name: "B" }, { name: "C" }] } }) ${children} }`,
    );
    const { id, children: list } = partner.partnerCreate;
    const [a, b, c] = list.nodes.map((node: { id: string }) => node.id);
    const query = `mutation ($id: ID!, $children: PartnerChildrenListUpdateInput) {
      partnerUpdate(id: $id, input: { children: $children }) ${children} }`;
    const update = async (changes: object | null) =>
      (await runDone(query, { id, children: changes })).partnerUpdate;
    const changed = await update({
      update: [{ id: a, input: { name: 'A2' } }],
      delete: [b],
      create: [{ name: 'D', children: { create: [{ name: 'Below' }] } }],
    });
    expect(buildFamily(changed)).toEqual(['A2', 'C', 'D']);
    expect(await count('res.partner', [['id', '=', Number(b)]])).toBe(0);
    expect(buildFamily(await update({ disconnect: [c] }))).toEqual(['A2', 'D']);
    expect(buildFamily(await update({ connect: [c] }))).toEqual(['A2', 'C', 'D']);
    expect(buildFamily(await update({ set: [a] }))).toEqual(['A2']);
    expect((await runRejected(query, { id, children: null })).code).toBe('BAD_REQUEST');
    expect(await count('res.partner', [['id', '=', Number(c)]])).toBe(1);
  });

  it('offer create, update and delete for dependent lines, whose inputs have no parent field', async () => {
    const buildFields = (name: string) =>
      Object.keys((app.runtime.schema.getType(name) as GraphQLInputObjectType).getFields());
    expect(buildFields('SaleOrderOrderLinesListUpdateInput')).toEqual(['delete', 'update', 'create']);
    expect(buildFields('SaleOrderOrderLinesListNewInput')).not.toContain('orderId');
    expect(buildFields('SaleOrderLineCreateInput')).toContain('orderId');
  });

  it('link and unlink records', async () => {
    const tags = '{ id tags { nodes { name } } }';
    const { a, b } = await runDone(
      'mutation { a: crmTagCreate(input: { name: "Tag a" }) { id } b: crmTagCreate(input: { name: "Tag b" }) { id } }',
    );
    const lead = await runDone(
      `mutation ($a: ID!) { crmLeadCreate(input: { name: "Tagged", tags: { connect: [$a], create: [{ name: "Tag c" }] } }) ${tags} }`,
      { a: a.id },
    );
    const query = `mutation ($id: ID!, $tags: CrmTagLinksUpdateInput) { crmLeadUpdate(id: $id, input: { tags: $tags }) ${tags} }`;
    const { id } = lead.crmLeadCreate;
    const readNow = async (changes: object | null): Promise<string[]> =>
      (await runDone(query, { id, tags: changes })).crmLeadUpdate.tags.nodes
        .map((tag: { name: string }) => tag.name)
        .sort();
    expect(await readNow({})).toEqual(['Tag a', 'Tag c']);
    expect(await readNow({ disconnect: [a.id], connect: [b.id] })).toEqual(['Tag b', 'Tag c']);
    expect(await readNow({ set: [a.id] })).toEqual(['Tag a']);
    expect(await readNow(null)).toEqual([]);
    const absent = await runRejected(query, { id, tags: { connect: ['2000000011'] } });
    expect(absent.code).toBe('VALIDATION');
  });

  it('are limited in depth and number', async () => {
    const buildNested = (depth: number): object => ({
      name: 'Deep',
      ...(depth > 0 && { children: { create: [buildNested(depth - 1)] } }),
    });
    const query = 'mutation ($input: PartnerCreateInput!) { partnerCreate(input: $input) { id } }';
    await runDone(query, { input: buildNested(MAX_WRITE_DEPTH) });
    const before = await count('res.partner', []);
    expect(await runRejected(query, { input: buildNested(MAX_WRITE_DEPTH + 1) })).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining(String(MAX_WRITE_DEPTH)),
    });
    const inputs = Array.from({ length: MAX_WRITE_INPUTS }, () => ({ name: 'Wide' }));
    expect(await runRejected(query, { input: { name: 'Wide', children: { create: inputs } } })).toMatchObject(
      {
        code: 'BAD_REQUEST',
        message: expect.stringContaining(String(MAX_WRITE_INPUTS)),
      },
    );
    expect(await count('res.partner', [])).toBe(before);
  });
});

describe('input values', () => {
  it('can be base64 content', async () => {
    const content = Buffer.from('What is in the file');
    const { attachmentId } = await createWithImage('Attachment', {
      name: 'a.txt',
      datas: content.toString('base64'),
    });
    const { datas, file_size } = await calls.read('ir.attachment', attachmentId, ['datas', 'file_size']);
    expect(Buffer.from(datas, 'base64')).toEqual(content);
    expect(file_size).toBe(content.length);
  });

  it('can be converted to other fields by hooks', async () => {
    const { productProductCreate: product } = await runDone(
      'mutation { productProductCreate(input: { name: "Lamp", listPrice: 20 }) { id name listPrice } }',
    );
    expect(product).toMatchObject({ name: 'Lamp', listPrice: 20 });
    const { productProductUpdate } = await runDone(
      `mutation { productProductUpdate(id: "${product.id}", input: { name: "Lantern" }) { name } }`,
    );
    expect(productProductUpdate.name).toBe('Lantern');
  });

  it('can be the public id of a related record', async () => {
    const country = app.runtime.registry.get('res.country')!;
    const { graph } = country.options;
    country.options.graph = { type: 'ResCountry', one: 'resCountry', many: 'resCountries', key: 'code' };
    try {
      const { partnerCreate } = await runDone(
        'mutation { partnerCreate(input: { name: "N", countryId: "NO" }) { id } }',
      );
      const { country_id } = await calls.row('res.partner', Number(partnerCreate.id), ['country_id']);
      expect(country_id[1]).toBe('Norway');
      const response = await runRejected(
        'mutation { partnerCreate(input: { name: "N", countryId: "165" }) { id } }',
      );
      expect(response.code).toBe('BAD_VALUE');
    } finally {
      country.options.graph = graph;
    }
  });

  async function createWithImage(type: string, input: object): Promise<{ attachmentId: number }> {
    const mutationName = `${type[0]!.toLowerCase()}${type.slice(1)}Create`;
    const data = await runDone(
      `mutation ($input: ${type}CreateInput!) { ${mutationName}(input: $input) { id } }`,
      {
        input,
      },
    );
    return { attachmentId: Number(data[mutationName].id) };
  }
});

describe('random inputs', () => {
  const random = createSeededRandom(20_261_122);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  /** Name and value in GraphQL, and in the record API. */
  type Pair = [graph: [string, unknown], record: [string, unknown]];

  const buildValue =
    (graph: string, record: string, choices: readonly (readonly [unknown, unknown])[]) => (): Pair => {
      const [input, command] = pick(choices);
      return [
        [graph, input],
        [record, command],
      ];
    };
  const toPairs = (...values: unknown[]): (readonly [unknown, unknown])[] =>
    values.map((value) => [value, value === null ? false : value] as const);

  let makers: (() => Pair)[];
  let tagIds: number[];
  beforeAll(async () => {
    const { create } = calls;
    tagIds = [await create('crm.tag', { name: 'r1' }), await create('crm.tag', { name: 'r2' })];
    const partner = await create('res.partner', { name: 'Random' });
    const [stage] = await calls.value('crm.stage/search', { domain: [], limit: 1 });
    const buildIds = (id: number) => [[null, false] as const, [String(id), id] as const];
    makers = [
      buildValue('name', 'name', toPairs('One', ' two ', 'drei & <b>', "l'été 100%")),
      buildValue('type', 'type', [
        ['LEAD', 'lead'],
        ['OPPORTUNITY', 'opportunity'],
      ]),
      buildValue('priority', 'priority', [
        [null, false],
        ['LOW', '0'],
        ['VERY_HIGH', '3'],
      ]),
      buildValue('expectedRevenue', 'expected_revenue', toPairs(0, 12.345, 1e9, null)),
      buildValue('probability', 'probability', toPairs(0, 33.3, 100)),
      buildValue('color', 'color', toPairs(0, 5, null)),
      buildValue('active', 'active', toPairs(true, false)),
      buildValue('dateDeadline', 'date_deadline', toPairs('2026-02-28', null)),
      buildValue('description', 'description', toPairs('<p>Hi</p><script>no</script>', '', null)),
      buildValue('emailFrom', 'email_from', toPairs('A <a@b.example>', '', null)),
      buildValue('city', 'city', toPairs('Oslo', '', null)),
      buildValue('partnerId', 'partner_id', buildIds(partner)),
      buildValue('stageId', 'stage_id', buildIds(stage)),
    ];
  });

  const buildInputs = (
    withTags: (graph: Record<string, unknown>, record: Record<string, unknown>) => void,
  ) => {
    const inputs = makers.filter(() => random() < 0.45).map((make) => make());
    const graph = Object.fromEntries(inputs.map(([input]) => input));
    const record = Object.fromEntries(inputs.map(([, command]) => command));
    if (random() < 0.6) withTags(graph, record);
    return { graph, record };
  };

  const addNewTags = (graph: Record<string, unknown>, record: Record<string, unknown>) => {
    const ids = tagIds.filter(() => random() < 0.5);
    const name = `made ${Math.floor(random() * 1e9)}`;
    graph.tags = { connect: ids.map(String), create: [{ name: `${name} here` }] };
    record.tag_ids = [...ids.map((id) => [4, id]), [0, 0, { name: `${name} there` }]];
  };
  const addTagCommands = (graph: Record<string, unknown>, record: Record<string, unknown>) => {
    const [first, second] = tagIds as [number, number];
    const [input, command] = pick([
      [{ set: [String(first)] }, [[6, 0, [first]]]],
      [
        { disconnect: [String(first)], connect: [String(second)] },
        [
          [3, first],
          [4, second],
        ],
      ],
      [null, [[5]]],
      [{}, []],
    ] as const);
    graph.tags = input;
    record.tag_ids = command;
  };

  const MOMENTS = new Set(
    ['create_date', 'write_date', 'date_open', 'date_closed', 'date_conversion'].concat(
      'id',
      'date_last_stage_update',
    ),
  );

  /** Returns the stored values. Creation times differ, so they are reduced to whether they are set. */
  async function readStored(id: number): Promise<object> {
    const [row] = await calls.value('crm.lead/read', { ids: [id], context: { active_test: false } });
    const tags: { name: string }[] = await calls.value('crm.tag/read', {
      ids: row.tag_ids,
      fields: ['name'],
    });
    const facts = Object.entries(row).map(([name, value]) => [
      name,
      MOMENTS.has(name) ? Boolean(value) : value,
    ]);
    const names = tags.map(({ name }) => name.replace(/ here| there/, '')).sort();
    return { ...Object.fromEntries(facts), tag_ids: names };
  }

  const FIELDS = `name type priority expectedRevenue probability color active dateDeadline description emailFrom city
    partnerId stageId createdAt updatedAt createdById dateLastStageUpdate`;

  test('have the same effect as record API calls', {
    timeout: 180_000,
  }, async () => {
    const create = `mutation ($input: CrmLeadCreateInput!) { crmLeadCreate(input: $input) { id ${FIELDS} } }`;
    const update = `mutation ($id: ID!, $input: CrmLeadUpdateInput!) { crmLeadUpdate(id: $id, input: $input) { id ${FIELDS} } }`;
    const readLead = async (id: number) =>
      (await runDone(`query ($id: ID!) { crmLead(id: $id) { id ${FIELDS} } }`, { id })).crmLead;
    for (let round = 0; round < 4; round++) {
      const { graph, record } = buildInputs(addNewTags);
      const { crmLeadCreate } = await runDone(create, { input: { name: 'Random', ...graph } });
      const otherId = await calls.create('crm.lead', { name: 'Random', ...record });
      const id = Number(crmLeadCreate.id);
      expect(await readStored(id), JSON.stringify(graph)).toEqual(await readStored(otherId));
      // The response of the mutation equals the stored record.
      expect(crmLeadCreate).toEqual(await readLead(id));
      for (let change = 0; change < 2; change++) {
        const next = buildInputs(addTagCommands);
        const { crmLeadUpdate } = await runDone(update, { id, input: next.graph });
        await calls.value('crm.lead/write', { ids: [otherId], vals: next.record });
        expect(await readStored(id), JSON.stringify(next.graph)).toEqual(await readStored(otherId));
        expect(crmLeadUpdate).toEqual(await readLead(id));
      }
    }
  });
});

describe('custom models and fields', () => {
  it('are written like all other models and fields', async () => {
    const scene = createScene(app);
    const internal = await scene.groupId('base.group_user');
    await scene.addModel(
      'x_ship',
      [
        { name: 'x_tonnage', ttype: 'integer' },
        { name: 'x_flag', ttype: 'selection', selection: "[('no', 'Norway'), ('dk', 'Denmark')]" },
        { name: 'x_owner_id', ttype: 'many2one', relation: 'res.partner' },
        { name: 'x_tag_ids', ttype: 'many2many', relation: 'crm.tag' },
      ],
      internal,
    );
    const partner = await scene.modelId('res.partner');
    await scene.create('ir.model.fields', { model_id: partner, name: 'x_rank', ttype: 'integer' });
    await scene.create('ir.model.fields', {
      model_id: partner,
      name: 'x_ship_ids',
      ttype: 'one2many',
      relation: 'x_ship',
      relation_field: 'x_owner_id',
    });
    const owner = await runDone(
      `mutation { partnerCreate(input: { name: "Owner", xRank: 3,
        xShips: { create: [{ xName: "Fram", xTonnage: 402, xFlag: NO, xTags: { create: [{ name: "wood" }] } }] } })
        { id xRank xShips { nodes { id xName xFlag xTags { nodes { name } } } } } }`,
    );
    const { id, xRank, xShips } = owner.partnerCreate;
    expect({ xRank, xShips }).toEqual({
      xRank: 3,
      xShips: {
        nodes: [{ id: expect.any(String), xName: 'Fram', xFlag: 'NO', xTags: { nodes: [{ name: 'wood' }] } }],
      },
    });
    const { xShipUpdate } = await runDone(
      `mutation { xShipUpdate(id: "${xShips.nodes[0].id}", input: { xFlag: DK, xTonnage: null, xOwnerId: "${id}" })
        { xFlag xTonnage xOwner { name } } }`,
    );
    expect(xShipUpdate).toEqual({ xFlag: 'DK', xTonnage: 0, xOwner: { name: 'Owner' } });
    const { xShipsDelete } = await runDone(
      'mutation { xShipsDelete(where: { xName: { eq: "Fram" } }) { count } }',
    );
    expect(xShipsDelete).toEqual({ count: 1 });
    expect((await runRejected('mutation { xShipCreate(input: { xFlag: SE }) { id } }')).code).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    );
  });
});

describe('generated schema', () => {
  it('uses no name twice', () => {
    const { registry } = app.runtime;
    const models = [...registry.values()];
    const types = models.flatMap((model) => buildModelTypes(model).map(({ name }) => name));
    const sharedExp = /^EmailStatus(?:Filter)?$/;
    expect(types.filter((name, index) => types.indexOf(name) !== index && !sharedExp.test(name))).toEqual([]);
    for (const kind of ['query', 'mutation'] as const) {
      const roots = models.flatMap((model) => buildModelRoots(model)[kind].map(({ name }) => name));
      expect(roots.filter((name, index) => roots.indexOf(name) !== index)).toEqual([]);
    }
  });

  it('contains no readonly, computed, secret or log field in inputs', () => {
    const buildFields = (name: string) =>
      Object.keys((app.runtime.schema.getType(name) as GraphQLInputObjectType).getFields());
    const lead = buildFields('CrmLeadUpdateInput');
    for (const name of [
      'id',
      'createdAt',
      'updatedById',
      'displayName',
      'phoneSanitized',
      'messages',
      'wonStatus',
    ])
      expect(lead).not.toContain(name);
    expect(buildFields('UserUpdateInput')).not.toContain('password');
    expect(buildFields('PartnerCreateInput')).not.toContain('image128');
  });
});

describe('lines of another record', () => {
  const createPartner = async (name: string, overrides: object = {}) =>
    calls.create('res.partner', { name, ...overrides });
  const update = (id: number, children: string) =>
    run(`mutation { partnerUpdate(id: "${id}", input: { name: "Changed", children: ${children} }) { id } }`);

  it('cannot be changed, deleted or detached, and roll back the whole input', async () => {
    const [one, two] = [await createPartner('One'), await createPartner('Two')];
    const [ownLine, strange] = [
      await createPartner('Own', { parent_id: one }),
      await createPartner('Strange', { parent_id: two }),
    ];
    const foreignId = await createScene(app, await app.tenant('lines')).create('res.partner', {
      name: 'Foreign',
    });
    for (const [children, argument] of [
      [`{ delete: ["${ownLine}", "${strange}"] }`, 'delete.1'],
      [`{ delete: ["${foreignId}"] }`, 'delete.0'],
      [`{ disconnect: ["${strange}"] }`, 'disconnect.0'],
      [`{ update: [{ id: "${strange}", input: { name: "Mine" } }] }`, 'update.0.id'],
      [
        `{ update: [{ id: "${ownLine}", input: { children: { delete: ["${strange}"] } } }] }`,
        'update.0.input.children.delete.0',
      ],
    ] as const) {
      const { errors } = await update(one, children);
      expect(errors, children).toHaveLength(1);
      expect(errors[0]!.extensions, children).toMatchObject({
        code: 'MISSING',
        argument: `input.children.${argument}`,
      });
    }
    expect(
      await calls.value('res.partner/read', {
        ids: [one, ownLine, strange],
        fields: ['name', 'parent_id'],
        load: null,
      }),
    ).toEqual([
      { id: one, name: 'One', parent_id: false },
      { id: ownLine, name: 'Own', parent_id: one },
      { id: strange, name: 'Strange', parent_id: two },
    ]);
  });

  it('can be changed after they have been moved to the record by the same input', async () => {
    const [one, two] = [await createPartner('One'), await createPartner('Two')];
    const line = await createPartner('Line', { parent_id: two });
    const { errors } = await update(
      one,
      `{ connect: ["${line}"], update: [{ id: "${line}", input: { name: "Moved" } }] }`,
    );
    expect(errors).toEqual([]);
    const [row] = await calls.value('res.partner/read', {
      ids: [line],
      fields: ['name', 'parent_id'],
      load: null,
    });
    expect(row).toMatchObject({ name: 'Moved', parent_id: one });
  });

  it('are rejected if they belong to a different record in the same update', async () => {
    const [one, two, three] = [
      await createPartner('One'),
      await createPartner('Two'),
      await createPartner('Three'),
    ];
    const [ownLine, strange] = [
      await createPartner('Own', { parent_id: two }),
      await createPartner('Strange', { parent_id: three }),
    ];
    const remove = (id: number) =>
      run(
        `mutation { partnersUpdate(ids: ["${one}", "${two}"], input: { children: { delete: ["${id}"] } }) { id } }`,
      );
    expect((await remove(strange)).errors[0]!.extensions.code).toBe('MISSING');
    expect((await remove(ownLine)).errors).toEqual([]);
    expect(await count('res.partner', [['id', 'in', [ownLine, strange]]])).toBe(1);
  });
});

test('accepts ids in canonical form only', async () => {
  const id = await calls.create('res.partner', { name: 'Zero' });
  for (const invalid of [`0${id}`, `+${id}`, `${id}.0`, ` ${id}`]) {
    expect(
      (await runDone('query ($id: ID!) { partner(id: $id) { id } }', { id: invalid })).partner,
    ).toBeNull();
    const change = 'mutation ($ids: [ID!]!) { partnersUpdate(ids: $ids, input: { name: "No" }) { id } }';
    expect(await runRejected(change, { ids: [invalid] })).toMatchObject({ code: 'MISSING' });
  }
});
