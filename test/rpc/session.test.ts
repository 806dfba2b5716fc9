import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { setUpApp, startApp } from '../harness/app.ts';
import { sendRequest } from '../harness/facades/graphql.ts';
import { clearFailures } from '../harness/facades/rpc.ts';
import { parseJson, postWeb, signInWeb } from '../harness/facades/web.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let acme: Tenant;
beforeAll(async () => {
  acme = await app.tenant('acme');
});
beforeEach(() => clearFailures(app));

const authenticate = (params: object, headers = {}) =>
  postWeb(app, '/web/session/authenticate', params, headers);
const getCredentials = () => ({ db: 'main', login: 'admin', password: app.main.admin.password });
const requestInfo = (cookie: string, headers = {}) =>
  postWeb(app, '/web/session/get_session_info', {}, { cookie, ...headers });

const EXPIRED = {
  jsonrpc: '2.0',
  id: 7,
  error: {
    code: 100,
    message: 'Odoo Session Expired',
    data: {
      name: 'odoo.http.SessionExpiredException',
      message: 'Session expired',
      arguments: ['Session expired'],
      context: {},
      debug: '',
    },
  },
};

describe('authenticate', () => {
  test('opens a session with the cookies that clients expect, and returns its information', async () => {
    const response = await authenticate(getCredentials());
    expect(response.status).toBe(200);
    const cookies = response.headers['set-cookie'] as string[];
    const buildCookiePattern = (name: string) =>
      new RegExp(`^${name}=[\\w-]{43}; Path=/; HttpOnly; SameSite=Lax; Max-Age=1209600$`);
    expect(cookies.map((cookie) => cookie.split('=')[0])).toEqual(['atrium_session', 'session_id']);
    expect(cookies[0]).toMatch(buildCookiePattern('atrium_session'));
    expect(cookies[1]).toMatch(buildCookiePattern('session_id'));
    for (const cookie of cookies) {
      const [pair] = cookie.split(';');
      expect(parseJson(await requestInfo(pair!)).result).toEqual(parseJson(response).result);
    }
  });

  test('returns the same properties as Odoo', async () => {
    const { result } = parseJson(await authenticate(getCredentials()));
    const { id } = app.main.admin;
    expect(result).toMatchObject({
      uid: id,
      is_system: true,
      is_admin: true,
      is_public: false,
      is_internal_user: true,
      user_context: { lang: 'en_US', tz: 'UTC', uid: id },
      db: 'main',
      user_settings: { id: expect.any(Number), user_id: { id } },
      server_version: '19.0',
      server_version_info: [19, 0, 0, 'final', 0, ''],
      name: 'admin',
      username: 'admin',
      partner_id: expect.any(Number),
      partner_display_name: 'admin',
      partner_write_date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
      'web.base.url': app.url,
      active_ids_limit: expect.any(Number),
      max_file_upload_size: expect.any(Number),
      home_action_id: false,
      bundle_params: { lang: 'en_US' },
      currencies: expect.any(Object),
      groups: { 'base.group_allow_export': expect.any(Boolean) },
      show_effect: true,
    });
    expect(result.registry_hash).toMatch(/^[0-9a-f]{64}$/);
    expect(result.view_info.form).toEqual({
      display_name: 'Form',
      icon: 'fa fa-address-card',
      multi_record: false,
    });
    const { current_company: current, allowed_companies: allowed } = result.user_companies;
    expect(allowed[current]).toEqual({
      id: current,
      name: expect.any(String),
      sequence: expect.any(Number),
      child_ids: [],
      parent_id: false,
      currency_id: expect.anything(),
    });
    expect(result.user_companies.disallowed_ancestor_companies).toEqual({});
  });

  test('reports a regular user as neither system nor administrator', async () => {
    const { login, password, id } = app.main.user;
    const { result } = parseJson(await authenticate({ db: 'main', login, password }));
    expect(result).toMatchObject({ uid: id, is_system: false, is_admin: false, is_internal_user: true });
  });

  test("accepts a key as the password if it has all of its user's rights", async () => {
    const { id, key } = app.main.admin;
    expect(parseJson(await authenticate({ ...getCredentials(), password: key })).result.uid).toBe(id);
    const narrow = await authenticate({ ...getCredentials(), password: app.main.readOnlyKey });
    expect(parseJson(narrow).error.data.name).toBe('odoo.exceptions.AccessDenied');
    expect(narrow.headers['set-cookie']).toBeUndefined();
  });

  test.each<[string, object, number, string, RegExp]>([
    ['a wrong password', { password: 'wrong' }, 0, 'odoo.exceptions.AccessDenied', /^Access Denied$/],
    ['an unknown login', { login: 'nobody' }, 0, 'odoo.exceptions.AccessDenied', /^Access Denied$/],
    ['an unknown database', { db: 'nosuchdb' }, 0, 'odoo.exceptions.AccessDenied', /^Access Denied$/],
    ['no database', { db: false }, 0, 'odoo.exceptions.AccessError', /^Database not found/],
    ['a database that is not a string', { db: 5 }, 0, 'builtins.TypeError', /'db' must be a string/],
    ['a login that is not a string', { login: [] }, 0, 'builtins.TypeError', /'login' must be a string/],
    ['no password', { password: undefined }, 0, 'builtins.TypeError', /missing .*'password'/],
  ])('rejects %s', async (_what, change, code, name, message) => {
    const response = await authenticate({ ...getCredentials(), ...change });
    const { error, result } = parseJson(response);
    expect([response.status, result, response.headers['set-cookie']]).toEqual([200, undefined, undefined]);
    expect(error).toMatchObject({ code, message: 'Odoo Server Error', data: { name, debug: '' } });
    expect(error.data.message).toMatch(message);
  });

  test('counts wrong passwords together with other facades, and delays further sign-ins', async () => {
    const guardedApp = await startApp();
    try {
      const logIn = (password: string) =>
        postWeb(guardedApp, '/web/session/authenticate', { db: 'main', login: 'admin', password });
      for (let i = 0; i < 5; i++)
        expect(parseJson(await logIn('wrong')).error.data.message).toBe('Access Denied');
      const { error } = parseJson(await logIn(guardedApp.main.admin.password));
      expect([error.code, error.data.name]).toEqual([0, 'odoo.exceptions.AccessDenied']);
      expect(error.data.message).toMatch(/Too many login failures/);
    } finally {
      await guardedApp.close();
    }
  });

  test('rejects a sign-in from a page of another site, and bodies that are not JSON', async () => {
    const foreignResponse = await authenticate(getCredentials(), { origin: 'https://evil.example' });
    expect([foreignResponse.status, foreignResponse.headers['set-cookie']]).toEqual([403, undefined]);
    expect((await authenticate(getCredentials(), { origin: app.url })).headers['set-cookie']).toHaveLength(2);
    const plainResponse = await authenticate(getCredentials(), { 'content-type': 'text/plain' });
    expect([plainResponse.status, plainResponse.headers['set-cookie']]).toEqual([415, undefined]);
  });
});

describe('web session', () => {
  test('is required by session methods', async () => {
    for (const path of ['get_session_info', 'check', 'destroy', 'modules']) {
      expect(parseJson(await postWeb(app, `/web/session/${path}`, {}))).toEqual(EXPIRED);
    }
    expect(parseJson(await requestInfo(`session_id=${'x'.repeat(43)}`))).toEqual(EXPIRED);
    expect(parseJson(await requestInfo('', { authorization: `Bearer ${app.main.admin.key}` }))).toEqual(
      EXPIRED,
    );
  });

  test('can be checked, and is invalid after it is destroyed', async () => {
    const cookie = await signInWeb(app);
    expect(parseJson(await postWeb(app, '/web/session/check', {}, { cookie }))).toEqual({
      jsonrpc: '2.0',
      id: 7,
    });
    const foreign = { cookie, origin: 'https://evil.example' };
    expect((await postWeb(app, '/web/session/destroy', {}, foreign)).status).toBe(403);
    const over = await postWeb(app, '/web/session/destroy', {}, { cookie });
    expect(parseJson(over)).toEqual({ jsonrpc: '2.0', id: 7 });
    expect(over.headers['set-cookie']).toHaveLength(2);
    for (const cookie of over.headers['set-cookie']!) expect(cookie).toMatch(/^\w+=; .*Max-Age=0/);
    expect(parseJson(await requestInfo(cookie))).toEqual(EXPIRED);
  });

  test('ends through a sign-out link on its own site, but not through a link on another site', async () => {
    const cookie = await signInWeb(app);
    const foreignResponse = await sendRequest(app, 'GET', '/web/session/logout', {
      cookie,
      'sec-fetch-site': 'cross-site',
    });
    expect(foreignResponse.status).toBe(403);
    expect(parseJson(await requestInfo(cookie)).result.uid).toBe(app.main.admin.id);
    const { status, headers } = await sendRequest(app, 'GET', '/web/session/logout', { cookie });
    expect([status, headers.location]).toEqual([303, '/']);
    expect(parseJson(await requestInfo(cookie))).toEqual(EXPIRED);
  });

  test('is valid in only one workspace', async () => {
    const cookie = await signInWeb(app, acme.admin, 'acme');
    expect(parseJson(await requestInfo(cookie)).result).toMatchObject({ db: 'acme', uid: acme.admin.id });
    expect(parseJson(await requestInfo(cookie, { 'x-odoo-database': 'acme' })).result.db).toBe('acme');
    expect(parseJson(await requestInfo(cookie, { 'x-odoo-database': 'main' }))).toEqual(EXPIRED);
  });

  test('lists the languages and modules', async () => {
    const cookie = await signInWeb(app);
    const list = (headers = {}) => postWeb(app, '/web/session/get_lang_list', {}, headers);
    expect(parseJson(await list()).result).toEqual([['en_US', 'English (US)']]);
    expect(parseJson(await list({ cookie })).result).toContainEqual(['en_US', 'English (US)']);
    expect(parseJson(await postWeb(app, '/web/session/modules', {}, { cookie })).result).toContain('base');
  });
});

describe('call without a database name', () => {
  const none = { db: '', login: 'admin' };

  test('uses the workspace of the header or key', async () => {
    const { id, key, password } = acme.admin;
    const byHeader = await authenticate({ ...none, password }, { 'x-odoo-database': 'acme' });
    expect(parseJson(byHeader).result).toMatchObject({ db: 'acme', uid: id });
    expect(parseJson(await authenticate({ ...none, password: key })).result).toMatchObject({ db: 'acme' });
    const login = { service: 'common', method: 'login', args: [false, 'admin', key] };
    expect(parseJson(await postWeb(app, '/jsonrpc', login)).result).toBe(id);
    const args = ['', id, key, 'res.partner', 'search_count', [[]]];
    const call = { service: 'object', method: 'execute_kw', args };
    expect(parseJson(await postWeb(app, '/jsonrpc', call)).result).toEqual(expect.any(Number));
  });

  test('is rejected if the header names another workspace', async () => {
    const { id, key } = acme.admin;
    const args = ['acme', id, key, 'res.partner', 'search_count', [[]]];
    const call = { service: 'object', method: 'execute_kw', args };
    const readAt = (slug: string) => postWeb(app, '/jsonrpc', call, { 'x-odoo-database': slug });
    expect(parseJson(await readAt('acme')).result).toEqual(expect.any(Number));
    expect(parseJson(await readAt('main')).error.data.message).toMatch(/does not exist/);
  });

  test('uses the workspace of the URL', async () => {
    const hostedApp = await startApp({ PUBLIC_URL: 'http://localhost' });
    try {
      const { password } = hostedApp.main.admin;
      const readAt = (host: string) =>
        postWeb(hostedApp, '/web/session/authenticate', { ...none, password }, { host });
      expect(parseJson(await readAt('main.localhost')).result.db).toBe('main');
      expect(parseJson(await readAt('nobody.localhost')).error.data.message).toMatch(/^Database not found/);
    } finally {
      await hostedApp.close();
    }
  });
});

test('reports its health to any client', async () => {
  const { status, text, headers } = await sendRequest(app, 'GET', '/web/health');
  expect([status, JSON.parse(text), headers['cache-control']]).toEqual([200, { status: 'pass' }, 'no-store']);
});

test('redirects common paths to the corresponding pages', async () => {
  for (const [from, to] of [
    ['/web', '/'],
    ['/web/login', '/login'],
  ]) {
    for (const method of ['HEAD', 'GET']) {
      const { status, headers } = await sendRequest(app, method, from!);
      expect([status, headers.location]).toEqual([303, to]);
    }
  }
});
