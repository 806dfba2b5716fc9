import { describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { queryData } from '../harness/facades/graphql.ts';
import { createJsonClient, type JsonClient, json2 } from '../harness/facades/json2.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { setUp } from '../harness/set-up.ts';

const app = setUpApp();
const admin = createJsonClient(app);
const user = setUp(() => createJsonClient(app, app.main.user.key));

const findGroupId = async (name: string): Promise<number> =>
  (await admin.value('res.groups/search', { domain: [['external_id', '=', name]] }))[0];
const signIn = async (login: string, password: string): Promise<unknown> =>
  (await createRpcClients(app).common('authenticate', 'main', login, password, {})).value;

describe('res.users', () => {
  test('creates a user who can sign in, with a contact, a company and the user role', async () => {
    const id = await admin.create('res.users', {
      name: 'Nina New',
      login: 'nina',
      email: 'nina@example.com',
      password: 'nina nina',
    });
    const row = await admin.row('res.users', id, [
      'name',
      'email',
      'partner_id',
      'company_ids',
      'share',
      'role',
      'state',
      'login_date',
      'password',
      'totp_enabled',
      'all_group_ids',
      'group_ids',
    ]);
    expect(row).toMatchObject({
      name: 'Nina New',
      email: 'nina@example.com',
      partner_id: [expect.any(Number), 'Nina New'],
      company_ids: [expect.any(Number)],
      share: false,
      role: 'group_user',
      state: 'new',
      login_date: false,
      totp_enabled: false,
    });
    expect(row.all_group_ids).toEqual(expect.arrayContaining(row.group_ids));
    expect(await signIn('nina', 'nina nina')).toBe(id);
    expect(await signIn('Nina', 'nina nina')).toBe(false);
    await admin.value('res.users/write', { ids: [id], vals: { password: 'another one' } });
    expect(await signIn('nina', 'nina nina')).toBe(false);
    expect(await signIn('nina', 'another one')).toBe(id);
    const password = await app.main.ctx.db.value<string>(
      sql`select password from res_users where workspace_id = ${app.main.ctx.workspace.id} and id = ${id}`,
    );
    expect(password).toMatch(/^scrypt\$/);
    await admin.value('res.users/write', { ids: [id], vals: { active: false } });
    expect(await signIn('nina', 'another one')).toBe(false);
  });

  test('logs each session, and sets the time of the last sign-in', async () => {
    await signInWeb(app, app.main.user);
    const row = await admin.row('res.users', app.main.user.id, ['state', 'login_date', 'log_ids']);
    expect(row).toMatchObject({ state: 'active', log_ids: [expect.any(Number)] });
    expect(row.login_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    await user.expectError(403, 'res.users.log/search', { domain: [] });
  });

  test('represents groups as roles', async () => {
    const id = await admin.create('res.users', { name: 'Rolf', login: 'rolf', role: 'group_system' });
    const system = await findGroupId('base.group_system');
    expect((await admin.row('res.users', id, ['group_ids', 'role'])).group_ids).toContain(system);
    expect(
      await admin.value('res.users/search', {
        domain: [
          ['role', '=', 'group_system'],
          ['login', '=', 'rolf'],
        ],
      }),
    ).toEqual([id]);
    await admin.value('res.users/write', { ids: [id], vals: { role: 'group_user' } });
    expect(await admin.row('res.users', id, ['role'])).toEqual({ id, role: 'group_user' });
    const inside = await findGroupId('base.group_user');
    expect(
      await admin.value('res.users/search', {
        domain: [
          ['all_group_ids', 'in', [inside]],
          ['login', '=', 'rolf'],
        ],
      }),
    ).toEqual([id]);
    expect(await admin.value('res.users/search_count', { domain: [['share', '=', true]] })).toBe(0);
  });

  test.each([
    ['a login in use', { name: 'x', login: 'admin' }, 'same login'],
    ['a too short password', { name: 'x', login: 'x1', password: 'short' }, '8 characters'],
    ['a blank password', { name: 'x', login: 'x1', password: ' '.repeat(12) }, 'spaces only'],
    ...['Password1234', '00000000', 'aaaaaaaa', 'adminadmin', ' 0987654321', 'ｐａｓｓｗｏｒｄ'].map(
      (password): [string, object, string] => [
        `the common password ${password}`,
        { name: 'x', login: 'x1', password },
        'too common',
      ],
    ),
    [
      'a short password of a new administrator',
      { name: 'x', login: 'x1', password: 'eleven chrs', role: 'group_system' },
      'administrator must have at least 12',
    ],
    ['an unknown role', { name: 'x', login: 'x2', role: 'boss' }, 'role'],
  ])('rejects %s', async (_what, values, token) => {
    expect((await admin.expectError(422, 'res.users/create', { vals_list: [values] })).message).toContain(
      token,
    );
  });

  test('requires longer passwords for administrators, even if another group implies the role', async () => {
    const password = 'eleven chrs';
    const longPassword = 'an administrator of eleven';
    const administrator = 'administrator must have at least 12';
    const otherId = await admin.create('res.users', { name: 'Eleven', login: 'eleven', password });
    const system = await findGroupId('base.group_system');
    const leadingId = await admin.create('res.groups', { name: 'Leaders', implied_ids: [[6, 0, [system]]] });
    const writeRefused = async (vals: object) =>
      (await admin.expectError(422, 'res.users/write', { ids: [otherId], vals })).message;
    for (const group_ids of [[[4, system]], [[4, leadingId]]])
      expect(await writeRefused({ password, group_ids })).toContain(administrator);
    await admin.value('res.users/write', {
      ids: [otherId],
      vals: { password: longPassword, group_ids: [[4, leadingId]] },
    });
    expect(await writeRefused({ password })).toContain(administrator);
    await admin.value('res.users/write', { ids: [otherId], vals: { group_ids: [[3, leadingId]] } });
    await admin.value('res.users/write', { ids: [otherId], vals: { password } });
  });

  test('rejects a second user type, and a main company outside the allowed companies', async () => {
    const [portal, inside] = [await findGroupId('base.group_portal'), await findGroupId('base.group_user')];
    await admin.expectError(422, 'res.users/create', {
      vals_list: [{ name: 'x', login: 'x3', group_ids: [[6, 0, [portal, inside]]] }],
    });
    const [company] = await admin.value('res.company/create', { vals_list: [{ name: 'Second' }] });
    await admin.expectError(422, 'res.users/write', {
      ids: [app.main.user.id],
      vals: { company_id: company },
    });
    await admin.value('res.users/write', {
      ids: [app.main.user.id],
      vals: { company_ids: [[4, company]], company_id: company },
    });
    expect(await user.value('res.company/search', { domain: [['id', '=', company]] })).toEqual([company]);
  });

  test('rejects deactivating or deleting the current user', async () => {
    const ids = [app.main.admin.id];
    const error = await admin.expectError(422, 'res.users/write', { ids, vals: { active: false } });
    expect(error.message).toContain('logged in');
    await admin.expectError(422, 'res.users/unlink', { ids });
  });

  test("lets users write certain fields of their own record, and none of other users' records", async () => {
    const ids = [app.main.user.id];
    await user.value('res.users/write', {
      ids: ids,
      vals: { signature: '<p>U</p>', tz: 'Europe/Brussels', phone: '12' },
    });
    expect(await user.row('res.users', ids[0]!, ['tz', 'phone'])).toEqual({
      id: ids[0],
      tz: 'Europe/Brussels',
      phone: '12',
    });
    await user.expectError(403, 'res.users/write', { ids, vals: { login: 'root' } });
    await user.expectError(403, 'res.users/write', { ids, vals: { group_ids: [[4, 1]] } });
    await user.expectError(403, 'res.users/write', { ids: [app.main.admin.id], vals: { tz: 'UTC' } });
  });

  test('requires the old password in change_password', async () => {
    const { password } = app.main.user;
    const error = await user.expectError(403, 'res.users/change_password', {
      old_passwd: 'x',
      new_passwd: 'y'.repeat(9),
    });
    expect(error.name).toBe('odoo.exceptions.AccessDenied');
    await user.expectError(422, 'res.users/change_password', { old_passwd: password, new_passwd: 'y' });
    expect(
      await user.value('res.users/change_password', { old_passwd: password, new_passwd: 'y'.repeat(9) }),
    ).toBe(true);
    expect(await signIn('user', 'y'.repeat(9))).toBe(app.main.user.id);
    expect(await signIn('user', password)).toBe(false);
  });

  test('shows portal users only themselves', async () => {
    const id = await admin.create('res.users', {
      name: 'Pia Portal',
      login: 'pia',
      group_ids: [[6, 0, [await findGroupId('base.group_portal')]]],
      password: 'pia pia pia',
    });
    const { xml } = createRpcClients(app);
    const callAsPortal = async (...rest: unknown[]) =>
      xml('/xmlrpc/2/object', 'execute_kw', 'main', id, 'pia pia pia', ...rest);
    expect((await callAsPortal('res.users', 'search', [[]])).value).toEqual([id]);
    expect((await callAsPortal('res.partner', 'search_read', [[]], { fields: ['name'] })).value).toEqual([
      { id: expect.any(Number), name: 'Pia Portal' },
    ]);
    expect((await callAsPortal('res.country', 'search_count', [[]])).value).toBeGreaterThan(200);
    expect((await callAsPortal('res.partner', 'create', [{ name: 'x' }])).fault?.faultCode).toBe(4);
    expect(await admin.value('res.users/search', { domain: [['share', '=', true]] })).toEqual([id]);
  });
});

describe('res.users.apikeys', () => {
  const buildKey = () => app.main.user.key;

  test('generates a key after verification, and disables it with revoke', async () => {
    const generatedKey: string = await user.value('res.users.apikeys/generate', {
      key: buildKey(),
      scope: 'rpc',
      name: 'by API',
      expiration_date: '2999-01-01',
    });
    const newClient = createJsonClient(app, generatedKey);
    expect(await newClient.value('res.users/context_get')).toMatchObject({ uid: app.main.user.id });
    const rows = await user.value('res.users.apikeys/search_read', {
      domain: [['name', '=', 'by API']],
      fields: ['name', 'scope', 'expiration_date', 'user_id'],
    });
    expect(rows).toEqual([
      {
        id: rows[0].id,
        name: 'by API',
        scope: 'rpc',
        expiration_date: '2999-01-01 00:00:00',
        user_id: [app.main.user.id, 'user'],
      },
    ]);
    expect((await user.row('res.users', app.main.user.id, ['api_key_ids'])).api_key_ids).toContain(
      rows[0].id,
    );
    expect(await newClient.value('res.users.apikeys/revoke', { key: generatedKey })).toBe(true);
    await newClient.expectError(401, 'res.users/context_get');
    expect(await user.value('res.users.apikeys/search', { domain: [['name', '=', 'by API']] })).toEqual([]);
  });

  test("rejects a wrong key, another user's key, a restricted key and a past expiry", async () => {
    const keyRequest = { scope: null, name: 'no', expiration_date: null };
    await user.expectError(403, 'res.users.apikeys/generate', { ...keyRequest, key: 'nope' });
    await user.expectError(403, 'res.users.apikeys/generate', { ...keyRequest, key: app.main.admin.key });
    await admin.expectError(403, 'res.users.apikeys/generate', { ...keyRequest, key: app.main.readOnlyKey });
    await user.expectError(422, 'res.users.apikeys/generate', {
      ...keyRequest,
      key: buildKey(),
      expiration_date: '2020-01-01',
    });
    await user.expectError(403, 'res.users.apikeys/revoke', { key: app.main.admin.key });
    await admin.expectError(403, 'res.users.apikeys/create', { vals_list: [{ name: 'x' }] });
  });

  test("limits a user to 10 active keys, and each key's lifetime to the maximum of the user's groups", async () => {
    const inside = await findGroupId('base.group_user');
    await admin.value('res.groups/write', { ids: [inside], vals: { api_key_duration: 90 } });
    const keyRequest = { key: buildKey(), scope: 'read', name: 'many' };
    await user.expectError(422, 'res.users.apikeys/generate', keyRequest);
    const soon = new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
    const keyCount = await user.value('res.users.apikeys/search_count', { domain: [] });
    for (let n = keyCount; n < 10; n++)
      await user.value('res.users.apikeys/generate', { ...keyRequest, expiration_date: soon });
    const rejection = await user.expectError(422, 'res.users.apikeys/generate', {
      ...keyRequest,
      expiration_date: soon,
    });
    expect(rejection.message).toContain('10');
    expect(
      await admin.value('res.users.apikeys/generate', {
        key: app.main.admin.key,
        scope: null,
        name: 'lasting',
      }),
    ).toMatch(/^uk_/);
  });

  test("hides other users' keys and writes no key to the audit trail", async () => {
    expect(await user.row('res.users', app.main.admin.id, ['api_key_ids'])).toEqual({
      id: app.main.admin.id,
      api_key_ids: [],
    });
    const events = await json2(
      app,
      'svc.audit.event/search_read',
      { domain: [['event', '=like', 'key.%']] },
      app.main.admin.key,
    );
    expect(events.status).toBe(200);
    expect(events.text).not.toMatch(/uk_[0-9a-z]{10}_/);
  });
});

describe('language and time zone', () => {
  test.each(['res.users', 'res.partner'])('are selections of the available values in %s', async (model) => {
    const { lang, tz } = await admin.value(`${model}/fields_get`, { allfields: ['lang', 'tz'] });
    expect(lang).toMatchObject({ type: 'selection', selection: [['en_US', 'English (US)']] });
    expect(tz.selection).toContainEqual(['Europe/Brussels', 'Europe/Brussels']);
    expect(tz.selection).toContainEqual(['UTC', 'UTC']);
    const [id] = await admin.value(`${model}/search`, { domain: [], limit: 1 });
    for (const [name, value] of [
      ['lang', 'xx_XX'],
      ['lang', 'fr_FR'],
      ['lang', 7],
      ['tz', 'Mars/Phobos'],
    ] as const)
      expect(
        (await admin.expectError(422, `${model}/write`, { ids: [id], vals: { [name]: value } })).message,
      ).toContain(`${model}.${name}`);
    await admin.value(`${model}/write`, { ids: [id], vals: { tz: 'Asia/Kolkata', lang: 'en_US' } });
    expect(await admin.row(model, id, ['tz', 'lang'])).toMatchObject({ tz: 'Asia/Kolkata', lang: 'en_US' });
    await admin.value(`${model}/write`, { ids: [id], vals: { tz: false } });
  });

  test('accept an activated language', async () => {
    const [french] = await admin.value('res.lang/search', {
      domain: [['code', '=', 'fr_FR']],
      context: { active_test: false },
    });
    await admin.value('res.lang/write', { ids: [french], vals: { active: true } });
    const { lang } = await admin.value('res.partner/fields_get', { allfields: ['lang'] });
    expect(lang.selection).toEqual([
      ['en_US', 'English (US)'],
      ['fr_FR', 'French / Français'],
    ]);
    const [id] = await admin.value('res.partner/create', { vals_list: { name: 'Ann', lang: 'fr_FR' } });
    expect(await admin.row('res.partner', id, ['lang'])).toEqual({ id, lang: 'fr_FR' });
  });
});

describe("a user's contact", () => {
  const FIELDS = ['street', 'city', 'country_id', 'category_id', 'child_ids', 'comment', 'contact_address'];

  test('provides its fields, lists and pictures on the user', async () => {
    const [belgium] = await admin.value('res.country/search', { domain: [['code', '=', 'BE']] });
    const tag = await admin.create('res.partner.category', { name: 'Staff' });
    const vals = {
      street: 'Main Street 1',
      country_id: belgium,
      category_id: [[6, 0, [tag]]],
      comment: 'Hi',
    };
    const ids = [await createUser({ login: 'inheriting', name: 'Ida', city: 'Ghent' })];
    const { partner_id } = await admin.row('res.users', ids[0]!, ['partner_id']);
    await admin.value('res.users/write', { ids, vals: { ...vals, child_ids: [[0, 0, { name: 'Desk' }]] } });
    const row = await admin.row('res.users', ids[0]!, FIELDS);
    expect(row).toEqual({ ...(await admin.row('res.partner', partner_id[0], FIELDS)), id: ids[0] });
    expect(row).toMatchObject({ city: 'Ghent', country_id: [belgium, 'Belgium'], category_id: [tag] });
    expect(row.child_ids).toHaveLength(1);
    for (const term of [
      ['street', 'ilike', 'main'],
      ['child_ids.name', '=', 'Desk'],
      ['country_id.code', '=', 'BE'],
    ])
      expect(await admin.value('res.users/search', { domain: [term] }), String(term)).toEqual(ids);
    expect((await admin.row('res.users', ids[0]!, ['avatar_128'])).avatar_128).toBeTruthy();
    await admin.value('res.users/write', { ids, vals: { country_id: false } });
    expect((await admin.row('res.partner', partner_id[0], ['country_id'])).country_id).toBe(false);
    const fieldInfos = await admin.value('res.users/fields_get', {
      allfields: FIELDS,
      attributes: ['type', 'readonly'],
    });
    expect(fieldInfos.street).toEqual({ type: 'char', readonly: false });
    expect(fieldInfos.child_ids).toEqual({ type: 'one2many', readonly: false });
  });

  test("groups, filters and lists users by their contacts' lists", async () => {
    const tag = await admin.create('res.partner.category', { name: 'Night shift' });
    const ids = [await createUser({ login: 'tagged' })];
    const { partner_id } = await admin.read('res.users', ids[0]!, ['partner_id']);
    expect(partner_id).not.toBe(ids[0]);
    // A contact whose id is the user's has other lists.
    const values = { category_id: [[6, 0, [tag]]], child_ids: [[0, 0, { name: 'Desk 1' }]] };
    await admin.value('res.users/write', { ids, vals: values });
    const groups = { domain: [], groupby: ['category_id'], aggregates: ['__count'] };
    const countTagged = async (caller: JsonClient) =>
      (await caller.value('res.users/formatted_read_group', groups)).find(
        ({ category_id }: { category_id: [number] | false }) => category_id && category_id[0] === tag,
      )?.__count;
    expect(await countTagged(admin)).toBe(1);
    for (const domain of [[['category_id', '=', tag]], [['child_ids', 'any', [['name', '=', 'Desk 1']]]]])
      expect(await admin.value('res.users/search', { domain })).toEqual(ids);
    const { user: row, userGroups } = await queryData(
      app,
      `query ($id: ID!) {
        user(id: $id) { children { nodes { name } } categories { nodes { id } } }
        userGroups(groupBy: [{ field: CATEGORIES }]) { count key { categories { id } } }
      }`,
      { variables: { id: ids[0] } },
    );
    expect(row).toEqual({
      children: { nodes: [{ name: 'Desk 1' }] },
      categories: { nodes: [{ id: String(tag) }] },
    });
    expect(userGroups).toContainEqual({ count: 1, key: { categories: { id: String(tag) } } });
    const company_id = await admin.create('res.company', { name: 'Far away' });
    await admin.value('res.partner/write', { ids: [partner_id], vals: { company_id } });
    expect(await countTagged(user)).toBeUndefined();
  });

  test('lists name no field that refers to the user', async () => {
    const { child_ids } = await admin.value('res.users/fields_get', { allfields: ['child_ids'] });
    expect(child_ids).toMatchObject({ relation: 'res.partner', related: 'partner_id.child_ids' });
    expect(child_ids).not.toHaveProperty('relation_field');
  });

  test('exposes only readable fields on the user, and requires write access for changes', async () => {
    const otherCompanyId = await admin.create('res.company', { name: 'Elsewhere' });
    const id = await createUser({
      login: 'apart',
      street: 'Hidden Street 5',
      child_ids: [[0, 0, { name: 'Hidden' }]],
    });
    const { partner_id } = await admin.row('res.users', id, ['partner_id']);
    const visibleValues = { id, street: 'Hidden Street 5', child_ids: [expect.any(Number)] };
    expect(await user.row('res.users', id, ['street', 'child_ids'])).toEqual(visibleValues);
    await admin.value('res.partner/write', { ids: [partner_id[0]], vals: { company_id: otherCompanyId } });
    expect(await user.row('res.users', id, ['street', 'child_ids'])).toEqual({
      id,
      street: false,
      child_ids: [],
    });
    for (const term of [
      ['street', 'ilike', 'hidden'],
      ['child_ids', '!=', false],
    ])
      expect(await user.value('res.users/search', { domain: [['id', '=', id], term] }), String(term)).toEqual(
        [],
      );
    await user.expectError(403, 'res.users/write', { ids: [app.main.user.id], vals: { street: 'Mine' } });
    await user.value('res.users/write', { ids: [app.main.user.id], vals: { image_1920: 'iVBORw0KGgo=' } });
  });

  test("stores a user's company on the contact", async () => {
    const parent_id = await admin.create('res.partner', { name: 'Works', is_company: true });
    const ids = [await createUser({ login: 'employed' })];
    await admin.value('res.users/write', { ids, vals: { parent_id } });
    const { partner_id } = await admin.read('res.users', ids[0]!, ['partner_id']);
    for (const [model, id] of [
      ['res.users', ids[0]],
      ['res.partner', partner_id],
    ])
      expect((await admin.read(model, id, ['parent_id'])).parent_id, model).toBe(parent_id);
    await user.expectError(403, 'res.users/write', { ids: [app.main.user.id], vals: { parent_id } });
  });

  test("accepts a user's groups under their former field name", async () => {
    const creators = await findGroupId('base.group_partner_manager');
    const ids = [await createUser({ login: 'older' })];
    await admin.value('res.users/write', { ids, vals: { groups_id: [[4, creators]] } });
    expect((await admin.row('res.users', ids[0]!, ['group_ids'])).group_ids).toContain(creators);
  });
});

const createUser = (values: object): Promise<number> =>
  admin.create('res.users', { name: 'Somebody', ...values });
