import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from './harness/app.ts';
import { sendRequest } from './harness/facades/graphql.ts';
import { switchMcp } from './harness/facades/mcp.ts';

const ALLOWED_ORIGIN = 'https://app.example.org';
const FOREIGN_ORIGINS = [
  'https://evil.example',
  'null',
  'https://app.example.org.evil.example',
  'http://app.example.org',
];

let app: App;
let closedApp: App;
beforeAll(async () => {
  app = await startApp({ CORS_ORIGINS: `${ALLOWED_ORIGIN},http://localhost:5173` });
  closedApp = await startApp();
  await switchMcp(app, app.main, true);
  await switchMcp(closedApp, closedApp.main, true);
});
afterAll(async () => {
  await app.close();
  await closedApp.close();
});

interface Request {
  method: string;
  path: string;
  type?: string;
  body?: string;
  /** Unset if the body contains the credential, or if none is required. */
  hasKey?: true;
}

const buildRpcBody = (params: object) => JSON.stringify({ jsonrpc: '2.0', method: 'call', params, id: 1 });
const getLoginArgs = (to: App) => [to.main.ctx.workspace.slug, 'admin', to.main.admin.key];

const FACADE_REQUESTS: Record<string, (to: App) => Request> = {
  graphql: () => ({
    method: 'POST',
    path: '/graphql',
    body: '{"query":"{ viewer { login } }"}',
    hasKey: true,
  }),
  'graphql by GET': () => ({ method: 'GET', path: '/graphql?query={viewer{login}}', hasKey: true }),
  sdl: () => ({ method: 'GET', path: '/graphql/schema.graphql', hasKey: true }),
  rest: () => ({ method: 'GET', path: '/api/v1/emails', hasKey: true }),
  json: () => ({
    method: 'POST',
    path: '/json/2/res.partner/search_count',
    body: '{"domain":[]}',
    hasKey: true,
  }),
  mcp: () => ({
    method: 'POST',
    path: '/mcp',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }),
    hasKey: true,
  }),
  'json-rpc': (to) => ({
    method: 'POST',
    path: '/jsonrpc',
    body: buildRpcBody({ service: 'common', method: 'login', args: getLoginArgs(to) }),
  }),
  'xml-rpc': () => ({
    method: 'POST',
    path: '/xmlrpc/2/common',
    type: 'text/xml',
    body: '<?xml version="1.0"?><methodCall><methodName>version</methodName><params/></methodCall>',
  }),
  doc: () => ({ method: 'GET', path: '/doc-bearer/index.json', hasKey: true }),
  health: () => ({ method: 'GET', path: '/api/health' }),
};

function request(to: App, name: string, headers: Record<string, string>) {
  const { method, path, type = 'application/json', body, hasKey } = FACADE_REQUESTS[name]!(to);
  const ownHeaders = {
    ...(body && { 'content-type': type }),
    ...(hasKey && { authorization: `Bearer ${to.main.admin.key}` }),
  };
  return sendRequest(to, method, path, { ...ownHeaders, ...headers }, body);
}

const sendPreflight = (
  to: App,
  path: string,
  origin: string,
  headers = 'authorization,content-type,x-anything',
) =>
  sendRequest(to, 'OPTIONS', path, {
    origin,
    'access-control-request-method': 'POST',
    'access-control-request-headers': headers,
  });

const getCorsHeaders = (headers: Record<string, unknown>): string[] =>
  Object.keys(headers).filter((name) => name.startsWith('access-control-'));

describe.each(Object.keys(FACADE_REQUESTS))('CORS of the facade %s', (name) => {
  it('accepts preflight requests and calls from an allowed origin, and exposes the request id', async () => {
    const first = await sendPreflight(app, FACADE_REQUESTS[name]!(app).path, ALLOWED_ORIGIN);
    expect([first.status, first.text]).toEqual([204, '']);
    expect(first.headers).toMatchObject({
      'access-control-allow-origin': ALLOWED_ORIGIN,
      'access-control-allow-headers': 'authorization,content-type,x-anything',
      'access-control-allow-methods': expect.stringContaining('POST'),
      vary: expect.stringContaining('Origin'),
    });
    const { status, headers } = await request(app, name, { origin: ALLOWED_ORIGIN });
    expect(status).toBe(200);
    expect(headers['access-control-allow-origin']).toBe(ALLOWED_ORIGIN);
    expect(headers['access-control-expose-headers']).toContain('x-request-id');
    expect(headers.vary).toContain('Origin');
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  });

  it('denies preflight requests and access from an unlisted origin', async () => {
    for (const origin of FOREIGN_ORIGINS) {
      expect(
        getCorsHeaders((await sendPreflight(app, FACADE_REQUESTS[name]!(app).path, origin)).headers),
        origin,
      ).toEqual([]);
      const { headers } = await request(app, name, { origin });
      expect(getCorsHeaders(headers), origin).toEqual([]);
      expect(headers.vary, 'caches keep the answers apart').toContain('Origin');
    }
  });

  it('sends no CORS headers if no origins are configured', async () => {
    const first = await sendPreflight(closedApp, FACADE_REQUESTS[name]!(closedApp).path, ALLOWED_ORIGIN);
    expect([getCorsHeaders(first.headers), first.status >= 400]).toEqual([[], true]);
    const { headers } = await request(closedApp, name, { origin: ALLOWED_ORIGIN });
    expect([getCorsHeaders(headers), headers.vary ?? '']).toEqual([
      [],
      expect.not.stringContaining('Origin'),
    ]);
  });
});

it('allows only a listed origin to read a subscription', async () => {
  const open = async (origin: string) => {
    const end = new AbortController();
    const { status, headers } = await fetch(`${app.url}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        authorization: `Bearer ${app.main.admin.key}`,
        origin,
      },
      body: JSON.stringify({ query: 'subscription { crmLeadChanged { id } }' }),
      signal: end.signal,
    });
    end.abort();
    return [status, headers.get('access-control-allow-origin'), headers.get('vary')];
  };
  for (const origin of [ALLOWED_ORIGIN, ALLOWED_ORIGIN])
    expect(await open(origin)).toEqual([200, origin, expect.stringContaining('Origin')]);
  expect(await open('https://evil.example')).toEqual([200, null, expect.stringContaining('Origin')]);
});

it('allows a listed origin to read errors', async () => {
  const { status, headers } = await sendRequest(app, 'GET', '/api/v1/emails', { origin: ALLOWED_ORIGIN });
  expect([status, headers['access-control-allow-origin']]).toEqual([401, ALLOWED_ORIGIN]);
  expect(headers['access-control-expose-headers']).toContain('x-request-id');
});

it('rejects a session cookie sent from a listed origin', async () => {
  const form = new URLSearchParams({ login: 'admin', password: app.main.admin.password }).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  const signedIn = await sendRequest(app, 'POST', '/login', type, form);
  const cookie = String(signedIn.headers['set-cookie']).split(';')[0]!;
  const with_ = (origin: string) => ({ cookie, origin, 'content-type': 'application/json' });
  const query = '{"query":"{ viewer { login } }"}';
  const ownOrigin = await sendRequest(app, 'POST', '/graphql', with_(app.url), query);
  expect(ownOrigin.data.viewer.login).toBe('admin');
  const requests: [string, string, string, string][] = [
    ['POST', '/graphql', query, 'FORBIDDEN'],
    ['POST', '/json/2/res.users/search_count', '{"domain":[]}', 'Unauthorized'],
    ['POST', '/web/session/get_session_info', buildRpcBody({}), 'pages of this server'],
    ['POST', '/mcp', JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }), 'unauthorized'],
    ['GET', '/api/v1/emails', '', 'UNAUTHORIZED'],
    ['POST', '/doc/call/res.users/search_count', '{}', ''],
  ];
  for (const [method, path, body, phrase] of requests) {
    const { status, text, headers } = await sendRequest(app, method, path, with_(ALLOWED_ORIGIN), body);
    expect(status, `${path} ${text}`).toBeGreaterThanOrEqual(400);
    expect(text, path).toContain(phrase);
    expect(headers['access-control-allow-credentials']).toBeUndefined();
  }
});
