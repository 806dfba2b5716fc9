import {
  buildClientSchema,
  type GraphQLObjectType,
  type GraphQLOutputType,
  getIntrospectionQuery,
  getNamedType,
  type IntrospectionQuery,
  isEnumType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { getRelationName } from '../../schema/graph/plan/names.ts';
import { createField } from '../../src/engine/model/field.ts';
import type { Model } from '../../src/engine/model/model.ts';
import { search } from '../../src/engine/read/records.ts';
import { create, write } from '../../src/engine/write/write.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData } from '../harness/facades/graphql.ts';
import { renderText } from '../harness/sql.ts';

const app = setUpApp();
let acme: number;
let hidden: number;
let ann: number;
let bob: number;

beforeAll(async () => {
  const { ctx } = app.main;
  const createContact = async (vals: Record<string, unknown>) =>
    (await create(ctx, 'res.partner', [{ ref: 'graph', ...vals }]))[0]!;
  const [otherCompanyId] = await create(ctx, 'res.company', [{ name: 'Elsewhere' }]);
  acme = await createContact({ name: 'Acme', is_company: true });
  hidden = await createContact({ name: 'Hidden', is_company: true, company_id: otherCompanyId });
  ann = await createContact({ name: 'Ann', parent_id: acme });
  bob = await createContact({ name: 'Bob', parent_id: hidden });
  for (let i = 0; i < 30; i++) await createContact({ name: `Contact ${i}`, parent_id: acme });
});

/**
 * Returns the response and its number of statements, excluding the statement that records the use of the key
 * asynchronously.
 */
async function countStatements(query: string, key = app.main.user.key) {
  await postGraphql(app, '{ viewer { login } }', { key });
  const rows = vi.spyOn(app.runtime.db, 'rows');
  const response = await postGraphql(app, query, { key });
  const statements = rows.mock.calls.filter(
    ([query]) => !renderText(query).includes('svc_api_key_use'),
  ).length;
  rows.mockRestore();
  return { ...response, statements };
}

describe('the typed graph', () => {
  it('returns null for a relation to a record hidden by a record rule', async () => {
    const query = `{ partners(domain: [["id", "in", [${ann}, ${bob}]]], orderBy: [{ field: NAME }])
      { nodes { name parent { id name } } } }`;
    const data = await queryData(app, query, { key: app.main.user.key });
    expect(data.partners.nodes).toEqual([
      { name: 'Ann', parent: { id: String(acme), name: 'Acme' } },
      { name: 'Bob', parent: null },
    ]);
    expect(
      (await postGraphql(app, `{ partner(id: ${hidden}) { id } }`, { key: app.main.user.key })).data.partner,
    ).toBeNull();
  });

  it('omits hidden records from lists', async () => {
    const { data } = await postGraphql(app, '{ companies { nodes { name } } }', { key: app.main.user.key });
    expect(data.companies.nodes.map((company: { name: string }) => company.name)).toEqual(['main']);
  });

  it('resolves aliases, fragments and a repeated relation of a record', async () => {
    const query = `{ partner(id: ${ann}) { above: parent { id } ...More parent { ... on Partner { label: name } __typename } } }
      fragment More on Partner { parent { isCompany parent { name } } }`;
    const data = await queryData(app, query, { key: app.main.user.key });
    expect(data.partner.above).toEqual({ id: String(acme) });
    expect(data.partner.parent).toEqual({
      isCompany: true,
      parent: null,
      label: 'Acme',
      __typename: 'Partner',
    });
  });

  it('runs at most one statement per level, regardless of the number of rows', async () => {
    const one = await countStatements('{ partners(first: 40) { nodes { id name parent { id name } } } }');
    expect(one.data.partners.nodes.length).toBeGreaterThan(30);
    expect(one.statements).toBe(1);
    const lists = await countStatements(
      '{ partners(first: 40) { nodes { id children { nodes { id parent { id children { nodes { name } } } } } } } }',
    );
    expect(lists.errors).toEqual([]);
    expect(lists.statements).toBe(3);
  });

  it('reports an error at the path of a relation to an unreadable model', async () => {
    const rights = await search(app.main.ctx, 'ir.model.access', [['model_id.model', '=', 'res.users']]);
    await write(app.main.ctx, 'ir.model.access', rights, { active: false });
    try {
      const data = await queryData(
        app,
        `{ partner(id: ${ann}) { name user { login } createU: createdById } }`,
        { key: app.main.user.key },
      );
      expect(data.partner.user).toBeNull();
      const keys = await postGraphql(app, '{ apiKeys { nodes { id user { login } } } }', {
        key: app.main.user.key,
      });
      expect(keys.errors[0]!.extensions.code).toBe('ACCESS_ERROR');
      expect(keys.data.apiKeys.nodes[0]).toEqual({ id: expect.any(String), user: null });
    } finally {
      await write(app.main.ctx, 'ir.model.access', rights, { active: true });
    }
  });

  it('excludes secret fields', async () => {
    const { errors } = await postGraphql(app, '{ users { nodes { password } } }', {
      key: app.main.admin.key,
    });
    expect(errors[0]!.message).toContain('Cannot query field "password"');
  });

  it('limits the total number of records in nested lists', { tags: 'soak' }, async () => {
    const names = Array.from({ length: 400 }, (_, i) => ({ name: `Many ${i}`, parent_id: acme }));
    await create(app.main.ctx, 'res.partner', names);
    const round =
      '{ partners(first: 1, domain: [["id", "=", ID]]) { nodes { children(first: 500) { nodes { parent { children(first: 400) { nodes { id } } } } } } } }'.replace(
        'ID',
        String(acme),
      );
    const { errors } = await postGraphql(app, round, { key: app.main.user.key });
    expect(errors[0]!).toMatchObject({
      message: expect.stringContaining(String(limits.graphql.rows)),
      extensions: { code: 'BAD_REQUEST' },
    });
  });
});

it.each([
  ['parent_id', 'many2one', 'parent'],
  ['child_ids', 'one2many', 'children'],
  ['tag_ids', 'many2many', 'tags'],
  ['activity_ids', 'one2many', 'activities'],
  ['api_key_ids', 'one2many', 'apiKeys'],
  ['implied_by_ids', 'many2many', 'impliedBy'],
  ['taxes_id', 'many2many', 'taxes'],
  ['box_ids', 'one2many', 'boxes'],
] as const)('names the relation of %s (%s) as %s', (name, type, shown) => {
  expect(getRelationName({ options: {} } as Model, createField(name, type, name))).toBe(shown);
});

it("the enums contain every value in a new workspace's records", async () => {
  const schema = buildClientSchema(
    (await postGraphql(app, getIntrospectionQuery(), app.main.admin)).data as unknown as IntrospectionQuery,
  );
  const requestedNames: string[] = [];
  for (const { name, type, args } of Object.values(schema.getQueryType()!.getFields())) {
    const node = findNodeType(type);
    const enums = Object.values(node?.getFields() ?? {}).filter((field) =>
      isEnumType(getNamedType(field.type)),
    );
    if (enums.length === 0 || args.some((arg) => isNonNullType(arg.type))) continue;
    requestedNames.push(name);
    const values = `edges { node { ${enums.map((field) => field.name).join(' ')} } } pageInfo { endCursor hasNextPage }`;
    for (let after: string | null = null, hasMore = true; hasMore; ) {
      const query = `query ($after: String) { ${name}(first: 200, after: $after) { ${values} } }`;
      const { data, errors } = await postGraphql(app, query, {
        key: app.main.admin.key,
        variables: { after },
      });
      expect(errors, name).toEqual([]);
      ({ endCursor: after, hasNextPage: hasMore } = data[name].pageInfo);
    }
  }
  expect(requestedNames).toContain('irModelFields');
  expect(requestedNames.length).toBeGreaterThan(20);
});

function findNodeType(type: GraphQLOutputType): GraphQLObjectType | undefined {
  const namedType = getNamedType(type);
  const edges = isObjectType(namedType) ? namedType.getFields().edges : undefined;
  return (
    edges &&
    (getNamedType(
      (getNamedType(edges.type) as GraphQLObjectType).getFields().node!.type,
    ) as GraphQLObjectType)
  );
}
