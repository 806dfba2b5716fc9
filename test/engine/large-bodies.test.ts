import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBody } from '../../src/http/http.ts';
import { createRoom } from '../../src/http/large-bodies.ts';
import { limits } from '../../src/limits.ts';
import { type App, post, startApp } from '../harness/app.ts';
import { json2 } from '../harness/doors/json2.ts';

const MiB = 1024 * 1024;
let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

test('room that is taken is refused with BUSY until it is given back', () => {
  const room = createRoom(10);
  room.take(6);
  expect(() => room.take(5)).toThrow(expect.objectContaining({ kind: 'BUSY', status: 503 }));
  room.take(4);
  room.give(6);
  room.take(5);
});

/** A request whose body stays open after `bytes`; `taken` when they have been read. */
function stalled(bytes: number) {
  let end: () => void = () => undefined;
  let drained: () => void = () => undefined;
  const taken = new Promise<void>((resolve) => {
    drained = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let sent = 0; sent < bytes; sent += MiB) controller.enqueue(new Uint8Array(MiB));
      end = () => controller.close();
    },
    // Asked for more only when nothing is left of what was put in.
    pull: () => drained(),
  });
  const request = new Request('http://x', { method: 'POST', body, duplex: 'half' } as RequestInit);
  return { read: readBody(request, limits.json2.body), taken, end: () => end() };
}

test('large bodies beyond what the process holds are 503 on every door, small ones pass, and room comes back', async () => {
  const held = [stalled(100 * MiB), stalled(100 * MiB), stalled(56 * MiB)];
  for (const { taken } of held) await taken;
  await new Promise((resolve) => setImmediate(resolve));
  const large = ' '.repeat(2 * MiB);
  // The rest of a refused body is not read, so its connection ends.
  const ending = { connection: 'close' };
  const { key } = app.main.admin;
  const search = `${app.url}/json/2/res.partner/search_count`;
  expect((await post(search, `${large}{"domain":[]}`, key, ending)).status).toBe(503);
  expect((await post(`${app.url}/jsonrpc`, `${large}{}`, undefined, ending)).status).toBe(503);
  expect((await post(`${app.url}/api/v1/emails`, `${large}{}`, app.main.teamKey, ending)).status).toBe(503);
  expect((await post(search, { domain: [] }, key)).status).toBe(200);
  for (const { end, read } of held) {
    end();
    await read;
  }
  await new Promise((resolve) => setImmediate(resolve));
  expect((await post(search, `${large}{"domain":[]}`, key)).status).toBe(200);
});

test('who announces large bodies and sends none keeps nobody out', async () => {
  const sockets = Array.from({ length: 8 }, () => connect(app.port, '127.0.0.1'));
  for (const socket of sockets)
    socket.write(
      `POST /xmlrpc/2/object HTTP/1.1\r\nHost: x\r\nContent-Type: text/xml\r\nContent-Length: ${60 * MiB}\r\nExpect: 100-continue\r\n\r\n`,
    );
  // What the server says once it has read the announcement.
  for (const socket of sockets) expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 100 /);
  const body = `${' '.repeat(2 * MiB)}{"domain":[]}`;
  expect((await json2(app, 'res.partner/search_count', body, app.main.admin.key)).status).toBe(200);
  for (const socket of sockets) socket.destroy();
});
