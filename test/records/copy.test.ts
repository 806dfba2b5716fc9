import { beforeAll, describe, expect, test } from 'vitest';
import { createRpcClients } from '../harness/facades/rpc.ts';
import { setUp } from '../harness/set-up.ts';
import { makeLab, openRecordLab } from './lab.ts';

const lab = setUp(openRecordLab);
beforeAll(() => makeLab(lab));

const readOne = async (model: string, id: number, fields: string[]) =>
  (await lab.value(`${model}/read`, { ids: [id], fields, load: '' }))[0];

describe('copy', () => {
  test('copies values and links but no lines, and marks the name as a copy', async () => {
    const [tag] = await lab.value('res.partner.category/create', { vals_list: { name: 'copied' } });
    const [id] = await lab.value('res.partner/create', {
      vals_list: {
        name: 'Origin',
        city: 'Ghent',
        color: 3,
        category_id: [[6, 0, [tag]]],
        child_ids: [[0, 0, { name: 'child' }]],
      },
    });
    const [copy] = await lab.value('res.partner/copy', { ids: [id] });
    expect(copy).not.toBe(id);
    expect(await readOne('res.partner', copy, ['name', 'city', 'color', 'category_id', 'child_ids'])).toEqual(
      {
        id: copy,
        name: 'Origin (copy)',
        city: 'Ghent',
        color: 3,
        category_id: [tag],
        child_ids: [],
      },
    );
  });

  test('applies the values passed in `default`, and records the caller as the creator', async () => {
    const [id] = await lab.value('res.partner/create', { vals_list: { name: 'Origin', city: 'Ghent' } });
    const [copy] = await lab.value('res.partner/copy', { ids: [id], default: { name: 'Mine', city: false } });
    expect(await readOne('res.partner', copy, ['name', 'city', 'create_uid'])).toEqual({
      id: copy,
      name: 'Mine',
      city: false,
      create_uid: lab.app.main.admin.id,
    });
  });

  test('keeps the order of the ids, and rejects missing ids and unknown fields', async () => {
    const ids = await lab.value('x_lab/create', { vals_list: [{ x_name: 'a' }, { x_name: 'b' }] });
    const copies = await lab.value('x_lab/copy', { ids: [ids[1], ids[0]] });
    expect(await lab.value('x_lab/read', { ids: copies, fields: ['x_name'] })).toEqual([
      { id: copies[0], x_name: 'b' },
      { id: copies[1], x_name: 'a' },
    ]);
    expect(await lab.value('x_lab/copy', {})).toEqual([]);
    const before = await lab.value('x_lab/search_count', { domain: [] });
    expect((await lab.expectError('x_lab/copy', { ids: [ids[0], 999999] })).status).toBe(404);
    const error = await lab.expectError('x_lab/copy', { ids: [ids[0]], default: { nope: 1 } });
    expect([error.status, error.message]).toEqual([422, expect.stringContaining("'nope'")]);
    expect(await lab.value('x_lab/search_count', { domain: [] })).toBe(before);
  });

  test('copies fields of every type', async () => {
    const [country] = await lab.value('res.country/search', { domain: [['code', '=', 'BE']] });
    const values = {
      x_name: 'all',
      x_char: 'c',
      x_text: 't\nu',
      x_html: '<p>h</p>',
      x_integer: 5,
      x_float: 1.25,
      x_boolean: true,
      x_date: '2026-01-31',
      x_datetime: '2026-01-31 23:30:00',
      x_binary: 'aGVsbG8=',
      x_json: { a: [null, { b: 1 }] },
      x_selection: 'b',
      x_country_id: country,
      x_ref: `res.country,${country}`,
    };
    const [id] = await lab.value('x_lab/create', { vals_list: values });
    const [copy] = await lab.value('x_lab/copy', { ids: [id] });
    expect(await readOne('x_lab', copy, Object.keys(values))).toEqual({ id: copy, ...values });
  });

  test('appends a number to unique text until it is unique', async () => {
    const parameter = { key: 'lab.copied', value: '1' };
    const [id] = await lab.value('ir.config_parameter/create', { vals_list: parameter });
    const copies = [
      ...(await lab.value('ir.config_parameter/copy', { ids: [id] })),
      ...(await lab.value('ir.config_parameter/copy', { ids: [id] })),
    ];
    const rows = await lab.value('ir.config_parameter/read', { ids: copies, fields: ['key'] });
    expect(new Set([parameter.key, ...rows.map((row: { key: string }) => row.key)]).size).toBe(3);
  });

  test('requires the right to create', async () => {
    const [id] = await lab.value('res.partner/create', { vals_list: { name: 'Origin' } });
    expect((await lab.expectError('res.partner/copy', { ids: [id] }, lab.app.main.user.key)).status).toBe(
      403,
    );
  });

  test('returns a list over XML-RPC, even for one id', async () => {
    const [id] = await lab.value('x_lab/create', { vals_list: { x_name: 'xml' } });
    const response = await createRpcClients(lab.app).execute('x_lab', 'copy', [id], {
      default: { x_name: 'by rpc' },
    });
    expect(response.value).toEqual([expect.any(Number)]);
  });
});

test('copy_data returns the values of the copy, with links as commands', async () => {
  const [tag] = await lab.value('res.partner.category/create', { vals_list: { name: 'data' } });
  const [id] = await lab.value('res.partner/create', { vals_list: { name: 'Data', category_id: [tag] } });
  const [values] = await lab.value('res.partner/copy_data', { ids: [id], default: { city: 'Ghent' } });
  expect(values).toMatchObject({
    name: 'Data (copy)',
    city: 'Ghent',
    category_id: [[6, 0, [tag]]],
    active: true,
  });
  for (const absent of ['id', 'create_date', 'write_uid', 'display_name', 'child_ids'])
    expect(values).not.toHaveProperty(absent);
});
