import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type App, setUpApp } from '../harness/app.ts';
import { avoidEndOfMinute } from '../harness/clock.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { buildRequest, createAgentKey, postMcp, readLogLines, switchMcp } from '../harness/facades/mcp.ts';
import { serveMcp } from '../harness/facades/mcp-server.ts';
import { agentTools, readCounter } from './fixtures.ts';

const app = setUpApp();
let servedApp: App;
let second: App;

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  servedApp = (await serveMcp(app, agentTools)) as App;
});
// Limits reset at the end of a minute or day.
beforeEach(avoidEndOfMinute);
afterAll(() => servedApp?.close());

async function run(key: string, name: string, args: object = {}, at: App = servedApp) {
  const answer = await postMcp(at, buildRequest('tools/call', { name, arguments: args }), key);
  const { result } = answer.json();
  return { isError: result.isError, text: result.content[0].text as string };
}

const savePolicy = (fields: string) =>
  postGraphql(
    app,
    `mutation { agentPolicySave(${fields}) { callsPerDay callsPerMinute confirmation holds } }`,
    {
      key: app.main.admin.key,
    },
  );

const loadAgent = async (id: string) =>
  (
    await app.main.ctx.db.rows<Record<string, unknown>>(
      sql`select * from svc_agent where workspace_id = ${app.main.ctx.workspace.id} and kind = 'key' and ref = ${id}`,
    )
  )[0]!;

test("limits calls to the key's daily budget, even if they run concurrently", async () => {
  const { key, id } = await createAgentKey(app, 'callsPerDay: 20');
  const responses = await Promise.all(Array.from({ length: 50 }, () => run(key, 'plain')));
  expect(responses.filter(({ isError }) => !isError)).toHaveLength(20);
  const result = responses.find(({ isError }) => isError)!;
  expect(result.text).toMatch(
    /^Error: This agent has reached its limit of 20 calls per day\. Try again in \d+ seconds\.$/,
  );
  expect(await loadAgent(id)).toMatchObject({ calls_of_day: 50, call_count: 50 });
});

test("limits sends to the key's daily budget, even if they run concurrently", async () => {
  const { key, id } = await createAgentKey(app, 'sendsPerDay: 7');
  const names = Array.from({ length: 50 }, (_, n) => `Sent ${n}`);
  const responses = await Promise.all(names.map((name) => run(key, 'mail_send', { name, confirm: true })));
  expect(responses.filter(({ isError }) => !isError)).toHaveLength(7);
  expect(await loadAgent(id)).toMatchObject({ sends_of_day: 7 });
});

test('does not count previews and rejected actions toward the budget', async () => {
  const { key, id } = await createAgentKey(app, 'sendsPerDay: 1, changesPerDay: 2');
  for (let n = 0; n < 3; n++) await run(key, 'mail_send', { name: 'Previewed' });
  expect((await run(key, 'mail_send', { name: 'Refused', confirm: true })).text).toBe('Error: No.');
  expect(await loadAgent(id)).toMatchObject({ sends_of_day: 0, changes_of_day: 0 });
  expect((await run(key, 'mail_send', { name: 'Budgeted', confirm: true })).isError).toBe(false);
  expect((await run(key, 'mail_send', { name: 'Budgeted', confirm: true })).text).toContain(
    '1 messages per day',
  );
});

test('counts every record of a call before changing any', async () => {
  const { key, id } = await createAgentKey(app, 'changesPerDay: 5');
  expect((await run(key, 'update', { ids: [1, 2, 3] })).isError).toBe(false);
  expect((await run(key, 'update', { ids: [1, 2, 3] })).text).toContain('limit of 5 record changes per day');
  expect((await run(key, 'update', { ids: [1, 2] })).isError).toBe(false);
  expect(await loadAgent(id)).toMatchObject({ changes_of_day: 5 });
});

test('counts calls across processes', async () => {
  const { key } = await createAgentKey(app, 'callsPerDay: 10');
  second ??= (await serveMcp(app, agentTools)) as App;
  const responses = await Promise.all(
    Array.from({ length: 24 }, (_, n) => run(key, 'plain', {}, n % 2 ? servedApp : second)),
  );
  expect(responses.filter(({ isError }) => !isError)).toHaveLength(10);
  await second.close();
});

test('returns no data from rejected calls, even if they run concurrently with allowed ones', async () => {
  const { key } = await createAgentKey(app, 'callsPerDay: 3');
  expect((await run(key, 'reading')).isError).toBe(false);
  const responses = await Promise.all(Array.from({ length: 8 }, () => run(key, 'reading')));
  expect(responses.filter(({ isError }) => !isError)).toHaveLength(2);
  for (const { isError, text } of responses)
    if (isError) expect(text).toMatch(/^Error: This agent has reached its limit of 3 calls/);
  const before = readCounter.count;
  expect((await run(key, 'reading')).isError).toBe(true);
  expect(readCounter.count).toBe(before);
});

test('returns no result if the agent is revoked during the read', async () => {
  const { key, id } = await createAgentKey(app);
  expect((await run(key, 'reading')).isError).toBe(false);
  await app.main.ctx.db.rows(
    sql`update svc_agent set revoked_at = now()
     where workspace_id = ${app.main.ctx.workspace.id} and kind = 'key' and ref = ${id}`,
  );
  expect((await run(key, 'reading')).text).toBe('Error: This agent has been revoked.');
});

test('resets the budget after a day', async () => {
  const { key, id } = await createAgentKey(app, 'callsPerDay: 1');
  await run(key, 'plain');
  expect((await run(key, 'plain')).isError).toBe(true);
  await app.main.ctx.db.rows(
    sql`update svc_agent set day = day - 1 where workspace_id = ${app.main.ctx.workspace.id} and ref = ${id}`,
  );
  expect((await run(key, 'plain')).isError).toBe(false);
});

test("limits a workspace's agents in total, including their calls per minute", async () => {
  const { key } = await createAgentKey(app);
  await savePolicy('callsPerMinute: 3');
  try {
    const responses = await Promise.all(Array.from({ length: 12 }, () => run(key, 'plain')));
    expect(responses.filter(({ isError }) => !isError)).toHaveLength(3);
    expect(responses.find(({ isError }) => isError)!.text).toMatch(
      /3 calls per minute\. Try again in \d+ seconds/,
    );
  } finally {
    await savePolicy('callsPerMinute: null');
  }
});

test('counts listing and reading resources as calls', async () => {
  const { key, id } = await createAgentKey(app, 'callsPerDay: 2');
  const call = async (method: string, params: object = {}) =>
    (await postMcp(app, buildRequest(method, params), key)).json();
  const { result } = await call('resources/list');
  expect(result.resources.length).toBeGreaterThan(0);
  expect((await call('resources/read', { uri: result.resources[0].uri })).error).toBeUndefined();
  expect((await call('resources/list')).error.message).toMatch(/limit of 2 calls per day/);
  expect(await loadAgent(id)).toMatchObject({ calls_of_day: 3 });
});

test.for<[method: string, params: object]>([
  ['resources/templates/list', {}],
  ['prompts/list', {}],
  ['prompts/get', { name: 'triage_inbox', arguments: { mailbox: null } }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'triage_inbox' }, argument: { name: 'mailbox', value: '' } },
  ],
])('counts %s as a call', async ([method, params]) => {
  const { key, id } = await createAgentKey(app, 'callsPerDay: 1');
  const call = async () => (await postMcp(app, buildRequest(method, params), key)).json();
  expect((await call()).error).toBeUndefined();
  expect((await call()).error.message).toMatch(/limit of 1 calls per day/);
  expect(await loadAgent(id)).toMatchObject({ calls_of_day: 2 });
});

describe('a rotated key', () => {
  const rotate = async (id: string): Promise<{ key: string; id: string }> =>
    (
      await postGraphql(app, 'mutation ($id: ID!) { keyRotate(id: $id) { key id } }', {
        key: app.main.admin.key,
        variables: { id },
      })
    ).data.keyRotate;

  test('shares the daily budget of all keys that it replaces', async () => {
    const { key, id } = await createAgentKey(app, 'callsPerDay: 4, changesPerDay: 2');
    expect((await run(key, 'adding', { name: 'Rotated', confirm: true })).isError).toBe(false);
    const second = await rotate(id);
    expect((await run(second.key, 'adding', { name: 'Rotated', confirm: true })).isError).toBe(false);
    expect((await run(key, 'adding', { name: 'Rotated', confirm: true })).text).toContain(
      'limit of 2 record changes per day',
    );
    const third = await rotate(second.id);
    expect((await run(third.key, 'plain')).isError).toBe(false);
    for (const old of [key, second.key, third.key])
      expect((await run(old, 'plain')).text).toContain('limit of 4 calls per day');
    expect(await loadAgent(third.id)).toMatchObject({ call_count: 7, changes_of_day: 2 });
    expect([await loadAgent(id), await loadAgent(second.id)]).toEqual([undefined, undefined]);
  });

  test('counts the calls of a key that was rotated before its first call', async () => {
    const { key, id } = await createAgentKey(app, 'callsPerDay: 1');
    const { key: newKey } = await rotate(id);
    expect((await run(key, 'plain')).isError).toBe(false);
    expect((await run(newKey, 'plain')).text).toContain('limit of 1 calls per day');
  });

  test('still belongs to an agent, and is revoked together with the keys that it replaces', async () => {
    const { key, id } = await createAgentKey(app);
    await run(key, 'plain');
    const rotated = await rotate(id);
    for (const agentKey of [key, rotated.key]) {
      const { errors } = await postGraphql(app, 'mutation { keyCreate(name: "more") { id } }', {
        key: agentKey,
      });
      expect(errors[0]!.extensions.code).toBe('FORBIDDEN');
    }
    const { id: agentId } = await loadAgent(rotated.id);
    await postGraphql(app, 'mutation ($id: ID!) { agentRevoke(id: $id) { revokedAt } }', {
      key: app.main.admin.key,
      variables: { id: String(agentId) },
    });
    for (const agentKey of [key, rotated.key])
      expect((await json2(app, 'res.partner/search_count', { domain: [] }, agentKey)).status).toBe(401);
  });
});

test.for<[name: string, args: object]>([
  ['count', {}],
  ['count', { model: 'no.model' }],
  ['update', { model: 'res.partner', ids: [1], values: {}, unknown: 1 }],
  ['call', { model: 'res.partner', method: 'no_method' }],
  ['call', { model: 'calendar.event', method: 'feed_address' }],
  ['no_tool', {}],
])('counts a rejected call of %s with %j', async ([name, args]) => {
  const { key, id } = await createAgentKey(app, 'callsPerDay: 2');
  const call = async () => {
    const { result, error } = (
      await postMcp(app, buildRequest('tools/call', { name, arguments: args }), key)
    ).json();
    return error?.message ?? result.content[0].text;
  };
  for (let n = 0; n < 2; n++) expect(await call()).not.toContain('limit of');
  expect(await call()).toContain('limit of 2 calls per day');
  expect(await loadAgent(id)).toMatchObject({ calls_of_day: 3 });
});

test('limits sends per minute separately from calls', async () => {
  const { key } = await createAgentKey(app);
  const responses = await Promise.all(
    Array.from({ length: 130 }, (_, n) => run(key, 'mail_send', { name: `Often ${n}`, confirm: true })),
  );
  expect(responses.filter(({ isError }) => !isError)).toHaveLength(60);
  expect(responses.find(({ isError }) => isError)!.text).toContain(
    'called too many times in the last minute',
  );
  expect((await run(key, 'plain')).isError).toBe(false);
});

test('records rejected calls', async () => {
  const { key } = await createAgentKey(app, 'callsPerDay: 0');
  await run(key, 'plain');
  expect((await readLogLines(app.main, 1))[0]).toMatchObject({
    tool: 'plain',
    success: false,
    outcome: 'refused',
  });
});

test('rejects a key with a budget or tool groups in every other facade', async () => {
  for (const bounds of ['callsPerDay: 9', 'toolGroups: [DATA]']) {
    const { key } = await createAgentKey(app, bounds);
    expect((await json2(app, 'res.partner/search_count', { domain: [] }, key)).status).toBe(403);
    const graph = await postGraphql(app, '{ viewer { login } }', { key });
    expect(graph.data?.viewer).toBeUndefined();
    const { errors } = await postGraphql(
      app,
      'mutation ($key: String!) { userKeyGenerate(key: $key, name: "wider") }',
      { key: app.main.admin.key, variables: { key } },
    );
    expect(errors[0]!.extensions.code).toBe('ACCESS_DENIED');
    expect((await run(key, 'adding', { name: 'x' })).isError).toBe(false);
  }
});

test("lists and calls only the tools in a key's tool groups", async () => {
  const { key } = await createAgentKey(app, 'toolGroups: [DATA]');
  const listed = (await postMcp(servedApp, buildRequest('tools/list'), key)).json().result.tools;
  expect(listed.map(({ name }: { name: string }) => name)).toEqual(['delete', 'adding', 'update']);
  expect((await run(key, 'mail_send', { name: 'x' })).text).toContain('does not allow the tool mail_send');
});

test('shows an agent and its activity to its user and to administrators, who can revoke it', async () => {
  const createdKey = await postGraphql(app, 'mutation { keyCreate(name: "mine") { key id } }', {
    key: app.main.user.key,
  });
  const { key, id } = createdKey.data.keyCreate;
  await run(key, 'plain');
  const { id: agentId } = await loadAgent(id);
  const query = `query ($id: ID!) { agent(id: $id) { id kind clientName callCount callsOfDay revokedAt user { login } } }`;
  const loadAgents = async (as: string) =>
    (await postGraphql(app, query, { key: as, variables: { id: String(agentId) } })).data.agent;
  expect(await loadAgents(app.main.user.key)).toMatchObject({
    kind: 'KEY',
    callCount: 1,
    user: { login: 'user' },
  });
  expect(await loadAgents(app.main.admin.key)).not.toBeNull();
  const otherTenant = await app.tenant('elsewhere');
  expect(await loadAgents(otherTenant.admin.key)).toBeNull();
  const revoke = `mutation ($id: ID!) { agentRevoke(id: $id) { revokedAt } }`;
  const foreignResponse = await postGraphql(app, revoke, {
    key: otherTenant.admin.key,
    variables: { id: String(agentId) },
  });
  expect(foreignResponse.errors[0]!.extensions.code).toBe('NOT_FOUND');
  const result = await postGraphql(app, revoke, {
    key: app.main.admin.key,
    variables: { id: String(agentId) },
  });
  expect(result.data.agentRevoke.revokedAt).toBeTruthy();
  expect((await postMcp(servedApp, buildRequest('tools/list'), key)).status).toBe(401);
});

test('does not let an agent relax its own limits', async () => {
  const { key } = await createAgentKey(app);
  await run(key, 'plain');
  const { errors } = await postGraphql(app, 'mutation { agentPolicySave(callsPerDay: 9) { callsPerDay } }', {
    key,
  });
  expect(errors[0]!.extensions.code).toBe('FORBIDDEN');
});

test('accepts only known policy values, and only from administrators', async () => {
  expect((await savePolicy('callsPerDay: -1')).errors[0]!.extensions.code).toBe('BAD_VALUE');
  const { errors } = await postGraphql(app, 'mutation { agentPolicySave(callsPerDay: 9) { callsPerDay } }', {
    key: app.main.user.key,
  });
  expect(errors[0]!.extensions.code).toBe('FORBIDDEN');
});

test("creates an agent key only with the user's password, and makes it valid for a year", async () => {
  const create =
    'mutation ($password: String!) { agentKeyCreate(password: $password) { key apiKey { expiresAt } } }';
  const response = await postGraphql(app, create, {
    key: app.main.user.key,
    variables: { password: 'wrong' },
  });
  expect(response.errors[0]!.message).toContain('Incorrect password');
  const { password } = app.main.user;
  const { data } = await postGraphql(app, create, { key: app.main.user.key, variables: { password } });
  const days = (Date.parse(data.agentKeyCreate.apiKey.expiresAt) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(364.9);
  expect(days).toBeLessThanOrEqual(365);
  expect((await run(data.agentKeyCreate.key, 'plain')).isError).toBe(false);
  const narrow = await postGraphql(app, create, { key: app.main.readOnlyKey, variables: { password } });
  expect(narrow.errors.length).toBe(1);
  const summary = await app.main.ctx.db.value<string>(
    sql`select summary from svc_audit_event where workspace_id = ${app.main.ctx.workspace.id} and event = 'key.create'
     order by id desc limit 1`,
  );
  expect(summary).not.toContain(password);
});

test('names an agent after its MCP client, not after the HTTP library', async () => {
  const { key, id } = await createAgentKey(app);
  const library = { 'user-agent': 'node' };
  const name = async () => (await loadAgent(id)).client_name;
  const initialize = (clientInfo: object) =>
    postMcp(
      servedApp,
      buildRequest('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo }),
      key,
      library,
    );
  await run(key, 'plain');
  await initialize({ name: 'claude-code', title: 'Claude Code', version: '2' });
  expect(await name()).toBe('Claude Code');
  await postMcp(servedApp, buildRequest('tools/list'), key, library);
  await postMcp(servedApp, buildRequest('tools/call', { name: 'plain', arguments: {} }), key, library);
  expect(await name()).toBe('Claude Code');
  await initialize({ name: 'goose', version: '1' });
  expect(await name()).toBe('goose');
  for (const invalid of [{}, { name: 7 }, { name: '' }, { title: '<>', name: '\u202e' }])
    await initialize(invalid);
  expect(await name()).toBe('goose');
});

test('lists an agent and its last activity as soon as it connects', async () => {
  const { key, id } = await createAgentKey(app);
  for (const method of ['initialize', 'tools/list', 'tools/list'])
    expect((await postMcp(app, buildRequest(method, { protocolVersion: '2025-06-18' }), key)).status).toBe(
      200,
    );
  const AGENTS = `{
    agents(first: 1, orderBy: [{ field: ID, direction: DESC }]) {
      nodes { keyName callCount createdAt lastSeenAt }
    }
  }`;
  const { data } = await postGraphql(app, AGENTS, { key: app.main.admin.key });
  const [agent] = data.agents.nodes;
  expect(agent).toMatchObject({ keyName: 'agent', callCount: 0 });
  for (const at of [agent.createdAt, agent.lastSeenAt])
    expect(Math.abs(Date.now() - Date.parse(at))).toBeLessThan(60_000);
  await app.main.ctx.db.rows(
    sql`update svc_agent set last_seen_at = now() - interval '1 day', create_date = now() - interval '1 day'
     where workspace_id = ${app.main.ctx.workspace.id} and ref = ${id}`,
  );
  expect((await run(key, 'plain')).isError).toBe(false);
  const { last_seen_at: lastSeen, create_date: first } = await loadAgent(id);
  expect(Date.parse(String(lastSeen)) - Date.parse(String(first))).toBeGreaterThan(86_000_000);
});

test('warns once if an agent uses a general key, and then treats the key as an agent key', async () => {
  const warned = vi.spyOn(app.runtime.log, 'warn');
  onTestFinished(() => warned.mockRestore());
  const [ordinary, bound] = [await createAgentKey(app), await createAgentKey(app, 'callsPerDay: 5')];
  for (const { key } of [ordinary, ordinary, bound]) await run(key, 'plain');
  const lines = warned.mock.calls.filter(([, text]) => /not made for agents/.test(String(text)));
  expect(lines.map(([facts]) => facts)).toEqual([{ workspace: 'main', keyId: Number(ordinary.id) }]);
  const response = await postGraphql(app, 'mutation { keyCreate(name: "more") { key } }', {
    key: ordinary.key,
  });
  expect(response.errors[0]!.message).toMatch(/^Agents cannot perform this operation/);
});
