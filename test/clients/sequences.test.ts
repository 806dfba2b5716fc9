import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { callXml, createPoster, getCookies, JSON_TYPE as json, parseOk, sendRequest } from './wire.ts';

// Requests as these clients send them, in the same order and with the same headers. The clients themselves require a
// full installation.

const HOST = 'main.atrium.test';
const id = expect.any(Number);

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });
let key: string;
beforeAll(async () => {
  key = app.main.admin.key;
});

const { post, rpc, service } = createPoster(() => app.port);

describe('mcp-server-odoo without a module on the server', () => {
  /** The client's transport sends the database with every request. */
  const headers = { 'X-Odoo-Database': 'main', host: HOST };
  const request = (path: string, ...call: [string, ...unknown[]]) => callXml(app.port, path, call, headers);
  let uid: unknown;
  const execute = (model: string, method: string, args: unknown[], names: object = {}) =>
    request('/xmlrpc/2/object', 'execute_kw', 'main', uid, key, model, method, args, names);

  test('lists databases, reads the version, and signs in with the key as password', async () => {
    expect(await request('/xmlrpc/2/common', 'version')).toMatchObject({ server_version: '19.0' });
    expect(await request('/xmlrpc/db', 'list')).toEqual(['main']);
    uid = await request('/xmlrpc/2/common', 'authenticate', 'main', 'admin', key, {});
    expect(uid).toBe(app.main.admin.id);
  });

  test('finds the only database at the shared URL', async () => {
    const call: [string] = ['list'];
    expect(await callXml(app.port, '/xmlrpc/2/db', call, { 'X-Odoo-Database': 'main' })).toEqual(['main']);
  });

  test('lists models, their fields and records', async () => {
    const models = await execute('ir.model', 'search_read', [[]], { fields: ['model', 'name'] });
    expect(models).toContainEqual({ id, model: 'res.partner', name: 'Contact' });
    expect(await execute('res.partner', 'fields_get', [], {})).toHaveProperty('name.type', 'char');
    const ids = (await execute('res.partner', 'search', [[]], {
      limit: 10,
      offset: 0,
      order: 'id',
    })) as number[];
    expect(ids.length).toBeGreaterThan(0);
    expect(await execute('res.partner', 'search_count', [[]])).toBe(ids.length);
    expect(await execute('res.partner', 'read', [ids, ['name']], {})).toHaveLength(ids.length);
  });

  test('retries without the language if it is unknown', async () => {
    const context = { lang: 'xx_XX' };
    await expect(execute('res.partner', 'search_read', [[]], { context })).rejects.toThrow(
      /Invalid language code/,
    );
  });

  test('creates, writes and deletes records', async () => {
    const partnerId = await execute('res.partner', 'create', [{ name: 'From an agent' }]);
    expect(await execute('res.partner', 'write', [[partnerId], { city: 'Ghent' }])).toBe(true);
    expect(await execute('res.partner', 'unlink', [[partnerId]])).toBe(true);
  });

  test('gets 404 for the server module, which is not installed', async () => {
    const response = await post('/mcp/auth/validate', {}, { ...json, 'X-API-Key': key });
    expect(response.status).toBe(404);
  });

  test('prefers /json/2 if the version supports it', async () => {
    expect(parseOk(await sendRequest(app.port, 'GET', '/web/version'))).toMatchObject({ version: '19.0' });
    const type = { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' };
    const bearer = { ...type, authorization: `bearer ${key}`, 'X-Odoo-Database': 'main' };
    expect(parseOk(await post('/json/2/res.users/context_get', {}, bearer))).toMatchObject({ uid: id });
    const response = await post('/json/2/res.partner/search', { domain: [['nope', '=', 1]] }, bearer);
    expect([response.status, typeof response.json().name, typeof response.json().message]).toEqual([
      422,
      'string',
      'string',
    ]);
  });
});

describe('odoo-client-lib', () => {
  const getPassword = () => app.main.admin.password;

  test('connects to the first XML-RPC URL', async () => {
    const request = (path: string, ...call: [string, ...unknown[]]) => callXml(app.port, path, call);
    const uid = await request('/xmlrpc/common', 'login', 'main', 'admin', getPassword());
    expect(uid).toBe(app.main.admin.id);
    const execute = (model: string, method: string, args: unknown[], names: object = {}) =>
      request('/xmlrpc/object', 'execute_kw', 'main', uid, getPassword(), model, method, args, names);
    // The client reads a single id and looks up its row.
    expect(await execute('res.users', 'read', [uid])).toMatchObject([{ id: uid, login: 'admin' }]);
    expect(await execute('res.users', 'context_get', [])).toMatchObject({ lang: 'en_US', uid });
    const [belgium] = (await execute('res.country', 'search', [[['code', '=', 'BE']], 0, false, false], {
      context: {},
    })) as number[];
    const context = { lang: 'en_US' };
    expect(await execute('res.country', 'read', [[belgium], ['name']], { context })).toEqual([
      { id: belgium, name: 'Belgium' },
    ]);
    const searchArgs = [[['name', 'ilike', 'de']]];
    const countryIds = (await execute('res.country', 'search', searchArgs)) as number[];
    expect(await execute('res.country', 'search_count', searchArgs)).toBe(countryIds.length);
  });

  test('receives faults with a text code from the first XML-RPC URL', async () => {
    const call: [string, ...unknown[]] = ['execute_kw', 'main', 1, 'wrong', 'res.users', 'read', [1], {}];
    await expect(callXml(app.port, '/xmlrpc/object', call)).rejects.toMatchObject({
      faultCode: 'AccessDenied',
    });
  });

  test('connects over JSON-RPC', async () => {
    const uid = await service('common', 'login', 'main', 'admin', getPassword());
    const execute = (model: string, method: string, args: unknown[], names: object = {}) =>
      service('object', 'execute_kw', 'main', uid, getPassword(), model, method, args, names);
    expect(await execute('res.users', 'read', [uid])).toMatchObject([{ id: uid }]);
    expect(await execute('res.country', 'search_count', [[['code', '=', 'BE']]])).toBe(1);
  });

  test('connects over /json/2 with any key, and takes argument names from /doc-bearer', async () => {
    for (const bearer of [key, app.main.user.key]) {
      const headers = {
        authorization: `Bearer ${bearer}`,
        'content-type': 'application/json; charset=utf-8',
        'X-Odoo-Database': 'main',
      };
      const { methods } = parseOk(
        await sendRequest(app.port, 'GET', '/doc-bearer/res.country.json', { headers }),
      );
      const call = async (method: string, ...args: unknown[]) =>
        parseOk(
          await post(`/json/2/res.country/${method}`, toNamedArguments(methods, method, args), headers),
        );
      const [belgium] = await call('search', [['code', '=', 'BE']], 0, 1, 'id');
      expect(await call('read', belgium, ['name', 'code'])).toEqual([
        { id: belgium, name: 'Belgium', code: 'BE' },
      ]);
      expect(await call('search_read', [['code', '=', 'BE']], ['name'])).toHaveLength(1);
      expect(await call('search_count', [['code', '=', 'BE']])).toBe(1);
      expect((await call('name_search', 'Belg'))[0]).toEqual([belgium, 'Belgium']);
      expect(await call('fields_get', ['code'], ['type'])).toEqual({ code: { type: 'char' } });
    }
  });
});

/** Methods that the document does not mark as model methods expect the ids as their first argument. */
function toNamedArguments(
  methods: Record<string, { parameters: object; api?: string[] }>,
  method: string,
  args: unknown[],
): object {
  const { parameters, api = [] } = methods[method]!;
  const names = Object.keys(parameters);
  if (!api.includes('model')) names.unshift('ids');
  return Object.fromEntries(args.map((value, index) => [names[index], value]));
}

describe('odooly', () => {
  const web = { ...json, host: HOST };

  test('connects with HEAD /web, then reads the version', async () => {
    const head = await sendRequest(app.port, 'HEAD', '/web', { headers: { host: HOST } });
    expect(head.status).toBeLessThan(400);
    expect(await rpc('/web/webclient/version_info', {}, web)).toMatchObject({
      server_version: '19.0',
      server_version_info: [19, 0, 0, 'final', 0, ''],
    });
    expect(await rpc('/web/database/list', {}, web)).toEqual(['main']);
  });

  test('reads the context and argument names, and calls a method with a key', async () => {
    const headers = { ...web, authorization: `Bearer ${key}`, 'X-Odoo-Database': 'main' };
    expect(parseOk(await post('/json/2/res.users/context_get', {}, headers))).toMatchObject({
      uid: app.main.admin.id,
      lang: 'en_US',
    });
    const document = parseOk(await sendRequest(app.port, 'GET', '/doc-bearer/res.partner.json', { headers }));
    expect(document).toMatchObject({
      model: 'res.partner',
      name: 'Contact',
      fields: { name: { type: 'char' } },
    });
    expect(Object.keys(document.methods.search.parameters)).toEqual(['domain', 'offset', 'limit', 'order']);
    expect(document.methods.search.api).toContain('model');
    expect(Object.keys(document.methods.write.parameters)).toEqual(['vals']);
    expect(document.methods.write.api ?? []).not.toContain('model');
    const index = parseOk(await sendRequest(app.port, 'GET', '/doc-bearer/index.json', { headers }));
    expect(index.models.map(({ model }: { model: string }) => model)).toContain('res.partner');
  });

  test('signs in, calls methods and signs out with a session', async () => {
    const { password, login } = app.main.admin;
    const params = { db: 'main', login, password };
    const body = { jsonrpc: '2.0', method: 'call', params, id: 1 };
    const signedIn = await post('/web/session/authenticate', body, web);
    expect(parseOk(signedIn).result).toMatchObject({
      uid: app.main.admin.id,
      db: 'main',
      username: 'admin',
      is_admin: true,
      server_version: '19.0',
      user_context: { lang: 'en_US', uid: app.main.admin.id },
    });
    const cookie = getCookies(signedIn);
    expect(cookie).toContain('session_id=');
    const session = { ...web, cookie };
    const call = (model: string, method: string, args: unknown[], kwargs: object = {}) =>
      rpc(`/web/dataset/call_kw/${model}/${method}`, { model, method, args, kwargs }, session);
    expect(await call('res.users', 'read', [[app.main.admin.id], ['login']])).toEqual([
      { id, login: 'admin' },
    ]);
    expect(await call('ir.model', 'search_read', [[['model', '=', 'res.partner']], ['model']])).toHaveLength(
      1,
    );
    expect(await call('res.partner', 'search_count', [[]], { context: { active_test: false } })).toEqual(id);
    expect(await rpc('/web/session/get_session_info', {}, session)).toMatchObject({ uid: app.main.admin.id });
    await expect(call('no.such.model', 'read', [[1]])).rejects.toThrow();
    await rpc('/web/session/destroy', {}, session);
    await expect(call('res.users', 'context_get', [])).rejects.toThrow(/Session expired/);
  });

  test('fails with a wrong password or without a session', async () => {
    const params = { db: 'main', login: 'admin', password: 'wrong' };
    await expect(rpc('/web/session/authenticate', params, web)).rejects.toThrow(/Access Denied/);
    const call = { model: 'res.users', method: 'context_get', args: [], kwargs: {} };
    await expect(rpc('/web/dataset/call_kw', call, web)).rejects.toThrow(/Session expired/);
  });
});

describe('mcp-odoo', () => {
  const call = (path: string, body: object) =>
    post(`/json/2/${path}`, body, { ...json, authorization: `Bearer ${key}` });

  test('reads the version, and the release of the base module', async () => {
    const version = parseOk(await sendRequest(app.port, 'GET', '/web/version'));
    expect(version).toEqual({ version: '19.0', version_info: [19, 0, 0, 'final', 0, ''] });
    const body = { domain: [['name', '=', 'base']], fields: ['latest_version', 'state'], limit: 1 };
    expect(parseOk(await call('ir.module.module/search_read', body))).toEqual([
      { id, latest_version: expect.stringMatching(/^19\.0\./), state: 'installed' },
    ]);
  });

  test('groups records with formatted_read_group, without a fallback', async () => {
    const body = { domain: [], groupby: ['is_company'], aggregates: ['__count'] };
    const rows = parseOk(await call('res.partner/formatted_read_group', body));
    expect(rows[0]).toMatchObject({ is_company: false, __count: id, __extra_domain: expect.any(Array) });
  });

  test('recognizes the error for an unknown method by its text', async () => {
    const unknownResponse = await call('res.partner/no_such_method', {});
    expect([unknownResponse.status, unknownResponse.json().message]).toEqual([
      404,
      expect.stringContaining('does not exist'),
    ]);
  });
});
