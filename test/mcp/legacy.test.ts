import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { buildRequest, postMcp, readLogLines, switchMcp } from '../harness/facades/mcp.ts';

const app = setUpApp();
const sendMcp = (body: unknown, headers: Record<string, string> = {}) =>
  postMcp(app, body, app.main.user.key, headers);

beforeAll(() => switchMcp(app, app.main, true));

test.for([
  ['2025-06-18', '2025-06-18'],
  ['2025-03-26', '2025-03-26'],
  ['2024-11-05', '2024-11-05'],
  ['2025-11-25', '2025-06-18'],
  ['2026-07-28', '2025-06-18'],
  [undefined, '2025-06-18'],
])('negotiates a protocol version for initialize: requested %s, returned %s', async ([revision, opened]) => {
  const answer = await sendMcp(buildRequest('initialize', { protocolVersion: revision }), {
    'mcp-protocol-version': '2025-11-25',
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('application/json');
  const { result } = answer.json();
  expect(result.protocolVersion).toBe(opened);
  expect(result.serverInfo).toMatchObject({ name: 'atrium', version: expect.stringMatching(/^\d/) });
  expect(result.instructions.length).toBeGreaterThan(100);
  expect(result.capabilities).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
});

test('serves tools/list without initialize', async () => {
  const { result } = (await sendMcp(buildRequest('tools/list'))).json();
  const names = result.tools.map((tool: { name: string }) => tool.name);
  expect(names.slice(0, 5)).toEqual(['search', 'get', 'count', 'find', 'create']);
  expect(result).not.toHaveProperty('resultType');
});

test('describes every tool with a title, a description, schemas and four annotations', async () => {
  const { result } = (await sendMcp(buildRequest('tools/list'))).json();
  expect(result.tools.length).toBeGreaterThan(4);
  for (const tool of result.tools) {
    expect(tool.name).toMatch(/^[A-Za-z0-9_.-]{1,48}$/);
    expect(tool.title && tool.description).toBeTruthy();
    expect(tool.inputSchema.type).toBe('object');
    expect(tool.outputSchema.required).toContain('_count');
    expect(Object.keys(tool.annotations).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
  }
});

type Schema = Record<string, unknown>;

/** Returns the paths of schema constructs that some clients reject. */
function findUnportable(schema: Schema, path: string): string[] {
  const { type, anyOf, items, properties, enum: values } = schema as Record<string, never>;
  const buildInner = (item: Schema, name: string) => findUnportable(item, `${path}.${name}`);
  return [
    ...(anyOf || typeof type === 'string' ? [] : [`${path} has no type of its own`]),
    ...(type === 'array' && !items ? [`${path} has no items`] : []),
    ...(values && (type !== 'string' || (values as unknown[]).some((value) => typeof value !== 'string'))
      ? [`${path} is an enum of other values than text`]
      : []),
    ...((anyOf ?? []) as Schema[]).flatMap((item, index) => buildInner(item, String(index))),
    ...(items ? buildInner(items, 'items') : []),
    ...Object.entries((properties ?? {}) as Record<string, Schema>).flatMap(([name, value]) =>
      buildInner(value, name),
    ),
  ];
}

test('uses only schema constructs that every client supports', async () => {
  const answer = await postMcp(app, buildRequest('tools/list'), app.main.admin.key);
  const { tools } = answer.json().result;
  const faults = tools.flatMap((tool: { name: string; inputSchema: Schema; outputSchema: Schema }) => [
    ...findUnportable(tool.inputSchema, tool.name),
    ...findUnportable(tool.outputSchema, `${tool.name} answers`),
  ]);
  expect(faults).toEqual([]);
  expect(
    findUnportable({ type: 'object', properties: { a: {}, b: { type: 'array' }, c: { enum: [1] } } }, ''),
  ).toHaveLength(4);
});

test('responds to a notification with 202 and no body', async () => {
  for (const method of ['notifications/initialized', 'notifications/cancelled', 'notifications/unheard_of']) {
    const answer = await sendMcp({ jsonrpc: '2.0', method });
    expect([answer.status, answer.text]).toEqual([202, '']);
  }
});

test('does not run a tool call without an id, which is a notification', async () => {
  const before = (await readLogLines(app.main)).length;
  const answer = await sendMcp({
    jsonrpc: '2.0',
    method: 'tools/call',
    params: { name: 'count', arguments: {} },
  });
  expect(answer.status).toBe(202);
  expect(await readLogLines(app.main)).toHaveLength(before);
});

test.for(['resources/subscribe', 'logging/setLevel', 'server/discover', 'constructor', '__proto__', ''])(
  'returns -32601 for the unknown method "%s"',
  async (method) => {
    const answer = await sendMcp(buildRequest(method));
    expect(answer.status).toBe(200);
    expect(answer.json()).toMatchObject({ id: 1, error: { code: -32601 } });
  },
);

test('returns the results of a batch of 50 in one array, without the notifications', async () => {
  const items: object[] = Array.from({ length: 49 }, (_, n) => buildRequest('ping', undefined, n));
  const answer = await sendMcp([...items, { jsonrpc: '2.0', method: 'notifications/initialized' }]);
  expect(answer.status).toBe(200);
  expect(answer.json().map((item: { id: number }) => item.id)).toEqual(items.map((_, n) => n));
  const fullBatch = await sendMcp(Array.from({ length: 50 }, (_, n) => buildRequest('ping', undefined, n)));
  expect(fullBatch.json()).toHaveLength(50);
});

test('rejects an empty batch and a batch of 51 messages without running any call', async () => {
  const before = (await readLogLines(app.main)).length;
  const call = (n: number) => buildRequest('tools/call', { name: 'list_models' }, n);
  for (const batch of [Array.from({ length: 51 }, (_, n) => call(n)), []]) {
    const answer = await sendMcp(batch);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
  }
  expect(await readLogLines(app.main)).toHaveLength(before);
});

test('returns a separate result for each message of a batch, including errors', async () => {
  const answer = await sendMcp([
    buildRequest('tools/call', { name: 'count', arguments: { model: 'res.partner' } }, 'a'),
    buildRequest('nothing/here', undefined, 'b'),
    { jsonrpc: '1.0', id: 'c', method: 'ping' },
    buildRequest('initialize', undefined, 'd'),
    7,
    buildRequest('tools/call', { name: 'count', arguments: { model: 'no.model' } }, 'e'),
  ]);
  expect(answer.status).toBe(200);
  const items = answer.json();
  expect(items.map((item: { id: unknown }) => item.id)).toEqual(['a', 'b', 'c', 'd', null, 'e']);
  expect(items.map((item: { error?: { code: number } }) => item.error?.code)).toEqual([
    undefined,
    -32601,
    -32600,
    -32600,
    -32600,
    undefined,
  ]);
  expect(items[5].result.isError).toBe(true);
});

test('responds with 202 to a batch of notifications', async () => {
  expect((await sendMcp([{ jsonrpc: '2.0', method: 'notifications/initialized' }])).status).toBe(202);
});

test('returns 400, -32022 and the supported revisions for an unknown revision in the header', async () => {
  const answer = await sendMcp(buildRequest('ping'), { 'mcp-protocol-version': '2023-01-01' });
  expect(answer.status).toBe(400);
  expect(answer.json().error).toMatchObject({
    code: -32022,
    data: { supported: ['2026-07-28', '2025-06-18', '2025-03-26', '2024-11-05'], requested: '2023-01-01' },
  });
  expect((await sendMcp(buildRequest('ping'), { 'mcp-protocol-version': '2024-11-05' })).status).toBe(200);
});

const malformed: [string, unknown, number, unknown][] = [
  ['no JSON', '{"jsonrpc":', -32700, null],
  ['an empty body', '', -32700, null],
  ['text', '"hello"', -32600, null],
  ['null', 'null', -32600, null],
  ['another jsonrpc', { jsonrpc: '1.0', id: 3, method: 'ping' }, -32600, 3],
  ['no jsonrpc', { id: 3, method: 'ping' }, -32600, 3],
  ['no method', { jsonrpc: '2.0', id: 4 }, -32600, 4],
  ['a method that is no text', { jsonrpc: '2.0', id: 4, method: 5 }, -32600, 4],
  ['a null id', { jsonrpc: '2.0', id: null, method: 'ping' }, -32600, null],
  ['an object for id', { jsonrpc: '2.0', id: {}, method: 'ping' }, -32600, null],
  ['params in a list', { jsonrpc: '2.0', id: 5, method: 'ping', params: [1] }, -32600, 5],
  [
    'deep nesting',
    `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"a":${'['.repeat(5e5)}${']'.repeat(5e5)}}}`,
    -32600,
    null,
  ],
];

test.for(malformed)('returns 400 and a JSON-RPC error for %s', async ([, body, code, id]) => {
  const answer = await sendMcp(body);
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
});

test('returns a parse error for bytes that are not UTF-8', async () => {
  const response = await fetch(`${app.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.main.user.key}` },
    body: Buffer.from([0x22, 0xff, 0xfe, 0x22]),
  });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: -32700 } });
});

const miscalls: [string, object | undefined][] = [
  ['no params', undefined],
  ['no name', {}],
  ['a name that is no text', { name: 7 }],
  ['an unknown tool', { name: 'drop_everything' }],
  ['a name of Object', { name: '__proto__' }],
  ['arguments in a list', { name: 'count', arguments: [] }],
];

test.for(miscalls)('returns -32602 for tools/call with %s', async ([, params]) => {
  const answer = await sendMcp(buildRequest('tools/call', params));
  expect(answer.status).toBe(200);
  expect(answer.json()).toMatchObject({ id: 1, error: { code: -32602 } });
});

test('returns -32602 for an unknown cursor', async () => {
  expect((await sendMcp(buildRequest('tools/list', { cursor: 'x' }))).json().error.code).toBe(-32602);
});
