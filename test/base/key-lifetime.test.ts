import { beforeAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { signInWeb } from '../harness/facades/web.ts';

// A key cannot create a key that outlives it, but its owner can do so with the password.

const DAY = 86_400_000;

const app = setUpApp();
/** An administrator's key with all rights that expires in ten days. */
let short: { id: string; key: string };
beforeAll(async () => {
  short = (await make('keyCreate(name: "short", expiresInDays: 10) { id key }', app.main.admin.key)).made;
});

/** Revokes keys, because users may have only a few active ones. */
const revokeKeys = () =>
  app.runtime.db.rows(
    sql`update svc_api_key set revoked_at = now() where workspace_id = ${app.main.ctx.workspace.id}
     and name in ('k', 'g', 'lasting', 'by a session') and revoked_at is null`,
  );
beforeEach(revokeKeys);

interface MutationData {
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the mutation
  made: any;
  refusal: string | undefined;
}

async function make(mutation: string, key = short.key): Promise<MutationData> {
  const { data, errors } = await postGraphql(app, `mutation { made: ${mutation} }`, { key });
  return { made: data?.made, refusal: errors[0]?.message };
}

/** Returns the remaining days of the newest key in the workspace, or null if it never expires. */
async function loadNewestDays(): Promise<number | null> {
  const days = await app.runtime.db.value<number | null>(
    sql`select (extract(epoch from expires_at - now() at time zone 'utc') / 86400)::float8 from svc_api_key
     where workspace_id = ${app.main.ctx.workspace.id} order by id desc limit 1`,
  );
  return days === null ? null : Math.round(days);
}
const count = () =>
  app.runtime.db.value<number>(
    sql`select count(*)::int from svc_api_key where workspace_id = ${app.main.ctx.workspace.id}`,
  );
const toDateIn = (days: number) =>
  new Date(Date.now() + days * DAY).toISOString().slice(0, 19).replace('T', ' ');

test("keyCreate: rejects a new key that expires later than the caller's key", async () => {
  for (const extra of ['', ', team: true', `, userId: "${app.main.user.id}"`, ', permission: READ']) {
    expect((await make(`keyCreate(name: "k"${extra}) { id }`)).refusal).toBeUndefined();
    expect(await loadNewestDays(), extra).toBe(10);
    const before = await count();
    expect((await make(`keyCreate(name: "k"${extra}, expiresInDays: 11) { id }`)).refusal, extra).toMatch(
      /^Your own key expires at 20/,
    );
    expect(await count(), extra).toBe(before);
  }
  expect((await make('keyCreate(name: "k", expiresInDays: 3) { id }')).refusal).toBeUndefined();
  expect(await loadNewestDays()).toBe(3);
});

test("userKeyGenerate: creates a key that outlives neither the given key nor the caller's key", async () => {
  const { made: lasting } = await make('keyCreate(name: "lasting") { key }', app.main.admin.key);
  const generate = (vals: object, caller: string) =>
    json2(app, 'res.users.apikeys/generate', { name: 'g', scope: 'rpc', ...vals }, caller);
  for (const [key, caller] of [
    [short.key, short.key],
    [lasting.key, short.key],
    [short.key, lasting.key],
  ] as const) {
    expect((await generate({ key }, caller)).status).toBe(200);
    expect(await loadNewestDays()).toBe(10);
    const later = await generate({ key, expiration_date: toDateIn(20) }, caller);
    expect([later.status, later.text]).toEqual([422, expect.stringContaining('Your own key expires at 20')]);
    expect((await generate({ key, expiration_date: toDateIn(5) }, caller)).status).toBe(200);
    expect(await loadNewestDays()).toBe(5);
    await app.runtime.db.rows(
      sql`update svc_api_key set revoked_at = now()
       where workspace_id = ${app.main.ctx.workspace.id} and name = 'g'`,
    );
  }
  expect((await generate({ key: lasting.key }, lasting.key)).status).toBe(200);
  expect(await loadNewestDays()).toBeNull();
});

test('keyRotate: rejects rotation of a longer-lived key by a shorter-lived one', async () => {
  const { made: lasting } = await make('keyCreate(name: "lasting") { id }', app.main.admin.key);
  const rotate = (extra = '') => make(`keyRotate(id: "${lasting.id}"${extra}) { id }`);
  expect((await rotate()).refusal).toMatch(/^Your own key expires at 20/);
  expect((await rotate(`, password: "${app.main.admin.password}"`)).refusal).toBeUndefined();
  expect(await loadNewestDays()).toBeNull();
});

test('limits the lifetime of keys created in a session to that of the key that opened it', async () => {
  const session = await signInWeb(app, { login: app.main.admin.login, password: short.key });
  const response = await fetch(`${app.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', cookie: session, origin: app.url },
    body: JSON.stringify({ query: 'mutation { keyCreate(name: "by a session") { id } }' }),
  });
  expect((await response.json()).errors).toBeUndefined();
  expect(await loadNewestDays()).toBe(10);
});

test('lets the owner create keys without expiry by confirming the password', async () => {
  const password = `password: "${app.main.admin.password}"`;
  expect((await make(`userKeyCreate(${password}, name: "k") { id }`)).refusal).toBeUndefined();
  expect(await loadNewestDays()).toBeNull();
  expect((await make(`agentKeyCreate(${password}) { id }`)).refusal).toBeUndefined();
  expect(await loadNewestDays()).toBe(365);
  const call = async (method: string, args: object) => (await json2(app, method, args, short.key)).json();
  const [id] = await call('res.users.apikeys.description/create', { vals_list: { name: 'wizard' } });
  const check = await call('res.users.apikeys.description/make_key', { ids: [id] });
  await call('res.users.identitycheck/write', {
    ids: [check.res_id],
    vals: { password: app.main.admin.password },
  });
  await call('res.users.identitycheck/run_check', { ids: [check.res_id] });
  expect(await loadNewestDays()).toBeNull();
});
