import { beforeAll, describe, expect, test } from 'vitest';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { setUp } from '../harness/set-up.ts';
import { makeLab, openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
let belgium: number;
let tags: number[];
let ownId: number;
let partner: number;
beforeAll(async () => {
  await makeLab(lab);
  [belgium] = await lab.value('res.country/search', { domain: [['code', '=', 'BE']] });
  tags = await lab.value('res.partner.category/create', { vals_list: [{ name: 'b' }, { name: 'a' }] });
  [partner] = await lab.value('res.partner/create', { vals_list: { name: 'Partner' } });
  [ownId] = await lab.value('x_lab/create', {
    vals_list: {
      x_name: 'own',
      x_country_id: belgium,
      x_tag_ids: tags,
      x_ref: `res.partner,${partner}`,
      x_json: { kept: null },
      x_line_ids: [3, 1, 2].map((x_qty) => [0, 0, { x_name: `l${x_qty}`, x_qty }]),
    },
  });
});

const callWebRead = async (specification: unknown, ids = [ownId]) =>
  lab.value('x_lab/web_read', { ids, specification });
const readFirst = async (specification: unknown) => (await callWebRead(specification))[0];

describe('web_read', () => {
  test('returns the requested fields in order, or only ids if there are none, and omits deleted records', async () => {
    expect(await callWebRead({}, [999999, ownId])).toEqual([{ id: ownId }]);
    expect(Object.keys(await readFirst({ x_tag_ids: {}, x_name: {}, x_country_id: {} }))).toEqual([
      'id',
      'x_tag_ids',
      'x_name',
      'x_country_id',
    ]);
  });

  test('returns links without requested fields as ids', async () => {
    const row = await readFirst({ x_country_id: {}, x_tag_ids: {}, x_ref: {} });
    expect(row).toEqual({
      id: ownId,
      x_country_id: belgium,
      x_tag_ids: [...tags].reverse(),
      x_ref: `res.partner,${partner}`,
    });
  });

  test('returns a many2one with requested fields as an object, or false', async () => {
    const specification = {
      x_country_id: { fields: { display_name: {}, code: {}, currency_id: { fields: { name: {} } } } },
    };
    expect((await readFirst(specification)).x_country_id).toEqual({
      id: belgium,
      display_name: 'Belgium',
      code: 'BE',
      currency_id: { id: expect.any(Number), name: 'EUR' },
    });
    const [bare] = await lab.value('x_lab/create', { vals_list: { x_name: 'bare' } });
    expect(await callWebRead(specification, [bare])).toEqual([{ id: bare, x_country_id: false }]);
  });

  test('returns list entries as objects in order if fields are requested, and as ids beyond the limit', async () => {
    expect((await readFirst({ x_tag_ids: { fields: { name: {} } } })).x_tag_ids).toEqual([
      { id: tags[1], name: 'a' },
      { id: tags[0], name: 'b' },
    ]);
    const { x_line_ids: lines } = await readFirst({
      x_line_ids: {
        fields: { x_qty: {}, x_lab_id: { fields: { display_name: {} } } },
        order: 'x_qty desc',
        limit: 2,
      },
    });
    const parent = { id: ownId, display_name: 'own' };
    expect(lines).toEqual([
      { id: expect.any(Number), x_qty: 3, x_lab_id: parent },
      { id: expect.any(Number), x_qty: 2, x_lab_id: parent },
      { id: expect.any(Number) },
    ]);
  });

  test("includes archived records in a list if the list's context requests them", async () => {
    const [parent] = await lab.value('res.partner.category/create', {
      vals_list: { name: 'P', child_ids: [[0, 0, { name: 'c', active: false }]] },
    });
    const readChildren = async (expected: object) =>
      (
        await lab.value('res.partner.category/web_read', {
          ids: [parent],
          specification: { child_ids: { fields: { name: {} }, ...expected } },
        })
      )[0].child_ids.length;
    expect([await readChildren({}), await readChildren({ context: { active_test: false } })]).toEqual([0, 1]);
  });

  test('returns a reference with requested fields as an object whose id contains the model', async () => {
    expect((await readFirst({ x_ref: { fields: { name: {} } } })).x_ref).toEqual({
      id: { id: partner, model: 'res.partner' },
      name: 'Partner',
    });
  });

  test('returns false for unset values, and keeps null inside JSON values', async () => {
    expect(
      await readFirst({ x_char: {}, x_json: {}, x_line_ids: { fields: { x_name: {} }, limit: 1 } }),
    ).toMatchObject({
      x_char: false,
      x_json: { kept: null },
    });
  });

  test.each<[string, unknown, string]>([
    ['an unknown field', { nope: {} }, "'nope'"],
    ['an unknown nested field', { x_country_id: { fields: { nope: {} } } }, "'nope'"],
    ['a list of names', ['x_name'], 'specification'],
    ['an invalid limit', { x_line_ids: { fields: {}, limit: 'x' } }, 'x_line_ids'],
    ['an invalid order', { x_line_ids: { fields: {}, order: 'nope' } }, 'nope'],
    ['too many levels', buildNested(20), 'too large'],
  ])('rejects %s', async (_, specification, token) => {
    const error = await lab.expectError('x_lab/web_read', { ids: [ownId], specification });
    expect([error.status, error.message]).toEqual([422, expect.stringContaining(token)]);
  });

  test('returns only the name of a many2one whose model is inaccessible', async () => {
    const { key } = lab.app.main.user;
    const readPartner = (fields: object) =>
      lab.json2('res.partner/web_read', { ids: [partner], specification: { create_uid: { fields } } }, key);
    expect((await readPartner({ display_name: {} })).json()[0].create_uid).toEqual({
      id: lab.app.main.admin.id,
      display_name: 'admin',
    });
  });

  test('returns only the name of a many2one that a record rule hides', async () => {
    const [hidden] = await lab.value('x_lab/create', { vals_list: { x_name: 'hidden', x_char: 'secret' } });
    const [line] = await lab.value('x_lab_line/create', { vals_list: { x_lab_id: hidden } });
    const [model_id] = await lab.value('ir.model/search', { domain: [['model', '=', 'x_lab']] });
    const domain_force = "[('x_name', '!=', 'hidden')]";
    const [rule] = await lab.value('ir.rule/create', { vals_list: { name: 'hide', model_id, domain_force } });
    const specification = { x_lab_id: { fields: { x_char: {}, display_name: {} } } };
    const rows = await lab.value('x_lab_line/web_read', { ids: [line], specification });
    await lab.value('ir.rule/unlink', { ids: [rule] });
    expect(rows).toEqual([{ id: line, x_lab_id: { id: hidden, display_name: 'hidden' } }]);
  });

  test('returns the same result over XML-RPC', async () => {
    const response = await createRpcClients(lab.app).execute('x_lab', 'web_read', [
      [ownId],
      { x_country_id: { fields: { code: {} } } },
    ]);
    expect(response.value).toEqual([{ id: ownId, x_country_id: { id: belgium, code: 'BE' } }]);
  });
});

function buildNested(levels: number): object {
  return levels === 0 ? {} : { x_line_ids: { fields: { x_lab_id: { fields: buildNested(levels - 1) } } } };
}

test('applies the context of a relation to the names of its records', async () => {
  const email = 'ann@example.com';
  const [ann] = await lab.value('res.partner/create', {
    vals_list: { name: 'Ann', email, country_id: belgium },
  });
  const [lead] = await lab.value('crm.lead/create', { vals_list: { name: 'Lead', partner_id: ann } });
  const fields = { display_name: {}, country_id: { fields: { display_name: {} } } };
  const buildSpecification = (context: object) => ({ partner_id: { fields, context }, name: {} });
  for (const [context, name] of [
    [{}, 'Ann'],
    [{ show_email: true }, 'Ann <ann@example.com>'],
    [{ show_address: 1 }, 'Ann\nBelgium'],
  ] as [object, string][]) {
    const specification = buildSpecification(context);
    const expected = { partner_id: { id: ann, display_name: name, country_id: { display_name: 'Belgium' } } };
    const [row] = await lab.value('crm.lead/web_read', { ids: [lead], specification });
    expect(row).toMatchObject({ ...expected, name: 'Lead' });
    const found = await lab.value('crm.lead/web_search_read', { domain: [['id', '=', lead]], specification });
    expect(found.records[0]).toMatchObject(expected);
    const form = { ids: [], values: { partner_id: ann }, field_names: ['partner_id'] };
    const fields_spec = { partner_invoice_id: { fields: { display_name: {} }, context } };
    const { value } = await lab.value('sale.order/onchange', { ...form, fields_spec });
    expect(value.partner_invoice_id).toEqual({ id: ann, display_name: name });
  }
  const specification = buildSpecification({ lang: 'xx_XX' });
  expect((await lab.expectError('crm.lead/web_read', { ids: [lead], specification })).status).toBe(422);
});

describe('web_search_read', () => {
  let ids: number[];
  beforeAll(async () => {
    const vals_list = [1, 2, 3, 4, 5, 6, 7].map((n) => ({ x_name: `page ${n}`, x_integer: n }));
    ids = await lab.value('x_lab/create', { vals_list });
  });
  const readPage = (overrides: object) =>
    lab.value('x_lab/web_search_read', {
      domain: [['x_name', 'like', 'page']],
      specification: { x_integer: {} },
      order: 'x_integer',
      ...overrides,
    });
  const buildNumbers = (response: { records: { x_integer: number }[] }) =>
    response.records.map((row) => row.x_integer);

  test.each<[object, number, number[]]>([
    [{}, 7, [1, 2, 3, 4, 5, 6, 7]],
    [{ limit: 3 }, 7, [1, 2, 3]],
    [{ limit: 3, offset: 6 }, 7, [7]],
    [{ limit: 3, offset: 100 }, 7, []],
    [{ limit: 3, count_limit: 5 }, 5, [1, 2, 3]],
    [{ domain: [['id', '=', -1]] }, 0, []],
  ])('returns the total number of records for %j', async (overrides, length, expected) => {
    const response = await readPage(overrides);
    expect(Object.keys(response)).toEqual(['length', 'records']);
    expect([response.length, buildNumbers(response)]).toEqual([length, expected]);
  });

  test('returns the page after a given record, and the total number of records', async () => {
    const response = await readPage({ limit: 2, after: ids[2] });
    expect([response.length, buildNumbers(response)]).toEqual([7, [4, 5]]);
    expect(
      (await lab.expectError('x_lab/web_search_read', { domain: [], specification: {}, after: 5, offset: 1 }))
        .status,
    ).toBe(422);
  });

  test('includes archived records in lists if the context requests them', async () => {
    const vals = { name: 'Parent', child_ids: [[0, 0, { name: 'archived', active: false }]] };
    const [parent] = await lab.value('res.partner.category/create', { vals_list: vals });
    const specification = { child_ids: {} };
    for (const active_test of [true, false]) {
      const context = { active_test };
      const call = { domain: [['id', '=', parent]], specification, context };
      const { records } = await lab.value('res.partner.category/web_search_read', call);
      expect(records[0].child_ids).toHaveLength(active_test ? 0 : 1);
      expect(
        await lab.value('res.partner.category/web_read', { ids: [parent], specification, context }),
      ).toEqual(records);
    }
  });

  test('search_read also returns the page after a given record', async () => {
    const rows = await lab.value('x_lab/search_read', {
      domain: [['x_name', 'like', 'page']],
      fields: ['x_integer'],
      order: 'x_integer desc',
      limit: 2,
      after: ids[4],
    });
    expect(rows.map((row: { x_integer: number }) => row.x_integer)).toEqual([4, 3]);
  });
});

describe('other methods of the web client', () => {
  test('web_save creates or updates a record, and returns the saved record or the next one', async () => {
    const specification = { x_name: {}, x_integer: {} };
    const [record] = await lab.value('x_lab/web_save', { ids: [], vals: { x_name: 'saved' }, specification });
    expect(record).toEqual({ id: expect.any(Number), x_name: 'saved', x_integer: 0 });
    const vals = { x_integer: 4 };
    expect(await lab.value('x_lab/web_save', { ids: [record.id], vals, specification })).toEqual([
      { ...record, x_integer: 4 },
    ]);
    const next = { ids: [record.id], vals, specification: { x_name: {} }, next_id: ownId };
    expect(await lab.value('x_lab/web_save', next)).toEqual([{ id: ownId, x_name: 'own' }]);
    const failing = { ids: [], vals: { x_name: 'not kept' }, specification: { nope: {} } };
    expect((await lab.expectError('x_lab/web_save', failing)).status).toBe(422);
    expect(await lab.value('x_lab/search_count', { domain: [['x_name', '=', 'not kept']] })).toBe(0);
  });

  test('web_name_search finds by name and returns the requested fields', async () => {
    const countries = await lab.value('res.country/web_name_search', {
      name: 'Belgium',
      specification: { display_name: {}, code: {} },
    });
    expect(countries).toEqual([{ id: belgium, display_name: 'Belgium', code: 'BE' }]);
  });

  test('web_resequence numbers records in the specified order', async () => {
    const ids = await lab.value('x_lab/create', { vals_list: [{ x_name: 'r1' }, { x_name: 'r2' }] });
    const body = {
      ids: [ids[1], ids[0]],
      specification: { x_integer: {} },
      field_name: 'x_integer',
      offset: 5,
    };
    expect(await lab.value('x_lab/web_resequence', body)).toEqual([
      { id: ids[1], x_integer: 5 },
      { id: ids[0], x_integer: 6 },
    ]);
    const error = await lab.expectError('x_lab/web_resequence', { ids, specification: {} });
    expect([error.status, error.message]).toEqual([422, expect.stringContaining("'sequence'")]);
  });
});
