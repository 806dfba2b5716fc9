import { request } from 'node:http';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import type { Tenant } from '../harness/tenant.ts';
import { expectError } from './error.ts';

const app = setUpApp();
let acme: Tenant;
beforeAll(async () => {
  acme = await app.tenant('acme');
});

const callJson2 = (path: string, body: unknown = {}, key: string | null = app.main.admin.key, headers = {}) =>
  json2(app, path, body, key ?? undefined, headers);
const callValue = async (path: string, body: unknown = {}) => {
  const answer = await callJson2(path, body);
  expect(answer.status, answer.text).toBe(200);
  return answer.json();
};

describe('the generic methods', () => {
  test("return a method's plain value as JSON, with content sniffing disabled", async () => {
    const answer = await callJson2('res.partner/search_count', {
      domain: [['name', 'in', ['admin', 'user']]],
    });
    expect([answer.status, answer.text]).toEqual([200, '2']);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
    expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
    expect(answer.headers.get('set-cookie')).toBeNull();
  });

  test('create one or more records per call, and search, read, update and delete them', async () => {
    const [parent] = await callValue('res.partner/create', {
      vals_list: { name: 'Acme é', is_company: true },
    });
    const ids = await callValue('res.partner/create', {
      vals_list: [
        { name: 'A', parent_id: parent },
        { name: 'B', color: 3 },
      ],
    });
    expect(ids).toHaveLength(2);
    expect(await callValue('res.partner/search', { domain: [['id', 'in', ids]], order: 'id desc' })).toEqual(
      [...ids].reverse(),
    );
    expect(
      await callValue('res.partner/search_read', {
        domain: ['|', ['parent_id.name', 'ilike', 'acme'], ['color', '=', 3]],
        fields: ['name', 'parent_id'],
        order: 'id',
        limit: 5,
      }),
    ).toEqual([
      { id: ids[0], name: 'A', parent_id: [parent, 'Acme é'] },
      { id: ids[1], name: 'B', parent_id: false },
    ]);
    expect(await callValue('res.partner/write', { ids, vals: { city: 'Ghent' } })).toBe(true);
    expect(await callValue('res.partner/write', { ids: [parent], vals: { child_ids: [[4, ids[1]]] } })).toBe(
      true,
    );
    expect(
      await callValue('res.partner/read', { ids: ids[1], fields: ['city', 'parent_id'], load: null }),
    ).toEqual([{ id: ids[1], city: 'Ghent', parent_id: parent }]);
    expect(await callValue('res.partner/unlink', { ids })).toBe(true);
    expect(await callValue('res.partner/read', { ids, fields: ['name'] })).toEqual([]);
  });

  test('return names, field descriptions and information about the caller', async () => {
    expect(await callValue('res.partner/name_search', { name: 'adm' })).toEqual([
      [expect.any(Number), 'admin'],
    ]);
    expect(await callValue('res.partner/name_search', { name: 'adm', args: [['id', '=', 0]] })).toEqual([]);
    expect(
      await callValue('res.partner/fields_get', { allfields: ['email'], attributes: ['type', 'string'] }),
    ).toEqual({ email: { type: 'char', string: 'Email' } });
    expect(await callValue('res.users/context_get')).toEqual({
      lang: 'en_US',
      tz: 'UTC',
      uid: app.main.admin.id,
    });
    expect(
      await callValue('res.users/has_group', { ids: [app.main.user.id], group_ext_id: 'base.group_user' }),
    ).toBe(true);
    expect(await callValue('res.partner/has_access', { operation: 'create' })).toBe(true);
    expect(
      await callValue('res.partner/check_access_rights', { operation: 'create', raise_exception: false }),
    ).toBe(true);
    expect((await callJson2('res.partner/check_access_rights', { operation: 'create' })).text).toBe('null');
    expect(await callValue('res.partner/default_get', { fields: ['type', 'name'] })).toEqual({
      type: 'contact',
    });
    expect(await callValue('res.partner/name_create', { name: 'Named' })).toEqual([
      expect.any(Number),
      'Named',
    ]);
  });

  test('reject ids for a model method, and accept one or more for a record method', async () => {
    const id = (await callValue('res.partner/search', { domain: [['name', '=', 'admin']] }))[0];
    for (const ids of [id, [id], String(id), [String(id)]]) {
      expect(await callValue('res.partner/read', { ids, fields: ['name'] })).toEqual([{ id, name: 'admin' }]);
    }
    for (const body of [{ ids: null }, { ids: false }, { ids: [] }, {}]) {
      expect(await callValue('res.partner/read', { ...body, fields: ['name'] })).toEqual([]);
    }
    expect(await callValue('res.partner/read', { ids: [id, id, -1], fields: ['name'] })).toHaveLength(2);
    expect(await callValue('res.partner/search_count', { ids: null, domain: [] })).toEqual(
      expect.any(Number),
    );
    expectError(
      await callJson2('res.partner/search', { ids: [1], domain: [] }),
      422,
      'werkzeug.exceptions.UnprocessableEntity',
      /cannot call res\.partner\.search with ids/,
    );
  });

  test('include archived records if the context disables the filter', async () => {
    const [id] = await callValue('res.partner/create', {
      vals_list: [{ name: 'Archived one', active: false }],
    });
    const domain = [['name', '=', 'Archived one']];
    expect(await callValue('res.partner/search', { domain })).toEqual([]);
    expect(
      await callValue('res.partner/search', { domain, context: { active_test: false, lang: 'en_US' } }),
    ).toEqual([id]);
    for (const context of [null, {}, false, '', []])
      expect(await callValue('res.partner/search', { domain, context })).toEqual([]);
  });
});

describe('the request body', () => {
  test('can be any JSON value, and passes no arguments unless it is an object', async () => {
    for (const body of ['[1,2]', 'null', '"x"', '5', 'false', '']) {
      expect((await callJson2('res.users/context_get', body)).status).toBe(200);
      expectError(
        await callJson2('res.partner/search', body),
        422,
        'werkzeug.exceptions.UnprocessableEntity',
        /missing a required argument: 'domain'/,
      );
    }
  });

  test.each(['{', '{"a": NaN}', "{'a': 1}", '{"a":1}}', '\u0000'])(
    'is rejected if it is not JSON (%j)',
    async (body) => {
      expectError(
        await callJson2('res.partner/search', body),
        400,
        'werkzeug.exceptions.BadRequest',
        /^could not parse the body as json: /,
      );
    },
  );

  test('is rejected if it is not UTF-8', async () => {
    const response = await fetch(`${app.url}/json/2/res.partner/search`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.main.admin.key}`, 'content-type': 'application/json' },
      body: Buffer.from([0x22, 0xff, 0x22]),
    });
    expect(response.status).toBe(400);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'text/json'])(
    'is rejected if its content type is %s, with or without a key',
    async (type) => {
      for (const key of [app.main.admin.key, null]) {
        const answer = await callJson2('res.partner/search', '{"domain": []}', key, { 'content-type': type });
        expectError(answer, 415, 'werkzeug.exceptions.UnsupportedMediaType', /application\/json/);
        expect(answer.headers.get('accept')).toBe('application/json');
      }
    },
  );

  test('accepts a charset in the content type, and may be empty without a content type', async () => {
    expect(
      (
        await callJson2('res.users/context_get', '{}', app.main.admin.key, {
          'content-type': 'application/json; charset=utf-8',
        })
      ).status,
    ).toBe(200);
    const response = await fetch(`${app.url}/json/2/res.users/context_get`, {
      method: 'POST',
      headers: { authorization: `bearer ${app.main.admin.key}` },
    });
    expect(response.status).toBe(200);
  });

  test('accepts chunked encoding', async () => {
    const response = await fetch(`${app.url}/json/2/res.partner/search_count`, {
      method: 'POST',
      headers: { authorization: `Bearer ${app.main.admin.key}`, 'content-type': 'application/json' },
      body: new Blob(['{"domain": []}']).stream(),
      duplex: 'half',
    } as RequestInit);
    expect([response.status, Number(await response.text())]).toEqual([200, expect.any(Number)]);
  });

  test('is rejected before it is read if its Content-Length exceeds the limit', async () => {
    const response = await sendAnnounced('/json/2/res.partner/search', 200 * 1024 * 1024);
    expect(response).toMatch(/^413 .*"werkzeug\.exceptions\.BadRequest"/s);
  });
});

describe('the API key', () => {
  const search = (key: string | null, headers = {}) =>
    callJson2('res.partner/search_count', { domain: [] }, key, headers);
  const unauthorized = 'werkzeug.exceptions.Unauthorized';

  test('rejects a missing key, and explains how to send one', async () => {
    const answer = await search(null);
    expectError(
      answer,
      401,
      unauthorized,
      /^User not authenticated, use an API Key with a Bearer Authorization header\.$/,
    );
    expect(answer.headers.get('www-authenticate')).toMatch(/^bearer/i);
    for (const authorization of ['Basic YWRtaW46YWRtaW4=', 'bearer', 'Bearer ']) {
      expectError(await search(null, { authorization }), 401, unauthorized, /User not authenticated/);
    }
  });

  test.each(['x', '0123456789abcdef0123456789abcdef01234567', `uk_0000000000_${'0'.repeat(32)}`])(
    'rejects the unknown key %s',
    async (key) => {
      expectError(await search(key), 401, unauthorized, /^Invalid apikey$/);
    },
  );

  test('accepts the scheme in any letter case, and repeated spaces after it', async () => {
    for (const scheme of ['bearer', 'BEARER', 'Bearer ']) {
      expect((await search(null, { authorization: `${scheme} ${app.main.admin.key}` })).status).toBe(200);
    }
  });

  test('accepts a key only in the Authorization header', async () => {
    expect(
      (await json2(app, `res.partner/search_count?api_key=${app.main.admin.key}`, { domain: [] })).status,
    ).toBe(401);
    expect((await search(null, { 'x-api-key': app.main.admin.key })).status).toBe(401);
  });

  test("grants exactly the user's permissions, or fewer if the key has a scope", async () => {
    const create = (key: string) => callJson2('res.partner/create', { vals_list: [{ name: 'By key' }] }, key);
    expect((await create(app.main.admin.key)).status).toBe(200);
    expectError(
      await create(app.main.user.key),
      403,
      'odoo.exceptions.AccessError',
      /not allowed to create.*Contact\/Creation/s,
    );
    expectError(await create(app.main.readOnlyKey), 403, 'odoo.exceptions.AccessError', /scope write/);
    expect((await search(app.main.readOnlyKey)).status).toBe(200);
    expectError(await search(app.main.teamKey), 403, 'odoo.exceptions.AccessError', /user's key/);
  });

  test("grants access only to the key's own workspace", async () => {
    const [ownId] = await callValue('res.partner/create', { vals_list: [{ name: 'Mine alone' }] });
    const otherResponse = await callJson2(
      'res.partner/search_read',
      { domain: [['name', '=', 'Mine alone']] },
      acme.admin.key,
    );
    expect(otherResponse.json()).toEqual([]);
    const write = await callJson2(
      'res.partner/write',
      { ids: [ownId + 10_000], vals: { name: 'x' } },
      acme.admin.key,
    );
    expectError(write, 404, 'odoo.exceptions.MissingError', /Record does not exist or has been deleted/);
  });
});

describe('the database header', () => {
  const search = (database: string, key: string | null = app.main.admin.key) =>
    callJson2('res.partner/search_count', { domain: [] }, key, { 'x-odoo-database': database });

  test("must name the key's workspace", async () => {
    expect((await search('main')).status).toBe(200);
    expect((await search('')).status).toBe(200);
    expectError(await search('acme'), 401, 'werkzeug.exceptions.Unauthorized', /^Invalid apikey$/);
  });

  test('does not reveal which workspaces exist', async () => {
    const buildShape = ({ status, text }: Awaited<ReturnType<typeof search>>) => [status, text];
    for (const key of [app.main.admin.key, `uk_0000000000_${'0'.repeat(32)}`, null]) {
      const [knownResponse, nowhere] = [await search('acme', key), await search('nosuchdb', key)];
      expect(knownResponse.status).toBe(401);
      expect(buildShape(nowhere)).toEqual(buildShape(knownResponse));
    }
  });

  test('returns 404 for an unknown database if the server lists its databases', async () => {
    onTestFinished(() => void Object.assign(app.runtime.config, { listsWorkspaces: false }));
    app.runtime.config.listsWorkspaces = true;
    expectError(await search('nosuchdb'), 404, 'werkzeug.exceptions.NotFound', /database/);
    expectError(await search('nosuchdb', null), 404, 'werkzeug.exceptions.NotFound', /database/);
  });
});

describe('the URL path', () => {
  test.each([
    ['GET', 'res.partner/search'],
    ['PUT', 'res.partner/search'],
    ['PATCH', 'res.partner/search'],
    ['DELETE', 'res.partner/search'],
    ['OPTIONS', 'res.partner/search'],
    ['POST', ''],
    ['POST', 'res.partner'],
    ['POST', 'res.partner/search/1'],
    ['GET', ''],
  ])('returns 404 for %s /json/2/%s', async (method, path) => {
    const response = await fetch(`${app.url}/json/2/${path}`, {
      method,
      headers: { authorization: `Bearer ${app.main.admin.key}` },
    });
    const body = await response.json();
    expect(response.status).toBe(404);
    expect(body).toMatchObject({
      name: 'werkzeug.exceptions.NotFound',
      message: 'Did you mean POST /json/2/<model>/<method>?',
    });
  });

  test('returns 404 without a body for HEAD', async () => {
    const response = await fetch(`${app.url}/json/2/res.partner/search`, { method: 'HEAD' });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });
});

/** Announces a body of `size` bytes, sends nothing and reads the response. */
function sendAnnounced(path: string, size: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-length': size,
      'content-type': 'application/json',
      authorization: `Bearer ${app.main.admin.key}`,
    };
    const sentRequest = request(
      { port: app.port, host: '127.0.0.1', path, method: 'POST', headers },
      async (response) => {
        const parts: Buffer[] = [];
        for await (const part of response) parts.push(part);
        resolve(`${response.statusCode} ${Buffer.concat(parts)}`);
        sentRequest.destroy();
      },
    );
    sentRequest.on('error', reject).flushHeaders();
  });
}
