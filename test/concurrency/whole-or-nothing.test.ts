import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { until } from '../harness/wait.ts';
import { createScene, fingerprintWorkspace } from '../rights/scene.ts';
import { provokeErrors } from './provoke.ts';

const app = setUpApp();
const scene = createScene(app);

beforeAll(async () => {
  const userGroup = await scene.groupId('base.group_user');
  const model = await scene.addModel(
    'x_part',
    [
      { name: 'x_no', ttype: 'integer', index: true },
      { name: 'x_file', ttype: 'binary' },
    ],
    userGroup,
  );
  await scene.create('ir.model.fields', {
    model_id: model,
    name: 'x_up_id',
    ttype: 'many2one',
    relation: 'x_part',
  });
  await scene.create('ir.model.fields', {
    model_id: model,
    name: 'x_down_ids',
    ttype: 'one2many',
    relation: 'x_part',
    relation_field: 'x_up_id',
  });
});

const call = (path: string, body: object) => json2(app, path, body, app.main.admin.key);

async function expectRolledBack(path: string, body: object, status: number): Promise<string> {
  const before = await fingerprintWorkspace(app);
  const answer = await call(path, body);
  expect(answer.status, answer.text).toBe(status);
  expect(await fingerprintWorkspace(app)).toEqual(before);
  return answer.text;
}

const buildParts = (count: number, buildExtra: (n: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, n) => ({ x_name: `part ${n}`, x_no: n + 1, ...buildExtra(n) }));
const buildContacts = (count: number, buildExtra: (n: number) => object = () => ({})) =>
  Array.from({ length: count }, (_, n) => ({ name: `contact ${n}`, ...buildExtra(n) }));

describe('creating a hundred rows with one invalid row', () => {
  test.each([0, 50, 99])('stores no row if row %i is invalid', async (invalidIndex) => {
    const buildAt = (invalid: object) => (n: number) => (n === invalidIndex ? invalid : {});
    await expectRolledBack(
      'x_part/create',
      { vals_list: buildParts(100, buildAt({ x_no: 'no number' })) },
      422,
    );
    await expectRolledBack('x_part/create', { vals_list: buildParts(100, buildAt({ x_nope: 1 })) }, 422);
    await expectRolledBack(
      'x_part/create',
      { vals_list: buildParts(100, buildAt({ x_up_id: 2_000_000_011 })) },
      404,
    );
    await expectRolledBack(
      'res.partner/create',
      { vals_list: buildContacts(100, buildAt({ name: false })) },
      422,
    );
    await expectRolledBack(
      'res.partner/create',
      { vals_list: buildContacts(100, buildAt({ country_id: 2_000_000_011 })) },
      404,
    );
    await expectRolledBack(
      'res.partner/create',
      { vals_list: buildContacts(100, buildAt({ parent_id: 999_999 })) },
      404,
    );
    const rows = Array.from({ length: 100 }, (_, n) => ({
      name: n === invalidIndex ? 'tag 98' : `tag ${n}`,
    }));
    rows.push({ name: 'tag 98' });
    await expectRolledBack('crm.tag/create', { vals_list: rows }, 422);
  });
});

describe('nested lines', () => {
  const buildLine = (overrides: object = {}) => [0, 0, { x_name: 'line', ...overrides }];
  const buildNested = (last: object) => ({
    x_name: 'top',
    x_down_ids: [
      buildLine(),
      buildLine({ x_down_ids: [buildLine(), buildLine({ x_down_ids: [buildLine(), [0, 0, last]] })] }),
    ],
  });

  test.each<[string, object, number]>([
    ['an invalid value', { x_no: {} }, 422],
    ['an unknown field', { x_else: 1 }, 422],
    ['an unknown command', { x_down_ids: [[9, 0, 0]] }, 422],
    ['a dangling link', { x_down_ids: [[4, 2_000_000_011]] }, 404],
  ])('leave nothing behind after a failure three levels down: %s', async (_what, last, status) => {
    await expectRolledBack('x_part/create', { vals_list: [buildNested(last)] }, status);
    const top = await scene.create('x_part', { x_name: 'top', x_down_ids: [buildLine()] });
    const vals = { ...buildNested(last), x_name: 'changed' };
    await expectRolledBack('x_part/write', { ids: [top], vals }, status);
  });

  test('leave nothing behind if an order line is invalid', async () => {
    const partner_id = await scene.create('res.partner', { name: 'Customer' });
    const product_id = await scene.create('product.product', { name: 'Thing' });
    const order_line = [
      [0, 0, { product_id, product_uom_qty: 1 }],
      [0, 0, { product_id, name: 'x', product_uom_qty: 'many' }],
    ];
    await expectRolledBack('sale.order/create', { vals_list: [{ partner_id, order_line }] }, 422);
  });
});

describe('a failure after the first insert', () => {
  test('stores nothing if a new user is rejected after the contact is created', async () => {
    // The user's contact is created before the user, and the user's groups are checked after both.
    const portal = await scene.groupId('base.group_portal');
    const internal = await scene.groupId('base.group_user');
    await expectRolledBack(
      'res.users/create',
      { vals_list: [{ login: 'both', name: 'Both', group_ids: [[6, 0, [portal, internal]]] }] },
      422,
    );
  });

  test('stores nothing if a saved rule is invalid', async () => {
    const model_id = await scene.modelId('x_part');
    const invalidRule = { name: 'bad', model_id, domain_force: '[(' };
    await expectRolledBack(
      'ir.rule/create',
      { vals_list: [{ name: 'good', model_id, domain_force: '[]' }, invalidRule] },
      422,
    );
  });

  test('stores nothing if a new model has an invalid field', async () => {
    await expectRolledBack(
      'ir.model/create',
      {
        vals_list: [
          {
            name: 'Half',
            model: 'x_half',
            field_id: [
              [0, 0, { name: 'x_a', ttype: 'char' }],
              [0, 0, { name: 'x_b', ttype: 'many2one', relation: 'no.such' }],
            ],
          },
        ],
      },
      422,
    );
    await scene.admin.expectError(404, 'x_half/search', { domain: [] });
  });

  test.each([
    ['ir_field_index', 'x_part/create', { vals_list: [{ x_name: 'P', x_no: 3 }] }],
    ['ir_field_file', 'x_part/create', { vals_list: [{ x_name: 'P', x_file: 'AAAA' }] }],
    ['svc_audit_event', 'res.groups/create', { vals_list: [{ name: 'G' }] }],
  ])('stores nothing if the database fails at the last table (%s)', async (table, path, body) => {
    const end = await provokeErrors(app, table, '53100', 1000);
    const before = await fingerprintWorkspace(app);
    const answer = await call(path, body);
    expect(await end()).toBeGreaterThan(0);
    expect(answer.status).toBe(500);
    expect(answer.text).not.toMatch(/provoked/);
    expect(await fingerprintWorkspace(app)).toEqual(before);
  });

  test('deletes nothing if the last of many deletions fails', async () => {
    const country = await scene.admin.value('res.country/search', { domain: [['code', '=', 'PT']] });
    const ids = await scene.admin.value('res.partner/create', { vals_list: buildContacts(20) });
    await scene.create('res.partner', { name: 'child', parent_id: ids[19], country_id: country[0] });
    await expectRolledBack('res.partner/unlink', { ids }, 422);
    const text = await expectRolledBack('res.country/unlink', { ids: country }, 422);
    expect(text).toMatch(/res\.partner/);
  });
});

describe('a killed process', () => {
  let otherProcess: AppProcess;
  beforeAll(async () => {
    // Nothing else runs in this process.
    otherProcess = await startProcess({ ...app.env, ROLE: 'web' });
  });
  afterAll(() => otherProcess?.end('SIGKILL'));

  test('leaves no rows behind if it was creating 5,000 rows', async () => {
    const before = await fingerprintWorkspace(app);
    const body = {
      vals_list: buildContacts(5_000, (n) => ({ child_ids: [[0, 0, { name: `below ${n}` }]] })),
    };
    const response = json2(otherProcess, 'res.partner/create', body, app.main.admin.key).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await untilWriting();
    await otherProcess.end('SIGKILL');
    expect(await response).toBe('cut off');
    await untilRolledBack();
    expect(await fingerprintWorkspace(app)).toEqual(before);
  });
});

/** Open transactions that have written contacts. */
const OPEN = `select count(*)::int as n from pg_locks
  where relation = 'res_partner'::regclass and mode = 'RowExclusiveLock' and granted`;

const openNow = async (): Promise<number> =>
  (await app.runtime.db.pool.query<{ n: number }>(OPEN)).rows[0]!.n;

const untilWriting = () => until(async () => (await openNow()) > 0, 'contacts are written');

const untilRolledBack = () => until(async () => (await openNow()) === 0, 'what was written is undone');
