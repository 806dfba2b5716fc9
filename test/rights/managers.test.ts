import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';
import { parseJson, postWeb, signInWeb } from '../harness/facades/web.ts';
import { createScene, type Person } from './scene.ts';

const app = setUpApp();
const scene = createScene(app);
let admin: JsonClient;
let manager: Person;
beforeAll(async () => {
  admin = scene.admin;
  manager = await scene.addPerson('manager', [await scene.groupId('base.group_erp_manager')]);
});

describe('an access rights manager', () => {
  test.each(['partner_id', 'email'])("cannot change an administrator's %s", async (field) => {
    const contact = await admin.create('res.partner', { name: 'Somebody' });
    const value = field === 'partner_id' ? contact : 'mine@manager.example';
    const vals = { [field]: value };
    const error = await manager.expectError(403, 'res.users/write', { ids: [app.main.admin.id], vals });
    expect(error.message).toContain('Only an administrator');
    await admin.value('res.users/write', { ids: [app.main.admin.id], vals: { email: 'admin@main.example' } });
  });

  test('cannot link a user to a contact without the right to change the contact', async () => {
    const contact = await admin.create('res.partner', { name: 'Customer', email: 'customer@x.example' });
    const { id } = app.main.user;
    const before = await admin.read('res.users', id, ['partner_id']);
    await manager.expectError(403, 'res.users/write', { ids: [id], vals: { partner_id: contact } });
    const user = { login: 'new', name: 'New', partner_id: contact };
    await manager.expectError(403, 'res.users/create', { vals_list: [user] });
    expect(await admin.read('res.users', id, ['partner_id'])).toEqual(before);
    expect((await admin.read('res.partner', contact, ['email', 'name'])).name).toBe('Customer');
    await manager.value('res.users/write', { ids: [id], vals: { email: 'user@main.example' } });
    await admin.value('res.users/create', { vals_list: [user] });
  });
});

describe('archiving a user', () => {
  test("ends the user's sessions permanently", async () => {
    const person = await scene.addPerson('leaver');
    const cookie = await signInWeb(app, person);
    const call = { model: 'res.users', method: 'context_get', args: [], kwargs: {} };
    const isIn = async () =>
      'result' in parseJson(await postWeb(app, '/web/dataset/call_kw', call, { cookie }));
    expect(await isIn()).toBe(true);
    await admin.value('res.users/write', { ids: [person.id], vals: { active: false } });
    expect(await isIn()).toBe(false);
    await admin.value('res.users/write', { ids: [person.id], vals: { active: true } });
    expect(await isIn()).toBe(false);
  });
});

describe('platform jobs', () => {
  test('can be run by an administrator only if the installation has a single workspace', async () => {
    const [cron] = await admin.value('ir.cron/search', { domain: [['code', '=', 'session-purge']] });
    expect(await admin.value('ir.cron/method_direct_trigger', { ids: [cron] })).toBe(true);
    const acme = await app.tenant('acme');
    for (const key of [app.main.admin.key, acme.admin.key]) {
      const calls = createJsonClient(app, key);
      const [ownJob] = await calls.value('ir.cron/search', { domain: [['code', '=', 'session-purge']] });
      const error = await calls.expectError(403, 'ir.cron/method_direct_trigger', { ids: [ownJob] });
      expect(error.message).toContain('only the operator');
    }
  });
});
