import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import { formatFraction } from '../../src/engine/value/fraction.ts';
import { setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { createRpcClients, postJsonRpc } from '../harness/facades/rpc.ts';

const app = setUpApp();
let id: number;
beforeAll(async () => {
  id = JSON.parse(
    await postText('crm.lead/create', {
      vals_list: [{ name: 'Floats', type: 'lead', expected_revenue: 9950, probability: 40, color: 3 }],
    }),
  )[0];
});

/** Returns the raw response, because JSON.parse does not distinguish 9950.0 from 9950. */
const postText = async (path: string, body: object): Promise<string> =>
  (await json2(app, path, body, app.main.admin.key)).text;

const FIELDS = ['expected_revenue', 'probability', 'color'];
const buildDomain = () => [['id', '=', id]];

test('writes a decimal point for fractional fields, and none for integer fields', async () => {
  const row = `[{"id":${id},"expected_revenue":9950.0,"probability":40.0,"color":3}]`;
  expect(await postText('crm.lead/read', { ids: [id], fields: FIELDS })).toBe(row);
  expect(await postText('crm.lead/search_read', { domain: buildDomain(), fields: FIELDS })).toBe(row);
  expect(await postText('crm.lead/search_read', { domain: buildDomain(), fields: FIELDS, limit: 80 })).toBe(
    row,
  );
  const { uid, key } = { uid: app.main.admin.id, key: app.main.admin.key };
  const rpc = await postJsonRpc(app, 'object', 'execute_kw', [
    'main',
    uid,
    key,
    'crm.lead',
    'read',
    [[id], FIELDS],
  ]);
  expect(rpc.text).toContain(row);
});

test('keeps the exact value of a fraction, even if an integer is passed', async () => {
  for (const [input, expected] of [
    [0.1, '0.1'],
    [1234.56, '1234.56'],
    [0, '0.0'],
    [-5, '-5.0'],
    [1e12, '1000000000000.0'],
  ]) {
    await postText('crm.lead/write', { ids: [id], vals: { expected_revenue: input } });
    const response = await postText('crm.lead/read', { ids: [id], fields: ['expected_revenue'] });
    expect(response).toBe(`[{"id":${id},"expected_revenue":${expected}}]`);
  }
  await postText('crm.lead/write', {
    ids: [id],
    vals: { expected_revenue: 9950, probability: 33.333333333333336 },
  });
  expect(await postText('crm.lead/read', { ids: [id], fields: ['probability'] })).toContain(
    '33.333333333333336',
  );
});

test('formats groups and exports like reads, and uses double in XML-RPC', async () => {
  const groupby = ['color'];
  const sums = { aggregates: ['expected_revenue:sum', 'color:avg', 'color:sum', '__count'] };
  const groups = await postText('crm.lead/formatted_read_group', { domain: buildDomain(), groupby, ...sums });
  expect(groups).toContain('"expected_revenue:sum":9950.0,"color:avg":3.0,"color:sum":3,"__count":1');
  const fields = ['expected_revenue'];
  const older = await postText('crm.lead/read_group', { domain: buildDomain(), groupby, fields });
  expect(older).toContain('"expected_revenue":9950.0');
  const table = await postText('crm.lead/export_data', { ids: [id], fields_to_export: FIELDS.slice(0, 1) });
  expect(table).toBe('{"datas":[[9950.0]]}');
  const { text: xml } = await createRpcClients(app).execute(
    'crm.lead',
    'formatted_read_group',
    [buildDomain()],
    {
      groupby,
      ...sums,
    },
  );
  expect(xml).toContain('<double>9950.0</double>');
  expect(xml).toContain('<name>__count</name><value><int>1</int>');
});

test.each([
  [0, '0.0'],
  [-5, '-5.0'],
  [0.5, '0.5'],
  [1e15, '1000000000000000.0'],
  [-9_007_199_254_740_992, '-9007199254740992.0'],
  [4_503_599_627_370_495.5, '4503599627370495.5'],
  [9_999_999_999_999_998, '9999999999999998.0'],
  [1e16, '1e+16'],
  [-1.5e300, '-1.5e+300'],
  [0.0001, '0.0001'],
  [0.00001, '1e-05'],
  [1.25e-100, '1.25e-100'],
])('formats %d as %s', (value, text) => {
  expect(formatFraction(value)).toBe(text);
});

test('formats random numbers in groups, exports and XML like in reads', async () => {
  // Between 1e16 and 1e25, PostgreSQL and JavaScript print different last digits for some numbers.
  const doubles = fc
    .double({ noNaN: true, min: -1e308, max: 1e308 })
    .filter((x) => !(Math.abs(x) > 1e16 && Math.abs(x) < 1e25));
  const middle = fc.double({ noNaN: true, min: 1e14, max: 1e16 });
  const inputs = [
    ...[1e15, -1e15, 1e16, 9_007_199_254_740_992, 1e21, 1e-4, 9.9e-5, 1e-7, 5e-324, 1e308],
    ...fc.sample(fc.oneof(doubles, middle, middle.map(Math.trunc)), 150),
  ];
  const vals_list = inputs.map((credit_limit, index) => ({ name: `Number ${index}`, credit_limit }));
  const ids: number[] = JSON.parse(await postText('res.partner/create', { vals_list }));
  const fields = ['credit_limit'];
  const buildNumbers = (response: string, pattern: RegExp) =>
    [...response.matchAll(pattern)].map(([, number]) => number);
  const texts = buildNumbers(await postText('res.partner/read', { ids, fields }), /"credit_limit":([^}]+)/g);
  expect(texts.map(Number)).toEqual(inputs.map((value) => value + 0));
  expect(texts).toEqual(inputs.map(formatFraction));
  const grouping = { domain: [['id', 'in', ids]], groupby: ['id'], order: 'id' };
  const groups = await postText('res.partner/formatted_read_group', {
    ...grouping,
    aggregates: ['credit_limit:max'],
  });
  expect(buildNumbers(groups, /"credit_limit:max":([^}]+)/g)).toEqual(texts);
  const table = await postText('res.partner/export_data', { ids, fields_to_export: fields });
  expect(buildNumbers(table, /\[\[?([^[\]]+)\]/g)).toEqual(texts);
  const { text: xml } = await createRpcClients(app).execute('res.partner', 'read', [ids, fields], {});
  expect(buildNumbers(xml, /<double>([^<]+)/g)).toEqual(texts);
});
