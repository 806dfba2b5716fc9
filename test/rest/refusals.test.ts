import { request as httpRequest } from 'node:http';
import { beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { buildExpectedEnvelope, buildMail, setUpTeam } from '../harness/facades/rest.ts';

const team = setUpTeam();
beforeAll(async () => {
  await team.main.ctx.db.rows(
    sql`insert into svc_domain (id, workspace_id, name, region, status) values (nextval('svc_domain_id_seq'), ${team.main.ctx.workspace.id}, 'pending.test', 'local', 'PENDING')`,
  );
});

const buildFiles = (change: object) => [{ filename: 'a.txt', content: 'aGVsbG8=', ...change }];
const buildPeople = (n: number) => Array.from({ length: n }, (_, i) => `p${i}@example.net`);

const sends: [string, unknown, RegExp][] = [
  ['without recipient', buildMail({ to: undefined }), /to/],
  ['with an empty list of recipients', buildMail({ to: [] }), /recipient/],
  ['with 51 recipients', buildMail({ to: buildPeople(51) }), /50/],
  ['to a number', buildMail({ to: 5 }), /to/],
  ['to a list with null', buildMail({ to: [null] }), /to/],
  ['to an invalid address', buildMail({ to: 'nobody' }), /to/],
  ['with an invalid copy', buildMail({ cc: ['ok@example.net', 'a b@example.net'] }), /cc/],
  ['without sender', buildMail({ from: undefined }), /from/],
  ['from an invalid address', buildMail({ from: 'Main Team' }), /from/],
  ["from another team's domain", buildMail({ from: 'a@unknown.test' }), /unknown\.test/],
  ['from an unverified domain', buildMail({ from: 'a@pending.test' }), /verified/],
  ['from a subdomain of a verified domain', buildMail({ from: 'a@sub.main.test' }), /sub\.main\.test/],
  ['with a line break in the subject', buildMail({ subject: 'a\r\nBcc: evil@example.net' }), /subject/],
  ['with a line feed in the subject', buildMail({ subject: 'a\nb' }), /subject/],
  ['with a subject of 999 characters', buildMail({ subject: 's'.repeat(999) }), /subject/],
  ['with an empty subject', buildMail({ subject: '' }), /subject/],
  ['with a number as the subject', buildMail({ subject: 7 }), /subject/],
  [
    'with a line break in the sender',
    buildMail({ from: 'A\r\nBcc: evil@example.net <hello@main.test>' }),
    /from/,
  ],
  ['with a line break in the recipient', buildMail({ to: 'a@example.net\r\nBcc: evil@example.net' }), /to/],
  [
    'with a line break in a header value',
    buildMail({ headers: { 'X-A': 'b\r\nBcc: evil@example.net' } }),
    /headers/,
  ],
  [
    'with a line break in a header name',
    buildMail({ headers: { 'X-A: b\r\nBcc': 'evil@example.net' } }),
    /headers/,
  ],
  ['with a header that has a separate field', buildMail({ headers: { Bcc: 'evil@example.net' } }), /headers/],
  ['with a header that is not a string', buildMail({ headers: { 'X-A': 5 } }), /headers/],
  ['with headers that are a list', buildMail({ headers: ['X-A'] }), /headers/],
  [
    'with a line break in a filename',
    buildMail({ attachments: buildFiles({ filename: 'a\r\nX: y.txt' }) }),
    /filename/,
  ],
  [
    'with an attachment that is not base64',
    buildMail({ attachments: buildFiles({ content: '<>' }) }),
    /base64/,
  ],
  ['with an attachment without content', buildMail({ attachments: [{ filename: 'a' }] }), /attachments/],
  [
    'with a filename of 256 characters',
    buildMail({ attachments: buildFiles({ filename: 'f'.repeat(256) }) }),
    /filename/,
  ],
  ['with 29 MB of HTML', buildMail({ html: 'x'.repeat(29 * 1024 * 1024) }), /must be at most/],
  [
    'with 5 MB of spaces before invalid base64',
    buildMail({ attachments: buildFiles({ content: `A${' '.repeat(5e6)}<` }) }),
    /base64/,
  ],
  ['with 11 attachments', buildMail({ attachments: Array(11).fill(buildFiles({})[0]) }), /attachments/],
  ['with neither text nor html', buildMail({ html: undefined }), /text or html/],
  ['with an object as html', buildMail({ html: {} }), /html/],
  ['with variables that are a list', buildMail({ variables: [] }), /variables/],
  ['with an invalid date', buildMail({ scheduledAt: 'tomorrow' }), /scheduledAt/],
  ['with a day that does not exist', buildMail({ scheduledAt: '2099-02-31T00:00:00Z' }), /scheduledAt/],
  ['with a time after the year 9999', buildMail({ scheduledAt: '9999-12-31T23:59:59-12:00' }), /scheduledAt/],
  ['with a time before the year 1', buildMail({ scheduledAt: '0000-12-31' }), /scheduledAt/],
  ['with a NUL character in the body', buildMail({ html: 'a\u0000b' }), /NUL/],
  ['that is null', 'null', /object/],
  ['that is a list', [buildMail()], /object/],
  ['that is a string', '"text"', /object/],
];

test.each(sends)('rejects a send %s with BAD_REQUEST and the reason', async (_case, body, reason) => {
  const before = await team.countWritten();
  const { status, json } = await team.send(body);
  expect(status).toBe(400);
  expect(json).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
  expect(json.error.message).toMatch(reason);
  expect(await team.countWritten()).toBe(before);
});

const bodies: [string, string | Uint8Array, string, RegExp][] = [
  ['malformed JSON', '{"to":', 'application/json', /malformed JSON/i],
  ['an empty body with a JSON content type', '', 'application/json', /empty/],
  ['bytes that are not UTF-8', Uint8Array.from([0x7b, 0xff, 0x7d]), 'application/json', /UTF-8/],
  ['a form', 'to=a&from=b', 'application/x-www-form-urlencoded', /application\/json/],
  ['JSON with a text content type', JSON.stringify(buildMail()), 'text/plain', /application\/json/],
  ['10 MB that are not JSON', 'x'.repeat(10 * 1024 * 1024), 'application/json', /malformed JSON/i],
];

test.each(bodies)('rejects %s with BAD_REQUEST and the reason', async (_case, body, type, reason) => {
  const before = await team.countWritten();
  const { status, json } = await team.ask('POST', '/api/v1/emails', {
    body,
    headers: { 'content-type': type },
  });
  expect(status).toBe(400);
  expect(json).toEqual(buildExpectedEnvelope('BAD_REQUEST'));
  expect(json.error.message).toMatch(reason);
  expect(await team.countWritten()).toBe(before);
});

test.each(['application/json; charset=utf-8', 'application/vnd.api+json', 'APPLICATION/JSON'])(
  'accepts the content type %s as JSON',
  async (type) => {
    expect((await team.send(buildMail(), { 'content-type': type })).status).toBe(200);
  },
);

test('returns 413 for a body over the limit, with or without a Content-Length header', async () => {
  const before = await team.countWritten();
  expect(await sendOversized({ 'content-length': String(41 * 1024 * 1024) }, 0)).toEqual([
    413,
    buildExpectedEnvelope('BAD_REQUEST'),
  ]);
  expect(await sendOversized({ 'transfer-encoding': 'chunked' }, 41)).toEqual([
    413,
    buildExpectedEnvelope('BAD_REQUEST'),
  ]);
  expect(await team.countWritten()).toBe(before);
});

function sendOversized(
  headers: Record<string, string>,
  megabytes: number,
): Promise<[number | undefined, unknown]> {
  return new Promise((resolve, reject) => {
    const options = {
      method: 'POST',
      headers: {
        ...headers,
        authorization: `Bearer ${team.main.teamKey}`,
        'content-type': 'application/json',
      },
    };
    const request = httpRequest(`${team.url}/api/v1/emails`, options, (response) => {
      let text = '';
      response.on('data', (part) => {
        text += part;
      });
      response.on('end', () => {
        resolve([response.statusCode, JSON.parse(text)]);
        request.destroy();
      });
    });
    request.on('error', reject);
    request.flushHeaders();
    for (let i = 0; i < megabytes; i++) request.write(Buffer.alloc(1024 * 1024, ' '));
  });
}

test('returns 404 as JSON for an unknown path, and 405 with the allowed methods for other methods', async () => {
  for (const path of ['/api/v1', '/api/v1/nothing', '/api/v1/emails/a/b', '/api/v1/v1/nothing']) {
    const { status, json, headers } = await team.ask('GET', path);
    expect(status).toBe(404);
    expect(json).toEqual(buildExpectedEnvelope('NOT_FOUND'));
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  }
  for (const [method, path, allowed] of [
    ['DELETE', '/api/v1/emails', 'POST, GET'],
    ['PUT', '/api/v1/emails/batch', 'POST'],
    ['PUT', '/api/v1/domains', 'GET, POST'],
    ['POST', '/api/v1/doc', 'GET'],
  ] as const) {
    const { status, json, headers } = await team.ask(method, path, { body: {} });
    expect([status, headers.get('allow')], `${method} ${path}`).toEqual([405, allowed]);
    expect(json).toEqual(buildExpectedEnvelope('METHOD_NOT_ALLOWED'));
    expect(headers.get('content-type')).toMatch(/^application\/json/);
  }
});

test('an unexpected failure returns 500 INTERNAL_SERVER_ERROR with only a request id, which is logged', async () => {
  await team.runtime.db.pool.query('alter table svc_suppression rename to gone');
  try {
    const { status, json, headers } = await team.send(buildMail());
    expect(status).toBe(500);
    expect(json).toEqual(buildExpectedEnvelope('INTERNAL_SERVER_ERROR'));
    expect(json.error.message).not.toMatch(/svc_|relation|select/i);
    expect(json.error.message).toContain(headers.get('x-request-id'));
  } finally {
    await team.runtime.db.pool.query('alter table gone rename to svc_suppression');
  }
});

test("returns x-request-id in every response, and repeats the client's value if it is well-formed", async () => {
  const id = 'client-id-0123';
  for (const [method, path, key] of [
    ['GET', '/api/v1/emails', undefined],
    ['GET', '/api/v1/emails', null],
    ['GET', '/api/v1/nothing', undefined],
    ['PUT', '/api/v1/doc', null],
    ['GET', '/api/v1/doc', null],
    ['GET', '/api/v1/ui', null],
  ] as const) {
    expect(
      (await team.ask(method, path, { key, headers: { 'x-request-id': id } })).headers.get('x-request-id'),
    ).toBe(id);
    expect((await team.ask(method, path, { key })).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});
