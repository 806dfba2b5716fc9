import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, post, setUpApp } from '../harness/app.ts';
import { buildRequest, readLogLines, switchMcp } from '../harness/facades/mcp.ts';
import { serveMcp } from '../harness/facades/mcp-server.ts';
import { agentTools } from './fixtures.ts';

const app = setUpApp();
let servedApp: App;
const ALL_TOOLS = agentTools.tools.map(({ name }) => name);

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  servedApp = (await serveMcp(app, agentTools)) as App;
});
afterAll(() => servedApp?.close());

const postNarrowed = (
  query: string,
  body: unknown,
  headers: Record<string, string> = {},
  key = app.main.admin.key,
) => post(`${servedApp.url}/mcp${query}`, body, key, headers);
const listToolNames = async (query: string, headers = {}, key?: string): Promise<string[]> =>
  (await postNarrowed(query, buildRequest('tools/list'), headers, key))
    .json()
    .result.tools.map(({ name }: { name: string }) => name);

const DATA = ['delete', 'adding', 'update'];

test.for<[string, Record<string, string>, string[]]>([
  ['', {}, ALL_TOOLS],
  ['?groups=data', {}, DATA],
  ['?groups=data, mail', {}, ['delete', 'adding', 'mail_send', 'update']],
  ['?groups=data&groups=mail', {}, []],
  ['', { 'x-mcp-groups': 'data' }, DATA],
  ['?groups=mail', { 'x-mcp-groups': 'data' }, []],
  ['?groups=', {}, []],
  ['?readonly=1', {}, ['plain', 'reading', 'organizing']],
  ['?readonly', {}, ['plain', 'reading', 'organizing']],
  ['?readonly=true', {}, ['plain', 'reading', 'organizing']],
  ['?READONLY=1', {}, ['plain', 'reading', 'organizing']],
  ['?readonly=0&ReadOnly=1', {}, ['plain', 'reading', 'organizing']],
  ['?Groups=data', {}, DATA],
  ['?readonly=0', {}, ALL_TOOLS],
  ['?readonly=0', { 'x-mcp-readonly': '1' }, ['plain', 'reading', 'organizing']],
  ['', { 'x-mcp-readonly': 'yess' }, ['plain', 'reading', 'organizing']],
  ['?tools=plain,delete', {}, ['plain', 'delete']],
  ['?tools=plain', { 'x-mcp-tools': 'delete' }, []],
  ['?exclude=plain,delete', { 'x-mcp-exclude': 'update' }, ['reading', 'adding', 'mail_send', 'organizing']],
  ['?groups=data&exclude=delete&tools=delete,update', {}, ['update']],
])('lists the selected tools for %s with %j: %j', async ([query, headers, expected]) => {
  expect(await listToolNames(query, headers)).toEqual(expected);
});

test.for<[string, Record<string, string>, string]>([
  ['?groups=DATA', {}, 'no group of tools "DATA". Groups: data, schema, mail, live, website'],
  ['?groups=data,unknown', {}, 'no group of tools "unknown"'],
  ['', { 'x-mcp-groups': 'mails' }, 'no group of tools "mails"'],
  ['?read_only=1', {}, 'no parameter "read_only". Parameters: groups, tools, exclude, readonly'],
  ['?groups=data&read-only', {}, 'no parameter "read-only"'],
  ['?tools=nope', {}, 'no tool "nope". Tools: plain, reading, delete'],
  ['?tools=plain,deleted', {}, 'no tool "deleted". Tools: '],
  ['?exclude=updat', {}, 'no tool "updat". Tools: '],
  ['', { 'x-mcp-exclude': 'delete,<script>' }, 'no tool "<script>"'],
])('rejects %s with %j: %s', async ([query, headers, expected]) => {
  for (const method of ['initialize', 'tools/list', 'tools/call']) {
    const answer = await postNarrowed(query, buildRequest(method), headers);
    expect([answer.status, answer.json().error.code]).toEqual([400, -32600]);
    expect(answer.json().error.message).toContain(expected);
  }
});

test('rejects a call to an excluded tool, and records the rejection', async () => {
  const call = buildRequest('tools/call', { name: 'adding', arguments: { name: 'x', confirm: true } });
  const { result } = (await postNarrowed('?readonly=1', call)).json();
  expect(result).toMatchObject({ isError: true });
  expect(result.content[0].text).toContain('does not allow the tool adding');
  expect((await readLogLines(app.main, 1))[0]).toMatchObject({ tool: 'adding', success: false });
});

test('never lists tools that the key cannot call', async () => {
  const reading = await listToolNames('', {}, app.main.readOnlyKey);
  expect(reading).toEqual(['plain', 'reading', 'organizing']);
  expect(await listToolNames('?readonly=0&tools=plain,delete,adding', {}, app.main.readOnlyKey)).toEqual([
    'plain',
  ]);
});

test('parses only the beginning of a very long list of names', async () => {
  const toolNames = Array.from({ length: 5_000 }, (_, n) => `t${n}`).join(',');
  const headers = { 'x-mcp-tools': `${toolNames.slice(0, 10_000)},plain` };
  expect((await postNarrowed('', buildRequest('tools/list'), headers)).json().error.message).toContain(
    '"t0"',
  );
});

test.for<[string, string, object]>([
  ['create', 'call', { method: 'name_create', args: ['New'] }],
  ['create', 'call', { method: 'copy', ids: [1] }],
  ['create', 'call', { method: 'load', kwargs: { fields: ['name'], data: [['New']] } }],
  ['update', 'call', { method: 'load', kwargs: { fields: ['.id', 'name'], data: [['1', 'New']] } }],
  [
    'create',
    'call',
    { method: 'copy', ids: [1], kwargs: { default: { child_ids: [[0, 0, { name: 'New' }]] } } },
  ],
  ['create', 'update', { ids: [1], values: { child_ids: [[0, 0, { name: 'New' }]] } }],
  ['update', 'create', { values: { name: 'New', child_ids: [[4, 1]] } }],
])('a connection without the tool %s rejects %s with %j', async ([excluded, name, args]) => {
  const contacts = { model: 'res.partner', method: 'search_count', args: [[]] };
  const run = async (query: string, tool: string, toolArgs: object) => {
    const body = buildRequest('tools/call', {
      name: tool,
      arguments: { ...toolArgs, ...(tool !== 'create' && { confirm: true }) },
    });
    return (await post(`${app.url}/mcp${query}`, body, app.main.admin.key)).json().result;
  };
  const countContacts = async () => (await run('', 'call', contacts)).structuredContent.result;
  const before = await countContacts();
  const { isError, content } = await run(`?exclude=${excluded}`, name, { model: 'res.partner', ...args });
  expect([isError, content[0].text]).toEqual([true, expect.stringContaining(`the tool ${excluded}`)]);
  expect(await countContacts()).toBe(before);
});

test('a connection without the tool create can preview forms with new lines', async () => {
  const values = { name: 'Form', child_ids: [[0, 0, { name: 'New' }]] };
  const kwargs = { values, field_names: ['name'], fields_spec: { name: {} } };
  const args = { model: 'res.partner', method: 'onchange', ids: [], kwargs };
  const body = buildRequest('tools/call', { name: 'call', arguments: args });
  const { result } = (await post(`${app.url}/mcp?exclude=create,update`, body, app.main.admin.key)).json();
  expect(result.isError, result.content[0].text).toBe(false);
});
