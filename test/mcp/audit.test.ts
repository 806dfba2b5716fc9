import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { BURST_SPAN_MS } from '../../src/engine/ctx/burst-detector.ts';
import { type CallLogEntry, getCallLog } from '../../src/engine/operation/call-log.ts';
import { createJobs } from '../../src/engine/work/jobs.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import {
  addContacts,
  buildModernRequest,
  buildRequest,
  postMcp,
  readLogLines,
  runTool,
  switchMcp,
} from '../harness/facades/mcp.ts';

const app = setUpApp();
/** During a burst, calls that only read do not wait for their lines. */
const endBurst = () => sleep(2 * BURST_SPAN_MS);
const loadNewestLine = async () => (await readLogLines(app.main, 1))[0]!;

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  await addContacts(app.main, 'Contact', 3);
});

test("records a call's user, tool, model, method, success, record count, duration and request id", async () => {
  const call = buildRequest('tools/call', {
    name: 'search',
    arguments: { model: 'res.partner', domain: [['name', 'like', 'Contact']], fields: ['name'] },
  });
  await postMcp(app, call, app.main.user.key, { 'x-request-id': 'audit-test-1' });
  const line = await loadNewestLine();
  expect(line).toMatchObject({
    user_id: app.main.user.id,
    tool: 'search',
    model_name: 'res.partner',
    method: 'search_read',
    success: true,
    error: null,
    record_count: 3,
    request_id: 'audit-test-1',
  });
  expect(line.duration_ms).toBeGreaterThanOrEqual(0);
  expect(JSON.parse(line.summary as string)).toEqual(
    call.params && (call.params as { arguments: object }).arguments,
  );
  expect(Date.now() - Date.parse(`${line.create_date}Z`)).toBeLessThan(60_000);
});

test('waits for the log entry of a call that may write, but not of a read', async () => {
  const entries: CallLogEntry[] = [];
  const write = vi.spyOn(getCallLog(app.runtime), 'write').mockImplementation(async (entry) => {
    entries.push(entry);
  });
  const { key } = app.main.user;
  await runTool(app, key, 'count', { model: 'res.partner' });
  await runTool(app, key, 'create', { model: 'res.partner', values: { name: 'Ann' } });
  write.mockRestore();
  expect(entries.map(({ tool, durable }) => [tool, durable])).toEqual([
    ['count', false],
    ['create', true],
  ]);
});

test('records a rejected call with its error', async () => {
  await runTool(app, app.main.user.key, 'count', { model: 'svc.mcp.log' });
  expect(await loadNewestLine()).toMatchObject({
    tool: 'count',
    model_name: 'svc.mcp.log',
    success: false,
    error: expect.stringContaining('not allowed'),
    record_count: 0,
  });
});

const unusual: [string, object, string][] = [
  ['an unknown tool', { name: 'drop_everything', arguments: {} }, 'drop_everything'],
  ['no name', { arguments: {} }, ''],
  ['wrong arguments', { name: 'search', arguments: {} }, 'search'],
  ['arguments in a list', { name: 'search', arguments: [1] }, 'search'],
  ['a NUL character', { name: 'se\u0000arch', arguments: { model: '\u0000' } }, 'se\uFFFDarch'],
  [
    'an endless name',
    { name: 'x'.repeat(100_000), arguments: { model: 'y'.repeat(100_000) } },
    'x'.repeat(200),
  ],
];

test.for(unusual)('records a call with %s', async ([, params, logged]) => {
  const before = Number((await readLogLines(app.main, 1))[0]?.id ?? 0);
  await postMcp(app, buildRequest('tools/call', params), app.main.user.key);
  const line = await loadNewestLine();
  expect(line.id).toBeGreaterThan(before);
  expect(line).toMatchObject({ tool: logged, success: false });
  expect((line.error as string).length).toBeGreaterThan(0);
});

test('secrets in arguments never appear in the log', async () => {
  const secret = 'hunter2-is-secret';
  await runTool(app, app.main.admin.key, 'search', {
    model: 'res.users',
    domain: ['&', ['login', '=', 'admin'], ['password', '=', secret]],
    api_key: secret,
    nested: { access_token: secret, body: 'a private message' },
  });
  const { summary, error } = await loadNewestLine();
  expect(`${summary} ${error}`).not.toContain(secret);
  expect(JSON.parse(summary as string)).toMatchObject({
    domain: ['&', ['login', '=', 'admin'], ['password', '=', '***']],
    api_key: '***',
    nested: { access_token: '***', body: '[17 characters]' },
  });
});

test("records a call's agent, client name, protocol revision and outcome", async () => {
  const { body, headers } = buildModernRequest('tools/call', {
    name: 'count',
    arguments: { model: 'res.partner' },
  });
  const meta = (body.params as { _meta: Record<string, unknown> })._meta;
  meta['io.modelcontextprotocol/clientInfo'] = { name: 'Claude\u202e <b>', version: '1' };
  await postMcp(app, body, app.main.user.key, headers);
  const line = await loadNewestLine();
  expect(line).toMatchObject({ client_name: 'Claude b', revision: '2026-07-28', outcome: 'done' });
  expect(line.agent_id).toBeGreaterThan(0);
  await postMcp(
    app,
    buildRequest('tools/call', { name: 'count', arguments: { model: 'res.partner' } }),
    app.main.user.key,
    {
      'user-agent': 'old/1',
    },
  );
  expect(await loadNewestLine()).toMatchObject({
    agent_id: line.agent_id,
    client_name: 'old/1',
    revision: '2025-06-18',
  });
});

test("shows an agent's activity to administrators over GraphQL", async () => {
  const { agent_id: id } = await loadNewestLine();
  const trail = `query ($id: Int!) { mcpCalls(where: { agentId: { eq: $id } }, first: 5) {
    nodes { tool outcome clientName recordCount agent { kind user { login } } } } }`;
  const loadTrail = (key: string) =>
    postGraphql(app, trail.replace('$id: Int!', '$id: ID!'), { key, variables: { id: String(id) } });
  const { data, errors } = await loadTrail(app.main.admin.key);
  expect(errors).toEqual([]);
  expect(data.mcpCalls.nodes[0]).toMatchObject({
    tool: 'count',
    outcome: 'DONE',
    agent: { kind: 'KEY', user: { login: 'user' } },
  });
  expect((await loadTrail(app.main.user.key)).errors[0]!.extensions.code).toBe('ACCESS_ERROR');
});

test('records only the type and length of text arguments to the call tool', async () => {
  await runTool(app, app.main.admin.key, 'call', {
    model: 'res.partner',
    method: 'copy',
    ids: [1],
    args: ['a private text', ['another', 3]],
    kwargs: { default: { name: 'a name' }, token: 'hidden' },
  });
  expect(JSON.parse((await loadNewestLine()).summary as string)).toEqual({
    model: 'res.partner',
    method: 'copy',
    ids: [1],
    args: ['[text, 14 characters]', ['[text, 7 characters]', 3]],
    kwargs: { default: { name: '[text, 6 characters]' }, token: '***' },
  });
});

test.for([
  ['in a text', '{"password":"hunter2-is-secret"}'],
  ['in a list', [{ password: 'hunter2-is-secret' }]],
  [
    'as a key of ours',
    { model: 'res.partner', domain: [['name', '=', 'uk_0123456789_0123456789abcdef0123456789abcdef']] },
  ],
  [
    'in a text of a field',
    { model: 'res.partner', values: { comment: 'his password is hunter2-is-secret' } },
  ],
])('never logs a secret %s', async ([, args]) => {
  await postMcp(app, buildRequest('tools/call', { name: 'create', arguments: args }), app.main.admin.key);
  const { summary, error } = await loadNewestLine();
  expect(`${summary} ${error}`).not.toMatch(/hunter2|0123456789abcdef/);
});

test('records each call of a batch, in order', async () => {
  const names = ['count', 'list_models', 'describe_model', 'nope'];
  const args = { model: 'res.partner' };
  const calls = names.map((name, id) =>
    buildRequest('tools/call', { name, arguments: name === 'list_models' ? {} : args }, id),
  );
  await postMcp(app, calls, app.main.user.key);
  expect((await readLogLines(app.main, 4)).map((line) => line.tool).reverse()).toEqual(names);
});

test('records each of 40 concurrent calls before its response, unless the rate is high', async () => {
  await endBurst();
  const calls = Array.from({ length: 40 }, async (_, n) => {
    const id = `many-${n}-calls`;
    const call = buildRequest('tools/call', { name: 'list_models' });
    await postMcp(app, call, app.main.user.key, { 'x-request-id': id });
    const { ctx } = app.main;
    return ctx.db.rows(
      sql`select 1 found from svc_mcp_log where workspace_id = ${ctx.workspace.id} and request_id = ${id}`,
    );
  });
  expect(await Promise.all(calls)).toEqual(calls.map(() => [{ found: 1 }]));
});

test('does not record pings and lists', async () => {
  const before = await loadNewestLine();
  for (const method of ['ping', 'tools/list']) await postMcp(app, buildRequest(method), app.main.user.key);
  expect(await loadNewestLine()).toEqual(before);
});

test('does not record calls of the JSON API', async () => {
  const before = await loadNewestLine();
  const answer = await json2(app, 'res.partner/search_count', { domain: [] }, app.main.user.key);
  expect(answer.status).toBe(200);
  expect(await loadNewestLine()).toEqual(before);
});

test('administrators read the log with its fields, and other users cannot', async () => {
  const fields = [
    'create_date',
    'user_id',
    'tool',
    'model_name',
    'method',
    'success',
    'error',
    'summary',
    'record_count',
  ];
  const search = { model: 'svc.mcp.log', domain: [['tool', '=', 'count']], fields, limit: 1 };
  const { structuredContent } = await runTool(app, app.main.admin.key, 'search', search);
  const withValue = fields.filter((name) => name !== 'error');
  expect(Object.keys(structuredContent.records[0])).toEqual(['id', ...withValue]);
  expect(structuredContent.records[0].user_id).toEqual([app.main.user.id, 'user']);
  const result = await runTool(app, app.main.user.key, 'search', search);
  expect(result.isError).toBe(true);
  const json = await json2(app, 'svc.mcp.log/search_read', {}, app.main.user.key);
  expect(json.status).toBe(403);
});

test('does not let any user change the log, not even an administrator', async () => {
  const line = await loadNewestLine();
  const attempts = {
    write: { ids: [line.id], vals: { tool: 'nothing happened' } },
    unlink: { ids: [line.id] },
    create: { vals_list: [{ tool: 'forged', success: true }] },
  };
  for (const [method, args] of Object.entries(attempts)) {
    const answer = await json2(app, `svc.mcp.log/${method}`, args, app.main.admin.key);
    expect([method, answer.status]).toEqual([method, 403]);
  }
  expect(await loadNewestLine()).toEqual(line);
});

test('returns and records only a reference for an unexpected failure', async () => {
  const call = buildRequest('tools/call', { name: 'search', arguments: { model: 'res.company' } });
  // Caches the key, which is looked up with its user's companies.
  await postMcp(app, call, app.main.user.key);
  await app.runtime.db.pool.query('alter table res_company rename to res_company_gone');
  try {
    const answer = await postMcp(app, call, app.main.user.key, { 'x-request-id': 'reference-0001' });
    expect(answer.json().result).toEqual({
      content: [{ type: 'text', text: expect.stringMatching(/^Error: [^"]*reference-0001$/) }],
      isError: true,
    });
    expect(answer.text).not.toMatch(/relation|res_company|select/i);
    const line = await loadNewestLine();
    expect(line).toMatchObject({ success: false, request_id: 'reference-0001' });
    expect(line.error).not.toMatch(/relation|res_company/);
  } finally {
    await app.runtime.db.pool.query('alter table res_company_gone rename to res_company');
  }
});

test('returns an error with a reference and no data if a call cannot be recorded', async () => {
  await endBurst();
  await app.runtime.db.pool.query('alter table svc_mcp_log rename to svc_mcp_log_gone');
  try {
    const call = buildRequest('tools/call', {
      name: 'search',
      arguments: { model: 'res.partner', fields: ['name'] },
    });
    const answer = await postMcp(app, call, app.main.user.key, { 'x-request-id': 'reference-0002' });
    expect(answer.json().result.isError).toBe(true);
    expect(answer.text).toContain('reference-0002');
    expect(answer.text).not.toMatch(/Contact|svc_mcp_log/);
  } finally {
    await app.runtime.db.pool.query('alter table svc_mcp_log_gone rename to svc_mcp_log');
  }
  expect((await runTool(app, app.main.user.key, 'count', { model: 'res.partner' })).isError).toBe(false);
});

test('deletes entries older than 90 days and retains newer ones', async () => {
  const { ctx } = app.main;
  for (const [tool, days] of Object.entries({ ancient: 91, recent: 89 })) {
    await ctx.db.rows(
      sql`insert into svc_mcp_log (id, workspace_id, tool, success, create_date) values (nextval('svc_mcp_log_id_seq'), ${ctx.workspace.id}, ${tool}, true, now() - make_interval(days => ${days}))`,
    );
  }
  const worker = createJobs(app.runtime);
  await worker.start(true);
  try {
    await worker.enqueue(ctx, 'audit-prune', {});
    const readTools = async () => (await readLogLines(app.main, 1000)).map((line) => line.tool);
    await expect.poll(readTools).not.toContain('ancient');
    expect(await readTools()).toContain('recent');
  } finally {
    await worker.stop();
  }
});
