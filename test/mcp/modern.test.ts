import { beforeAll, expect, test } from 'vitest';
import { detectEra } from '../../facades/mcp/protocol/era.ts';
import { setUpApp } from '../harness/app.ts';
import { buildModernRequest, buildRequest, MODERN, postMcp, switchMcp } from '../harness/facades/mcp.ts';

const app = setUpApp();
const SUPPORTED = ['2026-07-28', '2025-06-18', '2025-03-26', '2024-11-05'];
const REVISION = 'io.modelcontextprotocol/protocolVersion';
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

type ModernRequest = { body: ReturnType<typeof buildRequest>; headers: Record<string, string> };
const sendMcp = ({ body, headers }: ModernRequest) => postMcp(app, body, app.main.user.key, headers);
const count = () => buildModernRequest('tools/call', { name: 'count', arguments: { model: 'res.partner' } });

beforeAll(() => switchMcp(app, app.main, true));

test('server/discover returns every revision, the capabilities and the instructions', async () => {
  const answer = await sendMcp(buildModernRequest('server/discover'));
  expect(answer.status).toBe(200);
  expect(answer.json().result).toEqual({
    resultType: 'complete',
    supportedVersions: SUPPORTED,
    capabilities: { tools: {}, resources: {}, prompts: {}, completions: {} },
    instructions: expect.stringContaining('list_models'),
    ttlMs: 3_600_000,
    cacheScope: 'private',
    _meta: { 'io.modelcontextprotocol/serverInfo': expect.objectContaining({ name: 'atrium' }) },
  });
});

test('results have a resultType and server info, and only lists have a cache lifetime', async () => {
  const list = (await sendMcp(buildModernRequest('tools/list'))).json().result;
  expect(list).toMatchObject({ resultType: 'complete', ttlMs: 3_600_000, cacheScope: 'private' });
  const called = (await sendMcp(count())).json().result;
  expect(called).toMatchObject({ resultType: 'complete', isError: false });
  expect(called._meta['io.modelcontextprotocol/serverInfo'].name).toBe('atrium');
  expect(called).not.toHaveProperty('ttlMs');
  expect(called.structuredContent.count).toBe(called.structuredContent._count);
});

test.for(['initialize', 'ping', 'logging/setLevel', 'resources/subscribe', 'tasks/get', 'toString'])(
  'the unsupported method %s returns 404 and -32601',
  async (method) => {
    const answer = await sendMcp(buildModernRequest(method, {}, 'abc'));
    expect(answer.status).toBe(404);
    expect(answer.json()).toMatchObject({ id: 'abc', error: { code: -32601 } });
  },
);

test('returns 400 and -32022 with the supported revisions for an unsupported revision', async () => {
  for (const requested of ['2099-01-01', '2025-06-18']) {
    const sent = buildModernRequest('tools/list');
    Object.assign(sent.body.params as object, { _meta: { [REVISION]: requested, [CAPABILITIES]: {} } });
    const answer = await sendMcp(sent);
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      id: 1,
      error: { code: -32022, data: { supported: SUPPORTED, requested } },
    });
  }
});

const metas: [string, Record<string, unknown> | undefined][] = [
  ['no _meta under a modern header', undefined],
  ['no capabilities', { [REVISION]: MODERN }],
  ['capabilities that are no object', { [REVISION]: MODERN, [CAPABILITIES]: 'all' }],
  ['a revision that is no text', { [REVISION]: 20260728, [CAPABILITIES]: {} }],
];

test.for(metas)('%s returns 400 and -32602', async ([, meta]) => {
  const body = buildRequest('tools/list', meta && { _meta: meta }, 9);
  const answer = await sendMcp({
    body,
    headers: { 'mcp-method': 'tools/list', 'mcp-protocol-version': MODERN },
  });
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ id: 9, error: { code: -32602 } });
});

const headerChanges: [string, Record<string, string | null>][] = [
  ['Mcp-Method', { 'mcp-method': null }],
  ['Mcp-Method', { 'mcp-method': 'tools/list' }],
  ['Mcp-Method', { 'mcp-method': 'TOOLS/CALL' }],
  ['Mcp-Name', { 'mcp-name': null }],
  ['Mcp-Name', { 'mcp-name': 'search' }],
  ['Mcp-Name', { 'mcp-name': '=?base64?c2VhcmNo?=' }],
  ['Mcp-Name', { 'mcp-name': '=?base64?Y291bnQ' }],
  ['Mcp-Name', { 'mcp-name': '=?base64?####?=' }],
  ['MCP-Protocol-Version', { 'mcp-protocol-version': '2025-06-18' }],
];

test.for(headerChanges)(
  'a header that contradicts the body returns 400 and -32020, and is named in the error: %s, %o',
  async ([name, change]) => {
    const { body, headers } = count();
    for (const [header, value] of Object.entries(change)) {
      if (value === null) delete headers[header];
      else headers[header] = value;
    }
    const answer = await sendMcp({ body, headers });
    expect(answer.status).toBe(400);
    expect(answer.json()).toMatchObject({
      id: 1,
      error: { code: -32020, message: expect.stringContaining(name) },
    });
  },
);

test('MCP-Protocol-Version is optional, and Mcp-Name may be base64', async () => {
  const { body, headers } = count();
  expect((await sendMcp({ body, headers })).status).toBe(200);
  const encoded = `=?base64?${Buffer.from('count').toString('base64')}?=`;
  const all = { ...headers, 'mcp-name': encoded, 'mcp-protocol-version': MODERN };
  expect((await sendMcp({ body, headers: all })).status).toBe(200);
});

test('batches return 400 and -32600', async () => {
  const answer = await postMcp(app, [buildModernRequest('tools/list').body], app.main.user.key, {});
  expect(answer.status).toBe(400);
  expect(answer.json()).toMatchObject({ id: null, error: { code: -32600 } });
});

test('a notification returns 202', async () => {
  const { body, headers } = buildModernRequest('notifications/cancelled', { requestId: 3 });
  const { id: _, ...notification } = body;
  const answer = await postMcp(app, notification, app.main.user.key, headers);
  expect([answer.status, answer.text]).toEqual([202, '']);
});

test('unknown tools and invalid arguments return 200 with an error', async () => {
  const unknown = await sendMcp(buildModernRequest('tools/call', { name: 'nope' }));
  expect([unknown.status, unknown.json().error.code]).toEqual([200, -32602]);
  const response = await sendMcp(buildModernRequest('tools/call', { name: 'search', arguments: {} }));
  expect(response.json().result).toMatchObject({ resultType: 'complete', isError: true });
});

const claim = { _meta: { [REVISION]: 'x' } };
const openings: [string, unknown, string | null, string][] = [
  ['a claim in the body', { method: 'ping', params: claim }, null, 'modern'],
  ['a claim under an old header', { method: 'ping', params: claim }, '2025-06-18', 'modern'],
  ['an initialize with a claim', { method: 'initialize', params: claim }, null, 'modern'],
  ['initialize', { method: 'initialize' }, null, 'legacy'],
  ['initialize under a modern header', { method: 'initialize' }, MODERN, 'legacy'],
  ['no claim, modern header', { method: 'ping' }, MODERN, 'modern'],
  ['no claim, no header', { method: 'ping' }, null, 'legacy'],
  ['a batch with one claim', [{ method: 'ping' }, { method: 'ping', params: claim }], null, 'modern'],
  ['a body that is no object', 5, null, 'legacy'],
];

test.for(openings)('recognizes the protocol era of %s', ([, body, header, era]) => {
  expect(detectEra(body, new Headers(header === null ? {} : { 'mcp-protocol-version': header }))).toBe(era);
});
