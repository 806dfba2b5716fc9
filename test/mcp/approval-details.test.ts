import { beforeAll, expect, test } from 'vitest';
import { createCtx } from '../../src/engine/ctx/ctx.ts';
import { getAgentGuard } from '../../src/engine/operation/agent.ts';
import { setUpApp } from '../harness/app.ts';
import { avoidEndOfMinute } from '../harness/clock.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import {
  buildModernRequest,
  buildRequest,
  createAgentKey,
  postMcp,
  switchMcp,
} from '../harness/facades/mcp.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { setUpMailbox } from '../mailbox/mailboxes.ts';

const ELICITS = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } };

const app = setUpApp();
let agent: string;
const mailbox = setUpMailbox(app, 'admin');

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  agent = await createKey();
});

const createKey = async (bounds = ''): Promise<string> => (await createAgentKey(app, bounds)).key;
const savePolicy = (fields: string) =>
  postGraphql(app, `mutation { agentPolicySave(${fields}) { confirmation } }`, { key: app.main.admin.key });
const createPartner = (values: object) =>
  createJsonClient(app).create('res.partner', { name: 'Partner', ...values });
const countPartners = async (ids: number[]) =>
  createJsonClient(app).value('res.partner/search_count', { domain: [['id', 'in', ids]] });

async function run(name: string, args: object, key = agent) {
  const { result } = (await postMcp(app, buildRequest('tools/call', { name, arguments: args }), key)).json();
  return result;
}

async function loadHeldAction(id: unknown): Promise<{ summary: string | null; preview: string }> {
  const query = 'query ($id: ID!) { heldAction(id: $id) { summary preview } }';
  const variables = { id: String(id) };
  return (await postGraphql(app, query, { key: app.main.admin.key, variables })).data.heldAction;
}

async function requestApproval(name: string, args: object) {
  const { body, headers } = buildModernRequest('tools/call', { name, arguments: args });
  Object.assign((body.params as { _meta: object })._meta, ELICITS);
  return (await postMcp(app, body, agent, headers)).json().result;
}

test('names the recipients of a held message', async () => {
  await savePolicy('confirmation: AGENT, holds: [SENDS]');
  const send = async (to: string) => {
    const message = { account_id: Number(mailbox.id), to, subject: 'Offer', body: 'Text', confirm: true };
    const { structuredContent } = await run('mail_send', message);
    return (await loadHeldAction(structuredContent.held_action_id)).summary;
  };
  expect(await send('ann@example.org')).toBe('send a message to ann@example.org');
  expect(await send('"boss@example.org" <ann@example.org>, bea@example.org')).toBe(
    'send a message to ann@example.org and 1 more',
  );
});

test('shows all arguments of a held action to the approver', async () => {
  await savePolicy('confirmation: AGENT, holds: [CONFIRMED]');
  const ids = [await createPartner({}), await createPartner({})];
  const updated = await run('update', {
    model: 'res.partner',
    ids,
    values: { comment: 'Their new words', child_ids: [[2, ids[1]]] },
    confirm: true,
  });
  const update = await loadHeldAction(updated.structuredContent.held_action_id);
  expect(update).toEqual({
    summary: 'update 2 records of res.partner, and delete other records',
    preview: expect.stringMatching(/^would_update:\n.*name: Partner\n.*arguments:\n.*Their new words/s),
  });
  const called = await run('call', {
    model: 'res.partner',
    method: 'message_post',
    ids: [ids[0]],
    kwargs: { body: 'What is posted\nto: forged\u202elive\u200b\u{e0041}', subtype_token: 'hidden-token' },
    confirm: true,
  });
  const { summary, preview } = await loadHeldAction(called.structuredContent.held_action_id);
  expect(summary).toBe('call res.partner.message_post, which may change data');
  expect(preview).toContain('    body: What is posted\n        to: forged<U+202E>live<U+200B><U+E0041>');
  expect(preview).toContain('subtype_token: ***');
  expect(preview).not.toContain('hidden-token');
});

test('shows a long message in full, and rejects one that is too long to review', async () => {
  await savePolicy('confirmation: AGENT, holds: [SENDS]');
  const buildMail = (body: string) => ({
    account_id: mailbox.id,
    to: 'ann@example.org',
    subject: 'Long',
    body,
    confirm: true,
  });
  const fullText = `${'word '.repeat(4_000)}the end of it`;
  const { structuredContent } = await run('mail_send', buildMail(fullText));
  expect((await loadHeldAction(structuredContent.held_action_id)).preview).toContain(fullText);
  const rejected = await run('mail_send', buildMail('word '.repeat(25_000)));
  expect(rejected).toMatchObject({ isError: true });
  expect(rejected.content[0].text).toContain('is limited to 100000 characters');
});

test('shows all arguments in a confirmation prompt, except for secrets', async () => {
  await savePolicy('confirmation: PERSON, holds: []');
  const approval = await requestApproval('call', {
    model: 'res.partner',
    method: 'message_post',
    ids: [await createPartner({})],
    kwargs: { body: 'Shown to the person', api_key: 'hidden-key' },
  });
  const { message } = approval.inputRequests.approval.params;
  expect(message).toContain('Shown to the person');
  expect(message).toContain('"api_key": "***"');
  const long = {
    model: 'res.partner',
    method: 'message_post',
    ids: [1],
    kwargs: { body: 'x'.repeat(100_001) },
  };
  expect(await requestApproval('call', long)).toMatchObject({ isError: true });
});

test.for<[string, (ids: { partner: number }) => [string, object]]>([
  ['SENDS', () => ['call', { model: 'sale.order', method: 'action_quotation_send', ids: [1] }]],
  ['DELETES', () => ['call', { model: 'crm.lead', method: 'merge_opportunity', ids: [1, 2] }]],
  ['DELETES', () => ['call', { method: 'delete_folder', kwargs: { folder_id: 1 } }]],
  ['DELETES', () => ['call', { method: 'draft_delete', kwargs: { entry_id: 1 } }]],
  [
    'DELETES',
    ({ partner }) => [
      'call',
      {
        model: 'res.partner',
        method: 'copy',
        ids: [partner],
        kwargs: { default: { child_ids: [[2, partner]] } },
      },
    ],
  ],
  [
    'DELETES',
    ({ partner }) => [
      'call',
      {
        model: 'res.partner',
        method: 'name_create',
        kwargs: { name: 'x', context: { default_child_ids: [[2, partner]] } },
      },
    ],
  ],
  [
    'DELETES',
    ({ partner }) => [
      'update',
      { model: 'res.partner', ids: [partner], values: { child_ids: [[2, partner]] } },
    ],
  ],
])('holds %s even if another tool performs them (%#)', async ([kind, call]) => {
  await savePolicy(`confirmation: AGENT, holds: [${kind}]`);
  const [name, args] = call({ partner: await createPartner({}) });
  const callArguments = { ...(name === 'call' && { model: 'svc.mail.account' }), ...args, confirm: true };
  expect((await run(name, callArguments, await createKey())).structuredContent).toMatchObject({
    held: true,
    _count: 0,
  });
});

test('holds any update that sends mail if sends are held', async () => {
  await savePolicy('confirmation: AGENT, holds: []');
  const key = await createKey();
  const event = { name: 'Talk', start: '2031-05-05 10:00:00', stop: '2031-05-05 11:00:00' };
  const { created_id: id } = (await run('create', { model: 'calendar.event', values: event }, key))
    .structuredContent;
  const change = { model: 'calendar.event', ids: [id], values: { name: 'Changed' } };
  await savePolicy('confirmation: AGENT, holds: [SENDS]');
  expect((await run('update', change, key)).structuredContent).toMatchObject({ confirm_required: true });
  const { structuredContent } = await run('update', { ...change, confirm: true }, key);
  expect(structuredContent).toMatchObject({ held: true, _count: 0 });
  expect((await createJsonClient(app).row('calendar.event', id, ['name'])).name).toBe('Talk');
  const approve = 'mutation ($id: ID!) { heldActionApprove(id: $id) { state } }';
  const variables = { id: String(structuredContent.held_action_id) };
  const { data } = await postGraphql(app, approve, { key: app.main.admin.key, variables });
  expect(data.heldActionApprove.state).toBe('DONE');
  expect((await createJsonClient(app).row('calendar.event', id, ['name'])).name).toBe('Changed');
  const plain = { model: 'res.partner', ids: [await createPartner({})], values: { name: 'Free' } };
  expect((await run('update', plain, key)).structuredContent).toMatchObject({ _count: 1 });
});

test('holds deleting a mail rule if deletes are held', async () => {
  await savePolicy('confirmation: AGENT, holds: []');
  const rule = {
    name: 'Filed',
    conditions: [{ field: 'subject', operator: 'contains', value: 'x' }],
    actions: [{ action: 'star' }],
  };
  const saved = await run('mail_rule', { action: 'save', account_id: mailbox.id, rule, confirm: true });
  await savePolicy('holds: [DELETES]');
  const { structuredContent } = await run('mail_rule', {
    action: 'delete',
    account_id: mailbox.id,
    rule_id: saved.structuredContent.rule_id,
    confirm: true,
  });
  expect(structuredContent).toMatchObject({ held: true });
});

test('counts a call that deletes toward the per-minute limit for deletes', async () => {
  await savePolicy('confirmation: AGENT, holds: []');
  const key = await createKey();
  await avoidEndOfMinute();
  const calls = Array.from({ length: 130 }, () =>
    run('call', { model: 'svc.mail.account', method: 'delete_folder', kwargs: { folder_id: 1 } }, key),
  );
  const rejections = (await Promise.all(calls)).filter(({ content }) =>
    content[0].text.includes('too many times'),
  );
  expect(rejections).toHaveLength(10);
  expect((await run('delete', { model: 'res.partner', ids: [1] }, key)).isError).toBe(true);
});

test('update requires confirmation before it deletes records, at any depth', async () => {
  await savePolicy('confirmation: AGENT, holds: []');
  const parent = await createPartner({});
  const child = await createPartner({ parent_id: parent });
  const grandchild = await createPartner({ parent_id: child });
  const cases = [
    { child_ids: [[2, child]] },
    { child_ids: [[1, child, { child_ids: [[2, grandchild]] }]] },
    { child_ids: [[0, 0, { name: 'New', child_ids: [[2, grandchild, 0]] }]] },
    { bank_ids: [[5]] },
    { bank_ids: [[6, 0, []]] },
    { bank_ids: false },
    { bank_ids: [[3, 1]] },
    { child_ids: [[1, child, { bank_ids: [[5]] }]] },
  ];
  for (const values of cases) {
    const { structuredContent } = await run('update', { model: 'res.partner', ids: [parent], values });
    expect(structuredContent, JSON.stringify(values)).toMatchObject({ confirm_required: true });
  }
  expect(await countPartners([parent, child, grandchild])).toBe(3);
  const free = { child_ids: [[1, child, { comment: 'x' }]], category_id: [[5]] };
  const { structuredContent } = await run('update', { model: 'res.partner', ids: [parent], values: free });
  expect(structuredContent).toMatchObject({ updated_ids: [parent] });
  const confirmed = { model: 'res.partner', ids: [parent], values: cases[1], confirm: true };
  expect((await run('update', confirmed)).isError).toBe(false);
  expect(await countPartners([parent, child, grandchild])).toBe(2);
});

test('counts records written through lists toward the confirmation limit', async () => {
  const parent = await createPartner({});
  const child = await createPartner({ parent_id: parent });
  const values = { child_ids: Array.from({ length: 100 }, () => [1, child, { comment: 'x' }]) };
  const { structuredContent } = await run('update', { model: 'res.partner', ids: [parent], values });
  expect(structuredContent).toMatchObject({ confirm_required: true });
});

test('create rejects commands that delete records', async () => {
  const victim = await createPartner({});
  const values = { name: 'New', child_ids: [[2, victim]] };
  const { isError, content } = await run('create', { model: 'res.partner', values });
  expect([isError, content[0].text]).toEqual([true, expect.stringContaining('cannot delete other records')]);
  expect(await countPartners([victim])).toBe(1);
});

test('counts each record that is created together with another one', async () => {
  await savePolicy('confirmation: AGENT, holds: []');
  const key = await createKey('changesPerDay: 3');
  const child_ids = ['a', 'b', 'c'].map((name) => [0, 0, { name }]);
  const result = await run('create', { model: 'res.partner', values: { name: 'Four', child_ids } }, key);
  expect(result.content[0].text).toContain('limit of 3 record changes per day');
  const data = ['a', 'b', 'c', 'd'].map((name) => [name]);
  const load = { model: 'res.partner', method: 'load', args: [['name'], data], confirm: true };
  expect((await run('call', load, key)).content[0].text).toContain("exceed the agent's daily limit");
  const three = { name: 'Three', child_ids: child_ids.slice(1) };
  expect((await run('create', { model: 'res.partner', values: three }, key)).isError).toBe(false);
});

test('counts an approved action when it is executed', async () => {
  await savePolicy('confirmation: AGENT, holds: [DELETES]');
  const key = await createKey('changesPerDay: 1');
  const heldActions: unknown[] = [];
  for (let n = 0; n < 2; n++) {
    const args = { model: 'res.partner', ids: [await createPartner({})], confirm: true };
    heldActions.push((await run('delete', args, key)).structuredContent.held_action_id);
  }
  const approve = 'mutation ($id: ID!) { heldActionApprove(id: $id) { state error } }';
  const states = [];
  for (const id of heldActions) {
    const variables = { id: String(id) };
    states.push(
      (await postGraphql(app, approve, { key: app.main.admin.key, variables })).data.heldActionApprove,
    );
  }
  expect(states).toMatchObject([
    { state: 'DONE' },
    { state: 'FAILED', error: expect.stringContaining('daily limit') },
  ]);
});

test("does not let an agent's key create keys, or change the agent policy in a session", async () => {
  const key = await createKey();
  await run('count', { model: 'res.partner' }, key);
  const create = await postGraphql(app, 'mutation { keyCreate(name: "other") { key } }', { key });
  expect(create.errors[0]!.extensions.code).toBe('FORBIDDEN');
  const generate = 'mutation ($key: String!) { userKeyGenerate(key: $key, name: "other") }';
  const generatedResponse = await postGraphql(app, generate, { key, variables: { key } });
  expect(generatedResponse.errors[0]!.extensions.code).toBe('FORBIDDEN');
  const cookie = await signInWeb(app, { login: app.main.admin.login, password: key });
  const headers = { cookie, origin: app.url, 'sec-fetch-site': 'same-origin' };
  const session = await postGraphql(app, 'mutation { agentPolicySave(holds: []) { confirmation } }', {
    headers,
  });
  expect(session.errors[0]!.extensions.code).toBe('FORBIDDEN');
  const person = { cookie: await signInWeb(app), origin: app.url, 'sec-fetch-site': 'same-origin' };
  const save = 'mutation { agentPolicySave(holds: []) { confirmation } }';
  expect((await postGraphql(app, save, { headers: person })).errors).toEqual([]);
});

test('does not let an agent make an inactive user an administrator, or activate an administrator', async () => {
  await savePolicy('confirmation: AGENT, holds: []');
  const admins = await createJsonClient(app).value('res.groups/search', {
    domain: [['full_name', 'ilike', 'Administrator']],
  });
  const groups = { group_ids: admins.map((id: number) => [4, id]) };
  const user = await createJsonClient(app).create('res.users', {
    name: 'Asleep',
    login: 'asleep',
    active: false,
  });
  const update = (values: object) =>
    run('update', { model: 'res.users', ids: [user], values, confirm: true });
  expect((await update(groups)).content[0].text).toContain('Administrator');
  await createJsonClient(app).value('res.users/write', { ids: [user], vals: groups });
  expect((await update({ active: true })).isError).toBe(true);
});

test('keeps all concurrent changes to the policy', async () => {
  await Promise.all(
    ['callsPerDay: 1001', 'sendsPerDay: 1002', 'changesPerDay: 1003', 'holds: []'].map(savePolicy),
  );
  const query = '{ agentPolicy { callsPerDay sendsPerDay changesPerDay } }';
  const { data } = await postGraphql(app, query, { key: app.main.admin.key });
  expect(data.agentPolicy).toEqual({ callsPerDay: 1001, sendsPerDay: 1002, changesPerDay: 1003 });
  await savePolicy('callsPerDay: null, sendsPerDay: null, changesPerDay: null');
});

test('counts a call that arrives immediately after another one', async () => {
  const caller = await app.runtime.identity.byKey(await createKey());
  const ctx = createCtx(app.runtime, { ...caller!, channel: 'mcp', requestId: 'test' });
  const call = { tool: 'count', client: null, sends: 0, changes: 0, perMinute: null };
  const { agentId } = await getAgentGuard().admit(ctx, call);
  expect(
    (
      await getAgentGuard()
        .admit(ctx, call)
        .then(() => getAgentGuard().admit(ctx, call))
    ).agentId,
  ).toBe(agentId);
});

test('applies tool groups and limits to resources and completions', async () => {
  const key = await createKey('callsPerDay: 3, toolGroups: [MAIL]');
  const callMethod = async (method: string, params: object) =>
    (await postMcp(app, buildRequest(method, params), key)).json();
  expect(JSON.stringify((await callMethod('resources/list', {})).result)).not.toContain('model://');
  expect((await callMethod('resources/read', { uri: 'model://res.partner' })).error.message).toContain(
    'not found',
  );
  const ref = { type: 'ref/prompt', name: 'weekly_pipeline' };
  const completed = await callMethod('completion/complete', { ref, argument: { name: 'team', value: '' } });
  expect(completed.result.completion.values).toEqual([]);
  const { error } = await callMethod('resources/read', { uri: 'guide://instructions' });
  expect(error.message).toContain('3 calls per day');
});
