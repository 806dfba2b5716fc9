import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type App, post, setUpApp, startApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { clearFailures, createRpcClients, type RpcClients } from '../harness/facades/rpc.ts';
import { postXml } from '../harness/facades/xmlrpc.ts';
import type { Tenant } from '../harness/tenant.ts';

const app = setUpApp();
let acme: Tenant;
beforeAll(async () => {
  acme = await app.tenant('acme');
});
beforeEach(() => clearFailures(app));

const xml: RpcClients['xml'] = (...args) => createRpcClients(app).xml(...args);
const common: RpcClients['common'] = (...args) => createRpcClients(app).common(...args);
const execute: RpcClients['execute'] = (...args) => createRpcClients(app).execute(...args);
const createJson: RpcClients['json'] = (...args) => createRpcClients(app).json(...args);
const jsonExecute: RpcClients['jsonExecute'] = (...args) => createRpcClients(app).jsonExecute(...args);

describe('the RPC facade', () => {
  test('ignores set_loglevel', async () => {
    expect((await common('set_loglevel', 'debug', 'odoo')).value).toBe(true);
  });

  test('responds with HTTP 200 text/xml and the request id for results and faults', async () => {
    for (const response of [await common('version'), await common('nosuch')]) {
      expect(response.status).toBe(200);
      expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8');
      expect(response.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    }
  });

  test('returns the request id sent by the caller', async () => {
    const headers = { 'x-request-id': 'my-request-1' };
    for (const path of ['/jsonrpc', '/xmlrpc/2/common']) {
      const answer = await post(`${app.url}${path}`, '{}', undefined, headers);
      expect(answer.headers.get('x-request-id')).toBe('my-request-1');
    }
  });

  test.each(['/xmlrpc/2/common', '/xmlrpc/2/object', '/xmlrpc/common', '/jsonrpc'])(
    '%s accepts only POST',
    async (path) => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const response = await fetch(`${app.url}${path}`, { method });
        expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST']);
      }
    },
  );
});

describe('RPC sign-in', () => {
  test('uses the workspace name as database, and accepts only its users', async () => {
    const { login, key, id } = acme.admin;
    expect((await common('authenticate', 'acme', login, key, {})).value).toBe(id);
    expect((await common('authenticate', 'main', login, key, {})).value).toBe(false);
    expect((await common('authenticate', 'acme', login, acme.user.key, {})).value).toBe(false);
    expect((await common('authenticate', 'acme', login, acme.teamKey, {})).value).toBe(false);
  });

  test.each<[string, unknown[], RegExp]>([
    ['a database that is not a string', [5, 'admin', 'x', {}], /'db' must be a string/],
    ['a login that is not a string', ['main', 5, 'x', {}], /'login' must be a string/],
    ['a password that is not a string', ['main', 'admin', ['x'], {}], /'password' must be a string/],
    ['too few arguments', ['main', 'admin'], /3 or 4 arguments/],
    ['too many arguments', ['main', 'admin', 'x', {}, 1], /3 or 4 arguments/],
  ])('returns a fault for %s', async (_what, params, text) => {
    const { fault } = await common('authenticate', ...params);
    expect(fault?.faultCode).toBe(1);
    expect(fault?.faultString).toMatch(text);
  });

  test('treats an unknown database like a wrong password', async () => {
    for (const database of ['acme', 'nope']) {
      expect((await common('authenticate', database, 'admin', 'x', {})).value).toBe(false);
      const response = await createJson('object', 'execute_kw', [
        database,
        2,
        'x',
        'res.partner',
        'read',
        [[]],
      ]);
      expect(response.error.data.name).toBe('odoo.exceptions.AccessDenied');
    }
  });

  test('rejects an empty login or password', async () => {
    expect((await common('authenticate', 'main', '', 'x', {})).value).toBe(false);
    expect((await common('authenticate', 'main', 'admin', false, {})).value).toBe(false);
  });

  test.each<[string, () => unknown[]]>([
    ['a wrong secret', () => ['main', app.main.admin.id, 'wrong']],
    ['an empty secret', () => ['main', app.main.admin.id, '']],
    ['no secret', () => ['main', app.main.admin.id, false]],
    ["another user's id", () => ['main', app.main.user.id, app.main.admin.key]],
    ['a key of another workspace', () => ['main', acme.admin.id, acme.admin.key]],
    ['a team key', () => ['main', app.main.admin.id, app.main.teamKey]],
    ['a missing user id', () => ['main', 'admin', app.main.admin.key]],
    ['true as a user id', () => ['main', true, app.main.admin.key]],
    ['a user id out of range', () => ['main', 99999999999, app.main.admin.key]],
  ])('rejects a call with %s', async (_what, credentials) => {
    const { fault } = await xml('/xmlrpc/2/object', 'execute_kw', ...credentials(), 'res.partner', 'search', [
      [],
    ]);
    expect(fault).toEqual({ faultCode: 3, faultString: 'Access Denied' });
  });

  test('accepts the user id as a string', async () => {
    const { value } = await xml(
      '/xmlrpc/2/object',
      'execute_kw',
      'main',
      String(app.main.admin.id),
      app.main.admin.password,
      'res.partner',
      'search',
      [[]],
      { limit: 1 },
    );
    expect(value).toHaveLength(1);
  });
});

describe('an RPC call', () => {
  test('accepts arguments by position and by name', async () => {
    const byName = (
      await execute('res.partner', 'search_read', [], {
        domain: [['name', '=', 'admin']],
        fields: ['name'],
        limit: 1,
      })
    ).value;
    expect(byName).toEqual([{ id: expect.any(Number), name: 'admin' }]);
    expect(
      (await execute('res.partner', 'search_read', [[['name', '=', 'admin']], ['name'], 0, 1, 'id'])).value,
    ).toEqual(byName);
    const plainResponse = await xml(
      '/xmlrpc/2/object',
      'execute',
      'main',
      app.main.admin.id,
      app.main.admin.key,
      'res.partner',
      'search_read',
      [['name', '=', 'admin']],
      ['name'],
    );
    expect(plainResponse.value).toEqual(byName);
  });

  test('treats an empty struct or list of the wrong type as missing', async () => {
    const people = [['name', 'in', ['admin', 'user']]];
    expect((await execute('res.partner', 'search', [people], [])).value).toHaveLength(2);
    expect((await execute('res.users', 'context_get', {}, {})).value).toMatchObject({
      uid: app.main.admin.id,
    });
  });

  test('reads the context from the named arguments', async () => {
    const id = (await execute('res.partner', 'create', [{ name: 'Archived', active: false }])).value;
    const domain = [['name', '=', 'Archived']];
    expect((await execute('res.partner', 'search', [domain])).value).toEqual([]);
    expect(
      (await execute('res.partner', 'search', [domain], { context: { active_test: false } })).value,
    ).toEqual([id]);
    expect((await execute('res.partner', 'search', [domain], { context: null })).value).toEqual([]);
  });

  test('is limited to the rights of its user and key', async () => {
    const { id, key } = app.main.user;
    const { fault } = await xml('/xmlrpc/2/object', 'execute_kw', 'main', id, key, 'res.partner', 'create', [
      { name: 'x' },
    ]);
    expect(fault?.faultCode).toBe(4);
    expect(fault?.faultString).toMatch(/not allowed to create/);
    const narrow = await xml(
      '/xmlrpc/2/object',
      'execute_kw',
      'main',
      app.main.admin.id,
      app.main.readOnlyKey,
      'res.partner',
      'create',
      [{ name: 'x' }],
    );
    expect(narrow.fault?.faultCode).toBe(4);
  });

  test('supports the methods that clients use to check rights and read defaults', async () => {
    expect((await execute('res.users', 'has_group', [[app.main.admin.id], 'base.group_system'])).value).toBe(
      true,
    );
    expect((await execute('res.users', 'has_group', [[app.main.user.id], 'base.group_system'])).value).toBe(
      false,
    );
    expect((await execute('res.partner', 'has_access', [[], 'unlink'])).value).toBe(true);
    expect((await execute('res.company', 'check_access_rights', ['create', false])).value).toBe(true);
    expect(
      (await execute('svc.email', 'check_access_rights', ['create'], { raise_exception: false })).value,
    ).toBe(false);
    expect((await execute('res.partner', 'default_get', [['type', 'color', 'name', 'nope']])).value).toEqual({
      type: 'contact',
      color: 0,
    });
    expect((await execute('res.partner', 'name_create', ['By name'])).value).toEqual([
      expect.any(Number),
      'By name',
    ]);
  });
});

describe('RPC wire values', () => {
  test('are false in XML-RPC and omitted in JSON-RPC if the result is null', async () => {
    const { key, id } = app.main.admin;
    const call = ['main', id, key, 'res.partner', 'check_access_rights', ['read']];
    for (const path of ['/xmlrpc/2/object', '/xmlrpc/object']) {
      const { value, text } = await xml(path, 'execute_kw', ...call);
      expect(value).toBe(false);
      expect(text).toContain('<param><value><boolean>0</boolean></value></param>');
    }
    expect(await jsonExecute('res.partner', 'check_access_rights', ['read'])).toEqual({
      jsonrpc: '2.0',
      id: 7,
    });
  });

  test('are false for unset fields, strings for dates and pairs for links', async () => {
    const id = (await execute('res.partner', 'create', [{ name: 'Wire', company_id: false }]))
      .value as number;
    const { text } = await execute('res.partner', 'read', [[id], ['email', 'create_date', 'create_uid']]);
    expect(text).toContain('<name>email</name><value><boolean>0</boolean></value>');
    expect(text).toMatch(/<name>create_date<\/name><value><string>\d{4}-\d\d-\d\d \d\d:\d\d:\d\d<\/string>/);
    expect(text).toMatch(
      /<name>create_uid<\/name><value><array><data><value><int>\d+<\/int><\/value><value><string>admin<\/string>/,
    );
    const ids = await execute('res.partner', 'read', [[id], ['create_uid']], { load: false });
    expect(ids.value).toEqual([{ id, create_uid: app.main.admin.id }]);
  });

  test('are an id for one created record and a list for several', async () => {
    expect((await execute('res.partner', 'create', [{ name: 'a' }])).value).toEqual(expect.any(Number));
    expect((await execute('res.partner', 'create', [[{ name: 'a' }]])).value).toEqual([expect.any(Number)]);
    expect((await execute('res.partner', 'create', [], { vals_list: { name: 'a' } })).value).toEqual(
      expect.any(Number),
    );
    expect((await jsonExecute('res.partner', 'create', [{ name: 'a' }])).result).toEqual(expect.any(Number));
    expect((await jsonExecute('res.partner', 'create', [[]])).result).toEqual([]);
  });
});

describe('connection methods', () => {
  test('return the version at every path that clients use', async () => {
    const web = { version_info: [19, 0, 0, 'final', 0, ''], version: '19.0' };
    for (const path of ['/web/version', '/json/version'])
      expect(await (await fetch(`${app.url}${path}`)).json()).toEqual(web);
    const answer = await post(`${app.url}/web/webclient/version_info`, {
      jsonrpc: '2.0',
      method: 'call',
      params: {},
      id: 3,
    });
    expect(answer.json()).toEqual({
      jsonrpc: '2.0',
      id: 3,
      result: expect.objectContaining({ server_serie: '19.0' }),
    });
    expect((await xml('/xmlrpc/2/db', 'server_version')).value).toBe('19.0');
    expect((await common('about')).value).toEqual(expect.any(String));
    expect((await common('about', true)).value).toEqual([expect.any(String), '19.0']);
    expect((await xml('/xmlrpc/common', 'version')).value).toMatchObject({ server_version: '19.0' });
  });

  test('return the languages of a database to any client', async () => {
    const { value } = await xml('/xmlrpc/2/db', 'list_lang');
    expect(value).toContainEqual(['en_US', 'English (US)']);
    expect(value).toContainEqual(['fr_BE', 'French (BE) / Français (BE)']);
  });

  test('record a sign-in at most once per minute', async () => {
    // No other test signs in as this user.
    const { id, login, key } = acme.user;
    const domain = [['create_uid', '=', id]];
    for (let n = 0; n < 3; n++) await createJson('common', 'login', ['acme', login, key]);
    const noted = await json2(app, 'res.users.log/search_count', { domain }, acme.admin.key);
    expect(noted.json()).toBe(1);
  });

  test('hide database names from unauthenticated clients, and reject database management', async () => {
    expect((await xml('/xmlrpc/2/db', 'list')).fault).toEqual({ faultCode: 3, faultString: 'Access Denied' });
    for (const method of ['drop', 'dump', 'create_database', 'db_exist', 'restore']) {
      expect((await xml('/xmlrpc/2/db', method, 'admin', 'main')).fault?.faultCode).toBe(3);
    }
    expect((await createJson('db', 'list', [])).error.data.name).toBe('odoo.exceptions.AccessDenied');
    expect((await post(`${app.url}/web/database/list`, { params: {} })).json().error.data.message).toBe(
      'Access Denied',
    );
  });
});

describe('database list', () => {
  let hostedApp: App;
  let port: number;
  beforeAll(async () => {
    hostedApp = await startApp({ PUBLIC_URL: 'http://localhost' });
    port = hostedApp.port;
  });
  afterAll(() => hostedApp?.close());

  const readAt = (host: string, body: object) => postRaw(port, host, '/jsonrpc', JSON.stringify(body));
  const call = (service: string, method: string, args: unknown[]) => ({ params: { service, method, args } });

  test('contains the only workspace at the shared URL, or several workspaces if the operator allows it', async () => {
    const list = () => readAt('localhost', call('db', 'list', []));
    expect(await list()).toMatchObject({ result: ['main'] });
    expect(await readAt('localhost', call('db', 'db_exist', ['main']))).toMatchObject({ result: true });
    await hostedApp.tenant('acme');
    expect(await list()).toMatchObject({ error: { data: { message: 'Access Denied' } } });
    hostedApp.runtime.config.listsWorkspaces = true;
    expect(await list()).toMatchObject({ result: ['acme', 'main'] });
    expect(await readAt('main.localhost', call('db', 'list', []))).toMatchObject({ result: ['main'] });
    hostedApp.runtime.config.listsWorkspaces = false;
  });

  test('contains only the workspace at its own URL', async () => {
    const { login, key, id } = hostedApp.main.admin;
    expect(await readAt('main.localhost', call('db', 'list', []))).toMatchObject({ result: ['main'] });
    expect(await readAt('main.localhost', call('db', 'db_exist', ['main']))).toMatchObject({ result: true });
    for (const name of ['acme', 'nobody', 7])
      expect(await readAt('main.localhost', call('db', 'db_exist', [name]))).toMatchObject({ result: false });
    expect(await readAt('nobody.localhost', call('db', 'list', []))).toMatchObject({
      error: { data: { message: 'Access Denied' } },
    });
    expect(await readAt('main.localhost', call('common', 'login', ['main', login, key]))).toMatchObject({
      result: id,
    });
    expect(await readAt('acme.localhost', call('common', 'login', ['main', login, key]))).toMatchObject({
      error: { data: { message: expect.stringMatching(/does not exist/) } },
    });
    expect(
      await readAt(
        'acme.localhost',
        call('object', 'execute_kw', ['main', id, key, 'res.partner', 'search', [[]]]),
      ),
    ).toMatchObject({
      error: { data: { message: expect.stringMatching(/does not exist/) } },
    });
  });
});

describe('repeated failed sign-ins', () => {
  test('pause password sign-ins from the address, but not keys', async () => {
    const guardedApp = await startApp();
    try {
      const { id, key, password } = guardedApp.main.admin;
      const callWith = (secret: string) =>
        postXml(`${guardedApp.url}/xmlrpc/2/object`, 'execute_kw', [
          'main',
          id,
          secret,
          'res.partner',
          'search',
          [[]],
        ]);
      const signInWith = (secret: string) =>
        postXml(`${guardedApp.url}/xmlrpc/2/common`, 'authenticate', ['main', 'admin', secret, {}]);
      for (let i = 0; i < 5; i++) expect((await callWith('wrong')).fault?.faultCode).toBe(3);
      const { fault } = await callWith(password);
      expect(fault?.faultCode).toBe(3);
      expect(fault?.faultString).toMatch(/Access Denied: Too many login failures/);
      for (let i = 0; i < 5; i++) expect((await signInWith('wrong')).value).toBe(false);
      expect((await signInWith(password)).value).toBe(false);
      expect((await callWith(key)).fault).toBeUndefined();
      expect((await signInWith(key)).value).toBe(id);
    } finally {
      await guardedApp.close();
    }
  });
});

/** Posts with a Host header, which fetch does not allow. */
async function postRaw(port: number, host: string, path: string, body: string): Promise<unknown> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sentRequest = request(
      { port, host: '127.0.0.1', path, method: 'POST', headers },
      async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part);
        resolve(JSON.parse(Buffer.concat(parts).toString()));
      },
    );
    sentRequest.on('error', reject).end(body);
  });
}
