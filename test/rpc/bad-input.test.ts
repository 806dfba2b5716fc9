import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { post, setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';
import { postXml } from '../harness/facades/xmlrpc.ts';

const app = setUpApp();

const countHeld = async () => {
  const { ctx } = app.main;
  const count = async (table: string) =>
    (
      await ctx.db.rows<{ n: number }>(
        sql.given(
          `select count(*)::int as n, max(write_date) as last from ${table} where workspace_id = $1`,
          [ctx.workspace.id],
        ),
      )
    )[0];
  return [
    await count('res_partner'),
    await count('res_users'),
    await count('res_company'),
    await count('res_groups'),
  ];
};
let before: unknown;
beforeEach(async () => {
  before = await countHeld();
});
afterEach(async () => {
  expect(await countHeld()).toEqual(before);
  expect((await fetch(`${app.url}/api/ready`)).status).toBe(200);
});

const KEY = () => app.main.admin.key;
const buildNested = (open: string, close: string, levels: number) =>
  open.repeat(levels) + close.repeat(levels);
const buildCall = (inner: string) =>
  `<?xml version="1.0"?><methodCall><methodName>execute_kw</methodName><params><param><value>${inner}</value></param></params></methodCall>`;

/** Only authenticated callers may send large bodies. */
const ofAdmin = (inner: string) =>
  buildCall(`${['main', app.main.admin.id, KEY()].join('</value></param><param><value>')}</value></param>
<param><value>${inner}`);

const BODIES: [string, () => string | Buffer][] = [
  ['nothing', () => ''],
  ['words', () => 'hello'],
  ['another document', () => '<a/>'],
  ['an open element', () => '<methodCall><methodName>version</methodName>'],
  ['crossed elements', () => '<methodCall><methodName>version</params></methodName></methodCall>'],
  ['a missing method', () => '<methodCall><params/></methodCall>'],
  ['JSON', () => '{"method": "version"}'],
  ['an invalid number', () => buildCall('<int>abc</int>')],
  ['an unknown type', () => buildCall('<float>1</float>')],
  ['a huge number', () => buildCall(`<int>${'9'.repeat(5000)}</int>`)],
  ['a control character', () => buildCall('<string>a\u0001b</string>')],
  ['an undeclared entity', () => buildCall('<string>&lol;</string>')],
  [
    'billion laughs',
    () =>
      `<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY a "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY a${i} "${`&a${i || ''};`.repeat(10)}">`).join('')}]>${buildCall('&a8;').slice(21)}`,
  ],
  [
    'an external file',
    () =>
      `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>${buildCall('&f;').slice(21)}`,
  ],
  ['deep nesting', () => buildCall(buildNested('<array><data><value>', '</value></data></array>', 10_000))],
  ['bytes that are not UTF-8', () => Buffer.from([...Buffer.from('<methodCall><methodName>'), 0xff, 0xfe])],
  ['10 MB of garbage', () => Buffer.alloc(10 * 1024 * 1024, 'garbage <<>> &&& ')],
  ['10 MB of elements', () => ofAdmin(`<array><data>${'<value/>'.repeat(1_300_000)}</data></array>`)],
];

describe('XML-RPC', () => {
  test.each(BODIES)('returns fault 1 with a short message for %s', async (_what, body) => {
    const response = await postXml(`${app.url}/xmlrpc/2/object`, Buffer.from(body()));
    expect(response.status).toBe(200);
    expect(response.fault?.faultCode).toBe(1);
    expect(response.fault?.faultString).toMatch(/^xml\.parsers\.expat\.ExpatError: ./);
    expect(response.fault!.faultString.length).toBeLessThan(300);
    expect(response.text).not.toMatch(/root:|lollol|node_modules/);
  });

  test.each(['/xmlrpc/2/common', '/xmlrpc/2/db', '/xmlrpc/2/nosuch', '/xmlrpc/common'])(
    '%s accepts only small bodies',
    async (path) => {
      const response = await postXml(`${app.url}${path}`, Buffer.alloc(2 * 1024 * 1024, ' '));
      expect(response.status).toBe(413);
      expect(response.fault?.faultString ?? response.text).toMatch(/larger than 1048576 bytes/);
    },
  );

  test('rejects a body whose Content-Length exceeds the limit', async () => {
    const { request } = await import('node:http');
    const response = await new Promise<number | undefined>((resolve, reject) => {
      const headers = { 'content-length': 140 * 1024 * 1024, 'content-type': 'text/xml' };
      const sentRequest = request(
        { port: app.port, host: '127.0.0.1', path: '/xmlrpc/2/object', method: 'POST', headers },
        (got) => {
          resolve(got.statusCode);
          sentRequest.destroy();
        },
      );
      sentRequest.on('error', reject).flushHeaders();
    });
    expect(response).toBe(413);
  });
});

const WRONG: unknown[] = [
  true,
  5,
  -1,
  1.5,
  'x',
  '',
  [],
  [[]],
  [1, 'x'],
  {},
  { a: 1 },
  [null],
  [{}],
  [[['name', '=', { a: [1] }]]],
];
const METHODS: [string, string[]][] = [
  ['search', ['domain', 'offset', 'limit', 'order']],
  ['search_read', ['domain', 'fields', 'offset', 'limit', 'order', 'load']],
  ['search_count', ['domain', 'limit']],
  ['read', ['ids', 'fields', 'load']],
  ['name_search', ['name', 'domain', 'operator', 'limit']],
  ['fields_get', ['allfields', 'attributes']],
  ['default_get', ['fields']],
  ['has_access', ['ids', 'operation']],
  ['check_access_rights', ['operation', 'raise_exception']],
];
const NEEDED: Record<string, Record<string, unknown>> = {
  search: { domain: [] },
  search_count: { domain: [] },
  default_get: { fields: [] },
  has_access: { operation: 'read' },
  check_access_rights: { operation: 'read' },
};

describe('invalid argument values', () => {
  test.each(METHODS)('never cause an unexpected failure over JSON in %s', async (method, names) => {
    for (const name of names) {
      for (const invalid of WRONG) {
        const answer = await json2(
          app,
          `res.partner/${method}`,
          { ...NEEDED[method], [name]: invalid },
          KEY(),
        );
        const label = `${method} ${name}=${JSON.stringify(invalid)}: ${answer.text.slice(0, 200)}`;
        expect([200, 403, 404, 422], label).toContain(answer.status);
        if (answer.status !== 200) expect(answer.json().message.length, label).toBeGreaterThan(5);
      }
    }
  });

  test('change nothing in methods that write', async () => {
    const vals = WRONG.map((invalid) => ({ vals_list: invalid })).filter(
      ({ vals_list: list }) => JSON.stringify(list) !== '[]',
    );
    for (const body of vals) {
      const answer = await json2(app, 'res.partner/create', body, KEY());
      expect(answer.status, JSON.stringify(body)).toBe(422);
    }
    for (const invalid of WRONG) {
      const write = await json2(app, 'res.partner/write', { ids: [999_999], vals: invalid }, KEY());
      expect([404, 422], JSON.stringify(invalid)).toContain(write.status);
      const unlink = await json2(app, 'res.partner/unlink', { ids: [invalid, 999_999] }, KEY());
      expect([404, 422], JSON.stringify(invalid)).toContain(unlink.status);
    }
  });

  test('return a fault with a code over XML-RPC and JSON-RPC', async () => {
    const validArgs = ['main', app.main.admin.id, KEY(), 'res.partner', 'search', [[]], {}];
    for (let index = 0; index < validArgs.length; index++) {
      for (const invalid of [5, 'x', [1], { a: 1 }, false]) {
        const params = validArgs.with(index, invalid as never);
        const { fault, value } = await postXml(`${app.url}/xmlrpc/2/object`, 'execute_kw', params);
        const label = `argument ${index} = ${JSON.stringify(invalid)}`;
        if (fault) expect([1, 2, 3, 4], label).toContain(fault.faultCode);
        else expect(value, label).toEqual(expect.any(Array));
        const body = { params: { service: 'object', method: 'execute_kw', args: params } };
        const response = (await post(`${app.url}/jsonrpc`, body)).json();
        expect(Boolean(response.error), label).toBe(Boolean(fault));
        // Successful sign-ins reset the pause that failures cause.
        await postXml(`${app.url}/xmlrpc/2/common`, 'login', ['main', 'admin', KEY()]);
      }
    }
  });
});

describe('unusual JSON', () => {
  const search = (body: string) => json2(app, 'res.partner/search', body, KEY());

  test.each<[string, string, number]>([
    ['nested deeply', `{"domain": ${buildNested('[', ']', 200_000)}}`, 422],
    ['nested deeply in a value', `{"domain": [["name", "=", ${buildNested('[', ']', 5_000)}]]}`, 422],
    [
      'nested deeply in a context',
      `{"domain": [], "context": ${buildNested('{"a":', '}', 5_000).replace(/:}/, ':1}')}}`,
      422,
    ],
    ['with a prototype', '{"domain": [], "__proto__": {"model": "res.users"}}', 422],
    ['with a constructor', '{"domain": [["constructor", "=", 1]]}', 422],
    ['with 10 MB of text', JSON.stringify({ domain: [['name', '=', 'x'.repeat(10 * 1024 * 1024)]] }), 200],
    ['with a long name', JSON.stringify({ domain: [['y'.repeat(1_000_000), '=', 1]] }), 422],
  ])('returns the expected status: %s', async (_what, body, status) => {
    const answer = await search(body);
    expect(answer.status, answer.text.slice(0, 300)).toBe(status);
  });

  test('is truncated in error messages', async () => {
    const answer = await search(JSON.stringify({ domain: [['name', 'foo', 'x'.repeat(1_000_000)]] }));
    expect(answer.status).toBe(422);
    expect(answer.text.length).toBeLessThan(2_000);
    const response = await search(JSON.stringify({ domain: [['y'.repeat(1_000_000), '=', 1]] }));
    expect(response.text.length).toBeLessThan(2_000);
  });

  test('is rejected if it is nested too deeply in a stored value', async () => {
    const answer = await json2(
      app,
      'res.partner/create',
      `{"vals_list": [{"name": ${buildNested('[', ']', 3_000)}}]}`,
      KEY(),
    );
    expect(answer.status).toBe(422);
  });

  test('is rejected in the JSON-RPC envelope', async () => {
    const body = `{"id": ${buildNested('[', ']', 50_000)}, "params": {"service": "object", "method": "execute_kw", "args": ["main", 1, "x", "m", "n", ${buildNested('[', ']', 50_000)}]}}`;
    const answer = await post(`${app.url}/jsonrpc`, body);
    expect(answer.status).toBe(200);
    expect(answer.json().error.data.name).toBe('odoo.exceptions.AccessDenied');
  });
});

test.each([
  ['search_read', [[]], { fields: 'name' }],
  ['read', [[1]], { fields: 'name' }],
  ['fields_get', [], { allfields: 'name' }],
  ['fields_get', [], { attributes: 'type' }],
  ['default_get', ['name'], {}],
  ['export_data', [[1], 'name'], {}],
  ['formatted_read_group', [[], ['type'], '__count'], {}],
  ['load', [['name'], [['One', 'and more']]], {}],
  ['load', ['name', [['One']]], {}],
  ['create', ['name'], {}],
  ['write', [[1], 'name'], {}],
])(
  '%s rejects text in place of a list, and rows with too many values: %j %j',
  async (method, args, keywords) => {
    const count = () => json2(app, 'res.partner/search_count', { domain: [] }, KEY());
    const before = (await count()).json();
    const params = {
      service: 'object',
      method: 'execute_kw',
      args: ['main', app.main.admin.id, KEY(), 'res.partner', method, args, keywords],
    };
    const answer = await post(`${app.url}/jsonrpc`, { jsonrpc: '2.0', method: 'call', params, id: 1 });
    expect(answer.json()).toMatchObject({ error: { data: { name: 'builtins.ValueError' } } });
    expect((await count()).json()).toBe(before);
  },
);

test.each<[string, unknown, boolean]>([
  ['text', '{}', false],
  ['a number', 5, false],
  ['true', true, false],
  ['a list of values', [1], false],
  ['a language that is a number', { lang: 5 }, false],
  ['a time zone that is a number', { tz: 5 }, false],
  ['a language that is a list', { lang: ['en_US'] }, false],
  ['an empty list', [], true],
  ['an empty text', '', true],
  ['an object', { lang: 'en_US' }, true],
  ['false', false, true],
  ['null', null, true],
])('validates a context that is %s', async (_what, context, isTaken) => {
  const body = { vals_list: [{ name: '' }], context };
  const response = await json2(app, 'res.country/search', { domain: [], context }, KEY());
  expect(response.status).toBe(isTaken ? 200 : 422);
  if (!isTaken) expect((await json2(app, 'res.partner/create', body, KEY())).status).toBe(422);
  const args = ['main', app.main.admin.id, KEY(), 'res.country', 'search', [[]], { context }];
  const params = { service: 'object', method: 'execute_kw', args };
  const answer = await post(`${app.url}/jsonrpc`, { jsonrpc: '2.0', method: 'call', params, id: 1 });
  expect('result' in answer.json()).toBe(isTaken);
});
