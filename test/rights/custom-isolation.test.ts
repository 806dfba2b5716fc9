import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, sendRequest } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { postXml } from '../harness/facades/xmlrpc.ts';
import type { Tenant } from '../harness/tenant.ts';
import { createScene, loadRows, type Scene } from './scene.ts';

interface World extends Scene {
  tenant: Tenant;
  model: number;
  record: number;
  contact: number;
}

const app = setUpApp();
let ownWorld: World;
let foreignWorld: World;
/** Shares no ids with the other workspaces. */
let otherWorld: World;
const ABSENT_ID = 2_000_000_011;

beforeAll(async () => {
  ownWorld = await build(await app.tenant('here'), 'char', 'forty-two');
  foreignWorld = await build(await app.tenant('there'), 'integer', 42);
  otherWorld = await build(await app.tenant('far', 'apart'), 'integer', 42);
});

async function build(tenant: Tenant, ttype: string, value: unknown): Promise<World> {
  const scene = createScene(app, tenant);
  const field = { name: `x_only_${tenant.slug}`, ttype: 'boolean' };
  const links = [
    { name: 'x_partner_id', ttype: 'many2one', relation: 'res.partner' },
    { name: 'x_tag_ids', ttype: 'many2many', relation: 'res.partner.category' },
    { name: 'x_other_id', ttype: 'many2one', relation: 'x_twin' },
    { name: 'x_ref', ttype: 'reference' },
  ];
  const model = await scene.addModel('x_twin', [{ name: 'x_value', ttype }, field, ...links], false);
  const partner = await scene.modelId('res.partner');
  await scene.create('ir.model.fields', { model_id: partner, name: 'x_value', ttype, index: true });
  const record = await scene.create('x_twin', { x_name: `of ${tenant.slug}`, x_value: value });
  const contact = await scene.create('res.partner', { name: 'Twin', x_value: value });
  return { ...scene, tenant, model, record, contact };
}

const listWorlds = () =>
  [
    [ownWorld, 'forty-two', 'char', 'String'],
    [foreignWorld, 42, 'integer', 'Int'],
  ] as const;

describe('custom records of two workspaces', () => {
  test('have identical ids', () => {
    const buildIds = ({ model, record }: World) => [model, record];
    expect(buildIds(ownWorld)).toEqual(buildIds(foreignWorld));
  });

  test('are separate in the JSON API', async () => {
    for (const [world, value, type] of listWorlds()) {
      const { admin, record, contact } = world;
      const fields = ['x_name', 'x_value'];
      expect(await admin.value('x_twin/search_read', { domain: [], fields })).toEqual([
        { id: record, x_name: `of ${world.tenant.slug}`, x_value: value },
      ]);
      for (const [model, id] of [
        ['x_twin', record],
        ['res.partner', contact],
      ] as const)
        expect(await admin.value(`${model}/search`, { domain: [['x_value', '=', value]] })).toEqual([id]);
      const shape = await admin.value('x_twin/fields_get', { attributes: ['type'] });
      expect(shape.x_value).toEqual({ type });
      const other = world === ownWorld ? 'x_only_there' : 'x_only_here';
      expect(shape).not.toHaveProperty(other);
      await admin.expectError(422, 'x_twin/search', { domain: [[other, '=', true]] });
      await admin.expectError(422, 'x_twin/create', { vals_list: [{ [other]: true }] });
      const invalidKey = value === 42 ? 'no number' : { no: 'text' };
      await admin.expectError(422, 'x_twin/create', { vals_list: [{ x_value: invalidKey }] });
    }
  });

  test('are separate in XML-RPC', async () => {
    for (const [{ tenant, record }, value] of listWorlds()) {
      const { value: rows } = await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', [
        tenant.slug,
        tenant.admin.id,
        tenant.admin.key,
        'x_twin',
        'search_read',
        [[], ['x_value']],
      ]);
      expect(rows).toEqual([{ id: record, x_value: value }]);
    }
  });

  test("are separate in GraphQL, with each workspace's own types", async () => {
    for (const [{ tenant, record, contact }, value, , type] of listWorlds()) {
      const { key } = tenant.admin;
      const response = await postGraphql(
        app,
        `{ xTwins { nodes { id xValue } } partners(where: { name: { eq: "Twin" } }) { nodes { id xValue } }
           twin: __type(name: "XTwin") { fields { name type { name ofType { name } } } }
           partner: __type(name: "Partner") { fields { name type { name ofType { name } } } } }`,
        { key },
      );
      expect(response.errors).toEqual([]);
      const { xTwins, partners, twin, partner } = response.data;
      expect(xTwins.nodes.map((row: object) => ({ ...row, id: undefined }))).toEqual([{ xValue: value }]);
      expect(Number(xTwins.nodes[0].id)).toBe(record);
      expect([Number(partners.nodes[0].id), partners.nodes[0].xValue]).toEqual([contact, value]);
      for (const { fields } of [twin, partner]) {
        const ownField = fields.find((field: { name: string }) => field.name === 'xValue');
        expect(ownField.type.name ?? ownField.type.ofType.name).toBe(type);
      }
      const other = tenant.slug === 'here' ? 'xOnlyThere' : 'xOnlyHere';
      const foreignResponse = await postGraphql(app, `{ xTwins { nodes { ${other} } } }`, { key });
      expect(foreignResponse.errors[0]?.message).toContain(other);
    }
    const main = await postGraphql(app, '{ xTwins { totalCount } }', { key: app.main.admin.key });
    expect(main.errors[0]?.message).toContain('xTwins');
  });

  test('are described only to their workspace in the GraphQL schema and /doc-bearer', async () => {
    for (const [{ tenant }, , type] of listWorlds()) {
      const headers = { authorization: `Bearer ${tenant.admin.key}` };
      const other = tenant.slug === 'here' ? 'there' : 'here';
      const sdl = await sendRequest(app, 'GET', '/graphql/schema.graphql', headers);
      expect(sdl.text).not.toMatch(new RegExp(`xOnly${other}`, 'i'));
      const doc = await sendRequest(app, 'GET', '/doc-bearer/x_twin.json', headers);
      expect(doc.status).toBe(200);
      expect(JSON.parse(doc.text).fields.x_value.type).toBe(type);
      expect(doc.text).not.toContain(`x_only_${other}`);
      const index = await sendRequest(app, 'GET', '/doc-bearer/index.json', headers);
      expect(index.text).toContain('x_twin');
      expect(index.text).not.toContain(`x_only_${other}`);
    }
    const headers = { authorization: `Bearer ${app.main.admin.key}` };
    expect((await sendRequest(app, 'GET', '/doc-bearer/x_twin.json', headers)).status).toBe(404);
    expect((await sendRequest(app, 'GET', '/doc-bearer/index.json', headers)).text).not.toContain('x_twin');
  });

  test('are listed only in their workspace by ir.model, ir.model.fields and ir.model.access', async () => {
    for (const [world] of listWorlds()) {
      const other = world === ownWorld ? foreignWorld : ownWorld;
      const { admin } = world;
      const models = await admin.value('ir.model/search_read', {
        domain: [['state', '=', 'manual']],
        fields: ['model', 'field_id'],
      });
      expect(models.map((row: { id: number }) => row.id)).toEqual([world.model]);
      const fields = await admin.value('ir.model.fields/search_read', {
        domain: [['state', '=', 'manual']],
        fields: ['name'],
      });
      const names = fields.map((row: { name: string }) => row.name);
      expect(names.filter((name: string) => name === 'x_value')).toHaveLength(2);
      expect(names).not.toContain(`x_only_${other.tenant.slug}`);
    }
  });
});

const TABLES = [
  'ir_record',
  'ir_record_link',
  'ir_field_index',
  'ir_field_file',
  'ir_model',
  'ir_model_fields',
  'res_partner',
];

async function expectLooksAbsent(
  path: string,
  body: (id: number) => object,
  foreign: number,
  status?: number,
) {
  const before = await loadRows(app, otherWorld.tenant, ...TABLES);
  const send = (id: number) => json2(app, path, body(id), ownWorld.tenant.admin.key);
  const [a, b] = [await send(foreign), await send(ABSENT_ID)];
  const normalize = (text: string, id: number) => text.replace(new RegExp(`(?<!\\w)${id}(?!\\w)`, 'g'), '#');
  expect([a.status, normalize(a.text, foreign)]).toEqual([b.status, normalize(b.text, ABSENT_ID)]);
  if (status) expect(a.status, a.text).toBe(status);
  expect(await loadRows(app, otherWorld.tenant, ...TABLES)).toBe(before);
}

describe("another workspace's ids", () => {
  test('are unknown to custom models', async () => {
    const { record } = otherWorld;
    await expectLooksAbsent('x_twin/read', (id) => ({ ids: [id], fields: ['x_name'] }), record, 200);
    await expectLooksAbsent('x_twin/write', (id) => ({ ids: [id], vals: { x_name: 'mine' } }), record, 404);
    await expectLooksAbsent('x_twin/unlink', (id) => ({ ids: [id] }), record, 404);
    await expectLooksAbsent('x_twin/search_count', (id) => ({ domain: [['id', '=', id]] }), record, 200);
    await expectLooksAbsent(
      'x_twin/search_count',
      (id) => ({ domain: [['x_other_id', '=', id]] }),
      record,
      200,
    );
    await expectLooksAbsent('x_twin/copy', (id) => ({ ids: [id] }), record);
    await expectLooksAbsent('x_twin/has_access', (id) => ({ ids: [id], operation: 'write' }), record);
  });

  test('are unknown to links of custom fields', async () => {
    const tag = await otherWorld.create('res.partner.category', { name: 'theirs' });
    const vals: [(id: number) => object, number, number][] = [
      [(id) => ({ x_partner_id: id }), otherWorld.contact, 404],
      [(id) => ({ x_other_id: id }), otherWorld.record, 404],
      [(id) => ({ x_tag_ids: [[4, id]] }), tag, 422],
      [(id) => ({ x_tag_ids: [[6, 0, [id]]] }), tag, 422],
      [(id) => ({ x_tag_ids: [[1, id, { name: 'mine' }]] }), tag, 404],
    ];
    for (const [values, foreign, status] of vals) {
      await expectLooksAbsent('x_twin/create', (id) => ({ vals_list: [values(id)] }), foreign, status);
      await expectLooksAbsent(
        'x_twin/write',
        (id) => ({ ids: [ownWorld.record], vals: values(id) }),
        foreign,
        status,
      );
    }
  });

  test('are unknown to models, fields, access rights and rules', async () => {
    const find = async (model: string, domain: unknown[]) =>
      (await otherWorld.admin.value(`${model}/search`, { domain }))[0] as number;
    const model = otherWorld.model;
    const field = await find('ir.model.fields', [['name', '=', 'x_only_far']]);
    const right = await find('ir.model.access', [['model_id', '=', model]]);
    const group = await otherWorld.groupId('base.group_user');
    await expectLooksAbsent('ir.model/unlink', (id) => ({ ids: [id] }), model, 404);
    await expectLooksAbsent('ir.model/write', (id) => ({ ids: [id], vals: { name: 'Mine' } }), model, 404);
    await expectLooksAbsent('ir.model.fields/unlink', (id) => ({ ids: [id] }), field, 404);
    await expectLooksAbsent(
      'ir.model.access/write',
      (id) => ({ ids: [id], vals: { active: false } }),
      right,
      404,
    );
    const access = { name: 'r', perm_read: true };
    await expectLooksAbsent(
      'ir.model.access/create',
      (id) => ({ vals_list: [{ ...access, model_id: id }] }),
      model,
      404,
    );
    await expectLooksAbsent(
      'ir.model.access/create',
      (id) => ({ vals_list: [{ ...access, model_id: ownWorld.model, group_id: id }] }),
      group,
      404,
    );
    const rule = { name: 'r', domain_force: '[]' };
    await expectLooksAbsent(
      'ir.rule/create',
      (id) => ({ vals_list: [{ ...rule, model_id: id }] }),
      model,
      404,
    );
    await expectLooksAbsent(
      'ir.model.fields/create',
      (id) => ({ vals_list: [{ model_id: id, name: 'x_new', ttype: 'char' }] }),
      model,
    );
  });

  test('are not affected by deletions', async () => {
    const extra = await app.tenant('extra');
    const world = await build(extra, 'char', 'short-lived');
    const before = [
      await loadRows(app, ownWorld.tenant, ...TABLES),
      await loadRows(app, foreignWorld.tenant, ...TABLES),
    ];
    const field = await world.admin.value('ir.model.fields/search', {
      domain: [
        ['name', '=', 'x_value'],
        ['model', '=', 'res.partner'],
      ],
    });
    await world.admin.value('ir.model.fields/unlink', { ids: field });
    await world.admin.value('ir.model/unlink', { ids: [world.model] });
    await world.admin.expectError(404, 'x_twin/search', { domain: [] });
    expect([
      await loadRows(app, ownWorld.tenant, ...TABLES),
      await loadRows(app, foreignWorld.tenant, ...TABLES),
    ]).toEqual(before);
    expect(await ownWorld.admin.value('x_twin/search', { domain: [['x_value', '=', 'forty-two']] })).toEqual([
      ownWorld.record,
    ]);
  });
});
