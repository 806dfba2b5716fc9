import { request as open } from 'node:http';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createRuntime, listen } from '../../boot/server.ts';
import { buildFacades } from '../../facades/index.ts';
import { MAX_LISTED_AGENTS } from '../../facades/oauth/agents-page.ts';
import { sql } from '../../src/db/sql.ts';
import { createLog } from '../../src/log.ts';
import { post, setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import {
  buildRequest,
  createAgentKey,
  postMcp,
  readLogLines,
  runTool,
  switchMcp,
} from '../harness/facades/mcp.ts';
import type { Tenant } from '../harness/tenant.ts';
import {
  buildAuthorizeUrl,
  CALLBACK,
  connectClient,
  decide,
  openBrowser,
  openConsent,
  PROXIED,
  redeemCode,
  refreshToken,
  register,
  requestToken,
} from './sign-in.ts';

const app = setUpApp(PROXIED);
let otherTenant: Tenant;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  await switchMcp(app, app.main, true);
  await switchMcp(app, otherTenant, true);
});

const list = (token: string, url = app.url) => post(`${url}/mcp`, buildRequest('tools/list'), token);

describe('OAuth discovery', () => {
  it('names the authorization server and the scopes in the challenge of /mcp', async () => {
    const { status, headers } = await postMcp(app, buildRequest('tools/list'));
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toBe(
      `Bearer resource_metadata="${app.url}/.well-known/oauth-protected-resource/mcp", scope="mcp:read mcp:write"`,
    );
  });

  it('returns invalid_token for an unknown token', async () => {
    const { status, headers } = await list('x'.repeat(43));
    expect(status).toBe(401);
    expect(headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", .*resource_metadata="/);
  });

  it.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])(
    'returns the resource and its authorization server at %s',
    async (path) => {
      const response = await fetch(app.url + path, { headers: { origin: 'http://localhost:6274' } });
      expect(await response.json()).toMatchObject({
        resource: `${app.url}/mcp`,
        authorization_servers: [app.url],
        scopes_supported: ['mcp:read', 'mcp:write'],
        bearer_methods_supported: ['header'],
      });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it('returns the fields that clients require in the authorization server metadata', async () => {
    const response = await fetch(`${app.url}/.well-known/oauth-authorization-server`, {
      headers: { origin: 'http://localhost:6274' },
    });
    const error = await response.json();
    expect(error).toMatchObject({
      issuer: app.url,
      authorization_endpoint: `${app.url}/oauth/authorize`,
      token_endpoint: `${app.url}/oauth/token`,
      registration_endpoint: `${app.url}/oauth/register`,
      revocation_endpoint: `${app.url}/oauth/revoke`,
      code_challenge_methods_supported: ['S256'],
      response_types_supported: ['code'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(error.token_endpoint_auth_methods_supported).toContain('none');
    expect(error.scopes_supported).toEqual(
      expect.arrayContaining(['offline_access', 'mcp:read', 'mcp:write']),
    );
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:6274');
  });

  it.each(['/oauth/token', '/oauth/register', '/.well-known/oauth-protected-resource/mcp'])(
    'accepts a preflight request from another origin for %s',
    async (path) => {
      const method = path.includes('resource') ? 'GET' : 'POST';
      const headers = { origin: 'http://localhost:6274', 'access-control-request-method': method };
      const response = await fetch(app.url + path, { method: 'OPTIONS', headers });
      expect(response.status).toBe(204);
      expect(response.headers.get('access-control-allow-origin')).toMatch(/^(\*|http:\/\/localhost:6274)$/);
    },
  );

  it('returns 404 for a workspace without MCP and for a foreign host', async () => {
    const paths = [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server',
      '/oauth/authorize',
    ];
    await switchMcp(app, app.main, false);
    for (const path of paths) expect((await fetch(app.url + path)).status).toBe(404);
    expect((await postMcp(app, buildRequest('tools/list'))).headers.get('www-authenticate')).toBeNull();
    await switchMcp(app, app.main, true);
    const host = { host: 'evil.example.com' };
    for (const path of paths)
      expect((await requestPath(app, path, { method: 'GET', headers: host })).status).toBe(404);
  });

  it('responds only at the URLs of the workspace', async () => {
    const readAt = (host: string) =>
      requestPath(app, '/.well-known/oauth-authorization-server', { method: 'GET', headers: { host } });
    const { config } = app.runtime;
    const { publicUrl } = config;
    config.publicUrl = 'https://mail.example.com';
    const hosts = [
      'mail.example.com',
      'main.mail.example.com',
      `127.0.0.1:${app.port}`,
      `localhost:${app.port}`,
    ];
    const unknown = [
      'mail.example.com:444',
      'a.main.mail.example.com',
      '127.0.0.1:81',
      '10.1.2.3',
      'x.localhost',
    ];
    for (const host of hosts) expect([host, (await readAt(host)).status]).toEqual([host, 200]);
    for (const host of unknown) expect([host, (await readAt(host)).status]).toEqual([host, 404]);
    config.publicUrl = publicUrl;
  });
});

describe('OAuth client', () => {
  it('calls tools as its user, and loses all tokens if a refresh token is reused', async () => {
    const tokens = await connectClient(app, app.main.admin);
    expect(tokens).toMatchObject({ scope: 'mcp:read mcp:write', expires_in: 3600, token_type: 'Bearer' });
    expect(await runTool(app, tokens.access_token, 'count', { model: 'res.partner' })).toMatchObject({
      isError: false,
    });
    const next = await refreshToken(app, tokens.clientId, tokens.refresh_token);
    expect(next.status).toBe(200);
    expect((await list(next.json.access_token)).status).toBe(200);
    const repeatedResponse = await refreshToken(app, tokens.clientId, tokens.refresh_token);
    expect(repeatedResponse).toMatchObject({ status: 400, json: { error: 'invalid_grant' } });
    for (const token of [tokens.access_token, next.json.access_token])
      expect((await list(token)).status).toBe(401);
    expect((await refreshToken(app, tokens.clientId, next.json.refresh_token)).json.error).toBe(
      'invalid_grant',
    );
  });

  it('gets access tokens for an hour, refresh tokens for 30 days and consent for a year', async () => {
    await connectClient(app, app.main.admin);
    const rows = await app.runtime.db.rows<{ kind: string; days: number }>(
      sql`select kind, max(round(extract(epoch from expires_at - now())) / 86400)::float8 as days
        from svc_oauth_payload where workspace_id = ${app.main.ctx.workspace.id} group by kind`,
    );
    const days = Object.fromEntries(rows.map((row) => [row.kind, row.days]));
    expect(days.AccessToken).toBeCloseTo(1 / 24, 2);
    expect(days.RefreshToken).toBeCloseTo(30, 2);
    expect(days.Grant).toBeCloseTo(365, 2);
    expect(days.Client).toBeCloseTo(365, 2);
  });

  it('gets only the scopes that the user selects', async () => {
    const tokens = await connectClient(app, app.main.admin, { granted: ['mcp:read'] });
    expect(tokens.scope).toBe('mcp:read');
    const caller = await app.runtime.identity.byToken(app.main.ctx.workspace.id, tokens.access_token);
    expect(caller?.principal).toMatchObject({
      scopes: ['read'],
      userId: app.main.admin.id,
      agent: { kind: 'oauth', clientName: 'A client' },
    });
    const { tools } = (await list(tokens.access_token)).json().result;
    expect(tools.length).toBeGreaterThan(0);
    for (const { annotations } of tools) expect(annotations.readOnlyHint).toBe(true);
  });

  it('gets 403 for a write tool without the write scope, or an error for that call in a batch', async () => {
    const { access_token } = await connectClient(app, app.main.admin, { granted: ['mcp:read'] });
    const calls = ['count', 'create'].map((name, id) =>
      buildRequest('tools/call', { name, arguments: { model: 'res.partner' } }, id + 1),
    );
    const singleCall = await postMcp(app, calls[1], access_token);
    expect(singleCall.status).toBe(403);
    expect(singleCall.headers.get('www-authenticate')).toMatch(
      /^Bearer error="insufficient_scope", .*resource_metadata=".*", scope="mcp:write"$/,
    );
    expect(singleCall.json()).toMatchObject({ id: 2, error: { code: -31003 } });
    const batch = await postMcp(app, calls, access_token);
    expect(batch.status).toBe(200);
    expect(batch.json()).toMatchObject([
      { id: 1, result: { isError: false } },
      { id: 2, error: { code: -31003 } },
    ]);
    const [line] = await readLogLines(app.main, 1);
    expect(line).toMatchObject({ tool: 'create', success: false });
    const withKey = await postMcp(app, calls[1], app.main.readOnlyKey);
    expect(withKey.status).toBe(200);
    expect(withKey.json().result.isError).toBe(true);
  });

  it('can also read with the write scope', async () => {
    const tokens = await connectClient(app, app.main.admin, { granted: ['mcp:write'] });
    expect(tokens.scope).toBe('mcp:write');
    expect(await runTool(app, tokens.access_token, 'count', { model: 'res.partner' })).toMatchObject({
      isError: false,
    });
    const result = await runTool(app, tokens.access_token, 'create', {
      model: 'res.partner',
      values: { name: 'Made by an agent' },
    });
    expect(result.isError).toBe(false);
  });

  it('requests all scopes by default', async () => {
    const tokens = await connectClient(app, app.main.admin, { scope: null, resource: null });
    expect(tokens.scope).toBe('mcp:read mcp:write');
    expect((await list(tokens.access_token)).status).toBe(200);
  });

  it.each(['/mcp/', '/mcp?groups=data', '', '/'])('can specify the resource %s', async (path) => {
    const tokens = await connectClient(app, app.main.admin, { resource: app.url + path });
    expect((await list(tokens.access_token)).status).toBe(200);
  });

  it('can use /mcp/ as well as /mcp', async () => {
    const tokens = await connectClient(app, app.main.admin, {});
    const answer = await post(`${app.url}/mcp/`, buildRequest('tools/list'), tokens.access_token);
    expect(answer.status).toBe(200);
  });

  it('finds the metadata at each host name of the server through the challenge', async () => {
    const { port } = new URL(app.url);
    for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `main.localhost:${port}`]) {
      const { challenge } = await requestPath(app, '/mcp', { method: 'POST', headers: { host } });
      const metadataUrl = new URL(/resource_metadata="([^"]+)"/.exec(challenge)![1]!);
      expect(metadataUrl.host).toBe(host);
      const { status } = await requestPath(app, metadataUrl.pathname, { method: 'GET', headers: { host } });
      expect([host, status]).toEqual([host, 200]);
    }
    for (const host of ['main.localhost', 'localhost:1', '127.0.0.2', `x.localhost:${port}`]) {
      const { challenge } = await requestPath(app, '/mcp', { method: 'POST', headers: { host } });
      const metadataUrl = /resource_metadata="([^"]+)"/.exec(challenge)![1]!;
      expect([host, (await fetch(metadataUrl)).status]).toEqual([host, 200]);
    }
  });

  it.each<[string, Record<string, string>, string]>([
    ['another resource', { resource: 'https://elsewhere.example/mcp' }, 'invalid_target'],
    ['a missing PKCE challenge', { code_challenge: '', code_challenge_method: '' }, 'invalid_request'],
    ['a plain PKCE challenge', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ])('gets an error with the issuer for %s', async (_what, overrides, error) => {
    const { client_id } = await register(app);
    const { address } = buildAuthorizeUrl(app, { clientId: client_id, more: overrides });
    const url = new URL(address);
    for (const [name, value] of Object.entries(overrides)) if (value === '') url.searchParams.delete(name);
    const response = await (await openBrowser(app)).get(url.href);
    const [, link] = /href="(https:\/\/client[^"]+)"/.exec(await response.text())!;
    const returnedUrl = new URL(link!.replaceAll('&amp;', '&'));
    const params = new URLSearchParams(returnedUrl.search || returnedUrl.hash.slice(1));
    expect(params.get('error')).toBe(error);
    expect(params.get('iss')).toBe(app.url);
    expect(params.get('state')).toBe('st');
  });

  it('is notified if the user denies access', async () => {
    const { client_id } = await register(app);
    const browser = await openBrowser(app, app.main.user);
    const { address } = buildAuthorizeUrl(app, { clientId: client_id });
    const returnedUrl = await decide(browser, await openConsent(browser, address), [], 'deny');
    expect(`${returnedUrl.origin}${returnedUrl.pathname}`).toBe(CALLBACK);
    expect(Object.fromEntries(returnedUrl.searchParams)).toMatchObject({
      error: 'access_denied',
      iss: app.url,
      state: 'st',
    });
  });

  it('can redeem only its own code, once and with the matching verifier', async () => {
    const [ownClient, foreignClient] = [await register(app), await register(app)];
    const clientId = ownClient.client_id;
    const readCode = async () => {
      const browser = await openBrowser(app, app.main.user);
      const { address, verifier } = buildAuthorizeUrl(app, { clientId });
      const returnedUrl = await decide(browser, await openConsent(browser, address));
      expect(returnedUrl.searchParams.get('iss')).toBe(app.url);
      return { clientId, code: returnedUrl.searchParams.get('code')!, verifier };
    };
    const first = await readCode();
    expect((await redeemCode(app, { ...first, clientId: foreignClient.client_id })).json.error).toBe(
      'invalid_grant',
    );
    expect((await redeemCode(app, { ...first, verifier: 'y'.repeat(43) })).json.error).toBe('invalid_grant');
    const second = await readCode();
    const [one, two] = await Promise.all([redeemCode(app, second), redeemCode(app, second)]);
    expect([one.status, two.status].sort()).toEqual([200, 400]);
    const third = await readCode();
    const { json } = await redeemCode(app, third);
    expect((await list(json.access_token)).status).toBe(200);
    expect((await redeemCode(app, third)).json.error).toBe('invalid_grant');
    expect((await list(json.access_token)).status).toBe(401);
  });

  it('can use a refresh token in only one of two concurrent requests', async () => {
    const { clientId, refresh_token } = await connectClient(app, app.main.user);
    const both = await Promise.all([
      refreshToken(app, clientId, refresh_token),
      refreshToken(app, clientId, refresh_token),
    ]);
    expect(both.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
    expect(both.map(({ status }) => status)).toContain(400);
  });

  it('loses access when its user is deactivated', async () => {
    const { ctx } = app.main;
    const tokens = await connectClient(app, app.main.user);
    const setActive = (isOn: boolean) =>
      ctx.db.rows(
        sql`update res_users set active = ${isOn} where workspace_id = ${ctx.workspace.id} and id = ${app.main.user.id}`,
      );
    await setActive(false);
    await expect.poll(async () => (await list(tokens.access_token)).status).toBe(401);
    expect((await refreshToken(app, tokens.clientId, tokens.refresh_token)).json.error).toBe('invalid_grant');
    await setActive(true);
  });
});

describe('access token', () => {
  it('is rejected for another workspace, at another URL and by other facades', async () => {
    const { access_token } = await connectClient(app, app.main.admin);
    const readStatus = async (path: string, host: string, body: object) =>
      (await fetchAs(app, path, host, access_token, body)).status;
    const { publicUrl } = app.runtime.config;
    app.runtime.config.publicUrl = `http://localhost:${app.port}`;
    expect(await readStatus('/mcp', `other.localhost:${app.port}`, buildRequest('ping'))).toBe(401);
    expect(await readStatus('/mcp', `main.localhost:${app.port}`, buildRequest('ping'))).toBe(401);
    app.runtime.config.publicUrl = publicUrl;
    expect(await readStatus('/mcp', `127.0.0.1:${app.port}`, buildRequest('ping'))).toBe(200);
    expect(await readStatus('/json/2/res.partner/search_count', `127.0.0.1:${app.port}`, {})).toBe(401);
    expect(await readStatus('/graphql', `127.0.0.1:${app.port}`, { query: '{ __typename }' })).toBe(401);
  });

  it('is not stored in plain text, and neither are refresh tokens and client secrets', async () => {
    const { access_token, refresh_token, clientId } = await connectClient(app, app.main.admin);
    const secret = await register(app, { token_endpoint_auth_method: 'client_secret_post' });
    expect(secret.client_secret).toBeTruthy();
    const rows = await app.runtime.db.rows<{ text: string }>(
      sql`select t::text as text from svc_oauth_payload t where workspace_id = ${app.main.ctx.workspace.id}`,
    );
    const all = rows.map(({ text }) => text).join('\n');
    for (const text of [access_token, refresh_token, clientId, secret.client_secret!, CALLBACK])
      expect(all).not.toContain(text);
  });

  it('can be revoked by its client (RFC 7009)', async () => {
    const { access_token, clientId } = await connectClient(app, app.main.user);
    const body = new URLSearchParams({ token: access_token, client_id: clientId });
    expect((await fetch(`${app.url}/oauth/revoke`, { method: 'POST', body })).status).toBe(200);
    expect((await list(access_token)).status).toBe(401);
  });
});

/** Sends a request with a Host header, which fetch does not allow. */
const requestPath = (
  { url }: { url: string },
  path: string,
  { method, headers }: { method: string; headers: Record<string, string> },
  body?: object,
): Promise<{ status: number; challenge: string }> =>
  new Promise((resolve, reject) => {
    open(url + path, { method, headers }, (response) => {
      response
        .resume()
        .on('end', () =>
          resolve({ status: response.statusCode!, challenge: response.headers['www-authenticate'] ?? '' }),
        );
    })
      .on('error', reject)
      .end(body && JSON.stringify(body));
  });

const fetchAs = (at: { url: string }, path: string, host: string, token: string, body: object) => {
  const headers = { host, 'content-type': 'application/json', authorization: `Bearer ${token}` };
  return requestPath(at, path, { method: 'POST', headers }, body);
};

describe('connected agents', () => {
  const AGENTS =
    '{ connectedAgents { totalCount nodes { id client clientId redirectHost scopes calls lastUsedAt revokedAt userId user { name } } } }';
  const revoke = (id: string, key: string) =>
    postGraphql(app, `mutation { connectedAgentRevoke(id: ${id}) { id revokedAt } }`, { key });
  const readAgents = async (key: string) =>
    (await postGraphql(app, AGENTS, { key })).data.connectedAgents.nodes as {
      id: string;
      clientId: string;
      revokedAt: string | null;
      calls: number;
    }[];
  const readAgent = async (clientId: string, key: string) =>
    (await readAgents(key)).find((item) => item.clientId === clientId);

  it('are listed with their client, scopes and usage, but only to their user and administrators', async () => {
    const { clientId, access_token } = await connectClient(app, app.main.user, { granted: ['mcp:read'] });
    await list(access_token);
    await list(access_token);
    await expect
      .poll(async () => (await readAgent(clientId, app.main.user.key))?.calls, { timeout: 15_000 })
      .toBe(2);
    const ownAgent = await readAgent(clientId, app.main.user.key);
    expect(ownAgent).toMatchObject({
      client: 'A client',
      redirectHost: 'client.example',
      scopes: ['READ'],
      lastUsedAt: expect.stringMatching(/^20/),
      revokedAt: null,
      userId: String(app.main.user.id),
    });
    expect(await readAgent(clientId, app.main.admin.key)).toMatchObject({ id: ownAgent!.id });
    expect(await readAgents(otherTenant.admin.key)).toEqual([]);
    const ofAdmin = await connectClient(app, app.main.admin);
    expect(await readAgent(ofAdmin.clientId, app.main.user.key)).toBeUndefined();
  });

  it('can be revoked individually by their user and by administrators', async () => {
    const [first, second] = [
      await connectClient(app, app.main.admin),
      await connectClient(app, app.main.admin),
    ];
    const agent = await readAgent(first.clientId, app.main.admin.key);
    for (const key of [app.main.user.key, otherTenant.admin.key])
      expect((await revoke(agent!.id, key)).errors[0]!.extensions.code).toBe('NOT_FOUND');
    expect((await list(first.access_token)).status).toBe(200);
    const result = await revoke(agent!.id, app.main.admin.key);
    expect(result.data.connectedAgentRevoke.revokedAt).toMatch(/^20/);
    expect((await list(first.access_token)).status).toBe(401);
    expect((await refreshToken(app, first.clientId, first.refresh_token)).json.error).toBe('invalid_grant');
    expect((await list(second.access_token)).status).toBe(200);
    const ofUser = await connectClient(app, app.main.user);
    await revoke((await readAgent(ofUser.clientId, app.main.user.key))!.id, app.main.admin.key);
    expect((await list(ofUser.access_token)).status).toBe(401);
  });

  it('lose access in all processes when they are revoked', async () => {
    const runtime = await createRuntime({ ...app.runtime.config }, app.databaseUrl, createLog('fatal', 2));
    const server = await listen(buildFacades(runtime, 'all'), '127.0.0.1', 0);
    try {
      const host = `127.0.0.1:${app.port}`;
      const { clientId, access_token } = await connectClient(app, app.main.admin);
      const fetchMetadata = async () => {
        const url = `http://127.0.0.1:${server.port}`;
        return (await fetchAs({ url }, '/mcp', host, access_token, buildRequest('tools/list'))).status;
      };
      expect(await fetchMetadata()).toBe(200);
      const agent = await readAgent(clientId, app.main.admin.key);
      await revoke(agent!.id, app.main.admin.key);
      // The cache expires after 5 seconds, so a faster change proves the invalidation.
      await expect.poll(fetchMetadata, { timeout: 2_000, interval: 20 }).toBe(401);
    } finally {
      await server.close();
      await runtime.db.close();
    }
  });

  it('are recorded in the audit trail when they connect and are revoked', async () => {
    const { clientId } = await connectClient(app, app.main.admin);
    const agent = await readAgent(clientId, app.main.admin.key);
    await revoke(agent!.id, app.main.admin.key);
    const rows = await app.runtime.db.rows<{ event: string }>(
      sql`select event from svc_audit_event where workspace_id = ${app.main.ctx.workspace.id}
        and event in ('agent.connect', 'agent.revoke') order by id desc limit 2`,
    );
    expect(rows.map(({ event }) => event)).toEqual(['agent.revoke', 'agent.connect']);
  });

  it('are recorded in the audit trail when a token is revoked or reused', async () => {
    const readLines = () =>
      app.runtime.db.rows<{ user_id: number; reason: string }>(
        sql`select user_id, summary::jsonb->>'reason' as reason from svc_audit_event
          where workspace_id = ${app.main.ctx.workspace.id} and event = 'agent.revoke'
            and summary::jsonb->>'reason' is not null order by id desc limit 3`,
      );
    const first = await connectClient(app, app.main.user);
    const body = new URLSearchParams({ token: first.access_token, client_id: first.clientId });
    await fetch(`${app.url}/oauth/revoke`, { method: 'POST', body });
    const second = await connectClient(app, app.main.user);
    await refreshToken(app, second.clientId, second.refresh_token);
    await refreshToken(app, second.clientId, second.refresh_token);
    const browser = await openBrowser(app, app.main.user);
    const { client_id } = await register(app);
    const { address, verifier } = buildAuthorizeUrl(app, { clientId: client_id });
    const returnedUrl = await decide(browser, await openConsent(browser, address));
    const code = { clientId: client_id, code: returnedUrl.searchParams.get('code')!, verifier };
    await redeemCode(app, code);
    await redeemCode(app, code);
    const user_id = app.main.user.id;
    expect(await readLines()).toEqual([
      { user_id, reason: 'reuse' },
      { user_id, reason: 'reuse' },
      { user_id, reason: 'revocation' },
    ]);
  });

  it("are listed in pages, the user's own agents first", async () => {
    const { user, admin } = app.main;
    const workspace = app.main.ctx.workspace.id;
    await app.runtime.db.rows(
      sql`insert into svc_connected_agent
          (workspace_id, id, user_id, grant_hash, client_id, client_name, redirect_host, scopes, expires_at)
        select ${workspace}::int, 900000000 + g, ${user.id}::int, 'page ' || g, 'c', 'Foreign', 'h', '{read}',
          now() + interval '1 hour'
        from generate_series(1, ${MAX_LISTED_AGENTS}) g`,
    );
    await connectClient(app, admin);
    const browser = await openBrowser(app, admin);
    const first = await (await browser.get('/profile/agents')).text();
    expect(first.indexOf('A client')).toBeGreaterThan(0);
    expect(first.indexOf('A client')).toBeLessThan(first.indexOf('Foreign'));
    const buildIds = (page: string) => [...page.matchAll(/name="id" value="(\d+)"/g)].map(([, id]) => id);
    expect(buildIds(first)).toHaveLength(MAX_LISTED_AGENTS);
    const [, next] = /href="(\/profile\/agents\?[^"]+)"/.exec(first)!;
    const second = await (await browser.get(next!.replaceAll('&amp;', '&'))).text();
    expect(buildIds(second).length).toBeGreaterThan(0);
    expect(buildIds(second).filter((id) => buildIds(first).includes(id))).toEqual([]);
    await app.runtime.db.rows(
      sql`delete from svc_connected_agent where workspace_id = ${workspace} and id > 900000000`,
    );
  });

  it('share the daily budget of all consents of a user to the same client', async () => {
    await resetCounts();
    const ping = async (token: string) => {
      const { content, message } = await runTool(app, token, 'current_time');
      return message ?? content[0]!.text;
    };
    const { clientId, access_token: first } = await connectClient(app, app.main.admin);
    await savePolicy('callsPerDay: 3');
    try {
      expect(await ping(first)).not.toContain('limit of');
      const { access_token: second } = await connectClient(app, app.main.admin, { clientId });
      expect(await ping(first)).not.toContain('limit of');
      expect(await ping(second)).not.toContain('limit of');
      for (const token of [first, second]) expect(await ping(token)).toContain('limit of 3 calls per day');
      const { access_token: third } = await connectClient(app, app.main.admin, { clientId });
      for (const token of [third, first]) expect(await ping(token)).toContain('limit of 3 calls per day');
      const other = await connectClient(app, app.main.user);
      expect(await ping(other.access_token)).not.toContain('limit of');

      const agents = `{ agents(where: { connectedId: { ne: null } }, orderBy: [{ field: ID }]) {
        nodes { id callsOfDay connectedId user { login } } } }`;
      const { data } = await postGraphql(app, agents, { key: app.main.admin.key });
      const agent = data.agents.nodes.find(({ callsOfDay }: { callsOfDay: number }) => callsOfDay === 7);
      const revoke = 'mutation ($id: ID!) { agentRevoke(id: $id) { revokedAt } }';
      await postGraphql(app, revoke, { key: app.main.admin.key, variables: { id: agent.id } });
      for (const token of [first, second, third]) expect((await list(token)).status).toBe(401);
      const { access_token: again } = await connectClient(app, app.main.admin, { clientId });
      expect(await ping(again)).toContain('limit of 3 calls per day');
    } finally {
      await savePolicy('callsPerDay: null');
    }
  });

  it('share the daily budgets of all clients that their user has connected', async () => {
    await resetCounts();
    const connect = async () => (await connectClient(app, app.main.admin)).access_token;
    const tokens = [await connect(), await connect(), await connect()];
    const run = async (token: string, name: string, args: object) => {
      const { isError, content } = await runTool(app, token, name, args);
      if (isError) expect(content[0]!.text).toContain('Your connected agents have reached their limit of ');
      return !isError;
    };
    const create = (token: string, n: number) =>
      run(token, 'create', { model: 'res.partner', values: { name: `Shared ${n}` } });
    const readTime = (token: string) => run(token, 'current_time', {});
    onTestFinished(async () => {
      await savePolicy('callsPerDay: null, changesPerDay: null');
      await resetCounts();
    });
    await savePolicy('changesPerDay: 7');
    const created = await Promise.all(Array.from({ length: 30 }, (_, n) => create(tokens[n % 3]!, n)));
    expect(created.filter(Boolean)).toHaveLength(7);
    expect(await create(await connect(), 31)).toBe(false);
    await savePolicy('callsPerDay: 33');
    const another = await connect();
    expect([await readTime(another), await readTime(tokens[0]!)]).toEqual([true, true]);
    for (const token of [...tokens, another, await connect()]) expect(await readTime(token)).toBe(false);
    const { key } = await createAgentKey(app, undefined, app.main.admin.key);
    expect(await readTime(key)).toBe(true);
  });

  const savePolicy = (fields: string) =>
    postGraphql(app, `mutation { agentPolicySave(${fields}) { version } }`, { key: app.main.admin.key });

  const resetCounts = () =>
    app.runtime.db.rows(
      sql`update svc_agent set calls_of_day = 0, changes_of_day = 0
        where workspace_id = ${app.main.ctx.workspace.id}`,
    );

  it('can be disconnected on a profile page without JavaScript', async () => {
    const { clientId, access_token } = await connectClient(app, app.main.user);
    const { id } = (await readAgent(clientId, app.main.user.key))!;
    const stranger = await openBrowser(app);
    expect((await stranger.get('/profile/agents')).headers.get('location')).toContain('/login?next=');
    const browser = await openBrowser(app, app.main.user);
    const page = await (await browser.get('/profile/agents')).text();
    expect(page).toContain('A client');
    expect(page).not.toContain('<script');
    expect(page).toContain(`name="id" value="${id}"`);
    const foreignResponse = await fetch(`${app.url}/profile/agents`, {
      method: 'POST',
      redirect: 'manual',
      headers: {
        cookie: [...browser.cookies].map((cookie) => cookie.join('=')).join('; '),
        origin: 'https://evil.example',
      },
      body: new URLSearchParams({ id }),
    });
    expect(foreignResponse.status).toBe(403);
    expect((await list(access_token)).status).toBe(200);
    expect((await browser.submit('/profile/agents', [['id', id]])).status).toBe(303);
    expect((await list(access_token)).status).toBe(401);
    expect(await (await browser.get('/profile/agents')).text()).not.toContain(`value="${id}"`);
  });
});

it('requires the secret of a confidential client', async () => {
  const { client_id, client_secret } = await register(app, {
    token_endpoint_auth_method: 'client_secret_post',
  });
  const browser = await openBrowser(app, app.main.user);
  const { address, verifier } = buildAuthorizeUrl(app, { clientId: client_id });
  const returnedUrl = await decide(browser, await openConsent(browser, address));
  const fields = {
    grant_type: 'authorization_code',
    client_id,
    code: returnedUrl.searchParams.get('code')!,
    redirect_uri: CALLBACK,
    code_verifier: verifier,
  };
  expect(await requestToken(app, fields)).toMatchObject({ status: 401, json: { error: 'invalid_client' } });
  expect((await requestToken(app, { ...fields, client_secret: client_secret! })).status).toBe(200);
});
