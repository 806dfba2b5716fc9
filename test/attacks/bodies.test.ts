import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { MAX_JSON_DEPTH } from '../../src/json-parse.ts';
import { limits } from '../../src/limits.ts';
import { post, startApp } from '../harness/app.ts';
import { MAX_BLOCK_MS, measureBestRun } from '../harness/cpu.ts';
import { sendRequest } from '../harness/facades/graphql.ts';
import { json2 } from '../harness/facades/json2.ts';
import { switchMcp } from '../harness/facades/mcp.ts';
import { setUp } from '../harness/set-up.ts';
import { until } from '../harness/wait.ts';

// Limits on what an unauthenticated client can make the process read, store and parse, and on how long an authenticated
// caller can block it.

const MiB = 1024 * 1024;
const app = setUp(() => startApp({ LOG_LEVEL: 'info' }, (line) => logged.push(JSON.parse(line))));
const sockets: Socket[] = [];
const logged: { level: number; msg: string; path?: string }[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/**
 * Sends the head of a request and the beginning of its body.
 * @returns the first bytes of the response, or '' if none exists
 */
async function startRequest(
  path: string,
  announced: number,
  beginning: string,
): Promise<() => Promise<string>> {
  const socket = connect(app.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  const type = path.startsWith('/xmlrpc') ? 'text/xml' : 'application/json';
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${announced}\r\n\r\n${beginning}`,
  );
  return async () => String((await Promise.race([once(socket, 'data'), sleep(20_000, [''])]))[0]);
}

const buildJsonCall = (args: unknown[]) => {
  const params = { service: 'object', method: 'execute_kw', args };
  return JSON.stringify({ jsonrpc: '2.0', method: 'call', params }).slice(0, -3);
};

const buildXmlCall = (values: unknown[]) =>
  `<?xml version="1.0"?><methodCall><methodName>execute_kw</methodName><params>${values
    .map(
      (value) => `<param><value>${typeof value === 'number' ? `<int>${value}</int>` : value}</value></param>`,
    )
    .join('')}`;

const call = (key: string) => ['main', app.main.admin.id, key, 'res.partner', 'search_count'];
const WRONG = `uk_aaaaaaaaaa_${'0'.repeat(32)}`;

describe('authentication within the first kilobytes of a large body', () => {
  test('rejects JSON whose first kilobytes have no credential, before the rest is sent', async () => {
    const answer = await startRequest('/jsonrpc', 60 * MiB, `{"params":{"args":[${'[],'.repeat(10_000)}`);
    expect(await answer()).toMatch(/^HTTP\/1.1 413 [\s\S]*1048576 bytes/);
  });

  test('rejects XML whose first kilobytes have no credential, before the rest is sent', async () => {
    const beginning = `<methodCall><methodName>execute_kw</methodName>${'\r'.repeat(40_000)}`;
    const answer = await startRequest('/xmlrpc/2/object', 60 * MiB, beginning);
    expect(await answer()).toMatch(/^HTTP\/1.1 413 /);
  });

  test('rejects a wrong credential before the rest is sent', async () => {
    const filling = ' '.repeat(40_000);
    const json = await startRequest('/jsonrpc', 60 * MiB, `${buildJsonCall(call(WRONG))},[${filling}`);
    expect(await json()).toMatch(/^HTTP\/1.1 200 [\s\S]*Access Denied/);
    const xml = await startRequest('/xmlrpc/2/object', 60 * MiB, `${buildXmlCall(call(WRONG))}${filling}`);
    expect(await xml()).toMatch(/^HTTP\/1.1 200 [\s\S]*Access Denied/);
  });

  test('accepts a valid credential in any member order', async () => {
    const { key, id } = app.main.admin;
    const filling = 'x'.repeat(2 * MiB);
    const args = ['main', id, key, 'res.partner', 'search_count', [[['name', '=', filling]]]];
    for (const params of [
      { service: 'object', method: 'execute_kw', args },
      { args, method: 'execute_kw', service: 'object' },
    ]) {
      const answer = await post(`${app.url}/jsonrpc`, { jsonrpc: '2.0', id: 7, params });
      expect(answer.json()).toEqual({ jsonrpc: '2.0', id: 7, result: 0 });
    }
    const domain = `<array><data><value>${list(list('name', '=', filling))}</value></data></array>`;
    const xml = `${buildXmlCall(call(key))}<param><value>${domain}</value></param></params></methodCall>`;
    const response = await fetch(`${app.url}/xmlrpc/2/object`, { method: 'POST', body: xml });
    expect(await response.text()).toMatch(/<int>0<\/int>/);
  });

  test('uses the last credential if the body contains several', async () => {
    const { key } = app.main.admin;
    const filling = 'x'.repeat(2 * MiB);
    const buildParams = (args: unknown[]) =>
      `"params":${JSON.stringify({ service: 'object', method: 'execute_kw', args })}`;
    const body = `{${buildParams([...call(key), [[]]])},"x":"${filling}",${buildParams([...call(WRONG), [[]]])}}`;
    expect((await post(`${app.url}/jsonrpc`, body)).json().error.data.message).toMatch(/Access Denied/);
  });

  test.each(['/web/session/authenticate', '/xmlrpc/2/common', '/web/dataset/call_kw', '/graphql'])(
    '%s reads no more than a megabyte from an unauthenticated client',
    async (path) => {
      const answer = await startRequest(path, 3 * MiB, '{}');
      expect(await answer()).toMatch(/^HTTP\/1.1 413 /);
    },
  );
});

const list = (...items: string[]): string =>
  `<array><data>${items.map((item) => `<value>${item}</value>`).join('')}</data></array>`;

describe('the memory budget of unauthenticated clients', () => {
  test('limits unauthenticated clients to a small budget of their own', async () => {
    const filling = `{"x":"${'x'.repeat(900 * 1024)}`;
    const senders = Array.from({ length: 20 }, () => startRequest('/web/session/authenticate', MiB, filling));
    const response = await Promise.race((await Promise.all(senders)).map((answer) => answer()));
    expect(response).toMatch(/^HTTP\/1.1 503 [\s\S]*retry-after: 1[\s\S]*Too many large requests/);
    const { key, id } = app.main.admin;
    expect(
      (await json2(app, 'res.partner/search_count', `${' '.repeat(2 * MiB)}{"domain":[]}`, key)).status,
    ).toBe(200);
    const args = ['main', id, key, 'res.partner', 'search_count', [[['name', '=', 'x'.repeat(MiB)]]]];
    const rpc = await post(`${app.url}/jsonrpc`, {
      params: { service: 'object', method: 'execute_kw', args },
    });
    expect(rpc.json().result).toBe(0);
  });

  test('aborts a body that arrives too slowly', async () => {
    const grace = vi.spyOn(limits.http, 'bodyGrace', 'get').mockReturnValue(300 as never);
    try {
      for (const path of ['/login', '/jsonrpc', '/xmlrpc/2/object', '/web/session/authenticate']) {
        const answer = await startRequest(path, 900 * 1024, '{"params":');
        expect(await answer(), path).toMatch(/^HTTP\/1.1 (408|413) /);
      }
    } finally {
      grace.mockRestore();
    }
  });
});

describe('a large body from an authenticated caller', () => {
  const search = (body: string) => json2(app, 'res.partner/search_count', body, app.main.admin.key);

  test('may contain a limited number of values', async () => {
    const answer = await search(`{"domain":[${'[],'.repeat(limits.http.values)}0]}`);
    expect([answer.status, answer.json().message]).toEqual([
      413,
      `The body has more than ${limits.http.values} values. Send them in several requests.`,
    ]);
    const rest = await post(
      `${app.url}/api/v1/emails`,
      `[${'{},'.repeat(limits.http.values)}0]`,
      app.main.teamKey,
    );
    expect([rest.status, rest.json().error.code]).toEqual([413, 'BAD_REQUEST']);
  });

  test('has a limited nesting depth', async () => {
    const depth = limits.http.largeBody;
    const answer = await search(`{"domain":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect([answer.status, answer.json().message]).toEqual([
      422,
      `The body is nested more than ${MAX_JSON_DEPTH} levels deep.`,
    ]);
  });

  test('results in the usual error messages if it is invalid', async () => {
    const fillingText = ' '.repeat(limits.http.largeBody);
    expect((await search(`${fillingText}{"domain":`)).json().message).toMatch(
      /could not parse the body as json/,
    );
    const postEmails = (body: string | Uint8Array<ArrayBuffer>) =>
      fetch(`${app.url}/api/v1/emails`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${app.main.teamKey}` },
        body,
      }).then(async (response) => `${response.status} ${await response.text()}`);
    expect(await postEmails(new Uint8Array(limits.http.largeBody + 1).fill(0xff))).toMatch(
      /^400 .*not UTF-8/,
    );
    expect(await postEmails(`${fillingText}{`)).toMatch(/^400 .*Malformed JSON/);
  });

  test.each([
    ['ids', { ids: Array.from({ length: 400_000 }, (_, index) => index), fields: ['name'] }],
    ['field names', { ids: [1], fields: Array.from({ length: 400_000 }, () => 'name') }],
  ])('with too many %s is rejected without blocking the event loop', async (_, body) => {
    const text = JSON.stringify(body);
    const ms = await measureBestRun(async () =>
      expect((await json2(app, 'res.partner/read', text, app.main.admin.key)).status).toBe(422),
    );
    expect(ms).toBeLessThan(MAX_BLOCK_MS);
  });

  test('is received unchanged', async () => {
    const names = Array.from({ length: 3_000 }, (_, index) => `name ${index} ${'é"\\'.repeat(30)}`);
    const created = await json2(
      app,
      'res.partner/create',
      { vals_list: names.map((name) => ({ name, comment: false })), context: { lang: 'en_US' } },
      app.main.admin.key,
    );
    const ids = created.json() as number[];
    const response = await json2(app, 'res.partner/read', { ids, fields: ['name'] }, app.main.admin.key);
    expect((response.json() as { name: string }[]).map(({ name }) => name)).toEqual(names);
  });
});

describe('an object with many keys', () => {
  const { objectKeys, extraKeys } = limits.http;
  const MAX_KEYS = objectKeys + extraKeys;
  const buildObject = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, i) => [`k${i}`, 1]));
  const buildRpcParams = (values: unknown) => {
    const { id, key } = app.main.admin;
    return {
      service: 'object',
      method: 'execute_kw',
      args: ['main', id, key, 'res.partner', 'create', [values]],
    };
  };
  const buildToolCall = (values: unknown) => ({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 'create', arguments: { model: 'res.partner', values } },
  });
  const query = 'mutation ($v: JSON!) { recordCreate(model: "res.partner", valsList: $v) }';
  const search = 'query ($v: PartnerWhere) { partners(where: $v) { nodes { id } } }';
  const requests: [string, (values: unknown) => object][] = [
    ['/json/2/res.partner/create', (values) => ({ vals_list: values })],
    ['/json/2/res.partner/search_count', (values) => ({ domain: [], ...(values as object[])[0] })],
    ['/jsonrpc', (values) => ({ jsonrpc: '2.0', params: buildRpcParams(values) })],
    ['/graphql', (values) => ({ query, variables: { v: values } })],
    ['/graphql', (values) => ({ query: search, variables: { v: (values as object[])[0] } })],
    ['/mcp', buildToolCall],
    ['/api/v1/emails', (values) => ({ to: 'a@b.example', variables: (values as object[])[0] })],
  ];
  const send = (path: string, body: string) =>
    post(`${app.url}${path}`, body, path.startsWith('/api/') ? app.main.teamKey : app.main.admin.key);

  beforeAll(() => switchMcp(app, app.main, true));
  afterAll(() => switchMcp(app, app.main, false));

  test.each(requests)('is rejected by %s, in a small and in a large body', async (path, build) => {
    for (const count of [MAX_KEYS + 1, 40_000]) {
      const body = JSON.stringify(build([buildObject(count)]));
      expect(body.length > limits.http.largeBody).toBe(count === 40_000);
      const answer = await send(path, body);
      expect([answer.status, answer.text]).toEqual([
        413,
        expect.stringContaining(`more than ${extraKeys} keys beyond the first ${objectKeys} of each. Split`),
      ]);
    }
  });

  test('is rejected by XML-RPC', async () => {
    const member = (_: unknown, i: number) =>
      `<member><name>k${i}</name><value><int>1</int></value></member>`;
    const members = Array.from({ length: MAX_KEYS + 1 }, member).join('');
    const body = `${buildXmlCall([...call(app.main.admin.key), list(`<struct>${members}</struct>`)])}</params></methodCall>`;
    const response = await fetch(`${app.url}/xmlrpc/2/object`, { method: 'POST', body });
    expect(await response.text()).toContain(
      `more than ${extraKeys} members beyond the first ${objectKeys} of each`,
    );
  });

  test('counts toward the limit on all large objects in the body', async () => {
    const body = JSON.stringify({ vals_list: [buildObject(MAX_KEYS - 10), buildObject(objectKeys + 20)] });
    expect((await send('/json/2/res.partner/create', body)).status).toBe(413);
  });

  test.each(requests)('within the limit does not block %s', async (path, build) => {
    const objects = [
      buildObject(MAX_KEYS - 20),
      ...Array.from({ length: 300 }, () => buildObject(objectKeys)),
    ];
    const body = JSON.stringify(build(objects));
    const ms = await measureBestRun(async () => expect((await send(path, body)).status).not.toBe(413));
    expect(ms).toBeLessThan(MAX_BLOCK_MS);
  });
});

describe('errors caused by unauthenticated clients', () => {
  const FACADES = [
    ...[
      '/graphql',
      '/mcp',
      '/jsonrpc',
      '/json/2/res.partner/search',
      '/xmlrpc/2/common',
      '/login',
      '/logout',
    ],
    ...['/web/session/authenticate', '/unsubscribe', '/subscribe', '/invitation', '/oauth/register'],
    ...[
      '/oauth/token',
      '/oauth/revoke',
      '/oauth/authorize',
      '/api/v1/emails',
      '/mail/inbound',
      '/web/uploads',
    ],
    ...['/mail/inbound/ses', '/api/ses_callback', '/mail/attachments', '/email/preview', '/calendar/answer'],
    ...[
      '/helpdesk/ticket',
      '/doc/call/res.partner/read',
      '/website/form/crm.lead',
      '/api/unsubscribe-oneclick',
    ],
    ...[
      '/web/dataset/call_kw',
      '/app',
      '/%',
      '/%ff%00',
      '/site/main/%c3%28',
      '/doc/%.json',
      '/oauth/register/%',
    ],
    ...['/calendar/feed/%ff/%/calendar.ics', '/web/image/%ff', '/email/image/%/%', '/mail/image/%ff'],
  ];
  /** Builds incomplete requests with bodies of each size class. */
  const buildHeads = (path: string): string[] =>
    ['', `Authorization: Bearer ${app.main.admin.key}\r\n`].flatMap((credential) =>
      [
        ...['application/json', 'application/x-www-form-urlencoded', 'nonsense; ='].map(
          (type) => `Content-Type: ${type}\r\nContent-Length: 100\r\n\r\n{"a`,
        ),
        `Content-Length: 900000\r\n\r\n${'x'.repeat(40_000)}`,
        'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
      ].map((rest) => `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${app.port}\r\n${credential}${rest}`),
    );

  test('logs no errors for aborted requests and malformed URLs', async () => {
    await switchMcp(app, app.main, true);
    const before = logged.length;
    const requests = FACADES.flatMap(buildHeads);
    for (const head of requests) {
      const socket = connect(app.port, '127.0.0.1');
      socket.on('error', () => undefined);
      await once(socket, 'connect');
      await new Promise((resolve) => socket.write(head, resolve));
      socket.resetAndDestroy();
    }
    for (const path of FACADES) await sendRequest(app, 'GET', path);
    const countRequests = () => logged.slice(before).filter(({ msg }) => msg === 'request').length;
    await until(() => countRequests() >= requests.length, 'each is answered');
    const errors = logged.filter(({ level }) => level >= 50);
    expect(errors.map(({ msg, ...rest }) => `${msg} ${JSON.stringify(rest).slice(0, 400)}`)).toEqual([]);
  });
});
