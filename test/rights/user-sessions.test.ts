import { afterAll, beforeAll, expect, test } from 'vitest';
import { type App, startApp } from '../harness/app.ts';
import { ask } from '../harness/doors/graphql.ts';
import { signedIn } from '../harness/doors/web.ts';

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

const LIST = 'query ($userId: ID) { userSessions(userId: $userId) { id userId signedInAt expiresAt } }';
const END = 'mutation ($id: String!) { userSessionRevoke(id: $id) }';
const list = (key: string, userId?: number) =>
  ask(app, LIST, { key, variables: { userId: userId === undefined ? null : String(userId) } });
const end = (key: string, id: string) => ask(app, END, { key, variables: { id } });
const isSignedIn = async (cookie: string) =>
  (await ask(app, '{ viewer { login } }', { headers: { cookie, origin: app.url } })).data?.viewer != null;

test('a user sees where it is signed in, and ends a session', async () => {
  const { user, admin } = app.main;
  const cookie = await signedIn(app, user);
  expect(await isSignedIn(cookie)).toBe(true);
  const [session] = (await list(user.key)).data.userSessions;
  expect(session).toMatchObject({ userId: String(user.id) });
  expect(cookie).not.toContain(session.id);
  expect((await list(user.key, admin.id)).errors[0]!.extensions.code).toBe('FORBIDDEN');
  expect((await list(admin.key, user.id)).data.userSessions).toEqual([session]);
  expect((await end(user.key, session.id)).data.userSessionRevoke).toBe(true);
  expect(await isSignedIn(cookie)).toBe(false);
  expect((await end(user.key, session.id)).errors[0]!.extensions.code).toBe('NOT_FOUND');
});

test('sessions of others are ended by administrators of the workspace alone', async () => {
  const { user, admin } = app.main;
  const cookie = await signedIn(app, admin);
  const [session] = (await list(admin.key)).data.userSessions;
  const other = await app.tenant('strangers');
  for (const key of [user.key, other.admin.key])
    expect((await end(key, session.id)).errors[0]!.extensions.code).toBe('NOT_FOUND');
  expect((await list(other.admin.key, admin.id)).data.userSessions).toEqual([]);
  expect(await isSignedIn(cookie)).toBe(true);
  const theirs = await signedIn(app, user);
  const [of] = (await list(admin.key, user.id)).data.userSessions;
  await end(admin.key, of.id);
  expect(await isSignedIn(theirs)).toBe(false);
});
