import { expect, test } from 'vitest';
import { type Comparison, findDifferences } from './compare.ts';
import { createIds, translate, UNKNOWN_ID } from './ids.ts';
import { compareResponse } from './verdict.ts';
import { Double, decodeResponse, encodeCall } from './xml.ts';

function buildComparison(): Comparison {
  const ids = createIds();
  ids.bind('res.partner', 9, 109);
  ids.bind('res.partner', 19, 119);
  return { ids, excused: new Set(['skipped']) };
}

const agree: [shape: unknown, got: unknown][] = [
  [true, true],
  [null, null],
  [12.35, 12.35],
  ['Alpha', 'Alpha'],
  ['$text', 'anything'],
  ['$text', false],
  ['$number', 0],
  ['$bool', false],
  ['$many2one', false],
  ['$many2one', [3, 'Name']],
  ['$many2one', [3, false]],
  ['$ids', []],
  ['$datetime', '2026-01-31 23:30:00'],
  ['$date', false],
  ['@res.partner:9', 109],
  ['@@res.partner:9', 'res.partner,109'],
  ['@res.partner:77', 5],
  ['+res.partner:9', 300],
  [
    ['@res.partner:9', '$text'],
    [109, 'x'],
  ],
  [{ $set: ['@res.partner:19', '@res.partner:9'] }, [109, 119]],
  [{ $set: [['@res.partner:19', '$text']] }, [[119, 'Name']]],
  [{ $list: '$number' }, []],
  [{ $rows: { id: '$number' } }, [{ id: 1 }, { id: 2 }]],
  [
    { id: '$number', skipped: 1, name: '$text' },
    { id: 1, name: 'a' },
  ],
  [{ $open: { id: '$number', more: '$text', name: '$text' } }, { id: 1, name: 'a', other: 2 }],
  [{ $unordered: { a: 1, b: { c: 2, d: 3 } } }, { b: { d: 3, c: 2 }, a: 1 }],
  [{ $fields: { id: { type: 'integer' }, gone: { type: 'char' } } }, { id: { type: 'integer' } }],
  [{ $keys: ['fields', 'domain'] }, { fields: {}, domain: {} }],
  [{ $double: 1.5 }, new Double(1.5)],
];

test.each(agree)('%j matches %j', (shape, actual) => {
  expect(findDifferences(shape, actual, buildComparison())).toEqual([]);
});

const differ: [shape: unknown, got: unknown][] = [
  [true, 1],
  [false, null],
  ['Alpha', 'alpha'],
  ['$text', null],
  ['$text', true],
  ['$number', '1'],
  ['$bool', 0],
  ['$many2one', [3]],
  ['$ids', ['1']],
  ['$datetime', '2026-01-31T23:30:00Z'],
  ['@res.partner:9', 9],
  ['@@res.partner:9', 'res.partner,9'],
  ['@res.partner:77', 119],
  [[1, 2], [1]],
  [
    { id: 1, name: 'a' },
    { name: 'a', id: 1 },
  ],
  [{ id: 1 }, { id: 1, name: 'a' }],
  [{ $rows: { id: '$number' } }, []],
  [{ $set: ['@res.partner:9'] }, [109, 119]],
  [{ $unordered: { a: 1 } }, { a: 1, b: 2 }],
  [{ $fields: { id: { type: 'integer' } } }, { name: { type: 'char' } }],
  [{ $keys: ['fields', 'domain'] }, { domain: {}, fields: {} }],
  [{ $double: 1 }, 1],
  [1, new Double(1)],
];

test.each(differ)('%j differs from %j', (shape, actual) => {
  expect(findDifferences(shape, actual, buildComparison())).not.toEqual([]);
});

test('maps the recorded id to the id of the record created in the replay', () => {
  const { ids, excused } = buildComparison();
  expect(findDifferences(['+x_lab:1'], [900], { ids, excused })).toEqual([]);
  expect(translate({ ids: ['@x_lab:1', 999999] }, ids, {})).toEqual({ ids: [900, 999999] });
  expect(findDifferences('@x_lab:1', 901, { ids, excused })).not.toEqual([]);
});

test('requests use the mapped ids and keys, and an unknown id refers to no record', () => {
  const { ids } = buildComparison();
  expect(
    translate({ key: '<ADMIN_KEY>', ref: '@@res.partner:9', text: { $text: '@res.partner:9' } }, ids, {
      ADMIN_KEY: 'uk_1',
    }),
  ).toEqual({ key: 'uk_1', ref: 'res.partner,109', text: '109' });
  expect(translate('@res.partner:500', ids, {})).toBe(UNKNOWN_ID + 500);
  expect(translate({ $range: [1, 3] }, ids, {})).toEqual([1, 2, 3]);
});

const buildJson = (status: number, body: unknown) => ({
  status,
  headers: { 'content-type': 'application/json; charset=utf-8' },
  text: JSON.stringify(body),
});
const buildError = (name: string, message: string, ...extra: unknown[]) => ({
  name,
  message,
  arguments: [message, ...extra],
  context: {},
  debug: '',
});
const missing = buildError('odoo.exceptions.MissingError', 'It does not exist.');

const verdicts: [what: string, recorded: object, answer: ReturnType<typeof buildJson>, agrees: boolean][] = [
  ['the same status and shape', { status: 200, answer: true }, buildJson(200, true), true],
  ['another status', { status: 200, answer: true }, buildJson(422, true), false],
  [
    'a client error that used to be 500',
    { status: 500, answer: { $error: 'builtins.ValueError', tokens: ['nope'] } },
    buildJson(422, buildError('odoo.exceptions.ValidationError', 'nope is no field')),
    true,
  ],
  [
    'a client error that does not name the field',
    { status: 500, answer: { $error: 'builtins.ValueError', tokens: ['nope'] } },
    buildJson(422, buildError('odoo.exceptions.ValidationError', 'bad')),
    false,
  ],
  [
    'an internal error',
    { status: 500, answer: { $error: 'builtins.ValueError' } },
    buildJson(500, missing),
    false,
  ],
  [
    'another exception',
    { status: 404, answer: { $error: 'odoo.exceptions.UserError' } },
    buildJson(404, missing),
    false,
  ],
  [
    'the five keys in another order',
    { status: 404, answer: { $error: 'odoo.exceptions.MissingError' } },
    buildJson(404, Object.fromEntries(Object.entries(missing).reverse())),
    false,
  ],
  ['JSON instead of an HTML error', { status: 404, type: 'text/html' }, buildJson(404, missing), true],
];

test.each(verdicts)('%s', (_what, recorded, response, agrees) => {
  const exchange = { id: 'x-1', request: 'POST /json/2/res.partner/search', ...recorded } as never;
  expect(compareResponse(exchange, response, buildComparison()).length === 0).toBe(agrees);
});

test("the codec encodes calls like Python's xmlrpc.client, and distinguishes doubles from integers", () => {
  expect(encodeCall('m', [[1, 'a<b', null, true, 1.5, { k: { $base64: 'aGk=' } }]])).toBe(
    "<?xml version='1.0'?><methodCall><methodName>m</methodName><params><param><value><array><data><value><int>1</int></value><value><string>a&lt;b</string></value><value><nil/></value><value><boolean>1</boolean></value><value><double>1.5</double></value><value><struct><member><name>k</name><value><base64>aGk=</base64></value></member></struct></value></data></array></value></param></params></methodCall>",
  );
  expect(
    decodeResponse(
      '<?xml version="1.0"?><methodResponse><params><param><value><array><data><value><int>1</int></value><value><double>2</double></value><value>text</value></data></array></value></param></params></methodResponse>',
    ),
  ).toEqual({ value: [1, new Double(2), 'text'] });
});
