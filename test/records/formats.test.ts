import { beforeAll, describe, expect, test } from 'vitest';
import { setUp } from '../harness/set-up.ts';
import { makeLab, openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
let belgium: number;
let full: number;
let bare: number;
beforeAll(async () => {
  await makeLab(lab);
  [belgium] = await lab.value('res.country/search', { domain: [['code', '=', 'BE']] });
  [full, bare] = await lab.value('x_lab/create', {
    vals_list: [
      {
        x_name: 'full',
        x_char: 'é',
        x_text: 'a\nb',
        x_html: '<p>x</p>',
        x_integer: '12',
        x_float: 1.25,
        x_boolean: true,
        x_date: '2026-01-31 10:00:00',
        x_datetime: '2026-01-31',
        x_binary: Buffer.alloc(1264).toString('base64'),
        x_json: { a: [1, null] },
        x_selection: 'b',
        x_country_id: belgium,
        x_ref: `res.country,${belgium}`,
        x_line_ids: [[0, 0, { x_name: 'l' }]],
        x_tag_ids: [[0, 0, { name: 'tag' }]],
      },
      {},
    ],
  });
});

const readField = async (id: number, field: string, overrides = {}) =>
  (await lab.value('x_lab/read', { ids: [id], fields: [field], ...overrides }))[0][field];

describe('values returned by read', () => {
  test.each<[string, unknown, unknown]>([
    ['x_char', 'é', false],
    ['x_text', 'a\nb', false],
    ['x_html', '<p>x</p>', false],
    ['x_integer', 12, 0],
    ['x_float', 1.25, 0],
    ['x_boolean', true, false],
    ['x_date', '2026-01-31', false],
    ['x_datetime', '2026-01-31 00:00:00', false],
    ['x_json', { a: [1, null] }, false],
    ['x_selection', 'b', false],
    ['x_code', 'BE', false],
    ['x_tag_ids', [expect.any(Number)], []],
    ['x_line_ids', [expect.any(Number)], []],
  ])('of %s are %j, or %j if unset', async (field, value, unset) => {
    expect([await readField(full, field), await readField(bare, field)]).toEqual([value, unset]);
  });

  test('of a many2one are a pair, or the id if `load` is not the default, and false if unset', async () => {
    expect(await readField(full, 'x_country_id')).toEqual([belgium, 'Belgium']);
    for (const load of ['', null, false, '_classic_write'])
      expect(await readField(full, 'x_country_id', { load })).toBe(belgium);
    expect([
      await readField(bare, 'x_country_id'),
      await readField(bare, 'x_country_id', { load: '' }),
    ]).toEqual([false, false]);
  });

  test('of a reference are its model and id', async () => {
    expect([await readField(full, 'x_ref'), await readField(bare, 'x_ref')]).toEqual([
      `res.country,${belgium}`,
      false,
    ]);
  });

  test('of binary fields are base64, or a size if the context requests it', async () => {
    expect(await readField(full, 'x_binary')).toBe(Buffer.alloc(1264).toString('base64'));
    const size = '1.23 Kb';
    expect(await readField(full, 'x_binary', { context: { bin_size: true } })).toBe(size);
    expect(await readField(full, 'x_binary', { context: { bin_size_x_binary: 1 } })).toBe(size);
    expect(await readField(full, 'x_binary', { context: { bin_size_other: 1 } })).not.toBe(size);
    expect(await readField(bare, 'x_binary', { context: { bin_size: true } })).toBe(false);
  });
});

describe('read', () => {
  test('returns the id first, then the requested fields in order, each once', async () => {
    const [row] = await lab.value('x_lab/read', {
      ids: [full],
      fields: ['x_text', 'id', 'x_char', 'x_text'],
    });
    expect(Object.keys(row)).toEqual(['id', 'x_text', 'x_char']);
  });

  test.each([[null], [false], [[]], [undefined]])(
    'returns every readable field for fields %j',
    async (fields) => {
      const [row] = await lab.value('x_lab/search_read', { domain: [['id', '=', full]], fields });
      expect(Object.keys(row)).toEqual(
        expect.arrayContaining([
          'id',
          'display_name',
          'create_uid',
          'create_date',
          'write_uid',
          'write_date',
          'x_char',
        ]),
      );
    },
  );

  test.each<[unknown, number]>([
    [[999999], 0],
    [[], 0],
    [null, 0],
    [false, 0],
    [[-1], 0],
  ])('returns no records for ids %j (%i)', async (ids, count) => {
    expect(await lab.value('x_lab/read', { ids, fields: ['x_char'] })).toHaveLength(count);
  });

  test('accepts a single id, skips missing ids, repeats duplicates and keeps the order', async () => {
    const readIds = async (ids: unknown) =>
      (await lab.value('x_lab/read', { ids, fields: ['id'] })).map((row: { id: number }) => row.id);
    expect(await readIds(full)).toEqual([full]);
    expect(await readIds([bare, 999999, full, bare])).toEqual([bare, full, bare]);
  });

  test('returns a record once for each time its id is passed', async () => {
    const ids = new Array<number>(20_000).fill(full);
    const [once] = await lab.value('x_lab/read', { ids: [full] });
    const rows = await lab.value('x_lab/read', { ids: [...ids, bare] });
    expect(rows).toHaveLength(20_001);
    expect([rows[0], rows[19_999], rows[20_000].id]).toEqual([once, once, bare]);
  });

  test('rejects an unknown field by name', async () => {
    const error = await lab.expectError('x_lab/read', { ids: [full], fields: ['nope'] });
    expect([error.status, error.message]).toEqual([422, "Invalid field 'nope' on 'x_lab'"]);
  });
});

describe('create and write', () => {
  test('return a list of ids in order, which is empty if there are no records', async () => {
    const vals_list = Array.from({ length: 50 }, (_, n) => ({ x_name: `bulk ${n}`, x_integer: n }));
    const ids = await lab.value('x_lab/create', { vals_list });
    const rows = await lab.value('x_lab/read', { ids, fields: ['x_integer'] });
    expect(rows.map((row: { x_integer: number }) => row.x_integer)).toEqual(
      vals_list.map((values) => values.x_integer),
    );
    expect(await lab.value('x_lab/create', { vals_list: [] })).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['an unknown field', { nope: 1 }, "Invalid field 'nope' in 'x_lab'"],
    ['an invalid selection', { x_selection: 'z' }, 'x_lab.x_selection'],
    ['an invalid number', { x_integer: 'abc' }, 'x_lab.x_integer'],
    ['an invalid day', { x_date: '31/01/2026' }, 'x_lab.x_date'],
    ['a time with a time zone', { x_datetime: '2026-01-31T10:00:00Z' }, 'x_lab.x_datetime'],
    ['invalid base64', { x_binary: '$$' }, 'x_lab.x_binary'],
    ['a many2one by name', { x_country_id: 'Belgium' }, 'x_lab.x_country_id'],
    ['an invalid reference', { x_ref: 'nope' }, 'x_lab.x_ref'],
    ['a reference to another model', { x_ref: 'res.users,1' }, 'x_lab.x_ref'],
  ])('reject %s with an error that names it, and roll back the call', async (_, values, token) => {
    const before = await lab.value('x_lab/search_count', { domain: [] });
    for (const error of [
      await lab.expectError('x_lab/create', { vals_list: [{ x_name: 'good' }, values] }),
      await lab.expectError('x_lab/write', {
        ids: [full],
        vals: { x_name: 'changed', ...(values as object) },
      }),
    ])
      expect([error.status, error.message]).toEqual([422, expect.stringContaining(token)]);
    expect(await lab.value('x_lab/search_count', { domain: [] })).toBe(before);
    expect(await readField(full, 'x_name')).toBe('full');
  });

  test('ignore read-only fields', async () => {
    const vals = {
      id: 1,
      display_name: 'x',
      create_uid: 1,
      create_date: '2000-01-01',
      write_date: '2000-01-01',
    };
    expect(await lab.value('x_lab/write', { ids: [full], vals })).toBe(true);
    expect(await readField(full, 'display_name')).toBe('full');
  });

  test('round amounts half away from zero to the digits of their currency, if it is set', async () => {
    const readCurrency = async (name: string) =>
      (
        await lab.value('res.currency/search', {
          domain: [['name', '=', name]],
          context: { active_test: false },
        })
      )[0];
    const [euro, yen] = [await readCurrency('EUR'), await readCurrency('JPY')];
    const valuesList = [
      { x_money: 12.345, x_currency_id: euro },
      { x_money: -12.345, x_currency_id: euro },
      { x_money: 1234.5, x_currency_id: yen },
      { x_money: 12.345 },
    ];
    const ids = await lab.value('x_lab/create', { vals_list: valuesList });
    const readAmounts = async () =>
      (await lab.value('x_lab/read', { ids, fields: ['x_money'] })).map(
        (row: { x_money: number }) => row.x_money,
      );
    expect(await readAmounts()).toEqual([12.35, -12.35, 1235, 12.345]);
    await lab.value('x_lab/write', { ids, vals: { x_money: 1.239 } });
    expect(await readAmounts()).toEqual([1.24, 1.24, 1, 1.239]);
    const [lead] = await lab.value('crm.lead/create', { vals_list: { name: 'l', expected_revenue: 10.005 } });
    const [row] = await lab.value('crm.lead/read', { ids: [lead], fields: ['expected_revenue'] });
    expect(row.expected_revenue).toBe(10.01);
  });

  test('wrap plain text in a paragraph for an html field', async () => {
    const [id] = await lab.value('x_lab/create', { vals_list: { x_html: 'plain & simple' } });
    expect(await readField(id, 'x_html')).toBe('<p>plain &amp; simple</p>');
  });

  test('store a reference that reads as false after its record is deleted', async () => {
    const [partner] = await lab.value('res.partner/create', { vals_list: { name: 'gone' } });
    const [id] = await lab.value('x_lab/create', { vals_list: { x_ref: `res.partner,${partner}` } });
    expect(await readField(id, 'x_ref')).toBe(`res.partner,${partner}`);
    await lab.value('res.partner/unlink', { ids: [partner] });
    expect(await readField(id, 'x_ref')).toBe(false);
  });

  test.each([
    ['Ann Lee <ann@example.com>', 'Ann Lee', 'ann@example.com'],
    ['"Lee, Ann" < ann@example.com >', 'Lee, Ann', 'ann@example.com'],
    ['ann@example.com', 'ann@example.com', 'ann@example.com'],
    ['Ann <no address>', 'Ann <no address>', false],
  ])('name_create of a contact parses an email address with a name: %s', async (text, name, email) => {
    const [id, displayName] = await lab.value('res.partner/name_create', { name: text });
    expect(displayName).toBe(name);
    expect(await lab.value('res.partner/read', { ids: [id], fields: ['name', 'email'] })).toEqual([
      { id, name, email },
    ]);
  });

  test('name_create returns id and name, or false for a model without a name', async () => {
    expect(await lab.value('x_lab/name_create', { name: 'by name' })).toEqual([
      expect.any(Number),
      'by name',
    ]);
  });
});

test("accepts base64 in Python notation, and formats a group's full name with its privilege", async () => {
  const packed = Buffer.from('hello').toString('base64');
  const [id] = await lab.value('x_lab/create', { vals_list: [{ x_binary: `b'${packed}'` }] });
  expect(await readField(id, 'x_binary')).toBe(packed);
  const groups = await lab.value('res.groups/search_read', {
    domain: [['privilege_id.name', '=', 'Sales']],
    fields: ['name', 'full_name'],
  });
  expect(groups.length).toBeGreaterThan(1);
  for (const { name, full_name } of groups) expect(full_name).toBe(`Sales / ${name}`);
});
