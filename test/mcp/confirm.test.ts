import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  CONFIRMATION_TTL_MINUTES,
  type ConfirmTokenScope,
  createConfirmToken,
  verifyConfirmToken,
} from '../../facades/mcp/agent/confirmation.ts';
import { sql } from '../../src/db/sql.ts';
import { searchCount } from '../../src/engine/read/records.ts';
import { type App, setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import {
  buildModernRequest,
  buildRequest,
  createAgentKey,
  postMcp,
  readLogLines,
  runTool,
  switchMcp,
} from '../harness/facades/mcp.ts';
import { serveMcp } from '../harness/facades/mcp-server.ts';
import { agentTools } from './fixtures.ts';

const app = setUpApp();
let servedApp: App;
let agent: string;

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  servedApp = (await serveMcp(app, agentTools)) as App;
  agent = (await createAgentKey(app)).key;
});
afterAll(() => servedApp?.close());
beforeEach(() => savePolicy('confirmation: AGENT, holds: []'));

const savePolicy = (fields: string) =>
  postGraphql(app, `mutation { agentPolicySave(${fields}) { confirmation } }`, { key: app.main.admin.key });
const countPartners = (name: string) =>
  searchCount(app.main.ctx, 'res.partner', [['name', '=', name]], undefined);

async function add(args: object, key = agent, tool = 'adding') {
  const { result } = (
    await postMcp(servedApp, buildRequest('tools/call', { name: tool, arguments: args }), key)
  ).json();
  return { ...result, said: result.content[0].text as string };
}
const requestConfirmToken = async (name: string, key = agent): Promise<string> =>
  (await add({ name }, key)).structuredContent.confirm_token;

test('executes the previewed action once with its token', async () => {
  const preview = await add({ name: 'Token' });
  const { confirm_token: token } = preview.structuredContent;
  expect(JSON.parse(preview.said).confirm_token).toBe(token);
  expect(await countPartners('Token')).toBe(0);
  expect((await add({ name: 'Token', confirm_token: token })).structuredContent._count).toBe(1);
  expect((await add({ name: 'Token', confirm_token: token })).said).toContain('already been used');
  expect(await countPartners('Token')).toBe(1);
});

test('accepts a token with reordered arguments and confirm: true', async () => {
  const token = (await add({ ids: [1, 2], name: 'Order' })).structuredContent.confirm_token;
  const repeatedArgs = { confirm_token: token, name: 'Order', ids: [1, 2], confirm: true };
  expect((await add(repeatedArgs)).structuredContent._count).toBe(1);
});

test.for([
  ['other arguments', { name: 'Another' }, 'adding'],
  ['one more argument', { name: 'Bound', ids: [1] }, 'adding'],
  ['another tool', { name: 'Bound' }, 'delete'],
] as const)('rejects a token for %s', async ([, args, tool]) => {
  const token = await requestConfirmToken('Bound');
  const result = await add({ ...args, confirm: true, confirm_token: token }, agent, tool);
  expect(result.isError).toBe(true);
  expect(await countPartners(args.name)).toBe(0);
});

test("rejects another agent's, user's or workspace's token", async () => {
  const token = await requestConfirmToken('Stolen');
  const otherTenant = await app.tenant('thieves');
  await switchMcp(app, otherTenant, true);
  for (const key of [(await createAgentKey(app)).key, app.main.user.key, otherTenant.admin.key])
    expect((await add({ name: 'Stolen', confirm_token: token }, key)).isError).toBe(true);
  expect((await add({ name: 'Stolen', confirm_token: token })).isError).toBe(false);
});

test.for(['', 'x', 'a.b.c', 'a.b.c.d', '..', 'a.b.\u0000'])('rejects %j as a token', async (token) => {
  const result = await add({ name: 'Forged', confirm: true, confirm_token: token });
  expect(result.isError).toBe(true);
  expect(await countPartners('Forged')).toBe(0);
});

test('rejects a token with a changed timestamp', async () => {
  const [nonce, , hash] = (await requestConfirmToken('Longer')).split('.');
  const later = (Date.now() + 86_400_000).toString(36);
  expect((await add({ name: 'Longer', confirm_token: `${nonce}.${later}.${hash}` })).isError).toBe(true);
  const [, end] = (await requestConfirmToken('Longer')).split('.');
  const minutes = (Number.parseInt(end!, 36) - Date.now()) / 60_000;
  expect(minutes).toBeLessThanOrEqual(CONFIRMATION_TTL_MINUTES);
  expect(minutes).toBeGreaterThan(CONFIRMATION_TTL_MINUTES - 1);
});

test('accepts one of 20 concurrent uses of a token', async () => {
  const token = await requestConfirmToken('Raced');
  const responses = await Promise.all(
    Array.from({ length: 20 }, () => add({ name: 'Raced', confirm_token: token })),
  );
  expect(responses.filter(({ isError }) => !isError)).toHaveLength(1);
  expect(await countPartners('Raced')).toBe(1);
});

test('requires a token instead of confirm if the policy says so', async () => {
  await savePolicy('confirmation: TOKEN');
  const bare = await add({ name: 'Worded', confirm: true });
  expect(bare.structuredContent.confirm_required).toBe(true);
  expect(await countPartners('Worded')).toBe(0);
  const { confirm_token: token } = bare.structuredContent;
  expect((await add({ name: 'Worded', confirm_token: token })).structuredContent._count).toBe(1);
});

test.for<[policy: string, nextStep: string]>([
  ['confirmation: AGENT', 'Call again with confirm: true to proceed.'],
  ['confirmation: TOKEN', 'Call again with this confirm_token to proceed.'],
  ['confirmation: PERSON', 'Call again with confirm: true to proceed. A person then decides.'],
  ['holds: [CONFIRMED]', 'Call again with confirm: true to proceed. A person then decides.'],
  [
    'holds: [CONFIRMED], confirmation: TOKEN',
    'Call again with this confirm_token to proceed. A person then decides.',
  ],
])('a preview says how to proceed with the policy %s', async ([policy, nextStep]) => {
  await savePolicy(policy);
  const previews = [
    await add({ name: 'Next' }),
    await runTool(app, agent, 'call', { model: 'res.partner', method: 'action_archive', ids: [1] }),
    await runTool(app, agent, 'delete', { model: 'res.partner', ids: [1] }),
  ];
  for (const { structuredContent, content } of previews) {
    expect(structuredContent.next_step).toBe(nextStep);
    expect(content[0]!.text.match(/Call again/g)).toHaveLength(1);
  }
});

test('stores a used confirmation until it expires, for at most 10 minutes', async () => {
  const count = await app.main.ctx.db.value<number>(
    sql`select count(*)::int from svc_agent_spent
     where workspace_id = ${app.main.ctx.workspace.id} and expires_at < now() + interval '10 minutes'`,
  );
  expect(count).toBeGreaterThan(0);
});

const ELICITS = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

async function addAsking(args: object, overrides: object = {}, capabilities: object = ELICITS, key = agent) {
  const { body, headers } = buildModernRequest('tools/call', {
    name: 'adding',
    arguments: args,
    ...overrides,
  });
  Object.assign((body.params as { _meta: object })._meta, capabilities);
  return (await postMcp(servedApp, body, key, headers)).json();
}
const buildConfirmation = (requestState: string, content: unknown, action = 'accept') => ({
  requestState,
  inputResponses: { approval: { action, content } },
});

test('prompts a person if the policy requires it and the client supports prompts', async () => {
  await savePolicy('confirmation: PERSON');
  const { result } = await addAsking({ name: 'Asked', confirm: true });
  expect(result).toMatchObject({
    resultType: 'input_required',
    inputRequests: { approval: { method: 'elicitation/create', params: { mode: 'form' } } },
  });
  expect(result.content).toBeUndefined();
  expect(result.inputRequests.approval.params.message).toContain('Asked');
  expect(await countPartners('Asked')).toBe(0);
  const yes = await addAsking({ name: 'Asked' }, buildConfirmation(result.requestState, { approve: true }));
  expect(yes.result).toMatchObject({ resultType: 'complete', isError: false });
  expect(await countPartners('Asked')).toBe(1);
  const repeated = await addAsking(
    { name: 'Asked' },
    buildConfirmation(result.requestState, { approve: true }),
  );
  expect(repeated.result.isError ?? repeated.error).toBeTruthy();
  expect(await countPartners('Asked')).toBe(1);
  expect((await readLogLines(app.main, 3)).map(({ outcome }) => outcome)).toEqual([
    'refused',
    'done',
    'asked',
  ]);
});

test('does not execute an action that was rejected in the prompt, or whose state is forged', async () => {
  await savePolicy('confirmation: PERSON');
  const call = async () => (await addAsking({ name: 'Denied' })).result.requestState;
  const cases: [object, string][] = [
    [buildConfirmation(await call(), { approve: false }), 'rejected'],
    [buildConfirmation(await call(), null, 'decline'), 'rejected'],
    [buildConfirmation(await call(), null, 'cancel'), 'rejected'],
    [buildConfirmation('forged.1.2', { approve: true }), 'requestState'],
    [buildConfirmation(await requestConfirmToken('Denied'), { approve: true }), 'requestState'],
  ];
  for (const [more, reason] of cases) {
    const { result, error } = await addAsking({ name: 'Denied' }, more);
    expect(error?.message ?? result.content[0].text).toContain(reason);
  }
  const other = await addAsking({ name: 'Other' }, buildConfirmation(await call(), { approve: true }));
  expect(other.error?.message ?? other.result.content[0].text).toContain('requestState');
  expect(await countPartners('Denied')).toBe(0);
});

test.for([
  ['no answer', { requestState: 'x' }],
  ['no state', { inputResponses: { approval: { action: 'accept', content: { approve: true } } } }],
  ['an answer that cannot be read', { ...buildConfirmation('x', { approve: 'yes' }) }],
])('prompts again if the call contains %s', async ([, addition]) => {
  await savePolicy('confirmation: PERSON');
  const { result } = await addAsking({ name: 'Unclear' }, addition as object);
  expect(result.resultType).toBe('input_required');
});

test('holds the action if the client does not support forms', async () => {
  await savePolicy('confirmation: PERSON');
  for (const elicitation of [undefined, { url: {} }]) {
    const capabilities = {
      'io.modelcontextprotocol/clientCapabilities': elicitation ? { elicitation } : {},
    };
    const { result } = await addAsking({ name: 'Held', confirm: true }, {}, capabilities);
    expect(result.structuredContent).toMatchObject({ held: true });
  }
  const legacy = await add({ name: 'Held too', confirm: true });
  expect(legacy.structuredContent).toMatchObject({ held: true });
  expect(await countPartners('Held')).toBe(0);
});

test('accepts a request state only from the client that received it', async () => {
  const { ctx, admin } = app.main;
  const { principal } = (await app.runtime.identity.byKey(admin.key))!;
  const createPrincipal = (kind: 'oauth' | 'key', id: number) =>
    ctx.with({ principal: { ...principal, agent: { kind, id, clientName: 'A' } } });
  const scope: ConfirmTokenScope = { kind: 'confirm', tool: 'adding', digest: 'd' };
  const text = createConfirmToken(createPrincipal('oauth', 1), scope);
  expect(verifyConfirmToken(createPrincipal('oauth', 1), scope, text)).not.toBeNull();
  for (const other of [createPrincipal('oauth', 2), createPrincipal('key', 1), ctx.with({ principal })])
    expect(verifyConfirmToken(other, scope, text)).toBeNull();
});
