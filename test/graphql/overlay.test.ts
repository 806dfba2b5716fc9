import {
  buildSchema,
  GraphQLSchema,
  getIntrospectionQuery,
  parse,
  printSchema,
  validate,
  validateSchema,
} from 'graphql';
import { beforeAll, describe, expect, it } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql, queryData, sendRequest } from '../harness/facades/graphql.ts';
import type { Tenant } from '../harness/tenant.ts';
import { createScene } from '../rights/scene.ts';

const app = setUpApp();
let ownTenant: Tenant;
let twin: Tenant;
let ids: { boat: number; harbour: number };

const FIELDS = [
  { name: 'x_name', ttype: 'char' },
  { name: 'x_length', ttype: 'float' },
  { name: 'x_built', ttype: 'date' },
  { name: 'x_rig', ttype: 'selection', selection_ids: [[0, 0, { value: 'two mast', name: 'Two masts' }]] },
  {
    name: 'x_grade',
    ttype: 'selection',
    selection_ids: ['1', '1+', '-'].map((value) => [0, 0, { value, name: `Grade ${value}` }]),
  },
  { name: 'x_owner_id', ttype: 'many2one', relation: 'res.partner' },
];

beforeAll(async () => {
  ownTenant = await app.tenant('own');
  twin = await app.tenant('twin');
  const scene = createScene(app, ownTenant);
  const users = await scene.groupId('base.group_user');
  await scene.addModel('x_harbour', [{ name: 'x_name', ttype: 'char' }], users);
  const harbourLink = { name: 'x_harbour_id', ttype: 'many2one', relation: 'x_harbour' };
  await scene.addModel('x_boat', [...FIELDS, harbourLink], users);
  const createField = (model: string, name: string, ttype: string, overrides = {}) =>
    scene
      .modelId(model)
      .then((model_id) => scene.create('ir.model.fields', { name, ttype, model_id, ...overrides }));
  await createField('x_harbour', 'x_boat_ids', 'one2many', {
    relation: 'x_boat',
    relation_field: 'x_harbour_id',
  });
  await createField('res.partner', 'x_rank', 'integer');
  // The other workspace has a different model of the same name.
  const otherScene = createScene(app, twin);
  await otherScene.addModel(
    'x_boat',
    [
      { name: 'x_name', ttype: 'char' },
      { name: 'x_sails', ttype: 'integer' },
    ],
    await otherScene.groupId('base.group_user'),
  );
  const owner = await scene.create('res.partner', { name: 'Ann', x_rank: 3 });
  const harbour = await scene.create('x_harbour', { x_name: 'Ostend' });
  const boat = await scene.create('x_boat', {
    x_name: 'Anna',
    x_length: 12.5,
    x_built: '1999-05-01',
    x_rig: 'two mast',
    x_owner_id: owner,
    x_harbour_id: harbour,
  });
  ids = { boat, harbour };
});

describe('a custom model', () => {
  it('supports types, relations, filters, sorting and counts like other models', async () => {
    const data = await queryData(
      app,
      `{ xBoats(where: { xRig: { eq: TWO_MAST }, xOwner: { xRank: { gte: 3 } } }, orderBy: [{ field: X_NAME }]) {
          totalCount
          nodes { __typename id xName xLength xBuilt xRig xOwnerId xOwner { name xRank } xHarbour { xName xBoats { nodes { id } } } } }
        xBoat(id: "${ids.boat}") { xName createdBy { name } }
        xHarbours(where: { xBoats: { some: { xLength: { gt: 12 } } } }) { nodes { id } }
        partners(where: { xRank: { eq: 3 } }, orderBy: [{ field: X_RANK }]) { nodes { name xRank } } }`,
      { key: ownTenant.admin.key },
    );
    expect(data.xBoats.totalCount).toBe(1);
    expect(data.xBoats.nodes[0]).toEqual({
      __typename: 'XBoat',
      id: String(ids.boat),
      xName: 'Anna',
      xLength: 12.5,
      xBuilt: '1999-05-01',
      xRig: 'TWO_MAST',
      xOwnerId: expect.any(String),
      xOwner: { name: 'Ann', xRank: 3 },
      xHarbour: { xName: 'Ostend', xBoats: { nodes: [{ id: String(ids.boat) }] } },
    });
    expect(data.xBoat.xName).toBe('Anna');
    expect(data.xHarbours.nodes).toEqual([{ id: String(ids.harbour) }]);
    expect(data.partners.nodes).toEqual([{ name: 'Ann', xRank: 3 }]);
  });

  it('names the values of a selection by its keys, because labels and order can change', async () => {
    const { admin } = createScene(app, ownTenant);
    const [field] = await admin.value('ir.model.fields/search', { domain: [['name', '=', 'x_grade']] });
    const { selection_ids } = await admin.read('ir.model.fields', field, ['selection_ids']);
    const describe = `{ modelDescribe(model: "x_boat") {
      fields { name selection { value graphqlName } } } __type(name: "XBoatXGrade") { enumValues { name } } }`;
    const readNames = async () => {
      const { modelDescribe, __type } = await queryData(app, describe, { key: ownTenant.admin.key });
      const { selection: options } = modelDescribe.fields.find(
        ({ name }: { name: string }) => name === 'x_grade',
      );
      expect(new Set(__type.enumValues.map(({ name }: { name: string }) => name))).toEqual(
        new Set(options.map(({ graphqlName }: { graphqlName: string }) => graphqlName)),
      );
      return options.map(({ value, graphqlName }: Record<string, string>) => [value, graphqlName]);
    };
    const names = [
      ['1', 'VALUE_1'],
      ['1+', 'VALUE_1_2'],
      ['-', 'VALUE'],
    ];
    expect(await readNames()).toEqual(names);
    await admin.value('ir.model.fields.selection/write', {
      ids: [selection_ids[0]],
      vals: { sequence: 9, name: 'Last' },
    });
    expect(await readNames()).toEqual([names[1], names[2], names[0]]);
  });

  it('exists only in its workspace, even if another workspace has a model with the same name', async () => {
    const boats = '{ xBoats { nodes { xName } } }';
    expect((await postGraphql(app, boats, { key: ownTenant.admin.key })).data.xBoats.nodes).toEqual([
      { xName: 'Anna' },
    ]);
    expect((await postGraphql(app, boats, { key: twin.admin.key })).data.xBoats.nodes).toEqual([]);
    expect((await postGraphql(app, boats, { key: app.main.admin.key })).errors[0]!.message).toContain(
      '"xBoats"',
    );
    const sails = '{ xBoats { nodes { xSails } } }';
    await queryData(app, sails, { key: twin.admin.key });
    expect((await postGraphql(app, sails, { key: ownTenant.admin.key })).errors[0]!.message).toContain(
      '"xSails"',
    );
    const rank = '{ partners(first: 1) { nodes { xRank } } }';
    await queryData(app, rank, { key: ownTenant.admin.key });
    expect((await postGraphql(app, rank, { key: twin.admin.key })).errors[0]!.message).toContain('"xRank"');
  });

  it('appears in introspection and in a valid schema text', async () => {
    const sdl = await sendRequest(app, 'GET', '/graphql/schema.graphql', {
      authorization: `Bearer ${ownTenant.admin.key}`,
    });
    const { text } = sdl;
    expect(text).toContain('type XBoat ');
    expect(text).toContain('xRank: Int!');
    expect(validateSchema(buildSchema(text))).toEqual([]);
    const product = buildSchema(printSchema(app.runtime.schema));
    const lacking = Object.keys(product.getTypeMap()).filter((name) => !text.includes(name));
    expect(lacking.filter((name) => !name.startsWith('__'))).toEqual([]);
    const shape = await postGraphql(app, '{ __type(name: "XBoat") { fields { name } } }', {
      key: ownTenant.admin.key,
    });
    expect(shape.data.__type.fields.map((field: { name: string }) => field.name)).toContain('xOwner');
  });

  it('updates the schema immediately when a field is added', async () => {
    const scene = createScene(app, ownTenant);
    const document = '{ xBoats { nodes { xColor } } }';
    expect((await postGraphql(app, document, { key: ownTenant.admin.key })).errors).toHaveLength(1);
    const model_id = await scene.modelId('x_boat');
    await scene.create('ir.model.fields', { name: 'x_color', ttype: 'char', model_id });
    expect((await postGraphql(app, document, { key: ownTenant.admin.key })).data.xBoats.nodes).toEqual([
      { xColor: null },
    ]);
  });
});

describe("a workspace's schema", () => {
  it('builds only the types that a document uses', () => {
    const { registry, getSchema: schemaOf } = app.runtime;
    const schema = schemaOf(new Map(registry));
    expect(schema).not.toBe(app.runtime.schema);
    const document = parse('{ crmTags(first: 1) { nodes { id name } } }');
    expect(validate(schema, document)).toEqual([]);
    expect(schema).toBeInstanceOf(GraphQLSchema);
  });

  it('equals the product schema if nothing was added', () => {
    const { registry, getSchema: schemaOf, schema } = app.runtime;
    const copy = schemaOf(new Map(registry));
    const buildSorted = (text: string) => text.split('\n\n').sort();
    expect(buildSorted(printSchema(copy))).toEqual(buildSorted(printSchema(schema)));
    expect(validate(copy, parse(getIntrospectionQuery()))).toEqual([]);
  });
});

describe('models with colliding type or root field names', () => {
  const MODELS = [
    'x_partner',
    'x_partner_where',
    'x_partner_group',
    'x_partner_update',
    'x_f.bar',
    'x_f_bar',
    'x_f__bar',
    'x_f_bar2',
    'x_partner_x_kind',
  ];

  it('get numbered names in order of creation and are all accessible', async () => {
    const tenant = await app.tenant('names');
    const scene = createScene(app, tenant);
    const users = await scene.groupId('base.group_user');
    const kinds = { name: 'x_kind', ttype: 'selection', selection_ids: [[0, 0, { value: 'a', name: 'A' }]] };
    const lead = { name: 'x_lead_id', ttype: 'many2one', relation: 'x_partner' };
    for (const [index, model] of MODELS.entries()) {
      await scene.addModel(model, [{ name: 'x_name', ttype: 'char' }, index ? lead : kinds], users);
      await scene.create(model, { x_name: model });
    }
    const { key } = tenant.admin;
    const { text } = await sendRequest(app, 'GET', '/graphql/schema.graphql', {
      authorization: `Bearer ${key}`,
    });
    expect(validateSchema(buildSchema(text))).toEqual([]);
    const { data } = await postGraphql(app, '{ __schema { types { name } } }', { key });
    const types = data.__schema.types.map(({ name }: { name: string }) => name);
    expect(new Set(types).size).toBe(types.length);
    for (const [model, type, list] of [
      ['x_partner', 'XPartner', 'xPartners'],
      ['x_partner_where', 'XPartnerWhere2', 'xPartnerWhere2s'],
      ['x_partner_group', 'XPartnerGroup2', 'xPartnerGroup2s'],
      ['x_f.bar', 'XFBar', 'xFBars'],
      ['x_f_bar', 'XFBar2', 'xFBar2s'],
      ['x_partner_x_kind', 'XPartnerXKind2', 'xPartnerXKind2s'],
    ]) {
      const response = await postGraphql(
        app,
        `{ ${list}(where: { xName: { eq: "${model}" } }) { nodes { __typename xName } } }`,
        { key },
      );
      expect(response.errors, model).toEqual([]);
      expect(response.data[list!].nodes).toEqual([{ __typename: type, xName: model }]);
    }
    // Each model has a list.
    const lists = await postGraphql(
      app,
      '{ __schema { queryType { fields { name type { ofType { name } } } } } }',
      {
        key,
      },
    );
    const connections = lists.data.__schema.queryType.fields
      .map((field: { type: { ofType: { name: string | null } | null } }) => field.type.ofType?.name ?? '')
      .filter((name: string) => /^X(Partner|F).*Connection$/.test(name));
    expect(connections).toHaveLength(MODELS.length);
  });
});

describe('fields with colliding names', () => {
  const link = { ttype: 'many2one', relation: 'res.partner' };
  const text = { ttype: 'char' };
  type Case = [string, [name: string, overrides: { ttype: string }, names: string[]][]];
  const cases: Case[] = [
    [
      'a text before a link',
      [
        ['x_ship', text, ['xShip']],
        ['x_ship_id', link, ['xShipId', 'xShip2']],
      ],
    ],
    [
      'a link before a text',
      [
        ['x_ship_id', link, ['xShipId', 'xShip']],
        ['x_ship', text, ['xShip2']],
      ],
    ],
    [
      'two links',
      [
        ['x_ship', link, ['xShipId', 'xShip']],
        ['x_ship_id', link, ['xShipId2', 'xShip2']],
      ],
    ],
    [
      'a list and a text',
      [
        ['x_ships', text, ['xShips']],
        ['x_ship_ids', { ...link, ttype: 'many2many' }, ['xShips2']],
      ],
    ],
    [
      'names that differ only in case or underscores',
      [
        ['x_sea_port', text, ['xSeaPort']],
        ['x_sea_Port', text, ['xSeaPort2']],
        ['x_SEA_PORT', text, ['xSEAPORT']],
        ['x_sea__port', text, ['xSea_port3']],
        ['x_seaPort2', text, ['xSeaPort22']],
      ],
    ],
    [
      'a file and the id of its upload',
      [
        ['x_plan_upload_id', link, ['xPlanUploadId', 'xPlanUpload']],
        ['x_plan', { ttype: 'binary' }, ['xPlan2']],
      ],
    ],
  ];

  let tenant: Tenant;
  beforeAll(async () => {
    tenant = await app.tenant('fields');
  });

  it.each(cases.map(([what, fields], index) => [what, `x_dock${index}`, fields] as const))(
    'get numbered names in order of creation: %s',
    async (_what, model, fields) => {
      const scene = createScene(app, tenant);
      const { key } = tenant.admin;
      const rows = fields.map(([name, overrides]) => ({ name, ...overrides }));
      await scene.addModel(model, rows, await scene.groupId('base.group_user'));
      const describe = `{ modelDescribe(model: "${model}") { fields { name graphqlName relationName } } }`;
      const { modelDescribe } = await queryData(app, describe, { key });
      for (const [name, , names] of fields) {
        const info = modelDescribe.fields.find((field: { name: string }) => field.name === name);
        expect([info.graphqlName, info.relationName].filter(Boolean), name).toEqual(names);
      }
      const owner = await scene.create('res.partner', { name: 'Ann' });
      const inputs = fields.flatMap(([name, { ttype }, [graphName]]) => {
        if (ttype === 'binary') return [];
        if (ttype === 'many2many') return [`${graphName}: { connect: ["${owner}"] }`];
        return [`${graphName}: "${ttype === 'char' ? name : owner}"`];
      });
      const selections = fields.flatMap(([, { ttype }, [graphName, records]]) => {
        if (ttype === 'binary') return [];
        if (ttype === 'many2many') return [`${graphName} { nodes { name } }`];
        return [graphName, ...(records ? [`${records} { name }`] : [])];
      });
      const root = `xDock${model.slice(-1)}Create`;
      const document = `mutation { ${root}(input: { ${inputs.join(' ')} }) { ${selections.join(' ')} } }`;
      const stored = (await queryData(app, document, { key }))[root];
      const expected = fields.flatMap(([name, { ttype }, [graphName, records]]): [string, unknown][] => {
        if (ttype === 'binary') return [];
        if (ttype === 'char') return [[graphName!, name]];
        if (ttype === 'many2many') return [[graphName!, { nodes: [{ name: 'Ann' }] }]];
        return [
          [graphName!, String(owner)],
          [records!, { name: 'Ann' }],
        ];
      });
      expect(stored).toEqual(Object.fromEntries(expected));
    },
  );

  it('get numbered names on a built-in model, in a valid schema', async () => {
    const scene = createScene(app, tenant);
    const { key } = tenant.admin;
    const model_id = await scene.modelId('res.partner');
    for (const [name, overrides] of [
      ['x_ship', text],
      ['x_ship_id', link],
    ] as const)
      await scene.create('ir.model.fields', { name, model_id, ...overrides });
    const id = await scene.create('res.partner', { name: 'Bo', x_ship: 'Anna' });
    await scene.admin.value('res.partner/write', { ids: [id], vals: { x_ship_id: id } });
    const { partner } = await queryData(app, `{ partner(id: "${id}") { xShip xShip2 { name } } }`, { key });
    expect(partner).toEqual({ xShip: 'Anna', xShip2: { name: 'Bo' } });
    const authorization = `Bearer ${key}`;
    const schema = await sendRequest(app, 'GET', '/graphql/schema.graphql', { authorization });
    expect(validateSchema(buildSchema(schema.text))).toEqual([]);
  });
});
