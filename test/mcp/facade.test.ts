import { request as httpRequest } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { isOwnHost } from '../../src/http/own-host.ts';
import { setUpApp } from '../harness/app.ts';
import { buildModernRequest, buildRequest, postMcp, runTool, switchMcp } from '../harness/facades/mcp.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let otherTenant: Tenant;
const getAdminKey = () => app.main.admin.key;

beforeAll(async () => {
  otherTenant = await app.tenant('other');
  await switchMcp(app, app.main, true);
});

test('returns 404 to every caller and method until MCP is enabled for the workspace', async () => {
  await switchMcp(app, app.main, false);
  const bodies = [buildRequest('initialize'), buildModernRequest('server/discover').body, 'no json'];
  for (const key of [undefined, getAdminKey(), 'uk_0000000000_00000000000000000000000000000000']) {
    for (const body of bodies) {
      const answer = await postMcp(app, body, key);
      expect(answer.status).toBe(404);
      expect(answer.headers.has('www-authenticate')).toBe(false);
      expect(answer.json()).not.toHaveProperty('jsonrpc');
      const isKnown = key === getAdminKey();
      expect(answer.json().error_description).toMatch(
        isKnown ? /^MCP is turned off in this workspace/ : /^Not found\.$/,
      );
    }
  }
  expect((await fetch(`${app.url}/mcp`)).status).toBe(404);
  await switchMcp(app, app.main, true);
  expect((await postMcp(app, buildRequest('ping'), getAdminKey())).json().result).toEqual({});
});

test('enables MCP only in the selected workspace', async () => {
  expect((await postMcp(app, buildRequest('ping'), otherTenant.admin.key)).status).toBe(404);
});

test.for(['GET', 'DELETE', 'PUT', 'OPTIONS'])('returns 405 and allows POST for %s /mcp', async (method) => {
  for (const headers of [new Headers(), new Headers({ authorization: `Bearer ${getAdminKey()}` })]) {
    const response = await fetch(`${app.url}/mcp`, { method, headers });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('POST');
  }
});

test('returns 401 and a Bearer challenge if the key is missing', async () => {
  const answer = await postMcp(app, buildRequest('tools/list'));
  expect(answer.status).toBe(401);
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer resource_metadata=/);
  expect(answer.json()).not.toHaveProperty('jsonrpc');
});

test('returns 401 for an unknown key, a revoked key or a team key', async () => {
  const deletedRows = await app.main.ctx.db.rows<{ id: number }>(
    sql`update svc_api_key set revoked_at = now() where workspace_id = ${app.main.ctx.workspace.id} and name = 'read only' returning id`,
  );
  expect(deletedRows).toHaveLength(1);
  app.runtime.identity.invalidate();
  const unknown = 'uk_0000000000_00000000000000000000000000000000';
  for (const bad of ['nonsense', unknown, app.main.readOnlyKey, app.main.teamKey]) {
    const answer = await postMcp(app, buildRequest('initialize'), bad);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
  }
});

test("grants access only to data of the key's workspace", async () => {
  await switchMcp(app, otherTenant, true);
  for (const tenant of [app.main, otherTenant]) {
    const { structuredContent } = await runTool(app, tenant.admin.key, 'search', {
      model: 'svc.domain',
      fields: ['name'],
    });
    expect(structuredContent.records.map((row: { name: string }) => row.name)).toEqual([tenant.domain]);
  }
});

test("rejects a key at another workspace's URL", async () => {
  const base = new URL(app.runtime.config.publicUrl);
  app.runtime.config.publicUrl = `http://mail.example.org:${base.port}`;
  try {
    const [ownHost, foreign] = ['other', 'main'].map((slug) => `${slug}.mail.example.org:${base.port}`);
    expect(await requestStatus({ host: ownHost!, authorization: `Bearer ${otherTenant.admin.key}` })).toBe(
      200,
    );
    expect(await requestStatus({ host: foreign!, authorization: `Bearer ${otherTenant.admin.key}` })).toBe(
      401,
    );
    expect(
      await requestStatus({
        host: `nobody.mail.example.org`,
        authorization: `Bearer ${otherTenant.admin.key}`,
      }),
    ).toBe(404);
  } finally {
    app.runtime.config.publicUrl = base.origin;
  }
});

test('rejects a foreign Origin or Host, and accepts its own and loopback addresses', async () => {
  const authorization = `Bearer ${getAdminKey()}`;
  const host = `127.0.0.1:${app.port}`;
  expect(await requestStatus({ host, authorization, origin: 'http://evil.example.com' })).toBe(403);
  expect(await requestStatus({ host, authorization, origin: 'null' })).toBe(403);
  expect(await requestStatus({ host: 'evil.example.com', authorization })).toBe(403);
  expect(
    await requestStatus({ host: 'evil.example.com', authorization, origin: 'http://evil.example.com' }),
  ).toBe(403);
  expect(await requestStatus({ host, authorization, origin: app.url })).toBe(200);
  expect(
    await requestStatus({ host: `localhost:${app.port}`, authorization, origin: 'http://localhost:6274' }),
  ).toBe(200);
});

const hostNames: [string, string | null, boolean][] = [
  ['https://mail.example.org', 'mail.example.org', true],
  ['https://mail.example.org', 'acme.mail.example.org', true],
  ['https://mail.example.org', 'MAIL.example.org:8443', true],
  ['https://mail.example.org', 'localhost:3000', true],
  ['https://mail.example.org', '[::1]:3000', true],
  ['https://mail.example.org', '192.0.2.7', true],
  ['https://mail.example.org', 'evilmail.example.org', false],
  ['https://mail.example.org', 'mail.example.org.evil.com', false],
  ['https://mail.example.org', 'example.org', false],
  ['https://mail.example.org', '', false],
  ['https://mail.example.org', 'a b', false],
  ['https://mail.example.org', null, false],
];

test.for(hostNames)(
  'treats a host as its own or not: public URL %s, host %s, result %s',
  ([publicUrl, host, isOurs]) => {
    expect(isOwnHost(publicUrl, host)).toBe(isOurs);
  },
);

test('rejects a body over 4 MiB with 413', async () => {
  const answer = await postMcp(
    app,
    buildRequest('ping', { filler: 'x'.repeat(4 * 1024 * 1024) }),
    getAdminKey(),
  );
  expect(answer.status).toBe(413);
  expect(answer.json().error.code).toBe(-32600);
});

test("returns the caller's request id, and opens no session", async () => {
  const answer = await postMcp(app, buildRequest('ping'), getAdminKey(), {
    'x-request-id': 'my-request-0001',
    'mcp-session-id': 'x',
  });
  expect(answer.headers.get('x-request-id')).toBe('my-request-0001');
  expect(answer.headers.has('mcp-session-id')).toBe(false);
});

/** Sends a ping with headers that fetch does not allow. */
function requestStatus(headers: Record<string, string>): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { port: app.port, host: '127.0.0.1', path: '/mcp', method: 'POST', headers };
    const sentRequest = httpRequest(options, (response) => {
      response.resume();
      resolve(response.statusCode!);
    });
    sentRequest.on('error', reject);
    sentRequest.end(JSON.stringify(buildRequest('ping')));
  });
}
