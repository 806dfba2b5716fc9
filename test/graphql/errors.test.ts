import { readFileSync } from 'node:fs';
import { type GraphQLEnumType, getIntrospectionQuery } from 'graphql';
import { describe, expect, it } from 'vitest';
import {
  MAX_DOCUMENT_ALIASES,
  MAX_DOCUMENT_DEPTH,
  MAX_DOCUMENT_FIELDS,
  MAX_DOCUMENT_TOKENS,
} from '../../facades/graphql/bounds.ts';
import { ASSUMED_NESTED_ROWS } from '../../facades/graphql/cost.ts';
import { MAX_OPERATION_COST } from '../../facades/graphql/run.ts';
import { MAX_VARIABLE_OBJECTS, MAX_VARIABLE_VALUES } from '../../facades/graphql/variables.ts';
import { buildProduct } from '../../schema/index.ts';
import { type ErrorCode, errorCodes } from '../../src/error-codes.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { getCpuTime } from '../harness/cpu.ts';
import { postGraphql, queryData, sendRequest } from '../harness/facades/graphql.ts';

const app = setUpApp();

function findRootArgument(field: string, name: RegExp): string {
  const { args } = buildProduct().schema.getMutationType()!.getFields()[field]!;
  return args.find((arg) => name.test(arg.name))!.name;
}

const REQUEST = 'request-of-errors';

/** Returns the only error of a document run by an administrator. */
async function readProblem(query: string, variables?: object, key: string | undefined = app.main.admin.key) {
  const { errors, text } = await postGraphql(app, query, {
    key,
    variables,
    headers: { 'x-request-id': REQUEST },
  });
  expect(errors, text).toHaveLength(1);
  const { message, extensions } = errors[0]! as { message: string; extensions: Record<string, unknown> };
  expect(extensions).toMatchObject({
    status: errorCodes[extensions.code as ErrorCode].status,
    requestId: REQUEST,
  });
  return { message, ...extensions };
}

describe('error codes', () => {
  it('match the ErrorCode enum and the table in docs/guides/errors.md', () => {
    const type = app.runtime.schema.getType('ErrorCode') as GraphQLEnumType;
    expect(type.getValues().map(({ name }) => name)).toEqual(Object.keys(errorCodes));
    const page = readFileSync('docs/guides/errors.md', 'utf8');
    const rows = [...page.matchAll(/^\| `([A-Z_]+)` \| (\d+) \| (.+) \|$/gm)].map(([, ...cells]) => cells);
    expect(rows).toEqual(
      Object.entries(errorCodes).map(([code, { status, about }]) => [code, String(status), about]),
    );
  });
});

it('documents the current limits in docs/guides/errors.md', () => {
  const page = readFileSync('docs/guides/errors.md', 'utf8');
  const limitsInPage = [...page.matchAll(/^\| [a-z][^|]+ \| ([\d,]+) \|$/gm)].map(([, max]) => max);
  const expectedLimits = [
    MAX_DOCUMENT_TOKENS,
    MAX_DOCUMENT_DEPTH,
    MAX_DOCUMENT_ALIASES,
    MAX_DOCUMENT_FIELDS,
    MAX_OPERATION_COST,
    MAX_VARIABLE_OBJECTS,
    MAX_VARIABLE_VALUES,
    limits.call.depth,
  ];
  expect(limitsInPage).toEqual(expectedLimits.map((limit) => limit.toLocaleString('en')));
  for (const limit of [limits.graphql.pageDefault, ASSUMED_NESTED_ROWS, limits.graphql.rows])
    expect(page).toContain(` ${limit.toLocaleString('en')} `);
});

describe('argument, model and field of an error', () => {
  /** Name of the values argument of a generic create. */
  const LIST = findRootArgument('recordCreate', /^vals/);
  const create = `mutation($values: JSON!) { recordCreate(model: "res.partner", ${LIST}: $values) }`;

  it('are returned for a value of the wrong type', async () => {
    expect(
      await readProblem(create, { values: [{ name: 'A' }, { name: 'B', parent_id: 'x' }] }),
    ).toMatchObject({
      code: 'BAD_VALUE',
      model: 'res.partner',
      field: 'parent_id',
      graphField: 'parentId',
      argument: `${LIST}[1].parent_id`,
    });
  });

  it('are returned for an unknown field, with a suggestion', async () => {
    expect(await readProblem(create, { values: [{ nam: 'A' }] })).toMatchObject({
      code: 'BAD_VALUE',
      field: 'nam',
      argument: `${LIST}[0].nam`,
      hint: expect.stringContaining('"name"'),
    });
  });

  it('are returned for an unknown selection value, with a suggestion', async () => {
    expect(await readProblem(create, { values: [{ name: 'A', type: 'contac' }] })).toMatchObject({
      field: 'type',
      hint: 'Did you mean "contact"?',
    });
  });

  it('are returned for an unknown model, with a suggestion', async () => {
    expect(await readProblem('{ recordRead(model: "res.partners", ids: [1]) }')).toMatchObject({
      code: 'NOT_FOUND_MODEL',
      model: 'res.partners',
      hint: expect.stringContaining('"res.partner"'),
    });
  });

  it('are returned for an unknown field in a domain or sort order', async () => {
    const search = '{ recordSearch(model: "res.partner", domain: [["nam", "=", "A"]]) }';
    expect(await readProblem(search)).toMatchObject({
      model: 'res.partner',
      field: 'nam',
      argument: 'domain[0][0]',
      hint: expect.stringContaining('"name"'),
    });
    const sorted = '{ recordSearch(model: "res.partner", domain: [], order: "companyName desc") }';
    expect(await readProblem(sorted)).toMatchObject({
      code: 'BAD_VALUE',
      argument: 'order',
      hint: 'Did you mean company_name?',
    });
  });

  it('are returned for a duplicate value', async () => {
    const company = `mutation { recordCreate(model: "res.company", ${LIST}: [{ name: "main" }]) }`;
    expect(await readProblem(company)).toMatchObject({
      code: 'NOT_UNIQUE',
      status: 409,
      model: 'res.company',
      field: 'name',
      argument: `${LIST}[0].name`,
    });
  });

  it('do not suggest secret fields', async () => {
    const users = '{ recordSearch(model: "res.users", domain: [["passwor", "=", "A"]]) }';
    expect(JSON.stringify(await readProblem(users))).not.toContain('"password"');
  });
});

describe('code and location of a document error', () => {
  it.each<[string, string, object | undefined, object]>([
    ['invalid GraphQL', '{ viewer {', undefined, { code: 'GRAPHQL_PARSE_FAILED' }],
    [
      'an unknown field',
      '{ viewr { login } }',
      undefined,
      { code: 'GRAPHQL_VALIDATION_FAILED', hint: expect.stringMatching(/^Did you mean .*"viewer"/) },
    ],
    [
      'an unknown argument',
      'mutation { keyCreate(nam: "x") { id } }',
      undefined,
      { code: 'GRAPHQL_VALIDATION_FAILED' },
    ],
    [
      'a literal of the wrong type',
      '{ recordRead(model: 5, ids: [1]) }',
      undefined,
      { code: 'GRAPHQL_VALIDATION_FAILED', argument: 'model' },
    ],
    [
      'an invalid list item',
      '{ recordRead(model: "res.partner", ids: [1, true]) }',
      undefined,
      { code: 'GRAPHQL_VALIDATION_FAILED', argument: 'ids[1]' },
    ],
    [
      'a variable of the wrong type',
      'query($which: [ID!]!) { recordRead(model: "res.partner", ids: $which) }',
      { which: [1, true] },
      { code: 'BAD_VALUE', argument: 'ids[1]' },
    ],
    [
      'a missing variable',
      'query($which: [ID!]!) { recordRead(model: "res.partner", ids: $which) }',
      {},
      { code: 'BAD_VALUE', argument: 'ids' },
    ],
    [
      'an unknown operation',
      'query A { __typename } query B { __typename }',
      undefined,
      { code: 'BAD_REQUEST' },
    ],
    [
      'too many tokens',
      `{ viewer { ${'login '.repeat(MAX_DOCUMENT_TOKENS)} } }`,
      undefined,
      { code: 'TOO_COMPLEX' },
    ],
  ])('%s', async (_name, query, variables, expected) => {
    const errors = (await postGraphql(app, query, { key: app.main.admin.key, variables })).errors;
    expect(errors.map(({ extensions }) => extensions)).toContainEqual(expect.objectContaining(expected));
  });

  it('returns no suggestions to an unauthenticated client', async () => {
    const { errors, text } = await postGraphql(app, '{ viewr { login } }');
    expect(errors[0]!.extensions).toMatchObject({ code: 'GRAPHQL_VALIDATION_FAILED', status: 400 });
    expect(text).not.toMatch(/Did you mean|viewer/);
  });

  it('includes the request id in an error that occurs before execution', async () => {
    const { status, errors } = await postGraphql(app, '{ __typename }', {
      key: 'uk_nothing',
      headers: { 'x-request-id': REQUEST },
    });
    expect([status, errors[0]!.extensions]).toEqual([
      401,
      { code: 'UNAUTHENTICATED', status: 401, requestId: REQUEST },
    ]);
  });
});

describe('variable limits', () => {
  const query =
    'query($which: [ID!]!, $domain: JSON!) { recordSearch(model: "res.partner", domain: $domain) recordRead(model: "res.partner", ids: $which) }';
  const queryError = (variables: object) => readProblem(query, variables);

  it('apply to the number of values, and are checked quickly', async () => {
    const tooManyValues = Array.from({ length: MAX_VARIABLE_VALUES + 1 }, (_, i) => i);
    const startTime = getCpuTime();
    expect(await queryError({ which: tooManyValues, domain: [] })).toMatchObject({
      code: 'TOO_COMPLEX',
      message: `Variables may contain at most ${MAX_VARIABLE_VALUES} values.`,
    });
    expect(getCpuTime() - startTime).toBeLessThan(1_000);
  });

  it('apply to the number of lists and objects', async () => {
    const objects = Array.from({ length: MAX_VARIABLE_OBJECTS }, () => []);
    expect(await queryError({ which: objects, domain: [] })).toMatchObject({ code: 'TOO_COMPLEX' });
  });

  it('apply to depth, including JSON values', async () => {
    const buildNested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(await queryError({ which: [1], domain: buildNested(limits.call.depth + 1) })).toMatchObject({
      code: 'TOO_COMPLEX',
      message: `Variables may contain at most ${limits.call.depth} levels of lists and objects.`,
    });
    const deepest = await sendRequest(
      app,
      'POST',
      '/graphql',
      { 'content-type': 'application/json', authorization: `Bearer ${app.main.admin.key}` },
      JSON.stringify({ query, variables: { which: [1], domain: 'DEEP' } }).replace(
        '"DEEP"',
        '['.repeat(100_000) + ']'.repeat(100_000),
      ),
    );
    expect(deepest.errors[0]!.extensions.code).toBe('TOO_COMPLEX');
  });

  it('do not apply to the length of lists in JSON values', async () => {
    const domain = [['id', 'in', Array.from({ length: 50_000 }, (_, i) => i + 1)]];
    await queryData(app, query, { variables: { which: [1], domain } });
  });
});

describe('introspection', () => {
  const postZipped = (query = getIntrospectionQuery()) =>
    fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${app.main.user.key}` },
      body: JSON.stringify({ query }),
    });

  it('is compressed if the client accepts gzip', async () => {
    const plainResponse = await postGraphql(app, getIntrospectionQuery(), { key: app.main.user.key });
    expect(plainResponse.data.__schema.types.length).toBeGreaterThan(100);
    expect([plainResponse.headers['content-encoding'], plainResponse.headers.vary]).toEqual([
      undefined,
      'Accept-Encoding',
    ]);
    const response = await postZipped();
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(await response.json()).toEqual({ data: plainResponse.data });
  });

  it('is built once per schema', async () => {
    const measureFastest = async (queryOf: (time: number) => string) => {
      const times = [];
      for (let time = 0; time < 4; time++) {
        const startTime = getCpuTime();
        await (await postZipped(queryOf(time))).arrayBuffer();
        times.push(getCpuTime() - startTime);
      }
      return Math.min(...times);
    };
    const others = await measureFastest((time) => `${getIntrospectionQuery()} # ${time}`);
    expect(await measureFastest(() => getIntrospectionQuery())).toBeLessThan(others / 2);
  });
});
