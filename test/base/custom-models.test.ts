import { beforeAll, describe, expect, test } from 'vitest';
import { setUpApp } from '../harness/app.ts';
import { postGraphql } from '../harness/facades/graphql.ts';
import { createJsonClient } from '../harness/facades/json2.ts';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { setUp } from '../harness/set-up.ts';

const app = setUpApp();
const admin = createJsonClient(app);
const otherClient = setUp(async () => createJsonClient(app, (await app.tenant('acme')).admin.key));
let lab: number;
beforeAll(async () => {
  [lab] = await admin.value('ir.model/create', {
    vals_list: [{ name: 'Lab', model: 'x_lab', state: 'manual' }],
  });
});

const addField = async (values: object): Promise<number> =>
  (
    await admin.value('ir.model.fields/create', {
      vals_list: [{ model_id: lab, state: 'manual', ...values }],
    })
  )[0];
const search = (domain: unknown[], overrides: object = {}): Promise<number[]> =>
  admin.value('x_lab/search', { domain, ...overrides });

describe('a custom model', () => {
  test('has x_name and the log fields, and is immediately usable by administrators', async () => {
    const fields = await admin.value('x_lab/fields_get', { attributes: ['type', 'string'] });
    expect(Object.keys(fields).sort()).toEqual(
      ['id', 'display_name', 'create_uid', 'create_date', 'write_uid', 'write_date', 'x_name'].sort(),
    );
    expect(fields.x_name).toEqual({ type: 'char', string: 'Name' });
    const id = await admin.create('x_lab', { x_name: 'First' });
    expect(await admin.row('x_lab', id, ['display_name', 'create_uid'])).toEqual({
      id,
      display_name: 'First',
      create_uid: [app.main.admin.id, 'admin'],
    });
    expect(await admin.value('x_lab/name_search', { name: 'fir' })).toEqual([[id, 'First']]);
  });

  test('is an ir.model record that lists its fields and access rights', async () => {
    const row = await admin.row('ir.model', lab, [
      'name',
      'model',
      'state',
      'field_id',
      'access_ids',
      'order',
      'count',
    ]);
    expect(row).toMatchObject({
      id: lab,
      name: 'Lab',
      model: 'x_lab',
      state: 'manual',
      order: 'id',
      count: 1,
    });
    expect(row.field_id.length).toBeGreaterThan(0);
    expect(row.access_ids).toHaveLength(1);
    expect(
      await admin.value('ir.model/search_count', { domain: [['model', 'in', ['x_lab', 'res.partner']]] }),
    ).toBe(2);
  });

  test('does not exist in other workspaces and is not accessible to other users', async () => {
    await otherClient.expectError(404, 'x_lab/search', { domain: [] });
    await createJsonClient(app, app.main.user.key).expectError(403, 'x_lab/search', { domain: [] });
  });

  test.each([
    [{ name: 'Lab again', model: 'x_lab' }, 'unique'],
    [{ name: 'Bad', model: 'custom' }, "must start with 'x_'"],
    [{ name: 'Bad', model: 'x_Bad one' }, 'x_Bad one'],
    [{ model: 'x_unnamed' }, 'name'],
    [{ name: 'Base', model: 'x_base', state: 'base' }, 'manual'],
    [{ name: 'Sorted', model: 'x_sorted', order: 'x_nope' }, 'x_nope'],
  ])('rejects %j', async (values, token) => {
    const error = await admin.expectError(422, 'ir.model/create', { vals_list: [values] });
    expect(error.message).toContain(token);
  });

  test('can be created with fields, access rights and sort order in one call', async () => {
    const model = await admin.create('ir.model', {
      name: 'Plant',
      model: 'x_plant',
      order: 'x_height desc, id',
      field_id: [[0, 0, { name: 'x_height', ttype: 'integer' }]],
      access_ids: [[0, 0, { name: 'everybody reads', perm_read: true, perm_create: true }]],
    });
    const ids = await admin.value('x_plant/create', { vals_list: [{ x_height: 1 }, { x_height: 5 }] });
    expect(await admin.value('x_plant/search', { domain: [] })).toEqual([...ids].reverse());
    await createJsonClient(app, app.main.user.key).value('x_plant/search', { domain: [] });
    await admin.expectError(403, 'x_plant/unlink', { ids });
    await admin.value('ir.model/unlink', { ids: [model] });
    await admin.expectError(404, 'x_plant/search', { domain: [] });
    expect(await admin.value('ir.model.fields/search', { domain: [['model', '=', 'x_plant']] })).toEqual([]);
  });

  test('rejects changes to built-in models', async () => {
    const [partner] = await admin.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
    await admin.expectError(422, 'ir.model/unlink', { ids: [partner] });
    await admin.expectError(422, 'ir.model/write', { ids: [partner], vals: { name: 'Mine' } });
    const [name] = await admin.value('ir.model.fields/search', {
      domain: [
        ['model', '=', 'res.partner'],
        ['name', '=', 'name'],
      ],
    });
    await admin.expectError(422, 'ir.model.fields/unlink', { ids: [name] });
    await admin.expectError(422, 'ir.model.fields/write', { ids: [name], vals: { name: 'x_other' } });
  });
});

describe('custom fields', () => {
  test('store values of every type', async () => {
    const types = [
      'text',
      'html',
      'integer',
      'float',
      'boolean',
      'date',
      'datetime',
      'binary',
      'json',
      'reference',
    ];
    for (const ttype of types) await addField({ name: `x_${ttype}`, ttype, field_description: ttype });
    await addField({ name: 'x_currency_id', ttype: 'many2one', relation: 'res.currency' });
    await addField({ name: 'x_amount', ttype: 'monetary' });
    await addField({ name: 'x_state', ttype: 'selection', selection: "[('a', 'Aaa'), ('b', \"B's\")]" });
    await addField({ name: 'x_partner_id', ttype: 'many2one', relation: 'res.partner' });
    await addField({ name: 'x_tag_ids', ttype: 'many2many', relation: 'res.partner.category' });
    const [eur] = await admin.value('res.currency/search', { domain: [['name', '=', 'EUR']] });
    const partner = await admin.create('res.partner', { name: 'Linked' });
    const tags = await admin.value('res.partner.category/create', {
      vals_list: [{ name: 'T2' }, { name: 'T1' }],
    });
    const values = {
      x_name: 'All',
      x_text: 'two\nlines',
      x_html: '<p>bold</p>',
      x_integer: 7,
      x_float: 1.5,
      x_boolean: true,
      x_date: '2026-02-03',
      x_datetime: '2026-02-03 04:05:06',
      x_binary: 'aGVsbG8=',
      x_json: { deep: [1, null] },
      x_reference: `res.partner,${partner}`,
      x_amount: 12.34,
      x_state: 'b',
    };
    const id = await admin.create('x_lab', {
      ...values,
      x_currency_id: eur,
      x_partner_id: partner,
      x_tag_ids: [[6, 0, tags]],
    });
    const names = [...Object.keys(values), 'x_partner_id', 'x_tag_ids', 'x_currency_id'];
    expect(await admin.row('x_lab', id, names)).toEqual({
      id,
      ...values,
      x_partner_id: [partner, 'Linked'],
      x_tag_ids: [tags[1], tags[0]],
      x_currency_id: [eur, 'EUR'],
    });
    for (const [name, value] of Object.entries(values)) {
      if (['x_binary', 'x_json', 'x_html'].includes(name)) continue;
      expect(await search([[name, '=', value]]), name).toEqual([id]);
    }
    expect(await search([['x_partner_id.name', '=', 'Linked']])).toEqual([id]);
    expect(await search([['x_tag_ids', '=', 'T1']])).toEqual([id]);
    expect(await search([['x_integer', '>', 6]], { order: 'x_integer desc' })).toEqual([id]);
    expect(
      (await admin.expectError(422, 'x_lab/write', { ids: [id], vals: { x_state: 'c' } })).message,
    ).toContain('x_state');
  });

  test('can be a one2many field with its inverse, or a related field', async () => {
    const line = await admin.create('ir.model', { name: 'Line', model: 'x_line' });
    const add = (values: object) => admin.create('ir.model.fields', { model_id: line, ...values });
    await add({
      name: 'x_lab_id',
      ttype: 'many2one',
      relation: 'x_lab',
      required: true,
      on_delete: 'cascade',
    });
    await addField({ name: 'x_line_ids', ttype: 'one2many', relation: 'x_line', relation_field: 'x_lab_id' });
    await add({ name: 'x_lab_name', ttype: 'char', related: 'x_lab_id.x_name' });
    const id = await admin.create('x_lab', { x_name: 'Parent', x_line_ids: [[0, 0, { x_name: 'one' }]] });
    const { x_line_ids: lines } = await admin.row('x_lab', id, ['x_line_ids']);
    expect(await admin.row('x_line', lines[0], ['x_lab_id', 'x_lab_name'])).toEqual({
      id: lines[0],
      x_lab_id: [id, 'Parent'],
      x_lab_name: 'Parent',
    });
    expect(await admin.value('x_line/search', { domain: [['x_lab_name', '=', 'Parent']] })).toEqual(lines);
    await admin.value('x_lab/unlink', { ids: [id] });
    expect(await admin.value('x_line/search', { domain: [] })).toEqual([]);
  });

  test('are available on a built-in model through every facade', async () => {
    const [partner] = await admin.value('ir.model/search', { domain: [['model', '=', 'res.partner']] });
    await admin.create('ir.model.fields', {
      model_id: partner,
      name: 'x_score',
      ttype: 'integer',
      index: true,
    });
    const id = await admin.create('res.partner', { name: 'Scored', x_score: 42 });
    await admin.create('res.partner', { name: 'Not scored' });
    expect(await admin.value('res.partner/search', { domain: [['x_score', '=', 42]] })).toEqual([id]);
    const { execute } = createRpcClients(app);
    expect((await execute('res.partner', 'read', [[id], ['x_score']])).value).toEqual([{ id, x_score: 42 }]);
    const xml = await execute('x_lab', 'create', [{ x_name: 'by XML-RPC' }]);
    const response = await postGraphql(
      app,
      `{ recordSearchRead(model: "x_lab", domain: [["id", "=", ${xml.value}]], fields: ["x_name"]) }`,
      { key: app.main.admin.key },
    );
    expect(response.data.recordSearchRead).toEqual([{ id: xml.value, x_name: 'by XML-RPC' }]);
    await otherClient.expectError(422, 'res.partner/search', { domain: [['x_score', '=', 42]] });
  });

  test('are ir.model.fields records with a label, a description and a count', async () => {
    const id = await addField({ name: 'x_main_country_id', ttype: 'many2one', relation: 'res.country' });
    expect(
      await admin.row('ir.model.fields', id, [
        'field_description',
        'model',
        'model_id',
        'state',
        'on_delete',
        'domain',
        'size',
        'tracking',
      ]),
    ).toEqual({
      id,
      field_description: 'X Main Country',
      model: 'x_lab',
      model_id: [lab, 'Lab'],
      state: 'manual',
      on_delete: 'set null',
      domain: '[]',
      size: 0,
      tracking: 0,
    });
    const [state] = await admin.value('ir.model.fields/search_read', {
      domain: [
        ['model', '=', 'x_lab'],
        ['name', '=', 'x_state'],
      ],
      fields: ['selection', 'selection_ids'],
    });
    expect(state.selection).toBe("[('a', 'Aaa'), ('b', 'B\\'s')]");
    expect(
      await admin.value('ir.model.fields.selection/read', {
        ids: state.selection_ids,
        fields: ['value', 'name', 'sequence'],
      }),
    ).toEqual([
      { id: state.selection_ids[0], value: 'a', name: 'Aaa', sequence: 0 },
      { id: state.selection_ids[1], value: 'b', name: "B's", sequence: 1 },
    ]);
    expect(
      await admin.value('ir.model.fields/search_count', { domain: [['model', '=', 'res.partner']] }),
    ).toBeGreaterThan(40);
  });

  test.each([
    [{ name: 'x_name', ttype: 'char' }, 'Field names must be unique per model.'],
    [{ name: 'nope', ttype: 'char' }, "must start with 'x_'"],
    [{ name: 'x_bad type', ttype: 'char' }, 'x_'],
    [{ name: 'x_a1' }, 'ttype'],
    [{ name: 'x_a2', ttype: 'nope' }, 'ttype'],
    [{ name: 'x_b1', ttype: 'many2one_reference' }, 'ttype'],
    [{ name: 'x_b2', ttype: 'properties' }, 'ttype'],
    [{ name: 'x_b3', ttype: 'properties_definition' }, 'ttype'],
    [{ name: 'x_a3', ttype: 'many2one' }, 'relation'],
    [{ name: 'x_a4', ttype: 'many2one', relation: 'no.such' }, 'no.such'],
    [
      { name: 'x_a5', ttype: 'one2many', relation: 'res.partner', relation_field: 'parent_id' },
      'relation_field',
    ],
    [{ name: 'x_a6', ttype: 'char', related: 'x_partner_id' }, 'related'],
    [{ name: 'x_a7', ttype: 'integer', compute: 'for r in self: r.x = 1' }, 'compute'],
    [{ name: 'x_a8', ttype: 'selection', selection: "[('a')]" }, 'options'],
    [
      { name: 'x_a9', ttype: 'many2one', relation: 'res.partner', required: true, on_delete: 'set null' },
      'x_a9',
    ],
  ])('are rejected if invalid: %j', async (values, token) => {
    const error = await admin.expectError(422, 'ir.model.fields/create', {
      vals_list: [{ model_id: lab, ...values }],
    });
    expect(error.message).toContain(token);
  });

  test('keep their values when label, options, index or name change', async () => {
    const id = await addField({
      name: 'x_kind',
      ttype: 'selection',
      selection_ids: [
        [0, 0, { value: 'k', name: 'K' }],
        [0, 0, { value: 'l', name: 'L' }],
      ],
    });
    const record = await admin.create('x_lab', { x_name: 'Kind', x_kind: 'k' });
    const write = (vals: object) => admin.value('ir.model.fields/write', { ids: [id], vals });
    await write({ field_description: 'Sort', help: 'Which', index: true, required: true });
    expect(
      await admin.value('x_lab/fields_get', {
        allfields: ['x_kind'],
        attributes: ['string', 'help', 'required', 'selection'],
      }),
    ).toEqual({
      x_kind: {
        string: 'Sort',
        help: 'Which',
        required: true,
        selection: [
          ['k', 'K'],
          ['l', 'L'],
        ],
      },
    });
    expect(await search([['x_kind', '=', 'k']])).toEqual([record]);
    await admin.expectError(422, 'x_lab/create', { vals_list: [{ x_name: 'no kind' }] });
    await write({ required: false, selection: "[('m', 'M'), ('k', 'New K')]" });
    expect(
      await admin.value('x_lab/fields_get', { allfields: ['x_kind'], attributes: ['selection'] }),
    ).toEqual({
      x_kind: {
        selection: [
          ['m', 'M'],
          ['k', 'New K'],
        ],
      },
    });
    expect(await search([['x_kind', '=', 'k']])).toEqual([record]);
    await write({ selection: "[('m', 'M')]" });
    expect(await admin.row('x_lab', record, ['x_kind'])).toEqual({ id: record, x_kind: false });
    await admin.value('x_lab/write', { ids: [record], vals: { x_kind: 'm' } });
    await write({ name: 'x_sort' });
    expect(await admin.row('x_lab', record, ['x_sort'])).toEqual({ id: record, x_sort: 'm' });
    expect(await search([['x_sort', '=', 'm']])).toEqual([record]);
    await admin.expectError(422, 'ir.model.fields/write', { ids: [id], vals: { ttype: 'char' } });
    await admin.value('ir.model.fields/unlink', { ids: [id] });
    await admin.expectError(422, 'x_lab/read', { ids: [record], fields: ['x_sort'] });
    await addField({ name: 'x_sort', ttype: 'char' });
    expect(await admin.row('x_lab', record, ['x_sort'])).toEqual({ id: record, x_sort: false });
  });

  test('are deleted with their comodel unless other models use it', async () => {
    const [link] = await admin.value('ir.model.fields/search', {
      domain: [
        ['model', '=', 'x_line'],
        ['name', '=', 'x_lab_id'],
      ],
    });
    const error = await admin.expectError(422, 'ir.model.fields/unlink', { ids: [link] });
    expect(error.message).toContain('x_line_ids');
    const [line] = await admin.value('ir.model/search', { domain: [['model', '=', 'x_line']] });
    await admin.value('ir.model/unlink', { ids: [line] });
    expect(await admin.value('x_lab/fields_get', { allfields: ['x_line_ids'] })).toEqual({});
  });
});

describe('model pickers', () => {
  test('list the models that the caller may read', async () => {
    const user = createJsonClient(app, app.main.user.key);
    await user.expectError(403, 'ir.model/search_read', { domain: [] });
    const available: { model: string }[] = await user.value('ir.model/get_available_models');
    expect(available).toContainEqual({ model: 'res.country', display_name: 'Country' });
    expect(available.map((row) => row.model)).not.toContain('ir.model');
    expect(await user.value('ir.model/display_name_for', { models: ['ir.model', 'res.country'] })).toEqual([
      { model: 'res.country', display_name: 'Country' },
      { model: 'ir.model', display_name: 'ir.model' },
    ]);
  });
});
