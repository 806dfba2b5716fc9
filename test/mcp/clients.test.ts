import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { beforeAll, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { MODERN, readLogLines, switchMcp, type ToolResult } from '../harness/facades/mcp.ts';

// The official clients also validate schemas, structured content and headers.

const app = setUpApp();
const info = { name: 'test client', version: '1.0.0' };
const getMcpUrl = () => new URL(`${app.url}/mcp`);
const init = (key: string) => ({ requestInit: { headers: { authorization: `Bearer ${key}` } } });

beforeAll(() => switchMcp(app, app.main, true));

interface AnyClient {
  listTools(): Promise<{ tools: { name: string }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  getServerVersion(): { name: string } | undefined;
  getInstructions(): string | undefined;
  close(): Promise<void>;
}

async function exerciseClient(client: AnyClient): Promise<void> {
  expect(client.getServerVersion()?.name).toBe('atrium');
  expect(client.getInstructions()).toContain('list_models');
  const { tools } = await client.listTools();
  expect(tools.map((tool) => tool.name)).toContain('describe_model');
  const model = 'res.partner';
  const call = async (name: string, args: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: args });
    expect([name, result]).toMatchObject([
      name,
      { isError: false, structuredContent: { _count: expect.any(Number) } },
    ]);
    return (result as ToolResult).structuredContent;
  };
  const { created_id: id } = await call('create', { model, values: { name: 'From a client' } });
  const calls: [string, Record<string, unknown>][] = [
    ['search', { model, fields: ['name', 'parent_id'] }],
    ['get', { model, ids: [id], fields: ['name'] }],
    ['count', { model }],
    ['find', { model, name: 'From' }],
    ['update', { model, ids: [id], values: { name: 'Changed' } }],
    ['call', { model, method: 'search_count', args: [[]] }],
    ['call', { model, method: 'action_archive', ids: [id] }],
    ['call', { model, method: 'action_archive', ids: [id], confirm: true }],
    ['aggregate', { model, group_by: ['create_date:month'] }],
    ['delete', { model, ids: [id] }],
    ['delete', { model, ids: [id], confirm: true }],
    ['list_models', {}],
    ['describe_model', { model }],
  ];
  for (const [name, args] of calls) await call(name, args);
  const failedCall = await client.callTool({ name: 'count', arguments: { model: 'no.model' } });
  expect(failedCall).toMatchObject({ isError: true });
  await client.close();
  const logged = (await readLogLines(app.main, calls.length + 1)).map((line) => line.tool).reverse();
  expect(logged).toEqual([...calls.map(([name]) => name), 'count']);
}

test('the official legacy client (SDK 1) connects, lists and calls tools', async () => {
  const client = new OlderClient(info);
  const transport = new OlderTransport(getMcpUrl(), init(app.main.admin.key));
  await client.connect(transport);
  expect(transport.protocolVersion).toBe('2025-06-18');
  expect(transport.sessionId).toBeUndefined();
  await exerciseClient(client);
});

const modes: ['auto' | 'legacy' | { pin: string }, string][] = [
  ['auto', MODERN],
  [{ pin: MODERN }, MODERN],
  ['legacy', '2025-06-18'],
];

test.for(modes)(
  'the official modern client (SDK 2) connects, lists and calls tools in the mode %o',
  async ([mode, revision]) => {
    const client = new Client(info, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(getMcpUrl(), init(app.main.admin.key)));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    await exerciseClient(client);
  },
);

test('the official clients report an unknown key and an unknown tool as errors', async () => {
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await expect(
    client.connect(new StreamableHTTPClientTransport(getMcpUrl(), init('nonsense'))),
  ).rejects.toThrow();
  const modernClient = new Client(info, { versionNegotiation: { mode: 'auto' } });
  await modernClient.connect(new StreamableHTTPClientTransport(getMcpUrl(), init(app.main.admin.key)));
  await expect(modernClient.callTool({ name: 'nope', arguments: {} })).rejects.toMatchObject({
    code: -32602,
  });
  await modernClient.close();
});
