import { beforeAll, describe, expect, it } from 'vitest';
import { matchesEtag } from '../../src/http/http.ts';
import { post, setUpApp } from '../harness/app.ts';
import { queryData, sendRequest } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';

const app = setUpApp();
let cookie: string;
beforeAll(async () => {
  const login = new URLSearchParams({ workspace: 'main', login: 'user', password: app.main.user.password });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const signedIn = await sendRequest(app, 'POST', '/login', form, login.toString());
  cookie = String(signedIn.headers['set-cookie']).split(';')[0]!;
});

const get = async (path: string, headers: Record<string, string> = {}) => {
  const response = await sendRequest(app, 'GET', path, headers);
  return { ...response, json: () => JSON.parse(response.text) };
};
const buildBearer = (key: string) => ({ authorization: `bearer ${key}` });
const loadModel = async (name: string, key = app.main.user.key) =>
  (await get(`/doc-bearer/${name}.json`, buildBearer(key))).json();

/** Positional parameters of the methods of every Odoo 19 model. Methods that Atrium does not implement are skipped. */
const POSITIONS: Record<string, string[]> = {
  search: ['domain', 'offset', 'limit', 'order'],
  search_read: ['domain', 'fields', 'offset', 'limit', 'order'],
  search_count: ['domain', 'limit'],
  read: ['fields', 'load'],
  create: ['vals_list'],
  write: ['vals'],
  unlink: [],
  copy: ['default'],
  copy_data: ['default'],
  name_search: ['name', 'domain', 'operator', 'limit'],
  name_create: ['name'],
  default_get: ['fields'],
  fields_get: ['allfields', 'attributes'],
  has_access: ['operation'],
  formatted_read_group: ['domain', 'groupby', 'aggregates', 'having', 'offset', 'limit', 'order'],
  web_search_read: ['domain', 'specification', 'offset', 'limit', 'order', 'count_limit'],
  web_read: ['specification'],
  web_save: ['vals', 'specification', 'next_id'],
  onchange: ['values', 'field_names', 'fields_spec'],
  load: ['fields', 'data'],
  export_data: ['fields_to_export'],
  get_metadata: [],
  action_archive: [],
  action_unarchive: [],
};

describe('the documentation index', () => {
  it('lists methods of threads and activities only for models that support them', async () => {
    const { json } = await get('/doc-bearer/index.json', buildBearer(app.main.admin.key));
    const getMethods = (name: string): string[] =>
      json().models.find(({ model }: { model: string }) => model === name).methods;
    for (const method of ['message_post', 'message_subscribe', 'message_unsubscribe', 'activity_schedule']) {
      expect(getMethods('res.partner')).toContain(method);
      expect(getMethods('res.country')).not.toContain(method);
    }
  });

  it('lists modules and models with the same keys as in Odoo', async () => {
    const { status, headers, json } = await get('/doc-bearer/index.json', buildBearer(app.main.admin.key));
    expect([status, headers['content-type']]).toEqual([200, 'application/json; charset=utf-8']);
    expect(headers).toMatchObject({
      'cache-control': 'no-cache, private',
      'content-language': 'en-US',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'content-disposition': expect.stringMatching(/^inline; filename=doc-index-\w+\.json$/),
    });
    const index = json();
    expect(Object.keys(index)).toEqual(['modules', 'models']);
    expect(index.modules[0]).toBe('base');
    const names = index.models.map((model: { model: string }) => model.model);
    expect(names).toEqual([...names].sort());
    const partner = index.models.find((model: { model: string }) => model.model === 'res.partner');
    expect(Object.keys(partner)).toEqual(['model', 'name', 'fields', 'methods']);
    expect(partner.fields.display_name).toEqual({ string: 'Display Name' });
    expect(Object.keys(partner.fields)).toEqual(Object.keys(partner.fields).sort());
    expect(partner.methods).toEqual(
      expect.arrayContaining(['create', 'read', 'search_read', 'unlink', 'write']),
    );
    expect(partner.methods).toEqual([...partner.methods].sort());
  });

  it('contains only models and fields that the caller may read', async () => {
    const readIndex = async (key: string) =>
      (await get('/doc-bearer/index.json', buildBearer(key))).json().models;
    const [admin, user] = [await readIndex(app.main.admin.key), await readIndex(app.main.user.key)];
    const buildNames = (models: { model: string }[]) => models.map((model) => model.model);
    expect(buildNames(user).length).toBeGreaterThan(0);
    expect(buildNames(user).length).toBeLessThan(buildNames(admin).length);
    for (const { model: name, fields } of user) {
      const fieldInfos = await json2(app, `${name}/fields_get`, {}, app.main.user.key);
      expect(Object.keys(fields), name).toEqual(Object.keys(fieldInfos.json()).sort());
    }
  });

  it('lists only methods that the JSON API accepts on the model', async () => {
    const { models } = (await get('/doc-bearer/index.json', buildBearer(app.main.admin.key))).json();
    const users = models.find((model: { model: string }) => model.model === 'res.users');
    for (const method of users.methods) {
      const answer = await json2(app, `res.users/${method}`, { 'no such argument': 1 }, app.main.admin.key);
      expect(answer.status, method).toBe(422);
    }
    expect(users.methods).toContain('has_group');
    const partner = models.find((model: { model: string }) => model.model === 'res.partner');
    expect(partner.methods).not.toContain('has_group');
  });

  it('hides write methods from a read-only key', async () => {
    const { methods } = await loadModel('res.partner', app.main.readOnlyKey);
    expect(Object.keys(methods)).toContain('search_read');
    for (const [name, method] of Object.entries<{ api: string[] }>(methods))
      expect(method.api, name).toContain('readonly');
  });
});

describe("a model's documentation", () => {
  it('has the same keys as in Odoo', async () => {
    const partner = await loadModel('res.partner');
    expect(Object.keys(partner)).toEqual(['model', 'name', 'doc', 'fields', 'methods']);
    expect(partner).toMatchObject({ model: 'res.partner', doc: null });
    const fieldInfos = (await json2(app, 'res.partner/fields_get', {}, app.main.user.key)).json();
    expect(Object.keys(partner.fields)).toEqual(Object.keys(fieldInfos));
    for (const [name, info] of Object.entries(fieldInfos))
      expect(partner.fields[name]).toEqual({ ...(info as object), module: 'base' });
    expect(Object.keys(partner.methods.search)).toEqual([
      'signature',
      'parameters',
      'return',
      'api',
      'raise',
      'doc',
      'model',
      'module',
    ]);
  });

  it('describes the parameters that classic clients use to name positional arguments', async () => {
    const { search, read, create, write, has_access: hasAccess } = (await loadModel('res.partner')).methods;
    expect(search).toMatchObject({
      signature: '(domain, offset=0, limit=None, order=None) -> list[int]',
      parameters: {
        domain: { annotation: 'list' },
        offset: { default: 0, annotation: 'int' },
        limit: { default: null, annotation: 'int | None' },
        order: { default: null, annotation: 'str | None' },
      },
      return: { annotation: 'list[int]' },
      api: ['model', 'readonly'],
      model: 'core',
      module: 'core',
    });
    expect(Object.keys(search.parameters)).toEqual(['domain', 'offset', 'limit', 'order']);
    expect('default' in search.parameters.domain).toBe(false);
    expect(read.api).toEqual(['readonly']);
    expect(Object.keys(read.parameters)).toEqual(['fields', 'load']);
    expect(create).toMatchObject({ signature: '(vals_list) -> list[int]', api: ['model'] });
    expect(write).toMatchObject({ signature: '(vals) -> bool', api: [] });
    expect(Object.keys(write.raise)).toEqual(['AccessError', 'MissingError', 'ValidationError']);
    expect(hasAccess).toMatchObject({ api: ['readonly'], return: { annotation: 'bool' } });
  });

  it("describes a model's own method with its model and module", async () => {
    expect((await loadModel('res.users')).methods.has_group).toMatchObject({
      signature: '(group_ext_id) -> bool',
      api: ['readonly'],
      model: 'res.users',
      module: 'base',
    });
  });

  it("includes a method's GraphQL root field only on request", async () => {
    expect((await loadModel('res.partner')).methods.search.graphql).toBeUndefined();
    const docWithGraphql = await get('/doc-bearer/res.partner.json?graphql', buildBearer(app.main.user.key));
    expect(docWithGraphql.json().methods.search.graphql).toEqual({
      kind: 'query',
      field: 'recordSearch',
      arguments: { model: 'String!', domain: 'JSON!', offset: 'Int', limit: 'Int', order: 'String' },
      select: '',
    });
  });

  it.each(Object.entries(POSITIONS))(
    'lists the parameters of %s in the positions of Odoo 19',
    async (method, names) => {
      const methodDoc = (await loadModel('res.partner', app.main.admin.key)).methods[method];
      expect(Object.keys(methodDoc.parameters).slice(0, names.length)).toEqual(names);
    },
  );

  it('matches the JSON API in argument positions and model-level methods', async () => {
    const { methods } = await loadModel('res.partner', app.main.admin.key);
    for (const [name, { api, parameters }] of Object.entries<{ api: string[]; parameters: object }>(
      methods,
    )) {
      const url = `${app.url}/json/2/res.partner/${name}`;
      const withIds = await post(url, { ids: [2_000_000_011], 'no such argument': 1 }, app.main.admin.key);
      expect(/ with ids$/.test(withIds.json().message), name).toBe(api.includes('model'));
      const all = Object.fromEntries(Object.keys(parameters).map((parameter) => [parameter, {}]));
      const response = await post(url, all, app.main.admin.key);
      expect(response.text, name).not.toContain('unexpected keyword');
    }
  });
});

describe('authentication', () => {
  it("accepts every user key, regardless of the user's role", async () => {
    for (const key of [app.main.user.key, app.main.admin.key, app.main.readOnlyKey])
      expect((await get('/doc-bearer/res.partner.json', buildBearer(key))).status).toBe(200);
  });

  it('accepts a session at /doc only, and a key at both paths', async () => {
    expect((await get('/doc/index.json', { cookie })).status).toBe(200);
    expect((await get('/doc/res.partner.json', { cookie })).text).toBe(
      (await get('/doc-bearer/res.partner.json', buildBearer(app.main.user.key))).text,
    );
    expect((await get('/doc-bearer/index.json', { cookie })).status).toBe(401);
    expect((await get('/doc/index.json', buildBearer(app.main.user.key))).status).toBe(200);
  });

  it.each(['/doc-bearer/index.json', '/doc-bearer/res.partner.json', '/doc/index.json', '/doc/no.such.json'])(
    'rejects an anonymous request for %s with 401 and the five keys',
    async (path) => {
      const { status, headers, json } = await get(path);
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer']);
      expect(Object.keys(json())).toEqual(['name', 'message', 'arguments', 'context', 'debug']);
      expect(json()).toMatchObject({
        name: 'werkzeug.exceptions.Unauthorized',
        message: expect.stringContaining('Authorization header'),
      });
    },
  );

  it('rejects a wrong key and a key of another database with 401', async () => {
    expect((await get('/doc-bearer/index.json', buildBearer('wrong'))).json().message).toBe('Invalid apikey');
    const key = buildBearer(app.main.user.key);
    expect((await get('/doc-bearer/index.json', { ...key, 'x-odoo-database': 'main' })).status).toBe(200);
    expect((await get('/doc-bearer/index.json', { ...key, 'x-odoo-database': 'other' })).status).toBe(401);
  });

  it('rejects a workspace key with 403, because it has no record access', async () => {
    expect((await get('/doc-bearer/index.json', buildBearer(app.main.teamKey))).status).toBe(403);
  });

  it('returns 404 for an unknown model and 403 for an unreadable one', async () => {
    const unknown = await get('/doc-bearer/no.such.json', buildBearer(app.main.user.key));
    expect([unknown.status, unknown.json().name, unknown.json().arguments[1]]).toEqual([
      404,
      'werkzeug.exceptions.NotFound',
      404,
    ]);
    const readable = new Set(
      (await get('/doc-bearer/index.json', buildBearer(app.main.user.key)))
        .json()
        .models.map((model: { model: string }) => model.model),
    );
    const hidden = [...app.runtime.registry.keys()].find((name) => !readable.has(name))!;
    const response = await get(`/doc-bearer/${hidden}.json`, buildBearer(app.main.user.key));
    expect([response.status, response.json().name]).toEqual([403, 'odoo.exceptions.AccessError']);
  });
});

describe('the ETag of a response', () => {
  it('is quoted, varies by model and caller, and prevents resending an unchanged body', async () => {
    const key = buildBearer(app.main.user.key);
    const readTag = async (path: string, headers = key) => String((await get(path, headers)).headers.etag);
    const tag = await readTag('/doc-bearer/res.partner.json');
    expect(tag).toMatch(/^"[0-9a-f]{64}"$/);
    expect(await readTag('/doc-bearer/res.partner.json')).toBe(tag);
    expect(await readTag('/doc-bearer/res.users.json')).not.toBe(tag);
    expect(await readTag('/doc-bearer/res.partner.json', buildBearer(app.main.readOnlyKey))).not.toBe(tag);
    for (const etag of [tag, `W/${tag}`, `"x", ${tag}`]) {
      const spared = await get('/doc-bearer/res.partner.json', { ...key, 'if-none-match': etag });
      expect([spared.status, spared.text, spared.headers.etag]).toEqual([304, '', tag]);
    }
    const other = await get('/doc-bearer/res.partner.json', { ...key, 'if-none-match': '"x"' });
    expect(other.status).toBe(200);
  });

  it.each<[string | null, boolean]>([
    [null, false],
    ['"a"', true],
    ['"b"', false],
    ['"b","a"', true],
    ['W/"a"', true],
    ['*', true],
    ['a', false],
  ])('matches If-None-Match %j: %j', (header, isMatch) => {
    expect(matchesEtag(header, '"a"')).toBe(isMatch);
  });
});

describe('documentation data in GraphQL', () => {
  it('is returned by docIndex and docModel', async () => {
    const query = `{
      docIndex { modules models { model name fields { name label } methods } }
      docModel(model: "res.partner", graphql: true) {
        model name fields { name type }
        methods {
          name signature parameters { name annotation required default doc } returns onModel readonly
          raises { name doc } doc model module graphql { kind field arguments { name type } select }
        }
      }
    }`;
    const data = await queryData(app, query, { key: app.main.user.key });
    const index = (await get('/doc-bearer/index.json', buildBearer(app.main.user.key))).json();
    const toPairs = (object: Record<string, Record<string, unknown>>) =>
      Object.entries(object).map(([name, { string: label }]) => ({ name, label }));
    expect(data.docIndex.models).toEqual(
      index.models.map((model: { fields: never }) => ({ ...model, fields: toPairs(model.fields) })),
    );
    expect(data.docIndex.modules).toEqual(index.modules);
    const modelDoc = await loadModel('res.partner');
    const { docModel } = data;
    expect(docModel.fields.map(({ name }: { name: string }) => name)).toEqual(Object.keys(modelDoc.fields));
    const create = docModel.methods.find(({ name }: { name: string }) => name === 'create');
    expect(create).toMatchObject({
      signature: modelDoc.methods.create.signature,
      parameters: [{ name: 'vals_list', annotation: 'list[dict]', required: true, default: null }],
      returns: 'list[int]',
      onModel: true,
      readonly: false,
      doc: modelDoc.methods.create.doc,
      graphql: {
        kind: 'MUTATION',
        field: 'recordCreate',
        arguments: [
          { name: 'model', type: 'String!' },
          { name: 'valsList', type: 'JSON!' },
        ],
        select: '',
      },
    });
    expect(
      Object.fromEntries(create.raises.map((item: { name: string; doc: string }) => [item.name, item.doc])),
    ).toEqual(modelDoc.methods.create.raise);
  });
});

describe('a custom model', () => {
  it('is described immediately and belongs to no module', async () => {
    const create = async (name: string, values: object) => {
      const answer = await json2(app, `${name}/create`, { vals_list: values }, app.main.admin.key);
      expect(answer.status, answer.text).toBe(200);
      return answer.json()[0] as number;
    };
    const id = await create('ir.model', { name: 'Boat', model: 'x_boat' });
    await create('ir.model.access', { name: 'boats', model_id: id, perm_read: true });
    await create('ir.model.fields', {
      model_id: id,
      name: 'x_sail',
      field_description: 'Sail',
      ttype: 'char',
    });
    const boat = await loadModel('x_boat');
    expect(boat).toMatchObject({ model: 'x_boat', name: 'Boat', fields: { x_sail: { string: 'Sail' } } });
    for (const field of Object.values<{ module: unknown }>(boat.fields)) expect(field.module).toBeNull();
    const { models, modules } = (await get('/doc-bearer/index.json', buildBearer(app.main.user.key))).json();
    expect(models.map((model: { model: string }) => model.model)).toContain('x_boat');
    expect(modules).not.toContain('x_boat');
  });
});

describe('the call endpoint of the page', () => {
  const json = { 'content-type': 'application/json' };
  const call = (headers: Record<string, string>, body = '{"domain": [], "limit": 1}') =>
    sendRequest(app, 'POST', '/doc/call/res.partner/search', headers, body);

  it('responds to a session as the JSON API responds to a key', async () => {
    const { status, text } = await call({ ...json, cookie });
    const searchArgs = { domain: [], limit: 1 };
    const apiResponse = await json2(app, 'res.partner/search', searchArgs, app.main.user.key);
    expect([status, text]).toEqual([200, apiResponse.text]);
    const response = await call({ ...json, cookie }, '{"nonsense": 1}');
    expect([response.status, Object.keys(JSON.parse(response.text))]).toEqual([
      422,
      ['name', 'message', 'arguments', 'context', 'debug'],
    ]);
  });

  it('rejects cross-site requests, forms, anonymous requests, and bodies that are not a JSON object', async () => {
    expect((await call({ ...json, cookie, origin: 'https://evil.example' })).status).toBe(403);
    expect((await call({ ...json, cookie, 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await call({ cookie, 'content-type': 'text/plain' })).status).toBe(400);
    expect((await call(json)).status).toBe(401);
    expect((await call({ ...json, cookie }, '[]')).status).toBe(400);
    expect((await call({ ...json, cookie }, '{')).status).toBe(400);
  });
});
