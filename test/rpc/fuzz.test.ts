import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RpcParseError } from '../../facades/rpc/faults.ts';
import { decodeCall } from '../../facades/rpc/xml/decode.ts';
import { type App, startApp } from '../harness/app.ts';
import { getCpuTime } from '../harness/cpu.ts';
import { clearFailures } from '../harness/facades/rpc.ts';
import { signInWeb } from '../harness/facades/web.ts';
import { createRandomSource, METHODS, type RandomSource } from './random-json.ts';
import { createSeededRandom } from './seeded.ts';

const MIB = 1024 * 1024;
/** Milliseconds of CPU time, because other tests run in parallel. Quadratic behavior would take a minute. */
const SLOWEST = 15_000;

const VALID = [
  '<?xml version="1.0" encoding="UTF-8"?>\n<methodCall><methodName>execute_kw</methodName><params>',
  '<param><value><string>acme &amp; co</string></value></param><param><value><int>2</int></value></param>',
  '<param><value><array><data><value><boolean>1</boolean></value><value><nil/></value></data></array></value></param>',
  '<param><value><struct><member><name>fields</name><value><double>1.5</double></value></member></struct></value></param>',
  '<param><value><dateTime.iso8601>20260131T10:11:12</dateTime.iso8601></value></param>',
  '<param><value><base64>aGVsbG8=</base64></value></param><param><value><![CDATA[<x>]]><!-- c --></value></param>',
  '</params></methodCall>',
].join('');

const SNIPPETS = [
  '<',
  '>',
  '</',
  '<!',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '&',
  ';',
  '&#x110000;',
  '"',
  '=',
];
const TAGS = [
  '<value>',
  '</value>',
  '<struct>',
  '<nil/>',
  '<!DOCTYPE a [',
  '<a b="c" hasOwnProperty="d">',
  '\u0000',
  '\ufeff',
];

function createDraws(seed: number): (limit: number) => number {
  const random = createSeededRandom(seed);
  return (limit) => Math.floor(random() * limit);
}

/** Fails if decoding is slow, or throws an error other than RpcParseError. */
function tryDecode(body: Buffer | string): 'call' | 'refused' {
  const start = getCpuTime();
  try {
    const { method, params } = decodeCall(body);
    expect(typeof method).toBe('string');
    expect(Array.isArray(params)).toBe(true);
    return 'call';
  } catch (error) {
    expect(error).toBeInstanceOf(RpcParseError);
    return 'refused';
  } finally {
    expect(getCpuTime() - start).toBeLessThan(SLOWEST);
  }
}

function mutate(text: string, draw: (limit: number) => number): string {
  let result = text;
  for (let i = draw(4); i >= 0; i--) {
    const at = draw(result.length + 1);
    const cutLength = draw(3) === 0 ? draw(30) : 0;
    const words = draw(2) === 0 ? SNIPPETS : TAGS;
    result =
      result.slice(0, at) + (draw(3) > 0 ? words[draw(words.length)] : '') + result.slice(at + cutLength);
  }
  return result;
}

describe('decoding of malformed bodies', () => {
  test('accepts the original call', () => {
    expect(tryDecode(VALID)).toBe('call');
  });

  test('accepts or rejects 3000 mutations of a call within the time limit', () => {
    const randomBelow = createDraws(21);
    const outcomes = new Set(Array.from({ length: 3000 }, () => tryDecode(mutate(VALID, randomBelow))));
    expect([...outcomes].sort()).toEqual(['call', 'refused']);
  });

  test('rejects every prefix of a call', () => {
    for (let length = 0; length < VALID.length; length++)
      expect(tryDecode(VALID.slice(0, length))).toBe('refused');
  });

  test('rejects 1000 bodies of random bytes', () => {
    const randomBelow = createDraws(22);
    for (let i = 0; i < 1000; i++) {
      const bytes = Buffer.from(Array.from({ length: randomBelow(400) }, () => randomBelow(256)));
      expect(tryDecode(bytes)).toBe('refused');
      tryDecode(Buffer.concat([Buffer.from(VALID.slice(0, randomBelow(VALID.length))), bytes]));
    }
  });

  const start = '<methodCall><methodName>m</methodName><params><param>';
  const laughs = Array.from({ length: 10 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join(
    '',
  );
  test.each([
    ['billion laughs', () => `<!DOCTYPE x [<!ENTITY l0 "ha">${laughs}]>${VALID}`],
    [
      'an external entity',
      () => `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><methodCall>&e;</methodCall>`,
    ],
    ['a declaration of 8 MiB', () => `<methodCall><!${'a'.repeat(8 * MIB)}`],
    ['a declaration of 8 MiB after a space', () => `<methodCall>< \n!${'a'.repeat(8 * MIB)}`],
    ['a declaration behind a false comment', () => `<a b="<!--"/><!${'a'.repeat(8 * MIB)}`],
    ['a declaration behind a false instruction', () => `<?x <!-- ?><methodCall><!${'a'.repeat(8 * MIB)}`],
    ['an unterminated comment', () => `<methodCall><!--${'- -'.repeat(2 * MIB)}`],
    ['unterminated CDATA', () => `${start}<value><![CDATA[${']]'.repeat(2 * MIB)}`],
    ['an unterminated instruction', () => `<?xml ${'?'.repeat(4 * MIB)}`],
    ['an unterminated tag name', () => `<${'a'.repeat(4 * MIB)}`],
    ['an unterminated reference', () => `${start}<value>&${'a'.repeat(4 * MIB)}`],
    ['a huge reference', () => `${start}<value>&#${'9'.repeat(4 * MIB)};</value>`],
    ['an unterminated attribute', () => `<methodCall a="${'b'.repeat(4 * MIB)}`],
    [
      'endless attributes',
      () => `<methodCall ${Array.from({ length: 100_000 }, (_, i) => `a${i}="b"`).join(' ')}>`,
    ],
    ['an attribute named as a method of objects', () => `<methodCall hasOwnProperty="a" b="c"/>`],
    ['arrays nested 200000 deep', () => `${start}${'<value><array><data>'.repeat(200_000)}`],
    ['unknown tags nested 500000 deep', () => '<a>'.repeat(500_000)],
    ['a number of 4 Mi digits', () => `${start}<value><int>${'9'.repeat(4 * MIB)}</int></value>`],
    ['a double of 4 Mi digits', () => `${start}<value><double>${'9'.repeat(4 * MIB)}x</double></value>`],
    [
      'a date of 4 Mi digits',
      () => `${start}<value><dateTime.iso8601>${'1'.repeat(4 * MIB)}</dateTime.iso8601></value>`,
    ],
    ['4 Mi spaces without a root', () => ' '.repeat(4 * MIB)],
    ['4 Mi opening brackets', () => '<'.repeat(4 * MIB)],
    ['more values than allowed', () => `${start}<value><array><data>${'<value/>'.repeat(600_000)}`],
  ])('rejects %s', (_, body) => {
    expect(tryDecode(body())).toBe('refused');
  });

  test('accepts a 16 MiB attachment, and text with 100,000 comments', () => {
    const end = '</param></params></methodCall>';
    expect(tryDecode(`${start}<value><base64>${'QUJD'.repeat(4 * MIB)}</base64></value>${end}`)).toBe('call');
    expect(tryDecode(`${start}<value>${'<!-- -->a'.repeat(100_000)}</value>${end}`)).toBe('call');
  });
});

describe('random calls and bodies', () => {
  let app: App;
  let cookie: string;
  beforeAll(async () => {
    app = await startApp();
    cookie = await signInWeb(app);
  });
  afterAll(() => app?.close());

  const MASKED = /Something went wrong on our side/;

  /** Returns true if the response is a result. */
  async function answer(path: string, type: string, body: Buffer | string): Promise<boolean> {
    const headers = { 'content-type': type, cookie };
    const response = await fetch(`${app.url}${path}`, {
      method: 'POST',
      headers,
      body: new Uint8Array(Buffer.from(body)),
    });
    const text = await response.text();
    const summary = `${path} ${body.toString().slice(0, 600)} -> ${text.slice(0, 300)}`;
    expect(response.status, summary).toBeLessThan(500);
    expect(text, summary).not.toMatch(MASKED);
    if (response.status === 200 && type === 'application/json') expect(() => JSON.parse(text)).not.toThrow();
    return /"result":|<params>/.test(text);
  }

  const MODELS = ['res.partner', 'res.users', 'res.company', 'no.such'];
  const USUAL = { domain: [], fields: ['name'], context: { lang: 'en_US' }, limit: 3, ids: [1] };

  const call = (draw: RandomSource) => ({
    model: draw.pick(MODELS),
    method: draw.pick(METHODS),
    args: Array.from({ length: draw.below(2) && draw.below(4) }, () => draw.value(4)),
    kwargs: Object.fromEntries(
      Array.from({ length: draw.below(3) }, () => {
        const [name, usual] = draw.pick(Object.entries(USUAL));
        return [name, draw.below(2) ? usual : draw.value(3)];
      }),
    ),
  });

  /** Builds a body that is usually valid JSON, so that most bodies reach the method. */
  const buildBody = (draw: RandomSource, value: unknown): Buffer =>
    draw.below(5) ? Buffer.from(JSON.stringify(value)) : draw.body(value);

  const SERVICES = ['object', 'object', 'object', 'object', 'common', 'db'];
  const SESSION = ['authenticate', 'get_session_info', 'check', 'get_lang_list', 'modules'];
  const ROUTES = [
    '/web/dataset/call_kw',
    '/web/dataset/call_button/x/y',
    '/web/database/list',
    '/web/webclient/version_info',
    ...SESSION.map((name) => `/web/session/${name}`),
  ];

  test('never fail unexpectedly as JSON in the web client routes and /jsonrpc', async () => {
    const draw = createRandomSource(31);
    let results = 0;
    const { id, key } = app.main.admin;
    for (let i = 0; i < 300; i++) {
      const params = draw.below(3) ? call(draw) : draw.value(3);
      const path = draw.below(2) ? '/web/dataset/call_kw' : draw.pick(ROUTES);
      const web = buildBody(draw, { jsonrpc: '2.0', id: draw.value(1), params });
      if (await answer(path, 'application/json', web)) results++;
      const { model, method, args, kwargs } = call(draw);
      const object = ['main', id, key, model, method, args, kwargs].map((part) =>
        draw.below(20) ? part : draw.value(2),
      );
      const message = {
        params: { service: draw.pick(SERVICES), method: 'execute_kw', args: object },
      };
      const classic = buildBody(draw, draw.below(8) ? message : draw.value(4));
      if (await answer('/jsonrpc', 'application/json', classic)) results++;
      if (i % 50 === 0) await clearFailures(app);
    }
    expect(results).toBeGreaterThan(30);
  });

  test('never fail unexpectedly as XML in any service', async () => {
    const draw = createRandomSource(32);
    const randomBelow = createDraws(33);
    let results = 0;
    const { id, key } = app.main.admin;
    for (let i = 0; i < 400; i++) {
      const { model, method, args, kwargs } = call(draw);
      const params = ['main', id, key, model, method, args, kwargs].map(
        (part) => `<param><value>${toXml(part)}</value></param>`,
      );
      const text = `<methodCall><methodName>execute_kw</methodName><params>${params.join('')}</params></methodCall>`;
      const path = `${draw.pick(['/xmlrpc/2', '/xmlrpc'])}/${draw.pick([...SERVICES, 'x'])}`;
      if (await answer(path, 'text/xml', draw.below(4) ? text : mutate(text, randomBelow))) results++;
    }
    expect(results).toBeGreaterThan(4);
  });
});

function toXml(value: unknown): string {
  if (value === null) return '<nil/>';
  if (typeof value === 'boolean') return `<boolean>${Number(value)}</boolean>`;
  if (typeof value === 'number')
    return Number.isInteger(value) ? `<int>${value}</int>` : `<double>${value}</double>`;
  if (typeof value === 'string') return `<string>${value.replace(/[&<>]/g, '')}</string>`;
  if (Array.isArray(value))
    return `<array><data>${value.map((item) => `<value>${toXml(item)}</value>`).join('')}</data></array>`;
  const members = Object.entries(value as object).map(
    ([name, inner]) =>
      `<member><name>${name.replace(/[&<>]/g, '')}</name><value>${toXml(inner)}</value></member>`,
  );
  return `<struct>${members.join('')}</struct>`;
}
