import { beforeAll, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { operations } from '../../src/engine/operation/operation.ts';
import { setUpApp } from '../harness/app.ts';
import { runTool as callTool, switchMcp } from '../harness/facades/mcp.ts';
import { createScene, loadRows, type Person } from '../rights/scene.ts';

// Tests each line of "MCP refusals" in the contract with every tool that could violate it.

const app = setUpApp();
const scene = createScene(app);
let manager: Person;
let plainPerson: Person;
let adminGroup: number;
const callAsAdmin = (name: string, args: object) => callTool(app, app.main.admin.key, name, args);

async function expectRejected(
  name: string,
  args: object,
  reason: RegExp,
  key = app.main.admin.key,
): Promise<void> {
  const result = await callTool(app, key, name, args);
  expect([result.isError, result.content?.[0]?.text]).toEqual([true, expect.stringMatching(reason)]);
}

const callDone = async (name: string, args: object, key = app.main.admin.key) => {
  const result = await callTool(app, key, name, args);
  expect([result.isError, result.content[0]!.text]).toEqual([false, expect.any(String)]);
  return result.structuredContent;
};

const loadPowers = async () => {
  const { id } = app.main.ctx.workspace;
  const rows = await app.runtime.db.rows<{ gid: number; uid: number }>(
    sql`select gid, uid from res_groups_users_rel where workspace_id = ${id} order by 1, 2`,
  );
  return JSON.stringify([rows, await loadRows(app, app.main, 'res_groups_implied_rel')]);
};

beforeAll(async () => {
  await switchMcp(app, app.main, true);
  adminGroup = await scene.groupId('base.group_system');
  manager = await scene.addPerson('manager', [await scene.groupId('base.group_erp_manager')]);
  plainPerson = await scene.addPerson('plain');
});

describe('rule 1: protected models', () => {
  const CLOSED = [
    'ir.model.access',
    'ir.rule',
    'res.groups',
    'res.groups.privilege',
    'ir.ui.menu',
    'ir.cron',
    'ir.config_parameter',
    'svc.mail.rule',
    'svc.mail.feature',
    'svc.api.key',
    'res.users.apikeys',
    'res.users.apikeys.description',
    'res.users.identitycheck',
    'mail.message',
    'svc.mail.message',
    'svc.mail.entry',
    'svc.mail.autoreply',
    'svc.domain',
  ];

  test.each(CLOSED)('%s: rejects create, update and delete', async (model) => {
    const reason = /Agents cannot change/;
    await expectRejected('create', { model, values: {} }, reason);
    await expectRejected('update', { model, ids: [1], values: { name: 'x' } }, reason);
    await expectRejected('delete', { model, ids: [1] }, reason);
    await expectRejected('delete', { model, ids: [1], confirm: true }, reason);
  });

  test.each(CLOSED)('%s: the call tool runs only read-only methods', async (model) => {
    await callDone('call', { model, method: 'search_count', args: [[]] });
    for (const method of ['copy', 'load', 'name_create', 'action_archive', 'web_save', 'message_post']) {
      const result = await callAsAdmin('call', { model, method, ids: [1], confirm: true });
      expect([method, result.isError]).toEqual([method, true]);
      expect(result.content[0]!.text).toMatch(/Agents cannot change|does not exist/);
    }
    await expectRejected('call', { model, method: '_write', confirm: true }, /Private/);
  });

  test('rejects changes to protected models through another record', async () => {
    const model = await scene.addModel('x_open', [], adminGroup);
    const line = [0, 0, { name: 'by an agent', perm_read: true }];
    const reason = /Agents cannot change/;
    await expectRejected(
      'update',
      { model: 'ir.model', ids: [model], values: { access_ids: [line] } },
      reason,
    );
    await expectRejected('update', { model: 'ir.model', ids: [model], values: { rule_ids: [line] } }, reason);
    const newGroup = [[0, 0, { name: 'by an agent' }]];
    await expectRejected(
      'update',
      { model: 'res.users', ids: [plainPerson.id], values: { group_ids: newGroup } },
      reason,
    );
    const message = [[0, 0, { body: 'by an agent' }]];
    const [{ id: partner }] = (await callDone('find', { model: 'res.partner', name: 'plain' })).results;
    await expectRejected(
      'update',
      { model: 'res.partner', ids: [partner], values: { message_ids: message } },
      /Agents cannot change|enough rights to access the field/,
    );
  });

  test('rejects methods that change protected models internally', async () => {
    const args = { key: 'x.y', value: '1' };
    await expectRejected(
      'call',
      { model: 'ir.config_parameter', method: 'set_param', kwargs: args, confirm: true },
      /Agents cannot/,
    );
    await expectRejected(
      'call',
      { model: 'ir.cron', method: 'method_direct_trigger', ids: [1], confirm: true },
      /Agents cannot/,
    );
  });

  test('lets a person make the same change through another facade', async () => {
    await scene.create('res.groups', { name: 'by a person' });
  });
});

describe('rule 2: the Administrator role', () => {
  const reason = /Administrator role/;
  test.each([
    ['adding the group', (id: number) => [4, id]],
    ['replacing the groups', (id: number) => [6, 0, [id]]],
  ] as const)('an agent cannot grant the role to an existing user by %s', async (_how, command) => {
    const before = await loadPowers();
    await expectRejected(
      'update',
      { model: 'res.users', ids: [plainPerson.id], values: { group_ids: [command(adminGroup)] } },
      reason,
    );
    expect(await loadPowers()).toBe(before);
  });

  test('an agent cannot grant the role to a new user, whether by groups, role, copy or import', async () => {
    const before = await loadPowers();
    const values = { name: 'New', login: 'new' };
    await expectRejected(
      'create',
      { model: 'res.users', values: { ...values, group_ids: [[4, adminGroup]] } },
      reason,
    );
    await expectRejected(
      'create',
      { model: 'res.users', values: { ...values, role: 'group_system' } },
      reason,
    );
    const copy = { model: 'res.users', method: 'copy', ids: [app.main.admin.id], confirm: true };
    const copied = await callAsAdmin('call', { ...copy, kwargs: { default: { login: 'copied' } } });
    expect(copied.isError).toBe(true);
    const table = { fields: ['name', 'login', 'group_ids/.id'], data: [['T', 'table', String(adminGroup)]] };
    const loaded = await callAsAdmin('call', {
      model: 'res.users',
      method: 'load',
      kwargs: table,
      confirm: true,
    });
    expect(loaded.isError || loaded.structuredContent.result.ids === false).toBe(true);
    expect(await loadPowers()).toBe(before);
    const logins = ['new', 'copied', 'table'];
    expect(await scene.admin.value('res.users/search', { domain: [['login', 'in', logins]] })).toEqual([]);
  });

  test('an agent cannot grant the role through a group that implies it', async () => {
    const leadingId = await scene.addGroup('leads there', { implied_ids: [[4, adminGroup]] });
    const before = await loadPowers();
    const values = { group_ids: [[4, leadingId]] };
    await expectRejected('update', { model: 'res.users', ids: [plainPerson.id], values }, reason);
    await expectRejected(
      'update',
      { model: 'res.groups', ids: [leadingId], values: { user_ids: [[4, plainPerson.id]] } },
      /Agents cannot/,
    );
    expect(await loadPowers()).toBe(before);
  });

  test('an agent cannot grant the role through a record related to the user', async () => {
    const before = await loadPowers();
    const [partner] = await scene.admin.value('res.users/read', {
      ids: [plainPerson.id],
      fields: ['partner_id'],
    });
    const nested = { user_ids: [[1, plainPerson.id, { group_ids: [[4, adminGroup]] }]] };
    const result = await callAsAdmin('update', {
      model: 'res.partner',
      ids: [partner.partner_id[0]],
      values: nested,
    });
    expect(result.isError).toBe(true);
    expect(await loadPowers()).toBe(before);
  });

  test('an agent cannot grant the role by reactivating an administrator', async () => {
    const sleepingPerson = await scene.addPerson('sleeping', [adminGroup]);
    await scene.admin.value('res.users/write', { ids: [sleepingPerson.id], vals: { active: false } });
    await expectRejected(
      'update',
      { model: 'res.users', ids: [sleepingPerson.id], values: { active: true }, confirm: true },
      reason,
    );
    const wake = { model: 'res.users', method: 'action_unarchive', ids: [sleepingPerson.id], confirm: true };
    await expectRejected('call', wake, reason);
  });

  test('a person can grant the role, and an agent can grant other roles', async () => {
    const group = await scene.groupId('base.group_partner_manager');
    await callDone('update', {
      model: 'res.users',
      ids: [plainPerson.id],
      values: { group_ids: [[4, group]] },
    });
    const person = await scene.addPerson('chosen');
    await scene.admin.value('res.users/write', {
      ids: [person.id],
      vals: { group_ids: [[4, adminGroup]] },
    });
  });

  test("a user manager's agent cannot grant the role", async () => {
    await expectRejected(
      'update',
      { model: 'res.users', ids: [plainPerson.id], values: { group_ids: [[4, adminGroup]] } },
      /administrator/i,
      manager.key,
    );
  });
});

describe('rule 3: passwords, secrets and settings', () => {
  test('rejects writing a password', async () => {
    const reason = /holds a secret/;
    for (const name of ['password', 'new_password']) {
      const values = { [name]: 'a new password' };
      await expectRejected('update', { model: 'res.users', ids: [plainPerson.id], values }, reason);
      await expectRejected(
        'create',
        { model: 'res.users', values: { name: 'P', login: 'p', ...values } },
        reason,
      );
      const context = { [`default_${name}`]: 'a new password' };
      const add = { fields: ['name', 'login'], data: [['P', 'p']], context };
      const loaded = await callAsAdmin('call', {
        model: 'res.users',
        method: 'load',
        kwargs: add,
        confirm: true,
      });
      expect(loaded.isError || loaded.structuredContent.result.ids === false).toBe(true);
    }
    await expectRejected(
      'call',
      {
        model: 'res.users',
        method: 'change_password',
        kwargs: { old_passwd: app.main.admin.password, new_passwd: 'a new password' },
        confirm: true,
      },
      /Agents cannot call/,
    );
  });

  test('rejects writing a field with a secret name', async () => {
    await scene.addModel(
      'x_safe',
      [
        { name: 'x_name', ttype: 'char', field_description: 'Name' },
        { name: 'x_api_key', ttype: 'char', field_description: 'Key' },
      ],
      adminGroup,
    );
    await expectRejected(
      'create',
      { model: 'x_safe', values: { x_name: 'a', x_api_key: 's' } },
      /holds a secret/,
    );
    const { created_id } = await callDone('create', { model: 'x_safe', values: { x_name: 'a' } });
    await expectRejected(
      'update',
      { model: 'x_safe', ids: [created_id], values: { x_api_key: 's' } },
      /holds a secret/,
    );
    const web = { model: 'x_safe', method: 'copy', ids: [created_id], confirm: true };
    await expectRejected('call', { ...web, kwargs: { default: { x_api_key: 's' } } }, /holds a secret/);
  });
});

describe('rule 4: methods excluded from the call tool', () => {
  test.each([
    'compose_send',
    'import_messages',
    'import_imap_probe',
    'import_imap_batch',
    'empty_trash',
    'delete_forever',
  ])('rejects %s', async (method) => {
    const call = { model: 'svc.mail.account', method, confirm: true };
    await expectRejected('call', call, /Agents cannot call/);
    await expectRejected('call', { ...call, confirm: false }, /Agents cannot call/);
  });

  test.each(['send_as_state', 'send_as_connect_start', 'send_as_disconnect'])(
    'rejects the nonexistent method %s',
    async (method) => {
      const call = { model: 'svc.mail.account', method, confirm: true };
      await expectRejected('call', call, /does not exist/);
    },
  );

  test.each([
    ['res.users.apikeys', 'generate', { key: 'x', name: 'x' }],
    ['res.users.apikeys.description', 'make_key', {}],
  ])('%s.%s creates no key', async (model, method, kwargs) => {
    await expectRejected('call', { model, method, kwargs, confirm: true }, /Agents cannot change/);
  });

  test('rejects operations that return credentials', async () => {
    const secret = [...operations.values()].filter(
      ({ model, effects }) => model && effects.includes('secret'),
    );
    expect(secret.length).toBeGreaterThan(4);
    for (const { model, method } of secret)
      await expectRejected('call', { model, method, ids: [1], confirm: true }, /Agents cannot/);
  });
});

describe('rules 5 and 6: confirmations', () => {
  test('are required for deletes and for calls that change data', async () => {
    const { created_id: id } = await callDone('create', { model: 'res.partner', values: { name: 'Stays' } });
    const readRows = () => loadRows(app, app.main, 'res_partner');
    const before = await readRows();
    expect((await callDone('delete', { model: 'res.partner', ids: [id] })).confirm_required).toBe(true);
    const archive = { model: 'res.partner', method: 'action_archive', ids: [id] };
    expect((await callDone('call', archive)).confirm_required).toBe(true);
    for (const confirm of [false, null]) await callDone('call', { ...archive, confirm });
    await expectRejected('call', { ...archive, confirm: 'true' }, /confirm/);
    expect(await readRows()).toBe(before);
  });
});
