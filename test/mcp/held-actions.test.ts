import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { MAX_PENDING_ACTIONS_PER_AGENT } from '../../schema/base/agents/held-actions.ts';
import { sql } from '../../src/db/sql.ts';
import { searchCount } from '../../src/engine/read/records.ts';
import { createJobs } from '../../src/engine/work/jobs.ts';
import { type App, setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { buildRequest, createAgentKey, postMcp, readLogLines, switchMcp } from '../harness/facades/mcp.ts';
import { serveMcp } from '../harness/facades/mcp-server.ts';
import type { Tenant } from '../harness/tenant.ts';
import { pause, until } from '../harness/wait.ts';
import { subscribe } from '../live/listen.ts';
import { agentTools, HELD_NAMES, toolsWithoutPreview } from './fixtures.ts';

const app = setUpApp();
let servedApp: App;
let otherTenant: Tenant;
let agent: string;

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  servedApp = (await serveMcp(app, agentTools)) as App;
  otherTenant = await app.tenant('neighbors');
  await switchMcp(app, otherTenant, true);
  agent = (await createAgentKey(app)).key;
  await savePolicy('holds: [SENDS, DELETES]');
});
afterAll(() => servedApp?.close());
afterEach(() =>
  app.main.ctx.db.rows(
    sql`update svc_agent_held set state = 'refused' where workspace_id = ${app.main.ctx.workspace.id} and state = 'waiting'`,
  ),
);

const savePolicy = (fields: string) =>
  postGraphql(app, `mutation { agentPolicySave(${fields}) { confirmation } }`, { key: app.main.admin.key });
const countPartners = (name: string) =>
  searchCount(app.main.ctx, 'res.partner', [['name', '=', name]], undefined);

const postGraphqlUntil = (signal: AbortSignal, query: string): Promise<unknown> =>
  fetch(`${app.url}/graphql`, {
    method: 'POST',
    signal,
    headers: { authorization: `Bearer ${app.main.admin.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  }).catch(() => null);

async function run(tool: string, args: object, key = agent) {
  const { result } = (
    await postMcp(servedApp, buildRequest('tools/call', { name: tool, arguments: args }), key)
  ).json();
  return result;
}

async function holdDelete(name: string, key = agent): Promise<string> {
  const { structuredContent } = await run('delete', { name, confirm: true }, key);
  expect(structuredContent).toMatchObject({ held: true, _count: 0 });
  return String(structuredContent.held_action_id);
}

const FIELDS = '{ id state tool title preview error recordCount reason decider { login } user { login } }';
const approveHeld = (id: string, key = app.main.admin.key) =>
  postGraphql(app, `mutation ($id: ID!) { heldActionApprove(id: $id) ${FIELDS} }`, {
    key,
    variables: { id },
  });
const reject = (id: string, key = app.main.admin.key, reason: string | null = null) =>
  postGraphql(
    app,
    `mutation ($id: ID!, $reason: String) { heldActionReject(id: $id, reason: $reason) ${FIELDS} }`,
    {
      key,
      variables: { id, reason },
    },
  );
const readAction = async (id: string, key = app.main.admin.key) =>
  (await postGraphql(app, `query ($id: ID!) { heldAction(id: $id) ${FIELDS} }`, { key, variables: { id } }))
    .data.heldAction;

test('executes a held action with its preview after it is approved', async () => {
  const heldAction = await run('delete', { name: 'Approved' });
  expect(heldAction.structuredContent).toMatchObject({ confirm_required: true });
  const id = await holdDelete('Approved');
  expect((await readLogLines(app.main, 1))[0]).toMatchObject({ outcome: 'held', success: true });
  expect(await readAction(id)).toMatchObject({
    state: 'WAITING',
    tool: 'delete',
    title: 'Title of delete',
    preview: 'preview:\n  adds: Approved\narguments:\n  name: Approved',
  });
  expect(await countPartners('Approved')).toBe(0);
  const { data } = await approveHeld(id);
  expect(data.heldActionApprove).toMatchObject({
    state: 'DONE',
    recordCount: 1,
    error: null,
    decider: { login: 'admin' },
  });
  expect(await countPartners('Approved')).toBe(1);
  expect((await readLogLines(app.main, 1))[0]).toMatchObject({
    tool: 'delete',
    outcome: 'done',
    success: true,
  });
});

test('stores the outcome of an approved action if the approver disconnects', async () => {
  const id = await holdDelete('Left');
  const [tableLock, rowLock] = await Promise.all([
    app.runtime.db.pool.connect(),
    app.runtime.db.pool.connect(),
  ]);
  const client = new AbortController();
  try {
    await tableLock.query('begin; lock table res_partner in share mode');
    const query = `mutation { heldActionApprove(id: "${id}") { id } }`;
    const request = postGraphqlUntil(client.signal, query);
    await until(async () => (await readAction(id)).state === 'RUNNING', 'the action runs');
    await rowLock.query(`begin; select from svc_agent_held where id = ${Number(id)} for update`);
    client.abort();
    await request;
    await tableLock.query('rollback');
    await until(async () => (await countPartners('Left')) === 1, 'the action ends');
    // Longer than the time after which the statements of a disconnected client are canceled.
    await pause(1_000);
  } finally {
    await Promise.all([tableLock, rowLock].map((lock) => lock.query('rollback')));
    tableLock.release();
    rowLock.release();
  }
  await until(async () => (await readAction(id)).state === 'DONE', 'the outcome is stored');
});

test('executes actions that the policy does not hold immediately', async () => {
  expect((await run('adding', { name: 'Free', confirm: true })).structuredContent._count).toBe(1);
  expect((await run('update', { ids: [1] })).structuredContent._count).toBe(1);
});

test('shows the arguments of a held action if its tool has no preview', async () => {
  const unshown = (await serveMcp(app, toolsWithoutPreview)) as App;
  await savePolicy('holds: [SENDS, DELETES, MODULES]');
  try {
    for (const tool of HELD_NAMES) {
      const call = buildRequest('tools/call', { name: tool, arguments: { name: `By ${tool}` } });
      const { structuredContent } = (await postMcp(unshown, call, agent)).json().result;
      expect(structuredContent, tool).toMatchObject({ held: true, _count: 0 });
      expect(await countPartners(`By ${tool}`), tool).toBe(0);
      const { preview } = await readAction(String(structuredContent.held_action_id));
      expect(preview).toBe(`arguments:\n  name: By ${tool}`);
    }
  } finally {
    await savePolicy('holds: [SENDS, DELETES]');
    await unshown.close();
  }
});

test('never executes a rejected action', async () => {
  const id = await holdDelete('Rejected');
  const { data } = await reject(id, app.main.admin.key, 'Not today.');
  expect(data.heldActionReject).toMatchObject({ state: 'REFUSED', reason: 'Not today.' });
  expect((await approveHeld(id)).errors[0]).toMatchObject({
    message: expect.stringMatching(/^This action has already been rejected by \w+\.$/),
    extensions: { code: 'STALE', status: 409 },
  });
  expect(await countPartners('Rejected')).toBe(0);
});

test('accepts only one of 10 concurrent decisions', async () => {
  const id = await holdDelete('Raced');
  const responses = await Promise.all(Array.from({ length: 10 }, () => approveHeld(id)));
  expect(responses.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
  expect(await countPartners('Raced')).toBe(1);
});

test('accepts only one of 10 concurrent approvals and 10 concurrent rejections', async () => {
  for (let round = 0; round < 4; round++) {
    const name = `Contended ${round}`;
    const id = await holdDelete(name);
    const decisions = Array.from({ length: 20 }, (_, n) => ((n + round) % 2 === 0 ? approveHeld : reject));
    const responses = await Promise.all(decisions.map((decide) => decide(id)));
    const accepted = responses.filter(({ errors }) => errors.length === 0);
    expect(accepted).toHaveLength(1);
    const isApproved = accepted[0]!.data.heldActionApprove !== undefined;
    for (const { errors } of responses.filter((response) => response !== accepted[0]))
      expect(errors[0]).toMatchObject({
        message: `This action has already been ${isApproved ? 'approved' : 'rejected'} by admin.`,
        extensions: { code: 'STALE', status: 409 },
      });
    expect((await readAction(id)).state).toBe(isApproved ? 'DONE' : 'REFUSED');
    expect(await countPartners(name)).toBe(isApproved ? 1 : 0);
  }
});

test('returns the same held action for an identical request', async () => {
  expect(await holdDelete('Twice')).toBe(await holdDelete('Twice'));
});

test('hides an action from another workspace and from other users', async () => {
  const id = await holdDelete('Private');
  expect(await readAction(id, otherTenant.admin.key)).toBeNull();
  expect(await readAction(id, app.main.user.key)).toBeNull();
  for (const key of [otherTenant.admin.key, app.main.user.key]) {
    expect((await approveHeld(id, key)).errors[0]!.extensions.code).toBe('NOT_FOUND');
    expect((await reject(id, key)).errors[0]!.extensions.code).toBe('NOT_FOUND');
  }
  expect((await readAction(id)).state).toBe('WAITING');
});

test('rejects decisions by agents', async () => {
  const id = await holdDelete('Self');
  expect((await approveHeld(id, agent)).errors[0]!.extensions.code).toBe('FORBIDDEN');
  const second = (await createAgentKey(app)).key;
  await run('plain', {}, second);
  expect((await approveHeld(id, second)).errors[0]!.extensions.code).toBe('FORBIDDEN');
  expect(await countPartners('Self')).toBe(0);
});

test("lets users approve their own agents' actions if the policy allows it", async () => {
  const ownKey = (await createAgentKey(app, '', app.main.user.key)).key;
  const id = await holdDelete('Owned', ownKey);
  expect((await readAction(id, app.main.user.key)).user.login).toBe('user');
  expect((await approveHeld(id, app.main.user.key)).errors[0]!.extensions.code).toBe('FORBIDDEN');
  await savePolicy('approvers: OWNER');
  const { data } = await approveHeld(id, app.main.user.key);
  await savePolicy('approvers: ADMINISTRATORS');
  // The agent's user may not add partners.
  expect(data.heldActionApprove.state).toBe('FAILED');
  expect(data.heldActionApprove.error).toContain('not allowed');
  expect(await countPartners('Owned')).toBe(0);
});

test('marks an approved action as failed if its tool rejects it', async () => {
  const { data } = await approveHeld(await holdDelete('Refused'));
  expect(data.heldActionApprove).toMatchObject({ state: 'FAILED', error: 'No.' });
  expect(await countPartners('Refused')).toBe(0);
});

test('does not execute an action of an agent whose key is revoked', async () => {
  const { key, id: keyId } = await createAgentKey(app);
  const id = await holdDelete('Orphaned', key);
  await postGraphql(app, 'mutation ($id: ID!) { keyRevoke(id: $id) { id } }', {
    key: app.main.admin.key,
    variables: { id: keyId },
  });
  const { data } = await approveHeld(id);
  expect(data.heldActionApprove).toMatchObject({ state: 'FAILED' });
  expect(await countPartners('Orphaned')).toBe(0);
});

test('does not execute an action whose key has become read-only', async () => {
  const { key, id: keyId } = await createAgentKey(app);
  const id = await holdDelete('Narrowed', key);
  await app.main.ctx.db.rows(
    sql`update svc_api_key set scopes = '{read}' where workspace_id = ${app.main.ctx.workspace.id} and id = ${Number(keyId)}`,
  );
  const { data } = await approveHeld(id);
  expect(data.heldActionApprove.state).toBe('FAILED');
  expect(await countPartners('Narrowed')).toBe(0);
});

test('limits pending actions, even under concurrent requests', async () => {
  const names = Array.from({ length: MAX_PENDING_ACTIONS_PER_AGENT + 10 }, (_, n) => `Many ${n}`);
  const responses = await Promise.all(names.map((name) => run('mail_send', { name, confirm: true })));
  expect(responses.filter(({ isError }) => isError)).toHaveLength(10);
  expect(responses.find(({ isError }) => isError).content[0].text).toContain(
    'Too many actions are waiting for approval',
  );
});

test('expires pending actions, and marks interrupted ones as failed', async () => {
  const [late, lost] = [await holdDelete('Late'), await holdDelete('Lost')];
  const setAt = (id: string, change: ReturnType<typeof sql>) =>
    app.main.ctx.db.rows(
      sql`update svc_agent_held set ${change} where workspace_id = ${app.main.ctx.workspace.id} and id = ${Number(id)}`,
    );
  await setAt(late, sql`expires_at = now() - interval '1 minute'`);
  await setAt(lost, sql`state = 'running', decided_at = now() - interval '1 day'`);
  expect((await approveHeld(late)).errors[0]!.message).toContain('has expired');
  expect((await readAction(late)).state).toBe('EXPIRED');
  const worker = createJobs(app.runtime);
  await worker.start(true);
  try {
    await worker.enqueue(app.main.ctx, 'agent-held-expire', {});
    await expect.poll(async () => (await readAction(late)).state).toBe('EXPIRED');
    await expect
      .poll(() => readAction(lost))
      .toMatchObject({ state: 'FAILED', error: expect.stringContaining('interrupted') });
  } finally {
    await worker.stop();
  }
});

test('sends held actions and decisions to webhooks', async () => {
  const id = await holdDelete('Heard');
  await reject(id);
  const events = await app.main.ctx.db.rows<{ topic: string; payload: object }>(
    sql`select topic, payload from svc_event where workspace_id = ${app.main.ctx.workspace.id}
     and payload ->> 'id' = ${id} and topic like 'agent.%' order by id`,
  );
  expect(events.map(({ topic }) => topic)).toEqual(['agent.held', 'agent.decided']);
  expect(events[1]!.payload).toMatchObject({ tool: 'delete', state: 'refused' });
});

test('sends held actions and decisions to subscribers', async () => {
  const query = 'subscription { heldActionChanged { kind record { state tool } } }';
  const subscription = await subscribe(app.url, { key: app.main.admin.key, query });
  const id = await holdDelete('Followed');
  expect(await subscription.waitForEvents(1)).toMatchObject([
    { kind: 'CREATED', record: { state: 'WAITING', tool: 'delete' } },
  ]);
  await reject(id);
  await expect
    .poll(async () =>
      (await subscription.waitForEvents(2)).some(
        ({ record }) => (record as { state: string })?.state === 'REFUSED',
      ),
    )
    .toBe(true);
  subscription.close();
});
