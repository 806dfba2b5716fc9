import { describe, expect, test } from 'vitest';
import { type RpcErrorLike, toLegacyFault, toRpcFault } from '../../facades/rpc/faults.ts';
import {
  buildFailure,
  buildSuccessText,
  parseEnvelope,
  parseRequest,
} from '../../facades/rpc/json/envelope.ts';
import { formatResult } from '../../src/http/json-api.ts';

describe('RPC faults', () => {
  const buildError = (kind: RpcErrorLike['kind'], exception: string, message: string): RpcErrorLike => ({
    kind,
    exception,
    message,
  });
  const missing = 'Record does not exist or has been deleted.';

  test.each([
    [buildError('other', 'builtins.ValueError', "Invalid field 'x'"), 1, "ValueError: Invalid field 'x'"],
    [buildError('other', 'psycopg2.errors.Oops', 'no'), 1, 'psycopg2.errors.Oops: no'],
    [buildError('redirect', 'odoo.exceptions.RedirectWarning', 'go'), 2, 'go'],
    [
      buildError('user', 'odoo.exceptions.UserError', "Object no.such doesn't exist"),
      2,
      "Object no.such doesn't exist",
    ],
    [buildError('validation', 'odoo.exceptions.ValidationError', 'bad'), 2, 'bad'],
    [buildError('missing', 'odoo.exceptions.MissingError', missing), 2, missing],
    [buildError('lock', 'odoo.exceptions.LockError', 'busy'), 2, 'busy'],
    [buildError('access_denied', 'odoo.exceptions.AccessDenied', 'Access Denied'), 3, 'Access Denied'],
    [buildError('access_denied', 'odoo.exceptions.AccessDenied', 'try later'), 3, 'Access Denied: try later'],
    [buildError('access_denied', 'odoo.exceptions.AccessDenied', ''), 3, 'Access Denied'],
    [buildError('access_error', 'odoo.exceptions.AccessError', 'no right'), 4, 'no right'],
  ])('map %o to code %i for /xmlrpc/2', (from, code, text) => {
    expect(toRpcFault(from)).toEqual({ code, text });
  });

  test.each([
    [buildError('other', 'builtins.ValueError', 'bad'), 'bad', 'ValueError: bad'],
    [buildError('redirect', 'odoo.exceptions.RedirectWarning', 'go'), 'warning -- Warning\n\ngo', ''],
    [buildError('user', 'odoo.exceptions.UserError', 'u'), 'warning -- UserError\n\nu', ''],
    [buildError('validation', 'odoo.exceptions.ValidationError', 'v'), 'warning -- UserError\n\nv', ''],
    [buildError('missing', 'odoo.exceptions.MissingError', 'm'), 'warning -- MissingError\n\nm', ''],
    [buildError('access_error', 'odoo.exceptions.AccessError', 'a'), 'warning -- AccessError\n\na', ''],
    [
      buildError('access_denied', 'odoo.exceptions.AccessDenied', 'Access Denied'),
      'AccessDenied',
      'Access Denied',
    ],
  ])('map %o to code %j for /xmlrpc', (from, code, text) => {
    expect(toLegacyFault(from)).toEqual({ code, text });
  });
});

describe('the JSON-RPC envelope', () => {
  const params = { service: 'common', method: 'version', args: [] };

  test.each([
    [{ jsonrpc: '2.0', method: 'call', id: 1, params }, 1],
    [{ jsonrpc: '1.0', method: 'zzz', id: 'abc', params: { ...params, extra: 1 } }, 'abc'],
    [{ params }, null],
    [{ id: { any: [1] }, params }, { any: [1] }],
  ])('accepts %j as a call', (message, id) => {
    expect(parseEnvelope(message)).toEqual({ kind: 'call', id, ...params });
  });

  test.each([[[]], [[{ id: 1 }]], [null], ['text']])('rejects %j with HTTP 400', (message) => {
    expect(parseEnvelope(message)).toEqual({ kind: 'refused', status: 400, text: 'Invalid JSON-RPC data' });
  });

  test.each([
    [{ id: 1 }, "missing a required argument: 'service'"],
    [{ id: 1, params: {} }, "missing a required argument: 'service'"],
    [{ id: 1, params: { service: 'common', method: 'version' } }, "missing a required argument: 'args'"],
    [{ id: 1, params: [1, 2] }, 'must be an object'],
    [{ id: 1, params: { ...params, args: 'x' } }, "'args' must be an array"],
    [{ id: 1, params: { ...params, service: 5 } }, "'service' must be a string"],
  ])('rejects %j with a TypeError', (message, token) => {
    expect(parseEnvelope(message)).toMatchObject({
      kind: 'failed',
      id: 1,
      error: { kind: 'other', exception: 'builtins.TypeError', message: expect.stringContaining(token) },
    });
  });

  test('keeps the params of a request to another route unchanged', () => {
    const message = { id: 2, params: { db: 'acme', login: 'a' } };
    expect(parseRequest(message)).toEqual({ kind: 'request', id: 2, params: { db: 'acme', login: 'a' } });
  });

  test.each([
    [false, ',"result":false'],
    [0, ',"result":0'],
    [[null], ',"result":[null]'],
    [null, ''],
    [undefined, ''],
  ])('serializes the result %j as %j', (result, member) => {
    expect(buildSuccessText('a"', formatResult(result))).toBe(`{"jsonrpc":"2.0","id":"a\\""${member}}`);
  });

  test('inserts JSON text as the result unchanged', () => {
    expect(buildSuccessText(1, '[{"id" : 1.50}]')).toBe('{"jsonrpc":"2.0","id":1,"result":[{"id" : 1.50}]}');
    expect(buildSuccessText(undefined, ' null\n')).toBe('{"jsonrpc":"2.0","id":null}');
  });

  test.each([
    ['odoo.exceptions.AccessError', 0, 'Odoo Server Error'],
    ['werkzeug.exceptions.NotFound', 404, '404: Not Found'],
    ['odoo.http.SessionExpiredException', 100, 'Odoo Session Expired'],
  ])('maps the error %s to code %i', (exception, code, message) => {
    const from: RpcErrorLike = { kind: 'other', exception, message: 'no', context: { a: 1 } };
    expect(JSON.parse(buildFailure(3, from))).toEqual({
      jsonrpc: '2.0',
      id: 3,
      error: {
        code,
        message,
        data: { name: exception, message: 'no', arguments: ['no'], context: { a: 1 }, debug: '' },
      },
    });
  });

  test('returns null in place of an id that is nested too deeply', () => {
    const depth = 200_000;
    const request = parseRequest(JSON.parse(`{"id":${'['.repeat(depth)}${']'.repeat(depth)}}`));
    expect(request.kind).toBe('request');
    expect(buildSuccessText(request.kind === 'request' ? request.id : 1, 'true')).toBe(
      '{"jsonrpc":"2.0","id":null,"result":true}',
    );
  });
});
