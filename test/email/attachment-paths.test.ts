import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { MAX_FETCHING_REQUESTS_PER_WORKSPACE } from '../../schema/email/accept/fetch-attachments.ts';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { buildMail, startTeam, type Team } from '../harness/facades/rest.ts';
import { until } from '../harness/wait.ts';
import { startNameServer } from '../standins/dns.ts';

/** Local address that counts as public. */
const PUBLIC = '127.0.0.2';

vi.mock('../../src/net/public-address.ts', async (original) => {
  const real = await original<typeof import('../../src/net/public-address.ts')>();
  return {
    ...real,
    isPublicAddress: (address: string) => address === '127.0.0.2' || real.isPublicAddress(address),
  };
});

type ResponseHandler = (response: ServerResponse) => void;

const serveFile: ResponseHandler = (response) =>
  response.setHeader('content-type', 'application/pdf').end('%PDF-1');
const redirect =
  (to: string): ResponseHandler =>
  (response) =>
    response.writeHead(302, { location: to }).end('elsewhere');

let results: Record<string, ResponseHandler>;
let requestedPaths: string[];
let askedInside: string[];
let lookUps: number;

let team: Team;
let open: Server;
let inside: Server;
let names: Awaited<ReturnType<typeof startNameServer>>;

const getPort = (server: Server) => (server.address() as AddressInfo).port;
const buildUrl = (path: string, host = 'files.example') => `http://${host}:${getPort(open)}${path}`;

beforeAll(async () => {
  open = createServer((request, response) => {
    requestedPaths.push(request.url!);
    const result = results[request.url!];
    if (result) result(response);
    else response.writeHead(404).end('there is no such file');
  });
  inside = createServer((request, response) => {
    askedInside.push(request.url!);
    response.end('a secret');
  });
  await new Promise<void>((listening) => open.listen(0, PUBLIC, listening));
  await new Promise<void>((listening) => inside.listen(getPort(open), '127.0.0.1', listening));
  const records: Record<string, string[]> = {
    'A files.example': [PUBLIC],
    'A inside.example': ['127.0.0.1'],
    'A mixed.example': [PUBLIC, '127.0.0.1'],
  };
  Object.defineProperty(records, 'A rebound.example', {
    get: () => (lookUps++ === 0 ? [PUBLIC] : ['127.0.0.1']),
  });
  names = await startNameServer(records);
  team = await startTeam({ DNS_SERVERS: names.address });
});
afterAll(async () => {
  await team?.close();
  for (const server of [open, inside]) {
    server?.closeAllConnections();
    server?.close();
  }
  names?.close();
});

const { fetchTime } = limits.email;
beforeEach(() => {
  results = { '/report.pdf': serveFile };
  requestedPaths = [];
  askedInside = [];
  lookUps = 0;
});
afterEach(() => {
  Object.assign(limits.email, { fetchTime });
});

const withPaths = (...paths: string[]) => buildMail({ attachments: paths.map((path) => ({ path })) });

async function loadEmailRow(id: string): Promise<[string, string | undefined, string][]> {
  const attachments = await team.runtime.db.value<
    { filename: string; contentType?: string; content: string }[]
  >(sql`select attachments from svc_email where workspace_id > 0 and public_id = ${id}`);
  return attachments.map(({ filename, contentType, content }) => [
    filename,
    contentType,
    Buffer.from(content, 'base64').toString(),
  ]);
}

async function sendRejected(path: string): Promise<string> {
  const before = await team.countWritten();
  const { status, json } = await team.send(withPaths(path));
  expect([status, json.error?.code]).toEqual([400, 'BAD_REQUEST']);
  expect(await team.countWritten()).toBe(before);
  return json.error.message;
}

test('fetches a file by URL and attaches it under the name in the URL', async () => {
  results['/download'] = serveFile;
  results['/a%2Fb%0A%20c.TXT'] = (response) => response.end('text');
  results['/report.pdf?v=1'] = serveFile;
  const sentResponse = await team.send(
    buildMail({
      attachments: [
        { path: buildUrl('/report.pdf?v=1') },
        { path: buildUrl('/download'), filename: null },
        { path: buildUrl('/download'), filename: 'named.bin', contentType: 'image/png' },
        { path: buildUrl('/a%2Fb%0A%20c.TXT') },
        { filename: 'own.txt', content: Buffer.from('own').toString('base64') },
      ],
    }),
  );
  expect(sentResponse.status).toBe(200);
  expect(await loadEmailRow(sentResponse.json.emailId)).toEqual([
    ['report.pdf', undefined, '%PDF-1'],
    ['download', 'application/pdf', '%PDF-1'],
    ['named.bin', 'image/png', '%PDF-1'],
    ['ab c.TXT', undefined, 'text'],
    ['own.txt', undefined, 'own'],
  ]);
  const delivery = await team.deliver();
  let raw = '';
  await until(async () => {
    const [row] = await team.runtime.db.rows<{ raw: Buffer }>(
      sql`select o.raw from svc_outbox o join svc_email e on e.workspace_id = o.workspace_id and e.id = o.email_id
       where o.workspace_id > 0 and e.public_id = ${sentResponse.json.emailId}`,
    );
    raw = row?.raw.toString('latin1') ?? '';
    return raw;
  }, 'it is kept');
  await delivery.stop();
  expect(raw).toContain('Content-Type: application/pdf; name="report.pdf"');
  expect(raw).toContain(Buffer.from('%PDF-1').toString('base64'));
});

test('fetches each URL of a batch once, and names the email and attachment in an error', async () => {
  const matchingResponse = await team.batch([
    withPaths(buildUrl('/report.pdf')),
    withPaths(buildUrl('/report.pdf')),
  ]);
  expect(matchingResponse.status).toBe(200);
  expect(requestedPaths).toEqual(['/report.pdf']);
  for (const { emailId } of matchingResponse.json.data)
    expect(await loadEmailRow(emailId)).toEqual([['report.pdf', undefined, '%PDF-1']]);
  const { status, json } = await team.batch([
    buildMail(),
    withPaths(buildUrl('/report.pdf'), buildUrl('/gone')),
  ]);
  expect([status, json.error.message]).toEqual([
    400,
    '1: attachments[1].path: the file cannot be fetched: it returned status 404.',
  ]);
});

test('accepts file URLs in GraphQL', async () => {
  const { data } = await team.graphql(
    `mutation ($path: String!) {
      emailSend(input: { to: "a@example.net", from: "hello@main.test", subject: "s", text: "t",
        attachments: [{ path: $path }] }) { attachments { filename size } }
    }`,
    { path: buildUrl('/report.pdf') },
  );
  expect(data).toEqual({ emailSend: { attachments: [{ filename: 'report.pdf', size: 6 }] } });
});

test("fetches a scheduled email's file when the email is accepted", async () => {
  const scheduledAt = new Date(Date.now() + 86_400_000).toISOString();
  const { json } = await team.send({ ...withPaths(buildUrl('/report.pdf')), scheduledAt });
  expect(await loadEmailRow(json.emailId)).toEqual([['report.pdf', undefined, '%PDF-1']]);
});

test('returns the first response to a repeated request without fetching files again', async () => {
  const key = { 'Idempotency-Key': 'with a path' };
  const first = await team.send(withPaths(buildUrl('/report.pdf')), key);
  results = {};
  const repeatedResponse = await team.send(withPaths(buildUrl('/report.pdf')), key);
  expect(repeatedResponse.json).toEqual(first.json);
  expect(requestedPaths).toEqual(['/report.pdf']);
  expect((await team.send(withPaths(buildUrl('/other.pdf')), key)).status).toBe(409);
  expect(requestedPaths).toEqual(['/report.pdf']);
});

test('fetches nothing for an email that is rejected for another reason', async () => {
  const { status } = await team.send({ ...withPaths(buildUrl('/report.pdf')), from: 'a@not-ours.example' });
  expect(status).toBe(400);
  const key = await team.ask('POST', '/api/v1/emails', {
    body: withPaths(buildUrl('/report.pdf')),
    key: 'us_wrong',
  });
  expect(key.status).toBe(401);
  expect(requestedPaths).toEqual([]);
});

test.each<[string, object, RegExp]>([
  [
    'content and path',
    { path: 'https://files.example/a', content: 'AAAA', filename: 'a' },
    /^attachments\[0\]: .*cannot be combined/,
  ],
  ['neither', { filename: 'a' }, /^attachments\[0\]: either/],
  ['content without a name', { content: 'AAAA' }, /filename/],
  ['a URL with another scheme', { path: 'file:///etc/passwd' }, /^attachments\[0\]\.path: must be an http/],
  ['data', { path: 'data:text/plain,x' }, /^attachments\[0\]\.path: must be an http/],
  ['a URL with a password', { path: 'https://u:p@files.example/a' }, /^attachments\[0\]\.path: .*password/],
  ['an invalid URL', { path: 'report.pdf' }, /^attachments\[0\]\.path: must be an http/],
  ['a too long URL', { path: `https://files.example/${'a'.repeat(2_048)}` }, /at most 2048/],
])('returns 400 for %s instead of a file', async (_what, attachment, message) => {
  const { status, json } = await team.send(buildMail({ attachments: [attachment] }));
  expect([status, json.error.message]).toEqual([400, expect.stringMatching(message)]);
});

test.each([
  'http://127.0.0.1/',
  'http://[::1]/',
  'http://2130706433/',
  'http://169.254.169.254/latest/meta-data/',
  'http://localhost/',
  'http://[::ffff:127.0.0.1]/',
])('rejects %s because it is not a public address', async (address) => {
  const url = new URL(address);
  url.port = String(getPort(inside));
  expect(await sendRejected(url.href)).toMatch(/^attachments\[0\]\.path: .*not public/);
  expect(askedInside).toEqual([]);
});

test('rejects a host name that resolves to a non-public address', async () => {
  for (const host of ['inside.example', 'mixed.example'])
    expect(await sendRejected(buildUrl('/report.pdf', host))).toContain('an address that is not public');
  expect(await sendRejected(buildUrl('/report.pdf', 'none.example'))).toContain('has no IP address');
  expect([...requestedPaths, ...askedInside]).toEqual([]);
});

test('connects to the checked address even if DNS changes immediately afterwards', async () => {
  const { json } = await team.send(withPaths(buildUrl('/report.pdf', 'rebound.example')));
  expect(await loadEmailRow(json.emailId)).toEqual([['report.pdf', undefined, '%PDF-1']]);
  expect(lookUps).toBe(1);
  expect(await sendRejected(buildUrl('/report.pdf', 'rebound.example'))).toContain('not public');
  expect(askedInside).toEqual([]);
});

test('follows redirects and checks each one like the first URL', async () => {
  results['/moved'] = redirect('/report.pdf');
  const { json } = await team.send(withPaths(buildUrl('/moved')));
  expect(await loadEmailRow(json.emailId)).toEqual([['moved', 'application/pdf', '%PDF-1']]);
  const inner = getPort(inside);
  for (const to of [
    `http://127.0.0.1:${inner}/`,
    `http://inside.example:${inner}/`,
    `//localhost:${inner}/`,
  ]) {
    results['/in'] = redirect(to);
    expect(await sendRejected(buildUrl('/in'))).toContain('not public');
  }
  expect(askedInside).toEqual([]);
  for (const to of ['file:///etc/passwd', 'http://u:p@files.example/', '']) {
    results['/in'] = redirect(to);
    expect(await sendRejected(buildUrl('/in'))).toContain('not allowed');
  }
  results['/round'] = redirect('/round');
  expect(await sendRejected(buildUrl('/round'))).toContain('redirects more than 3 times');
});

test('rejects a protocol upgrade in a response and frees its slot', async () => {
  results['/other'] = (response) =>
    response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end();
  for (let time = 0; time <= MAX_FETCHING_REQUESTS_PER_WORKSPACE; time++)
    expect(await sendRejected(buildUrl('/other'))).toContain('it returned status 101');
});

test('encodes a file once for all emails that attach it', async () => {
  const content = Buffer.alloc(7_777, 1);
  results['/shared.bin'] = (response) => response.end(content);
  const encode = vi.spyOn(Buffer.prototype, 'toString');
  const { status } = await team.batch(
    Array.from({ length: 20 }, () => withPaths(...Array(10).fill(buildUrl('/shared.bin')))),
  );
  const times = encode.mock.contexts.filter(
    (bytes, call) => (bytes as Buffer).length === content.length && encode.mock.calls[call]![0] === 'base64',
  );
  encode.mockRestore();
  expect([status, times.length]).toEqual([200, 1]);
});

test('rejects an empty, compressed or truncated file', async () => {
  results = {
    '/empty': (response) => response.end(),
    '/bomb': (response) =>
      response.setHeader('content-encoding', 'gzip').end(gzipSync(Buffer.alloc(10_000_000))),
    '/cut': (response) => {
      response.writeHead(200, { 'content-length': 1000 }).write('half');
      setTimeout(() => response.destroy(), 50);
    },
    '/part': (response) => response.writeHead(206).end('part'),
  };
  expect(await sendRejected(buildUrl('/empty'))).toContain('it is empty');
  expect(await sendRejected(buildUrl('/bomb'))).toContain('compressed (gzip)');
  expect(await sendRejected(buildUrl('/cut'))).toContain('the connection failed');
  expect(await sendRejected(buildUrl('/part'))).toContain('it returned status 206');
});

test('aborts an endless file at the attachment limit', async () => {
  let sentCount = 0;
  results['/endless'] = (response) => {
    const part = Buffer.alloc(1024 * 1024);
    const sendMore = () => {
      if (response.destroyed) return;
      sentCount += part.length;
      response.write(part, () => setImmediate(sendMore));
    };
    sendMore();
  };
  expect(await sendRejected(buildUrl('/endless'))).toContain('it is too large');
  expect(sentCount).toBeLessThan(limits.email.attachmentBytes * 2);
});

test('limits the total fetch time of a request if a server never finishes', async () => {
  Object.assign(limits.email, { fetchTime: 600 });
  results['/drip'] = (response) => {
    const drip = setInterval(() => response.write('.'), 50);
    response.on('close', () => clearInterval(drip));
  };
  results['/drip-until-close'] = (response) => {
    response.useChunkedEncodingByDefault = false;
    results['/drip']!(response);
  };
  results['/never'] = () => undefined;
  for (const path of ['/drip', '/drip-until-close', '/never'])
    expect(await sendRejected(buildUrl(path))).toContain('within 0.6 seconds');
});

test('rejects a request with too many URLs before fetching any', async () => {
  const emails = Array.from({ length: 21 }, (_, index) => withPaths(buildUrl(`/${index}.pdf`)));
  const { status, json } = await team.batch(emails);
  expect([status, json.error.message]).toEqual([400, expect.stringContaining('at most 20 URLs')]);
  expect(requestedPaths).toEqual([]);
});

test('limits concurrent fetches per workspace without holding a transaction', async () => {
  const responses: ServerResponse[] = [];
  results['/slow'] = (response) => responses.push(response);
  const running = Array.from({ length: MAX_FETCHING_REQUESTS_PER_WORKSPACE }, () =>
    team.send(withPaths(buildUrl('/slow'))),
  );
  await until(async () => responses.length === MAX_FETCHING_REQUESTS_PER_WORKSPACE, 'all are fetching');
  const rejection = await team.send(withPaths(buildUrl('/report.pdf')));
  expect([rejection.status, rejection.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  expect((await team.send(buildMail())).status).toBe(200);
  const open = await team.runtime.db.value<number>(
    sql`select count(*)::int from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%'`,
  );
  expect(open).toBe(0);
  for (const response of responses) response.end('slow');
  expect((await Promise.all(running)).map(({ status }) => status)).toEqual(
    Array(MAX_FETCHING_REQUESTS_PER_WORKSPACE).fill(200),
  );
  expect((await team.send(withPaths(buildUrl('/report.pdf')))).status).toBe(200);
});

test('releases the slots of disconnected clients and stores nothing for their requests', async () => {
  Object.assign(limits.email, { fetchTime: 300_000 });
  let waitingCount = 0;
  results['/slow'] = (response) => {
    waitingCount++;
    response.on('close', () => waitingCount--);
  };
  const before = await team.countWritten();
  const body = JSON.stringify(withPaths(buildUrl('/slow')));
  const headers = { authorization: `Bearer ${team.main.teamKey}`, 'content-type': 'application/json' };
  const leaving = new AbortController();
  const running = Array.from({ length: MAX_FETCHING_REQUESTS_PER_WORKSPACE }, () =>
    fetch(`${team.url}/api/v1/emails`, { method: 'POST', headers, body, signal: leaving.signal }),
  );
  const settled = Promise.allSettled(running);
  await until(() => waitingCount === MAX_FETCHING_REQUESTS_PER_WORKSPACE, 'all are fetching');
  leaving.abort();
  expect((await settled).map(({ status }) => status)).toEqual(
    Array(MAX_FETCHING_REQUESTS_PER_WORKSPACE).fill('rejected'),
  );
  await until(() => waitingCount === 0, 'the fetches have ended');
  await until(
    async () => (await team.send(withPaths(buildUrl('/report.pdf')))).status === 200,
    'a place is free',
  );
  expect(await team.countWritten()).toBe(before + 1);
});
