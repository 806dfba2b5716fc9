import { beforeAll, describe, expect, test } from 'vitest';
import { setUp } from '../harness/set-up.ts';
import { openRecordLab } from './lab.ts';

const DEFINITIONS = [
  { name: 'aa11', type: 'char', string: 'Color', default: 'red' },
  { name: 'bb22', type: 'many2one', string: 'Partner', comodel: 'res.partner' },
  {
    name: 'cc33',
    type: 'tags',
    string: 'Tags',
    tags: [
      ['t1', 'T one', 1],
      ['t2', 'T two', 2],
    ],
  },
  { name: 'dd44', type: 'integer', string: 'Num' },
  {
    name: 'ee55',
    type: 'selection',
    string: 'Sel',
    selection: [
      ['x', 'X'],
      ['y', 'Y'],
    ],
  },
  { name: 'ff66', type: 'date', string: 'Day' },
];

const lab = setUp(openRecordLab);
let team: number;
let partner: number;
let before: number;
beforeAll(async () => {
  [team] = await lab.value('crm.team/create', { vals_list: { name: 'Defines' } });
  [partner] = await lab.value('res.partner/create', { vals_list: { name: 'Acme' } });
  before = await createLead({});
  await lab.value('crm.team/write', { ids: [team], vals: { lead_properties_definition: DEFINITIONS } });
});

const createLead = async (vals: object): Promise<number> =>
  (await lab.value('crm.lead/create', { vals_list: { name: 'Lead', team_id: team, ...vals } }))[0];

/** Returns the properties by name, with undefined for properties without a value. */
async function readProperties(id: number): Promise<Record<string, unknown>> {
  const [row] = await lab.value('crm.lead/read', { ids: [id], fields: ['lead_properties'] });
  return Object.fromEntries(
    row.lead_properties.map((property: { name: string; value?: unknown }) => [property.name, property.value]),
  );
}

const write = (id: number, lead_properties: unknown) => ({ ids: [id], vals: { lead_properties } });
const searchLeads = (domain: unknown[]) => lab.value('crm.lead/search', { domain, order: 'id' });

describe('record properties', () => {
  test("follow the parent's definitions, and are empty without a parent or definitions", async () => {
    const [row] = await lab.value('crm.lead/read', { ids: [before], fields: ['lead_properties'] });
    expect(row.lead_properties).toEqual(DEFINITIONS);
    const [other] = await lab.value('crm.team/create', { vals_list: { name: 'Defines nothing' } });
    expect(
      await lab.value('crm.team/read', { ids: [other], fields: ['lead_properties_definition'] }),
    ).toEqual([{ id: other, lead_properties_definition: [] }]);
    expect(await readProperties(await createLead({ team_id: other }))).toEqual({});
    const [task] = await lab.value('project.task/create', { vals_list: { name: 'Alone' } });
    expect(await lab.value('project.task/read', { ids: [task], fields: ['task_properties'] })).toEqual([
      { id: task, task_properties: [] },
    ]);
  });

  test('start with the default values of new definitions', async () => {
    const newLab = await openRecordLab();
    try {
      const make = async (vals: object) =>
        (await newLab.value('project.task/create', { vals_list: { name: 'Task', ...vals } }))[0];
      const [project] = await newLab.value('project.project/create', { vals_list: { name: 'Defines' } });
      const readStored = async (id: number) => {
        const [row] = await newLab.value('project.task/read', { ids: [id], fields: ['task_properties'] });
        return row.task_properties.map((property: { name: string; value?: unknown }) => [
          property.name,
          property.value,
        ]);
      };
      await make({ project_id: project });
      await newLab.value('project.project/write', {
        ids: [project],
        vals: { task_properties_definition: [{ name: 'aa', type: 'char', string: 'A', default: 'red' }] },
      });
      expect(await readStored(await make({ project_id: project }))).toEqual([['aa', 'red']]);
      const [born] = await newLab.value('project.project/create', {
        vals_list: {
          name: 'Born so',
          task_properties_definition: [{ name: 'bb', type: 'char', default: 'blue' }],
        },
      });
      expect(await readStored(await make({ project_id: born }))).toEqual([['bb', 'blue']]);
    } finally {
      await newLab.close();
    }
  });

  test('are written as an object, and are returned with the names of linked records', async () => {
    const id = await createLead({});
    expect(await readProperties(id)).toMatchObject({ aa11: 'red', bb22: undefined });
    await lab.value(
      'crm.lead/write',
      write(id, { aa11: 'blue', bb22: partner, cc33: ['t1'], dd44: 5, ee55: 'x' }),
    );
    const values = {
      aa11: 'blue',
      bb22: [partner, 'Acme'],
      cc33: ['t1'],
      dd44: 5,
      ee55: 'x',
      ff66: undefined,
    };
    expect(await readProperties(id)).toEqual(values);
    const rows = await lab.value('crm.lead/search_read', {
      domain: [['id', '=', id]],
      fields: ['lead_properties'],
    });
    expect(rows[0].lead_properties[1]).toEqual({ ...DEFINITIONS[1], value: [partner, 'Acme'] });
    const [lead] = await lab.value('crm.lead/web_read', {
      ids: [id],
      specification: { lead_properties: {} },
    });
    expect(lead.lead_properties).toEqual(rows[0].lead_properties);
    await lab.value('crm.lead/write', write(id, rows[0].lead_properties));
    expect(await readProperties(id)).toEqual(values);
    const [copy] = await lab.value('crm.lead/copy', { ids: [id] });
    expect(await readProperties(copy)).toEqual(values);
  });

  test.each([
    [{ nope: 1 }, 'nope'],
    [{ ee55: 'zz' }, 'ee55'],
    [{ dd44: 'many' }, 'dd44'],
    [{ cc33: ['t9'] }, 'cc33'],
    [{ bb22: 999999 }, 'bb22'],
    [{ ff66: '20/11/2026' }, 'ff66'],
    ['text', 'lead_properties'],
  ])('reject a value that violates its definition, and write nothing: %j', async (value, name) => {
    const error = await lab.expectError('crm.lead/write', write(before, value));
    expect(error).toMatchObject({ status: 422, message: expect.stringContaining(name) });
    expect(Object.values(await readProperties(before)).every((property) => property === undefined)).toBe(
      true,
    );
  });
});

describe('property columns', () => {
  const buildValues = () => ({
    aa11: 'blue',
    bb22: partner,
    cc33: ['t1', 't2'],
    dd44: 5,
    ee55: 'y',
    ff66: '2026-03-04',
  });
  const cells = ['blue', 'Acme', 'T one,T two', 5, 'Y', '2026-03-04'];
  const columns = Object.keys(buildValues()).map((name) => `lead_properties.${name}`);
  const load = (fields: string[], data: unknown[][]) => lab.value('crm.lead/load', { fields, data });

  test('are exported and imported for every property type', async () => {
    const id = await createLead({ lead_properties: buildValues() });
    const plain = await createLead({});
    const exported = { ids: [id, plain], fields_to_export: ['.id', ...columns] };
    const { datas } = await lab.value('crm.lead/export_data', exported);
    expect(datas).toEqual([
      [String(id), ...cells],
      [String(plain), 'red', '', '', '', '', ''],
    ]);
    const fields = ['name', 'team_id/.id', ...columns];
    const { ids, messages } = await load(fields, [
      ['New', String(team), ...cells],
      ['Values instead of labels', String(team), 'blue', 'Acme', 't1,t2', '5', 'y', '2026-03-04'],
      ['Defaults', String(team), '', '', '', '', '', ''],
    ]);
    expect(messages).toEqual([]);
    const all = { ...buildValues(), bb22: [partner, 'Acme'] };
    expect(await readProperties(ids[0])).toEqual(all);
    expect(await readProperties(ids[1])).toEqual(all);
    expect(await readProperties(ids[2])).toMatchObject({ aa11: false, dd44: false });
  });

  test('update only the properties that they name', async () => {
    const [one, two] = [await createLead({ lead_properties: buildValues() }), await createLead({})];
    const { messages } = await load(
      ['.id', 'lead_properties.dd44', 'lead_properties.ee55'],
      [
        [String(one), '7', ''],
        [String(two), '8', 'X'],
      ],
    );
    expect(messages).toEqual([]);
    const expected = { ...buildValues(), bb22: [partner, 'Acme'], dd44: 7, ee55: false };
    expect(await readProperties(one)).toEqual(expected);
    expect(await readProperties(two)).toMatchObject({ aa11: 'red', dd44: 8, ee55: 'x' });
  });

  test.each([
    ['lead_properties.nope', 'x', "no property 'nope'"],
    ['lead_properties.ee55', 'Z', 'choices (X, Y)'],
    ['lead_properties.cc33', 'T one,T nine', 'choices (T one, T two)'],
    ['lead_properties.dd44', 'many', 'an integer'],
    ['lead_properties.bb22', 'Nobody', 'No matching record'],
    ['lead_properties.ff66', '04/03/2026', 'a date'],
  ])('report invalid text in %s: %s', async (column, text, message) => {
    const count = () => lab.value('crm.lead/search_count', { domain: [] });
    const before = await count();
    const { ids, messages } = await load(['name', 'team_id/.id', column], [['Wrong', String(team), text]]);
    expect([ids, messages.map((each: { message: string }) => each.message)]).toEqual([
      false,
      [expect.stringContaining(message)],
    ]);
    expect(await count()).toBe(before);
  });

  test("require the parent's column for new records", async () => {
    const { messages } = await load(['name', 'lead_properties.dd44'], [['No team', '5']]);
    expect(messages[0].message).toContain('(team_id)');
    for (const column of ['name.x', 'lead_properties.dd44.x', 'partner_id/lead_properties.dd44'])
      expect((await lab.expectError('crm.lead/load', { fields: [column], data: [['x']] })).status).toBe(422);
  });
});

test('reveals no property definitions through inaccessible records', async () => {
  const vals = { lead_properties: { nope: 1 } };
  const { key } = lab.app.main.user;
  expect((await lab.expectError('crm.lead/write', { ids: [before], vals }, key)).status).toBe(403);
  expect((await lab.expectError('crm.lead/write', { ids: [999999], vals })).status).toBe(404);
});

describe('property definitions', () => {
  test('can be changed through a record by users who can write its parent', async () => {
    const [ownTeam] = await lab.value('crm.team/create', {
      vals_list: { name: 'Changes', lead_properties_definition: DEFINITIONS.slice(0, 2) },
    });
    const id = await createLead({ team_id: ownTeam });
    const list = [
      { ...DEFINITIONS[0], string: 'Shade', definition_changed: true, value: 'green' },
      { type: 'boolean', string: 'New', definition_changed: true, value: true },
    ];
    await lab.value('crm.lead/write', write(id, list));
    const [row] = await lab.value('crm.lead/read', { ids: [id], fields: ['lead_properties'] });
    expect(row.lead_properties).toEqual([
      { ...DEFINITIONS[0], string: 'Shade', value: 'green' },
      { name: expect.stringMatching(/^[0-9a-f]{16}$/), type: 'boolean', string: 'New', value: true },
      DEFINITIONS[1],
    ]);
    await lab.value('crm.lead/write', write(id, [{ name: 'aa11', definition_deleted: true }]));
    expect(await readProperties(id)).not.toHaveProperty('aa11');
    expect(await searchLeads([['lead_properties.aa11', '=', 'green']])).not.toContain(id);
  });

  test.each([
    [[{ name: 'a', type: 'nope' }], 'type'],
    [[{ name: 'A b', type: 'char' }], 'name'],
    [[{ name: 'a', type: 'many2one', comodel: 'no.model' }], 'model'],
    [
      [
        { name: 'a', type: 'char' },
        { name: 'a', type: 'char' },
      ],
      'twice',
    ],
    [[{ name: 'a', type: 'char', color: 1 }], 'color'],
    [[{ name: 'a', type: 'integer', default: 'x' }], 'a'],
    ['text', 'definitions'],
  ])('are rejected if invalid: %j', async (definitions, word) => {
    const vals = { lead_properties_definition: definitions };
    const error = await lab.expectError('crm.team/write', { ids: [team], vals });
    expect(error).toMatchObject({ status: 422, message: expect.stringContaining(word) });
  });

  test('are described by fields_get', async () => {
    const fields = await lab.value('crm.lead/fields_get', { allfields: ['lead_properties'] });
    expect(fields.lead_properties).toMatchObject({
      type: 'properties',
      definition_record: 'team_id',
      definition_record_field: 'lead_properties_definition',
      depends: ['team_id'],
      sortable: true,
      groupable: true,
    });
    const [type] = Object.values(
      await lab.value('project.project/fields_get', {
        allfields: ['task_properties_definition'],
        attributes: ['type'],
      }),
    );
    expect(type).toEqual({ type: 'properties_definition' });
  });
});

describe('property conditions', () => {
  let blue: number;
  let green: number;
  let none: number;
  const searchOurs = (condition: unknown[]) => searchLeads([['id', 'in', [blue, green, none]], condition]);
  beforeAll(async () => {
    blue = await createLead({
      lead_properties: { aa11: 'blue', bb22: partner, cc33: ['t1', 't2'], dd44: 5, ff66: '2026-02-03' },
    });
    green = await createLead({
      lead_properties: { aa11: 'green', cc33: ['t2'], dd44: 9, ff66: '2026-03-01' },
    });
    none = await createLead({ lead_properties: { aa11: false } });
  });

  test.each<[string, unknown, string]>([
    ['=', 'blue', 'blue'],
    ['!=', 'blue', 'green none'],
    ['in', ['blue', 'green'], 'blue green'],
    ['=', false, 'none'],
    ['like', 'lu', 'blue'],
    ['not ilike', 'LU', 'green none'],
    ['=?', false, 'blue green none'],
    ['>', 'c', 'green'],
  ])('compare text: %s %j', async (operator, value, expected) => {
    const ids = { blue, green, none } as Record<string, number>;
    expect(await searchOurs(['lead_properties.aa11', operator, value])).toEqual(
      expected.split(' ').map((name) => ids[name]),
    );
  });

  test('compare numbers, dates, tags and links by type', async () => {
    expect(await searchOurs(['lead_properties.dd44', '=', 5])).toEqual([blue]);
    expect(await searchOurs(['lead_properties.dd44', '>', 5])).toEqual([green]);
    expect(await searchOurs(['lead_properties.dd44', '<', 9.5])).toEqual([blue, green]);
    expect(await searchOurs(['lead_properties.ff66', '<', '2026-02-15'])).toEqual([blue]);
    expect(await searchOurs(['lead_properties.cc33', 'in', ['t1']])).toEqual([blue]);
    expect(await searchOurs(['lead_properties.cc33', 'not in', ['t1']])).toEqual([green, none]);
    expect(await searchOurs(['lead_properties.bb22', '=', partner])).toEqual([blue]);
    expect(await searchOurs(['lead_properties', '=', false])).toEqual([]);
  });

  test('match nothing for an unknown property', async () => {
    expect(await searchOurs(['lead_properties.nope', '=', 'blue'])).toEqual([]);
    expect(await searchOurs(['lead_properties.nope', '>', 1])).toEqual([]);
    for (const name of ['NOPE', "a'b", 'aa11.name', ''])
      expect(
        (await lab.expectError('crm.lead/search', { domain: [[`lead_properties.${name}`, '=', 1]] })).status,
      ).toBe(422);
  });

  test('support grouping and sorting by a property', async () => {
    const domain = [['id', 'in', [blue, green, none]]];
    const readGroups = (spec: string) =>
      lab.value('crm.lead/formatted_read_group', { domain, groupby: [spec], aggregates: ['__count'] });
    expect(await readGroups('lead_properties.aa11')).toEqual([
      { 'lead_properties.aa11': 'blue', __extra_domain: [['lead_properties.aa11', '=', 'blue']], __count: 1 },
      {
        'lead_properties.aa11': 'green',
        __extra_domain: [['lead_properties.aa11', '=', 'green']],
        __count: 1,
      },
      { 'lead_properties.aa11': false, __extra_domain: [['lead_properties.aa11', '=', false]], __count: 1 },
    ]);
    expect((await readGroups('lead_properties.bb22')).map((g: object) => Object.values(g)[0])).toEqual([
      [partner, 'Acme'],
      false,
    ]);
    expect((await readGroups('lead_properties.dd44')).map((g: object) => Object.values(g)[0])).toEqual([
      0, 5, 9,
    ]);
    expect((await readGroups('lead_properties.ff66:month'))[0]['lead_properties.ff66:month'][0]).toBe(
      '2026-02-01',
    );
    expect((await readGroups('lead_properties.nope')).map((g: object) => Object.values(g)[0])).toEqual([
      false,
    ]);
    const order = 'lead_properties.dd44 desc nulls last';
    expect(await lab.value('crm.lead/search', { domain, order })).toEqual([green, blue, none]);
    expect(
      (await lab.expectError('crm.lead/formatted_read_group', { groupby: ['lead_properties.cc33'] })).status,
    ).toBe(422);
  });

  test("exclude another workspace's records", async () => {
    const otherTenant = await lab.app.tenant('other');
    const rows = await lab.value(
      'crm.lead/search',
      { domain: [['lead_properties.aa11', '=', 'blue']] },
      otherTenant.admin.key,
    );
    expect(rows).toEqual([]);
  });
});

describe('properties of several records', () => {
  test('are created and copied in one call', async () => {
    const ids: number[] = await lab.value('crm.lead/create', {
      vals_list: ['blue', 'green'].map((aa11) => ({ name: aa11, team_id: team, lead_properties: { aa11 } })),
    });
    expect(await Promise.all(ids.map(async (id) => (await readProperties(id)).aa11))).toEqual([
      'blue',
      'green',
    ]);
    const copies: number[] = await lab.value('crm.lead/copy', { ids });
    expect(await Promise.all(copies.map(async (id) => (await readProperties(id)).aa11))).toEqual([
      'blue',
      'green',
    ]);
  });

  test('follow the definitions of parents created in the same call', async () => {
    const teams: number[] = await lab.value('crm.team/create', {
      vals_list: ['One', 'Two'].map((name) => ({
        name,
        lead_properties_definition: DEFINITIONS.slice(0, 1),
      })),
    });
    const copies: number[] = await lab.value('crm.team/copy', { ids: teams });
    const rows = await lab.value('crm.team/read', {
      ids: [...teams, ...copies],
      fields: ['lead_properties_definition'],
    });
    for (const row of rows) expect(row.lead_properties_definition).toEqual(DEFINITIONS.slice(0, 1));
  });
});

test('does not reuse the cached plan of one field list for another', async () => {
  const call = { ids: [partner], fields: ['name', 'city'] };
  await lab.value('res.partner/read', call);
  await lab.value('res.partner/read', call);
  await expect(lab.value('res.partner/read', { ids: [partner], fields: ['name city'] })).rejects.toThrow(
    'name city',
  );
});

test.each(['array_agg', 'array_agg_distinct', 'recordset'])(
  'rejects sorting groups by %s, and conditions on it',
  async (operation) => {
    const spec = `id:${operation}`;
    const groupRequest = { domain: [], groupby: ['stage_id'], aggregates: [spec] };
    await lab.value('crm.lead/formatted_read_group', groupRequest);
    for (const extra of [{ order: spec }, { having: [[spec, '>', 1]] }])
      await expect(lab.value('crm.lead/formatted_read_group', { ...groupRequest, ...extra })).rejects.toThrow(
        operation,
      );
  },
);
