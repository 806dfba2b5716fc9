import { describe, expect, test } from 'vitest';
import { convertPostgresError, MAX_ERROR_MESSAGE_CHARS } from '../../src/errors.ts';
import { post, setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';

const app = setUpApp();

const callJson2 = async (path: string, body: object) => {
  const { status, text } = await json2(app, path, body, app.main.admin.key);
  return [status, JSON.parse(text).message as string] as const;
};
const START = 'The operation cannot be completed: ';

describe('translation of database errors', () => {
  test('names the field by its label for a duplicate value', async () => {
    await callJson2('res.company/create', { vals_list: [{ name: 'Twice' }] });
    expect(await callJson2('res.company/create', { vals_list: [{ name: 'Twice' }] })).toEqual([
      422,
      `${START}the value already exists (Company Name).`,
    ]);
  });

  test('reports a missing record and a record that is still referenced', async () => {
    const absent = await callJson2('res.partner/create', {
      vals_list: [{ name: 'x', parent_id: 2000000011 }],
    });
    expect(absent).toEqual([
      404,
      'Record does not exist or has been deleted.\n(Field: Related Company (parent_id))',
    ]);
    const [status, needed] = await callJson2('res.company/unlink', { ids: [1] });
    expect(status).toBe(422);
    expect(needed).toMatch(/^The operation cannot be completed: Another model is using the record/);
    expect(needed).not.toMatch(/_fkey|res_|workspace/);
  });

  test('hides internal names without a public label', () => {
    const error = {
      code: '23505',
      table: 'svc_secret',
      constraint: 'svc_secret_key',
      detail: 'Key (a)=(1) exists.',
    };
    expect(convertPostgresError(error)?.message).toBe(`${START}the value already exists.`);
    expect(convertPostgresError({ code: '23502', table: 't', column: 'c' })?.message).toBe(
      `${START}Missing required value.`,
    );
    expect(convertPostgresError({ code: 'ECONNRESET' })).toBeUndefined();
    expect(convertPostgresError(new Error('x'))).toBeUndefined();
  });
});

describe('a NUL character from a client', () => {
  test('is a client error in the sign-in form', async () => {
    const response = await fetch(`${app.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'login=%00&password=x',
    });
    expect([400, 401, 422]).toContain(response.status);
    expect(await response.text()).not.toMatch(/Something went wrong/);
  });

  test('is a client error in the database name of a classic RPC sign-in', async () => {
    const args = ['a\0', 'admin', 'x', {}];
    const { text } = await post(`${app.url}/jsonrpc`, {
      params: { service: 'common', method: 'authenticate', args },
    });
    expect(text).toContain('NUL');
    expect(text).not.toMatch(/Something went wrong/);
  });
});

test('truncates caller input in error messages', async () => {
  const long = 'x'.repeat(100_000);
  for (const [path, body] of [
    ['res.partner/search', { domain: [], order: long }],
    ['res.partner/search_read', { fields: [long] }],
    ['res.partner/write', { ids: [1], vals: { category_id: 1, [long]: 1 } }],
    ['res.partner/write', { ids: [1], vals: { child_ids: [{ long }] } }],
  ] as const) {
    const [status, message] = await callJson2(path, body);
    expect(status).toBe(422);
    expect(message.length).toBeLessThanOrEqual(MAX_ERROR_MESSAGE_CHARS + 1);
  }
});
