import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { releaseDeadWorkers } from '../../schema/email/webhooks/claim.ts';
import { computeCallOutcome, DOWN_AFTER_FAILURES } from '../../schema/email/webhooks/outcome.ts';
import {
  MAX_RETRY_AFTER_MS,
  parseRetryAfter,
  postWebhook,
} from '../../schema/email/webhooks/post-webhook.ts';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { recordAllDue } from '../harness/due.ts';
import { buildMail } from '../harness/facades/rest.ts';
import { pause } from '../harness/wait.ts';
import { stageWebhooks } from './webhook-stage.ts';

const stage = stageWebhooks();
const { calls, gql, make, sent, work } = stage;

const buildOutcome = (error: string | null, status = 500, retryAfterMs: number | null = null) => ({
  status,
  text: '',
  ms: 1,
  retryAfterMs,
  error,
});

test.each([
  [1, 'no', 'PENDING', 5000],
  [2, 'no', 'PENDING', 10_000],
  [3, 'no', 'PENDING', 20_000],
  [4, 'no', 'PENDING', 40_000],
  [5, 'no', 'PENDING', 80_000],
  [6, 'no', 'FAILED', 0],
  [6, null, 'DELIVERED', 0],
])('attempt %i failing with %s leaves the call %s for %i ms', (attempt, error, status, wait) => {
  expect(computeCallOutcome(attempt, buildOutcome(error))).toEqual({ status, wait });
});

test.each([
  [1, 410, null, 'FAILED', 0],
  [1, 410, 60_000, 'FAILED', 0],
  [1, 429, 60_000, 'PENDING', 60_000],
  [1, 503, 60_000, 'PENDING', 60_000],
  [4, 429, 1_000, 'PENDING', 40_000],
  [6, 429, 60_000, 'FAILED', 0],
])(
  'attempt %i, response %i with Retry-After of %s ms, is %s for %i ms',
  (attempt, code, after, status, wait) => {
    expect(computeCallOutcome(attempt, buildOutcome('no', code, after))).toEqual({ status, wait });
  },
);

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['Thu, 26 Nov 2026 12:01:00 GMT', 60_000],
  ['Thu, 26 Nov 2026 11:00:00 GMT', 0],
  ['999999999', MAX_RETRY_AFTER_MS],
  ['99999999999999999999', null],
  ['soon', null],
  ['', null],
  [undefined, null],
])('parses Retry-After %j as %s ms', (text, ms) => {
  expect(parseRetryAfter(text, Date.parse('2026-11-26T12:00:00Z'))).toBe(ms);
});

test('disables an endpoint that responds with 410 Gone', async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  stage.answer = () => 410;
  await sent();
  work();
  const readState = async () =>
    ((await gql('{ webhooks { nodes { status } } }')) as { nodes: { status: string }[] }).nodes[0]!.status;
  await expect.poll(readState).toBe('AUTO_DISABLED');
  expect(await calls(id)).toMatchObject([{ status: 'FAILED', attempt: 1, responseStatus: 410 }]);
  expect(stage.received).toHaveLength(1);
});

test('retries at the time requested by the receiver', async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  stage.answer = () => ({ status: 429, text: 'later', retryAfter: '3600' });
  await sent();
  work();
  await expect.poll(async () => (await calls(id))[0]?.attempt).toBe(1);
  const { nextAttemptAt } = (await calls(id))[0];
  expect(Date.parse(nextAttemptAt)).toBeGreaterThan(Date.now() + 3_500_000);
});

test.each([
  [429, true],
  [503, true],
  [500, false],
])('status %i with Retry-After delays the other calls of the webhook: %s', async (status, isDelayed) => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  const { id: other } = await make('eventTypes: [EMAIL_QUEUED]', 'other');
  stage.answer = ({ path }) => (path === '/other' ? 200 : { status, text: 'later', retryAfter: '3600' });
  await sent();
  work();
  await expect.poll(async () => (await calls(id))[0]?.attempt).toBe(1);
  const before = stage.received.length;
  await sent();
  await expect
    .poll(async () => (await calls(other)).map((call) => call.status))
    .toEqual(['DELIVERED', 'DELIVERED']);
  await expect
    .poll(() => stage.received.slice(before).filter(({ path }) => path !== '/other').length)
    .toBe(isDelayed ? 0 : 1);
  // The user tries the webhook again.
  await gql(`mutation { webhookUpdate(id: "${id}", status: ACTIVE) { id } }`);
  stage.answer = () => 200;
  await sent();
  await expect.poll(async () => (await calls(id)).some((call) => call.status === 'DELIVERED')).toBe(true);
});

test('retries a failed call six times under the same id', async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  const [first, second] = [await sent(), await sent()];
  stage.answer = ({ body }) => (body.data.id === first ? 500 : 200);
  work();
  await expect.poll(() => stage.received.length).toBe(7);
  const getCalls = (email: string) => stage.received.filter(({ body }) => body.data.id === email);
  expect(getCalls(first).map(({ body }) => body.attempt)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(getCalls(second).map(({ body }) => body.attempt)).toEqual([1]);
  expect(new Set(getCalls(first).map(({ body }) => body.id)).size).toBe(1);
  expect(getCalls(first).map(({ headers }) => headers['x-usesend-retry'])).toEqual([
    'false',
    ...Array(5).fill('true'),
  ]);
  await expect
    .poll(async () => (await calls(id)).map((call) => call.status))
    .toEqual(['DELIVERED', 'FAILED']);
  expect((await calls(id))[1]).toMatchObject({
    attempt: 6,
    responseStatus: 500,
    lastError: 'It answered 500.',
  });
  expect(
    ((await gql('{ webhooks { nodes { failures } } }')) as { nodes: { failures: number }[] }).nodes[0]!
      .failures,
  ).toBe(1);
});

test('delivers a burst with three workers, in order per email, without losing or repeating calls', async () => {
  await make('eventTypes: [EMAIL_QUEUED, EMAIL_OPENED, EMAIL_CLICKED]');
  const ids: string[] = [];
  for (let batch = 0; batch < 2; batch++) {
    const { json } = await stage.team.ask('POST', '/api/v1/emails/batch', {
      body: Array.from({ length: 50 }, () => buildMail()),
    });
    ids.push(...json.data.map((item: { emailId: string }) => item.emailId));
  }
  for (const id of ids) await stage.tell(id, 'OPENED');
  for (const id of ids) await stage.tell(id, 'CLICKED');
  const open = new Set<string>();
  let peak = 0;
  let besideCount = 0;
  stage.answer = async ({ body }) => {
    if (open.has(body.data.id)) besideCount++;
    open.add(body.data.id);
    peak = Math.max(peak, open.size);
    await pause(20);
    open.delete(body.data.id);
    return 200;
  };
  for (let i = 0; i < 3; i++) work();
  await expect.poll(() => stage.received.length).toBe(300);
  await pause(300);
  const callsByEmail = Map.groupBy(stage.received, ({ body }) => body.data.id);
  expect([...callsByEmail.keys()].sort()).toEqual([...ids].sort());
  for (const calls of callsByEmail.values())
    expect(calls.map(({ body }) => body.type)).toEqual(['email.queued', 'email.opened', 'email.clicked']);
  expect(new Set(stage.received.map(({ body }) => body.attempt))).toEqual(new Set([1]));
  expect(besideCount).toBe(0);
  expect(peak).toBeGreaterThan(10);
  expect(peak).toBeLessThanOrEqual(limits.webhook.callsAtOnceOfWebhook);
});

test('delays only calls about the same email when one is retried', async () => {
  await make('eventTypes: [EMAIL_QUEUED, EMAIL_OPENED, EMAIL_CLICKED]');
  const failing = await sent();
  const others = [await sent(), await sent()];
  for (const id of [failing, ...others]) await stage.tell(id, 'OPENED');
  stage.answer = ({ body }) =>
    body.data.id === failing && body.type === 'email.queued' && body.attempt < 3 ? 500 : 200;
  work({ pause: 700 });
  const describeCalls = () =>
    stage.received.map(
      ({ body }) => `${body.data.id === failing ? 'failing' : 'other'} ${body.type} ${body.attempt}`,
    );
  await expect.poll(describeCalls).toContain('failing email.queued 2');
  // Later events also wait behind the failed one.
  await stage.tell(failing, 'CLICKED');
  expect(
    describeCalls()
      .filter((describeCall) => describeCall.startsWith('other'))
      .sort(),
  ).toEqual(
    ['email.opened', 'email.opened', 'email.queued', 'email.queued'].map((type) => `other ${type} 1`),
  );
  await expect.poll(describeCalls, { timeout: 10_000 }).toContain('failing email.clicked 1');
  expect(describeCalls().filter((describeCall) => describeCall.startsWith('failing'))).toEqual([
    'failing email.queued 1',
    'failing email.queued 2',
    'failing email.queued 3',
    'failing email.opened 1',
    'failing email.clicked 1',
  ]);
});

test('probes a failing webhook with single calls, without using up the attempts of waiting calls', async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  await stage.team.batch(Array.from({ length: 60 }, () => buildMail()));
  stage.answer = () => 503;
  work({ pause: 200 });
  await expect.poll(() => stage.received.length).toBeGreaterThan(20);
  await pause(1_500);
  // Calls in progress when the outage began, calls started until ten had failed, and one probe each after 0.2, 0.6 and
  // 1.4 seconds.
  expect(stage.received.length).toBeLessThanOrEqual(
    limits.webhook.callsAtOnceOfWebhook + DOWN_AFTER_FAILURES + 4,
  );
  stage.answer = () => 200;
  await expect
    .poll(async () => (await calls(id)).map(({ status }) => status), { timeout: 15_000 })
    .toEqual(Array(60).fill('DELIVERED'));
});

test('reuses connections and does not count a connection closed by the peer as an attempt', async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  work();
  for (let index = 0; index < 3; index++) {
    await sent();
    await expect.poll(() => stage.received.length).toBe(index + 1);
  }
  expect(stage.connections()).toBe(1);
  stage.hangUp();
  await sent();
  await expect.poll(() => stage.received.length).toBe(4);
  expect((await calls(id)).map((call) => [call.attempt, call.lastError])).toEqual(Array(4).fill([1, null]));
});

test("repeats a dead worker's call without counting an attempt", async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  await sent();
  await stage.team.runtime.db.rows(
    sql`update svc_webhook set lease_by = 'dead', lease_until = now() + interval '1 hour' where workspace_id > 0`,
  );
  await stage.team.runtime.db.rows(
    sql`update svc_webhook_call set status = 'IN_PROGRESS' where workspace_id > 0`,
  );
  work();
  await pause(700);
  expect(stage.received).toEqual([]);
  await releaseDeadWorkers(stage.team.runtime.db, ['dead']);
  await recordAllDue(stage.team.runtime.db);
  await expect.poll(() => stage.received.length).toBe(1);
  expect(stage.received[0]!.body.attempt).toBe(1);
  await expect.poll(async () => (await calls(id))[0].status).toBe('DELIVERED');
});

/** Holds calls of `/slow` until the returned function is called. */
function holdSlow(): () => void {
  const { promise, resolve } = Promise.withResolvers<number>();
  stage.answer = ({ path }) => (path === '/slow' ? promise : 200);
  return () => resolve(200);
}

test('does not delay an endpoint because of a slow one', async () => {
  const slowWebhook = await make('eventTypes: [EMAIL_QUEUED]', 'slow');
  await make('eventTypes: [EMAIL_QUEUED]', 'quick');
  const release = holdSlow();
  await sent();
  await sent();
  work();
  await expect.poll(() => stage.received.filter(({ path }) => path === '/quick').length).toBe(2);
  // None of its calls has finished or failed.
  expect((await calls(slowWebhook.id)).map((call) => call.attempt)).toEqual([0, 0]);
  release();
});

test("does not delay a workspace's endpoints because of many slow ones in another", async () => {
  const otherTenant = await stage.team.tenant('patient');
  for (let index = 0; index < 30; index++) await make('eventTypes: [EMAIL_QUEUED]', 'slow');
  await gql(
    `mutation { webhookCreate(url: "${stage.url}/quick", eventTypes: [EMAIL_QUEUED]) { id secret } }`,
    otherTenant.admin.key,
  );
  const release = holdSlow();
  const body = buildMail({ from: 'x@patient.test' });
  for (let index = 0; index < 3; index++) {
    await sent();
    await stage.team.ask('POST', '/api/v1/emails', { body, key: otherTenant.teamKey });
  }
  work();
  const countQuick = () => stage.received.filter(({ path }) => path === '/quick').length;
  await expect.poll(countQuick).toBe(3);
  // At most ten webhooks are called concurrently in total, with three calls each.
  const countSlow = () => stage.received.filter(({ path }) => path === '/slow').length;
  await expect.poll(countSlow).toBe(30);
  await pause(700);
  expect(countSlow()).toBe(30);
  const pendingCalls = await stage.team.runtime.db.rows(
    sql`select 1 from svc_webhook_call where workspace_id = ${stage.team.main.ctx.workspace.id} and attempt > 0`,
  );
  expect(pendingCalls).toEqual([]);
  release();
});

test('disables a webhook after thirty permanent failures, and delivers waiting calls once re-enabled', async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  const body = Array.from({ length: 32 }, () => buildMail());
  await stage.team.batch(body);
  stage.answer = () => 404;
  work({ pause: 0 });
  const readState = async () =>
    ((await gql('{ webhooks { nodes { status } } }')) as { nodes: { status: string }[] }).nodes[0]!.status;
  await expect.poll(readState).toBe('AUTO_DISABLED');
  const countWaiting = async () => (await calls(id)).filter(({ status }) => status === 'PENDING').length;
  await expect.poll(async () => (await calls(id)).some(({ status }) => status === 'IN_PROGRESS')).toBe(false);
  const waitingCalls = await countWaiting();
  expect(waitingCalls).toBeGreaterThan(0);
  await sent();
  stage.answer = () => 204;
  stage.received = [];
  await gql(`mutation { webhookUpdate(id: ${id}, status: ACTIVE) { id } }`);
  await expect.poll(() => stage.received.length).toBe(waitingCalls);
  expect(await readState()).toBe('ACTIVE');
});

test('neither calls a paused webhook nor creates calls for new events', async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  await sent();
  await gql(`mutation { webhookUpdate(id: ${id}, status: PAUSED) { id } }`);
  await sent();
  work();
  await pause(800);
  expect(stage.received).toEqual([]);
  await expect(gql(`mutation { webhookTest(id: ${id}) { id } }`)).rejects.toThrow('PAUSED');
  await gql(`mutation { webhookUpdate(id: ${id}, status: ACTIVE) { id } }`);
  await expect.poll(() => stage.received.length).toBe(1);
});

test('repeats a completed call on request, under the same id and with new attempts', async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  await sent();
  stage.answer = () => 500;
  work({ pause: 0 });
  await expect.poll(() => stage.received.length).toBe(6);
  await expect.poll(async () => (await calls(id))[0].status).toBe('FAILED');
  stage.answer = () => 200;
  const [call] = await calls(id);
  expect(await gql(`mutation { webhookRedeliver(id: ${call.id}) { id status } }`)).toEqual({
    id: String(call.id),
    status: 'PENDING',
  });
  await expect.poll(() => stage.received.length).toBe(7);
  expect(stage.received[6]!.body).toEqual({ ...stage.received[0]!.body, attempt: 1 });
  await expect.poll(async () => (await calls(id))[0].status).toBe('DELIVERED');
});

test('treats a redirect as a failure, and stores the first 4096 characters of a response', async () => {
  const { id } = await make('eventTypes: [EMAIL_QUEUED]');
  await sent();
  stage.answer = ({ path }) => (path === '/redirected' ? 200 : 302);
  work({ pause: 60_000 });
  await expect.poll(async () => (await calls(id))[0].lastError).toBe('It answered 302.');
  expect(stage.received).toHaveLength(1);
  stage.answer = () => ({ status: 400, text: 'é'.repeat(20_000) });
  await stage.team.runtime.db.rows(sql`update svc_webhook_call set run_at = now() where workspace_id > 0`);
  await recordAllDue(stage.team.runtime.db);
  await expect.poll(async () => (await calls(id))[0].responseStatus).toBe(400);
  expect((await calls(id))[0].responseText).toHaveLength(4096);
});

test('classifies an endless response by its status, and a missing response or lost connection as failed', {
  tags: 'slow',
}, async () => {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/reset') request.socket.destroy();
    if (request.url === '/drip') response.write('begin');
    if (request.url === '/other')
      response.writeHead(101, { connection: 'upgrade', upgrade: 'websocket' }).end();
    if (request.url === '/flood') response.end(Buffer.alloc(50_000_000, 'x'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const to = (path: string) =>
    postWebhook(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {}, '{}', {
      allowPrivate: true,
      dnsServers: null,
    });
  const [drip, never, flood, reset, other] = await Promise.all(
    ['/drip', '/never', '/flood', '/reset', '/other'].map(to),
  );
  expect(other).toMatchObject({ status: 101, text: '', error: 'It answered 101.' });
  expect(drip).toMatchObject({ status: 200, text: 'begin', error: null });
  expect(never).toMatchObject({ status: null, error: 'No answer within 10 seconds.' });
  expect(flood).toMatchObject({ status: 200, text: 'x'.repeat(4096), error: null });
  expect(reset).toMatchObject({ status: null, error: 'socket hang up' });
  server.closeAllConnections();
  server.close();
});
