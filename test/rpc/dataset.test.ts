import { beforeAll, describe, expect, test } from 'vitest';
import { defineOperation } from '../../src/engine/operation/operation.ts';
import { setUpApp } from '../harness/app.ts';
import { sendRequest } from '../harness/facades/graphql.ts';
import { parseJson, postWeb, signInWeb } from '../harness/facades/web.ts';

defineOperation('testAction', {
  effects: ['reads'],
  address: 'res.partner/test_action',
  policy: { auth: ['USER'], scope: 'read' },
  description: 'Answers with what it is given.',
  args: (arg) => ({ ids: arg.intList({ required: true }), answer: arg({ type: 'JSON' }) }),
  nullable: true,
  run: (_ctx, { answer }) => answer,
});

const app = setUpApp();
let cookie: string;
beforeAll(async () => {
  cookie = await signInWeb(app);
});

const CALL_KW = '/web/dataset/call_kw';
const call = (params: object, path = CALL_KW, headers = {}) =>
  postWeb(app, path, params, { cookie, ...headers });
const readResult = async (params: object, path = CALL_KW) => {
  const response = parseJson(await call(params, path));
  expect(response.error).toBeUndefined();
  return response.result;
};

describe('call_kw', () => {
  test('calls a method with the session, regardless of the rest of the path', async () => {
    const search = { model: 'res.partner', method: 'search', args: [[['name', '=', 'admin']]], kwargs: {} };
    const [id] = await readResult(search);
    for (const path of [CALL_KW, `${CALL_KW}/res.partner/search`, `${CALL_KW}/anything/at/all`])
      expect(await readResult(search, path)).toEqual([id]);
    const readCall = { model: 'res.partner', method: 'read', args: [[id]], kwargs: { fields: ['name'] } };
    expect(await readResult(readCall)).toEqual([{ id, name: 'admin' }]);
    const rows = { model: 'res.partner', method: 'search_read', args: [], kwargs: { fields: ['name'] } };
    expect(await readResult(rows)).toContainEqual({ id, name: 'admin' });
  });

  test('creates records, and accepts a context', async () => {
    const create = (values: object) =>
      readResult({ model: 'res.partner', method: 'create', args: [values], kwargs: {} });
    const id = await create({ name: 'By session', active: false });
    expect(id).toEqual(expect.any(Number));
    expect(await create([{ name: 'One' }])).toEqual([expect.any(Number)]);
    const kwargs = { context: { active_test: false, lang: 'en_US' } };
    const args = [[['name', '=', 'By session']]];
    expect(await readResult({ model: 'res.partner', method: 'search', args, kwargs })).toEqual([id]);
    expect(await readResult({ model: 'res.partner', method: 'unlink', args: [[id]] })).toBe(true);
  });

  test('omits a null result', async () => {
    const params = { model: 'res.partner', method: 'check_access_rights', args: ['read'], kwargs: {} };
    expect(parseJson(await call(params))).toEqual({ jsonrpc: '2.0', id: 7 });
  });

  test.each<[string, object, number, string, RegExp]>([
    [
      'an unknown model',
      { model: 'no.such' },
      404,
      'werkzeug.exceptions.NotFound',
      /^404 Not Found: .*'no\.such'/,
    ],
    ['an unknown method', { method: 'no_such' }, 0, 'builtins.AttributeError', /does not exist/],
    ['a private method', { method: '_search' }, 0, 'odoo.exceptions.AccessError', /Private methods/],
    ['a missing model', { model: undefined }, 0, 'builtins.TypeError', /missing .*'model'/],
    ['a model that is not a string', { model: 5 }, 0, 'builtins.TypeError', /'model' must be a string/],
    ['a method that is not a string', { method: {} }, 0, 'builtins.TypeError', /'method' must be a string/],
    ['arguments that are not a list', { args: { a: 1 } }, 0, 'builtins.TypeError', /'args' must be a list/],
    [
      'named arguments that are not a struct',
      { kwargs: [1] },
      0,
      'builtins.TypeError',
      /'kwargs' must be a struct/,
    ],
    ['an unknown argument name', { kwargs: { nope: 1 } }, 0, 'builtins.TypeError', /'nope'/],
  ])('rejects %s', async (_what, change, code, name, message) => {
    const right = { model: 'res.partner', method: 'search', args: [[]], kwargs: {} };
    const response = await call({ ...right, ...change });
    const { error } = parseJson(response);
    expect([response.status, error.code, error.data.name]).toEqual([200, code, name]);
    expect(error.message).toBe(code === 404 ? '404: Not Found' : 'Odoo Server Error');
    expect(error.data.message).toMatch(message);
    expect(error.data.debug).toBe('');
  });

  test('requires a session and rejects a key without a session', async () => {
    const params = { model: 'res.partner', method: 'search_count', args: [[]], kwargs: {} };
    const bearer = { authorization: `Bearer ${app.main.admin.key}` };
    for (const headers of [{}, bearer]) {
      const { error } = parseJson(await postWeb(app, CALL_KW, params, headers));
      expect([error.code, error.message]).toEqual([100, 'Odoo Session Expired']);
    }
  });

  test("applies the user's rights", async () => {
    const cookie = await signInWeb(app, app.main.user);
    const params = { model: 'res.partner', method: 'create', args: [{ name: 'x' }], kwargs: {} };
    const { error } = parseJson(await postWeb(app, CALL_KW, params, { cookie }));
    expect(error.data.name).toBe('odoo.exceptions.AccessError');
  });

  test('rejects a session from a page of another site', async () => {
    const params = { model: 'res.partner', method: 'search_count', args: [[]], kwargs: {} };
    for (const headers of [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { 'sec-fetch-site': 'cross-site' },
    ])
      expect((await call(params, CALL_KW, headers)).status).toBe(403);
    expect((await call(params, CALL_KW, { 'content-type': 'text/plain' })).status).toBe(415);
    expect(parseJson(await call(params, CALL_KW, { origin: app.url })).result).toEqual(expect.any(Number));
  });

  test('accepts a large body only with a session', async () => {
    const domain = [['name', '=', 'x'.repeat(2_000_000)]];
    const params = { model: 'res.partner', method: 'search_count', args: [domain], kwargs: {} };
    expect(parseJson(await call(params)).result).toBe(0);
    expect((await postWeb(app, CALL_KW, params)).status).toBe(413);
  });

  test('accepts only POST', async () => {
    for (const path of [CALL_KW, `${CALL_KW}/res.partner/search`, '/web/session/authenticate'])
      expect((await sendRequest(app, 'GET', path, { cookie })).status).toBe(405);
  });
});

test('resequence numbers records in the given order', async () => {
  const create = (name: string) =>
    readResult({ model: 'crm.stage', method: 'create', args: [[{ name }]], kwargs: {} }).then(([id]) => id);
  const ids = [await create('First'), await create('Second')].reverse();
  expect(await readResult({ model: 'crm.stage', ids, offset: 7 }, '/web/dataset/resequence')).toBe(true);
  const readCall = { model: 'crm.stage', method: 'read', args: [ids, ['sequence']], kwargs: {} };
  expect(await readResult(readCall)).toEqual(ids.map((id, index) => ({ id, sequence: 7 + index })));
});

describe('call_button', () => {
  const press = (response: unknown) =>
    readResult(
      { model: 'res.partner', method: 'test_action', args: [[1]], kwargs: { answer: response } },
      '/web/dataset/call_button/res.partner/test_action',
    );

  test('returns an action, or false for any other result', async () => {
    const action = { type: 'ir.actions.act_window', res_model: 'res.partner' };
    expect(await press(action)).toEqual(action);
    for (const other of [true, null, [1], 'x', 5, {}, { type: '' }]) expect(await press(other)).toBe(false);
  });
});

describe('action/load', () => {
  const load = (actionId: unknown) => readResult({ action_id: actionId }, '/web/action/load');

  test('returns a window action by external id, id or path', async () => {
    const action = await load('base.action_partner_form');
    expect(action).toMatchObject({
      id: expect.any(Number),
      type: 'ir.actions.act_window',
      name: 'Customers',
      res_model: 'res.partner',
      views: [
        [false, 'kanban'],
        [false, 'list'],
        [false, 'form'],
      ],
      target: 'current',
      domain: false,
      context: '{}',
      xml_id: 'base.action_partner_form',
    });
    for (const id of [action.id, String(action.id)]) expect(await load(id)).toEqual(action);
    const path = {
      model: 'ir.actions.act_window',
      method: 'write',
      args: [[action.id], { path: 'all-contacts' }],
    };
    expect(await readResult({ ...path, kwargs: {} })).toBe(true);
    expect(await load('all-contacts')).toEqual(await load(action.id));
  });

  test('reports a missing action in an error that clients can read', async () => {
    for (const name of [
      'base.no_such_action',
      'base.main_company',
      'nowhere',
      'base.',
      '',
      999_999_999,
      '1e3',
      null,
    ]) {
      const { error } = parseJson(await call({ action_id: name }, '/web/action/load'));
      expect(error.data.name).toBe('odoo.addons.web.controllers.action.MissingActionError');
      expect(error.data.message).toBe(`The action “${name}” does not exist`);
    }
  });
});

test('returns the icon and views of a module', async () => {
  const kwargs = { fields: ['icon_image', 'views_by_module'] };
  const args = [[['name', '=', 'base']]];
  const [base] = await readResult({ model: 'ir.module.module', method: 'search_read', args, kwargs });
  expect(Buffer.from(base.icon_image, 'base64').subarray(1, 4).toString()).toBe('PNG');
  expect(base.views_by_module).toBe('');
});
