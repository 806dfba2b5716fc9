import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { MarshalError, RpcParseError } from '../../facades/rpc/faults.ts';
import { decodeCall, XML_CALL_LIMITS } from '../../facades/rpc/xml/decode.ts';
import {
  encodeFault,
  encodeJsonText,
  encodeResponse,
  encodeResponseInSteps,
} from '../../facades/rpc/xml/encode.ts';
import { findPython } from '../clients/python.ts';
import { createSeededRandom } from './seeded.ts';

// The package does not export its codec, which serves as the reference implementation.
const require = createRequire(import.meta.url);
const Deserializer = require('xmlrpc/lib/deserializer.js');
const { serializeMethodCall } = require('xmlrpc/lib/serializer.js');

const decode = (
  method: 'deserializeMethodCall' | 'deserializeMethodResponse',
  xml: string,
): Promise<unknown> =>
  new Promise((resolve, reject) =>
    new Deserializer()[method](
      Readable.from([xml]),
      (error: Error | null, first: unknown, second: unknown) =>
        error ? reject(error) : resolve(method === 'deserializeMethodCall' ? [first, second] : first),
    ),
  );

const call = (value: string) =>
  `<?xml version="1.0"?>\n<methodCall>\n<methodName>m</methodName>\n<params>\n<param>\n${value}\n</param>\n</params>\n</methodCall>\n`;
const decodeValue = (inner: string) => decodeCall(call(`<value>${inner}</value>`)).params[0];

const WORDS = [
  '',
  ' ',
  'a<b',
  '&amp;',
  '>',
  '"q\'',
  'é€😀',
  '  padded\n',
  '\ttab',
  'x'.repeat(300),
  '0',
  '__proto__',
];
const NAMES = ['id', 'name', 'a&b', 'constructor', '__proto__', 'ünï', 'expected_revenue:sum'];

function makeValue(random: () => number, depth = 0): unknown {
  const pick = <T>(items: T[]) => items[Math.floor(random() * items.length)] as T;
  const size = Math.floor(random() * 4);
  const kind = Math.floor(random() * (depth > 3 ? 4 : 6));
  if (kind === 0) return pick(WORDS) + pick(WORDS);
  if (kind === 1) return Math.floor((random() - 0.5) * 2 ** 32);
  if (kind === 2) return (random() - 0.5) * 10 ** Math.floor(random() * 12);
  if (kind === 3) return random() < 0.5;
  if (kind === 4) return Array.from({ length: size }, () => makeValue(random, depth + 1));
  const struct = Object.create(null);
  for (let i = 0; i < size; i++) struct[pick(NAMES)] = makeValue(random, depth + 1);
  return struct;
}

// The reference implementation drops a member named `__proto__`.
const isLossless = (item: unknown) => !JSON.stringify(item).includes('"__proto__":');
const toPlain = (item: unknown) => JSON.parse(JSON.stringify(item));

describe('decodeCall', () => {
  test.each([
    ['<string>  two  </string>', '  two  '],
    ['  untyped text keeps its blanks ', '  untyped text keeps its blanks '],
    ['', ''],
    ['\n', '\n'],
    ['<string/>', ''],
    ['\n <int>7</int>\n', 7],
    ['<i4>-7</i4>', -7],
    ['<i8>9007199254740991</i8>', 9007199254740991],
    ['<int>3000000000</int>', 3000000000],
    ['<int> +5 </int>', 5],
    ['<boolean>1</boolean>', true],
    ['<boolean>0</boolean>', false],
    ['<double>-1.5e3</double>', -1500],
    ['<double>5.</double>', 5],
    ['<nil/>', null],
    ['<ex:nil xmlns:ex="http://ws.apache.org/xmlrpc/namespaces/extensions"/>', null],
    ['<dateTime.iso8601>20260131T10:11:12</dateTime.iso8601>', '2026-01-31 10:11:12'],
    ['<dateTime.iso8601>2026-01-31T10:11:12.345Z</dateTime.iso8601>', '2026-01-31 10:11:12'],
    ['<dateTime.iso8601>20260131T00:11:12+0130</dateTime.iso8601>', '2026-01-30 22:41:12'],
    ['<dateTime.iso8601>20260131</dateTime.iso8601>', '2026-01-31 00:00:00'],
    ['<base64>aGVs\n bG8=</base64>', 'aGVsbG8='],
    ['<array><data/></array>', []],
    [
      '<array><data><value>a</value><value><array><data><value><i4>1</i4></value></data></array></value></data></array>',
      ['a', [1]],
    ],
    ['<struct/>', {}],
    [
      '<struct><member><name>a</name><value><int>1</int></value></member><member><name>a</name><value>2</value></member></struct>',
      { a: '2' },
    ],
    ['<![CDATA[<b>&amp;]]>', '<b>&amp;'],
    ['a<!-- no -->b', 'ab'],
    ['&lt;&amp;&gt;&quot;&apos;&#233;&#x1F600;', '<&>"\'é😀'],
    ['a\r\nb\rc&#13;', 'a\nb\nc\r'],
  ])('decodes %s as %j', (xml, expected) => {
    expect(toPlain(decodeValue(xml))).toEqual(expected);
  });

  test.each([
    ['<int>1.5</int>'],
    ['<int></int>'],
    ['<int>9007199254740992</int>'],
    ['<i8>99999999999999999999</i8>'],
    ['<double>1e999</double>'],
    ['<double>nan</double>'],
    ['<double>0x10</double>'],
    ['<boolean>true</boolean>'],
    ['<nil>x</nil>'],
    ['<dateTime.iso8601>20260230T00:00:00</dateTime.iso8601>'],
    ['<dateTime.iso8601>yesterday</dateTime.iso8601>'],
    ['<base64>a*b=</base64>'],
    ['<base64>abc</base64>'],
    ['<int>1</int><int>2</int>'],
    ['stray<int>1</int>'],
    ['<array><value>1</value></array>'],
    ['<array><data/><data/></array>'],
    ['<struct><member><name>a</name></member></struct>'],
    ['<struct><member><value>a</value></member></struct>'],
    ['<unknown>1</unknown>'],
    ['&constructor;'],
    ['&toString;'],
    ['&nbsp;'],
    ['&#0;'],
    ['\u0000'],
    ['\u001b'],
  ])('rejects %j', (xml) => {
    expect(() => decodeValue(xml)).toThrow(RpcParseError);
  });

  test.each([
    [''],
    ['not xml'],
    ['<methodCall/>'],
    ['<methodCall><methodName> </methodName></methodCall>'],
    ['<methodResponse><params/></methodResponse>'],
    [
      '<methodCall><methodName>m</methodName></methodCall><methodCall><methodName>n</methodName></methodCall>',
    ],
    ['<methodCall><methodName>m</methodName><params><param/></params></methodCall>'],
    ['<methodCall><methodName>m</methodName>'],
    ['<!DOCTYPE methodCall><methodCall><methodName>m</methodName></methodCall>'],
    ['<!ENTITY a "b"><methodCall><methodName>m</methodName></methodCall>'],
    ['< !doctype x><methodCall><methodName>m</methodName></methodCall>'],
  ])('rejects the body %j', (xml) => {
    expect(() => decodeCall(xml)).toThrow(RpcParseError);
  });

  test('accepts a call without params', () => {
    expect(decodeCall('<methodCall><methodName>version</methodName></methodCall>')).toEqual({
      method: 'version',
      params: [],
    });
  });

  test('treats a member named __proto__ as data', () => {
    const struct = decodeValue(
      '<struct><member><name>__proto__</name><value><struct><member><name>admin</name><value>1</value></member></struct></value></member></struct>',
    ) as Record<string, unknown>;
    expect(Object.keys(struct)).toEqual(['__proto__']);
    expect(struct.admin).toBeUndefined();
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  const buildEncodedCall = (encoding: string) =>
    call('<value>é</value>').replace('?>', ` encoding="${encoding}"?>`);
  test.each([
    ['UTF-8', Buffer.from(buildEncodedCall('UTF-8'))],
    ['no declared encoding', Buffer.from(call('<value>é</value>'))],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${call('<value>é</value>')}`)],
    ['ISO-8859-1', Buffer.from(buildEncodedCall('ISO-8859-1'), 'latin1')],
    ['UTF-16 with a byte order mark', Buffer.from(`\ufeff${buildEncodedCall('UTF-16')}`, 'utf16le')],
    ['US-ASCII and a reference', Buffer.from(buildEncodedCall('US-ASCII').replace('é', '&#233;'), 'latin1')],
  ])('accepts a body in %s', (_, body) => {
    expect(decodeCall(body).params).toEqual(['é']);
  });

  test.each([
    ['bytes that are not UTF-8', Buffer.from(call('<value>é</value>'), 'latin1')],
    ['bytes over 127 in US-ASCII', Buffer.from(buildEncodedCall('US-ASCII'), 'latin1')],
    ['an unknown encoding', Buffer.from(buildEncodedCall('EBCDIC-FR'))],
  ])('rejects %s', (_, body) => {
    expect(() => decodeCall(body)).toThrow(RpcParseError);
  });

  test.each([
    ['bytes', { bytes: 60 }, '<value>a</value>'],
    ['depth', { depth: 1 }, '<value><array><data><value><array/></value></data></array></value>'],
    ['values', { values: 2 }, '<value><array><data><value/><value/></data></array></value>'],
    ['attributes', { attributes: 0 }, '<value a="b"/>'],
    [
      'nameLength',
      { nameLength: 3 },
      '<value><struct><member><name>abcd</name><value/></member></struct></value>',
    ],
  ])('enforces the limit of %s', (limit, limits, xml) => {
    expect(decodeCall(call(xml)).params).toHaveLength(1);
    const runDecode = () => decodeCall(call(xml), { ...XML_CALL_LIMITS, ...limits });
    expect(runDecode).toThrow(
      expect.objectContaining({ name: 'RpcParseError', tooLarge: limit === 'bytes' }),
    );
  });

  test("decodes the npm client's calls as the client itself does", async () => {
    const random = createSeededRandom(11);
    for (let i = 0; i < 200; i++) {
      const params = [makeValue(random), makeValue(random)];
      const xml = serializeMethodCall('execute_kw', params);
      const decodedCall = decodeCall(xml);
      expect(toPlain(decodedCall.params)).toEqual(toPlain(params));
      if (isLossless(params))
        expect(toPlain(await decode('deserializeMethodCall', xml))).toEqual(
          toPlain([decodedCall.method, decodedCall.params]),
        );
    }
  });
});

describe('encodeResponse', () => {
  const encodeValue = (result: unknown, floats?: ReadonlySet<string>) =>
    /<param><value>(.*)<\/value><\/param>/s.exec(encodeResponse(result, floats))?.[1];

  test.each([
    [false, '<boolean>0</boolean>'],
    [true, '<boolean>1</boolean>'],
    [-0, '<int>0</int>'],
    [2147483647, '<int>2147483647</int>'],
    [-2147483648, '<int>-2147483648</int>'],
    [2147483648, '<double>2147483648.0</double>'],
    [1e21, '<double>1e+21</double>'],
    [12.35, '<double>12.35</double>'],
    ['a\r&<b>]]>\u0000\u001b\ufffe\tz\n', '<string>a&#13;&amp;&lt;b&gt;]]&gt;\tz\n</string>'],
    [[], '<array><data></data></array>'],
    [{}, '<struct></struct>'],
    [
      { 'a<': 1, skipped: undefined },
      '<struct><member><name>a&lt;</name><value><int>1</int></value></member></struct>',
    ],
  ])('encodes %j as %s', async (result, xml) => {
    expect(encodeValue(result)).toBe(xml);
    expect(String(await encodeResponseInSteps(result))).toBe(encodeResponse(result));
  });

  test('encodes a long result in steps, with the same output as in one step', async () => {
    const row = { id: 5, amount: 5, name: 'é😀<&\r', lines: [{ a: [[1, [2, [3]]]] }, null], none: undefined };
    const rows = Array.from({ length: 2_000 }, (_, i) => ({
      ...row,
      [`m${i % 3}`]: WORDS[i % WORDS.length],
    }));
    const floats = new Set(['amount']);
    for (const result of [
      rows,
      { length: 2, records: rows },
      [['x'.repeat(200_000), [rows]]],
      { datas: [[1]] },
    ])
      expect(String(await encodeResponseInSteps(result, floats))).toBe(encodeResponse(result, floats));
    await expect(encodeResponseInSteps([[new Date()]])).rejects.toThrow(MarshalError);
    await expect(encodeResponseInSteps([[Number.NaN]])).rejects.toThrow(MarshalError);
    await expect(encodeResponseInSteps(new Map())).rejects.toThrow(MarshalError);
  });

  test('encodes integers as double only in float fields', () => {
    const rows = [{ id: 5, amount: 5, unset: 0, name: false }];
    expect(encodeValue(rows, new Set(['amount', 'unset', 'name']))).toBe(
      '<array><data><value><struct>' +
        '<member><name>id</name><value><int>5</int></value></member>' +
        '<member><name>amount</name><value><double>5.0</double></value></member>' +
        '<member><name>unset</name><value><double>0.0</double></value></member>' +
        '<member><name>name</name><value><boolean>0</boolean></value></member>' +
        '</struct></value></data></array>',
    );
  });

  const no = '<boolean>0</boolean>';
  const list = (items: string) => `<array><data>${items}</data></array>`;
  test.each<[unknown, string]>([
    [null, no],
    [undefined, no],
    [[1, null], list(`<value><int>1</int></value><value>${no}</value>`)],
    [[undefined], list(`<value>${no}</value>`)],
    [
      { a: { b: null } },
      `<struct><member><name>a</name><value><struct><member><name>b</name><value>${no}</value></member></struct></value></member></struct>`,
    ],
  ])('encodes null as false in %j', (result, text) => {
    expect(encodeValue(result)).toBe(text);
  });

  test.each([[Number.NaN], [Number.POSITIVE_INFINITY], [new Date(0)], [10n], [() => 1]])(
    'throws for %s',
    (result) => {
      expect(() => encodeResponse(result)).toThrow(MarshalError);
    },
  );

  test('throws a MarshalError instead of overflowing the stack if a result is nested too deeply', () => {
    expect(() => encodeJsonText(`${'['.repeat(100_000)}${']'.repeat(100_000)}`)).toThrow(MarshalError);
  });

  test('encodes JSON text like the value that it represents, and rejects other text', () => {
    const json =
      '[{"id" : 1, "amount" : 5, "name" : "\\u00e9\\r"}, \n {"id" : 2, "amount" : 1.50, "name" : false}]';
    const floats = new Set(['amount']);
    expect(encodeJsonText(json, floats)).toBe(encodeResponse(JSON.parse(json), floats));
    expect(() => encodeJsonText('{bad')).toThrow(MarshalError);
  });

  test('produces results that the npm client decodes', async () => {
    const random = createSeededRandom(12);
    for (let i = 0; i < 200; i++) {
      const result = makeValue(random);
      if (!isLossless(result)) continue;
      expect(toPlain(await decode('deserializeMethodResponse', encodeResponse(result)))).toEqual(
        toPlain(result),
      );
    }
  });

  test.each([[2], ['warning -- UserError\n\nNo <b>']])(
    'produces a fault with code %j that the npm client decodes',
    async (code) => {
      const fault = decode('deserializeMethodResponse', encodeFault(code, 'No & no'));
      await expect(fault).rejects.toMatchObject({ faultCode: code, faultString: 'No & no' });
    },
  );
});

const installedPeer = await findPython('xmlrpc.client', 'python3');

installedPeer.describe("Python's xmlrpc.client", () => {
  const runPython = (script: string, input: string) =>
    execFileSync(installedPeer.module, ['-c', `import json, sys, xmlrpc.client as x\n${script}`], {
      input,
      encoding: 'utf8',
      env: { ...process.env, PYTHONIOENCODING: 'utf-8' },
      maxBuffer: 64 * 1024 * 1024,
    });

  test('decodes results and faults', () => {
    const random = createSeededRandom(13);
    const results = [...Array.from({ length: 150 }, () => makeValue(random)), 'a\rb\r\nc', 3e9, '\u0001gone'];
    const script = 'print(json.dumps([x.loads(t)[0][0] for t in json.load(sys.stdin)]))';
    const texts = JSON.stringify(results.map((result) => encodeResponse(result)));
    expect(JSON.parse(runPython(script, texts))).toEqual(toPlain([...results.slice(0, -1), 'gone']));
    const fault = `try: x.loads(sys.stdin.read())\nexcept x.Fault as f: print(json.dumps([f.faultCode, f.faultString]))`;
    expect(JSON.parse(runPython(fault, encodeFault(3, 'Access Denied')))).toEqual([3, 'Access Denied']);
  });

  test('decodes integers and floats as different types', () => {
    const xml = encodeResponse({ id: 5, amount: 5, big: 3e9 }, new Set(['amount']));
    const types = runPython(
      'print(json.dumps([type(v).__name__ for v in x.loads(sys.stdin.read())[0][0].values()]))',
      xml,
    );
    expect(JSON.parse(types)).toEqual(['int', 'float', 'float']);
  });

  test('encodes calls that decodeCall accepts', () => {
    const random = createSeededRandom(14);
    const params = Array.from({ length: 150 }, () => makeValue(random));
    const xml = runPython(
      `import datetime
v = tuple(json.load(sys.stdin)) + (None, b"hello", datetime.datetime(2026, 1, 31, 10, 11, 12), 1e300, 1.0)
print(x.dumps(v, "execute_kw", allow_none=True))`,
      JSON.stringify(params),
    );
    const { method, params: ownParams } = decodeCall(xml);
    expect(method).toBe('execute_kw');
    expect(toPlain(ownParams)).toEqual(
      toPlain([...params, null, 'aGVsbG8=', '2026-01-31 10:11:12', 1e300, 1]),
    );
  });
});
