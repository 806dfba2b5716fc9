import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limits } from '../../src/limits.ts';
import { callersOf } from '../harness/doors/rpc.ts';
import { makeLab, openRecordLab, type RecordLab } from './lab.ts';

let lab: RecordLab;
let admin: { id: number };
beforeAll(async () => {
  lab = await openRecordLab();
  admin = lab.app.main.admin;
  await makeLab(lab);
});
afterAll(() => lab?.close());

const partner = async (values = {}): Promise<number> =>
  (await lab.value('res.partner/create', { vals_list: { name: 'P', ...values } }))[0];
const active = async (id: number) =>
  (await lab.value('res.partner/read', { ids: [id], fields: ['active'] }))[0].active;

describe('archiving', () => {
  test('action_archive and action_unarchive answer null and do it', async () => {
    const id = await partner();
    expect(await lab.value('res.partner/action_archive', { ids: [id] })).toBeNull();
    expect(await active(id)).toBe(false);
    expect(await lab.value('res.partner/search', { domain: [['id', 'in', [id]]] })).toEqual([]);
    expect(await lab.value('res.partner/action_unarchive', { ids: [id] })).toBeNull();
    expect(await active(id)).toBe(true);
  });

  test('toggle_active turns each the other way', async () => {
    const ids = [await partner(), await partner({ active: false })];
    expect(await lab.value('res.partner/toggle_active', { ids })).toBeNull();
    expect([await active(ids[0]!), await active(ids[1]!)]).toEqual([false, true]);
  });

  test('a model without it, a record that is gone and a caller without the right are refused', async () => {
    const [id] = await lab.value('x_lab/create', { vals_list: {} });
    const refusal = await lab.refusal('x_lab/action_archive', { ids: [id] });
    expect([refusal.status, refusal.message]).toEqual([422, expect.stringContaining("'active'")]);
    expect((await lab.refusal('res.partner/action_archive', { ids: [999999] })).status).toBe(404);
    const other = await partner();
    const { key } = lab.app.main.user;
    expect((await lab.refusal('res.partner/action_archive', { ids: [other] }, key)).status).toBe(403);
  });

  test('over XML-RPC, where there is no null, the answer is no fault', async () => {
    const answer = await callersOf(lab.app).execute('res.partner', 'action_archive', [[await partner()]]);
    expect(answer.fault).toBeUndefined();
    expect(answer.value).toBe(false);
  });
});

describe('what is known of a record', () => {
  test('get_metadata: who and when, in the order clients show it', async () => {
    const id = await partner();
    const [row] = await lab.value('res.partner/get_metadata', { ids: [id, 999999] });
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(row).toEqual({
      id,
      create_uid: [admin.id, 'admin'],
      create_date: time,
      write_uid: [admin.id, 'admin'],
      write_date: time,
      xmlid: false,
      noupdate: false,
      xmlids: [],
    });
    expect(Object.keys(row)[0]).toBe('id');
  });

  test('get_external_id: by id, empty without', async () => {
    const id = await partner();
    expect(await lab.value('res.partner/get_external_id', { ids: [id] })).toEqual({ [id]: '' });
  });

  test('what defaults of the context add to many records is bounded, in bytes', async () => {
    const { defaultBytes } = limits.record;
    const body = (records: number, bytes: number) => ({
      vals_list: Array.from({ length: records }, () => ({ name: 'D' })),
      context: { default_function: 'x'.repeat(bytes), default_active: false },
    });
    const refusal = await lab.refusal('res.partner/create', body(40_000, Math.ceil(defaultBytes / 40_000)));
    expect(refusal.status).toBe(422);
    expect(refusal.message).toMatch(new RegExp(`defaults .* add \\d+ bytes .* at most ${defaultBytes} `));
    const found = { domain: [['name', '=', 'D']], context: { active_test: false } };
    expect(await lab.value('res.partner/search_count', found)).toBe(0);
    await lab.value('res.partner/create', body(10, 1_000));
    expect(await lab.value('res.partner/search_count', found)).toBe(10);
  });

  test('default_get: the context, then the model; unknown names are left out', async () => {
    const body = { fields: ['name', 'active', 'nope', 'city'], context: { default_name: 'Zed' } };
    expect(await lab.value('res.partner/default_get', body)).toEqual({ name: 'Zed', active: true });
  });
});

describe('what a caller may do', () => {
  test.each<[string, object, string, unknown]>([
    ['has_access', { operation: 'write' }, 'admin', true],
    ['has_access', { operation: 'write' }, 'user', false],
    ['has_access', { operation: 'read' }, 'user', true],
    ['check_access_rights', { operation: 'write', raise_exception: false }, 'user', false],
    ['check_access_rights', { operation: 'read' }, 'user', null],
    ['check_field_access_rights', { operation: 'read', field_names: ['name'] }, 'user', ['name']],
  ])('%s %j of %s is %j', async (method, body, who, expected) => {
    const { key } = lab.app.main[who as 'admin' | 'user'];
    expect(await lab.value(`res.partner/${method}`, body, key)).toEqual(expected);
  });

  test('check_access_rule is null where the rules allow it', async () => {
    expect(
      await lab.value('res.partner/check_access_rule', { ids: [await partner()], operation: 'read' }),
    ).toBeNull();
  });

  test.each([
    ['check_access_rights', { operation: 'write' }, 403],
    ['has_access', { operation: 'fly' }, 422],
    ['check_field_access_rights', { operation: 'read', field_names: ['nope'] }, 422],
    ['exists', {}, 403],
    ['_read', {}, 403],
  ])('%s %j is refused with %i', async (method, body, status) => {
    expect((await lab.refusal(`res.partner/${method}`, body, lab.app.main.user.key)).status).toBe(status);
  });
});

describe('onchange', () => {
  const ask = (body: object) => lab.value('x_lab/onchange', { ids: [], values: {}, ...body });

  test('without a changed field: what a new record starts with, unset included', async () => {
    const context = { default_x_char: 'begin' };
    const fields_spec = { x_char: {}, x_integer: {}, x_boolean: {}, x_tag_ids: {}, x_country_id: {} };
    expect(await ask({ field_names: [], fields_spec, context })).toEqual({
      value: { x_char: 'begin', x_integer: 0, x_boolean: false, x_tag_ids: [], x_country_id: false },
    });
  });

  test('a changed link brings the fields that live behind it', async () => {
    const [belgium] = await lab.value('res.country/search', { domain: [['code', '=', 'BE']] });
    const body = {
      values: { x_country_id: belgium },
      field_names: ['x_country_id'],
      fields_spec: { x_code: {}, x_char: {} },
    };
    expect(await ask(body)).toEqual({ value: { x_code: 'BE' } });
  });

  test('a customer completes a lead, and nothing is stored', async () => {
    const id = await partner({ name: 'Customer', email: 'customer@example.com' });
    const before = await lab.value('crm.lead/search_count', { domain: [] });
    const { value } = await lab.value('crm.lead/onchange', {
      ids: [],
      values: { partner_id: id },
      field_names: ['partner_id'],
      fields_spec: { partner_id: {}, email_from: {}, name: {} },
    });
    expect(value).toMatchObject({ email_from: 'customer@example.com' });
    expect(value).not.toHaveProperty('partner_id');
    expect(await lab.value('crm.lead/search_count', { domain: [] })).toBe(before);
  });

  test('a new lead is opened with its stage, which the model chooses', async () => {
    const { value } = await lab.value('crm.lead/onchange', {
      ids: [],
      values: {},
      field_names: [],
      fields_spec: { stage_id: { fields: { display_name: {} } }, probability: {}, name: {} },
    });
    expect(value).toEqual({
      stage_id: { id: expect.any(Number), display_name: expect.any(String) },
      probability: expect.any(Number),
      name: false,
    });
  });

  test('is for who may store the record, and for one that is there', async () => {
    const body = { values: {}, field_names: [], fields_spec: { name: {} } };
    const { key } = lab.app.main.user;
    expect((await lab.refusal('res.partner/onchange', { ids: [], ...body }, key)).status).toBe(403);
    expect((await lab.refusal('res.partner/onchange', { ids: [999999], ...body })).status).toBe(404);
    expect((await lab.refusal('res.partner/onchange', { ids: [1, 2], ...body })).status).toBe(422);
  });

  test('of an unknown field nothing follows', async () => {
    expect(await ask({ values: { nope: 1 }, field_names: ['nope'], fields_spec: { x_char: {} } })).toEqual(
      {},
    );
  });
});
