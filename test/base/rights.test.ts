import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { setUp } from '../harness/set-up.ts';

const app = setUpApp();
const admin = createJsonClient(app);
const user = setUp(() => createJsonClient(app, app.main.user.key));
let partnerModel: number;
let users: number;
beforeAll(async () => {
  [partnerModel] = await admin.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
  [users] = await admin.value('res.groups/search', { domain: [['external_id', '=', 'base.group_user']] });
});

describe('access rights in ir.model.access', () => {
  test('apply from the next call until the record is deleted', async () => {
    await user.expectError(403, 'res.partner/create', { vals_list: [{ name: 'x' }] });
    const right = await admin.create('ir.model.access', {
      name: 'users make contacts',
      model_id: partnerModel,
      group_id: users,
      perm_create: true,
    });
    await user.value('res.partner/create', { vals_list: [{ name: 'x' }] });
    await admin.value('ir.model.access/write', { ids: [right], vals: { active: false } });
    await user.expectError(403, 'res.partner/create', { vals_list: [{ name: 'x' }] });
    await admin.value('ir.model.access/write', { ids: [right], vals: { active: true } });
    await user.value('res.partner/create', { vals_list: [{ name: 'x' }] });
    await admin.value('ir.model.access/unlink', { ids: [right] });
    await user.expectError(403, 'res.partner/create', { vals_list: [{ name: 'x' }] });
  });

  test('cannot be read or changed by users', async () => {
    for (const model of [
      'ir.model',
      'ir.model.fields',
      'ir.model.data',
      'ir.model.access',
      'ir.rule',
      'ir.config_parameter',
      'ir.cron',
      'ir.module.module',
    ])
      await user.expectError(403, `${model}/search`, { domain: [] });
  });
});

describe('ir.model.access/check', () => {
  const buildCheck = (mode: string, overrides = {}) => ({ model: 'res.partner', mode, ...overrides });

  test('returns true if the caller has access, and otherwise raises an error with the reason', async () => {
    expect(await admin.value('ir.model.access/check', { model: 'res.partner' })).toBe(true);
    expect(await admin.value('ir.model.access/check', buildCheck('unlink'))).toBe(true);
    expect(await user.value('ir.model.access/check', buildCheck('read'))).toBe(true);
    expect(await user.value('ir.model.access/check', buildCheck('write', { raise_exception: false }))).toBe(
      false,
    );
    expect((await user.expectError(403, 'ir.model.access/check', buildCheck('write'))).message).toContain(
      '(res.partner)',
    );
  });

  test('rejects unknown models and operations', async () => {
    await user.expectError(404, 'ir.model.access/check', { model: 'no.such.model' });
    await user.expectError(422, 'ir.model.access/check', buildCheck('own'));
  });
});

describe('record rules in ir.rule', () => {
  test('apply from the next call in all processes', async () => {
    const [a, b] = await admin.value('res.partner/create', {
      vals_list: [
        { name: 'A', color: 1 },
        { name: 'B', color: 2 },
      ],
    });
    const rule = await admin.create('ir.rule', {
      name: 'one color',
      model_id: partnerModel,
      domain_force: "[('color', '=', 1)]",
      groups: [[6, 0, [users]]],
    });
    expect(await admin.row('ir.rule', rule, ['global', 'perm_read'])).toEqual({
      id: rule,
      global: false,
      perm_read: true,
    });
    const domain = [['id', 'in', [a, b]]];
    expect(await user.value('res.partner/search', { domain })).toEqual([a]);
    await user.expectError(403, 'res.partner/read', { ids: [b], fields: ['name'] });
    await admin.value('ir.rule/write', { ids: [rule], vals: { domain_force: "[('color', 'in', [1, 2])]" } });
    expect(await user.value('res.partner/search', { domain })).toEqual([a, b]);
    await admin.value('ir.rule/write', { ids: [rule], vals: { domain_force: "[('color', '=', 9)]" } });
    expect(await user.value('res.partner/search', { domain })).toEqual([]);
    await admin.value('ir.rule/unlink', { ids: [rule] });
    expect(await user.value('res.partner/search', { domain })).toEqual([a, b]);
  });

  test.each([
    ['code', { domain_force: '[(1, "=", __import__("os"))]' }, 'domain_force'],
    ['an unknown field', { domain_force: "[('nope', '=', 1)]" }, 'nope'],
    [
      'no operation',
      { perm_read: false, perm_write: false, perm_create: false, perm_unlink: false },
      'at least one',
    ],
  ])('reject %s', async (_what, values, token) => {
    const error = await admin.expectError(422, 'ir.rule/create', {
      vals_list: [{ name: 'bad', model_id: partnerModel, ...values }],
    });
    expect(error.message).toContain(token);
    expect(error.name).toBe('odoo.exceptions.ValidationError');
  });

  test('cannot be defined on record rules', async () => {
    const [model] = await admin.value('ir.model/search', { domain: [['model', '=', 'ir.rule']] });
    await admin.expectError(422, 'ir.rule/create', {
      vals_list: [{ name: 'bad', model_id: model, domain_force: '[]' }],
    });
  });
});

describe('ir.model.access/explain_access', () => {
  test('names the missing right and the groups that grant it', async () => {
    expect(await user.value('res.partner/explain_access', { ids: [], operation: 'create' })).toMatchObject({
      allowed: false,
      operation: 'create',
      model: 'res.partner',
      rights: [{ group: 'base.group_partner_manager', grants: false }],
      decided_by: { kind: 'right', ids: [] },
      groups_that_would_help: ['Contact/Creation'],
    });
  });

  test('names the rule that denies a record unless the caller may not read the rule', async () => {
    const [visibleId, hidden] = await admin.value('res.partner/create', {
      vals_list: [
        { name: 'S', color: 5 },
        { name: 'H', color: 6 },
      ],
    });
    const right = await admin.create('ir.model.access', {
      name: 'w',
      model_id: partnerModel,
      group_id: users,
      perm_write: true,
    });
    const reads = await admin.create('ir.rule', {
      name: 'read 5',
      model_id: partnerModel,
      domain_force: "[('color', '!=', 6)]",
      perm_write: false,
      perm_create: false,
      perm_unlink: false,
    });
    const writes = await admin.create('ir.rule', {
      name: 'write 7',
      model_id: partnerModel,
      domain_force: "[('color', '=', 7)]",
      perm_read: false,
      perm_create: false,
      perm_unlink: false,
    });
    const explanation = await user.value('res.partner/explain_access', {
      ids: [visibleId, hidden, 999999],
      operation: 'write',
    });
    expect(explanation).toMatchObject({
      allowed: false,
      refused: [visibleId, hidden],
      missing: [999999],
      decided_by: { kind: 'rule', ids: [writes] },
    });
    const rule = explanation.rules.find((rule: { id: number }) => rule.id === writes);
    expect(rule).toEqual({
      id: writes,
      name: 'write 7',
      groups: [],
      domain: [['color', '=', 7]],
      passes: [],
      refuses: [visibleId],
    });
    expect(JSON.stringify(explanation.rules)).not.toContain(String(hidden));
    expect(await admin.value('res.partner/explain_access', { ids: [], operation: 'write' })).toMatchObject({
      allowed: true,
      decided_by: { kind: 'right' },
    });
    await admin.value('ir.rule/unlink', { ids: [reads, writes] });
    expect(
      await user.value('res.partner/explain_access', { ids: [visibleId, hidden], operation: 'write' }),
    ).toMatchObject({ allowed: true, refused: [], decided_by: { kind: 'right', ids: [right] } });
    await user.expectError(422, 'res.partner/explain_access', { ids: [], operation: 'eat' });
  });
});
