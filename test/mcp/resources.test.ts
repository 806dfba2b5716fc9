import { beforeAll, expect, test, vi } from 'vitest';
import { limits } from '../../src/limits.ts';
import { setUpApp } from '../harness/app.ts';
import {
  addContacts,
  buildModernRequest,
  buildRequest,
  postMcp,
  runTool,
  switchMcp,
} from '../harness/facades/mcp.ts';
import { createScene } from '../rights/scene.ts';

const app = setUpApp();

beforeAll(() => switchMcp(app, app.main, true));

const sendLegacy = async (method: string, params: object = {}, key = app.main.user.key) =>
  (await postMcp(app, buildRequest(method, params), key)).json();
const sendModern = async (method: string, params: Record<string, unknown> = {}, key = app.main.user.key) => {
  const { body, headers } = buildModernRequest(method, params);
  const answer = await postMcp(app, body, key, headers);
  expect(answer.status).toBe(200);
  return answer.json();
};
const CACHED = { resultType: 'complete', ttlMs: expect.any(Number), cacheScope: 'private' };

test('server/discover returns the resource, prompt and completion capabilities', async () => {
  const { capabilities } = (await sendModern('server/discover')).result;
  expect(capabilities).toEqual({ tools: {}, resources: {}, prompts: {}, completions: {} });
});

test('lists readable models and the instructions as resources', async () => {
  const { result } = await sendModern('resources/list');
  expect(result).toMatchObject(CACHED);
  const uris = result.resources.map(({ uri }: { uri: string }) => uri);
  expect(uris).toContain('guide://instructions');
  expect(uris).toContain('model://res.partner');
  expect(uris).not.toContain('model://svc.mcp.log');
  const forAdmin = await sendLegacy('resources/list', {}, app.main.admin.key);
  expect(JSON.stringify(forAdmin.result)).toContain('model://svc.mcp.log');
});

test('reads a model resource with the content of describe_model', async () => {
  const { result } = await sendModern('resources/read', { uri: 'model://res.partner' });
  expect(result).toMatchObject(CACHED);
  const [{ text, ...part }] = result.contents;
  expect(part).toEqual({ uri: 'model://res.partner', mimeType: 'application/json' });
  const { fields, your_access } = JSON.parse(text);
  expect(your_access).toEqual({ read: true, create: false, write: false, unlink: false });
  expect(fields.map(({ name }: { name: string }) => name)).toContain('email');
  const guide = (await sendLegacy('resources/read', { uri: 'guide://instructions' })).result.contents[0];
  expect(guide.text).toContain('list_models');
});

test('splits a long description into parts, and returns the URI of the next part', async () => {
  const { key } = app.main.admin;
  const readRows = async (uri: string) =>
    JSON.parse((await sendModern('resources/read', { uri }, key)).result.contents[0].text);
  const { fields: expected } = await readRows('model://res.partner');
  const answerChars = vi.spyOn(limits.mcp, 'answerChars', 'get').mockReturnValue(18_000 as never);
  try {
    const fields: unknown[] = [];
    let reads = 0;
    for (let uri: string | undefined = 'model://res.partner'; uri; reads++) {
      const { result } = await sendModern('resources/read', { uri }, key);
      expect(result.contents[0].uri).toBe(uri);
      const part = JSON.parse(result.contents[0].text);
      expect(result.contents[0].text.length).toBeLessThan(18_100);
      fields.push(...part.fields);
      expect(part).toMatchObject(part.next_uri ? { has_more: true, total: expected.length } : {});
      expect(part.next_offset).toBe(part.next_uri ? fields.length : undefined);
      uri = part.next_uri;
    }
    expect(reads).toBeGreaterThan(1);
    expect(fields).toEqual(expected);
    const args = { model: 'res.partner', offset: 20 };
    const { structuredContent: page } = await runTool(app, key, 'describe_model', args);
    expect(page.fields[0]).toEqual(expected[20]);
    expect(page).toMatchObject({ has_more: true, next_offset: 20 + page.fields.length });
    answerChars.mockReturnValue(3_000 as never);
    const { structuredContent: models } = await runTool(app, key, 'list_models');
    expect(models).toMatchObject({ has_more: true, hint: expect.stringContaining('filter') });
    expect(models).not.toHaveProperty('next_offset');
    for (const uri of [
      'model://res.partner?offset=x',
      'model://res.partner?offset=-1',
      'model://nope?offset=2',
    ])
      expect((await sendModern('resources/read', { uri }, key)).error.code).toBe(-32602);
  } finally {
    answerChars.mockRestore();
  }
});

test.for(['model://no.model', 'model://svc.mcp.log', 'file:///etc/passwd', 'x'])(
  "returns the revision's error code and the URI for the unknown resource %s",
  async (uri) => {
    const error = { message: expect.any(String), data: { uri } };
    expect((await sendModern('resources/read', { uri })).error).toEqual({ code: -32602, ...error });
    expect((await sendLegacy('resources/read', { uri })).error).toEqual({ code: -32002, ...error });
  },
);

test('lists a template for models, and completes model names that the caller can read', async () => {
  const { resourceTemplates } = (await sendModern('resources/templates/list')).result;
  expect(resourceTemplates).toMatchObject([{ uriTemplate: 'model://{model}', name: 'model' }]);
  const ref = { type: 'ref/resource', uri: 'model://{model}' };
  const setValue = async (value: string, key?: string) =>
    (await sendModern('completion/complete', { ref, argument: { name: 'model', value } }, key)).result
      .completion;
  expect((await setValue('res.part')).values).toContain('res.partner');
  expect((await setValue('mcp.log')).values).toEqual([]);
  expect((await setValue('mcp.log', app.main.admin.key)).values).toEqual(['svc.mcp.log']);
});

test("lists prompts, and inserts the user's arguments into them", async () => {
  const { result } = await sendModern('prompts/list');
  expect(result).toMatchObject(CACHED);
  const names = result.prompts.map(({ name }: { name: string }) => name);
  expect(names).toEqual(['triage_inbox', 'weekly_pipeline', 'reply_in_my_voice']);
  const prompt = { name: 'reply_in_my_voice', arguments: { entry_id: '42', points: 'say "no"' } };
  const { messages } = (await sendModern('prompts/get', prompt)).result;
  expect(messages).toMatchObject([{ role: 'user', content: { type: 'text' } }]);
  expect(messages[0].content.text).toContain('"42"');
  expect(messages[0].content.text).toContain('"say \\"no\\""');
  expect((await sendLegacy('prompts/get', { name: 'triage_inbox' })).result.messages).toHaveLength(1);
});

test.for([
  ['an unknown prompt', { name: 'nope' }],
  ['a missing argument', { name: 'reply_in_my_voice' }],
  ['an argument that is no text', { name: 'reply_in_my_voice', arguments: { entry_id: 42 } }],
] as const)('%s returns -32602', async ([, params]) => {
  expect((await sendModern('prompts/get', params)).error.code).toBe(-32602);
  expect((await sendLegacy('prompts/get', params)).error.code).toBe(-32602);
});

test('completes a prompt argument with up to 100 readable names', async () => {
  const scene = createScene(app);
  await scene.create('crm.team', { name: 'Team North' });
  const call = (key: string, name = 'team', ref: object = { type: 'ref/prompt', name: 'weekly_pipeline' }) =>
    sendModern('completion/complete', { ref, argument: { name, value: 'north' } }, key);
  expect((await call(app.main.admin.key)).result.completion.values).toEqual(['Team North']);
  expect((await call(app.main.admin.key, 'nope')).error.code).toBe(-32602);
  expect((await call(app.main.admin.key, 'team', { type: 'ref/prompt', name: 'no' })).error.code).toBe(
    -32602,
  );
  expect((await call(app.main.admin.key, 'team', { type: 'what' })).error.code).toBe(-32602);
  expect((await sendLegacy('completion/complete', {})).error.code).toBe(-32602);
});

test.for(['resources/list', 'resources/templates/list', 'prompts/list', 'tools/list'])(
  '%s rejects a cursor with -32602, because it has a single page',
  async (method) => {
    expect((await sendModern(method, { cursor: 'x' })).error.code).toBe(-32602);
  },
);

test.for([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'subscriptions/listen',
  'tasks/get',
])('returns 404 and -32601 for %s in the modern revision', async (method) => {
  const { body, headers } = buildModernRequest(method);
  const answer = await postMcp(app, body, app.main.user.key, headers);
  expect([answer.status, answer.json().error.code]).toEqual([404, -32601]);
});

test("runs a batch's calls in order, and rolls back only those that fail", async () => {
  await addContacts(app.main, 'Batch', 1);
  const create = (id: number, values: object) =>
    buildRequest('tools/call', { name: 'create', arguments: { model: 'res.partner', values } }, id);
  const batch = [create(1, { name: 'First' }), create(2, { nope: 1 }), create(3, { name: 'Third' })];
  const responses = (await postMcp(app, batch, app.main.admin.key)).json();
  expect(responses.map(({ id }: { id: number }) => id)).toEqual([1, 2, 3]);
  expect(responses.map(({ result }: { result: { isError: boolean } }) => result.isError)).toEqual([
    false,
    true,
    false,
  ]);
  const [first, , third] = responses.map(
    ({ result }: { result: { structuredContent?: { created_id: number } } }) =>
      result.structuredContent?.created_id,
  );
  expect(third).toBeGreaterThan(first);
});
