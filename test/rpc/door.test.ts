import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type App, post, startApp, type Tenant } from '../harness/app.ts';
import { postXml } from './xml-client.ts';

let app: App;
let acme: Tenant;
beforeAll(async () => {
  app = await startApp();
  acme = await app.tenant('acme');
});
afterAll(() => app?.close());
// Failures are counted by address, and all tests come from one; a success clears the count.
beforeEach(async () => {
  expect((await common('login', 'main', 'admin', app.main.admin.key)).value).toBe(app.main.admin.id);
});

const xml = (path: string, method: string, ...params: unknown[]) =>
  postXml(`${app.url}${path}`, method, params);
const common = (method: string, ...params: unknown[]) => xml('/xmlrpc/2/common', method, ...params);
/** As the administrator of `main`. */
const execute = (model: unknown, method: unknown, ...rest: unknown[]) =>
  xml(
    '/xmlrpc/2/object',
    'execute_kw',
    'main',
    app.main.admin.id,
    app.main.admin.key,
    model,
    method,
    ...rest,
  );

const json = async (service: unknown, method: unknown, args: unknown, id: unknown = 7) =>
  (
    await post(`${app.url}/jsonrpc`, {
      jsonrpc: '2.0',
      method: 'call',
      id,
      params: { service, method, args },
    })
  ).json();
const jsonExecute = (model: string, method: string, ...rest: unknown[]) =>
  json('object', 'execute_kw', ['main', app.main.admin.id, app.main.admin.key, model, method, ...rest]);

describe('the answer', () => {
  test('is HTTP 200 text/xml for results and faults, with the id of the request', async () => {
    for (const answer of [await common('version'), await common('nosuch')]) {
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/xml; charset=utf-8');
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    }
  });

  test('carries the id the caller gave to the request', async () => {
    const headers = { 'x-request-id': 'my-request-1' };
    for (const path of ['/jsonrpc', '/xmlrpc/2/common']) {
      const answer = await post(`${app.url}${path}`, '{}', undefined, headers);
      expect(answer.headers.get('x-request-id')).toBe('my-request-1');
    }
  });

  test.each(['/xmlrpc/2/common', '/xmlrpc/2/object', '/xmlrpc/common', '/jsonrpc'])(
    '%s answers POST alone',
    async (path) => {
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const answer = await fetch(`${app.url}${path}`, { method });
        expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST']);
      }
    },
  );
});

describe('signing in', () => {
  test('the subdomain of the workspace is the database, and a user is one of one workspace', async () => {
    const { login, key, id } = acme.admin;
    expect((await common('authenticate', 'acme', login, key, {})).value).toBe(id);
    expect((await common('authenticate', 'main', login, key, {})).value).toBe(false);
    expect((await common('authenticate', 'acme', login, acme.user.key, {})).value).toBe(false);
    expect((await common('authenticate', 'acme', login, acme.teamKey, {})).value).toBe(false);
  });

  test.each<[string, unknown[], RegExp]>([
    ['an unknown database', ['nope', 'admin', 'x', {}], /does not exist/],
    ['a database that is no text', [5, 'admin', 'x', {}], /'db' must be a string/],
    ['a login that is no text', ['main', 5, 'x', {}], /'login' must be a string/],
    ['a password that is no text', ['main', 'admin', ['x'], {}], /'password' must be a string/],
    ['too few arguments', ['main', 'admin'], /3 or 4 arguments/],
    ['too many arguments', ['main', 'admin', 'x', {}, 1], /3 or 4 arguments/],
  ])('%s is a fault', async (_what, params, text) => {
    const { fault } = await common('authenticate', ...params);
    expect(fault?.faultCode).toBe(1);
    expect(fault?.faultString).toMatch(text);
  });

  test('an empty login or password is simply wrong', async () => {
    expect((await common('authenticate', 'main', '', 'x', {})).value).toBe(false);
    expect((await common('authenticate', 'main', 'admin', false, {})).value).toBe(false);
  });

  test.each<[string, () => unknown[]]>([
    ['a wrong secret', () => ['main', app.main.admin.id, 'wrong']],
    ['an empty secret', () => ['main', app.main.admin.id, '']],
    ['no secret', () => ['main', app.main.admin.id, false]],
    ["another user's number", () => ['main', app.main.user.id, app.main.admin.key]],
    ['a key of another workspace', () => ['main', acme.admin.id, acme.admin.key]],
    ['a team key', () => ['main', app.main.admin.id, app.main.teamKey]],
    ['no number', () => ['main', 'admin', app.main.admin.key]],
    ['true as a number', () => ['main', true, app.main.admin.key]],
    ['a number out of range', () => ['main', 99999999999, app.main.admin.key]],
  ])('a call with %s is denied', async (_what, credentials) => {
    const { fault } = await xml('/xmlrpc/2/object', 'execute_kw', ...credentials(), 'res.partner', 'search', [
      [],
    ]);
    expect(fault).toEqual({ faultCode: 3, faultString: 'Access Denied' });
  });

  test('the number may come as a text', async () => {
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

describe('a call', () => {
  test('takes arguments by position or by name', async () => {
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
    const plain = await xml(
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
    expect(plain.value).toEqual(byName);
  });

  test('an empty struct or list of the wrong sort counts as none', async () => {
    expect((await execute('res.partner', 'search', [[]], [])).value).toHaveLength(2);
    expect((await execute('res.users', 'context_get', {}, {})).value).toMatchObject({
      uid: app.main.admin.id,
    });
  });

  test('understands the context among the named arguments', async () => {
    const id = (await execute('res.partner', 'create', [{ name: 'Archived', active: false }])).value;
    const named = [['name', '=', 'Archived']];
    expect((await execute('res.partner', 'search', [named])).value).toEqual([]);
    expect(
      (await execute('res.partner', 'search', [named], { context: { active_test: false } })).value,
    ).toEqual([id]);
    expect((await execute('res.partner', 'search', [named], { context: null })).value).toEqual([]);
  });

  test('a user may do over it what the user may do', async () => {
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

  test('asks for rights and defaults as clients do', async () => {
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

/** What goes wrong, its number and words, its name over JSON-RPC, and its code at the old address. */
const REFUSALS: [string, unknown[], number, RegExp, string, RegExp][] = [
  [
    'an unknown model',
    ['no.such', 'search', [[]]],
    2,
    /^Object no\.such doesn't exist$/,
    'odoo.exceptions.UserError',
    /^warning -- UserError\n\nObject no\.such/,
  ],
  [
    'an unknown method',
    ['res.partner', 'no_such', []],
    1,
    /AttributeError: The method 'res\.partner\.no_such' does not exist/,
    'builtins.AttributeError',
    /does not exist/,
  ],
  [
    'a private method',
    ['res.partner', '_search', [[]]],
    4,
    /Private methods/,
    'odoo.exceptions.AccessError',
    /^warning -- AccessError\n\nPrivate/,
  ],
  [
    'a method kept from clients',
    ['res.partner', 'exists', [[1]]],
    4,
    /Private methods/,
    'odoo.exceptions.AccessError',
    /^warning -- AccessError/,
  ],
  [
    'an argument too few',
    ['res.partner', 'search', []],
    1,
    /missing a required argument: 'domain'/,
    'builtins.TypeError',
    /missing a required argument/,
  ],
  ['no ids', ['res.partner', 'read', []], 1, /ids/, 'builtins.TypeError', /ids/],
  [
    'an argument too many',
    ['res.partner', 'unlink', [[1], 2]],
    1,
    /too many positional arguments/,
    'builtins.TypeError',
    /too many/,
  ],
  [
    'an unknown name',
    ['res.partner', 'search', [[]], { nope: 1 }],
    1,
    /unexpected keyword argument 'nope'/,
    'builtins.TypeError',
    /nope/,
  ],
  [
    'an argument given twice',
    ['res.partner', 'search', [[]], { domain: [] }],
    1,
    /multiple values for argument 'domain'/,
    'builtins.TypeError',
    /multiple/,
  ],
  [
    'an unknown field in a domain',
    ['res.partner', 'search', [[['nope', '=', 1]]]],
    1,
    /ValueError: Invalid field res\.partner\.nope/,
    'builtins.ValueError',
    /^Invalid field/,
  ],
  [
    'an unknown field of a record',
    ['res.partner', 'create', [{ name: 'x', nope: 1 }]],
    1,
    /Invalid field 'nope' in 'res\.partner'/,
    'builtins.ValueError',
    /Invalid field/,
  ],
  [
    'a missing value',
    ['res.partner', 'create', [{}]],
    2,
    /a mandatory field is not set/,
    'odoo.exceptions.ValidationError',
    /^warning -- UserError/,
  ],
  [
    'a record that is gone',
    ['res.partner', 'write', [[999999], { color: 1 }]],
    2,
    /Record does not exist or has been deleted/,
    'odoo.exceptions.MissingError',
    /^warning -- MissingError/,
  ],
  [
    'a bad order',
    ['res.partner', 'search', [[]], { order: 'name nope' }],
    2,
    /Invalid "order" specified/,
    'odoo.exceptions.UserError',
    /^warning -- UserError/,
  ],
];

describe('a refusal', () => {
  test.each(REFUSALS)(
    'of %s has its number, its name and its old code',
    async (_what, call, code, text, name, old) => {
      const { fault } = await execute(...(call as [unknown, unknown]));
      expect(fault?.faultCode).toBe(code);
      expect(fault?.faultString).toMatch(text);
      expect(fault?.faultString).not.toMatch(/Traceback|node_modules|\.ts\b/);

      const { error } = await jsonExecute(...(call as [string, string]));
      expect([error.code, error.message]).toEqual([0, 'Odoo Server Error']);
      expect(Object.keys(error.data)).toEqual(['name', 'message', 'arguments', 'context', 'debug']);
      expect(error.data).toMatchObject({ name, arguments: [error.data.message], debug: '' });

      const { key, id } = app.main.admin;
      const legacy = await xml('/xmlrpc/object', 'execute_kw', 'main', id, key, ...call);
      expect(legacy.fault?.faultCode).toMatch(old);
    },
  );

  test('of a wrong secret is AccessDenied at the old address', async () => {
    const { fault } = await xml(
      '/xmlrpc/object',
      'execute_kw',
      'main',
      app.main.admin.id,
      'no',
      'res.partner',
      'search',
      [[]],
    );
    expect(fault).toEqual({ faultCode: 'AccessDenied', faultString: 'Access Denied' });
  });

  test.each<[string, string, string, unknown[], RegExp]>([
    ['an unknown service', '/xmlrpc/2/report', 'version', [], /KeyError: 'report'/],
    ['an unknown method of common', '/xmlrpc/2/common', 'nosuch', [], /Method not found: nosuch/],
    [
      'an unknown method of object',
      '/xmlrpc/2/object',
      'exec_workflow',
      [],
      /NameError: Method not available exec_workflow/,
    ],
    ['too few arguments', '/xmlrpc/2/object', 'execute_kw', ['main', 1], /at least 5/],
    [
      'too many arguments',
      '/xmlrpc/2/object',
      'execute_kw',
      ['main', 1, 'x', 'm', 'n', [], {}, 1],
      /8 given/,
    ],
    [
      'a model that is no text',
      '/xmlrpc/2/object',
      'execute_kw',
      ['main', 1, 'x', 5, 'n'],
      /'model' must be a string/,
    ],
    [
      'a method that is no text',
      '/xmlrpc/2/object',
      'execute_kw',
      ['main', 1, 'x', 'm', ['n']],
      /'method' must be a string/,
    ],
  ])('of %s is a fault 1', async (_what, path, method, params, text) => {
    const { fault } = await xml(path, method, ...params);
    expect(fault?.faultCode).toBe(1);
    expect(fault?.faultString).toMatch(text);
  });

  test('what nobody expected shows a reference and nothing else', async () => {
    const { rows } = app.runtime.db;
    app.runtime.db.rows = () => Promise.reject(new Error('secret detail of the database'));
    try {
      const { fault } = await execute('res.partner', 'search', [[]]);
      expect(fault?.faultCode).toBe(1);
      expect(fault?.faultString).toMatch(/Reference: [\w-]{8,}$/);
      const { error } = await jsonExecute('res.partner', 'search', [[]]);
      expect(JSON.stringify([fault, error])).not.toMatch(/secret detail|at \w+ \(/);
    } finally {
      app.runtime.db.rows = rows;
    }
  });
});

describe('values on the wire', () => {
  test('nothing cannot be carried by XML-RPC, and has no result in JSON-RPC', async () => {
    const { fault } = await execute('res.partner', 'check_access_rights', ['read']);
    expect(fault).toMatchObject({
      faultCode: 1,
      faultString: expect.stringMatching(/cannot marshal None unless allow_none is enabled/),
    });
    expect(await jsonExecute('res.partner', 'check_access_rights', ['read'])).toEqual({
      jsonrpc: '2.0',
      id: 7,
    });
  });

  test('unset is a false boolean, dates are strings, a relation is a pair', async () => {
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

  test('create answers one struct with one id and a list with a list, in both protocols', async () => {
    expect((await execute('res.partner', 'create', [{ name: 'a' }])).value).toEqual(expect.any(Number));
    expect((await execute('res.partner', 'create', [[{ name: 'a' }]])).value).toEqual([expect.any(Number)]);
    expect((await execute('res.partner', 'create', [], { vals_list: { name: 'a' } })).value).toEqual(
      expect.any(Number),
    );
    expect((await jsonExecute('res.partner', 'create', [{ name: 'a' }])).result).toEqual(expect.any(Number));
    expect((await jsonExecute('res.partner', 'create', [[]])).result).toEqual([]);
  });
});

describe('JSON-RPC', () => {
  test('signs in and calls like XML-RPC', async () => {
    const { login, key, id } = app.main.admin;
    expect(await json('common', 'authenticate', ['main', login, key, {}])).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: id,
    });
    expect(await json('common', 'login', ['main', login, 'no'])).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: false,
    });
    expect((await json('common', 'version', [])).result.server_version).toBe('19.0');
    expect(
      (
        await jsonExecute('res.partner', 'search_read', [
          [['name', '=', 'admin']],
          ['name', 'email', 'company_id'],
        ])
      ).result,
    ).toEqual([{ id: expect.any(Number), name: 'admin', email: false, company_id: false }]);
    expect(
      (await json('object', 'execute', ['main', id, key, 'res.partner', 'search_count', []])).result,
    ).toEqual(expect.any(Number));
  });

  test('echoes the id whatever it is, and null for none', async () => {
    for (const id of ['abc', 0, null, { a: [1] }])
      expect((await json('common', 'version', [], id)).id).toEqual(id);
    const answer = await post(`${app.url}/jsonrpc`, {
      params: { service: 'common', method: 'version', args: [] },
    });
    expect(answer.json().id).toBeNull();
  });

  test('denies like XML-RPC', async () => {
    const { error } = await json('object', 'execute_kw', [
      'main',
      app.main.admin.id,
      'bad',
      'res.partner',
      'search',
      [[]],
    ]);
    expect(error.data).toMatchObject({ name: 'odoo.exceptions.AccessDenied', message: 'Access Denied' });
  });

  test.each<[string, string, number, string]>([
    ['broken JSON', '{bad', 400, 'Invalid JSON data'],
    ['nothing', '', 400, 'Invalid JSON data'],
    ['a batch', '[]', 400, 'Invalid JSON-RPC data'],
    ['a text', '"x"', 400, 'Invalid JSON-RPC data'],
  ])('answers %s with plain words', async (_what, body, status, text) => {
    const answer = await post(`${app.url}/jsonrpc`, body);
    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'does not take %j',
    async (type) => {
      const answer = await fetch(`${app.url}/jsonrpc`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{}',
      });
      expect(answer.status).toBe(415);
      expect(answer.headers.get('accept')).toBe('application/json, application/json-rpc');
    },
  );

  test('takes application/json-rpc and a charset', async () => {
    for (const type of ['application/json-rpc', 'application/json; charset=utf-8']) {
      const body = JSON.stringify({ params: { service: 'common', method: 'version', args: [] } });
      expect(
        (await fetch(`${app.url}/jsonrpc`, { method: 'POST', headers: { 'content-type': type }, body }))
          .status,
      ).toBe(200);
    }
  });
});

describe('what clients ask on connecting', () => {
  test('the version, at all its addresses', async () => {
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

  test('names of databases are not told to strangers, nor is anything done to them', async () => {
    expect((await xml('/xmlrpc/2/db', 'list')).fault).toEqual({ faultCode: 3, faultString: 'Access Denied' });
    for (const method of ['drop', 'dump', 'create_database', 'db_exist', 'restore']) {
      expect((await xml('/xmlrpc/2/db', method, 'admin', 'main')).fault?.faultCode).toBe(3);
    }
    expect((await json('db', 'list', [])).error.data.name).toBe('odoo.exceptions.AccessDenied');
    expect((await post(`${app.url}/web/database/list`, { params: {} })).json().error.data.message).toBe(
      'Access Denied',
    );
  });
});

describe('on the address of a workspace', () => {
  let hosted: App;
  let port: number;
  beforeAll(async () => {
    hosted = await startApp({ PUBLIC_URL: 'http://localhost' });
    port = hosted.port;
  });
  afterAll(() => hosted?.close());

  const at = (host: string, body: object) => rawPost(port, host, '/jsonrpc', JSON.stringify(body));
  const call = (service: string, method: string, args: unknown[]) => ({ params: { service, method, args } });

  test('it is the only database there is', async () => {
    await hosted.tenant('acme');
    const { login, key, id } = hosted.main.admin;
    expect(await at('main.localhost', call('db', 'list', []))).toMatchObject({ result: ['main'] });
    expect(await at('nobody.localhost', call('db', 'list', []))).toMatchObject({
      error: { data: { message: 'Access Denied' } },
    });
    expect(await at('main.localhost', call('common', 'login', ['main', login, key]))).toMatchObject({
      result: id,
    });
    expect(await at('acme.localhost', call('common', 'login', ['main', login, key]))).toMatchObject({
      error: { data: { message: expect.stringMatching(/does not exist/) } },
    });
    expect(
      await at(
        'acme.localhost',
        call('object', 'execute_kw', ['main', id, key, 'res.partner', 'search', [[]]]),
      ),
    ).toMatchObject({
      error: { data: { message: expect.stringMatching(/does not exist/) } },
    });
  });
});

describe('failed sign-ins', () => {
  test('pause the address they came from, for good secrets too', async () => {
    const guarded = await startApp();
    try {
      const { id, key } = guarded.main.admin;
      const tries = (secret: string) =>
        postXml(`${guarded.url}/xmlrpc/2/object`, 'execute_kw', [
          'main',
          id,
          secret,
          'res.partner',
          'search',
          [[]],
        ]);
      for (let i = 0; i < 5; i++) expect((await tries('wrong')).fault?.faultCode).toBe(3);
      const { fault } = await tries(key);
      expect(fault?.faultCode).toBe(3);
      expect(fault?.faultString).toMatch(/Access Denied: Too many login failures/);
      expect(
        (await postXml(`${guarded.url}/xmlrpc/2/common`, 'authenticate', ['main', 'admin', key, {}])).value,
      ).toBe(false);
    } finally {
      await guarded.close();
    }
  });
});

/** fetch does not let a caller choose the Host header. */
async function rawPost(port: number, host: string, path: string, body: string): Promise<unknown> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const headers = { host, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers }, async (answer) => {
      const parts: Buffer[] = [];
      for await (const part of answer) parts.push(part);
      resolve(JSON.parse(Buffer.concat(parts).toString()));
    });
    sent.on('error', reject).end(body);
  });
}
