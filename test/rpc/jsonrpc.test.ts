import { beforeEach, describe, expect, test } from 'vitest';
import { post, setUpApp } from '../harness/app.ts';
import { clearFailures, createRpcClients, type RpcClients } from '../harness/facades/rpc.ts';

const app = setUpApp();
beforeEach(() => clearFailures(app));

const createJson: RpcClients['json'] = (...args) => createRpcClients(app).json(...args);
const jsonExecute: RpcClients['jsonExecute'] = (...args) => createRpcClients(app).jsonExecute(...args);

describe('JSON-RPC', () => {
  test('signs in and calls methods with the same results as XML-RPC', async () => {
    const { login, key, id } = app.main.admin;
    expect(await createJson('common', 'authenticate', ['main', login, key, {}])).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: id,
    });
    expect(await createJson('common', 'login', ['main', login, 'no'])).toEqual({
      jsonrpc: '2.0',
      id: 7,
      result: false,
    });
    expect((await createJson('common', 'version', [])).result.server_version).toBe('19.0');
    expect(
      (
        await jsonExecute('res.partner', 'search_read', [
          [['name', '=', 'admin']],
          ['name', 'email', 'company_id'],
        ])
      ).result,
    ).toEqual([{ id: expect.any(Number), name: 'admin', email: false, company_id: false }]);
    expect(
      (await createJson('object', 'execute', ['main', id, key, 'res.partner', 'search_count', []])).result,
    ).toEqual(expect.any(Number));
  });

  test('returns the id unchanged, or null if it is missing', async () => {
    for (const id of ['abc', 0, null, { a: [1] }])
      expect((await createJson('common', 'version', [], id)).id).toEqual(id);
    const answer = await post(`${app.url}/jsonrpc`, {
      params: { service: 'common', method: 'version', args: [] },
    });
    expect(answer.json().id).toBeNull();
  });

  test('returns AccessDenied for a wrong password', async () => {
    const { error } = await createJson('object', 'execute_kw', [
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
    ['a string', '"x"', 400, 'Invalid JSON-RPC data'],
  ])('rejects %s with a plain text message', async (_what, body, status, text) => {
    const answer = await post(`${app.url}/jsonrpc`, body);
    expect([answer.status, answer.text]).toEqual([status, text]);
  });

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'rejects %j',
    async (type) => {
      const response = await fetch(`${app.url}/jsonrpc`, {
        method: 'POST',
        headers: { 'content-type': type },
        body: '{}',
      });
      expect(response.status).toBe(415);
      expect(response.headers.get('accept')).toBe('application/json, application/json-rpc');
    },
  );

  test('accepts application/json-rpc and a charset', async () => {
    for (const type of ['application/json-rpc', 'application/json; charset=utf-8']) {
      const body = JSON.stringify({ params: { service: 'common', method: 'version', args: [] } });
      expect(
        (await fetch(`${app.url}/jsonrpc`, { method: 'POST', headers: { 'content-type': type }, body }))
          .status,
      ).toBe(200);
    }
  });
});
