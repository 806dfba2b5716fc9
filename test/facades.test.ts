import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { json } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { listen } from '../boot/server.ts';
import { buildFacades } from '../facades/index.ts';
import { setUpApp } from './harness/app.ts';

const app = setUpApp();

async function loadRequestCounts(): Promise<Record<string, number>> {
  const text = await app.runtime.metrics.registry.getSingleMetricAsString('atrium_request_seconds');
  const counts: Record<string, number> = {};
  for (const [, facade, count] of text.matchAll(/_count\{facade="(\w+)",[^}]*\} (\d+)/g))
    counts[facade!] = (counts[facade!] ?? 0) + Number(count);
  return counts;
}

it.each([
  ['GET', '/api/health', 'watch'],
  ['GET', '/metrics', 'watch'],
  ['POST', '/json/2/res.partner/search', 'json'],
  ['GET', '/json/2/no/such/address', 'json'],
  ['POST', '/json/2', 'json'],
  ['POST', '/api/ses_callback', 'ses'],
  ['GET', '/api/v1/emails', 'rest'],
  ['GET', '/api/v1/nothing', 'rest'],
  ['GET', '//api/v1//emails?x=1', 'rest'],
  ['POST', '/xmlrpc/2/common', 'rpc'],
  ['GET', '/jsonrpc', 'rpc'],
  ['GET', '/json/version', 'rpc'],
  ['GET', '/web/login', 'rpc'],
  ['POST', '/web/dataset/call_kw/res.partner/read', 'rpc'],
  ['POST', '/mcp', 'mcp'],
  ['GET', '/graphql', 'graphql'],
  ['GET', '/doc', 'doc'],
  ['GET', '/doc-bearer/index.json', 'doc'],
  ['GET', '/mail/body/1', 'mail'],
  ['PUT', '/mail/attachments', 'mail'],
  ['GET', '/app', 'app'],
  ['GET', '/app/assets/nothing.js', 'app'],
  ['GET', '/', 'web'],
  ['HEAD', '/login', 'web'],
  ['GET', '/web/image/1', 'web'],
  ['POST', '/api/unsubscribe-oneclick', 'web'],
  ['GET', '/%00/../../nowhere', 'web'],
])('counts %s %s under the facade %s', async (method, path, facade) => {
  const before = await loadRequestCounts();
  await fetch(app.url + path, { method, redirect: 'manual' });
  const after = await loadRequestCounts();
  const risen = Object.keys(after).filter((name) => after[name] !== before[name]);
  expect(risen).toEqual([facade]);
});

/** Sends the path as it is, whereas `fetch` would normalize it. */
async function requestRaw(method: string, path: string, key: string): Promise<[number, unknown]> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const { port } = new URL(app.url);
  const sentRequest = request({ host: '127.0.0.1', port, path, method, headers });
  sentRequest.end(method === 'GET' ? undefined : '{}');
  const [response] = (await once(sentRequest, 'response')) as [IncomingMessage];
  return [response.statusCode!, await json(response)];
}

describe.each(['%00', 'a%00b', '%ff', '%', '%zz', '%c3%28', '%ed%a0%80', '%2e%00', '\\', '\\u0000'])(
  'a path that contains %s',
  (part) => {
    const odooError = { name: 'werkzeug.exceptions.NotFound', message: expect.any(String) };
    const error = { code: 'NOT_FOUND', message: expect.any(String) };

    it.each([
      ['GET', '/json/2/*/search', odooError],
      ['POST', '/json/2/*/search', odooError],
      ['POST', '/json/2/res.partner/*', odooError],
      ['GET', '/api/v1/*', { error, ...error }],
      ['GET', '/api/v1/domains/*', { error, ...error }],
      ['POST', '/mcp/*', { error }],
      ['POST', '/graphql/*', { error }],
      ['GET', '/site/main/*', { error }],
      ['GET', '/*', { error }],
    ])("returns 404 in the facade's format for %s %s", async (method, path, body) => {
      const response = await requestRaw(method, path.replace('*', part), app.main.admin.key);
      expect(response).toEqual([404, expect.objectContaining(body)]);
    });

    it('returns an error of the email API for an email id', async () => {
      const [status, body] = await requestRaw('GET', `/api/v1/emails/${part}`, app.main.admin.key);
      const code = part.includes('%00') ? 'BAD_REQUEST' : 'NOT_FOUND';
      expect([status, body]).toEqual([code === 'NOT_FOUND' ? 404 : 400, expect.objectContaining({ code })]);
    });
  },
);

it('sends Strict-Transport-Security only if the public URL uses HTTPS', async () => {
  const config = { ...app.runtime.config, publicUrl: 'https://atrium.test' };
  const secure = await listen(buildFacades({ ...app.runtime, config }, 'all'), '127.0.0.1', 0);
  try {
    const { origin } = new URL(`http://127.0.0.1:${secure.port}`);
    for (const path of [
      '/',
      '/login',
      '/nothing',
      '/app',
      '/graphql',
      '/api/health',
      '/oauth/token',
      '/mcp',
    ]) {
      const readHsts = async (url: string) =>
        (await fetch(`${url}${path}`, { redirect: 'manual' })).headers.get('strict-transport-security');
      expect([await readHsts(origin), await readHsts(app.url)], path).toEqual(['max-age=31536000', null]);
    }
  } finally {
    await secure.close();
  }
});

it('serves /metrics to private addresses, or to any client with METRICS_TOKEN', async () => {
  const token = 'a-token-of-the-metrics';
  const callers: Record<string, string>[] = [
    {},
    { 'x-forwarded-for': '10.1.2.3' },
    { 'x-forwarded-for': '8.8.8.8' },
    { 'x-forwarded-for': '10.1.2.3, 8.8.8.8' },
    { 'x-forwarded-for': '8.8.8.8, 10.1.2.3' },
    { 'x-forwarded-for': 'unknown' },
    { forwarded: 'for="[2a01:4f8::1]"' },
    { 'x-forwarded-for': '8.8.8.8', authorization: `Bearer ${app.main.admin.key}` },
    { 'x-forwarded-for': '8.8.8.8', authorization: `Bearer ${token}` },
  ];
  const readStatuses = () =>
    Promise.all(callers.map(async (headers) => (await fetch(`${app.url}/metrics`, { headers })).status));
  expect(await readStatuses()).toEqual([200, 200, ...Array(7).fill(401)]);
  onTestFinished(() => void Object.assign(app.runtime.config, { metricsToken: null }));
  app.runtime.config.metricsToken = token;
  expect(await readStatuses()).toEqual([...Array(8).fill(401), 200]);
});
