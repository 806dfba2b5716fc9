import { beforeAll, describe, expect, it } from 'vitest';
import { MAX_NEW_FOLLOWERS } from '../../schema/base/discussion/followers.ts';
import { MAX_LIVE_KEYS } from '../../schema/base/keys/key-limits.ts';
import { createKey } from '../../schema/base/keys/keys.ts';
import { sql } from '../../src/db/sql.ts';
import { MAX_SIGN_IN_FAILURES } from '../../src/engine/identity/failures.ts';
import { addMember } from '../apps/member.ts';
import { post, setUpApp } from '../harness/app.ts';
import { createJsonClient, type JsonClient } from '../harness/facades/json2.ts';

const app = setUpApp();
const admin = createJsonClient(app);
/** A company whose only member is the administrator. */
let company: number;
let hidden: number;

beforeAll(async () => {
  company = await admin.create('res.company', { name: 'Second' });
  hidden = await admin.create('res.partner', {
    name: 'Hidden Corp',
    is_company: true,
    email: 'hidden@x.example',
    phone: '+33123456',
    street: 'Secret street 1',
    company_id: company,
  });
});

const groupId = async (external: string): Promise<number> => {
  const { ctx } = app.main;
  const rows = await ctx.db.rows<{ id: number }>(
    sql`select id from res_groups where workspace_id = ${ctx.workspace.id} and external_id = ${external}`,
  );
  return rows[0]!.id;
};

const createUserKey = async (userId: number, scopes: string[] = []): Promise<string> =>
  (await createKey(app.main.ctx, { name: 'test', userId, scopes, days: null })).key;

describe('copies of hidden values', () => {
  let sales: JsonClient;
  beforeAll(async () => {
    sales = (await addMember(app, app.main, 'seller', ['sales_team.group_sale_salesman'])).caller;
    const error = await sales.expectRejection('res.partner/read', { ids: [hidden], fields: ['email'] });
    expect(error.status).toBe(403);
  });

  it('are not made when a lead is created for a hidden contact', async () => {
    const fields = ['email_from', 'phone', 'street', 'partner_name'];
    const { value } = await sales.value('crm.lead/onchange', {
      ids: [],
      values: { name: 'L', partner_id: hidden },
      field_names: ['partner_id'],
      fields_spec: Object.fromEntries(fields.map((name) => [name, {}])),
    });
    expect(JSON.stringify(value ?? {})).not.toMatch(/hidden|Hidden|Secret|\+33/);
    await sales.expectError(403, 'crm.lead/create', { vals_list: [{ name: 'L', partner_id: hidden }] });
    const shownLead = await admin.create('crm.lead', { name: 'Shown', partner_id: hidden, user_id: false });
    const unset = Object.fromEntries(fields.map((name) => [name, false]));
    await admin.value('crm.lead/write', { ids: [shownLead], vals: unset });
    const lead = await sales.create('crm.lead', { name: 'L', partner_id: hidden });
    expect((await admin.value('crm.lead/search_read', { domain: [['id', '=', lead]], fields }))[0]).toEqual({
      id: lead,
      ...unset,
    });
  });

  it('are not made when an order line is created for a hidden product', async () => {
    const template = await admin.create('product.template', {
      name: 'Hidden product',
      list_price: 777,
      company_id: company,
      description_sale: 'secret sauce',
    });
    const { product_variant_ids } = await admin.read('product.template', template, ['product_variant_ids']);
    const partner_id = await admin.create('res.partner', { name: 'Open' });
    const response = await sales.value('sale.order.line/onchange', {
      ids: [],
      values: { product_id: product_variant_ids[0], name: 'x' },
      field_names: ['product_id'],
      fields_spec: { name: {}, price_unit: {} },
    });
    expect(JSON.stringify(response)).not.toMatch(/Hidden|secret|777/);
    const order = await sales.create('sale.order', { partner_id });
    const line = { order_id: order, product_id: product_variant_ids[0], name: 'x' };
    await sales.expectError(403, 'sale.order.line/create', { vals_list: [line] });
  });

  it('are not made when a task is created in a hidden project', async () => {
    const { caller } = await addMember(app, app.main, 'worker', ['project.group_project_user']);
    const project_id = await admin.create('project.project', {
      name: 'Hidden project',
      privacy_visibility: 'followers',
      partner_id: hidden,
    });
    const response = await caller.value('project.task/onchange', {
      ids: [],
      values: { name: 'x', project_id },
      field_names: ['project_id'],
      fields_spec: { partner_id: {}, stage_id: {} },
    });
    expect(response.value?.partner_id ?? false).toBe(false);
  });

  it('are not made when a message is posted with a hidden author', async () => {
    const lead = await sales.create('crm.lead', { name: 'Told' });
    const post = { ids: [lead], body: 'x', author_id: hidden };
    await sales.expectError(403, 'crm.lead/message_post', post);
  });

  it('are not made when a hidden file is attached to a message', async () => {
    const file = await admin.create('ir.attachment', { name: 'Salaries.pdf', raw: 'x' });
    const partner = await admin.create('res.partner', { name: 'Open' });
    const user = await addMember(app, app.main, 'doer', ['base.group_user', 'base.group_partner_manager']);
    await admin.value('res.partner/activity_schedule', { ids: [partner], user_id: user.id, summary: 's' });
    const [activity] = await user.caller.value('mail.activity/search', {
      domain: [['user_id', '=', user.id]],
    });
    const error = await user.caller.expectRejection('mail.activity/action_feedback', {
      ids: [activity],
      attachment_ids: [file],
    });
    expect(error.status).toBe(403);
  });
});

it('rejects merging leads with only read access', async () => {
  const seller = await addMember(app, app.main, 'merger', ['sales_team.group_sale_salesman']);
  const domain = [['model_id.model', '=', 'crm.lead']];
  const rules = await admin.value('ir.rule/search_read', { domain, fields: ['domain_force', 'groups'] });
  const ownRule = rules.find((rule: { domain_force: string }) => rule.domain_force.includes('user.id'));
  await admin.value('ir.rule/write', { ids: [ownRule.id], vals: { perm_read: false } });
  const otherId = await admin.create('crm.lead', { name: 'Of admin', user_id: app.main.admin.id });
  const ownId = await seller.caller.create('crm.lead', { name: 'Mine', user_id: seller.id });
  await seller.caller.value('crm.lead/read', { ids: [otherId], fields: ['name'] });
  const error = await seller.caller.expectRejection('crm.lead/merge_opportunity', { ids: [ownId, otherId] });
  expect(error.status).toBe(403);
  await admin.value('ir.rule/write', { ids: [ownRule.id], vals: { perm_read: true } });
  expect((await admin.read('crm.lead', otherId, ['name'])).name).toBe('Of admin');
});

describe('related fields', () => {
  const readField = async (name: string, related: string) => {
    const [model_id] = await admin.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
    return { model_id, name, field_description: name, ttype: 'char', related };
  };

  it('cannot expose a secret', async () => {
    const vals = await readField('x_secret', 'user_id.password');
    const error = await admin.expectRejection('ir.model.fields/create', { vals_list: [vals] });
    expect(error).toMatchObject({ status: 422 });
    expect(error.message).toContain('related');
  });

  it('are hidden from users outside the groups of their source field', async () => {
    await admin.create('ir.model.fields', await readField('x_grouped', 'user_id.new_password'));
    const plainClient = createJsonClient(app, app.main.user.key);
    const partner = await admin.create('res.partner', { name: 'Open' });
    const error = await plainClient.expectRejection('res.partner/read', {
      ids: [partner],
      fields: ['x_grouped'],
    });
    expect(error.status).toBe(403);
  });
});

describe('a user manager without the Administrator role', () => {
  let erp: { id: number; caller: JsonClient };
  let system: number;
  beforeAll(async () => {
    erp = await addMember(app, app.main, 'erp', ['base.group_erp_manager']);
    system = await groupId('base.group_system');
  });

  const expectUserRejected = async (ids: number[], vals: object) =>
    expect((await erp.caller.expectRejection('res.users/write', { ids, vals })).status).toBe(403);

  it('cannot grant the Administrator role', async () => {
    await expectUserRejected([erp.id], { group_ids: [[4, system]] });
    await expectUserRejected([erp.id], { role: 'group_system' });
    const leads = await groupId('base.group_erp_manager');
    const groups: [number, object][] = [
      [system, { user_ids: [[4, erp.id]] }],
      [leads, { implied_ids: [[4, system]] }],
      [system, { implied_by_ids: [[4, leads]] }],
    ];
    for (const [id, vals] of groups)
      expect((await erp.caller.expectRejection('res.groups/write', { ids: [id], vals })).status).toBe(403);
    const error = await erp.caller.expectRejection('res.groups/create', {
      vals_list: [{ name: 'Trick', implied_ids: [[4, system]], user_ids: [[4, erp.id]] }],
    });
    expect(error.status).toBe(403);
    const user = { name: 'Other', login: 'other-admin', group_ids: [[4, system]] };
    expect((await erp.caller.expectRejection('res.users/create', { vals_list: [user] })).status).toBe(403);
    await erp.caller.expectRejection('ir.config_parameter/search', { domain: [] });
  });

  it("cannot change an administrator's password or login", async () => {
    await expectUserRejected([app.main.admin.id], { password: 'a long password' });
    await expectUserRejected([app.main.admin.id], { new_password: 'a long password' });
    await expectUserRejected([app.main.admin.id], { login: 'mine' });
  });

  it('cannot lock an administrator out', async () => {
    const { id } = await addMember(app, app.main, 'second-admin', ['base.group_system']);
    await expectUserRejected([id], { active: false });
    expect((await erp.caller.expectRejection('res.users/action_archive', { ids: [id] })).status).toBe(403);
    expect((await erp.caller.expectRejection('res.users/unlink', { ids: [id] })).status).toBe(403);
    expect((await admin.read('res.users', id, ['active'])).active).toBe(true);
    await admin.value('res.users/write', { ids: [id], vals: { active: false } });
    await expectUserRejected([id], { active: true });
    await admin.value('res.users/unlink', { ids: [id] });
  });

  it('can manage other users', async () => {
    const id = await erp.caller.create('res.users', { name: 'New', login: 'new-one' });
    const export_ = await groupId('base.group_allow_export');
    await erp.caller.value('res.users/write', {
      ids: [id],
      vals: { password: 'a long password', group_ids: [[4, export_]] },
    });
    await erp.caller.value('res.groups/create', { vals_list: [{ name: 'Own', user_ids: [[4, id]] }] });
    await erp.caller.value('res.users/write', { ids: [id], vals: { active: false } });
    await erp.caller.value('res.users/unlink', { ids: [id] });
  });
});

describe('keys and passwords', () => {
  const make = async (key: string, extra = '') =>
    (await post(`${app.url}/graphql`, { query: `mutation { keyCreate(name: "k"${extra}) { id } }` }, key))
      .text;

  it('limit the number and lifetime of keys created over GraphQL', async () => {
    const { id } = await addMember(app, app.main, 'maker', ['base.group_user']);
    const key = await createUserKey(id);
    const copies = [];
    for (let count = 0; count < MAX_LIVE_KEYS; count++) copies.push(await make(key));
    expect(copies[0]).toContain('"id"');
    expect(copies.at(-1)).toContain('active keys');
    const shortId = await admin.create('res.groups', { name: 'Short keys', api_key_duration: 1 });
    const otherClient = await addMember(app, app.main, 'maker2', ['base.group_user']);
    await admin.value('res.users/write', { ids: [otherClient.id], vals: { group_ids: [[4, shortId]] } });
    const second = await createUserKey(otherClient.id);
    expect(await make(second)).toContain('expiration_date');
    expect(await make(second, ', expiresInDays: 1')).toContain('"id"');
  });

  it('keep the minimum password length if the setting is not a number', async () => {
    const set = (value: unknown) =>
      admin.value('ir.config_parameter/set_param', { key: 'auth_password_policy.minlength', value });
    await set('eight');
    const write = (password: string) => ({ ids: [app.main.user.id], vals: { password } });
    expect((await admin.expectRejection('res.users/write', write('a'))).message).toContain('8 characters');
    await set('12');
    const query = `mutation { userCreate(login: "w@x.example", password: "0123456789") { id } }`;
    expect((await post(`${app.url}/graphql`, { query }, app.main.admin.key)).text).toContain('12 characters');
    await set(false);
  });

  it('limit the attempts to guess the old password', async () => {
    const { caller } = await addMember(app, app.main, 'guessed', ['base.group_user']);
    const guess = () =>
      caller.expectRejection('res.users/change_password', { old_passwd: 'no', new_passwd: 'long enough' });
    const texts = [];
    for (let count = 0; count <= MAX_SIGN_IN_FAILURES; count++) texts.push((await guess()).message);
    expect(texts[0]).not.toContain('Too many');
    expect(texts.at(-1)).toContain('Too many');
  });
});

describe('queries', () => {
  it("do not reveal other users' groups to a portal user", async () => {
    const { caller } = await addMember(app, app.main, 'outside', ['base.group_portal']);
    const args = { ids: [app.main.admin.id], group_ext_id: 'base.group_system' };
    expect(await caller.value('res.users/has_group', args)).toBe(false);
    expect(await admin.value('res.users/has_group', args)).toBe(true);
    const rule = await caller.expectRejection('crm.lead/check_access_rule', { ids: [1], operation: 'read' });
    expect(rule.status).toBe(403);
  });

  it('do not assign external ids in an export with a read-only key', async () => {
    const partner = await admin.create('res.partner', { name: 'Unnamed' });
    const readingClient = createJsonClient(app, await createUserKey(app.main.admin.id, ['read']));
    const exportRequest = { ids: [partner], fields_to_export: ['id'] };
    expect(await readingClient.value('res.partner/export_data', exportRequest)).toEqual({ datas: [['']] });
    const { datas } = await admin.value('res.partner/export_data', exportRequest);
    expect(datas[0][0]).toMatch(/^__export__/);
    expect(await readingClient.value('res.partner/export_data', exportRequest)).toEqual({ datas });
  });
});

describe('responses and notifications', () => {
  it('contain no headers injected through a file type', async () => {
    const id = await admin.create('ir.attachment', {
      name: 'x',
      raw: 'x',
      mimetype: 'text/plain\r\nx-evil: 1',
    });
    expect((await admin.read('ir.attachment', id, ['mimetype'])).mimetype).toBe('text/plain');
    const headers = { authorization: `Bearer ${app.main.admin.key}` };
    expect((await fetch(`${app.url}/web/content/${id}`, { headers })).status).toBe(200);
  });

  it('are sent only to the workspace of a changed user', async () => {
    const messages: string[] = [];
    await app.main.ctx.runtime.db.listen('atrium_identity', (payload) => messages.push(payload));
    await createJsonClient(app, app.main.user.key).value('res.users/write', {
      ids: [app.main.user.id],
      vals: { tz: 'Europe/Paris' },
    });
    await expect.poll(() => messages).toContain(String(app.main.ctx.workspace.id));
    expect(new Set(messages).size).toBe(1);
  });

  it('limit the number of distinct followers', async () => {
    const ids = [await admin.create('res.partner', { name: 'Followed' })];
    const count = MAX_NEW_FOLLOWERS + 1;
    const copies = Array.from({ length: count }, () => hidden);
    await admin.value('res.partner/message_subscribe', { ids, partner_ids: copies });
    const indexes = copies.map((_, index) => index + 1);
    const error = await admin.expectRejection('res.partner/message_subscribe', { ids, partner_ids: indexes });
    expect(error.status).toBe(422);
  });
});
