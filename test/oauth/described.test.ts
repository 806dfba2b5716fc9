import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../harness/app.ts';
import { buildRequest, postMcp, switchMcp } from '../harness/facades/mcp.ts';
import { createSelfSignedCertificate } from '../standins/certificate.ts';
import { buildAuthorizeUrl, decide, openBrowser, openConsent, redeemCode, refreshToken } from './sign-in.ts';

const trusted = getCACertificates('default');

let open: App;
let server: Server;
let origin: string;
let requestedUrls: string[] = [];

const METADATA_RESPONSES: Record<
  string,
  (at: string) => { status?: number; headers?: object; body: string }
> = {
  '/client.json': (at) => buildDescription(at, { client_name: 'Described' }),
  '/native.json': (at) => buildDescription(at, { redirect_uris: ['http://localhost:1/callback'] }),
  '/other.json': (at) => buildDescription(`${at}?other`),
  '/secret.json': (at) => buildDescription(at, { token_endpoint_auth_method: 'client_secret_post' }),
  '/script.json': (at) => buildDescription(at, { redirect_uris: ['javascript:alert(1)'] }),
  '/large.json': (at) => buildDescription(at, { client_name: 'x'.repeat(6_000) }),
  '/moved.json': () => ({ status: 302, headers: { location: `${origin}/client.json` }, body: '' }),
  '/page.json': (at) => ({ ...buildDescription(at), headers: { 'content-type': 'text/html' } }),
  '/none.json': () => ({ body: 'nothing' }),
};

const buildDescription = (client_id: string, overrides: object = {}) => ({
  body: JSON.stringify({
    client_id,
    client_name: 'A client',
    redirect_uris: ['https://client.example/callback'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
    ...overrides,
  }),
});

beforeAll(async () => {
  const { privateKey, pem } = createSelfSignedCertificate('localhost');
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  server = createServer({ key, cert: pem }, ({ url = '' }, outgoing) => {
    requestedUrls.push(url);
    const { status = 200, headers = {}, body } = METADATA_RESPONSES[url]!(`${origin}${url}`);
    outgoing.writeHead(status, { 'content-type': 'application/json', ...headers });
    outgoing.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  origin = `https://localhost:${(server.address() as AddressInfo).port}`;
  setDefaultCACertificates([...trusted, pem]);
  open = await startApp({ OAUTH_ALLOW_PRIVATE: '1' });
  await switchMcp(open, open.main, true);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  server?.close();
  await open?.close();
});

it('signs in a client that has a metadata document instead of a registration, and shows its host', async () => {
  const clientId = `${origin}/client.json`;
  const browser = await openBrowser(open, open.main.user);
  const { address, verifier } = buildAuthorizeUrl(open, { clientId });
  const consent = await openConsent(browser, address);
  expect(consent.page).toContain('Connect Described?');
  expect(consent.page).toContain(new URL(origin).host);
  const returnedUrl = await decide(browser, consent);
  const { json } = await redeemCode(open, {
    clientId,
    code: returnedUrl.searchParams.get('code')!,
    verifier,
  });
  expect((await postMcp(open, buildRequest('tools/list'), json.access_token)).status).toBe(200);
  expect((await refreshToken(open, clientId, json.refresh_token)).status).toBe(200);
  expect(requestedUrls.filter((url) => url === '/client.json')).toHaveLength(1);
});

it("accepts any port in the client's loopback redirect", async () => {
  const clientId = `${origin}/native.json`;
  const browser = await openBrowser(open, open.main.user);
  const { address } = buildAuthorizeUrl(open, { clientId, redirectUri: 'http://localhost:54321/callback' });
  expect((await openConsent(browser, address)).page).toContain('Did you just start this connection?');
});

it.each([
  ['names another id', '/other.json'],
  ['has a secret', '/secret.json'],
  ['redirects to a script URL', '/script.json'],
  ['is too large', '/large.json'],
  ['has moved', '/moved.json'],
  ['is an HTML page', '/page.json'],
  ['is not JSON', '/none.json'],
])('rejects a metadata document that %s', async (_what, path) => {
  requestedUrls = [];
  const browser = await openBrowser(open, open.main.user);
  const response = await browser.get(buildAuthorizeUrl(open, { clientId: origin + path }).address);
  expect(response.status).toBe(400);
  expect(requestedUrls).toEqual([path]);
});

describe('metadata documents with private addresses disallowed', () => {
  let closedApp: App;
  beforeAll(async () => {
    closedApp = await startApp({ CORS_ORIGINS: 'https://app.example' });
    await switchMcp(closedApp, closedApp.main, true);
  });
  afterAll(() => closedApp?.close());

  it('returns a single CORS origin header on a public endpoint', async () => {
    const response = await fetch(`${closedApp.url}/.well-known/oauth-protected-resource/mcp`, {
      headers: { origin: 'https://app.example' },
    });
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(response.headers.get('vary')).toContain('Origin');
  });

  it.each([
    () => `${origin}/client.json`,
    () => origin.replace('localhost', '127.0.0.1').concat('/client.json'),
    () => origin.replace('localhost', '[::ffff:7f00:1]').concat('/client.json'),
    () => 'https://169.254.169.254/latest/meta-data',
    () => 'https://10.0.0.1/client.json',
    () => 'http://localhost/client.json',
  ])('does not fetch a metadata document from a private address (%#)', async (address) => {
    requestedUrls = [];
    const browser = await openBrowser(closedApp, closedApp.main.user);
    const response = await browser.get(buildAuthorizeUrl(closedApp, { clientId: address() }).address);
    expect(response.status).toBe(400);
    expect(await response.text()).not.toContain('ECONN');
    expect(requestedUrls).toEqual([]);
  });
});
