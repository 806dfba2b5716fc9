import { describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { expectError } from './error.ts';

const app = setUpApp();

const callJson2 = (path: string, body: unknown = {}, key: string | null = app.main.admin.key, headers = {}) =>
  json2(app, path, body, key ?? undefined, headers);

describe('JSON API errors', () => {
  test.each<[string, string, unknown, number, string, RegExp]>([
    [
      'an unknown model',
      'no.such/search',
      { domain: [] },
      404,
      'werkzeug.exceptions.NotFound',
      /^the model 'no\.such' does not exist$/,
    ],
    [
      'an unknown method',
      'res.partner/no_such',
      {},
      404,
      'werkzeug.exceptions.NotFound',
      /^The method 'res\.partner\.no_such' does not exist$/,
    ],
    [
      'a field as a method',
      'res.partner/display_name',
      {},
      404,
      'werkzeug.exceptions.NotFound',
      /does not exist/,
    ],
    [
      'an unknown method of an unknown model',
      'no.such/_no_such',
      {},
      404,
      'werkzeug.exceptions.NotFound',
      /the model/,
    ],
    [
      'a private method',
      'res.partner/_search',
      { domain: [] },
      403,
      'odoo.exceptions.AccessError',
      /^Private methods \(such as 'res\.partner\._search'\) cannot be called remotely\.$/,
    ],
    [
      'a private method that does not exist',
      'res.partner/__proto__',
      {},
      403,
      'odoo.exceptions.AccessError',
      /Private/,
    ],
    ['browse', 'res.partner/browse', { ids: [1] }, 403, 'odoo.exceptions.AccessError', /Private/],
    ['exists', 'res.partner/exists', { ids: [1] }, 403, 'odoo.exceptions.AccessError', /Private/],
    ['sudo', 'res.partner/sudo', {}, 403, 'odoo.exceptions.AccessError', /Private/],
    [
      'a missing argument',
      'res.partner/search',
      { foo: 1 },
      422,
      'werkzeug.exceptions.UnprocessableEntity',
      /^missing a required argument: 'domain'$/,
    ],
    [
      'an unknown argument',
      'res.partner/search',
      { domain: [], foo: 1 },
      422,
      'werkzeug.exceptions.UnprocessableEntity',
      /^got an unexpected keyword argument 'foo'$/,
    ],
    [
      'the model among the arguments',
      'res.partner/search',
      { domain: [], model: 'res.users' },
      422,
      'werkzeug.exceptions.UnprocessableEntity',
      /unexpected keyword argument 'model'/,
    ],
    [
      'a misspelled vals_list',
      'res.partner/create',
      { vals_lists: {} },
      422,
      'werkzeug.exceptions.UnprocessableEntity',
      /'vals_list'/,
    ],
    [
      'missing values',
      'res.partner/create',
      { vals_list: null },
      422,
      'werkzeug.exceptions.UnprocessableEntity',
      /'vals_list'/,
    ],
    ['invalid values', 'res.partner/create', { vals_list: 'x' }, 422, 'builtins.ValueError', /object/],
    ['null values', 'res.partner/create', { vals_list: [null] }, 422, 'builtins.ValueError', /object/],
    [
      'an unknown field in a domain',
      'res.partner/search',
      { domain: [['foo', '=', 1]] },
      422,
      'builtins.ValueError',
      /^Invalid field res\.partner\.foo in condition/,
    ],
    [
      'an unknown field to read',
      'res.partner/search_read',
      { domain: [], fields: ['foo'] },
      422,
      'builtins.ValueError',
      /^Invalid field 'foo' on 'res\.partner'$/,
    ],
    [
      'an unknown field to write',
      'res.partner/create',
      { vals_list: [{ name: 'x', foo: 1 }] },
      422,
      'builtins.ValueError',
      /^Invalid field 'foo' in 'res\.partner'$/,
    ],
    [
      'an unknown operator',
      'res.partner/search',
      { domain: [['name', 'foo', 1]] },
      422,
      'builtins.ValueError',
      /^Invalid operator in condition/,
    ],
    [
      'a malformed domain',
      'res.partner/search',
      { domain: ['|', ['name', '=', 1]] },
      422,
      'builtins.ValueError',
      /^Domain\(\) malformed domain/,
    ],
    [
      'a value that is not an option',
      'res.partner/write',
      { ids: [1], vals: { type: 'zzz' } },
      422,
      'builtins.ValueError',
      /^Wrong value for res\.partner\.type: "zzz"$/,
    ],
    [
      'an invalid order',
      'res.partner/search',
      { domain: [], order: 'id; drop' },
      422,
      'odoo.exceptions.UserError',
      /^Invalid "order" specified \(id; drop\)/,
    ],
    [
      'an order by an unknown field',
      'res.partner/search',
      { domain: [], order: 'name, nope desc' },
      422,
      'builtins.ValueError',
      /^Invalid field 'nope' on model 'res.partner'$/,
    ],
    [
      'a negative limit',
      'res.partner/search',
      { domain: [], limit: -1 },
      422,
      'builtins.ValueError',
      /negative/,
    ],
    [
      'an invalid limit',
      'res.partner/search',
      { domain: [], limit: 'abc' },
      422,
      'builtins.ValueError',
      /'limit'/,
    ],
    [
      'a deleted record',
      'res.partner/write',
      { ids: [999999], vals: { color: 1 } },
      404,
      'odoo.exceptions.MissingError',
      /^Record does not exist or has been deleted\.\n\(Record: res\.partner\(999999,\), User: \d+\)$/,
    ],
    [
      'a missing value',
      'res.partner/create',
      { vals_list: [{}] },
      422,
      'odoo.exceptions.ValidationError',
      /^The operation cannot be completed: Missing required value for the field 'Name' \(name\)\.\nModel: 'Contact' \(res\.partner\)\n- create\/update: a mandatory field is not set/,
    ],
    [
      'a duplicate value',
      'res.company/create',
      { vals_list: [{ name: 'main' }] },
      422,
      'odoo.exceptions.ValidationError',
      /^The operation cannot be completed: /,
    ],
    [
      'a record in use',
      'res.company/unlink',
      { ids: [1] },
      422,
      'odoo.exceptions.ValidationError',
      /^The operation cannot be completed: /,
    ],
    [
      'a cycle',
      'res.partner/write',
      { ids: [1], vals: { parent_id: 1 } },
      422,
      'odoo.exceptions.ValidationError',
      /./,
    ],
  ])(
    'return the expected status, name and message for %s',
    async (_what, path, body, status, name, message) => {
      expectError(await callJson2(path, body), status, name, message);
    },
  );

  test('return an access error for a private method, whether or not it exists', async () => {
    for (const method of [
      '_search',
      '_no_such',
      '__init__',
      'browse',
      'exists',
      'with_context',
      'flush_model',
      'init',
    ]) {
      const answer = await callJson2(`res.partner/${method}`, { ids: [1] });
      expectError(
        answer,
        403,
        'odoo.exceptions.AccessError',
        /^Private methods .* cannot be called remotely\.$/,
      );
    }
  });

  test('follow the order of checks: content type, key, body, model, method, ids, arguments', async () => {
    const badHeaders = { 'content-type': 'text/plain' };
    expect((await callJson2('no.such/x', '{', null, badHeaders)).status).toBe(415);
    expect((await callJson2('no.such/x', '{', null)).status).toBe(401);
    expect((await callJson2('no.such/x', '{')).status).toBe(400);
    expect((await callJson2('no.such/_x', {})).status).toBe(404);
    expect((await callJson2('res.partner/_x', { ids: [1] })).status).toBe(403);
    expect((await callJson2('res.partner/search', { ids: [1], foo: 1 })).json().message).toMatch(/with ids/);
    expect((await callJson2('res.partner/search', { foo: 1 })).json().message).toMatch(/missing/);
  });

  test('return only a reference for an unexpected failure', async () => {
    const { rows } = app.runtime.db;
    app.runtime.db.rows = () => Promise.reject(new Error('secret detail'));
    try {
      const answer = await callJson2('res.partner/search', { domain: [] }, app.main.admin.key, {
        'x-request-id': 'request-of-mine',
      });
      expectError(answer, 500, 'builtins.Exception', /Reference: request-of-mine$/);
      expect(answer.text).not.toContain('secret detail');
    } finally {
      app.runtime.db.rows = rows;
    }
  });
});
