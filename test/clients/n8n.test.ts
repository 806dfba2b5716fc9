import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createPoster, JSON_TYPE as json, parseOk } from './wire.ts';

// Requests sent by n8n's Odoo node, in its order and with its headers: version 2 with a key, version 1 with a password.

const HOST = 'main.atrium.test';
const id = expect.any(Number);

const app = setUpApp({ PUBLIC_URL: 'http://atrium.test' });
let key: string;
beforeAll(async () => {
  key = app.main.admin.key;
});

const { post, service } = createPoster(() => app.port);

describe('n8n with an API key', () => {
  const call = (path: string, body: object) =>
    post(`/json/2/${path}`, body, { ...json, authorization: `bearer ${key}`, 'X-Odoo-Database': 'main' });
  const readValue = async (path: string, body: object) => parseOk(await call(path, body));
  const list = (model: string, domain: unknown[], fields: string[]) =>
    readValue(`${model}/search_read`, { domain, fields, limit: 60, offset: 0 });

  test('tests the credential', async () => {
    const body = { domain: [], fields: ['id'], limit: 1 };
    expect(await readValue('res.partner/search_read', body)).toEqual([{ id }]);
    const wrongHeaders = { ...json, authorization: 'bearer wrong' };
    expect((await post('/json/2/res.partner/search_read', body, wrongHeaders)).status).toBe(401);
  });

  test('lists models, contacts, users and activity types for its menus', async () => {
    expect(await list('ir.model', [['name', 'ilike', 'contact']], ['name', 'model'])).toContainEqual({
      id,
      name: 'Contact',
      model: 'res.partner',
    });
    const users = [['active', '=', true]];
    expect(await list('res.users', users, ['id', 'name'])).toContainEqual({ id, name: 'admin' });
    expect(await list('res.partner', [['display_name', 'ilike', 'adm']], ['id', 'display_name'])).toEqual([
      { id, display_name: 'admin' },
    ]);
    expect((await list('mail.activity.type', [], ['id', 'name'])).length).toBeGreaterThan(0);
    expect(await list('crm.lead', [], ['id', 'name'])).toEqual([]);
  });

  test('maps the fields of a model', async () => {
    const attributes = ['string', 'type', 'required', 'readonly', 'selection'];
    const fields = await readValue('crm.lead/fields_get', { attributes });
    expect(fields.name).toMatchObject({ type: 'char', required: expect.any(Boolean), readonly: false });
    expect(fields.type).toMatchObject({
      type: 'selection',
      selection: expect.arrayContaining([['lead', 'Lead']]),
    });
    expect(await readValue('res.partner/default_get', { fields_list: ['active', 'type'] })).toEqual({
      active: true,
      type: 'contact',
    });
  });

  test('creates, gets, updates and deletes a contact', async () => {
    const [partnerId] = await readValue('res.partner/create', {
      vals_list: [{ name: 'From n8n', color: '3' }],
    });
    expect(await readValue('res.partner/read', { ids: [partnerId], fields: ['name', 'color'] })).toEqual([
      { id: partnerId, name: 'From n8n', color: 3 },
    ]);
    expect(await readValue('res.partner/write', { ids: [partnerId], vals: { city: 'Ghent' } })).toBe(true);
    expect(await list('res.partner', [['city', '=', 'Ghent']], ['city'])).toEqual([
      { id: partnerId, city: 'Ghent' },
    ]);
    expect(await readValue('res.partner/unlink', { ids: [partnerId] })).toBe(true);
  });

  test('schedules an activity using the model id', async () => {
    const [model] = await list('ir.model', [['model', '=', 'res.partner']], ['id']);
    const [kind] = await list('mail.activity.type', [], ['id']);
    const [partner] = await list('res.partner', [['name', '=', 'admin']], ['id']);
    const planned = { res_model_id: model.id, res_id: partner.id, activity_type_id: kind.id };
    const [activityId] = await readValue('mail.activity/create', {
      vals_list: [{ ...planned, summary: 'Call back', date_deadline: '2030-01-31' }],
    });
    expect(
      await list('mail.activity', [['summary', 'ilike', 'call']], ['id', 'summary', 'res_name']),
    ).toEqual([{ id: activityId, summary: 'Call back', res_name: 'admin' }]);
  });

  test('shows the error message', async () => {
    const response = await call('res.partner/write', { ids: [99999999], vals: { city: 'x' } });
    expect([response.status, response.json().message]).toEqual([404, expect.stringContaining('res.partner')]);
  });
});

describe('n8n with a password', () => {
  let uid: number;
  /** n8n uses the first part of the host as the database if none is set. */
  const database = HOST.split('.')[0];
  const execute = (model: string, method: string, ...args: unknown[]) =>
    service('object', 'execute', database, uid, app.main.admin.password, model, method, ...args);
  beforeAll(async () => {
    uid = await service('common', 'login', database, 'admin', app.main.admin.password);
  });

  test('signs in: login returns a user id, or false for a wrong password', async () => {
    expect(uid).toBe(app.main.admin.id);
    expect(await service('common', 'login', database, 'admin', 'wrong')).toBe(false);
    expect(await service('common', 'version')).toMatchObject({ server_serie: '19.0' });
  });

  test('reads fields with positional arguments', async () => {
    const attributes = ['string', 'type', 'help', 'required', 'name'];
    const fields = await execute('res.partner', 'fields_get', [], attributes);
    expect(fields.name).toMatchObject({ name: 'name', type: 'char', string: 'Name' });
  });

  test('creates, gets, lists, updates and deletes with positional arguments', async () => {
    const partnerId = await execute('res.partner', 'create', { name: 'By position' });
    expect(partnerId).toEqual(id);
    expect(await execute('res.partner', 'read', [partnerId], [])).toMatchObject([
      { id: partnerId, city: false },
    ]);
    expect(await execute('res.partner', 'read', [partnerId], ['name'])).toEqual([
      { id: partnerId, name: 'By position' },
    ]);
    const domain = [['name', '=', 'By position']];
    expect(await execute('res.partner', 'search_read', domain, ['name'], 0, 0)).toHaveLength(1);
    expect(await execute('res.partner', 'search_read', domain, ['name'], 0)).toHaveLength(1);
    expect((await execute('res.partner', 'search_read', [], [], 0, 1))[0]).toHaveProperty('create_date');
    expect(await execute('res.partner', 'write', [partnerId], { city: 'Ghent' })).toBe(true);
    expect(await execute('res.partner', 'unlink', [partnerId])).toBe(true);
  });

  test('reads and writes opportunities', async () => {
    const leadId = await execute('crm.lead', 'create', { name: 'Deal', type: 'opportunity', priority: '2' });
    const lead = await execute('crm.lead', 'read', [leadId], ['name', 'stage_id', 'priority']);
    expect(lead).toEqual([{ id: leadId, name: 'Deal', stage_id: [id, 'New'], priority: '2' }]);
  });

  test('calls a method by name, with the arguments in a list', async () => {
    const args = [database, uid, app.main.admin.password, 'ir.model', 'search_read', []];
    const models = await service('object', 'execute_kw', ...args, { fields: ['name', 'model'] });
    expect(models).toContainEqual({ id, name: 'Contact', model: 'res.partner' });
  });

  test('shows the error message', async () => {
    await expect(execute('res.partner', 'read', [1], ['no_such_field'])).rejects.toThrow(/no_such_field/);
  });
});
