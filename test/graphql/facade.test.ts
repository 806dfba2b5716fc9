import { globSync, readFileSync } from 'node:fs';
import { getIntrospectionQuery, Kind, type OperationDefinitionNode, parse } from 'graphql';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import {
  MAX_DOCUMENT_ALIASES,
  MAX_DOCUMENT_DEPTH,
  MAX_DOCUMENT_TOKENS,
} from '../../facades/graphql/bounds.ts';
import { MAX_DOCUMENT_CHARS } from '../../facades/graphql/params.ts';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData, sendRequest, startSubscription } from '../harness/facades/graphql.ts';
import { renderText } from '../harness/sql.ts';

const app = setUpApp();
const getAdminKey = () => app.main.admin.key;
const FOREIGN_ORIGIN = 'https://evil.example';

async function signIn(login: string, password: string): Promise<string> {
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const { headers } = await sendRequest(
    app,
    'POST',
    '/login',
    type,
    new URLSearchParams({ login, password }).toString(),
  );
  return String(headers['set-cookie']).split(';')[0]!;
}

describe('authentication', () => {
  it('accepts a user key', async () => {
    const { status, data, headers } = await postGraphql(app, '{ viewer { login kind } }', {
      key: getAdminKey(),
      headers: { 'x-request-id': 'my-request-1' },
    });
    expect([status, data.viewer]).toEqual([200, { login: 'admin', kind: 'USER' }]);
    expect(headers['x-request-id']).toBe('my-request-1');
    expect(headers['x-content-type-options']).toBe('nosniff');
  });

  it('reports missing authentication for each field', async () => {
    const { status, errors } = await postGraphql(app, '{ viewer { login } }');
    expect(status).toBe(200);
    expect(errors[0]).toMatchObject({
      path: ['viewer'],
      extensions: { code: 'UNAUTHENTICATED', status: 401 },
    });
  });

  it('rejects the whole request if the key is unknown', async () => {
    const { status, errors } = await postGraphql(app, '{ __typename }', { key: 'uk_nothing' });
    expect([status, errors[0]!.extensions.code]).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('accepts queries and mutations with a session from the same origin', async () => {
    const cookie = await signIn('admin', app.main.admin.password);
    const ownPage = { cookie, origin: app.url };
    expect((await postGraphql(app, '{ viewer { login } }', { headers: ownPage })).data.viewer.login).toBe(
      'admin',
    );
    expect(
      (await postGraphql(app, 'mutation { keyCreate(name: "by session") { id } }', { headers: ownPage }))
        .errors,
    ).toEqual([]);
  });

  it.each([
    ['Origin', { origin: FOREIGN_ORIGIN }],
    ['Origin null', { origin: 'null' }],
    ['fetch metadata', { 'sec-fetch-site': 'cross-site' }],
  ])('rejects a session from another site: %s', async (_name, header) => {
    const cookie = await signIn('admin', app.main.admin.password);
    const readKeys = async () =>
      (await postGraphql(app, '{ apiKeys { totalCount } }', { key: getAdminKey() })).data.apiKeys.totalCount;
    const before = await readKeys();
    const headers = { cookie, ...header } as Record<string, string>;
    const response = await postGraphql(app, 'mutation { keyCreate(name: "stolen") { key } }', { headers });
    expect([response.status, response.errors[0]!.extensions.code]).toEqual([403, 'FORBIDDEN']);
    expect((await sendRequest(app, 'GET', '/graphql?query={viewer{login}}', headers)).status).toBe(403);
    expect(await readKeys()).toBe(before);
  });

  it('rejects operations that are not sent as JSON', async () => {
    const body = new URLSearchParams({ query: '{ viewer { login } }' }).toString();
    for (const type of [
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/graphql',
    ]) {
      expect(
        (
          await sendRequest(
            app,
            'POST',
            '/graphql',
            { 'content-type': type, authorization: `Bearer ${getAdminKey()}` },
            body,
          )
        ).status,
        type,
      ).toBe(415);
    }
  });

  it('allows queries but no mutations over GET', async () => {
    const get = (query: string, variables = '') =>
      sendRequest(app, 'GET', `/graphql?query=${encodeURIComponent(query)}${variables}`, {
        authorization: `Bearer ${getAdminKey()}`,
      });
    for (const variables of ['', '&variables=', '&variables=null', '&variables={}'])
      expect((await get('{ viewer { login } }', variables)).data.viewer.login).toBe('admin');
    expect((await get('{ viewer { login } }', '&variables=[]')).status).toBe(400);
    const notFound = await get('query($id: ID!) { partner(id: $id) { id } }', '&variables={"id":2000000011}');
    expect(notFound.data).toEqual({ partner: null });
    const before = (await get('{ apiKeys { totalCount } }')).data.apiKeys.totalCount;
    const change = await get('mutation { keyCreate(name: "by get") { id } }');
    expect(change).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    expect(change.errors[0]!.message).toMatch(/mutation/);
    expect((await get('{ apiKeys { totalCount } }')).data.apiKeys.totalCount).toBe(before);
  });

  it('tells a WebSocket client how to use subscriptions', async () => {
    const headers = { connection: 'Upgrade', upgrade: 'websocket', authorization: `Bearer ${getAdminKey()}` };
    const { status, errors } = await sendRequest(app, 'GET', '/graphql', headers);
    expect([status, errors[0]!.message]).toEqual([400, expect.stringContaining('Accept: text/event-stream')]);
  });

  it.each(['PUT', 'DELETE', 'PATCH'])('rejects the method %s', async (method) => {
    expect((await sendRequest(app, method, '/graphql')).status).toBe(405);
  });
});

describe('schema visibility', () => {
  it('allows introspection only with a key', async () => {
    const open = await postGraphql(app, getIntrospectionQuery(), { key: app.main.user.key });
    expect(open.errors).toEqual([]);
    expect(open.data.__schema.types.length).toBeGreaterThan(30);
    for (const query of [
      getIntrospectionQuery(),
      '{ __type(name: "Partner") { name } }',
      '{ __schema { queryType { name } } }',
    ]) {
      const closedResponse = await postGraphql(app, query);
      expect(closedResponse.errors[0]!.message).toMatch(
        /^Introspection \(__\w+\) .* key .*Authorization: Bearer/,
      );
      expect(closedResponse.data).toEqual({});
    }
    expect((await postGraphql(app, '{ __typename }')).data).toEqual({ __typename: 'Query' });
  });

  it('suggests names for a typo only with a key', async () => {
    const invalidQuery = '{ partnes { nodes { id } } }';
    expect((await postGraphql(app, invalidQuery, { key: getAdminKey() })).errors[0]!.message).toContain(
      'Did you mean "partner',
    );
    const { errors, text } = await postGraphql(app, invalidQuery);
    expect(errors[0]!.message).toContain('Cannot query field "partnes"');
    expect(text).not.toContain('Did you mean');
    expect(text).not.toContain('partners');
  });

  it("includes each root field's policy in the schema text", async () => {
    expect((await sendRequest(app, 'GET', '/graphql/schema.graphql')).status).toBe(401);
    const { status, text } = await sendRequest(app, 'GET', '/graphql/schema.graphql', {
      authorization: `Bearer ${app.main.user.key}`,
    });
    expect(status).toBe(200);
    expect(text).toMatch(
      /keyRevoke\(\s*"""Key id\."""\s*id: ID!\s*\): ApiKey @auth\(requires: \["USER"\]\) @scope\(name: "write"\) @audit\(event: "key.revoke"\)/,
    );
    expect(text).toMatch(/@feature\(key: "email"\)/);
    expect(text).toContain('directive @auth');
  });
});

describe('document limits', () => {
  const buildDeepQuery = (levels: number) =>
    `{ partners { nodes { ${'parent { '.repeat(levels)}id${' }'.repeat(levels)} } } }`;
  const buildWideQuery = (aliases: number) =>
    `{ ${Array.from({ length: aliases }, (_, i) => `a${i}: viewer { login }`).join(' ')} }`;

  it('allow a document within the limits', async () => {
    for (const query of [buildDeepQuery(MAX_DOCUMENT_DEPTH - 3), buildWideQuery(MAX_DOCUMENT_ALIASES)]) {
      await queryData(app, query, { key: getAdminKey() });
    }
  });

  it.each([
    ['too deep', buildDeepQuery(MAX_DOCUMENT_DEPTH), /^The document is 14 levels deep/],
    ['too many aliases', buildWideQuery(MAX_DOCUMENT_ALIASES + 1), /^The document has 31 aliases/],
    [
      'too costly',
      '{ partners(first: 100) { nodes { children(first: 100) { nodes { children(first: 100) { nodes { id } } } } } } }',
      /requests up to \d+ values/,
    ],
    ['too many tokens', `{ viewer { ${'login '.repeat(MAX_DOCUMENT_TOKENS)} } }`, /tokens/],
    ['too long', `{ viewer { login } } # ${'x'.repeat(MAX_DOCUMENT_CHARS)}`, /characters/],
    [
      'a circular fragment',
      '{ viewer { ...A } } fragment A on Viewer { login ...B } fragment B on Viewer { ...A }',
      /itself/,
    ],
    [
      'deep through fragments',
      `{ partners { nodes { ...F0 } } } ${Array.from({ length: 14 }, (_, i) => `fragment F${i} on Partner { parent { ${i < 13 ? `...F${i + 1}` : 'id'} } }`).join(' ')}`,
      /levels deep/,
    ],
    [
      'circular introspection',
      '{ __schema { types { fields { type { fields { type { fields { type { fields { name } } } } } } } } } }',
      /introspection depth/i,
    ],
  ])('reject a document that is %s, even if repeated', async (_name, query, message) => {
    for (let time = 0; time < 2; time++) {
      const { errors, data } = await postGraphql(app, query, { key: getAdminKey() });
      expect(errors.map((error) => error.message).join('\n')).toMatch(message);
      expect(data).toEqual({});
    }
  });

  it('reject a page size above the limit', async () => {
    const { errors } = await postGraphql(
      app,
      `{ partners(first: ${limits.graphql.page + 1}) { nodes { id } } }`,
      {
        key: getAdminKey(),
      },
    );
    expect(errors[0]!.extensions.code).toBe('BAD_REQUEST');
  });

  it('reject a body above the limit with 413', async () => {
    const { status } = await postGraphql(app, '{ viewer { login } }', {
      key: getAdminKey(),
      variables: { x: 'x'.repeat(limits.http.jsonBody) },
    });
    expect(status).toBe(413);
  });

  it.each([
    ['not JSON', '{ viewer', 400],
    ['not an object', '"{ viewer { login } }"', 400],
    ['a batch', JSON.stringify([{ query: '{ viewer { login } }' }]), 400],
    ['an object without a query', '{}', 400],
    ['a query that is not a string', '{"query": 5}', 400],
  ])('reject a body that is %s', async (_name, body, expected) => {
    const { status, errors } = await sendRequest(
      app,
      'POST',
      '/graphql',
      { 'content-type': 'application/json', authorization: `Bearer ${getAdminKey()}` },
      body,
    );
    expect([status, errors[0]!.extensions.code]).toEqual([expected, 'BAD_REQUEST']);
  });

  it('report invalid variables and unknown parameters as request errors', async () => {
    const buildBody = (overrides: object) =>
      JSON.stringify({ query: 'query($id: ID!) { partner(id: $id) { id } }', ...overrides });
    for (const extra of [{ variables: { id: {} } }, { variables: [] }, { nonsense: 1 }]) {
      const { errors, data, text } = await sendRequest(
        app,
        'POST',
        '/graphql',
        { 'content-type': 'application/json', authorization: `Bearer ${getAdminKey()}` },
        buildBody(extra),
      );
      expect(errors.length, text).toBeGreaterThan(0);
      expect(text).not.toContain('Something went wrong');
      expect(data).toEqual({});
    }
  });
});

describe('errors', () => {
  it('keep their message and stable code', async () => {
    const { errors } = await postGraphql(app, '{ recordRead(model: "no.such", ids: [1]) }', {
      key: getAdminKey(),
    });
    expect(errors[0]).toMatchObject({
      message: "the model 'no.such' does not exist",
      extensions: { code: 'NOT_FOUND_MODEL', status: 404 },
    });
  });

  it('return only the request id for an unexpected error, and log the error with it', async () => {
    const logged = vi.spyOn(app.runtime.log, 'error');
    const { db } = app.runtime;
    const real = db.rows.bind(db);
    const rows = vi.spyOn(db, 'rows').mockImplementation((query, ...more) => {
      if (!renderText(query).includes('res_partner')) return real(query, ...more);
      return Promise.reject(new Error('password=hunter2 at /srv/secret.ts'));
    });
    const { errors, text } = await postGraphql(app, '{ partners { nodes { id } } }', {
      key: getAdminKey(),
      headers: { 'x-request-id': 'reference-12345' },
    });
    rows.mockRestore();
    expect(errors[0]!.extensions).toEqual({ code: 'INTERNAL', status: 500, requestId: 'reference-12345' });
    expect(errors[0]!.message).toContain('reference-12345');
    expect(text).not.toMatch(/hunter2|secret\.ts|stack/);
    expect(
      logged.mock.calls.some(([entry]) => (entry as { requestId?: string }).requestId === 'reference-12345'),
    ).toBe(true);
    logged.mockRestore();
  });
});

describe('response media types', () => {
  const JSON_TYPE = 'application/json';
  const MODERN = 'application/graphql-response+json';
  const EVENTS = 'text/event-stream';
  const urql = `${MODERN}, application/graphql+json, ${JSON_TYPE}, ${EVENTS}, multipart/mixed`;
  const post = (document: string, accept: string) =>
    sendRequest(
      app,
      'POST',
      '/graphql',
      { 'content-type': JSON_TYPE, authorization: `Bearer ${getAdminKey()}`, ...(accept && { accept }) },
      JSON.stringify({ query: document }),
    );

  it.each([
    ['', JSON_TYPE],
    ['*/*', JSON_TYPE],
    ['application/*', JSON_TYPE],
    [JSON_TYPE, JSON_TYPE],
    [MODERN, MODERN],
    [`${JSON_TYPE}, ${MODERN}`, JSON_TYPE],
    [`${MODERN}, ${JSON_TYPE}`, MODERN],
    [`${JSON_TYPE};q=0.9, ${MODERN}`, MODERN],
    [`${MODERN};q=0.5, */*;q=0.1`, MODERN],
    [`${MODERN};q=0, */*`, JSON_TYPE],
    [`${MODERN}; charset=utf-8`, MODERN],
    [MODERN.toUpperCase(), MODERN],
    [`${JSON_TYPE}, ${EVENTS};q=0.1`, JSON_TYPE],
    [`${EVENTS}, ${JSON_TYPE};q=0.1`, JSON_TYPE],
    [`multipart/mixed;deferSpec=20220824, ${JSON_TYPE}`, JSON_TYPE],
    [`multipart/mixed, ${MODERN}, ${JSON_TYPE}`, MODERN],
    [urql, MODERN],
    [EVENTS, EVENTS],
    [`${EVENTS}, ${JSON_TYPE};q=0`, EVENTS],
    ['image/png', null],
    [`${EVENTS};q=0`, null],
  ])('with Accept: %s, queries and mutations return %s', async (accept, type) => {
    for (const document of ['{ viewer { login } }', 'mutation { keyRevoke(id: "2000000011") { id } }']) {
      const { status, headers } = await post(document, accept);
      expect(status).toBe(type === null ? 406 : 200);
      if (type) expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    }
  });

  // Statuses of the GraphQL over HTTP specification: for application/json, and for the newer media type.
  it.each([
    ['a query', { query: '{ viewer { login } }' }, 200, 200],
    ['data with an error', { query: 'mutation { keyRevoke(id: "2000000011") { id } }' }, 200, 200],
    ['no JSON', '{"query":', 400, 400],
    ['a misspelled parameter', { qeury: '{ viewer { login } }' }, 400, 400],
    ['no query', {}, 400, 400],
    ['a query that is no text', { query: 7 }, 400, 400],
    ['variables that are no object', { query: '{ viewer { login } }', variables: [7] }, 400, 400],
    ['an operation name that is no text', { query: '{ viewer { login } }', operationName: 1 }, 400, 400],
    ['a document that cannot be parsed', { query: '{' }, 200, 400],
    ['an invalid document', { query: '{ nothing }' }, 200, 400],
    ['an unknown operation', { query: '{ viewer { login } }', operationName: 'x' }, 200, 400],
    ['a wrong variable', { query: 'query ($n: Int!) { partners(first: $n) { totalCount } }' }, 200, 400],
    ['a subscription', { query: 'subscription { partnerChanged { id } }' }, 200, 400],
  ])('%s returns the specified type and status', async (_name, body, plain, modern) => {
    for (const [accept, status] of [
      [JSON_TYPE, plain],
      [MODERN, modern],
    ] as const) {
      const headers = { 'content-type': JSON_TYPE, authorization: `Bearer ${getAdminKey()}`, accept };
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const postedResponse = await sendRequest(app, 'POST', '/graphql', headers, text);
      expect([postedResponse.status, postedResponse.headers['content-type']]).toEqual([
        status,
        `${accept}; charset=utf-8`,
      ]);
    }
  });

  it.each([
    ['GET', '{ viewer { login } }', MODERN, 200],
    ['HEAD', '{ viewer { login } }', MODERN, 200],
    ['HEAD', '{ viewer { login } }', EVENTS, 406],
    ['HEAD', 'subscription { partnerChanged { id } }', EVENTS, 406],
    ['HEAD', 'subscription { partnerChanged { id } }', `${EVENTS}, ${MODERN}`, 400],
    ['GET', '{', MODERN, 400],
    ['HEAD', '{', MODERN, 400],
    ['GET', 'mutation { keyRevoke(id: "1") { id } }', MODERN, 405],
    ['HEAD', 'mutation { keyRevoke(id: "1") { id } }', MODERN, 405],
    ['GET', '{ viewer { login } }', 'image/png', 406],
  ])('%s %s with Accept: %s returns %i', async (method, query, accept, status) => {
    const path = `/graphql?query=${encodeURIComponent(query)}`;
    const response = await sendRequest(app, method, path, {
      authorization: `Bearer ${getAdminKey()}`,
      accept,
    });
    expect(response.status).toBe(status);
    if (method === 'HEAD') expect(response.text).toBe('');
    if (accept.includes(MODERN)) expect(response.headers['content-type']).toBe(`${MODERN}; charset=utf-8`);
  });

  it.each([
    [EVENTS, EVENTS],
    [urql, EVENTS],
    [`${JSON_TYPE}, ${EVENTS};q=0.1`, EVENTS],
    [JSON_TYPE, JSON_TYPE],
    ['*/*', JSON_TYPE],
  ])('with Accept: %s, subscriptions return %s', async (accept, type) => {
    const { headers, text } = await post(
      'subscription { partnerChanged(where: { and: null }) { id } }',
      accept,
    );
    expect(headers['content-type']).toBe(`${type}; charset=utf-8`);
    expect(text).toContain(type === EVENTS ? '`and` cannot be null' : 'Accept: text/event-stream');
  });

  it('serves the schema as compressible, cacheable text', async () => {
    const get = (headers: Record<string, string>) =>
      fetch(`${app.url}/graphql/schema.graphql`, {
        headers: { authorization: `Bearer ${getAdminKey()}`, ...headers },
      });
    const plainResponse = await get({ 'accept-encoding': 'gzip;q=0' });
    const zippedResponse = await get({ 'accept-encoding': 'br, gzip' });
    expect([
      plainResponse.headers.get('content-encoding'),
      zippedResponse.headers.get('content-encoding'),
    ]).toEqual([null, 'gzip']);
    expect(await zippedResponse.text()).toBe(await plainResponse.text());
    const etag = plainResponse.headers.get('etag')!;
    const repeatedResponse = await get({ 'if-none-match': etag });
    expect([repeatedResponse.status, await repeatedResponse.text()]).toEqual([304, '']);
    expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  });
});

describe('documents in the guides', () => {
  /** Error codes for a record that does not exist or is in another state. */
  const ABSENT = new Set(['MISSING', 'NOT_FOUND', 'ACCESS_ERROR', 'STALE', 'USER_ERROR', 'BAD_VALUE']);
  const documents = globSync(['*.md', 'docs/*.md', 'docs/guides/*.md']).flatMap((page) =>
    [...readFileSync(page, 'utf8').matchAll(/^```graphql\n(.*?)^```/gms)].map(([, text], index) => ({
      page,
      at: index,
      text: text!,
    })),
  );

  it.each(documents)('$page $at runs as written', async ({ text: documentText }) => {
    const text = documentText.replaceAll('main.localhost', app.main.domain);
    const [operation] = parse(text).definitions as OperationDefinitionNode[];
    const names = (operation!.variableDefinitions ?? []).map(({ variable, type }) => [
      variable.name.value,
      type.kind === Kind.NON_NULL_TYPE ? ['2000000011'] : null,
    ]);
    const asking = { key: getAdminKey(), variables: Object.fromEntries(names) };
    const { errors } =
      operation!.operation === 'subscription'
        ? await startSubscription(app, text, asking)
        : await postGraphql(app, text, asking);
    expect(errors.filter(({ extensions }) => !ABSENT.has(String(extensions.code)))).toEqual([]);
  });

  it('are all covered', () => expect(documents.length).toBeGreaterThan(20));
});

describe('GraphiQL', () => {
  const browser: Record<string, string> = { accept: 'text/html,application/xhtml+xml' };
  beforeAll(async () => {
    browser.cookie = await signIn('admin', app.main.admin.password);
  });

  it('redirects visitors to the sign-in page and back', async () => {
    const { status, headers } = await sendRequest(app, 'GET', '/graphql?query={viewer{login}}', {
      accept: 'text/html',
    });
    expect(status).toBe(303);
    expect(headers.location).toBe(`/login?next=${encodeURIComponent('/graphql?query={viewer{login}}')}`);
  });

  it('loads all assets of the page from the same origin', async () => {
    const { status, text, headers } = await sendRequest(app, 'GET', '/graphql', browser);
    expect(status).toBe(200);
    const sources = [...text.matchAll(/<(?:script|link)[^>]+(?:src|href)="([^"]+)"/g)].map(
      (match) => match[1]!,
    );
    expect(sources.length).toBeGreaterThan(3);
    expect([...text.matchAll(/<a href="([^"]+)"/g)].every(([, path]) => path!.startsWith('/'))).toBe(true);
    const icon = '/favicon.ico';
    expect((await sendRequest(app, 'GET', icon)).status).toBe(200);
    expect(
      sources.filter((source) => source !== icon && !/^\/graphql\/assets\/|^data:/.test(source)),
    ).toEqual([]);
    expect([
      headers['x-content-type-options'],
      headers['x-frame-options'],
      headers['referrer-policy'],
    ]).toEqual(['nosniff', 'DENY', 'same-origin']);
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    for (const path of sources.filter((source) => source.startsWith('/') && source !== icon)) {
      const asset = await sendRequest(app, 'GET', path);
      expect([asset.status, asset.text.length > 100, asset.headers['cache-control']]).toEqual([
        200,
        true,
        'public, max-age=31536000, immutable',
      ]);
      if (path.endsWith('.css')) expect(asset.text).not.toMatch(/@import|url\(\s*["']?(?:https?:)?\/\//);
    }
  });

  it('opens with a query from the URL without running it', async () => {
    const { headers } = await sendRequest(app, 'GET', '/graphql?query={viewer{login}}', {
      ...browser,
      authorization: `Bearer ${getAdminKey()}`,
    });
    expect(headers['content-type']).toBe('text/html; charset=utf-8');
  });

  it('serves the start script and the workers compressed', async () => {
    const { text } = await sendRequest(app, 'GET', '/graphql', browser);
    const base = /\/graphql\/assets\/[0-9a-f]+/.exec(text)![0];
    for (const name of ['start.js', 'editor-worker.js', 'json-worker.js', 'graphql-worker.js']) {
      const asset = await sendRequest(app, 'GET', `${base}/${name}`, { 'accept-encoding': 'gzip' });
      expect([asset.status, asset.headers['content-encoding']], name).toEqual([200, 'gzip']);
    }
    expect((await sendRequest(app, 'GET', `${base}/../facade.ts`)).status).toBe(404);
  });
});
