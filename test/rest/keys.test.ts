import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../schema/base/keys.ts';
import { envelope, mail, startTeam, type Team } from './team.ts';

let team: Team;
beforeAll(async () => {
  team = await startTeam();
});
afterAll(() => team.close());

const teamKey = (scopes: string[] = [], days: number | null = null) =>
  createKey(team.main.ctx, { name: 'k', userId: null, scopes, days });
const sendWith = (key: string | null, body: unknown = mail()) =>
  team.ask('POST', '/api/v1/emails', { key, body });

test('a key of a team begins with us_ and is sent as a bearer token', async () => {
  const { key } = await teamKey();
  expect(key).toMatch(/^us_/);
  expect((await sendWith(key)).status).toBe(200);
});

test.each([
  ['POST', '/api/v1/emails'],
  ['POST', '/api/v1/emails/batch'],
  ['GET', '/api/v1/emails'],
  ['GET', '/api/v1/emails/x'],
  ['GET', '/api/v1/domains'],
  ['GET', '/api/v1/nothing'],
])(
  '%s %s without a key, with a wrong one or without the word Bearer is 401 UNAUTHORIZED',
  async (method, path) => {
    const wrong = `us_0123456789_${'0'.repeat(32)}`;
    for (const ask of [
      { key: null },
      { key: 'us_short' },
      { key: wrong },
      { key: null, headers: { authorization: team.main.teamKey } },
    ]) {
      const { status, json, headers } = await team.ask(method, path, ask);
      expect(status).toBe(401);
      expect(json).toEqual(envelope('UNAUTHORIZED'));
      expect(headers.get('www-authenticate')).toBe('Bearer');
    }
  },
);

test('the key is checked before the body is read', async () => {
  expect((await sendWith(null, '{"to":')).status).toBe(401);
  expect((await sendWith(team.main.user.key, mail({ from: 3 }))).status).toBe(400);
});

test('a key that may only read is 403 FORBIDDEN for a send, writes nothing, and may list', async () => {
  const { key } = await teamKey(['read']);
  const before = await team.written();
  const { status, json } = await sendWith(key);
  expect(status).toBe(403);
  expect(json).toEqual(envelope('FORBIDDEN'));
  expect((await team.ask('POST', '/api/v1/emails/batch', { key, body: [mail()] })).status).toBe(403);
  expect(await team.written()).toBe(before);
  expect((await team.ask('GET', '/api/v1/emails', { key })).status).toBe(200);
});

test('a valid key of a person who is no administrator is 403 FORBIDDEN', async () => {
  for (const [method, path, body] of [
    ['POST', '/api/v1/emails', mail()],
    ['GET', '/api/v1/emails', undefined],
    ['GET', '/api/v1/domains', undefined],
  ] as const) {
    const { status, json } = await team.ask(method, path, { key: team.main.user.key, body });
    expect(status).toBe(403);
    expect(json).toEqual(envelope('FORBIDDEN'));
  }
});

test('a revoked key is 401 at once, though it was in use', async () => {
  const { key, id } = await teamKey();
  expect((await sendWith(key)).status).toBe(200);
  await revokeKey(team.main.ctx, id, null);
  expect((await sendWith(key)).json).toEqual(envelope('UNAUTHORIZED'));
});

test('an expired key is 401 at the moment it expires, though it was in use', async () => {
  const { key, id } = await teamKey([], 1);
  await team.main.ctx.db.rows(
    `update svc_api_key set expires_at = now() + interval '1 second' where workspace_id = $1 and id = $2`,
    [team.main.ctx.workspace.id, id],
  );
  expect((await sendWith(key)).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1100));
  expect((await sendWith(key)).json).toEqual(envelope('UNAUTHORIZED'));
});

test("a team's key cannot send from another team's domain", async () => {
  await team.tenant('neighbour');
  const before = await team.written();
  expect((await sendWith(team.main.teamKey, mail({ from: 'x@neighbour.test' }))).json).toEqual(
    envelope('BAD_REQUEST'),
  );
  expect(await team.written()).toBe(before);
});

test('a team whose email feature is off is 403 FORBIDDEN', async () => {
  const off = await team.tenant('off');
  await off.ctx.db.rows(`update workspace set features = '{}' where id = $1`, [off.ctx.workspace.id]);
  team.runtime.identity.forget();
  const { status, json } = await sendWith(off.teamKey, mail({ from: 'x@off.test' }));
  expect(status).toBe(403);
  expect(json).toEqual(envelope('FORBIDDEN'));
});

test.each(['templates', 'suppressions', 'webhooks', 'api-keys', 'apiKeys', 'keys'])(
  'there is no route for %s',
  async (name) => {
    for (const method of ['GET', 'POST']) {
      const { status, json } = await team.ask(
        method,
        `/api/v1/${name}`,
        method === 'POST' ? { body: {} } : {},
      );
      expect(status).toBe(404);
      expect(json).toEqual(envelope('NOT_FOUND'));
    }
  },
);
