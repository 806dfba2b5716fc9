import { describe, expect, test } from 'vitest';
import { computeInterval, computeNextRun } from '../../schema/base/ir/cron-times.ts';
import { addGroups } from '../../schema/base/users/groups.ts';
import { sql } from '../../src/db/sql.ts';
import { buildSequenceNames, getDateParts } from '../../src/engine/value/sequence-name.ts';
import { allocateNextNames } from '../../src/engine/write/sequence.ts';
import { detectMimetype } from '../../src/media/mimetype.ts';
import { setUpApp } from '../harness/app.ts';
import { freezeClockAtNoon } from '../harness/clock.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { setUp } from '../harness/set-up.ts';

const app = setUpApp();
const admin = createJsonClient(app);
const user = setUp(() => createJsonClient(app, app.main.user.key));

describe('external ids in ir.model.data', () => {
  const checkReference = (xml_id: string, calls = admin, overrides: object = {}) =>
    calls.value('ir.model.data/check_object_reference', { module: 'base', xml_id, ...overrides });

  test('identify initial records and the models and fields defined in code', async () => {
    expect(await checkReference('user_admin')).toEqual(['res.users', app.main.admin.id]);
    const company = await checkReference('main_company');
    expect(company[0]).toBe('res.company');
    expect((await checkReference('be'))[0]).toBe('res.country');
    expect((await checkReference('EUR'))[0]).toBe('res.currency');
    expect((await checkReference('lang_en'))[0]).toBe('res.lang');
    const [model, id] = await checkReference('model_res_partner');
    expect(model).toBe('ir.model');
    expect(await admin.row('ir.model', id, ['model'])).toEqual({ id, model: 'res.partner' });
    expect((await checkReference('field_res_partner__name'))[0]).toBe('ir.model.fields');
    const rows = await admin.value('ir.model.data/search_read', {
      domain: [['complete_name', '=', 'base.main_company']],
      fields: ['complete_name', 'reference', 'noupdate'],
    });
    expect(rows).toEqual([
      {
        id: rows[0].id,
        complete_name: 'base.main_company',
        reference: `res.company,${company[1]}`,
        noupdate: true,
      },
    ]);
  });

  test('hide records that the caller may not read and reject unknown names', async () => {
    expect(await checkReference('model_res_partner', user)).toEqual(['ir.model', false]);
    await user.expectError(403, 'ir.model.data/check_object_reference', {
      module: 'base',
      xml_id: 'model_res_partner',
      raise_on_access_error: true,
    });
    const error = await user.expectError(422, 'ir.model.data/check_object_reference', {
      module: 'base',
      xml_id: 'nope',
    });
    expect(error).toMatchObject({
      name: 'builtins.ValueError',
      message: 'External ID not found in the system: base.nope',
    });
  });

  test('are deleted together with their record', async () => {
    const id = await admin.create('res.partner', { name: 'Named' });
    await admin.create('ir.model.data', { module: 'own', name: 'named', model: 'res.partner', res_id: id });
    await admin.value('res.partner/unlink', { ids: [id] });
    expect(await admin.value('ir.model.data/search', { domain: [['module', '=', 'own']] })).toEqual([]);
    await admin.expectError(404, 'ir.model.data/create', {
      vals_list: [{ module: 'own', name: 'x', model: 'no.such' }],
    });
  });

  const readId = async (module: string, name: string): Promise<number> => {
    const [id] = await admin.value('ir.model.data/search', {
      domain: [
        ['module', '=', module],
        ['name', '=', name],
      ],
    });
    return id;
  };

  test.each([
    ['base', 'main_company'],
    ['base', 'group_system'],
    ['mail', 'mt_note'],
    ['crm', 'stage_lead1'],
  ])('reject changes and deletion if they belong to the product: %s.%s', async (module, name) => {
    const id = await readId(module, name);
    const was = await admin.row('ir.model.data', id, ['module', 'name', 'model', 'res_id', 'noupdate']);
    for (const vals of [{ name: 'else' }, { module: 'own' }, { res_id: 1 }, { noupdate: false }]) {
      const error = await admin.expectError(422, 'ir.model.data/write', { ids: [id], vals });
      expect(error.message).toContain(`${module}.${name}`);
    }
    await admin.expectError(422, 'ir.model.data/unlink', { ids: [id] });
    const response = await postGraphql(app, 'mutation ($id: ID!) { irModelDataDelete(id: $id) { ids } }', {
      key: app.main.admin.key,
      variables: { id },
    });
    expect(response.errors[0]?.message).toContain(`${module}.${name}`);
    expect(await admin.row('ir.model.data', id, Object.keys(was))).toEqual(was);
  });

  test('can be changed and deleted if they belong to the workspace, regardless of the module', async () => {
    const partner = await admin.create('res.partner', { name: 'Imported' });
    await admin.value('res.partner/load', {
      fields: ['id', 'name'],
      data: [
        ['base.from_elsewhere', 'One'],
        ['loose', 'Two'],
      ],
    });
    const values = { module: 'own', name: 'fixed', model: 'res.partner', res_id: partner, noupdate: true };
    const ids = [
      await readId('base', 'from_elsewhere'),
      await readId('__import__', 'loose'),
      await admin.create('ir.model.data', values),
    ];
    for (const id of ids) {
      await admin.value('ir.model.data/write', { ids: [id], vals: { noupdate: true } });
      await admin.value('ir.model.data/write', { ids: [id], vals: { res_id: partner, name: `moved_${id}` } });
    }
    await admin.value('ir.model.data/unlink', { ids });
    const stage = await admin.row('ir.model.data', await readId('crm', 'stage_lead4'), ['res_id']);
    await admin.value('crm.stage/unlink', { ids: [stage.res_id] });
    expect(await readId('crm', 'stage_lead4')).toBeUndefined();
  });

  test('do not prevent adding a built-in group with an id that the workspace already uses', async () => {
    await admin.create('ir.model.data', {
      ...{ module: 'later', name: 'group_new', model: 'res.users', res_id: app.main.admin.id },
    });
    await addGroups(app.main.ctx.system(), [{ id: 'later.group_new', name: 'New', implies: [] }]);
    expect(await admin.value('res.groups/search_count', { domain: [['name', '=', 'New']] })).toBe(1);
  });
});

test('returns PUBLIC_URL as web.base.url until an administrator sets it', async () => {
  const { config } = app.runtime;
  const before = config.publicUrl;
  const call = () => admin.value('ir.config_parameter/get_param', { key: 'web.base.url' });
  const count = (value: string) =>
    admin.value('ir.config_parameter/search_count', { domain: [['value', '=', value]] });
  const readParameter = async () => [
    (
      await admin.value('ir.config_parameter/search_read', {
        domain: [['key', '=', 'web.base.url']],
        fields: ['value'],
      })
    )[0].value,
    await count('https://new.example.org'),
    await count('https://own.example.org'),
  ];
  config.publicUrl = 'https://new.example.org';
  expect(await call()).toBe('https://new.example.org');
  expect(await readParameter()).toEqual(['https://new.example.org', 1, 0]);
  const parameter = { key: 'web.base.url', value: 'https://own.example.org' };
  expect(await admin.value('ir.config_parameter/set_param', parameter)).toBe('https://new.example.org');
  expect(await call()).toBe('https://own.example.org');
  expect(await readParameter()).toEqual(['https://own.example.org', 0, 1]);
  config.publicUrl = before;
});

test('lets administrators call get_param and set_param of ir.config_parameter', async () => {
  expect(await admin.value('ir.config_parameter/get_param', { key: 'database.uuid' })).toMatch(
    /^[0-9a-f-]{36}$/,
  );
  expect(await admin.value('ir.config_parameter/get_param', { key: 'no', default: 'then' })).toBe('then');
  expect(await admin.value('ir.config_parameter/get_param', { key: 'no' })).toBe(false);
  expect(await admin.value('ir.config_parameter/set_param', { key: 'my.key', value: 'a' })).toBe(false);
  expect(await admin.value('ir.config_parameter/set_param', { key: 'my.key', value: 'b' })).toBe('a');
  expect(await admin.value('ir.config_parameter/set_param', { key: 'my.key', value: false })).toBe('b');
  expect(await admin.value('ir.config_parameter/search', { domain: [['key', '=', 'my.key']] })).toEqual([]);
  await user.expectError(403, 'ir.config_parameter/get_param', { key: 'database.uuid' });
  await user.expectError(403, 'ir.config_parameter/set_param', { key: 'x', value: 'y' });
});

test('lists base and the apps as installed in ir.module.module', async () => {
  const rows = await admin.value('ir.module.module/search_read', {
    domain: [['name', 'in', ['base', 'crm', 'mail']]],
    fields: ['name', 'state', 'latest_version', 'dependencies_id', 'application'],
    order: 'name',
  });
  expect(rows.map((row: { name: string }) => row.name)).toEqual(['base', 'crm', 'mail']);
  for (const row of rows)
    expect(row).toMatchObject({ state: 'installed', latest_version: expect.stringMatching(/^19\.0\./) });
  expect(rows[1].application).toBe(true);
  expect(rows[1].dependencies_id.length).toBeGreaterThan(0);
});

test('assigns a category to modules, privileges and groups', async () => {
  const domain = [['name', 'in', ['base', 'crm', 'project']]];
  const fields = ['name', 'category_id'];
  const modules = await admin.value('ir.module.module/search_read', { domain, fields, order: 'name' });
  const names = modules.map((row: { name: string; category_id: [number, string] }) => [
    row.name,
    row.category_id[1],
  ]);
  expect(names).toEqual([
    ['base', 'Administration'],
    ['crm', 'Sales'],
    ['project', 'Services'],
  ]);
  const sales = modules[1].category_id;
  const read = await user.value('ir.module.category/search_read', {
    domain: [['id', '=', sales[0]]],
    fields: ['name', 'privilege_ids'],
  });
  expect(read).toMatchObject([{ name: 'Sales' }]);
  const manager = [['external_id', '=', 'sales_team.group_sale_manager']];
  const [group] = await user.value('res.groups/search_read', {
    ...{ domain: manager, fields: ['privilege_id', 'category_id'] },
  });
  expect(group.category_id).toEqual(sales);
  expect(read[0].privilege_ids).toContain(group.privilege_id[0]);
  const ofSales = [['category_id.name', '=', 'Sales']];
  expect(await user.value('res.groups/search', { domain: ofSales })).toContain(group.id);
  await admin.expectError(403, 'ir.module.category/create', { vals_list: [{ name: 'Own' }] });
});

describe('sequences in ir.sequence', () => {
  freezeClockAtNoon();

  test('return each number once, whether requested by code or id', async () => {
    const id = await admin.create('ir.sequence', {
      name: 'Test',
      code: 'test.code',
      prefix: 'T/%(year)s/',
      padding: 4,
      number_next: 7,
      number_increment: 2,
    });
    const year = new Date().getUTCFullYear();
    expect(await user.value('ir.sequence/next_by_code', { sequence_code: 'test.code' })).toBe(
      `T/${year}/0007`,
    );
    expect(await admin.value('ir.sequence/next_by_id', { ids: [id] })).toBe(`T/${year}/0009`);
    expect(await admin.row('ir.sequence', id, ['number_next_actual'])).toEqual({
      id,
      number_next_actual: 11,
    });
    expect(await allocateNextNames(app.main.ctx, 'test.code', 2)).toEqual([
      `T/${year}/0011`,
      `T/${year}/0013`,
    ]);
    expect(await admin.value('ir.sequence/next_by_code', { sequence_code: 'no.such' })).toBe(false);
    const numbers = await Promise.all(
      Array.from({ length: 12 }, () =>
        user.value('ir.sequence/next_by_code', { sequence_code: 'test.code' }),
      ),
    );
    expect(new Set(numbers).size).toBe(12);
    await admin.expectError(404, 'ir.sequence/next_by_id', { ids: [999999] });
    await admin.expectError(422, 'ir.sequence/create', { vals_list: [{ name: 'bad', prefix: '%(nope)s' }] });
  });

  test.each([
    ['%(y)s-%(month)s-%(day)s', '24-02-09'],
    ['%(doy)s/%(woy)s/%(weekday)s', '040/06/5'],
    ['%(h24)s:%(min)s:%(sec)s %(h12)s', '15:04:05 03'],
    ['%(range_year)s%(current_month)s', '202402'],
  ])('expand the prefix %s to parts of the date', (prefix, expected) => {
    const parts = getDateParts(Date.UTC(2024, 1, 9, 15, 4, 5));
    expect(buildSequenceNames({ prefix, suffix: null, padding: 0, first: 1, step: 1 }, 1, parts)).toEqual([
      `${expected}1`,
    ]);
  });
});

describe('attachments in ir.attachment', () => {
  const FIELDS = [
    'name',
    'datas',
    'mimetype',
    'file_size',
    'checksum',
    'store_fname',
    'type',
    'public',
    'access_token',
    'url',
  ];

  test.each([
    ['https://example.org/a?b=1', true],
    ['/web/content/7', true],
    ['javascript:alert(1)', false],
    [' JavaScript:alert(1)', false],
    ['java\nscript:alert(1)', false],
    ['data:text/html,<script>', false],
    ['//evil.example', false],
    ['/\\evil.example', false],
    ['file:///etc/passwd', false],
  ])('accept only safe URLs: %j is %s', async (url, isSafe) => {
    const vals_list = [{ name: 'link', type: 'url', url }];
    if (!isSafe) return void (await admin.expectError(422, 'ir.attachment/create', { vals_list }));
    const [id] = await admin.value('ir.attachment/create', { vals_list });
    expect((await admin.row('ir.attachment', id, ['url'])).url).toBe(url);
    await admin.expectError(422, 'ir.attachment/write', { ids: [id], vals: { url: 'javascript:1' } });
  });

  test('store content passed as base64 or as text', async () => {
    const id = await admin.create('ir.attachment', { name: 'zz.txt', datas: 'aGVsbG8=' });
    expect(await admin.row('ir.attachment', id, FIELDS)).toEqual({
      id,
      name: 'zz.txt',
      datas: 'aGVsbG8=',
      mimetype: 'text/plain',
      file_size: 5,
      checksum: 'aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d',
      store_fname: 'aa/aaf4c61ddcc5e8a2dabede0f3b482cd9aea9434d',
      type: 'binary',
      public: false,
      access_token: false,
      url: false,
    });
    const raw = await admin.create('ir.attachment', { name: 'raw.txt', raw: 'héllo' });
    expect(await admin.row('ir.attachment', raw, ['datas', 'file_size'])).toEqual({
      id: raw,
      datas: Buffer.from('héllo').toString('base64'),
      file_size: 6,
    });
    await admin.value('ir.attachment/write', {
      ids: [raw],
      vals: { datas: 'iVBORw0KGgo=', name: 'picture' },
    });
    expect(await admin.row('ir.attachment', raw, ['mimetype', 'file_size', 'datas'])).toEqual({
      id: raw,
      mimetype: 'image/png',
      file_size: 8,
      datas: 'iVBORw0KGgo=',
    });
    await admin.expectError(422, 'ir.attachment/create', { vals_list: [{ datas: 'aGVsbG8=' }] });
    await admin.expectError(422, 'ir.attachment/create', { vals_list: [{ name: 'x', datas: '@@' }] });
  });

  test('return raw as base64 if it is binary and as text otherwise, even in copies', async () => {
    const texts = ['héllo\n€ 𝄞', 'x'.repeat(200_000), ''];
    for (const raw of texts) {
      const id = await admin.create('ir.attachment', { name: 'a.txt', raw });
      expect((await admin.row('ir.attachment', id, ['raw'])).raw).toBe(raw);
    }
    for (const bytes of [
      [0xff, 0xfe],
      [0x61, 0x00],
      [0xc0, 0x80],
      [0xed, 0xa0, 0x80],
      [0xf4, 0x90, 0x80, 0x80],
    ]) {
      const datas = Buffer.from(bytes).toString('base64');
      const id = await admin.create('ir.attachment', { name: 'b.bin', datas });
      expect((await admin.row('ir.attachment', id, ['raw'])).raw).toBe(datas);
    }
    const id = await admin.create('ir.attachment', { name: 'c.csv', raw: 'a,b' });
    const fields = ['raw', 'mimetype', 'file_size', 'checksum', 'index_content'];
    const [copy] = await admin.value('ir.attachment/copy', { ids: [id] });
    expect({ ...(await admin.row('ir.attachment', copy, fields)), id }).toEqual(
      await admin.row('ir.attachment', id, fields),
    );
    const [attachment] = await admin.value('ir.attachment/copy', { ids: [id], default: { raw: 'own' } });
    expect((await admin.row('ir.attachment', attachment, ['raw'])).raw).toBe('own');
    await admin.value('ir.attachment/unlink', { ids: [id] });
    expect((await admin.row('ir.attachment', copy, ['raw'])).raw).toBe('a,b');
  });

  test('store identical content only once', async () => {
    const countBlobs = () =>
      app.main.ctx.db.value<number>(
        sql`select count(*)::int from svc_blob where workspace_id = ${app.main.ctx.workspace.id}`,
      );
    const before = await countBlobs();
    const [a, b] = await admin.value('ir.attachment/create', {
      vals_list: [
        { name: 'a', raw: 'same thing' },
        { name: 'b', raw: 'same thing' },
      ],
    });
    expect(await countBlobs()).toBe(before + 1);
    await admin.value('ir.attachment/unlink', { ids: [a] });
    expect(await admin.row('ir.attachment', b, ['file_size', 'raw'])).toMatchObject({
      file_size: 10,
      raw: 'same thing',
    });
  });

  test('have the access rights of their record, or are private to their creator', async () => {
    const id = await admin.create('res.partner', { name: 'Documented' });
    const onRecord = await admin.create('ir.attachment', {
      name: 'doc',
      raw: 'x',
      res_model: 'res.partner',
      res_id: id,
    });
    const onSecret = await admin.create('ir.attachment', {
      name: 'secret',
      raw: 'x',
      res_model: 'ir.config_parameter',
      res_id: 1,
    });
    const looseId = await admin.create('ir.attachment', { name: 'loose', raw: 'x' });
    const open = await admin.create('ir.attachment', { name: 'open', raw: 'x', public: true });
    const ownFile = await user.create('ir.attachment', { name: 'own', raw: 'x' });
    const all = [onRecord, onSecret, looseId, open, ownFile];
    expect(await user.value('ir.attachment/search', { domain: [['id', 'in', all]], order: 'id' })).toEqual([
      onRecord,
      open,
      ownFile,
    ]);
    expect(await admin.value('ir.attachment/search', { domain: [['id', 'in', all]], order: 'id' })).toEqual(
      all,
    );
    await user.expectError(403, 'ir.attachment/read', { ids: [looseId], fields: ['datas'] });
    await user.expectError(403, 'ir.attachment/write', { ids: [onRecord], vals: { name: 'mine' } });
    await user.expectError(403, 'ir.attachment/unlink', { ids: [open] });
    await user.expectError(403, 'ir.attachment/create', {
      vals_list: [{ name: 'x', raw: 'x', res_model: 'res.partner', res_id: id }],
    });
    await user.value('ir.attachment/unlink', { ids: [ownFile] });
    await admin.value('res.partner/unlink', { ids: [id] });
    expect(await admin.value('ir.attachment/search', { domain: [['id', '=', onRecord]] })).toEqual([]);
  });

  test('are excluded from searches if they belong to a binary field, unless requested', async () => {
    const id = await admin.create('ir.attachment', { name: 'field', raw: 'x', res_field: 'image_1920' });
    expect(await admin.value('ir.attachment/search', { domain: [['name', '=', 'field']] })).toEqual([]);
    expect(
      await admin.value('ir.attachment/search', {
        domain: [
          ['name', '=', 'field'],
          ['res_field', '!=', false],
        ],
      }),
    ).toEqual([id]);
  });

  test('generate an access token once', async () => {
    const id = await admin.create('ir.attachment', { name: 't', raw: 't' });
    const [token] = await admin.value('ir.attachment/generate_access_token', { ids: [id] });
    expect(token).toMatch(/^[0-9a-f-]{36}$/);
    expect(await admin.value('ir.attachment/generate_access_token', { ids: [id] })).toEqual([token]);
  });

  test.each([
    [null, 'a.pdf', null, 'application/pdf'],
    [null, 'a', Buffer.from('%PDF-1.4'), 'application/pdf'],
    [null, 'a', Buffer.from('plain'), 'text/plain'],
    [null, 'a', Buffer.from([0, 1, 2]), 'application/octet-stream'],
    ['image/png', 'a.txt', null, 'image/png'],
    [null, 'a.svg', null, 'text/plain'],
    ['text/html', 'a', null, 'text/plain'],
  ])(
    'have a safe type for %j and name %s if created by an ordinary user',
    (declaredType, name, content, expected) => {
      expect(detectMimetype(declaredType, name, content, false)).toBe(expected);
    },
  );
});

describe('scheduled actions in ir.cron', () => {
  test('list the built-in jobs and run one on request', async () => {
    const rows = await admin.value('ir.cron/search_read', {
      domain: [['code', '=', 'audit-prune']],
      fields: ['cron_name', 'interval_number', 'interval_type', 'lastcall', 'user_id'],
    });
    expect(rows).toEqual([
      {
        id: rows[0].id,
        cron_name: 'Audit prune',
        interval_number: 1,
        interval_type: 'days',
        lastcall: false,
        user_id: [app.main.admin.id, 'admin'],
      },
    ]);
    const { name, cron_name: first } = await admin.row('ir.cron', rows[0].id, ['name', 'cron_name']);
    expect(name).toBe(first);
    await admin.value('ir.cron/write', { ids: [rows[0].id], vals: { name: 'Renamed' } });
    expect((await admin.row('ir.cron', rows[0].id, ['cron_name'])).cron_name).toBe('Renamed');
    await admin.value('ir.cron/write', { ids: [rows[0].id], vals: { cron_name: first } });
    expect(await admin.value('ir.cron/method_direct_trigger', { ids: [rows[0].id] })).toBe(true);
    expect((await admin.row('ir.cron', rows[0].id, ['lastcall'])).lastcall).toMatch(/^\d{4}-/);
    await admin.expectError(404, 'ir.cron/method_direct_trigger', { ids: [999999] });
    await user.expectError(403, 'ir.cron/method_direct_trigger', { ids: [rows[0].id] });
  });

  test('can be disabled and rescheduled by administrators, and still be run on request', async () => {
    const ids = await admin.value('ir.cron/search', { domain: [] });
    expect(await admin.value('ir.cron/write', { ids, vals: { active: false } })).toBe(true);
    expect(await admin.value('ir.cron/search', { domain: [] })).toEqual([]);
    const vals = {
      active: true,
      interval_number: 3,
      interval_type: 'weeks',
      nextcall: '2030-01-01 00:00:00',
    };
    expect(await admin.value('ir.cron/write', { ids, vals })).toBe(true);
    expect(await admin.row('ir.cron', ids[0], Object.keys(vals))).toEqual({ id: ids[0], ...vals });
    expect(await admin.value('ir.cron/method_direct_trigger', { ids: [ids[0]] })).toBe(true);
    await user.expectError(403, 'ir.cron/write', { ids, vals: { active: false } });
  });

  test('cannot be created, deleted or bound to another job', async () => {
    const [id] = await admin.value('ir.cron/search', { domain: [['code', '=', 'audit-prune']] });
    for (const vals of [{ code: 'session-purge' }, { user_id: app.main.user.id }, { failure_count: 7 }])
      await admin.expectError(403, 'ir.cron/write', { ids: [id], vals });
    await admin.expectError(422, 'ir.cron/write', { ids: [id], vals: { interval_number: 0 } });
    await admin.expectError(403, 'ir.cron/create', {
      vals_list: [{ cron_name: 'Mine', code: 'audit-prune' }],
    });
    await admin.expectError(403, 'ir.cron/unlink', { ids: [id] });
  });

  test.each([
    ['*/20 * * * *', '2024-01-01T00:00:00Z', '2024-01-01T00:20:00.000Z', { number: 20, type: 'minutes' }],
    ['41 * * * *', '2024-01-01T00:41:00Z', '2024-01-01T01:41:00.000Z', { number: 1, type: 'hours' }],
    ['17 3 * * *', '2024-02-28T04:00:00Z', '2024-02-29T03:17:00.000Z', { number: 1, type: 'days' }],
    ['5 4 * * 1', '2024-01-02T00:00:00Z', '2024-01-08T04:05:00.000Z', { number: 1, type: 'weeks' }],
  ])('run %s after %s at %s', (cron, from, next, interval) => {
    expect(new Date(computeNextRun(cron, Date.parse(from))).toISOString()).toBe(next);
    expect(computeInterval(cron)).toEqual(interval);
  });
});
