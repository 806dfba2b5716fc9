import { createHmac, scryptSync } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createKey, revokeKey } from '../../schema/base/keys/keys.ts';
import { sql } from '../../src/db/sql.ts';
import { generateKey, parseKeyPrefix, parsePrefixWorkspace } from '../../src/engine/value/keys.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';
import { executeSilently } from '../harness/sql.ts';

const team = setUpTeam();

const createTeamKey = (scopes: string[] = [], days: number | null = null) =>
  createKey(team.main.ctx, { name: 'k', userId: null, scopes, days });
const sendWith = (key: string | null, body: unknown = buildMail()) =>
  team.ask('POST', '/api/v1/emails', { key, body });

test('accepts a team key, which starts with us_, as a bearer token', async () => {
  const { key } = await createTeamKey();
  expect(key).toMatch(/^us_/);
  expect((await sendWith(key)).status).toBe(200);
});

test.each([
  ['POST', '/api/v1/emails'],
  ['POST', '/api/v1/emails/batch'],
  ['GET', '/api/v1/emails'],
  ['GET', '/api/v1/emails/x'],
  ['GET', '/api/v1/domains'],
  ['GET', '/api/v1/nothing'],
])(
  'rejects %s %s with 401 for a missing or wrong key, or one without the Bearer scheme',
  async (method, path) => {
    const invalidKey = `us_0123456789_${'0'.repeat(32)}`;
    for (const args of [
      { key: null },
      { key: 'us_short' },
      { key: invalidKey },
      { key: null, headers: { authorization: team.main.teamKey } },
    ]) {
      const { status, json, headers } = await team.ask(method, path, args);
      expect(status).toBe(401);
      expect(json).toEqual(buildExpectedEnvelope('UNAUTHORIZED'));
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  },
);

test('generates keys with 128 random bits and the workspace id', () => {
  const keys = Array.from({ length: 100 }, () => generateKey('us', 7).key);
  const secrets = keys.map((key) => /^us_[0-9a-z]{10}_([0-9a-f]{32})$/.exec(key)![1]!);
  expect(new Set(secrets).size).toBe(keys.length);
  for (let index = 0; index < 32; index++)
    expect(new Set(secrets.map((secret) => secret[index])).size).toBeGreaterThan(8);
  expect(keys.map((key) => parsePrefixWorkspace(parseKeyPrefix(key)!))).toEqual(keys.map(() => 7));
});

test('stores only the prefix and a keyed hash of a key', async () => {
  const { key } = await createTeamKey();
  const { secretKey } = team.runtime.config;
  const hash = await team.runtime.db.value<string>(
    sql`select hash from svc_api_key where workspace_id = ${team.main.ctx.workspace.id} and prefix = ${parseKeyPrefix(key)}`,
  );
  expect(hash).toBe(createHmac('sha256', secretKey).update(key).digest('hex'));
});

test('checks the key before it reads the body', async () => {
  expect((await sendWith(null, '{"to":')).status).toBe(401);
});

test('reports a missing permission before errors in the body', async () => {
  expect((await sendWith(team.main.user.key, buildMail({ from: 3 }))).status).toBe(403);
  const { key } = await createTeamKey(['send']);
  expect((await sendWith(key, buildMail({ from: 3 }))).status).toBe(400);
  for (const [path, method] of [
    ['/campaigns', 'POST'],
    ['/campaigns/x/schedule', 'POST'],
    ['/contactBooks', 'POST'],
    ['/contactBooks/x', 'PATCH'],
    ['/contactBooks/x/contacts', 'POST'],
    ['/contactBooks/x/contacts/y', 'PATCH'],
    ['/contactBooks/x/contacts/y', 'PUT'],
    ['/contactBooks/x/contacts/bulk', 'POST'],
    ['/contactBooks/x/contacts/bulk', 'DELETE'],
    ['/domains', 'POST'],
  ] as const) {
    for (const body of [{ name: 5 }, '{"name":', []]) {
      const { status, json } = await team.ask(method, `/api/v1${path}`, { key, body });
      expect([method, path, status, json]).toEqual([method, path, 403, buildExpectedEnvelope('FORBIDDEN')]);
    }
  }
});

test('rejects a send by a read-only key with 403 FORBIDDEN and writes nothing, but allows listing', async () => {
  const { key } = await createTeamKey(['read']);
  const before = await team.countWritten();
  const { status, json } = await sendWith(key);
  expect(status).toBe(403);
  expect(json).toEqual(buildExpectedEnvelope('FORBIDDEN'));
  expect((await team.ask('POST', '/api/v1/emails/batch', { key, body: [buildMail()] })).status).toBe(403);
  expect(await team.countWritten()).toBe(before);
  expect((await team.ask('GET', '/api/v1/emails', { key })).status).toBe(200);
});

test('rejects the key of a user who is not an administrator with 403 FORBIDDEN', async () => {
  for (const [method, path, body] of [
    ['POST', '/api/v1/emails', buildMail()],
    ['GET', '/api/v1/emails', undefined],
    ['GET', '/api/v1/domains', undefined],
  ] as const) {
    const { status, json } = await team.ask(method, path, { key: team.main.user.key, body });
    expect(status).toBe(403);
    expect(json).toEqual(buildExpectedEnvelope('FORBIDDEN'));
  }
});

test('rejects a revoked key with 401 immediately, even if it is in use', async () => {
  const { key, id } = await createTeamKey();
  expect((await sendWith(key)).status).toBe(200);
  await revokeKey(team.main.ctx, id, null);
  expect((await sendWith(key)).json).toEqual(buildExpectedEnvelope('UNAUTHORIZED'));
});

test('rejects an expired key with 401 from the moment it expires, even if it is in use', async () => {
  const { key, id } = await createTeamKey([], 1);
  const { runtime, workspace } = team.main.ctx;
  const expireIn = (seconds: number) =>
    executeSilently(
      runtime.db,
      sql`update svc_api_key set expires_at = now() + make_interval(secs => ${seconds})
       where workspace_id = ${workspace.id} and id = ${id}`,
    );
  await expireIn(60);
  await expect.poll(runtime.db.hears).toBe(true);
  expect((await sendWith(key)).status).toBe(200);
  await expireIn(0);
  vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
  onTestFinished(() => {
    vi.useRealTimers();
  });
  expect((await sendWith(key)).json).toEqual(buildExpectedEnvelope('UNAUTHORIZED'));
});

test("rejects sending from another team's domain", async () => {
  await team.tenant('neighbor');
  const before = await team.countWritten();
  expect((await sendWith(team.main.teamKey, buildMail({ from: 'x@neighbor.test' }))).json).toEqual(
    buildExpectedEnvelope('BAD_REQUEST'),
  );
  expect(await team.countWritten()).toBe(before);
});

test('returns 403 FORBIDDEN if the email feature of the team is off', async () => {
  const off = await team.tenant('off');
  await off.ctx.db.rows(sql`update workspace set features = '{}' where id = ${off.ctx.workspace.id}`);
  team.runtime.identity.invalidate();
  const { status, json } = await sendWith(off.teamKey, buildMail({ from: 'x@off.test' }));
  expect(status).toBe(403);
  expect(json).toEqual(buildExpectedEnvelope('FORBIDDEN'));
});

test.each(['templates', 'suppressions', 'webhooks', 'api-keys', 'apiKeys', 'keys'])(
  'has no route for %s',
  async (name) => {
    for (const method of ['GET', 'POST']) {
      const { status, json } = await team.ask(
        method,
        `/api/v1/${name}`,
        method === 'POST' ? { body: {} } : {},
      );
      expect(status).toBe(404);
      expect(json).toEqual(buildExpectedEnvelope('NOT_FOUND'));
    }
  },
);

const KEY = `mutation ($permission: KeyPermission, $domainId: ID) {
  keyCreate(name: "made", team: true, permission: $permission, domainId: $domainId) { key id }
}`;
const createApiKey = async (variables: object) => {
  const { data, errors } = await team.graphql(KEY, variables);
  expect(errors ?? []).toEqual([]);
  return { key: data.keyCreate.key as string, id: Number(data.keyCreate.id) };
};

test('a SENDING key can send emails and batches, and gets 403 from all other routes', async () => {
  const { key } = await createApiKey({ permission: 'SENDING' });
  const { json } = await sendWith(key);
  expect((await team.ask('POST', '/api/v1/emails/batch', { key, body: [buildMail()] })).status).toBe(200);
  const [domain] = (await team.ask('GET', '/api/v1/domains')).json;
  const doc = (await team.ask('GET', '/api/v1/doc', { key: null })).json;
  const mismatches: string[] = [];
  for (const [path, methods] of Object.entries<object>(doc.paths)) {
    for (const method of Object.keys(methods)) {
      if (method === 'post' && /^\/v1\/emails(\/batch)?$/.test(path)) continue;
      const at = path
        .replace('{emailId}', json.emailId)
        .replace('{id}', domain.id)
        .replace(/\{\w+\}/g, 'x');
      const request = { key, ...buildBody(doc.paths[path][method]) };
      const { status } = await team.ask(method.toUpperCase(), `/api${at}`, request);
      if (status !== 403) mismatches.push(`${method} ${path}: ${status}`);
    }
  }
  expect(mismatches).toEqual([]);
  expect(
    (await team.ask('POST', '/graphql', { key, body: { query: '{ emailPage { count } }' } })).text,
  ).toContain('FORBIDDEN');
});

// biome-ignore lint/suspicious/noExplicitAny: an OpenAPI document has no static type
function buildBody(route: any): { body?: unknown; headers?: Record<string, string> } {
  const content = route.requestBody?.content;
  if (!content) return {};
  if (!content['application/json'])
    return { body: 'email', headers: { 'content-type': Object.keys(content)[0]! } };
  const body = {
    name: 'x.example',
    region: 'x',
    scheduledAt: '2099-01-01T00:00:00Z',
    email: 'a@example.net',
    from: 'a@main.test',
    subject: 's',
    contactBookId: 'x',
    html: '{{usesend_unsubscribe_url}}',
    contactIds: ['x'],
  };
  return { body: content['application/json'].schema.type === 'array' ? [body] : body };
}

test('a domain key can access only its domain on every route', async () => {
  const domains = (await team.ask('GET', '/api/v1/domains')).json;
  const ownDomainId = domains[0].id;
  const second = (await team.ask('POST', '/api/v1/domains', { body: { name: 'second.test', region: 'x' } }))
    .json.id;
  const { key } = await createApiKey({ domainId: second });
  const otherEmail = (await sendWith(team.main.teamKey, buildMail({ scheduledAt: '2099-01-01T00:00:00Z' })))
    .json.emailId;
  const before = await team.countWritten();
  const from = (domain: string) => buildMail({ from: `a@${domain}` });
  for (const rejection of [
    await sendWith(key, from('main.test')),
    await sendWith(key, from('unknown.test')),
    await team.ask('POST', '/api/v1/emails/batch', { key, body: [from('second.test'), from('main.test')] }),
    await team.ask('POST', '/api/v1/domains', { key, body: { name: 'third.test', region: 'x' } }),
    await team.ask('DELETE', `/api/v1/domains/${ownDomainId}`, { key }),
  ])
    expect([rejection.status, rejection.json]).toEqual([403, buildExpectedEnvelope('FORBIDDEN')]);
  for (const hiddenResponse of [
    await team.ask('GET', `/api/v1/emails/${otherEmail}`, { key }),
    await team.ask('PATCH', `/api/v1/emails/${otherEmail}`, {
      key,
      body: { scheduledAt: '2098-01-01T00:00:00Z' },
    }),
    await team.ask('POST', `/api/v1/emails/${otherEmail}/cancel`, { key, body: {} }),
    await team.ask('GET', `/api/v1/domains/${ownDomainId}`, { key }),
    await team.ask('PUT', `/api/v1/domains/${ownDomainId}/verify`, { key, body: {} }),
  ])
    expect([hiddenResponse.status, hiddenResponse.json]).toEqual([404, buildExpectedEnvelope('NOT_FOUND')]);
  expect((await sendWith(key, { ...from('second.test'), inReplyToId: otherEmail })).status).toBe(400);
  expect(await team.countWritten()).toBe(before);

  const response = await sendWith(key, from('second.test'));
  expect(response.status).toBe(200);
  for (const query of ['', `?domainId=${ownDomainId}`, `?domainId=${ownDomainId}&domainId=${second}`]) {
    const { json } = await team.ask('GET', `/api/v1/emails${query}`, { key });
    expect([json.count, json.data.map((row: { id: string }) => row.id)]).toEqual([
      1,
      [response.json.emailId],
    ]);
  }
  expect(
    (await team.ask('GET', '/api/v1/domains', { key })).json.map((row: { id: number }) => row.id),
  ).toEqual([second]);
});

test("rejects a key for another team's domain, and a user key for any domain", async () => {
  const otherTenant = await team.tenant('elsewhere', 'apart');
  const [otherDomain] = (await team.ask('GET', '/api/v1/domains', { key: otherTenant.teamKey })).json;
  const variables = { domainId: otherDomain.id };
  const foreignResponse = await team.graphql(KEY, variables);
  expect(foreignResponse.errors[0]!.extensions.code).toBe('NOT_FOUND');
  const [ownDomain] = (await team.ask('GET', '/api/v1/domains')).json;
  const person = `mutation { keyCreate(name: "x", domainId: ${ownDomain.id}) { key } }`;
  expect((await team.graphql(person)).errors[0]!.extensions.code).toBe('BAD_REQUEST');
});

test("returns a key's value only once, and records its last use", async () => {
  const { key, id } = await createApiKey({ permission: 'SENDING' });
  const loadKeys = async () => {
    const { data, text } = await team.graphql(
      '{ apiKeys { nodes { id prefix scopes permission domainId lastUsedAt } } }',
    );
    expect(text).not.toContain(key);
    return data.apiKeys.nodes.find((node: { id: string }) => Number(node.id) === id);
  };
  expect(await loadKeys()).toMatchObject({
    scopes: ['SEND'],
    permission: 'SENDING',
    domainId: null,
    lastUsedAt: null,
  });
  await sendWith(key);
  await expect.poll(async () => (await loadKeys()).lastUsedAt).toMatch(/^20\d\d-/);
  const record = await team.ask('POST', '/json/2/svc.api.key/read', {
    key: team.main.admin.key,
    body: { ids: [id], fields: ['last_used_at'] },
  });
  expect(record.json[0].last_used_at).toMatch(/^20\d\d-/);
});

test('records the last use separately for keys with the same id in different workspaces', async () => {
  const tenants = [await team.tenant('used-one'), await team.tenant('used-other')];
  const keys = await Promise.all(
    tenants.map(({ ctx }) => createKey(ctx, { name: 'k', userId: null, scopes: [], days: null })),
  );
  const number = 4242;
  for (const [index, { ctx }] of tenants.entries())
    await ctx.db.rows(
      sql`update svc_api_key set id = ${number} where workspace_id = ${ctx.workspace.id} and id = ${keys[index]!.id}`,
    );
  for (const { key } of keys) expect((await team.ask('GET', '/api/v1/domains', { key })).status).toBe(200);
  for (const { ctx } of tenants)
    await expect
      .poll(() =>
        ctx.db.rows(
          sql`select 1 from svc_api_key_use where workspace_id = ${ctx.workspace.id} and key_id = ${number}`,
        ),
      )
      .toHaveLength(1);
});

test('verifies both cached and uncached keys without a slow hash', async () => {
  const slow = await measureMedian(20, () => scryptSync('a key', 'salt', 64));
  const keys = await Promise.all(Array.from({ length: 20 }, () => createTeamKey()));
  const first = await measureMedian(20, async (index) =>
    expect((await team.runtime.identity.byKey(keys[index]!.key))!.principal.kind).toBe('workspace'),
  );
  const cachedMedian = await measureMedian(2_000, (index) =>
    team.runtime.identity.byKey(keys[index % 20]!.key),
  );
  expect(first).toBeLessThan(slow / 2);
  expect(cachedMedian).toBeLessThan(slow / 50);
});

/** Returns the median, because other processes slow down some runs. */
async function measureMedian(runs: number, run: (index: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let index = 0; index < runs; index++) {
    const startTime = performance.now();
    await run(index);
    times.push(performance.now() - startTime);
  }
  return times.sort((a, b) => a - b)[runs >> 1]!;
}
