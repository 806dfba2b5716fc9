import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { type App, startApp } from '../harness/app.ts';
import { type GraphqlResponse, postGraphql } from '../harness/facades/graphql.ts';

// A mutation of one record that selects only plain fields bypasses the executor. A directive forces the executor, so
// that both results of the same document can be compared.

let app: App;
let id: string;

beforeAll(async () => {
  app = await startApp();
  const { data } = await run('mutation { mailActivityTypeCreate(input: { name: "Here" }) { id } }');
  id = data.mailActivityTypeCreate.id;
});
afterAll(() => app?.close());

const run = (query: string, variables?: object): Promise<GraphqlResponse> =>
  postGraphql(app, query, { key: app.main.admin.key, variables });

/** Returns the response, and whether the executor was bypassed. */
async function runSeen(query: string, variables?: object): Promise<{ answer: unknown; isDirect: boolean }> {
  const change = vi.spyOn(app.runtime, 'executeChange');
  const response = await run(query, variables);
  const isDirect = change.mock.results.some(({ value }) => value !== null);
  change.mockRestore();
  return { answer: toComparable(response), isDirect };
}

/** Removes data that differs between requests. */
const toComparable = ({ data, errors }: GraphqlResponse): unknown => ({
  data,
  errors: errors.map((error) => ({
    ...error,
    locations: undefined,
    extensions: { ...error.extensions, requestId: undefined },
  })),
});

/** Returns the same document with a directive that forces the executor. */
const toExecuted = (query: string): string => query.replace('__typename', '__typename @include(if: true)');

const FIELDS = '__typename label: name summary delayCount unit: delayUnit icon category active';

const update = (input: string, fields = FIELDS) =>
  `($id: ID!, $name: String, $count: Int) { mailActivityTypeUpdate(id: $id, input: ${input}) { ${fields} } }`;

const cases: Record<string, { query: string; variables?: object }> = {
  'constants, variables and enums': {
    query: `mutation ${update('{ name: $name, delayCount: $count, delayUnit: WEEKS, icon: null }')}`,
    variables: { name: 'Again', count: 3 },
  },
  'variables that are left out': {
    query: `mutation ${update('{ name: $name, delayCount: $count, summary: "Left" }')}`,
    variables: {},
  },
  'a null where a value is required': {
    query: `mutation ${update('{ name: $name, delayCount: 1 }')}`,
    variables: { name: null },
  },
  'an input as one variable': {
    query: `mutation ($id: ID!, $input: MailActivityTypeUpdateInput!) {
      mailActivityTypeUpdate(id: $id, input: $input) { ${FIELDS} } }`,
    variables: { input: { summary: 'Whole', delayCount: 7 } },
  },
  fragments: {
    query: `mutation ${update('{ summary: "In parts" }', '__typename ...Part ... { icon }')}
      fragment Part on MailActivityType { summary delayUnit }`,
  },
  'a record that is not there': {
    query: `mutation { at: mailActivityTypeUpdate(id: "999999", input: { summary: "x" }) { __typename summary } }`,
  },
  'an id that is none': {
    query: `mutation { mailActivityTypeUpdate(id: "none", input: { summary: "x" }) { __typename summary } }`,
  },
  'a value that the engine refuses': {
    query: `mutation { mailActivityTypeCreate(input: { name: " " }) { __typename name } }`,
  },
  'a variable that does not fit': {
    query: `mutation ${update('{ name: $name, delayCount: $count }')}`,
    variables: { count: 'three' },
  },
  'a default of a variable that is given as null': {
    query: `mutation ($name: String = "Usual") { mailActivityTypeCreate(input: { name: $name }) { __typename name } }`,
    variables: { name: null },
  },
};

describe('a mutation of one record', () => {
  it.each(Object.entries(cases))('returns the same with and without the executor: %s', async (_, item) => {
    const variables = item.query.includes('$id') ? { id, ...item.variables } : item.variables;
    const other = await runSeen(toExecuted(item.query), variables);
    // The second request finds the document in the cache.
    for (const direct of [await runSeen(item.query, variables), await runSeen(item.query, variables)])
      expect(direct.answer).toEqual(other.answer);
    expect(other.isDirect).toBe(false);
  });

  // The statement lint checks how the record is returned.
  it('returns the record from the statement that changes it', async () => {
    const parameter = await run(
      'mutation { irConfigParameterCreate(input: { key: "k", value: "1" }) { id } }',
    );
    const variables = { id: parameter.data.irConfigParameterCreate.id };
    const { data } = await run(
      'mutation ($id: ID!) { irConfigParameterUpdate(id: $id, input: { value: "2" }) { key value } }',
      variables,
    );
    expect(data.irConfigParameterUpdate).toEqual({ key: 'k', value: '2' });
  });

  it('skips the executor only if the selection consists of columns', async () => {
    const create = (fields: string, extra = '') =>
      `mutation { mailActivityTypeCreate(input: { name: "New" }) { ${fields} } ${extra} }`;
    expect((await runSeen(create('id name createdAt'))).isDirect).toBe(true);
    expect((await runSeen(create('id createdBy { login }'))).isDirect).toBe(false);
    expect((await runSeen(create('id', '__typename'))).isDirect).toBe(false);
  });
});
