import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { sendRequest } from '../harness/facades/graphql.ts';
import { signInWeb } from '../harness/facades/web.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let acme: Tenant;
let cookie: string;
beforeAll(async () => {
  acme = await app.tenant('acme');
  cookie = await signInWeb(app);
});

const NAVIGATION = {
  'sec-fetch-dest': 'document',
  'sec-fetch-mode': 'navigate',
  'sec-fetch-site': 'same-origin',
  'sec-fetch-user': '?1',
};

async function count(headers: Record<string, string>) {
  const type = { 'content-type': 'application/json' };
  const response = await sendRequest(
    app,
    'POST',
    '/json/2/res.partner/search_count',
    { ...type, ...headers },
    '{"domain": []}',
  );
  return { status: response.status, body: JSON.parse(response.text) };
}

const buildBearer = (key: string) => ({ authorization: `Bearer ${key}` });

describe('a session without a key', () => {
  test.each(['same-origin', 'none'])('is accepted for a browser navigation (%s)', async (site) => {
    expect(await count({ cookie, ...NAVIGATION, 'sec-fetch-site': site })).toEqual({
      status: 200,
      body: expect.any(Number),
    });
  });

  test.each<[string, object]>([
    ['no header', Object.fromEntries(Object.keys(NAVIGATION).map((name) => [name, '']))],
    ['a script', { 'sec-fetch-dest': 'empty', 'sec-fetch-mode': 'cors' }],
    ['no user activation', { 'sec-fetch-user': '' }],
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['a same-site request', { 'sec-fetch-site': 'same-site' }],
    ['a foreign origin', { origin: 'https://evil.example' }],
  ])('is rejected with %s', async (_what, change) => {
    const { status, body } = await count({ cookie, ...NAVIGATION, ...change });
    expect([status, body.name]).toEqual([401, 'werkzeug.exceptions.Unauthorized']);
    expect(body.message).toMatch(/^Missing "Authorization" or Sec-headers/);
    expect(body.arguments).toEqual([body.message, 401]);
  });

  test('is rejected after it has ended', async () => {
    const { status, body } = await count({ cookie: `session_id=${'x'.repeat(43)}`, ...NAVIGATION });
    expect([status, body.message]).toEqual([401, expect.stringMatching(/^User not authenticated/)]);
  });
});

describe('a session together with a key', () => {
  test('is accepted if both belong to the same user, or if the session is unknown', async () => {
    expect((await count({ cookie, ...buildBearer(app.main.admin.key) })).status).toBe(200);
    const expiredHeaders = { cookie: `session_id=${'x'.repeat(43)}` };
    expect((await count({ ...expiredHeaders, ...buildBearer(app.main.user.key) })).status).toBe(200);
  });

  test('is rejected for another user or another workspace', async () => {
    for (const key of [app.main.user.key, acme.admin.key]) {
      const { status, body } = await count({ cookie, ...buildBearer(key) });
      expect([status, body.name]).toEqual([403, 'odoo.exceptions.AccessDenied']);
    }
  });

  test('is rejected if the database header names another database', async () => {
    const other = { 'x-odoo-database': 'acme' };
    for (const headers of [buildBearer(app.main.admin.key), NAVIGATION]) {
      const { status, body } = await count({ cookie, ...headers, ...other });
      expect([status, body.name]).toEqual([403, 'werkzeug.exceptions.Forbidden']);
    }
    const sessionHeaders = { cookie, ...buildBearer(app.main.admin.key), 'x-odoo-database': 'main' };
    expect((await count(sessionHeaders)).status).toBe(200);
  });
});
