import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { MAX_JSON2_BODY_BYTES } from '../../facades/json2/facade.ts';
import { createBudget } from '../../src/budget.ts';
import { readBody, releaseBody } from '../../src/http/body.ts';
import { post, setUpApp } from '../harness/app.ts';
import { json2 } from '../harness/facades/json2.ts';

const MiB = 1024 * 1024;
const app = setUpApp();

test('rejects a reservation over the budget with BUSY until bytes are released', () => {
  const budget = createBudget(10);
  budget.reserve(6);
  expect(() => budget.reserve(5)).toThrow(expect.objectContaining({ kind: 'BUSY', status: 503 }));
  budget.reserve(4);
  budget.release(6);
  budget.reserve(5);
});

test('limits each owner to a share and leaves the rest for others', () => {
  const budget = createBudget(10, 6);
  budget.reserve(6, 1);
  expect(() => budget.reserve(1, 1)).toThrow(expect.objectContaining({ kind: 'BUSY' }));
  budget.reserve(4, 2);
  expect(() => budget.reserve(1, 3)).toThrow(expect.objectContaining({ kind: 'BUSY' }));
  budget.release(6, 1);
  budget.reserve(1, 1);
});

/** Starts a request from a workspace whose body stalls after `bytes`. `taken` resolves once these are read. */
function startStalled(bytes: number, holder: number) {
  let end: () => void = () => undefined;
  let resolveDrain: () => void = () => undefined;
  const drain = new Promise<void>((resolve) => {
    resolveDrain = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let sent = 0; sent < bytes; sent += MiB) controller.enqueue(new Uint8Array(MiB));
      end = () => controller.close();
    },
    // Called again only when the enqueued bytes are consumed.
    pull: () => resolveDrain(),
  });
  const request = new Request('http://x', { method: 'POST', body, duplex: 'half' } as RequestInit);
  const pendingRead = readBody(request, { maxBytes: MAX_JSON2_BODY_BYTES, owner: holder });
  return { read: pendingRead, taken: drain, end: () => end(), release: () => releaseBody(request) };
}

const large = ' '.repeat(2 * MiB);
// The server does not read the rest of a rejected body, so it closes the connection.
const ending = { connection: 'close' };

const postCount = (overrides: Record<string, string> = {}) =>
  post(`${app.url}/json/2/res.partner/search_count`, `${large}{"domain":[]}`, app.main.admin.key, overrides);

test('returns 503 for large bodies over the budget in every protocol, and accepts small ones', {
  tags: 'slow',
}, async () => {
  const stalledRequests = [
    startStalled(100 * MiB, 900),
    startStalled(100 * MiB, 901),
    startStalled(55 * MiB, 902),
  ];
  for (const { taken } of stalledRequests) await taken;
  await new Promise((resolve) => setImmediate(resolve));
  const { key, id } = app.main.admin;
  const json = await postCount(ending);
  expect(json.status).toBe(503);
  expect(json.headers.get('retry-after')).toBe('1');
  expect(json.json().message).toMatch(/Too many large requests/);
  const call = JSON.stringify({ service: 'object', method: 'execute_kw', args: ['main', id, key, large] });
  const rpc = await post(`${app.url}/jsonrpc`, `{"params":${call}}`, undefined, ending);
  expect([rpc.status, rpc.headers.get('retry-after')]).toEqual([503, '1']);
  const rest = await post(`${app.url}/api/v1/emails`, `${large}{}`, app.main.teamKey, ending);
  expect([rest.status, rest.headers.get('retry-after')]).toEqual([503, '1']);
  const search = `${app.url}/json/2/res.partner/search_count`;
  expect((await post(search, { domain: [] }, key)).status).toBe(200);
  for (const { end, read, release } of stalledRequests) {
    end();
    await read;
    release();
  }
  expect((await postCount()).status).toBe(200);
});

test('accepts a 50 MB file over classic RPC, and rejects an announced body over 128 MiB', {
  tags: 'slow',
}, async () => {
  const { id, key } = app.main.admin;
  const datas = 'QUJD'.repeat((68 * MiB) / 4);
  const args = ['main', id, key, 'ir.attachment', 'create', [{ name: 'large', datas }]];
  const answer = await post(`${app.url}/jsonrpc`, {
    params: { service: 'object', method: 'execute_kw', args },
  });
  expect(answer.json()).toMatchObject({ result: expect.any(Number) });
  const socket = connect(app.port, '127.0.0.1');
  socket.write(
    `POST /jsonrpc HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${128 * MiB + 1}\r\n\r\n`,
  );
  const [chunk] = await once(socket, 'data');
  socket.destroy();
  expect(String(chunk)).toMatch(/^HTTP\/1\.1 413 .*The body is larger than 134217728 bytes/s);
});

test('leaves part of the budget for other workspaces', async () => {
  const workspaceId = app.main.ctx.workspace.id;
  const stalledRequests = [startStalled(100 * MiB, workspaceId), startStalled(26 * MiB, workspaceId)];
  for (const { taken } of stalledRequests) await taken;
  await new Promise((resolve) => setImmediate(resolve));
  expect((await postCount(ending)).status).toBe(503);
  const otherTenant = await app.tenant('roomy');
  const search = `${app.url}/json/2/res.partner/search_count`;
  expect((await post(search, `${large}{"domain":[]}`, otherTenant.admin.key)).status).toBe(200);
  for (const { end, read, release } of stalledRequests) {
    end();
    await read;
    release();
  }
});

test('releases the bytes of a body after the response', { tags: 'slow' }, async () => {
  const search = `${app.url}/json/2/res.partner/search_count`;
  const largeBody = `${' '.repeat(100 * MiB)}{"domain":[]}`;
  for (let i = 0; i < 3; i++) expect((await post(search, largeBody, app.main.admin.key)).status).toBe(200);
});

test('clients that announce large bodies and send nothing do not block other clients', async () => {
  const sockets = Array.from({ length: 8 }, () => connect(app.port, '127.0.0.1'));
  for (const socket of sockets)
    socket.write(
      `POST /xmlrpc/2/object HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: ${60 * MiB}\r\nExpect: 100-continue\r\n\r\n`,
    );
  // The `100 Continue` that the server sends after it has read the headers.
  for (const socket of sockets) expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 100 /);
  const body = `${' '.repeat(2 * MiB)}{"domain":[]}`;
  expect((await json2(app, 'res.partner/search_count', body, app.main.admin.key)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
