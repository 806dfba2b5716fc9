import { expect, test } from 'vitest';
import { parseUserAgent } from '../../schema/base/users/device.ts';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { until } from '../harness/wait.ts';

const app = setUpApp();

const LIST = 'query ($userId: ID) { userSessions(userId: $userId) { id userId signedInAt expiresAt } }';
const END = 'mutation ($id: String!) { userSessionRevoke(id: $id) }';
const list = (key: string, userId?: number) =>
  postGraphql(app, LIST, { key, variables: { userId: userId === undefined ? null : String(userId) } });
const endSession = (key: string, id: string) => postGraphql(app, END, { key, variables: { id } });
const isSignedIn = async (cookie: string) =>
  (await postGraphql(app, '{ viewer { login } }', { headers: { cookie, origin: app.url } })).data?.viewer !=
  null;

test('lets a user list and end their own sessions', async () => {
  const { user, admin } = app.main;
  const cookie = await signInWeb(app, user);
  expect(await isSignedIn(cookie)).toBe(true);
  const [session] = (await list(user.key)).data.userSessions;
  expect(session).toMatchObject({ userId: String(user.id) });
  expect(cookie).not.toContain(session.id);
  expect((await list(user.key, admin.id)).errors[0]!.extensions.code).toBe('FORBIDDEN');
  expect((await list(admin.key, user.id)).data.userSessions).toEqual([session]);
  expect((await endSession(user.key, session.id)).data.userSessionRevoke).toBe(true);
  expect(await isSignedIn(cookie)).toBe(false);
  expect((await endSession(user.key, session.id)).errors[0]!.extensions.code).toBe('NOT_FOUND');
});

test("lets only administrators of the workspace end other users' sessions", async () => {
  const { user, admin } = app.main;
  const cookie = await signInWeb(app, admin);
  const [session] = (await list(admin.key)).data.userSessions;
  const otherTenant = await app.tenant('strangers');
  for (const key of [user.key, otherTenant.admin.key])
    expect((await endSession(key, session.id)).errors[0]!.extensions.code).toBe('NOT_FOUND');
  expect((await list(otherTenant.admin.key, admin.id)).data.userSessions).toEqual([]);
  expect(await isSignedIn(cookie)).toBe(true);
  const otherCookie = await signInWeb(app, user);
  const [firstSession] = (await list(admin.key, user.id)).data.userSessions;
  await endSession(admin.key, firstSession.id);
  expect(await isSignedIn(otherCookie)).toBe(false);
});

test("shows a session's device, address and last use, and marks the current session", async () => {
  const { user } = app.main;
  const [currentSession, otherSession] = [await signInWeb(app, user), await signInWeb(app, user)];
  const loadSessions = async () =>
    (
      await postGraphql(app, '{ userSessions { id device userAgent address lastUsedAt isCurrent byKey } }', {
        headers: { cookie: currentSession, origin: app.url },
      })
    ).data.userSessions as { id: string; lastUsedAt: string | null; isCurrent: boolean }[];
  await until(
    async () => (await loadSessions()).find(({ isCurrent }) => isCurrent)?.lastUsedAt,
    'the session to be used',
  );
  const sessions = await loadSessions();
  expect(sessions.filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
  expect(sessions.find(({ isCurrent }) => isCurrent)).toMatchObject({ address: '127.0.0.1', byKey: false });
  expect(await isSignedIn(otherSession)).toBe(true);
});

test('ends all sessions except the current one after the password is checked', async () => {
  const { user, admin } = app.main;
  const ENDS =
    'mutation ($password: String!, $userId: ID) { userSessionsRevoke(password: $password, userId: $userId) }';
  const [currentSession, otherSession, byKey] = [
    await signInWeb(app, user),
    await signInWeb(app, user),
    await signInWeb(app, { login: user.login, password: user.key }),
  ];
  const endSessions = (password: string, userId?: number) =>
    postGraphql(app, ENDS, {
      headers: { cookie: currentSession, origin: app.url },
      variables: { password, userId },
    });
  expect((await endSessions('a guess')).errors[0]!.message).toMatch(/Incorrect password/);
  expect((await endSessions(user.password, admin.id)).errors[0]!.extensions.code).toBe('FORBIDDEN');
  expect(await isSignedIn(otherSession)).toBe(true);
  expect((await endSessions(user.password)).data.userSessionsRevoke).toBeGreaterThanOrEqual(2);
  expect(await Promise.all([currentSession, otherSession, byKey].map(isSignedIn))).toEqual([
    true,
    false,
    false,
  ]);
  const all = await postGraphql(app, ENDS, {
    key: admin.key,
    variables: { password: admin.password, userId: String(user.id) },
  });
  expect(all.data.userSessionsRevoke).toBe(1);
  expect(await isSignedIn(currentSession)).toBe(false);
  const lines = (
    await postGraphql(app, '{ auditEvents(first: 20) { nodes { event success summary } } }', {
      key: admin.key,
    })
  ).data.auditEvents.nodes.filter(({ event }: { event: string }) => event === 'session.revoke.all');
  expect(lines.map(({ success }: { success: boolean }) => success)).toEqual([true, true, false, false]);
  expect(JSON.stringify(lines)).not.toContain(user.password);
});

test.each([
  ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox on Linux'],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605 Version/18 Safari/605',
    'Safari on macOS',
  ],
  ['Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537 Chrome/140 Safari/537 Edg/140', 'Edge on Windows'],
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) CriOS/140 Safari/604', 'Chrome on iPhone'],
  ['my-client/2 (x)', 'my-client'],
  [' ', null],
  [null, null],
])('shows the user agent %s as %s', (userAgent, device) => {
  expect(parseUserAgent(userAgent)).toBe(device);
});
