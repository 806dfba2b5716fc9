import { request } from 'node:http';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { buildPageKey } from '../../facades/site/page-cache.ts';
import { type FinishedPage, getFinishedPages } from '../../src/site/finished-pages.ts';
import { post, setUpApp } from '../harness/app.ts';
import { type GraphqlResponse, queryData, sendRequest } from '../harness/facades/graphql.ts';
import { signInWeb } from '../harness/facades/web.ts';
import type { Tenant } from '../harness/tenant.ts';

// The tests modify cached pages, so that a response reveals whether it comes from the cache.

const HOST = 'main.atrium.test';
const CACHE_MARK = 'from memory: é';

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test', CORS_ORIGINS: 'https://shop.example' });
let otherTenant: Tenant;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  for (const key of [app.main.admin.key, otherTenant.admin.key]) await publish(true, key);
});
beforeEach(() => markCached('/'));

async function publish(isPublished: boolean, key = app.main.admin.key): Promise<void> {
  const document =
    'mutation($published: Boolean) { websitePagePublish(url: "/", published: $published) { id } }';
  await queryData(app, document, { key, variables: { published: isPublished } });
}

const visit = (
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  body = '',
): Promise<GraphqlResponse> =>
  sendRequest(app, method, path, { accept: 'text/html', host: HOST, ...headers }, body);

const getFinishedPage = (path: string, host = HOST): FinishedPage | undefined =>
  getFinishedPages(app.runtime.db).peek(buildPageKey(host, path));

async function markCached(path: string): Promise<void> {
  expect((await visit(path)).status).toBe(200);
  getFinishedPage(path)!.body = Buffer.from(CACHE_MARK).toString('latin1');
}

test('serves a cached page regardless of the query, with the same headers as a rendered page', async () => {
  const cachedPage = await visit('/?utm_source=x');
  expect([cachedPage.status, cachedPage.text]).toEqual([200, CACHE_MARK]);
  getFinishedPages(app.runtime.db).invalidate();
  const page = await visit('/');
  expect(page.text).toContain('Welcome');
  const pickHeaders = ({ headers }: GraphqlResponse) => {
    const { date, 'x-request-id': id, 'content-length': length, ...rest } = headers;
    return rest;
  };
  expect(pickHeaders(cachedPage)).toEqual(pickHeaders(page));
  expect(cachedPage.headers['content-length']).toBe(String(Buffer.byteLength(CACHE_MARK)));
  expect((await visit('/', { 'x-request-id': 'of-a-caller' })).headers['x-request-id']).toBe('of-a-caller');
});

test('returns the same headers without a body for HEAD', async () => {
  const { headers, text } = await visit('/', {}, 'HEAD');
  expect([text, headers['content-length']]).toEqual(['', String(Buffer.byteLength(CACHE_MARK))]);
});

test('responds 304 to a visitor who already has the page', async () => {
  const { etag } = (await visit('/')).headers;
  for (const tag of [etag, `W/${etag}`, `"a", ${etag}`, '*']) {
    const { status, text, headers } = await visit('/', { 'if-none-match': String(tag) });
    expect([status, text, headers.etag]).toEqual([304, '', etag]);
  }
  expect((await visit('/', { 'if-none-match': '"of another"' })).text).toBe(CACHE_MARK);
});

test("does not serve one workspace's cached page at another workspace's host or path", async () => {
  for (const [host, path] of [
    ['other.atrium.test', '/'],
    ['atrium.test', '/'],
    ['atrium.test', '/site/other/'],
    ['atrium.test', '/site/main/'],
  ] as const)
    expect((await visit(path, { host })).text).not.toContain(CACHE_MARK);
  expect((await visit('/', { host: HOST.toUpperCase() })).text).toContain('Welcome');
});

test('bypasses the cache for signed-in users and API keys', async () => {
  const cookie = await signInWeb(app);
  const response = await visit('/', { cookie });
  expect([response.text.includes('Welcome'), response.headers['cache-control']]).toEqual([
    true,
    'private, no-store',
  ]);
  expect((await visit('/', { authorization: `Bearer ${app.main.admin.key}` })).text).toContain('Welcome');
  expect((await visit('/', { cookie: 'theme=dark' })).text).toBe(CACHE_MARK);
});

test('removes an unpublished page before it responds to the change', async () => {
  await publish(false);
  expect(getFinishedPage('/')).toBeUndefined();
  expect((await visit('/')).text).not.toContain(CACHE_MARK);
  await publish(true);
  expect((await visit('/')).text).toContain('Welcome');
});

test("removes only the workspace's pages after an invalidation from another process", async () => {
  await sendRequest(app, 'GET', '/', { accept: 'text/html', host: 'other.atrium.test' });
  await app.runtime.db.notify('atrium_site', '1');
  await expect.poll(() => getFinishedPage('/')).toBeUndefined();
  expect(getFinishedPage('/', 'other.atrium.test')).toBeDefined();
  expect((await visit('/')).text).toContain('Welcome');
});

test('caches each language separately', async () => {
  const call = async (method: string, body: object) =>
    (await post(`${app.url}/json/2/res.lang/${method}`, body, app.main.admin.key)).json();
  const ids = await call('search', {
    domain: [
      ['code', '=', 'fr_FR'],
      ['active', 'in', [true, false]],
    ],
  });
  await call('write', { ids, vals: { active: true } });
  const french = await visit('/fr');
  expect(french.text).toContain('lang="fr-FR"');
  await markCached('/');
  expect((await visit('/fr')).text).toContain('lang="fr-FR"');
  expect((await visit('/')).text).toBe(CACHE_MARK);
});

test('serves a GET with a body from the cache, but rejects other methods', async () => {
  expect((await visit('/', { 'content-length': '4' }, 'GET', 'body')).text).toBe(CACHE_MARK);
  expect((await visit('/', {}, 'DELETE')).status).toBe(404);
});

test('rejects a request with two Host headers', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = ['host', HOST, 'host', 'other.atrium.test', 'accept', 'text/html'];
    const call = request(
      { port: app.port, host: '127.0.0.1', path: '/', headers, agent: false },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      },
    );
    call.on('error', reject).end();
  });
  expect(status).toBe(400);
});

test('sends CORS headers to allowed origins, and varies by origin', async () => {
  expect((await visit('/')).headers.vary).toBe('Origin');
  const { headers, text } = await visit('/', { origin: 'https://shop.example' });
  expect([text, headers['access-control-allow-origin']]).toEqual([CACHE_MARK, 'https://shop.example']);
});

test('counts cached responses in the metrics', async () => {
  const count = async () => {
    const text = await app.runtime.metrics.registry.getSingleMetricAsString('atrium_request_seconds');
    return Number(/_count\{facade="site",status="200"\} (\d+)/.exec(text)![1]);
  };
  const before = await count();
  await visit('/');
  await expect.poll(count).toBe(before + 1);
});
