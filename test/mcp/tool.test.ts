import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createMcpRegistry } from '../../facades/mcp/registry.ts';
import {
  buildConfirmationRequest,
  defineTool,
  READ_ANNOTATIONS,
  type ToolSpec,
  toToolResult,
} from '../../facades/mcp/tool.ts';
import { mcpProduct } from '../../facades/mcp/tools/index.ts';
import { sql } from '../../src/db/sql.ts';
import { callByName } from '../../src/engine/operation/call.ts';
import { searchCount } from '../../src/engine/read/records.ts';
import { create } from '../../src/engine/write/write.ts';
import { errors } from '../../src/errors.ts';
import { type App, setUpApp } from '../harness/app.ts';
import {
  buildModernRequest,
  buildRequest,
  postMcp,
  readLogLines,
  switchMcp,
} from '../harness/facades/mcp.ts';
import { serveMcp } from '../harness/facades/mcp-server.ts';

const app = setUpApp();
let served: Awaited<ReturnType<typeof serveMcp>>;

const WRITES = { ...READ_ANNOTATIONS, readOnlyHint: false };

const buildToolSpec = (name: string): ToolSpec<Record<string, unknown>> => ({
  name,
  title: name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: { name: { type: 'string' }, confirm: { type: 'boolean' } } },
  outputSchema: { type: 'object', properties: { _count: { type: 'integer' } }, required: ['_count'] },
  annotations: READ_ANNOTATIONS,
  scope: 'read',
  effects: ['reads'],
  group: 'live',
  method: null,
  isOurs: true,
  run: async () => toToolResult({}, 0),
});

const addPartner: ToolSpec<Record<string, unknown>>['run'] = async ({ ctx, args, confirmed }) => {
  if (!confirmed) return buildConfirmationRequest({ message: `This adds ${args.name}.` });
  const ids = await callByName(ctx, 'recordCreate', {
    model: 'res.partner',
    valsList: [{ name: args.name }],
  });
  if (args.name === 'Refused') throw errors.user('No.');
  if (args.name === 'Declined') return { ...toToolResult({ ok: false }, 0), isError: true };
  return toToolResult({ ids }, 1);
};

const cancelStatement: ToolSpec<Record<string, unknown>>['run'] = async ({ ctx }) => {
  await ctx.db.rows(sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(1)`);
  return toToolResult({}, 0);
};

const registry = createMcpRegistry(
  [
    buildToolSpec('plain'),
    { ...buildToolSpec('writing'), annotations: WRITES, scope: 'write' as const, run: addPartner },
    { ...buildToolSpec('administering'), role: 'administrator' as const },
    { ...buildToolSpec('governing'), role: 'mail administrator' as const },
    { ...buildToolSpec('designing'), role: 'designer' as const },
    { ...buildToolSpec('ruling'), feature: 'mail.rules' },
    {
      ...buildToolSpec('labeled'),
      run: async () => ({
        ...toToolResult({ n: 1 }, 1),
        displayText: 'as text',
        meta: { integrity: 'untrusted' },
      }),
    },
    { ...buildToolSpec('canceled'), run: cancelStatement },
    { ...buildToolSpec('methodical'), method: ({ name }: Record<string, unknown>) => String(name) },
  ].map(defineTool),
);

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  served = await serveMcp(app, registry);
});
afterAll(() => served?.close());

const sendRequest = async (key: string, method: string, params: object = {}, headers = {}) =>
  (await postMcp(served as App, buildRequest(method, params), key, headers)).json();
const listToolNames = async (key: string): Promise<string[]> =>
  (await sendRequest(key, 'tools/list')).result.tools.map(({ name }: { name: string }) => name);
const run = async (key: string, name: string, args: object = {}) =>
  (await sendRequest(key, 'tools/call', { name, arguments: args })).result;
const countPartners = (name: string) =>
  searchCount(app.main.ctx, 'res.partner', [['name', '=', name]], undefined);

test("lists the tools that the caller's role and scope allow, always in the same order", async () => {
  const all = registry.tools.map(({ name }) => name);
  expect(await listToolNames(app.main.admin.key)).toEqual(all);
  expect(await listToolNames(app.main.admin.key)).toEqual(all);
  const forAdmins = ['administering', 'governing', 'designing'];
  expect(await listToolNames(app.main.user.key)).toEqual(all.filter((name) => !forAdmins.includes(name)));
  expect(await listToolNames(app.main.readOnlyKey)).toEqual(all.filter((name) => name !== 'writing'));
});

test('omits a tool whose mail feature is disabled in the company', async () => {
  const otherTenant = await app.tenant('unruly');
  await switchMcp(app, otherTenant, true);
  const { companyId } = (await app.runtime.identity.byKey(otherTenant.admin.key))!.principal;
  await create(otherTenant.ctx, 'svc.mail.feature', [
    { company_id: companyId, key: 'mail.rules', is_on: false },
  ]);
  expect(await listToolNames(otherTenant.admin.key)).not.toContain('ruling');
  expect(await listToolNames(app.main.admin.key)).toContain('ruling');
});

test('returns a tool error for a tool that the caller may not use', async () => {
  const cases: [string, string, RegExp][] = [
    [app.main.user.key, 'administering', /Administrator role/],
    [app.main.user.key, 'governing', /mail administrator/],
    [app.main.user.key, 'designing', /website designer/],
    [app.main.readOnlyKey, 'writing', /scope write/],
  ];
  for (const [key, name, reason] of cases) {
    const result = await run(key, name);
    expect(result).toEqual({
      content: [{ type: 'text', text: expect.stringMatching(reason) }],
      isError: true,
    });
    expect((await readLogLines(app.main, 1))[0]).toMatchObject({ tool: name, success: false });
  }
});

test('logs the error of the response if a statement fails', async () => {
  const { isError, content } = await run(app.main.admin.key, 'canceled');
  expect(isError).toBe(true);
  const [line] = await readLogLines(app.main, 1);
  expect(content[0].text).toContain(line!.error);
});

test('a confirmation request is not an error and changes nothing', async () => {
  const result = await run(app.main.admin.key, 'writing', { name: 'Later' });
  expect(result.structuredContent).toMatchObject({
    confirm_required: true,
    message: 'This adds Later.',
    _count: 0,
  });
  expect(result.isError).toBe(false);
  expect(await countPartners('Later')).toBe(0);
  const outcome = await run(app.main.admin.key, 'writing', { name: 'Later', confirm: true });
  expect(outcome.structuredContent._count).toBe(1);
  expect(await countPartners('Later')).toBe(1);
});

test('rolls back the writes of a tool that fails', async () => {
  const result = await run(app.main.admin.key, 'writing', { name: 'Refused', confirm: true });
  expect(result).toEqual({ content: [{ type: 'text', text: 'Error: No.' }], isError: true });
  expect(await countPartners('Refused')).toBe(0);
});

test('rolls back the writes of a tool that returns a rejection', async () => {
  const result = await run(app.main.admin.key, 'writing', { name: 'Declined', confirm: true });
  expect([result.isError, result.structuredContent]).toEqual([false, { ok: false, _count: 0 }]);
  expect(await countPartners('Declined')).toBe(0);
});

test("returns a tool's own text and label in the result", async () => {
  const result = await run(app.main.user.key, 'labeled');
  expect(result).toMatchObject({
    content: [{ type: 'text', text: 'as text' }],
    structuredContent: { n: 1, _count: 1 },
    _meta: { integrity: 'untrusted' },
  });
  const { body, headers } = buildModernRequest('tools/call', { name: 'labeled', arguments: {} });
  const { result: now } = (await postMcp(served as App, body, app.main.user.key, headers)).json();
  expect(now._meta).toEqual({
    integrity: 'untrusted',
    'io.modelcontextprotocol/serverInfo': expect.anything(),
  });
});

test('records the method that a tool takes from its arguments', async () => {
  await run(app.main.user.key, 'methodical', { name: 'action_confirm' });
  expect((await readLogLines(app.main, 1))[0]).toMatchObject({
    tool: 'methodical',
    method: 'action_confirm',
  });
});

test.for(['2025-03-26', '2024-11-05'])(
  'returns only fields that the revision %s defines',
  async (revision) => {
    const headers = { 'mcp-protocol-version': revision };
    const { result } = await sendRequest(app.main.user.key, 'tools/list', {}, headers);
    expect(result.tools[0]).toEqual({
      name: 'plain',
      description: 'Does plain.',
      inputSchema: registry.tools[0]!.inputSchema,
      annotations: { title: 'plain', ...READ_ANNOTATIONS },
    });
    const called = await sendRequest(app.main.user.key, 'tools/call', { name: 'plain' }, headers);
    expect(called.result).toEqual({ content: [{ type: 'text', text: '{"_count":0}' }], isError: false });
  },
);

test.for<[unknown[]]>([
  [[['email', 'ilike', '@acme.com']]],
  [['|', ['id', 'in', [1, 2]], ['active', '=', false]]],
  [[['child_ids', 'any', [['email', '=', 'a@b.c']]]]],
  [[['child_ids', 'not any', ['|', ['id', 'in', [1, 2]], ['active', '=', true]]]]],
])('the listed schema of search allows the domain %j', async ([domain]) => {
  const { result } = (await postMcp(app, buildRequest('tools/list'), app.main.admin.key)).json();
  const { inputSchema } = result.tools.find(({ name }: { name: string }) => name === 'search');
  const validate = new Ajv2020({ strict: false }).compile(inputSchema);
  expect(validate({ model: 'res.partner', domain }), JSON.stringify(validate.errors)).toBe(true);
});

const FAMILIES = {
  data: 'search get count find create update delete call aggregate',
  schema: 'list_models describe_model',
  mail:
    'mail_features mailbox_list inbox_read inbox_message inbox_thread mail_rules_get mail_blocked_list ' +
    'mail_domain_status mail_draft_save mail_send mail_organize mail_label mail_sender_block mail_rule ' +
    'mail_autoreply_set',
  live:
    'platform_info list_installed_modules whats_new current_time module_status module_install module_upgrade ' +
    'module_configure module_uninstall',
  website: 'website_pages website_new_page website_edit_page website_publish website_menu website_redirect',
};

test('lists 41 tools in five groups for an administrator', async () => {
  const { result } = (await postMcp(app, buildRequest('tools/list'), app.main.admin.key)).json();
  const names = Object.values(FAMILIES).flatMap((family) => family.split(' '));
  expect(names).toHaveLength(41);
  expect(result.tools.map(({ name }: { name: string }) => name).toSorted()).toEqual(names.toSorted());
  for (const [group, family] of Object.entries(FAMILIES))
    expect(
      mcpProduct.tools
        .filter((tool) => tool.group === group)
        .map(({ name }) => name)
        .toSorted(),
    ).toEqual(family.split(' ').toSorted());
});

/** Clients put the whole list into the context of every conversation. This is about 8,000 tokens. */
const MAX_TOOL_LIST_BYTES = 32_000;

test('returns a tool list of at most 32,000 bytes with complete descriptions', async () => {
  const answer = await postMcp(app, buildRequest('tools/list'), app.main.admin.key);
  expect(
    Buffer.byteLength(answer.text),
    'Shorten the descriptions and schemas of tools.',
  ).toBeLessThanOrEqual(MAX_TOOL_LIST_BYTES);
  const { result } = answer.json();
  expect(result.tools).toHaveLength(mcpProduct.tools.length);
  for (const tool of result.tools) {
    expect(tool.name).toMatch(/^[a-z_]{1,40}$/);
    expect(Object.keys(tool.annotations).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
    for (const schema of [tool.inputSchema, tool.outputSchema]) {
      expect(schema.type).toBe('object');
      expect(JSON.stringify(schema)).not.toMatch(/"(?:\$ref|prefixItems)"/);
      for (const combinator of ['anyOf', 'oneOf', 'allOf']) expect(schema).not.toHaveProperty(combinator);
    }
    expect(tool.outputSchema).not.toHaveProperty('additionalProperties');
    expect(tool.outputSchema.required).toContain('_count');
  }
});
