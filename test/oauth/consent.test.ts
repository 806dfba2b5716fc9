import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_AUTHORIZATION_BYTES } from '../../facades/oauth/facade.ts';
import { MAX_AUTHORIZATIONS_PER_MINUTE } from '../../facades/oauth/rates.ts';
import { INVALIDATION_CHANNEL } from '../../src/db/notifications/cache-invalidation.ts';
import { sql } from '../../src/db/sql.ts';
import { chromium, openTab, type Tab } from '../doc/browser.ts';
import { post, setUpApp } from '../harness/app.ts';
import { buildRequest, switchMcp } from '../harness/facades/mcp.ts';
import { postWeb as rpc } from '../harness/facades/web.ts';
import type { Tenant } from '../harness/tenant.ts';
import { createSelfSignedCertificate } from '../standins/certificate.ts';
import { CLIENT_REGISTRATIONS } from './registrations.ts';
import {
  type Browser,
  buildAuthorizeUrl,
  CALLBACK,
  connectClient,
  openBrowser,
  openConsent,
  PROXIED,
  redeemCode,
  register,
} from './sign-in.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const app = setUpApp(PROXIED);
let otherTenant: Tenant;
let clientId: string;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  await switchMcp(app, app.main, true);
  await switchMcp(app, otherTenant, true);
  clientId = (await register(app)).client_id;
});

async function countPayloads(kind: string): Promise<number> {
  const rows = await app.runtime.db.rows(
    sql`select 1 from svc_oauth_payload where workspace_id = ${app.main.ctx.workspace.id} and kind = ${kind}`,
  );
  return rows.length;
}

const openConsentPage = async (browser: Browser) =>
  openConsent(browser, buildAuthorizeUrl(app, { clientId }).address);
const parseProof = (page: string) => /name="proof" value="([^"]+)"/.exec(page)?.[1] ?? '';

describe('consent page', () => {
  it('requires sign-in, and then returns to the authorization request', async () => {
    const browser = await openBrowser(app);
    const page = await browser.get(buildAuthorizeUrl(app, { clientId }).address);
    const at = page.headers.get('location')!;
    const login = (await browser.get(at)).headers.get('location')!;
    expect(login).toBe(`/login?next=${encodeURIComponent(new URL(at, app.url).pathname)}`);
    const { login: name, password } = app.main.user;
    const signedResponse = await browser.submit('/login', [
      ['workspace', 'main'],
      ['login', name],
      ['password', password],
      ['next', new URL(at, app.url).pathname],
    ]);
    expect(signedResponse.headers.get('location')).toBe(new URL(at, app.url).pathname);
    expect(await (await browser.get(at)).text()).toContain('Connect A client?');
  });

  it('names the client, workspace, user and redirect host, and runs no scripts', async () => {
    const browser = await openBrowser(app, app.main.user);
    const { at, page } = await openConsentPage(browser);
    for (const text of ['A client', 'client.example', 'main', app.main.user.login, 'mcp:read', 'mcp:write'])
      expect(page).toContain(text);
    expect(page).not.toContain('<script');
    const { headers } = await browser.get(at);
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('cache-control')).toBe('no-store');
  });

  it('escapes client metadata', async () => {
    const { client_id } = await register(app, { client_name: '<img src=x onerror=alert(1)>' });
    const browser = await openBrowser(app, app.main.user);
    const { page } = await openConsent(browser, buildAuthorizeUrl(app, { clientId: client_id }).address);
    expect(page).not.toContain('<img');
    expect(page).toContain('&lt;img');
  });

  it('warns about a client on the same machine, whose identity cannot be verified', async () => {
    const browser = await openBrowser(app, app.main.user);
    const readWarning = async (redirectUri: string) => {
      const { client_id } = await register(app, { redirect_uris: [redirectUri] });
      return (
        await openConsent(browser, buildAuthorizeUrl(app, { clientId: client_id, redirectUri }).address)
      ).page;
    };
    for (const uri of ['http://localhost:1/cb', 'cursor://anysphere.cursor-mcp/oauth/callback'])
      expect(await readWarning(uri)).toContain('Did you just start this connection?');
    expect(await readWarning(CALLBACK)).not.toContain('Have you just started');
  });

  it('rejects a decision without its token, or from another site, session or browser', async () => {
    const browser = await openBrowser(app, app.main.user);
    const { at, page } = await openConsentPage(browser);
    const allow = (proof: string): [string, string][] => [
      ['proof', proof],
      ['decision', 'allow'],
      ['scope', 'mcp:read'],
    ];
    expect((await browser.submit(at, allow(''))).status).toBe(403);
    expect((await browser.submit(at, allow('0'.repeat(64)))).status).toBe(403);
    const cookie = [...browser.cookies].map((cookie) => cookie.join('=')).join('; ');
    const foreignResponse = await fetch(new URL(at, app.url), {
      method: 'POST',
      headers: { cookie, origin: 'https://evil.example' },
      body: new URLSearchParams(allow(parseProof(page))),
    });
    expect(foreignResponse.status).toBe(403);
    const another = await openBrowser(app, app.main.user);
    expect((await another.submit(at, allow(parseProof(page)))).status).toBe(400);
    const session = await openBrowser(app, app.main.admin);
    for (const [name, value] of browser.cookies)
      if (name.startsWith('oauth_')) session.cookies.set(name, value);
    expect((await session.submit(at, allow(parseProof(page)))).status).toBe(403);
    expect((await browser.submit(at, allow(parseProof(page)))).status).toBe(200);
  });

  it('requires at least one permission', async () => {
    const browser = await openBrowser(app, app.main.user);
    const { at, page } = await openConsentPage(browser);
    const response = await browser.submit(at, [
      ['proof', parseProof(page)],
      ['decision', 'allow'],
      ['scope', 'admin'],
    ]);
    expect(await response.text()).toContain('Choose what the program may do');
    expect(response.headers.get('refresh')).toBeNull();
  });

  it("rejects another workspace's session, and a session opened with a key", async () => {
    const { db, login } = { db: otherTenant.slug, login: otherTenant.user };
    const otherBrowser = await openBrowser(app);
    const { headers } = await rpc(app, '/web/session/authenticate', { db, ...login });
    otherBrowser.cookies.set('session_id', /session_id=([\w-]{43})/.exec(String(headers['set-cookie']))![1]!);
    const { page } = await openConsentPage(otherBrowser);
    expect(page).toContain('Wrong workspace');
    expect(page).not.toContain('name="proof"');
    const { login: name, key } = app.main.user;
    const keyedBrowser = await openBrowser(app, { login: name, password: key });
    const consentPage = await openConsentPage(keyedBrowser);
    const response = await keyedBrowser.submit(consentPage.at, [
      ['proof', parseProof(consentPage.page)],
      ['decision', 'allow'],
      ['scope', 'mcp:read'],
    ]);
    expect(response.status).toBe(403);
  });

  it('accepts a decision only once', async () => {
    const browser = await openBrowser(app, app.main.user);
    const { at, page } = await openConsentPage(browser);
    const deny: [string, string][] = [
      ['proof', parseProof(page)],
      ['decision', 'deny'],
    ];
    const next = /url=(.*)$/.exec((await browser.submit(at, deny)).headers.get('refresh')!)![1]!;
    expect((await browser.get(next)).status).toBe(303);
    expect((await browser.submit(at, deny)).status).toBe(400);
    expect((await browser.get(at)).status).toBe(400);
  });

  it('accepts only one of two concurrent clicks, and redirects both to the client', async () => {
    const browser = await openBrowser(app, app.main.user);
    const { at, page } = await openConsentPage(browser);
    const allow: [string, string][] = [
      ['proof', parseProof(page)],
      ['decision', 'allow'],
      ['scope', 'mcp:read'],
    ];
    const before = await countPayloads('Grant');
    const clicks = await Promise.all([browser.submit(at, allow), browser.submit(at, allow)]);
    expect(clicks.map(({ status }) => status)).toEqual([200, 200]);
    expect(await countPayloads('Grant')).toBe(before + 1);
    const [first, second] = clicks.map((page) => /url=(.*)$/.exec(page.headers.get('refresh')!)![1]!);
    expect(second).toBe(first);
    expect(
      new URL((await browser.get(second!)).headers.get('location')!).searchParams.get('code'),
    ).toBeTruthy();
  });

  it('sends no invalidations for repeated requests', async () => {
    const messages: string[] = [];
    await app.runtime.db.listen(INVALIDATION_CHANNEL, (payload) => messages.push(payload));
    // A change in another workspace shows that all earlier invalidations have arrived.
    const workspace = otherTenant.ctx.workspace.id;
    const announceChange = () =>
      app.runtime.db.rows(sql`update res_users set tz = tz where workspace_id = ${workspace}`);
    await announceChange();
    await expect.poll(() => messages).toContain(String(workspace));
    messages.length = 0;
    const browser = await openBrowser(app);
    const { at } = await openConsentPage(browser);
    const resume = at.replace('/oauth/consent/', '/oauth/authorize/');
    expect((await browser.get(resume)).headers.get('location')).toContain('/oauth/consent/');
    await announceChange();
    await expect.poll(() => messages).toEqual([String(workspace)]);
  });

  it.each([
    ['prompt=none', { prompt: 'none' }, 'login_required|consent_required'],
    ['a form', { prompt: 'none', response_mode: 'form_post' }, 'login_required|consent_required'],
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
  ])('does not redirect before the user decides: %s', async (_what, overrides, error) => {
    const response = await (await openBrowser(app)).get(
      buildAuthorizeUrl(app, { clientId, more: overrides }).address,
    );
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(response.headers.get('location')).toBeNull();
    expect(page).toContain('Sign-in failed');
    expect(page).toMatch(new RegExp(error));
    expect(page).not.toContain('<script');
    expect(page.includes('Go back to client.example')).toBe(!('response_mode' in overrides));
  });

  it('redirects immediately if the client already has consent', async () => {
    const { address } = buildAuthorizeUrl(app, {
      clientId: (await register(app)).client_id,
      more: { prompt: 'none' },
    });
    const clientId = new URL(address).searchParams.get('client_id')!;
    const browser = await openBrowser(app, app.main.user);
    expect((await browser.get(address)).status).toBe(400);
    await connectClient(app, app.main.user, { clientId });
    const { status, headers } = await browser.get(address);
    expect(status).toBe(303);
    expect(new URL(headers.get('location')!).searchParams.get('error')).toBe('consent_required');
    expect((await (await openBrowser(app, app.main.admin)).get(address)).status).toBe(400);
  });

  it('limits requests to 4 KB, and to 30 per minute per address', async () => {
    const browser = await openBrowser(app);
    const long = buildAuthorizeUrl(app, { clientId, state: 'x'.repeat(MAX_AUTHORIZATION_BYTES) });
    expect((await browser.get(long.address)).status).toBe(400);
    expect((await browser.submit('/oauth/authorize', [['state', 'x'.repeat(4_096)]])).status).toBe(400);
    const { address } = buildAuthorizeUrl(app, { clientId });
    const responses: number[] = [];
    for (let i = 0; i < MAX_AUTHORIZATIONS_PER_MINUTE; i++)
      responses.push((await browser.get(address)).status);
    expect(new Set(responses)).toEqual(new Set([303, 429]));
    const response = await browser.get(address);
    expect(response.status).toBe(429);
    expect(await response.text()).toContain('Too many requests');
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await (await openBrowser(app)).get(address)).status).toBe(303);
  });

  it('counts requests in the metrics by status', async () => {
    await (await openBrowser(app)).get('/oauth/authorize?client_id=none');
    const text = await (await fetch(`${app.url}/metrics`)).text();
    for (const status of [303, 400]) expect(text).toMatch(new RegExp(`facade="oauth",status="${status}"`));
  });

  it('shows an error on a local page if there is no client to return it to', async () => {
    const response = await (await openBrowser(app)).get('/oauth/authorize?client_id=nobody');
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain('Sign-in failed');
    expect(page).not.toMatch(/https?:\/\/(?!127)/);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

async function startCallbacks(): Promise<{ plain: Server; secure: Server; called: URL[] }> {
  const calledUrls: URL[] = [];
  const { privateKey, pem } = createSelfSignedCertificate('callback');
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const answer: RequestListener = ({ url = '', headers }, outgoing) => {
    if (!url.includes('favicon')) calledUrls.push(new URL(url, `http://${headers.host}`));
    outgoing.setHeader('content-type', 'text/html');
    outgoing.end('<!doctype html><title>done</title>Signed in.');
  };
  const plainServer = createServer(answer);
  const secure = createSecureServer({ key, cert: pem }, answer);
  for (const server of [plainServer, secure])
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { plain: plainServer, secure: secure as unknown as Server, called: calledUrls };
}

const getPort = (server: Server) => (server.address() as AddressInfo).port;

chromium.describe('in Chromium', () => {
  let tab: Tab;
  let callbacks: Awaited<ReturnType<typeof startCallbacks>>;

  beforeAll(async () => {
    callbacks = await startCallbacks();
    // Resolves all host names to the stand-ins.
    const secure = `MAP *:443 127.0.0.1:${getPort(callbacks.secure)}`;
    tab = await openTab([
      `--host-resolver-rules=${secure},MAP localhost:* 127.0.0.1:${getPort(callbacks.plain)}`,
      '--ignore-certificate-errors',
    ]);
  });
  afterAll(async () => {
    await tab?.close();
    callbacks?.plain.close();
    callbacks?.secure.close();
  });

  const click = async (selector: string) => {
    const element = `document.querySelector(${JSON.stringify(selector)})`;
    await expect.poll(() => tab.run(`${element} !== null`)).toBe(true);
    await tab.run(`${element}.click()`);
  };
  const waitForSelector = (selector: string) =>
    tab.until(`!!document.querySelector(${JSON.stringify(selector)})`);
  const clean = () =>
    tab.run<string[]>(`${AXE}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 120)).join(' | ')))`);

  async function look(): Promise<void> {
    for (const width of [1280, 390])
      for (const scheme of ['light', 'dark'] as const) {
        await tab.look(width, scheme);
        if ((width === 1280) === (scheme === 'light')) expect(await clean()).toEqual([]);
        expect(await tab.run('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      }
  }

  async function start(address: string): Promise<void> {
    // Marks the current page, because the next page may also be the sign-in page.
    await tab.run(`window.isLeft = true; location.href = ${JSON.stringify(address)}`);
    await tab.until('!window.isLeft');
    await waitForSelector('form[action^="/oauth/consent"], form[action="/login"]');
    if (await tab.run(`!document.querySelector('form[action="/login"]')`)) return;
    const { login, password } = app.main.user;
    await tab.run(`document.querySelector('#login').value = ${JSON.stringify(login)};
      document.querySelector('#password').value = ${JSON.stringify(password)}`);
    await click('form[action="/login"] button');
    await waitForSelector('form[action^="/oauth/consent"]');
  }

  it.each(CLIENT_REGISTRATIONS.filter(({ redirectUri }) => redirectUri.startsWith('http')))(
    'redirects to $name with a code that the client can redeem',
    async ({ metadata, redirectUri }) => {
      const actualRedirect = redirectUri.replace(
        /^(http:\/\/127\.0\.0\.1):\d+/,
        `$1:${getPort(callbacks.plain)}`,
      );
      const { client_id } = (await post(`${app.url}/oauth/register`, metadata)).json();
      const { address, verifier } = buildAuthorizeUrl(app, {
        clientId: client_id,
        redirectUri: actualRedirect,
      });
      if (!tab.requests.length) await tab.open(`${app.url}/login`);
      await start(address);
      await look();
      callbacks.called.length = 0;
      await click('button[value="allow"]');
      // Chromium's requests to Google services also reach the stand-in.
      const findCallback = () =>
        callbacks.called.find(({ pathname }) => pathname === new URL(actualRedirect).pathname);
      await expect.poll(findCallback, { timeout: 20_000 }).toBeTruthy();
      const returnedUrl = findCallback()!;
      expect(returnedUrl.searchParams.get('iss')).toBe(app.url);
      const code = returnedUrl.searchParams.get('code')!;
      const { json } = await redeemCode(app, {
        clientId: client_id,
        code,
        verifier,
        redirectUri: actualRedirect,
      });
      expect((await post(`${app.url}/mcp`, buildRequest('tools/list'), json.access_token)).status).toBe(200);
      expect(tab.complaints).toEqual([]);
    },
  );

  it('links to a custom scheme, and lists the agent on an accessible page', async () => {
    const { metadata, redirectUri } = CLIENT_REGISTRATIONS.find(({ name }) => name === 'Cursor')!;
    const { client_id } = (await post(`${app.url}/oauth/register`, metadata)).json();
    await tab.open(`${app.url}/profile/agents`);
    await look();
    await start(buildAuthorizeUrl(app, { clientId: client_id, redirectUri }).address);
    await look();
    await click('button[value="allow"]');
    await tab.until(`document.title.startsWith('Connected')`);
    expect(await tab.run(`document.querySelector('main a').getAttribute('href')`)).toContain(
      '/oauth/authorize/',
    );
    await tab.open(`${app.url}/profile/agents`);
    expect(await tab.run('document.body.textContent')).toContain('Cursor');
    const before = await tab.run<number>(`document.querySelectorAll('button[name="id"]').length`);
    await click('button[name="id"]');
    await tab.until(`document.querySelectorAll('button[name="id"]').length === ${before - 1}`);
  });
});
