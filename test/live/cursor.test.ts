import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type App, startApp } from '../harness/app.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import { subscribe, waitQuiet } from './listen.ts';

let app: App;
let admin: JsonClient;

beforeAll(async () => {
  app = await startApp();
  admin = createJsonClient(app);
});

afterAll(() => app.close());

const TAGS = `subscription Tags($after: String) {
  crmTagChanged(after: $after) { kind id cursor record { name } }
}`;
const follow = (after: string | null = null) =>
  subscribe(app.url, { key: app.main.admin.key, query: TAGS, variables: { after } });
const createTag = (name: string) => admin.create('crm.tag', { name });

async function loadCursor(name: string): Promise<string> {
  const heard = await follow();
  await createTag(name);
  const [event] = await heard.heard(1);
  heard.close();
  return event!.cursor;
}

describe('a subscriber that reconnects with its cursor', () => {
  let tries = 0;
  // Under heavy database load, the client may receive a RESYNC instead.
  it('receives missed changes with current values, and then later ones', { retry: 2 }, async () => {
    // Names are unique, so each retry needs its own.
    const own = (name: string) => `${name} ${tries}`;
    tries++;
    const cursor = await loadCursor(own('Before'));
    const first = await createTag(own('Missed'));
    const second = await createTag(own('Missed and changed'));
    const third = await createTag(own('Missed and gone'));
    await admin.value('crm.tag/write', { ids: [second], vals: { name: own('Changed') } });
    await admin.value('crm.tag/unlink', { ids: [third] });
    const heard = await follow(cursor);
    const missed = await heard.heard(2);
    expect(missed.map(({ kind, id, record }) => [kind, id, record?.name])).toEqual([
      ['CREATED', String(first), own('Missed')],
      ['CREATED', String(second), own('Changed')],
    ]);
    await createTag(own('After'));
    expect((await heard.heard(3))[2]).toMatchObject({ kind: 'CREATED', record: { name: own('After') } });
    heard.close();
  });

  it('receives deletions that happened while it was disconnected', async () => {
    const id = await createTag('Goes');
    const cursor = await loadCursor('Stays');
    await admin.value('crm.tag/unlink', { ids: [id] });
    const heard = await follow(cursor);
    expect(await heard.heard(1)).toMatchObject([{ kind: 'DELETED', id: String(id) }]);
    heard.close();
  });

  it('loses no change of transactions that start earlier and commit later', async () => {
    const late = new pg.Client({ connectionString: app.databaseUrl });
    await late.connect();
    const workspace = app.main.ctx.workspace.id;
    await late.query('begin');
    await late.query('insert into crm_tag (workspace_id, name) values ($1, $2)', [workspace, 'Began first']);
    const cursor = await loadCursor('Commits first');
    await late.query('commit');
    const heard = await follow(cursor);
    expect((await heard.heard(1)).map(({ record }) => record.name)).toEqual(['Began first']);
    await late.query('begin');
    await late.query('insert into crm_tag (workspace_id, name) values ($1, $2)', [workspace, 'Began again']);
    await createTag('Overtakes');
    await heard.heard(2);
    await late.query('commit');
    expect((await heard.heard(3)).slice(1).map(({ record }) => record.name)).toEqual([
      'Overtakes',
      'Began again',
    ]);
    await late.end();
    heard.close();
  });

  it('starts only after transactions with unlogged changes have ended', async () => {
    const early = new pg.Client({ connectionString: app.databaseUrl });
    await early.connect();
    await early.query('begin');
    const insert = `insert into crm_lost_reason (workspace_id, name) values (${app.main.ctx.workspace.id}, 'Early')`;
    await early.query(insert);
    const query = 'subscription { crmLostReasonChanged { kind } }';
    const waiting = subscribe(app.url, { key: app.main.admin.key, query });
    await waitQuiet();
    await early.query('commit');
    const heard = await waiting;
    await admin.create('crm.lost.reason', { name: 'Late' });
    expect(await heard.heard(1)).toEqual([{ kind: 'CREATED' }]);
    await early.query('begin');
    await early.query(insert);
    await early.query('commit');
    await early.end();
    expect(await heard.heard(2)).toHaveLength(2);
    heard.close();
  });

  it('is told to reload after too long a disconnection', async () => {
    const cursor = await loadCursor('Long ago');
    const [, at, snapshot] = Buffer.from(cursor, 'base64url').toString().split(' ');
    const old = Buffer.from(`1 ${Number(at) - 3_700} ${snapshot}`).toString('base64url');
    const heard = await follow(old);
    expect(await heard.heard(1)).toMatchObject([{ kind: 'RESYNC', id: null, record: null }]);
    await createTag('Goes on');
    expect((await heard.heard(2))[1]).toMatchObject({ kind: 'CREATED', record: { name: 'Goes on' } });
    heard.close();
  });

  it('is told to reload if changes were not logged while it was disconnected', async () => {
    const cursor = await loadCursor('Noted');
    const heard = await subscribe(app.url, {
      key: app.main.admin.key,
      query: 'subscription ($after: String) { utmSourceChanged(after: $after) { kind } }',
      variables: { after: cursor },
    });
    expect(await heard.heard(1)).toEqual([{ kind: 'RESYNC' }]);
    heard.close();
  });

  it.each([
    'x',
    Buffer.from('1 1 5:3:').toString('base64url'),
    Buffer.from('1 1 1:9:8,7').toString('base64url'),
  ])('is rejected with %s', async (after) => {
    const heard = await follow(after);
    await heard.heard(1);
    expect(heard.errors[0]!.extensions.code).toBe('BAD_VALUE');
    expect(heard.ended).toBe('complete');
  });
});

describe('changes of very many records', () => {
  it('are merged into one event that tells the client to reload', async () => {
    const heard = await follow();
    const names = Array.from({ length: 1_200 }, (_, i) => ({ name: `Tag ${i}` }));
    await admin.value('crm.tag/create', { vals_list: names });
    expect((await heard.heard(1))[0]).toMatchObject({ kind: 'RESYNC', id: null });
    await waitQuiet();
    expect(heard.events).toHaveLength(1);
    heard.close();
  });
});
