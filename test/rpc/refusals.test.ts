import { beforeEach, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { clearFailures, createRpcClients, type RpcClients } from '../harness/facades/rpc.ts';

const app = setUpApp();
beforeEach(() => clearFailures(app));

const xml: RpcClients['xml'] = (...args) => createRpcClients(app).xml(...args);
const execute: RpcClients['execute'] = (...args) => createRpcClients(app).execute(...args);
const jsonExecute: RpcClients['jsonExecute'] = (...args) => createRpcClients(app).jsonExecute(...args);

/** Errors with their XML-RPC code and message, JSON-RPC name and legacy XML-RPC fault code. */
const ERROR_CASES: [string, unknown[], number, RegExp, string, RegExp][] = [
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
    'a method hidden from clients',
    ['res.partner', 'exists', [[1]]],
    4,
    /Private methods/,
    'odoo.exceptions.AccessError',
    /^warning -- AccessError/,
  ],
  [
    'a missing argument',
    ['res.partner', 'search', []],
    1,
    /missing a required argument: 'domain'/,
    'builtins.TypeError',
    /missing a required argument/,
  ],
  ['missing ids', ['res.partner', 'read', []], 1, /ids/, 'builtins.TypeError', /ids/],
  [
    'an extra argument',
    ['res.partner', 'unlink', [[1], 2]],
    1,
    /too many positional arguments/,
    'builtins.TypeError',
    /too many/,
  ],
  [
    'an unknown argument name',
    ['res.partner', 'search', [[]], { nope: 1 }],
    1,
    /unexpected keyword argument 'nope'/,
    'builtins.TypeError',
    /nope/,
  ],
  [
    'a duplicate argument',
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
    'a deleted record',
    ['res.partner', 'write', [[999999], { color: 1 }]],
    2,
    /Record does not exist or has been deleted/,
    'odoo.exceptions.MissingError',
    /^warning -- MissingError/,
  ],
  [
    'an invalid order',
    ['res.partner', 'search', [[]], { order: 'name nope' }],
    2,
    /Invalid "order" specified/,
    'odoo.exceptions.UserError',
    /^warning -- UserError/,
  ],
];

describe('RPC errors', () => {
  test.each(ERROR_CASES)(
    'have the expected codes and name for %s',
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

  test('have the code AccessDenied at the legacy path for a wrong password', async () => {
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
      'a model that is not a string',
      '/xmlrpc/2/object',
      'execute_kw',
      ['main', 1, 'x', 5, 'n'],
      /'model' must be a string/,
    ],
    [
      'a method that is not a string',
      '/xmlrpc/2/object',
      'execute_kw',
      ['main', 1, 'x', 'm', ['n']],
      /'method' must be a string/,
    ],
  ])('have code 1 for %s', async (_what, path, method, params, text) => {
    const { fault } = await xml(path, method, ...params);
    expect(fault?.faultCode).toBe(1);
    expect(fault?.faultString).toMatch(text);
  });

  test('contain only a reference for an unexpected failure', async () => {
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
