import { type AddressInfo, createServer } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSmtpTransport } from '../../src/email/smtp.ts';
import type { Transport } from '../../src/email/transport.ts';
import { buildMimeMessage } from '../../src/message/compose.ts';
import { setUp } from '../harness/set-up.ts';
import { startSmtp } from '../standins/smtp.ts';

const standin = setUp(startSmtp);
let transport: Transport;
/** Times out quickly on an unresponsive relay. */
let impatient: Transport;

beforeAll(async () => {
  transport = createSmtpTransport({ url: standin.url, maxConnections: 2, socketTimeoutMs: 30_000 });
  impatient = createSmtpTransport({ url: standin.url, maxConnections: 2, socketTimeoutMs: 1_500 });
});

afterAll(async () => {
  await transport.close();
  await impatient.close();
});

beforeEach(() => {
  standin.set('accept');
  standin.refuse.clear();
  standin.received.length = 0;
});

function buildOutgoing(recipients = ['bob@example.com', 'hidden@example.com']) {
  const raw = buildMimeMessage({
    emailId: 'e1',
    messageId: 'e1@example.com',
    date: new Date(),
    from: 'Ann <ann@example.com>',
    to: ['bob@example.com'],
    subject: 'Größe',
    text: 'Hi\n.\n..dots\n',
  });
  return { emailId: 'e1', from: 'ann@example.com', recipients, raw };
}

test('sends unchanged bytes and the complete envelope including Bcc recipients', async () => {
  const message = buildOutgoing();
  const outcome = await transport.send(message);
  expect(outcome).toMatchObject({
    kind: 'sent',
    providerId: 'smtp-e1',
    response: expect.stringContaining('250'),
  });
  expect(standin.received[0]).toMatchObject({
    from: 'ann@example.com',
    recipients: ['bob@example.com', 'hidden@example.com'],
  });
  expect(standin.received[0]?.raw.toString()).toBe(message.raw.toString());
});

test('reuses connections between messages', async () => {
  const before = standin.connections();
  for (let index = 0; index < 10; index += 1) await transport.send(buildOutgoing());
  expect(standin.received.length).toBe(10);
  expect(standin.connections() - before).toBeLessThanOrEqual(1);
});

test.each([
  ['tempfail', 'throttled', 0],
  ['tempfail-data', 'throttled', 0],
  ['permfail', 'partial', 0],
  ['permfail-data', 'refused', 0],
  ['drop', 'throttled', 0],
  ['drop-after', 'unknown', 1],
  ['hang-after', 'unknown', 1],
] as const)(
  'handles the response %s as %s, with the message accepted at most once',
  async (behavior, kind, accepted) => {
    const sender = behavior === 'hang-after' ? impatient : transport;
    standin.set(behavior);
    expect((await sender.send(buildOutgoing())).kind).toBe(kind);
    expect(standin.received.length).toBe(accepted);
    standin.set('accept');
    expect((await sender.send(buildOutgoing())).kind).toMatch(/sent|throttled/);
  },
);

test('stops waiting for a response that trickles in', async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const relay = createServer((socket) => {
    socket.write('220 ready\r\n');
    socket
      .on('error', () => {})
      .once('data', () => {
        const timer = setInterval(() => socket.write('250-'), 20);
        socket.once('close', () => {
          clearInterval(timer);
          close();
        });
      });
  });
  await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve));
  const { port } = relay.address() as AddressInfo;
  const sender = createSmtpTransport({ url: `smtp://127.0.0.1:${port}`, sendTimeoutMs: 500 });
  expect(await sender.send(buildOutgoing())).toMatchObject({ kind: 'throttled', scope: 'unreachable' });
  await closed;
  await sender.close();
  relay.close();
});

test('distinguishes recipients rejected at RCPT TO from accepted ones', async () => {
  standin.refuse.set('full@example.com', { code: 452, text: 'full' });
  standin.refuse.set('gone@example.com', { code: 550, text: 'gone' });
  const outcome = await transport.send(
    buildOutgoing(['bob@example.com', 'full@example.com', 'gone@example.com']),
  );
  expect(
    outcome.kind === 'partial' && outcome.parts.map((part) => [part.recipients, part.outcome.kind]),
  ).toEqual([
    [['bob@example.com'], 'sent'],
    [['full@example.com'], 'throttled'],
    [['gone@example.com'], 'refused'],
  ]);
  const none = await transport.send(buildOutgoing(['full@example.com', 'gone@example.com']));
  expect(none.kind === 'partial' && none.parts.map((part) => part.outcome.kind)).toEqual([
    'throttled',
    'refused',
  ]);
});

test('reports an unreachable relay as a retryable outcome', async () => {
  const unreachable = createSmtpTransport({ url: 'smtp://127.0.0.1:1' });
  expect(await unreachable.send(buildOutgoing())).toMatchObject({ kind: 'throttled', scope: 'unreachable' });
  await unreachable.close();
});
