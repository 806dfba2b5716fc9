import { describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { runCli, runCliJson } from '../harness/cli.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient, json2 } from '../harness/facades/json2.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { signInWeb } from '../harness/facades/web.ts';

const app = setUpApp();
const admin = createJsonClient(app);

const OF = ['--workspace', 'main'];
const runAtrium = <T>(...args: string[]) => runCliJson<T>(app.env, ...args);
const findGroupId = async (name: string): Promise<number> =>
  (await admin.value('res.groups/search', { domain: [['external_id', '=', name]] }))[0];
const requestStatus = async (key: string) => (await json2(app, 'res.users/context_get', {}, key)).status;
const loadSeats = async () =>
  (await postGraphql(app, '{ workspaceSeats { used limit serviceAccounts } }', { key: app.main.admin.key }))
    .data.workspaceSeats;
const createKey = async (userId: number): Promise<{ key: string; id: string }> =>
  (
    await postGraphql(app, 'mutation ($userId: ID) { keyCreate(name: "it", userId: $userId) { key id } }', {
      key: app.main.admin.key,
      variables: { userId: String(userId) },
    })
  ).data.keyCreate;

const createAccount = (login: string) =>
  runAtrium<{ id: number; service: boolean; password?: string }>('user', 'create', login, ...OF, '--service');

describe('a service account', () => {
  test('can be created only by the operator, and does not count as a seat', async () => {
    const before = await loadSeats();
    const accountId = await createAccount('importer');
    expect(accountId).toEqual({ id: expect.any(Number), login: 'importer', service: true });
    expect(await loadSeats()).toEqual({
      ...before,
      serviceAccounts: before.serviceAccounts + 1,
    });
    for (const is_svc_agent of [true, false])
      await admin.expectError(403, 'res.users/write', { ids: [accountId.id], vals: { is_svc_agent } });
    await admin.expectError(403, 'res.users/create', { vals_list: [{ login: 'sly', is_svc_agent: true }] });
    expect(await admin.row('res.users', accountId.id, ['is_svc_agent'])).toMatchObject({
      is_svc_agent: true,
    });
  });

  test('cannot become an administrator in any way', async () => {
    const { id } = await createAccount('no-boss');
    const system = await findGroupId('base.group_system');
    const ownId = await admin.create('res.groups', { name: 'Importers' });
    await admin.value('res.users/write', { ids: [id], vals: { group_ids: [[4, ownId]] } });
    const ways: [string, object][] = [
      ['res.users/write', { ids: [id], vals: { group_ids: [[4, system]] } }],
      ['res.users/write', { ids: [id], vals: { role: 'group_system' } }],
      ['res.groups/write', { ids: [system], vals: { user_ids: [[4, id]] } }],
      ['res.groups/write', { ids: [ownId], vals: { implied_ids: [[4, system]] } }],
    ];
    for (const [path, body] of ways)
      expect((await admin.expectRejection(path, body)).message, path).toMatch(/cannot be an administrator/);
    const boss = await runCli(app.env, 'user', 'create', 'boss', ...OF, '--service', '--admin');
    expect([boss.code, boss.stderr]).toEqual([1, expect.stringMatching(/cannot be an administrator/)]);
    const result = await runCli(app.env, 'user', 'service', 'admin', ...OF);
    expect([result.code, result.stderr]).toEqual([1, expect.stringMatching(/cannot be an administrator/)]);
    expect(await admin.row('res.users', id, ['role'])).toMatchObject({ role: 'group_user' });
  });

  test('has no password, and loses access and sessions when its key is revoked', async () => {
    const { id } = await createAccount('courier');
    for (const name of ['password', 'new_password'])
      expect(
        (await admin.expectRejection('res.users/write', { ids: [id], vals: { [name]: 'a password' } }))
          .message,
      ).toMatch(/has no password/);
    const first = await createKey(id);
    const second = await createKey(id);
    const cookie = await signInWeb(app, { login: 'courier', password: first.key });
    const isSignedIn = async () =>
      (await postGraphql(app, '{ viewer { login } }', { headers: { cookie, origin: app.url } })).data
        ?.viewer != null;
    expect([await requestStatus(first.key), await requestStatus(second.key), await isSignedIn()]).toEqual([
      200,
      200,
      true,
    ]);
    await postGraphql(app, 'mutation ($id: ID!) { keyRevoke(id: $id) { id } }', {
      key: app.main.admin.key,
      variables: { id: first.id },
    });
    expect([await requestStatus(first.key), await requestStatus(second.key), await isSignedIn()]).toEqual([
      401,
      200,
      false,
    ]);
  });

  test('cannot create a key that outlives its current key', async () => {
    const { id } = await createAccount('copycat');
    const ownKey = await createKey(id);
    const queryWithOwnKey = (document: string) => postGraphql(app, document, { key: ownKey.key });
    for (const document of [
      'mutation { keyCreate(name: "more") { id } }',
      `mutation { keyRotate(id: ${ownKey.id}) { id } }`,
    ])
      expect((await queryWithOwnKey(document)).errors[0], document).toMatchObject({
        message: expect.stringMatching(/service account cannot create keys/),
        extensions: { code: 'FORBIDDEN' },
      });
    const generate = { key: ownKey.key, scope: 'rpc', name: 'more' };
    await createJsonClient(app, ownKey.key).expectError(403, 'res.users.apikeys/generate', generate);
    expect(await requestStatus(ownKey.key)).toBe(200);
    const rotated = await runAtrium<{ key: string }>('key', 'rotate', ownKey.id, ...OF);
    expect(await requestStatus(rotated.key)).toBe(200);
  });

  test('loses its password, sessions and agents on conversion from a user', async () => {
    const { id } = await runAtrium<{ id: number }>(
      'user',
      'create',
      'ann',
      ...OF,
      '--password',
      'the word of ann',
    );
    const cookie = await signInWeb(app, { login: 'ann', password: 'the word of ann' });
    await app.runtime.db.rows(
      sql`insert into svc_connected_agent (workspace_id, id, user_id, grant_hash, client_id, client_name,
         redirect_host, expires_at)
       values (${app.main.ctx.workspace.id}, 999, ${id}, 'hash', 'client', 'Program', 'localhost', '2099-01-01')`,
    );
    const before = await loadSeats();
    await runAtrium('user', 'service', 'ann', ...OF);
    expect(await admin.row('svc.connected.agent', 999, ['revoked_at'])).toMatchObject({
      revoked_at: expect.any(String),
    });
    expect(await loadSeats()).toMatchObject({ used: before.used - 1 });
    const { value } = await createRpcClients(app).common(
      'authenticate',
      'main',
      'ann',
      'the word of ann',
      {},
    );
    expect(value).toBe(false);
    const viewer = await postGraphql(app, '{ viewer { login } }', { headers: { cookie, origin: app.url } });
    expect(viewer.data?.viewer ?? null).toBeNull();
    await runAtrium('user', 'service', 'ann', ...OF, '--off');
    expect(await loadSeats()).toMatchObject({ used: before.used });
    expect(await admin.row('res.users', id, ['is_svc_agent'])).toMatchObject({ is_svc_agent: false });
  });
});

describe('seats', () => {
  test('limit only the number of active internal users', async () => {
    const { used } = await loadSeats();
    const smallResult = await runCli(app.env, 'workspace', 'seats', 'main', String(used - 1));
    expect(smallResult.code).toBe(1);
    expect(await runAtrium('workspace', 'seats', 'main', String(used + 1))).toMatchObject({
      seats: used + 1,
      used,
    });
    const last = await admin.create('res.users', { login: 'last', name: 'Last' });
    const over = { vals_list: [{ login: 'over', name: 'Over' }] };
    expect((await admin.expectRejection('res.users/create', over)).message).toMatch(/seats/);
    const graph = await postGraphql(app, 'mutation { userCreate(login: "over") { id } }', {
      key: app.main.admin.key,
    });
    expect(graph.errors[0]!.message).toMatch(/seats/);
    await createAccount('unseated');
    const portal = await findGroupId('base.group_portal');
    const guest = await admin.create('res.users', { login: 'guest', group_ids: [[6, 0, [portal]]] });
    const internal = await findGroupId('base.group_user');
    expect(
      (
        await admin.expectRejection('res.users/write', {
          ids: [guest],
          vals: { group_ids: [[6, 0, [internal]]] },
        })
      ).message,
    ).toMatch(/seats/);
    await admin.value('res.users/write', { ids: [last], vals: { active: false } });
    await admin.create('res.users', { login: 'over', name: 'Over' });
    expect(
      (await admin.expectRejection('res.users/write', { ids: [last], vals: { active: true } })).message,
    ).toMatch(/seats/);
    expect(await runAtrium('workspace', 'seats', 'main', 'none')).toMatchObject({ seats: null });
    await admin.value('res.users/write', { ids: [last], vals: { active: true } });
  });

  test('allow only one of two concurrent requests if one seat is left', async () => {
    const { used } = await loadSeats();
    await runAtrium('workspace', 'seats', 'main', String(used + 1));
    const responses = await Promise.all(
      ['left', 'right'].map((login) =>
        json2(app, 'res.users/create', { vals_list: [{ login }] }, app.main.admin.key),
      ),
    );
    expect(responses.map((answer) => answer.status).sort()).toEqual([200, 422]);
    await runAtrium('workspace', 'seats', 'main', 'none');
  });

  test('are visible only to administrators', async () => {
    const { errors } = await postGraphql(app, '{ workspaceSeats { used } }', { key: app.main.user.key });
    expect(errors[0]!.extensions.code).toBe('FORBIDDEN');
  });
});

describe('the last administrator', () => {
  test('cannot leave the group, even if two administrators remove each other', async () => {
    const emptyTenant = await app.tenant('lonely');
    const ownClient = createJsonClient(app, emptyTenant.admin.key);
    const [system] = await ownClient.value('res.groups/search', {
      domain: [['external_id', '=', 'base.group_system']],
    });
    const leave = (ids: number[]) => ({ ids, vals: { group_ids: [[3, system]] } });
    expect(
      (await ownClient.expectRejection('res.users/write', leave([emptyTenant.admin.id]))).message,
    ).toMatch(/at least one active administrator/);
    const otherId = await ownClient.create('res.users', { login: 'second', role: 'group_system' });
    const { key } = (
      await postGraphql(app, 'mutation ($id: ID) { keyCreate(name: "k", userId: $id) { key } }', {
        key: emptyTenant.admin.key,
        variables: { id: String(otherId) },
      })
    ).data.keyCreate;
    const both = await Promise.all([
      json2(app, 'res.users/write', { ids: [otherId], vals: { active: false } }, emptyTenant.admin.key),
      json2(app, 'res.users/unlink', { ids: [emptyTenant.admin.id] }, key),
    ]);
    expect(both.filter((answer) => answer.status === 200)).toHaveLength(1);
  });
});

describe('key rotation', () => {
  const ROTATE = 'mutation ($id: ID!, $hours: Int) { keyRotate(id: $id, overlapHours: $hours) { id key } }';
  const rotate = async (key: string, id: string, hours?: number) =>
    postGraphql(app, ROTATE, { key, variables: { id, hours } });

  test('creates a key with the same owner and rights, and keeps the old key valid for some hours', async () => {
    const old = await createKey(app.main.user.id);
    const { keyRotate: rotated } = (await rotate(app.main.user.key, old.id, 2)).data;
    expect([await requestStatus(old.key), await requestStatus(rotated.key)]).toEqual([200, 200]);
    const [before, after] = await admin.value('svc.api.key/read', {
      ids: [Number(old.id), Number(rotated.id)],
      fields: ['name', 'user_id', 'expires_at'],
    });
    expect(after).toEqual({ ...before, id: Number(rotated.id), expires_at: false });
    const remainingMs = Date.parse(`${before.expires_at.replace(' ', 'T')}Z`) - Date.now();
    expect(remainingMs).toBeLessThanOrEqual(2 * 3_600_000);
    expect((await rotate(app.main.user.key, rotated.id, 0)).errors).toEqual([]);
    expect(await requestStatus(rotated.key)).toBe(401);
  });

  test('keeps the expiry of the old key unless the owner provides the password', async () => {
    const DAY = 86_400_000;
    const narrow = await postGraphql(
      app,
      'mutation { keyCreate(name: "short", permission: READ, expiresInDays: 30) { id key } }',
      { key: app.main.user.key },
    );
    const { id } = narrow.data.keyCreate;
    await app.runtime.db.rows(
      sql`update svc_api_key set create_date = create_date - interval '29 days', expires_at = expires_at - interval '29 days'
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${Number(id)}`,
    );
    const readDaysLeft = async (keyId: string) => {
      const { expires_at } = await admin.row('svc.api.key', Number(keyId), ['expires_at']);
      return Math.round((Date.parse(`${expires_at.replace(' ', 'T')}Z`) - Date.now()) / DAY);
    };
    const secondRotation = (await rotate(app.main.user.key, id)).data.keyRotate;
    expect(await readDaysLeft(secondRotation.id)).toBe(1);
    expect((await rotate(app.main.admin.key, secondRotation.id)).errors).toEqual([]);
    const WITH = 'mutation ($id: ID!, $password: String) { keyRotate(id: $id, password: $password) { id } }';
    const runWithPassword = (password: string) =>
      postGraphql(app, WITH, { key: app.main.user.key, variables: { id, password } });
    expect((await runWithPassword('wrong')).errors[0]!.message).toContain('Incorrect password');
    expect(await readDaysLeft((await runWithPassword(app.main.user.password)).data.keyRotate.id)).toBe(30);
    const events = await app.runtime.db.value<string>(
      sql`select string_agg(to_jsonb(e)::text, '') from svc_audit_event e
       where workspace_id = ${app.main.ctx.workspace.id} and e::text like '%key.rotate%'`,
    );
    expect(events).toContain('key.rotate');
    expect(events).not.toContain(app.main.user.password);
  });

  test('is limited to the owner and administrators, and never extends the rights', async () => {
    const old = await createKey(app.main.admin.id);
    const otherTenant = await app.tenant('keyless');
    for (const key of [app.main.user.key, otherTenant.admin.key])
      expect((await rotate(key, old.id)).errors[0]!.extensions.code).toBe('NOT_FOUND');
    expect((await rotate(app.main.readOnlyKey, old.id)).errors[0]!.extensions.code).toBe('FORBIDDEN');
    expect((await rotate(app.main.admin.key, old.id, -1)).errors[0]!.extensions.code).toBe('BAD_VALUE');
    expect(await requestStatus(old.key)).toBe(200);
    const rotated = await runAtrium<{ key: string }>('key', 'rotate', old.id, ...OF, '--overlap', '0');
    expect([await requestStatus(old.key), await requestStatus(rotated.key)]).toEqual([401, 200]);
  });
});

test('lets portal users use a key created for them, but not create keys', async () => {
  const portal = await findGroupId('base.group_portal');
  const password = 'the password of a customer';
  const values = { login: 'customer', name: 'Customer', password, group_ids: [[6, 0, [portal]]] };
  const { key, id } = await createKey(await admin.create('res.users', values));
  expect(await requestStatus(key)).toBe(200);
  const mutateError = async (query: string) =>
    (await postGraphql(app, `mutation { ${query} }`, { key })).errors[0]?.message;
  for (const query of [
    `userKeyCreate(name: "own", password: "${password}") { id }`,
    'keyCreate(name: "own") { id }',
    `userKeyGenerate(name: "own", key: "${key}")`,
    `keyRotate(id: "${id}") { id }`,
  ])
    expect(await mutateError(query), query).toContain('Only internal users can create keys');
});
