import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterAll, expect, test, vi } from 'vitest';
import { startSubmission } from '../../facades/smtp/facade.ts';
import { setUpApp } from '../harness/app.ts';
import { setUp } from '../harness/set-up.ts';

vi.mock('../../src/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../src/limits.ts')>();
  const few = { clients: 8, strangersOfOne: 4, signInTime: 5_000 };
  return { limits: { ...limits, submission: { ...limits.submission, ...few } } };
});

const app = setUpApp();
const facade = setUp(() => startSubmission(app.runtime, { port: 0, tlsPort: 0 }));
const sockets: Socket[] = [];

afterAll(() => {
  for (const socket of sockets) socket.destroy();
});

interface Client {
  socket: Socket;
  getOutput(): string;
}

function visit(port = facade.port): Client {
  return watchSocket(connect(port, '127.0.0.1'));
}

function watchSocket(socket: Socket): Client {
  sockets.push(socket);
  let output = '';
  socket
    .on('error', () => undefined)
    .on('data', (part) => {
      output += part;
    });
  return { socket, getOutput: () => output };
}

const expectOutput = (client: Client, pattern: RegExp) =>
  expect.poll(client.getOutput, { timeout: 20_000 }).toMatch(pattern);

async function openSignedIn(): Promise<Client> {
  const client = visit();
  await expectOutput(client, /^220 /);
  const key = Buffer.from(`\0any\0${app.main.teamKey}`).toString('base64');
  client.socket.write(`EHLO me\r\nAUTH PLAIN ${key}\r\n`);
  await expectOutput(client, /^235 /m);
  return client;
}

test('limits unauthenticated sessions per address and ends them after a timeout', {
  tags: 'slow',
}, async () => {
  const sessions = [await openSignedIn(), await openSignedIn(), await openSignedIn()];
  const silent = Array.from({ length: 4 }, () => visit());
  for (const client of silent) await expectOutput(client, /^220 /);
  const dripping = setInterval(() => {
    for (const { socket } of silent) socket.write('N');
  }, 200);
  await expectOutput(visit(), /^421 4\.7\.0 Too many unauthenticated sessions/);
  for (const client of silent) await expectOutput(client, /^421 4\.7\.0 Authentication timed out/m);
  clearInterval(dripping);
  sessions.push(await openSignedIn());
  for (const client of sessions.slice(0, 3)) {
    client.socket.write('QUIT\r\n');
    await expectOutput(client, /^221 /m);
    expect(client.getOutput()).not.toMatch(/^421/m);
  }
});

const expectClosed = (client: Client) =>
  expect.poll(() => client.socket.closed, { timeout: 20_000 }).toBe(true);

async function openTls(): Promise<Client> {
  const socket = connectTls({ port: facade.tlsPort, host: '127.0.0.1', rejectUnauthorized: false });
  const client = watchSocket(socket);
  await expectOutput(client, /^220 /);
  return client;
}

test('limits and closes unfinished handshakes per address, without rejecting other clients', async () => {
  const silent = Array.from({ length: 4 }, () => visit(facade.tlsPort));
  await Promise.all(silent.map(({ socket }) => once(socket, 'connect')));
  // The header of a TLS record of 16,383 bytes.
  for (const { socket } of silent) socket.write(Buffer.from([0x16, 3, 1, 0x3f, 0xff]));
  const dripping = setInterval(() => {
    for (const { socket } of silent) socket.write('.');
  }, 200);
  await expectClosed(visit(facade.tlsPort));
  expect(silent.map(({ socket }) => socket.closed)).toEqual([false, false, false, false]);
  for (const client of silent) await expectClosed(client);
  clearInterval(dripping);
  const client = await openTls();
  client.socket.write('QUIT\r\n');
  await expectOutput(client, /^221 /m);
});

test('counts unauthenticated sessions across both ports', async () => {
  const strangers = [await openTls(), await openTls(), visit(), visit()];
  for (const client of strangers) await expectOutput(client, /^220 /);
  await expectOutput(visit(), /^421 4\.7\.0 Too many unauthenticated sessions/);
  for (const { socket } of strangers) socket.destroy();
});
