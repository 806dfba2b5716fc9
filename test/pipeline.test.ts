import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type ListeningServer, listen } from '../boot/server.ts';
import { MAX_PIPELINED_REQUESTS } from '../src/http/pipeline.ts';
import { pause, until } from './harness/wait.ts';

let server: ListeningServer | undefined;
afterEach(() => server?.close());

/** Echoes the path or body after a delay, and records the number of concurrent requests, in total and for `/slow…`. */
async function start() {
  const traffic = { running: 0, most: 0, paths: [] as string[] };
  server = await listen(
    async (request) => {
      traffic.running++;
      traffic.most = Math.max(traffic.most, traffic.running);
      const { pathname } = new URL(request.url);
      traffic.paths.push(pathname);
      await pause(pathname.length % 7);
      const body = request.method === 'POST' ? `${(await request.text()).length} bytes` : pathname;
      traffic.running--;
      return new Response(body);
    },
    '127.0.0.1',
    0,
  );
  return traffic;
}

async function openClient() {
  const socket = connect(server!.port, '127.0.0.1');
  await once(socket, 'connect');
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  return {
    socket,
    text: () => text,
    bodies: () =>
      text
        .split('HTTP/1.1 ')
        .slice(1)
        .map((response) => response.split('\r\n\r\n')[1]),
  };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;

test('keeps idle connections open longer than proxies do', async () => {
  await start();
  const { socket, text } = await openClient();
  socket.write(get('/'));
  await until(() => text().includes('\r\n\r\n/'), 'it is answered');
  expect(Number(/^Keep-Alive: timeout=(\d+)\r$/m.exec(text())?.[1])).toBeGreaterThan(120);
  socket.destroy();
});

test('serves thousands of pipelined requests in order, with limited concurrency', async () => {
  const upstream = await start();
  const { socket, bodies } = await openClient();
  const paths = Array.from({ length: 3_000 }, (_, i) => `/${i}`);
  socket.write(paths.map(get).join(''));
  await until(() => bodies().length === paths.length, 'all are answered');
  expect(bodies()).toEqual(paths);
  expect(upstream.most).toBe(MAX_PIPELINED_REQUESTS);
  socket.write(get('/again'));
  await until(() => bodies().length === paths.length + 1, 'the connection goes on');
  socket.destroy();
});

test('reads the complete body after many pipelined requests', async () => {
  await start();
  const { socket, bodies } = await openClient();
  const paths = Array.from({ length: 100 }, (_, i) => `/${i}`);
  const size = 2_000_000;
  const head = `POST /long HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${size}\r\n\r\n`;
  socket.write(paths.map(get).join('') + head);
  socket.write('x'.repeat(size));
  socket.write(get('/last'));
  await until(() => bodies().length === 102, 'all are answered');
  expect(bodies()).toEqual([...paths, `${size} bytes`, '/last']);
  socket.destroy();
});

test('does not run requests of a closed connection', async () => {
  const upstream = await start();
  const { socket } = await openClient();
  socket.write(Array.from({ length: 1_000 }, (_, i) => get(`/${i}`)).join(''));
  await until(() => upstream.paths.length > 0, 'some run');
  socket.resetAndDestroy();
  await until(() => upstream.running === 0, 'none runs');
  expect(upstream.paths.length).toBeLessThan(1_000);
  const other = await openClient();
  other.socket.write(get('/other'));
  await until(() => other.bodies().length === 1, 'others are answered');
  other.socket.destroy();
});

test('cancels pipelined responses of a closed connection', async () => {
  let startedCount = 0;
  let cancelledCount = 0;
  const stream = () =>
    new ReadableStream({ start: () => void startedCount++, cancel: () => void cancelledCount++ });
  const pending = new Promise<Response>(() => undefined);
  server = await listen(
    async ({ url }) => (url.endsWith('/pending') ? pending : new Response(stream())),
    '127.0.0.1',
    0,
  );
  const { socket } = await openClient();
  socket.write(get('/pending') + get('/stream').repeat(2));
  await until(() => startedCount === 2, 'both start');
  socket.resetAndDestroy();
  await until(() => cancelledCount === 2, 'both are cancelled');
});
