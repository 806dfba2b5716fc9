import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { type App, startApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { addContacts, createAgentKey, runTool, switchMcp } from '../harness/facades/mcp.ts';
import { loadMailbox } from '../mailbox/mailboxes.ts';

let app: App;
const model = 'calendar.event';
const RECURRING = {
  name: 'Standup',
  start: '2027-01-04 09:00:00',
  stop: '2027-01-04 09:15:00',
  recurrency: true,
  rrule_type: 'daily',
  interval: 1,
  end_type: 'count',
};

beforeAll(async () => {
  app = await startApp();
  await switchMcp(app, app.main, true);
});
afterAll(() => app?.close());

const countEvents = (name: string) =>
  app.main.ctx.db.value<number>(
    sql`select count(*)::int from calendar_event where workspace_id = ${app.main.ctx.workspace.id} and name = ${name}`,
  );
const countMessages = () =>
  app.main.ctx.db.value<number>(
    sql`select count(*)::int from svc_email where workspace_id = ${app.main.ctx.workspace.id}`,
  );
const loadUsage = async (ref: string) => {
  const [agent] = await app.main.ctx.db.rows<{ changes: number; sends: number }>(
    sql`select changes_of_day as changes, sends_of_day as sends from svc_agent
     where workspace_id = ${app.main.ctx.workspace.id} and ref = ${ref}`,
  );
  return agent!;
};
const countChanges = async (ref: string): Promise<number> => (await loadUsage(ref)).changes;

test('counts every event of a changed recurrence', async () => {
  const { key, id: ref } = await createAgentKey(app, 'changesPerDay: 70');
  const run = (name: string, args: object) => runTool(app, key, name, args);
  const created = await run('create', { model, values: { ...RECURRING, count: 30 } });
  expect(await countEvents('Standup')).toBe(30);
  expect(await countChanges(ref)).toBe(30);
  const ids = [created.structuredContent.created_id];
  const renameAll = (name: string) =>
    run('update', { model, ids, values: { name, recurrence_update: 'all_events' } });
  expect((await renameAll('Daily')).isError).toBe(false);
  expect(await countChanges(ref)).toBe(60);
  const rejected = await renameAll('Weekly');
  expect(rejected.content[0]!.text).toMatch(/exceed the agent's daily limit/);
  expect(await countEvents('Weekly')).toBe(0);
  expect(await countChanges(ref)).toBe(60);
  const single = { model, ids, values: { name: 'Once', recurrence_update: 'self_only' } };
  expect((await run('update', single)).isError).toBe(false);
  expect(await countChanges(ref)).toBe(61);
});

test('asks for confirmation before changing more than 100 events of a recurrence', async () => {
  const { key, id: ref } = await createAgentKey(app);
  const run = (name: string, args: object) => runTool(app, key, name, args);
  const created = await run('create', { model, values: { ...RECURRING, name: 'Long', count: 120 } });
  const values = { name: 'Renamed', recurrence_update: 'all_events' };
  const args = { model, ids: [created.structuredContent.created_id], values };
  const preview = await run('update', args);
  expect(preview.structuredContent).toMatchObject({
    confirm_required: true,
    message: expect.stringContaining('change 120 records'),
  });
  expect([await countEvents('Renamed'), await countChanges(ref)]).toEqual([0, 120]);
  expect((await run('update', { ...args, confirm: true })).isError).toBe(false);
  expect([await countEvents('Renamed'), await countChanges(ref)]).toEqual([120, 240]);
});

test('keeps concurrent changes of recurrences within the limit', async () => {
  const { key, id: ref } = await createAgentKey(app, 'changesPerDay: 45');
  const create = (n: number) =>
    runTool(app, key, 'create', { model, values: { ...RECURRING, name: `Concurrent ${n}`, count: 10 } });
  const responses = await Promise.all(Array.from({ length: 8 }, (_, n) => create(n)));
  expect(responses.filter(({ isError }) => !isError)).toHaveLength(4);
  expect(await countChanges(ref)).toBe(40);
});

test('counts the events of an approved action', async () => {
  const { key, id: ref } = await createAgentKey(app, 'changesPerDay: 25');
  const savePolicy = (holds: string) =>
    queryData(app, `mutation { agentPolicySave(holds: ${holds}) { holds } }`, { key: app.main.admin.key });
  await savePolicy('[SENDS]');
  const hold = async (name: string) => {
    const values = { ...RECURRING, name, count: 20 };
    const { structuredContent } = await runTool(app, key, 'create', { model, values });
    return structuredContent.held_action_id;
  };
  const approve = async (id: number) =>
    (
      await queryData(app, `mutation { heldActionApprove(id: ${id}) { state recordCount error } }`, {
        key: app.main.admin.key,
      })
    ).heldActionApprove;
  try {
    expect((await approve(await hold('Approved'))).state).toBe('DONE');
    expect([await countEvents('Approved'), await countChanges(ref)]).toEqual([20, 20]);
    const failed = await approve(await hold('Too many'));
    expect(failed).toMatchObject({ state: 'FAILED', error: expect.stringContaining('daily limit') });
    expect([await countEvents('Too many'), await countChanges(ref)]).toEqual([0, 20]);
  } finally {
    await savePolicy('[]');
  }
});

test('counts every message that a record change sends', async () => {
  const { address } = await loadMailbox(app.main.ctx, app.main.user.id);
  const write = { ids: [app.main.user.id], vals: { email: address } };
  await createJsonClient(app).value('res.users/write', write);
  const guests = (await addContacts(app.main, 'Guest', 3)).map(({ id }) => id);
  const { key, id: ref } = await createAgentKey(app, 'sendsPerDay: 5', app.main.user.key);
  const invite = (name: string) => {
    const values = { name, start: '2037-01-04 09:00:00', stop: '2037-01-04 10:00:00' };
    return runTool(app, key, 'create', { model, values: { ...values, partner_ids: [[6, 0, guests]] } });
  };
  expect((await invite('Invited')).isError).toBe(false);
  expect([await countMessages(), (await loadUsage(ref)).sends]).toEqual([3, 3]);
  const rejected = await invite('Not invited');
  expect(rejected.content[0]!.text).toMatch(/exceed the agent's daily limit/);
  expect([await countMessages(), (await loadUsage(ref)).sends]).toEqual([3, 3]);
  expect(await countEvents('Not invited')).toBe(0);
});

test('counts a record once, even if its id is repeated', async () => {
  const { key, id: ref } = await createAgentKey(app, 'changesPerDay: 4');
  const ids = (await addContacts(app.main, 'Repeated', 2)).map(({ id }) => id);
  const args = { model: 'res.partner', ids: [...ids, ...ids, ...ids] };
  expect((await runTool(app, key, 'update', { ...args, values: { color: 3 } })).isError).toBe(false);
  expect(await countChanges(ref)).toBe(2);
  expect((await runTool(app, key, 'delete', { ...args, confirm: true })).isError).toBe(false);
  expect(await countChanges(ref)).toBe(4);
});

test.for<[method: string, kwargs: object, changes: number]>([
  ['name_create', { name: 'Named' }, 1],
  ['load', { fields: ['name'], data: [['Loaded 1'], ['Loaded 2'], ['Loaded 3']] }, 3],
  ['message_subscribe', {}, 1],
  ['action_archive', {}, 1],
])(
  'counts the records that %s changes, not the items of its arguments',
  async ([method, kwargs, changes]) => {
    const { key, id: ref } = await createAgentKey(app, 'changesPerDay: 10');
    const contacts = (await addContacts(app.main, 'Called', 8)).map(({ id }) => id);
    const ids = method === 'action_archive' || method === 'message_subscribe' ? { ids: [contacts[0]] } : {};
    const followers = method === 'message_subscribe' ? { partner_ids: contacts } : {};
    const args = {
      ...{ model: 'res.partner', method, confirm: true },
      ...ids,
      kwargs: { ...kwargs, ...followers },
    };
    const { isError, structuredContent } = await runTool(app, key, 'call', args);
    expect([isError, structuredContent._count]).toEqual([false, changes]);
    expect(await countChanges(ref)).toBe(changes);
  },
);

test('counts no changes for methods that only read', async () => {
  const { key, id: ref } = await createAgentKey(app, 'changesPerDay: 1');
  const ids = (await addContacts(app.main, 'Read', 3)).map(({ id }) => id);
  const args = { model: 'res.partner', method: 'read', ids, kwargs: { fields: ['name'] } };
  const read = await runTool(app, key, 'call', args);
  expect([read.isError, read.structuredContent._count]).toEqual([false, 3]);
  expect(await countChanges(ref)).toBe(0);
});
