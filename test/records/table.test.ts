import { beforeAll, describe, expect, test } from 'vitest';
import { queryData } from '../harness/facades/graphql.ts';
import { setUp } from '../harness/set-up.ts';
import { makeLab, openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
let belgium: number;
beforeAll(async () => {
  await makeLab(lab);
  [belgium] = await lab.value('res.country/search', { domain: [['code', '=', 'BE']] });
  await lab.value('res.partner.category/create', { vals_list: [{ name: 'red' }, { name: 'blue' }] });
});

const load = (fields: string[], data: unknown[][], model = 'x_lab', context = {}) =>
  lab.value(`${model}/load`, { fields, data, context });
const readRows = (ids: number[], fields: string[]) => lab.value('x_lab/read', { ids, fields });
const count = () => lab.value('x_lab/search_count', { domain: [] });

describe('load with references between rows', () => {
  const readPartners = (fields: string[], data: unknown[][]) => load(fields, data, 'res.partner');
  const readParents = async (ids: number[]) =>
    (await lab.value('res.partner/read', { ids, fields: ['parent_id'], load: '' })).map(
      (row: { parent_id: number | false }) => row.parent_id,
    );

  test('resolves external ids, regardless of the row order', async () => {
    const fields = ['id', 'name', 'is_company', 'parent_id/id'];
    const company = ['zz.co', 'ZZ Co', 'True', ''];
    const person = ['zz.emp', 'ZZ Emp', '', 'zz.co'];
    const { ids, messages } = await readPartners(fields, [company, person]);
    expect(messages).toEqual([]);
    expect(await readParents(ids)).toEqual([false, ids[0]]);
    const turned = await readPartners(fields, [
      ['yy_emp', 'YY Emp', '', 'yy_co'],
      ['yy_co', 'YY Co', 'True', ''],
      ['yy_below', 'YY Below', '', '__import__.yy_emp'],
    ]);
    expect(turned.messages).toEqual([]);
    expect(await readParents(turned.ids)).toEqual([turned.ids[1], false, turned.ids[0]]);
  });

  test('resolves names, and links existing records to new ones', async () => {
    const [old] = await lab.value('res.partner/create', { vals_list: [{ name: 'XX Old' }] });
    const { ids, messages } = await readPartners(
      ['.id', 'name', 'parent_id'],
      [
        [String(old), 'XX Old', 'XX Co'],
        ['', 'XX Co', ''],
      ],
    );
    expect(messages).toEqual([]);
    expect(ids[0]).toBe(old);
    expect(await readParents(ids)).toEqual([ids[1], false]);
  });

  test('reports each error once at its row, and rejects cycles and ambiguous names', async () => {
    const circle = await readPartners(
      ['id', 'name', 'parent_id/id'],
      [
        ['ww.a', 'WW A', 'ww.b'],
        ['ww.b', 'WW B', 'ww.a'],
        ['ww.c', 'WW C', ''],
      ],
    );
    expect(circle.ids).toBe(false);
    expect(circle.messages.map((message: { record: number }) => message.record)).toEqual([0, 1]);
    expect(circle.messages[0].message).toMatch(/in a cycle/);
    const self = await readPartners(['id', 'name', 'parent_id/id'], [['ww.a', 'WW A', 'ww.a']]);
    expect(self.messages[0].message).toMatch(/in a cycle/);
    const twins = await readPartners(
      ['name', 'parent_id'],
      [
        ['WW T', ''],
        ['WW T', ''],
        ['WW C', 'WW T'],
      ],
    );
    expect(twins.messages).toMatchObject([{ record: 2, message: expect.stringMatching(/Several/) }]);
    const bad = await readPartners(
      ['id', 'name', 'parent_id/id'],
      [
        ['ww.emp', 'WW Emp', 'base.main_company'],
        ['base.main_company', 'WW thief', ''],
        ['ww.below', 'WW Below', 'ww.emp'],
      ],
    );
    expect(bad.messages).toMatchObject([{ record: 1, message: expect.stringMatching(/base.main_company/) }]);
  });
});

describe('load for existing records', () => {
  test('skips unchanged records, and batches writes of identical values', async () => {
    const fields = ['x_name', 'x_integer', 'x_float', 'x_boolean', 'x_datetime', 'x_country_id', 'x_tag_ids'];
    const buildRow = (name: string, number: string) => [
      name,
      number,
      '1.5',
      'yes',
      '2026-01-31 12:00:00',
      'Belgium',
      'red,blue',
    ];
    const { ids } = await load(
      fields,
      ['same', 'one', 'two'].map((name) => buildRow(name, '5')),
    );
    const readStamps = async () =>
      (await lab.value('x_lab/read', { ids, fields: ['write_date', 'x_integer'] })) as {
        write_date: string;
        x_integer: number;
      }[];
    await new Promise((resolve) => setTimeout(resolve, 1100));
    const before = await readStamps();
    const secondLoad = await load(
      ['.id', ...fields],
      [
        [String(ids[0]), ...buildRow('same', '5')],
        [String(ids[1]), ...buildRow('both', '6')],
        [String(ids[2]), ...buildRow('both', '6')],
      ],
    );
    expect(secondLoad).toEqual({ ids, messages: [], nextrow: 0 });
    const after = await readStamps();
    expect(after.map((item) => item.x_integer)).toEqual([5, 6, 6]);
    expect(after[0]!.write_date).toBe(before[0]!.write_date);
    expect(after[1]!.write_date).not.toBe(before[1]!.write_date);
  });
});

describe('load', () => {
  test('converts text to the values of each field type', async () => {
    const fields = [
      'x_name',
      'x_integer',
      'x_float',
      'x_boolean',
      'x_date',
      'x_datetime',
      'x_selection',
      'x_country_id',
    ];
    const response = await load(
      [...fields, 'x_tag_ids'],
      [
        ['a', '5', '1.5', 'yes', '2026-01-31', '2026-01-31 12:00:00', 'Bbb', 'Belgium', 'red, blue'],
        ['b', '', '', '', '', '', '', '', ''],
      ],
    );
    expect(response).toEqual({ ids: [expect.any(Number), expect.any(Number)], messages: [], nextrow: 0 });
    const unset = { x_integer: 0, x_float: 0, x_boolean: false, x_date: false, x_datetime: false };
    expect(await readRows(response.ids, fields)).toEqual([
      {
        id: response.ids[0],
        x_name: 'a',
        x_integer: 5,
        x_float: 1.5,
        x_boolean: true,
        x_date: '2026-01-31',
        x_datetime: '2026-01-31 12:00:00',
        x_selection: 'b',
        x_country_id: [belgium, 'Belgium'],
      },
      { id: response.ids[1], x_name: 'b', ...unset, x_selection: false, x_country_id: false },
    ]);
    const [tagged] = await lab.value('x_lab/web_read', {
      ids: [response.ids[0]],
      specification: { x_tag_ids: { fields: { name: {} } } },
    });
    expect(tagged.x_tag_ids.map((tag: { name: string }) => tag.name).sort()).toEqual(['blue', 'red']);
  });

  test("parses timestamps in the caller's time zone", async () => {
    const context = { tz: 'Europe/Brussels' };
    const { ids } = await load(['x_name', 'x_datetime'], [['tz', '2026-01-31 12:00:00']], 'x_lab', context);
    expect((await readRows(ids, ['x_datetime']))[0].x_datetime).toBe('2026-01-31 11:00:00');
  });

  test.each([
    ['31 January 2026', '2026-01-31', '2026-01-30 23:00:00'],
    ['31. Januar 2026', '2026-01-31', '2026-01-30 23:00:00'],
    ['1. März 2026 14:05', '2026-03-01', '2026-03-01 13:05:00'],
    ['1. Mär. 2026, 14:05 Uhr', '2026-03-01', '2026-03-01 13:05:00'],
    ['Sept. 3, 2026 at 9:05:07', '2026-09-03', '2026-09-03 07:05:07'],
    ['3-Dez-2026', '2026-12-03', '2026-12-02 23:00:00'],
    ['May 3rd 2026', '2026-05-03', '2026-05-02 22:00:00'],
    ['3. 2. 2026 24:00', '2026-02-03', '2026-02-03 23:00:00'],
    ['2026-12-31 24:00', '2026-12-31', '2026-12-31 23:00:00'],
    ['2026-12-31T24:00:00', '2026-12-31', '2026-12-31 23:00:00'],
  ])('accepts the date %j', async (text, day, instant) => {
    const context = { tz: 'Europe/Brussels' };
    const columns = ['x_name', 'x_date', 'x_datetime'];
    const { ids, messages } = await load(columns, [['named', text, text]], 'x_lab', context);
    expect(messages).toEqual([]);
    expect(await readRows(ids, ['x_date', 'x_datetime'])).toEqual([
      { id: ids[0], x_date: day, x_datetime: instant },
    ]);
  });

  const NUMBERS: [format: object, text: string, value: number | null][] = [
    [{ decimal_separator: '.' }, '1,500.50', 1500.5],
    [{ decimal_separator: '.' }, '-1,234,567', -1_234_567],
    [{ decimal_separator: '.' }, '1,500', 1500],
    [{ decimal_separator: '.' }, '1 500.5', 1500.5],
    [{ decimal_separator: '.' }, '1.500,50', null],
    [{ decimal_separator: '.' }, '15,00', null],
    [{ decimal_separator: '.' }, '0,500', null],
    [{ decimal_separator: ',' }, '1.500,50', 1500.5],
    [{ decimal_separator: ',' }, '1.500', 1500],
    [{ decimal_separator: ',' }, '1\u00a0500,50', 1500.5],
    [{ decimal_separator: ',' }, "1'500,5", 1500.5],
    [{ decimal_separator: ',' }, '12,5', 12.5],
    [{ decimal_separator: ',' }, '1500.50', null],
    [{}, '1.500', 1.5],
    [{}, '1,500', null],
  ];
  test.each(NUMBERS)('with %j, reads the number %j as %j', async (format, text, value) => {
    const call = { fields: ['x_name', 'x_float'], data: [['number', text]], ...format };
    const { ids, messages } = await lab.value('x_lab/load', call);
    if (value === null) expect(messages).toMatchObject([{ field: 'x_float' }]);
    else expect((await readRows(ids, ['x_float']))[0].x_float).toBe(value);
  });

  test.each([
    [{ date_order: 'DMY' }, '31/12/2026', '2026-12-31'],
    [{ date_order: 'MDY' }, '12/31/2026', '2026-12-31'],
    [{ date_order: 'DMY' }, '1-2-2026', '2026-02-01'],
    [{ date_order: 'MDY' }, '31/12/2026', null],
    [{ date_order: 'MDY' }, '31.12.2026', '2026-12-31'],
    [{}, '31/12/2026', null],
  ])('with %j, reads the date %j as %j', async (format, text, day) => {
    const call = { fields: ['x_name', 'x_date'], data: [['date', text]], ...format };
    const { ids, messages } = await lab.value('x_lab/load', call);
    if (day === null) expect(messages).toMatchObject([{ field: 'x_date' }]);
    else expect((await readRows(ids, ['x_date']))[0].x_date).toBe(day);
  });

  test.each([
    [['1,500.50', '1,500'], ['01/02/2026', '31/12/2026'], ['POINT'], ['DMY']],
    [['1 500,50', '12'], ['12/31/2026'], ['COMMA'], ['MDY']],
    [['1,500'], ['01/02/2026'], ['POINT', 'COMMA'], ['DMY', 'MDY']],
    [['1.500', '7'], ['05/05/2026', '2026-12-31'], ['POINT', 'COMMA'], null],
    [['1,500.50', '12,5'], ['31/12/2026', '12/31/2026'], [], []],
    [['7', '', 'x'], ['31.12.2026'], null, null],
  ])('reports in a test in which formats %j and %j are valid', async (numbers, dates, separators, orders) => {
    const query = `mutation ($data: JSON!) {
      recordLoad(model: "x_lab", fields: ["x_float", "x_date"], data: $data, test: true) {
        decimalSeparators dateOrders } }`;
    const length = Math.max(numbers.length, dates.length);
    const data = Array.from({ length }, (_, index) => [numbers[index] ?? '', dates[index] ?? '']);
    const { recordLoad } = await queryData(lab.app, query, {
      key: lab.app.main.admin.key,
      variables: { data },
    });
    expect(recordLoad).toEqual({ decimalSeparators: separators, dateOrders: orders });
  });

  test('resolves links and records by database id', async () => {
    const { ids } = await load(['x_name', 'x_country_id/.id'], [['linked', String(belgium)]]);
    expect(await readRows(ids, ['x_country_id'])).toEqual([
      { id: ids[0], x_country_id: [belgium, 'Belgium'] },
    ]);
    const secondLoad = await load(['.id', 'x_name'], [[String(ids[0]), 'renamed']]);
    expect(secondLoad.ids).toEqual(ids);
    expect(await readRows(ids, ['x_name'])).toEqual([{ id: ids[0], x_name: 'renamed' }]);
  });

  test('creates a record with an external id, and finds it by this id later', async () => {
    const fields = ['id', 'x_name', 'x_country_id/id'];
    const loaded = await load(fields, [
      ['__import__.one', 'one', 'base.be'],
      ['two', 'two', ''],
    ]);
    expect(loaded.messages).toEqual([]);
    expect(await readRows(loaded.ids, ['x_country_id'])).toMatchObject([
      { x_country_id: [belgium, 'Belgium'] },
      { x_country_id: false },
    ]);
    expect(await lab.value('x_lab/get_external_id', { ids: loaded.ids })).toEqual({
      [loaded.ids[0]]: '__import__.one',
      [loaded.ids[1]]: '__import__.two',
    });
    const repeated = await load(fields, [
      ['__import__.two', 'two again', ''],
      ['__import__.one', 'one again', 'base.fr'],
    ]);
    expect(repeated.ids).toEqual([...loaded.ids].reverse());
    const [row] = await readRows([loaded.ids[0]], ['x_name', 'x_country_id']);
    expect(row).toMatchObject({ x_name: 'one again', x_country_id: [expect.any(Number), 'France'] });
    const twice = await load(fields, [
      ['x.same', 'a', ''],
      ['x.same', 'b', ''],
    ]);
    expect([twice.ids, twice.messages.length]).toEqual([false, 1]);
  });

  test("does not reassign another record's external id", async () => {
    const response = await load(['id', 'x_name'], [['base.main_company', 'thief']]);
    expect(response).toMatchObject({
      ids: false,
      messages: [{ record: 0, message: expect.stringContaining("'base.main_company'") }],
    });
    const reference = { module: 'base', xml_id: 'main_company' };
    expect((await lab.value('ir.model.data/check_object_reference', reference))[0]).toBe('res.company');
  });

  test('adds rows without record values as lines to the previous record', async () => {
    const { ids } = await load(
      ['x_name', 'x_line_ids/x_name', 'x_line_ids/x_qty'],
      [
        ['first', 'l1', '1'],
        ['', 'l2', '2'],
        ['second', 'l3', '3'],
      ],
    );
    const [first, second] = await lab.value('x_lab/web_read', {
      ids,
      specification: { x_line_ids: { fields: { x_name: {}, x_qty: {} } } },
    });
    expect(first.x_line_ids).toMatchObject([
      { x_name: 'l1', x_qty: 1 },
      { x_name: 'l2', x_qty: 2 },
    ]);
    expect(second.x_line_ids).toMatchObject([{ x_name: 'l3', x_qty: 3 }]);
  });

  test.each<[string, string, RegExp]>([
    ['x_integer', 'many', /'many'.*X Integer/],
    ['x_integer', '1.5', /'1\.5'/],
    ['x_float', '1,5', /'1,5'/],
    ['x_boolean', 'perhaps', /'perhaps'/],
    ['x_date', '31/01/2026', /'31\/01\/2026'/],
    ['x_date', '30. Februar 2026', /'30\. Februar 2026'.*X Date.*31 January 2026/],
    ['x_date', '31 Janvier 2026', /'31 Janvier 2026'/],
    ['x_date', '2026-01-31 and more', /'2026-01-31 and more'/],
    ['x_datetime', 'noon', /'noon'/],
    ['x_datetime', '2026-01-31 24:01', /'2026-01-31 24:01'.*X Datetime/],
    ['x_datetime', '1. Mai 2026 25:00', /25:00/],
    ['x_selection', 'Zzz', /'Zzz'.*Aaa, Bbb/],
    ['x_country_id', 'Nowhereland', /No matching record found for name 'Nowhereland'/],
    ['x_country_id/id', 'base.nowhere', /No matching record found for external id 'base.nowhere'/],
    ['x_country_id/.id', '999999', /No matching record found for database id '999999'/],
    ['x_tag_ids', 'red,green', /'green'/],
  ])('reports the row and the field of %s %j, and stores nothing', async (column, text, message) => {
    const before = await count();
    const response = await load(
      ['x_name', column],
      [
        ['good', ''],
        ['bad', text],
      ],
    );
    expect([response.ids, response.nextrow]).toEqual([false, 0]);
    expect(response.messages).toMatchObject([
      {
        rows: { from: 1, to: 1 },
        type: 'error',
        record: 1,
        field: column.split('/')[0],
        message: expect.stringMatching(message),
      },
    ]);
    expect(await count()).toBe(before);
  });

  test('reports an error for each record that the model rejects', async () => {
    const before = await lab.value('res.partner/search_count', { domain: [] });
    const fields = ['name', 'email'];
    const response = await load(
      fields,
      [
        ['good', 'a@b.example'],
        ['', 'c@d.example'],
        ['', 'e@f.example'],
      ],
      'res.partner',
    );
    expect(response.ids).toBe(false);
    expect(
      response.messages.map(({ record, rows }: { record: number; rows: object }) => [record, rows]),
    ).toEqual([
      [1, { from: 1, to: 1 }],
      [2, { from: 2, to: 2 }],
    ]);
    expect(await lab.value('res.partner/search_count', { domain: [] })).toBe(before);
  });

  test('reports every invalid row of a large table, including conflicts between rows', async () => {
    const data = Array.from({ length: 300 }, (_, index) => [`P ${index}`, `bar ${index}`, '']);
    data[7]![0] = '';
    data[211]![1] = 'bar 210';
    data[299]![0] = '';
    const response = await load(['name', 'barcode', 'default_code'], data, 'product.product');
    expect(response.ids).toBe(false);
    expect(response.messages.map(({ record }: { record: number }) => record)).toEqual([7, 211, 299]);
    expect(response.messages[1].message).toMatch(/barcode/i);
    expect(await lab.value('product.product/search_count', { domain: [['barcode', 'like', 'bar ']] })).toBe(
      0,
    );
  });

  test.each([
    [['nope'], "'nope'"],
    [['x_country_id/nope'], "'nope'"],
    [['x_line_ids'], 'x_line_ids'],
  ])('rejects the column %j', async (fields, token) => {
    const error = await lab.expectError('x_lab/load', { fields, data: [['x']] });
    expect([error.status, error.message]).toEqual([422, expect.stringContaining(token)]);
  });

  test('requires the right to create', async () => {
    const { key } = lab.app.main.user;
    expect((await lab.expectError('res.partner/load', { fields: ['name'], data: [['x']] }, key)).status).toBe(
      403,
    );
  });
});

describe('export_data', () => {
  test("formats timestamps in the caller's time zone so that load can parse them", async () => {
    const [{ id: model }] = await lab.value('ir.model/search_read', { domain: [['model', '=', 'x_lab']] });
    const field = { model_id: model, name: 'x_exported_at', ttype: 'datetime', state: 'manual' };
    await lab.value('ir.model.fields/create', { vals_list: field });
    const at = '2026-07-01 10:30:00';
    const [id] = await lab.value('x_lab/create', { vals_list: { x_name: 'timed', x_exported_at: at } });
    const context = { tz: 'Europe/Berlin' };
    const fields = ['.id', 'x_exported_at'];
    const { datas } = await lab.value('x_lab/export_data', { ids: [id], fields_to_export: fields, context });
    expect(datas).toEqual([[String(id), '2026-07-01 12:30:00']]);
    expect((await lab.value('x_lab/load', { fields, data: datas, context })).ids).toEqual([id]);
    expect((await lab.value('x_lab/read', { ids: [id], fields: ['x_exported_at'] }))[0].x_exported_at).toBe(
      at,
    );
  });

  test('returns one row per line of a record, and empty text for unset values', async () => {
    const [id, bare] = await lab.value('x_lab/create', {
      vals_list: [
        {
          x_name: 'exported',
          x_selection: 'b',
          x_integer: 0,
          x_boolean: true,
          x_country_id: belgium,
          x_line_ids: [
            [0, 0, { x_name: 'l1', x_qty: 1.5 }],
            [0, 0, { x_name: 'l2' }],
          ],
        },
        {},
      ],
    });
    const fields_to_export = [
      '.id',
      'x_name',
      'x_selection',
      'x_integer',
      'x_boolean',
      'x_country_id',
      'x_country_id/code',
    ];
    const lines = ['x_line_ids/x_name', 'x_line_ids/x_qty'];
    const { datas } = await lab.value('x_lab/export_data', {
      ids: [id, bare],
      fields_to_export: [...fields_to_export, ...lines],
    });
    expect(datas).toEqual([
      [String(id), 'exported', 'Bbb', 0, true, 'Belgium', 'BE', 'l1', 1.5],
      ['', '', '', '', '', '', '', 'l2', 0],
      [String(bare), '', '', 0, false, '', '', '', ''],
    ]);
  });

  test('joins tags in one cell', async () => {
    const tags = await lab.value('res.partner.category/search', {
      domain: [['name', 'in', ['red', 'blue']]],
    });
    const [id] = await lab.value('x_lab/create', { vals_list: { x_name: 'tags', x_tag_ids: tags } });
    const { datas } = await lab.value('x_lab/export_data', { ids: [id], fields_to_export: ['x_tag_ids'] });
    expect(datas).toEqual([['blue,red']]);
  });

  test('returns external ids, and stores newly created ones permanently', async () => {
    const [id] = await lab.value('x_lab/create', { vals_list: { x_name: 'named', x_country_id: belgium } });
    const fields_to_export = ['id', 'x_country_id/id'];
    const { datas } = await lab.value('x_lab/export_data', { ids: [id], fields_to_export });
    expect(datas).toEqual([[expect.stringMatching(/^__export__\.x_lab_\d+_[0-9a-f]{8}$/), 'base.be']]);
    expect((await lab.value('x_lab/export_data', { ids: [id], fields_to_export })).datas).toEqual(datas);
    const [row] = await lab.value('x_lab/get_metadata', { ids: [id] });
    expect(row).toMatchObject({ xmlid: datas[0][0], xmlids: [{ xmlid: datas[0][0], noupdate: false }] });
  });

  test('returns a table that load imports unchanged', async () => {
    const fields = ['x_name', 'x_integer', 'x_country_id', 'x_line_ids/x_name'];
    const [id] = await lab.value('x_lab/create', {
      vals_list: {
        x_name: 'round',
        x_integer: 7,
        x_country_id: belgium,
        x_line_ids: [[0, 0, { x_name: 'l' }]],
      },
    });
    const { datas } = await lab.value('x_lab/export_data', { ids: [id], fields_to_export: fields });
    const { ids } = await load(fields, datas);
    expect((await lab.value('x_lab/export_data', { ids, fields_to_export: fields })).datas).toEqual(datas);
  });

  test('requires the right to export, and rejects columns that are not fields', async () => {
    const body = { ids: [], fields_to_export: ['name'] };
    const error = await lab.expectError('res.partner/export_data', body, lab.app.main.user.key);
    expect([error.status, error.name]).toEqual([422, 'odoo.exceptions.UserError']);
    expect(
      (await lab.expectError('res.partner/export_data', { ids: [], fields_to_export: ['nope'] })).status,
    ).toBe(422);
  });
});

test('rejects a row with more values than columns, but ignores extra empty cells', async () => {
  const before = await count();
  const error = await lab.expectError('x_lab/load', { fields: ['x_char'], data: [['a'], ['b', 'c']] });
  expect([error.status, error.message]).toEqual([422, expect.stringContaining('row 2')]);
  expect(await count()).toBe(before);
  const { ids } = await load(['x_char'], [['a', '', null, false], ['b']]);
  expect(ids).toHaveLength(2);
});
