import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, createServer } from 'node:net';
import {
  CreateConfigurationSetCommand,
  CreateEmailIdentityCommand,
  DeleteConfigurationSetCommand,
  DeleteEmailIdentityCommand,
  DeleteSuppressedDestinationCommand,
  GetEmailIdentityCommand,
  ListSuppressedDestinationsCommand,
  PutSuppressedDestinationCommand,
  SESv2Client,
} from '@aws-sdk/client-sesv2';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createSesTransport } from '../../src/email/ses.ts';
import type { Transport, TransportMessage } from '../../src/email/transport.ts';
import { buildMimeMessage } from '../../src/message/compose.ts';
import { setUp } from '../harness/set-up.ts';
import { pause, until } from '../harness/wait.ts';
import { startSes } from '../standins/ses.ts';

/** A CommonJS package whose types declare it incorrectly. */
interface LocalSes {
  default: (options: { port: number; host: string }) => Promise<Server>;
}

const standin = setUp(startSes);
let transport: Transport;

function createTransportTo(
  endpoint: string,
  options: { configurationSet?: string; requestTimeoutMs?: number } = {},
): Transport {
  return createSesTransport({
    region: 'us-east-1',
    endpoint,
    requestTimeoutMs: 30_000,
    connectionTimeoutMs: 30_000,
    ...options,
  });
}

function buildOutgoing(emailId: string, recipients: string[] = ['bob@example.com']): TransportMessage {
  const raw = buildMimeMessage({
    emailId,
    messageId: `${emailId}@example.com`,
    date: new Date(),
    from: 'Ann <ann@example.com>',
    to: recipients,
    subject: 'Größe',
    text: 'Hi',
  });
  return { emailId, from: 'ann@example.com', recipients, raw };
}

beforeAll(async () => {
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'standin');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'standin-secret');
  transport = createTransportTo(standin.url);
});

afterAll(async () => {
  await transport.close();
  vi.unstubAllEnvs();
});

beforeEach(() => standin.reset());

test.each([
  ['trickles', ' ', 20, 'ABORT_ERR'],
  ['is endless', ' '.repeat(1024 * 1024), 1, 'too much data'],
])('reports an unknown outcome if the body of a response %s', async (_name, part, ms, reason) => {
  const server = createHttpServer((request, response) => {
    request.resume();
    response.writeHead(200, { 'content-type': 'application/json' });
    const timer = setInterval(() => response.write(part), ms);
    response.once('close', () => clearInterval(timer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sender = createTransportTo(`http://127.0.0.1:${port}`, { requestTimeoutMs: 1_500 });
  const outcome = await sender.send(buildOutgoing('trickled'));
  expect(outcome).toMatchObject({ kind: 'unknown', reason: expect.stringContaining(reason) });
  await sender.close();
  server.close();
});

test('sends a message with its bytes, envelope, configuration set and tags unchanged', async () => {
  const message = {
    ...buildOutgoing('e1', ['bob@example.com', 'carl@exämple.de']),
    tags: { workspace: 'main' },
  };
  const outcome = await createTransportTo(standin.url, { configurationSet: 'events' }).send(message);
  const [acceptedMessage] = standin.accepted;
  expect(outcome).toEqual({ kind: 'sent', providerId: acceptedMessage?.messageId });
  expect(acceptedMessage).toMatchObject({
    emailId: 'e1',
    from: 'ann@example.com',
    recipients: ['bob@example.com', 'carl@xn--exmple-cua.de'],
    configurationSet: 'events',
    tags: { workspace: 'main' },
  });
  expect(acceptedMessage?.raw?.equals(message.raw)).toBe(true);
});

test('holds the message if the credentials are rejected', async () => {
  for (const [id, secret, name] of [
    ['standin', 'wrong', 'InvalidSignatureException'],
    ['nobody', 'standin-secret', 'UnrecognizedClientException'],
  ] as const) {
    vi.stubEnv('AWS_ACCESS_KEY_ID', id);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', secret);
    const outcome = await createTransportTo(standin.url).send(buildOutgoing('e1'));
    expect(outcome).toMatchObject({
      kind: 'throttled',
      scope: 'unreachable',
      reason: expect.stringContaining(name),
    });
  }
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'standin');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'standin-secret');
  expect(standin.posts()).toBe(0);
});

test.each([
  ['hang', 'unknown', 0],
  ['hang-after', 'unknown', 1],
  ['reset', 'unknown', 0],
  ['reset-after', 'unknown', 1],
  ['error-500', 'unknown', 0],
  ['error-500-after', 'unknown', 1],
  ['garbage', 'throttled', 0],
] as const)('handles the response %s as %s after a single post', async (behavior, kind, accepted) => {
  standin.set({ behavior });
  const by = behavior.startsWith('hang')
    ? createTransportTo(standin.url, { requestTimeoutMs: 1_500 })
    : transport;
  const outcome = await by.send(buildOutgoing('e1'));
  expect(outcome.kind).toBe(kind);
  await pause(50);
  expect([standin.posts(), standin.accepted.length]).toEqual([1, accepted]);
});

test('distinguishes the rate limit from the daily quota after a single post', async () => {
  standin.set({ enforceDaily: true }, { Max24HourSend: 1 });
  expect((await transport.send(buildOutgoing('e1'))).kind).toBe('sent');
  expect(await transport.send(buildOutgoing('e2'))).toMatchObject({ kind: 'throttled', scope: 'daily' });
  expect(standin.posts()).toBe(2);
  standin.reset();
  standin.set({ enforcePerSecond: 1 });
  const outcomes = [
    await transport.send(buildOutgoing('e3')),
    await transport.send(buildOutgoing('e4')),
    await transport.send(buildOutgoing('e5')),
  ];
  expect(outcomes).toContainEqual(
    expect.objectContaining({ kind: 'throttled', scope: 'rate', retryAfterMs: 1000 }),
  );
  expect(standin.posts()).toBe(3);
});

test.each(['MessageRejected', 'BadRequestException'])(
  "treats %s as a permanent failure with the provider's reason",
  async (name) => {
    standin.set({ failures: { 'bob@example.com': { name, message: 'because' } } });
    expect(await transport.send(buildOutgoing('e1'))).toEqual({
      kind: 'refused',
      code: name,
      reason: `${name}: because (HTTP 400)`,
    });
    expect(standin.posts()).toBe(1);
  },
);

test('names an unverified sender or sandbox recipient in the rejection', async () => {
  standin.set({ sandbox: true });
  expect(await transport.send(buildOutgoing('e1'))).toMatchObject({
    scope: 'domain',
    reason: expect.stringContaining('not verified'),
  });
  standin.verify('example.com');
  expect(await transport.send(buildOutgoing('e1', ['bob@else.test']))).toMatchObject({
    code: 'MessageRejected',
    reason: expect.stringContaining('bob@else.test'),
  });
  expect((await transport.send(buildOutgoing('e2', ['success@simulator.amazonses.com']))).kind).toBe('sent');
  standin.account.identities.clear();
});

test('reports an unreachable endpoint as a retryable outcome', async () => {
  const closedServer = createServer();
  closedServer.listen(0, '127.0.0.1');
  await once(closedServer, 'listening');
  const { port } = closedServer.address() as AddressInfo;
  closedServer.close();
  await once(closedServer, 'close');
  const outcome = await createTransportTo(`http://127.0.0.1:${port}`).send(buildOutgoing('e1'));
  expect(outcome).toMatchObject({ kind: 'throttled', scope: 'unreachable' });
});

test('sends to as many recipients per call as SES accepts', async () => {
  const recipients = Array.from({ length: 101 }, (_, index) => `r${index}@example.com`);
  expect((await transport.send(buildOutgoing('e1', recipients.slice(0, 50)))).kind).toBe('sent');
  expect(standin.accepted.map((item) => item.recipients)).toEqual([recipients.slice(0, 50)]);
  standin.reset();
  expect((await transport.send(buildOutgoing('e2', recipients))).kind).toBe('sent');
  expect(standin.accepted.map((item) => item.recipients)).toEqual([
    recipients.slice(0, 50),
    recipients.slice(50, 100),
    recipients.slice(100),
  ]);
});

test('sends nothing if aborted before the call and reports an unknown outcome if aborted during it', async () => {
  expect(await transport.send(buildOutgoing('e1'), AbortSignal.abort())).toMatchObject({ kind: 'throttled' });
  expect(standin.posts()).toBe(0);
  standin.set({ behavior: 'hang-after' });
  const stop = new AbortController();
  const sending = transport.send(buildOutgoing('e2'), stop.signal);
  await until(() => standin.posts() === 1, 'it is with the provider');
  stop.abort();
  expect((await sending).kind).toBe('unknown');
});

test('reads the limits from the provider account', async () => {
  standin.set({}, { MaxSendRate: 14, Max24HourSend: 200, SentLast24Hours: 3 });
  expect(await transport.limits()).toEqual({ perSecond: 14, perDay: 200, sentLast24h: 3 });
});

test("supports the SDK's identity, suppression and configuration set calls in the stand-in", async () => {
  const client = new SESv2Client({ region: 'us-east-1', endpoint: standin.url, maxAttempts: 1 });
  const address = 'a+b@sub.example.org';
  const identity = { EmailIdentity: address };
  await client.send(new CreateEmailIdentityCommand(identity));
  await expect(client.send(new CreateEmailIdentityCommand(identity))).rejects.toThrow('already exist');
  expect((await client.send(new GetEmailIdentityCommand(identity))).VerifiedForSendingStatus).toBe(false);
  await client.send(new DeleteEmailIdentityCommand(identity));
  await expect(client.send(new GetEmailIdentityCommand(identity))).rejects.toMatchObject({
    name: 'NotFoundException',
  });
  await client.send(new PutSuppressedDestinationCommand({ EmailAddress: address, Reason: 'BOUNCE' }));
  const listedOutput = await client.send(
    new ListSuppressedDestinationsCommand({ PageSize: 10, Reasons: ['BOUNCE'] }),
  );
  expect(listedOutput.SuppressedDestinationSummaries?.map((summary) => summary.EmailAddress)).toEqual([
    address,
  ]);
  await client.send(new DeleteSuppressedDestinationCommand({ EmailAddress: address }));
  await client.send(new CreateConfigurationSetCommand({ ConfigurationSetName: 'events' }));
  const message = { ...buildOutgoing('e1'), configurationSet: 'other' };
  expect(await transport.send(message)).toMatchObject({ kind: 'throttled', scope: 'set' });
  await client.send(new DeleteConfigurationSetCommand({ ConfigurationSetName: 'events' }));
  client.destroy();
});

test('lists the ids of emails sent twice in the stand-in', async () => {
  await transport.send(buildOutgoing('e1'));
  await transport.send(buildOutgoing('e2'));
  await transport.send(buildOutgoing('e1'));
  expect(standin.duplicates()).toEqual({ e1: 2 });
});

test('sends messages that aws-ses-v2-local accepts', async () => {
  const { default: start } = createRequire(import.meta.url)('aws-ses-v2-local') as LocalSes;
  const other = await start({ port: 0, host: '127.0.0.1' });
  try {
    const { port } = other.address() as AddressInfo;
    const outcome = await createTransportTo(`http://127.0.0.1:${port}`).send(buildOutgoing('e1'));
    expect(outcome).toMatchObject({ kind: 'sent', providerId: expect.stringMatching(/./) });
    const store = (await (await fetch(`http://127.0.0.1:${port}/store`)).json()) as {
      emails: { subject: string }[];
    };
    expect(store.emails.map((email) => email.subject)).toEqual(['Größe']);
  } finally {
    other.close();
  }
});

test('runs the stand-in in a separate process with remote control', async () => {
  const child = fork(new URL('../standins/ses.ts', import.meta.url), ['--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  try {
    const [line] = (await once(child.stdout!, 'data')) as [Buffer];
    const { url } = JSON.parse(line.toString()) as { url: string };
    const remoteTransport = createTransportTo(url);
    const call = (path: string, body?: object) =>
      fetch(`${url}/standin/${path}`, { method: 'POST', body: JSON.stringify(body ?? {}) });
    expect((await remoteTransport.send(buildOutgoing('e1'))).kind).toBe('sent');
    await call('modes', { modes: { behavior: 'error-500', times: 1 } });
    expect((await remoteTransport.send(buildOutgoing('e2'))).kind).toBe('unknown');
    expect((await remoteTransport.send(buildOutgoing('e3'))).kind).toBe('sent');
    expect(await (await call('counts')).json()).toMatchObject({
      posts: 3,
      accepted: 2,
      distinct: 2,
      duplicates: {},
    });
    await remoteTransport.close();
  } finally {
    child.kill();
    await once(child, 'exit');
  }
});
