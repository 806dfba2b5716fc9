import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { subscribe, waitQuiet } from './listen.ts';

const app = setUpApp();
const admin = createJsonClient(app);

beforeAll(async () => {
  (await follow()).close();
});

const TAGS = `subscription Tags($after: String) {
  crmTagChanged(after: $after) { kind id cursor record { name } }
}`;
const follow = (after: string | null = null) =>
  subscribe(app.url, { key: app.main.admin.key, query: TAGS, variables: { after } });
const createTag = (name: string) => admin.create('crm.tag', { name });

async function loadCursor(name: string): Promise<string> {
  const subscription = await follow();
  await createTag(name);
  const [event] = await subscription.waitForEvents(1);
  subscription.close();
  return event!.cursor;
}

describe('reconnecting with a cursor', () => {
  it('delivers missed changes with current values, and then new ones', async () => {
    const cursor = await loadCursor('Before');
    const first = await createTag('Missed');
    const second = await createTag('Missed and changed');
    const third = await createTag('Missed and gone');
    await admin.value('crm.tag/write', { ids: [second], vals: { name: 'Changed' } });
    await admin.value('crm.tag/unlink', { ids: [third] });
    const subscription = await follow(cursor);
    const missedEvents = await subscription.waitForEvents(2);
    expect(missedEvents.map(({ kind, id, record }) => [kind, id, record?.name])).toEqual([
      ['CREATED', String(first), 'Missed'],
      ['CREATED', String(second), 'Changed'],
    ]);
    await createTag('After');
    expect((await subscription.waitForEvents(3))[2]).toMatchObject({
      kind: 'CREATED',
      record: { name: 'After' },
    });
    subscription.close();
  });

  it('delivers deletions that happened while disconnected', async () => {
    const id = await createTag('Goes');
    const cursor = await loadCursor('Stays');
    await admin.value('crm.tag/unlink', { ids: [id] });
    const subscription = await follow(cursor);
    expect(await subscription.waitForEvents(1)).toMatchObject([{ kind: 'DELETED', id: String(id) }]);
    subscription.close();
  });

  it('delivers the changes of a transaction that starts before the cursor and commits after it', async () => {
    const lateClient = new pg.Client({ connectionString: app.databaseUrl });
    await lateClient.connect();
    const workspace = app.main.ctx.workspace.id;
    await lateClient.query('begin');
    await lateClient.query('insert into crm_tag (workspace_id, name) values ($1, $2)', [
      workspace,
      'Began first',
    ]);
    const cursor = await loadCursor('Commits first');
    await lateClient.query('commit');
    const subscription = await follow(cursor);
    expect((await subscription.waitForEvents(1)).map(({ record }) => record.name)).toEqual(['Began first']);
    await lateClient.query('begin');
    await lateClient.query('insert into crm_tag (workspace_id, name) values ($1, $2)', [
      workspace,
      'Began again',
    ]);
    await createTag('Overtakes');
    await subscription.waitForEvents(2);
    await lateClient.query('commit');
    expect((await subscription.waitForEvents(3)).slice(1).map(({ record }) => record.name)).toEqual([
      'Overtakes',
      'Began again',
    ]);
    await lateClient.end();
    subscription.close();
  });

  it('starts only after all transactions that began before change logging have ended', async () => {
    const earlyClient = new pg.Client({ connectionString: app.databaseUrl });
    await earlyClient.connect();
    await earlyClient.query('begin');
    const insert = `insert into crm_lost_reason (workspace_id, name) values (${app.main.ctx.workspace.id}, 'Early')`;
    await earlyClient.query(insert);
    const query = 'subscription { crmLostReasonChanged { kind } }';
    const waiting = subscribe(app.url, { key: app.main.admin.key, query });
    await waitQuiet();
    await earlyClient.query('commit');
    const subscription = await waiting;
    await admin.create('crm.lost.reason', { name: 'Late' });
    expect(await subscription.waitForEvents(1)).toEqual([{ kind: 'CREATED' }]);
    await earlyClient.query('begin');
    await earlyClient.query(insert);
    await earlyClient.query('commit');
    await earlyClient.end();
    expect(await subscription.waitForEvents(2)).toHaveLength(2);
    subscription.close();
  });

  it('tells the client to reload after too long a disconnection', async () => {
    const cursor = await loadCursor('Long ago');
    const [, at, snapshot] = Buffer.from(cursor, 'base64url').toString().split(' ');
    const old = Buffer.from(`1 ${Number(at) - 3_700} ${snapshot}`).toString('base64url');
    const subscription = await follow(old);
    expect(await subscription.waitForEvents(1)).toMatchObject([{ kind: 'RESYNC', id: null, record: null }]);
    await createTag('Goes on');
    expect((await subscription.waitForEvents(2))[1]).toMatchObject({
      kind: 'CREATED',
      record: { name: 'Goes on' },
    });
    subscription.close();
  });

  it('tells the client to reload if changes were not logged in the meantime', async () => {
    const cursor = await loadCursor('Noted');
    const subscription = await subscribe(app.url, {
      key: app.main.admin.key,
      query: 'subscription ($after: String) { utmSourceChanged(after: $after) { kind } }',
      variables: { after: cursor },
    });
    expect(await subscription.waitForEvents(1)).toEqual([{ kind: 'RESYNC' }]);
    subscription.close();
  });

  it.each([
    'x',
    Buffer.from('1 1 5:3:').toString('base64url'),
    Buffer.from('1 1 1:9:8,7').toString('base64url'),
  ])('rejects %s', async (after) => {
    const subscription = await follow(after);
    await subscription.waitForEvents(1);
    expect(subscription.errors[0]!.extensions.code).toBe('BAD_VALUE');
    expect(subscription.ended).toBe('complete');
  });
});

describe('a change of more than 1,000 records', () => {
  it('sends a single event that tells the client to reload', async () => {
    const subscription = await follow();
    const names = Array.from({ length: 1_200 }, (_, i) => ({ name: `Tag ${i}` }));
    await admin.value('crm.tag/create', { vals_list: names });
    expect((await subscription.waitForEvents(1))[0]).toMatchObject({ kind: 'RESYNC', id: null });
    await waitQuiet();
    expect(subscription.events).toHaveLength(1);
    subscription.close();
  });
});
