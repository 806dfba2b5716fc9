import { spawn } from 'node:child_process';
import { type AddressInfo, createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import {
  Client,
  type OAuthClientProvider,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { beforeAll, describe, expect, it } from 'vitest';
import { normalizeClient } from '../../facades/oauth/client-metadata.ts';
import { MAX_SHOWN_CLIENT_NAME_CHARS } from '../../facades/oauth/format-client.ts';
import { MAX_REGISTRATIONS_PER_HOUR } from '../../facades/oauth/rates.ts';
import { MAX_UNUSED_CLIENTS } from '../../schema/base/oauth/rows.ts';
import { sql } from '../../src/db/sql.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { type App, post, setUpApp } from '../harness/app.ts';
import { buildRequest, switchMcp } from '../harness/facades/mcp.ts';
import { CLIENT_REGISTRATIONS } from './registrations.ts';
import {
  buildAuthorizeUrl,
  CALLBACK,
  connectClient,
  decide,
  openBrowser,
  openConsent,
  PROXIED,
  redeemCode,
  register,
} from './sign-in.ts';

const app = setUpApp(PROXIED);

beforeAll(() => switchMcp(app, app.main, true));

it('publishes metadata that lists only existing endpoints and omits DPoP', async () => {
  const metadata = await (await fetch(`${app.url}/.well-known/oauth-authorization-server`)).json();
  const addresses = Object.entries<string>(metadata).filter(([name]) => /_(?:endpoint|uri)$/.test(name));
  expect(addresses.length).toBeGreaterThan(3);
  for (const [name, address] of addresses) {
    const statuses = ['GET', 'POST'].map(async (method) => (await fetch(address, { method })).status);
    expect(new Set(await Promise.all(statuses)), name).not.toEqual(new Set([404]));
  }
  expect(Object.keys(metadata).filter((name) => /dpop|pushed/.test(name))).toEqual([]);
});

describe('client registration', () => {
  it.each(CLIENT_REGISTRATIONS)(
    'registers $name, which then signs in and calls a tool',
    async ({ metadata, redirectUri }) => {
      const answer = await post(`${app.url}/oauth/register`, metadata, undefined, {
        origin: 'http://localhost:6274',
      });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      const { client_id, redirect_uris, registration_client_uri, client_secret } = answer.json();
      expect(redirect_uris).toEqual(metadata.redirect_uris);
      expect(registration_client_uri).toBe(`${app.url}/oauth/register/${client_id}`);
      expect(client_secret).toBeUndefined();
      const browser = await openBrowser(app, app.main.user);
      const { address, verifier } = buildAuthorizeUrl(app, { clientId: client_id, redirectUri });
      const returnedUrl = await decide(browser, await openConsent(browser, address));
      expect(returnedUrl.href.startsWith(redirectUri)).toBe(true);
      const code = returnedUrl.searchParams.get('code')!;
      const { status, json } = await redeemCode(app, { clientId: client_id, code, verifier, redirectUri });
      expect(status).toBe(200);
      expect(json.refresh_token).toBeTruthy();
      const listed = await post(`${app.url}/mcp`, buildRequest('tools/list'), json.access_token);
      expect(listed.status).toBe(200);
    },
  );

  it.each([
    ...[
      'javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'vbscript:x',
      'view-source:https://x',
    ],
    ...[
      'blob:https://a.example/x',
      'ms-msdt:/id',
      'MS-MSDT:/id',
      'search-ms:query=x',
      'smb://x/y',
      'intent://x',
    ],
    ...[
      'mailto:a@b.c',
      'tel:1',
      'sms:1',
      'ssh://x',
      'ldap://x',
      'x-apple.systempreferences:a',
      'ms-word:ofe|u|x',
    ],
    ...['myapp://callback', 'about:blank', 'chrome://settings', 'jar:https://x!/y', 'javascript.:x', '.a:x'],
    ...['http://client.example/callback', 'https://user:pass@client.example/callback', 'no address'],
  ])('rejects the redirect %s', async (uri) => {
    const answer = await post(`${app.url}/oauth/register`, { redirect_uris: [CALLBACK, uri] });
    expect(answer.status).toBe(400);
    expect(answer.json().error).toMatch(/^invalid_(redirect_uri|client_metadata)$/);
  });

  it.each(['com.example.app:/callback', 'org.example.my-app://x', 'cursor://x/y', 'vscode-insiders://x/y'])(
    'accepts the app redirect %s, and follows it only after a click',
    async (redirectUri) => {
      const { client_id } = await register(app, { redirect_uris: [redirectUri] });
      const browser = await openBrowser(app, app.main.user);
      const { at, page } = await openConsent(
        browser,
        buildAuthorizeUrl(app, { clientId: client_id, redirectUri }).address,
      );
      const proof = /name="proof" value="([^"]+)"/.exec(page)![1]!;
      const decidedResponse = await browser.submit(at, [
        ['proof', proof],
        ['decision', 'deny'],
      ]);
      expect(decidedResponse.headers.get('refresh')).toBeNull();
      expect(await decidedResponse.text()).not.toMatch(/http-equiv|<script/);
    },
  );

  it.each<[string, object]>([
    ['none', { redirect_uris: [] }],
    [
      'too many redirects',
      { redirect_uris: Array.from({ length: 21 }, (_, i) => `https://client.example/${i}`) },
    ],
    ['a too long redirect', { redirect_uris: [`https://client.example/${'x'.repeat(2_000)}`] }],
    ['a redirect that is not a string', { redirect_uris: [1, {}] }],
  ])('rejects redirects: %s', async (_what, metadata) => {
    expect((await post(`${app.url}/oauth/register`, metadata)).status).toBe(400);
  });

  it('rejects a body over the limit', async () => {
    const answer = await post(`${app.url}/oauth/register`, {
      redirect_uris: [CALLBACK],
      x: 'x'.repeat(100_000),
    });
    expect(answer.status).toBe(400);
  });

  it('requires an exact redirect URI, except for the port of a loopback address', async () => {
    const { client_id } = await register(app, { redirect_uris: ['http://127.0.0.1:1234/cb', CALLBACK] });
    const browser = await openBrowser(app, app.main.user);
    const readStatus = async (redirectUri: string) =>
      (await browser.get(buildAuthorizeUrl(app, { clientId: client_id, redirectUri }).address)).status;
    expect(await readStatus('http://127.0.0.1:9/cb')).toBe(303);
    for (const invalid of [
      'http://127.0.0.1:1234/cb2',
      'http://localhost:1234/cb',
      `${CALLBACK}/more`,
      'https://client.example:444/callback',
      'https://evil.example/callback',
    ])
      expect(await readStatus(invalid)).toBe(400);
  });

  it('normalizes client metadata', () => {
    const normalize = (metadata: Record<string, unknown>) => {
      normalizeClient(metadata);
      return metadata;
    };
    const register = (...redirect_uris: string[]) => normalize({ redirect_uris }).application_type;
    expect(register(CALLBACK)).toBe('web');
    expect(register('cursor://x/y', CALLBACK)).toBe('native');
    expect(register('http://localhost:1/x')).toBe('native');
    expect(register('http://[::1]:1/x')).toBe('native');
    expect(normalize({ client_name: 'A\u202Eb\u0000\nc' }).client_name).toBe('Ab c');
    expect(normalize({ client_name: '\u200B' }).client_name).toBe('Unnamed');
    expect(normalize({ client_name: 'n'.repeat(500) }).client_name).toHaveLength(MAX_SHOWN_CLIENT_NAME_CHARS);
    expect(normalize({ scope: 'a', logo_uri: 'x', grant_types: ['implicit', 'refresh_token'] })).toEqual({
      grant_types: ['refresh_token'],
    });
  });

  it('deletes clients without consent after a day, and keeps the others', async () => {
    const workspace = app.main.ctx.workspace.id;
    const unusedClient = await register(app);
    const used = await connectClient(app, app.main.user);
    await app.runtime.db.rows(
      sql`update svc_oauth_payload set expires_at = expires_at - interval '25 hours' where workspace_id = ${workspace}`,
    );
    await listScheduledJobs()
      .find(({ name }) => name === 'oauth-purge')!
      .run(app.runtime, {});
    const readStatus = async (clientId: string) =>
      (await (await openBrowser(app)).get(buildAuthorizeUrl(app, { clientId }).address)).status;
    expect(await readStatus(unusedClient.client_id)).toBe(400);
    expect(await readStatus(used.clientId)).toBe(303);
  });
});

it('supports the official client, which signs in and refreshes its tokens', async () => {
  const url = new URL(`${app.url}/mcp`);
  const provider = createOfficialProvider(app);
  const first = new StreamableHTTPClientTransport(url, { authProvider: provider });
  await expect(new Client({ name: 'test client', version: '1' }).connect(first)).rejects.toThrow(
    UnauthorizedError,
  );
  await first.finishAuth(provider.answer());
  const client = new Client({ name: 'test client', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider: provider }));
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  const before = provider.kept.tokens;
  await app.runtime.db.rows(
    sql`update svc_oauth_payload set expires_at = now() where workspace_id = ${app.main.ctx.workspace.id}
        and kind = 'AccessToken'`,
  );
  app.runtime.identity.invalidate();
  expect((await client.callTool({ name: 'count', arguments: { model: 'res.partner' } })).isError).toBe(false);
  expect(provider.kept.tokens.access_token).not.toBe(before.access_token);
  await client.close();
});

interface Official extends OAuthClientProvider {
  answer(): URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: the client does not export its types
  kept: any;
}

function createOfficialProvider(app: App): Official {
  // biome-ignore lint/suspicious/noExplicitAny: the client does not export its types
  const storage: any = {};
  return {
    kept: storage,
    redirectUrl: 'http://localhost:4711/callback',
    clientMetadata: { client_name: 'Official client', redirect_uris: ['http://localhost:4711/callback'] },
    clientInformation: () => storage.client,
    saveClientInformation: (client) => {
      storage.client = client;
    },
    tokens: () => storage.tokens,
    saveTokens: (tokens) => {
      storage.tokens = tokens;
    },
    saveCodeVerifier: (verifier) => {
      storage.verifier = verifier;
    },
    codeVerifier: () => storage.verifier,
    redirectToAuthorization: async (address) => {
      const browser = await openBrowser(app, app.main.user);
      storage.back = await decide(browser, await openConsent(browser, address.href));
    },
    answer: () => storage.back.searchParams,
  };
}

it('passes all 3 scenarios of the authorization server conformance suite', async () => {
  const port = await freePort();
  const { client_id } = await register(app, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const suite = fileURLToPath(new URL(SUITE, import.meta.url));
  const args = ['authorization', '--url', app.url, '--client-id', client_id, '--resource', `${app.url}/mcp`];
  const child = spawn(process.execPath, [suite, ...args, '--port', String(port)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let message = '';
  let screenshot: Promise<unknown> | undefined;
  const browser = await openBrowser(app, app.main.user);
  const hear = (text: Buffer) => {
    message += text;
    const address = new RegExp(`${app.url}/oauth/authorize\\?\\S+`).exec(message)?.[0];
    if (address && message.slice(message.indexOf(address) + address.length).startsWith('\n'))
      screenshot ??= openConsent(browser, address)
        .then((page) => decide(browser, page))
        .then((returnedUrl) => fetch(returnedUrl));
  };
  child.stdout.on('data', hear);
  child.stderr.on('data', hear);
  const code = await new Promise((resolve) => child.once('close', resolve));
  await screenshot;
  expect(message).toMatch(/3 passed, 0 failed|Passed: 3\/3/);
  expect(code).toBe(0);
});

const SUITE = '../../node_modules/@modelcontextprotocol/conformance/dist/index.js';

const freePort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

// Must run last, because it exhausts the rate limit of this address.
it('never evicts a client during its sign-in, and limits registrations', async () => {
  const workspace = app.main.ctx.workspace.id;
  const registerClient = () => post(`${app.url}/oauth/register`, { redirect_uris: [CALLBACK] });
  const { client_id: clientId } = await register(app);
  const { client_id: idle } = await register(app);
  await app.runtime.db.rows(
    sql`update svc_oauth_payload set expires_at = expires_at - interval '20 hours'
      where workspace_id = ${workspace} and kind = 'Client'`,
  );
  const browser = await openBrowser(app, app.main.user);
  const { address, verifier } = buildAuthorizeUrl(app, { clientId });
  const deciding = await openConsent(browser, address);
  const readOthers = (age: string) =>
    app.runtime.db.rows(
      sql`insert into svc_oauth_payload (workspace_id, kind, hash, sealed, expires_at)
        select ${workspace}::int, 'Client', 'unused ' || g, '', now() + interval '1 day' - ${age}::interval
        from generate_series(1, ${MAX_UNUSED_CLIENTS}) g
        on conflict (workspace_id, kind, hash) do update set expires_at = excluded.expires_at`,
    );
  const count = () =>
    app.runtime.db.value<number>(
      sql`select count(*)::int from svc_oauth_payload where workspace_id = ${workspace} and kind = 'Client'
        and expires_at <= now() + interval '1 day'`,
    );
  await readOthers('1 hour');
  expect((await registerClient()).status).toBe(201);
  expect(await count()).toBe(MAX_UNUSED_CLIENTS);
  await readOthers('1 minute');
  const before = await count();
  expect([(await registerClient()).status, await count()]).toEqual([429, before]);
  const code = (await decide(browser, deciding)).searchParams.get('code')!;
  expect((await redeemCode(app, { clientId, code, verifier })).status).toBe(200);
  expect((await browser.get(buildAuthorizeUrl(app, { clientId: idle }).address)).status).toBe(400);
  await app.runtime.db.rows(
    sql`delete from svc_oauth_payload where workspace_id = ${workspace} and hash like 'unused %'`,
  );
  let answer = await registerClient();
  expect(answer.status).toBe(201);
  for (let tries = 0; answer.status === 201 && tries < MAX_REGISTRATIONS_PER_HOUR; tries++)
    answer = await registerClient();
  expect(answer.status).toBe(429);
  expect(answer.json().error).toBe('temporarily_unavailable');
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
});
