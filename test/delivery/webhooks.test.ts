import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UseSend } from 'usesend-js';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { addDomain } from '../../schema/send/domains.ts';
import { recordEvents } from '../../schema/send/email-events.ts';
import { expire } from '../../schema/send/expire.ts';
import { fateOf } from '../../schema/send/webhooks/outcome.ts';
import { post } from '../../schema/send/webhooks/post.ts';
import { isOpenHost, isPublic } from '../../schema/send/webhooks/public-address.ts';
import { startWebhooks, type WebhookOptions, type Webhooks } from '../../schema/send/webhooks/worker.ts';
import { emit, startDispatch } from '../../src/engine/events.ts';
import { ask } from '../graphql/ask.ts';
import { mail, startTeam, type Team } from '../rest/team.ts';
import { change, pause, until } from './sending.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the tests look at
  body: any;
}

let team: Team;
let receiver: Server;
let url: string;
let received: Received[] = [];
/** What the receiver answers to a call: a status, or a pause in milliseconds before 200. */
let answer: (call: Received) => number | { wait: number } | { status: number; text: string };
let workers: Webhooks[] = [];

beforeAll(async () => {
  team = await startTeam({ WEBHOOK_ALLOW_PRIVATE: '1' });
  receiver = createServer((request, response) => {
    let raw = '';
    request.on('data', (part) => (raw += part));
    request.on('end', async () => {
      const call = { path: request.url!, headers: request.headers, raw, body: JSON.parse(raw) };
      received.push(call);
      const said = answer(call);
      if (typeof said === 'object' && 'wait' in said) await pause(said.wait);
      response.statusCode = typeof said === 'number' ? said : 'status' in said ? said.status : 200;
      if (response.statusCode === 302) response.setHeader('location', `${url}/redirected`);
      response.end(typeof said === 'object' && 'text' in said ? said.text : 'thanks');
    });
  });
  await new Promise<void>((listening) => receiver.listen(0, '127.0.0.1', listening));
  url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  await team.deliver();
});
afterAll(async () => {
  await team?.close();
  receiver?.close();
});

beforeEach(async () => {
  received = [];
  answer = () => 200;
  await team.runtime.db.rows(`delete from svc_webhook where workspace_id > 0`);
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  workers = [];
});

const work = (options: WebhookOptions = { pause: 20 }) => workers.push(startWebhooks(team.runtime, options));

async function gql(query: string, key = team.main.admin.key) {
  const { data, errors } = await ask(team, query, { key });
  if (errors[0]) throw new Error(errors[0].message);
  return Object.values(data)[0] as never;
}

interface Made {
  id: number;
  secret: string;
}

/** Makes a webhook; what its calls bring is verified with the secret. */
const make = (more = '', path = '') =>
  gql(`mutation { webhookCreate(url: "${url}/${path}"${more && `, ${more}`}) }`) as Promise<Made>;

const calls = (id: number) =>
  gql(`{ webhookCallList(webhookId: ${id}) }`) as Promise<
    // biome-ignore lint/suspicious/noExplicitAny: what the tests look at
    any[]
  >;

const emailEvents = [
  'queued',
  'sent',
  'delivered',
  'bounced',
  'complained',
  'opened',
  'clicked',
  'delivery_delayed',
  'rejected',
  'rendering_failure',
  'failed',
  'cancelled',
  'suppressed',
].map((kind) => `email.${kind}`);

const types = () => received.map((call) => call.body.type);

async function sent(change: object = {}): Promise<string> {
  const { json } = await team.send(mail(change));
  return json.emailId;
}

async function tell(id: string, status: string, data: object = {}): Promise<void> {
  const [key] = await team.runtime.db.rows<{ workspaceId: number; emailId: number }>(
    `select workspace_id as "workspaceId", id as "emailId" from svc_email where workspace_id > 0 and public_id = $1`,
    [id],
  );
  await recordEvents(team.runtime.db, [{ ...key!, status: status as 'SENT', data: data as never }]);
}

describe('events', () => {
  test('every event of an email is told in order, with the fields of its kind', async () => {
    const hook = await make();
    work();
    const id = await sent({ to: ['Ann <ann@example.net>'], cc: 'carl@example.net' });
    await until(team, id, ({ latest_status }) => latest_status === 'DELIVERED');
    const timestamp = '2026-11-20T10:00:00.000Z';
    const visit = { ipAddress: '192.0.2.1', userAgent: 'Mail 1.0', timestamp };
    await tell(id, 'OPENED', visit);
    await tell(id, 'CLICKED', { ...visit, link: 'https://x.test/?a=1' });
    await tell(id, 'BOUNCED', {
      bounceType: 'Permanent',
      bounceSubType: 'General',
      bouncedRecipients: [{ emailAddress: 'carl@example.net', diagnosticCode: '550 no' }],
    });
    await tell(id, 'COMPLAINED');
    await tell(id, 'DELIVERY_DELAYED');
    await tell(id, 'REJECTED');
    await tell(id, 'RENDERING_FAILURE');
    await expect.poll(() => types().length, { timeout: 10_000 }).toBe(10);
    expect(types()).toEqual(
      [
        'queued',
        'sent',
        'delivered',
        'opened',
        'clicked',
        'bounced',
        'complained',
        'delivery_delayed',
        'rejected',
        'rendering_failure',
      ].map((kind) => `email.${kind}`),
    );
    const [domain] = await team.runtime.db.rows<{ id: number }>(
      `select id from svc_domain where workspace_id = $1`,
      [team.main.ctx.workspace.id],
    );
    const base = {
      id,
      from: 'Main Team <hello@main.test>',
      to: ['Ann <ann@example.net>'],
      subject: 'Hello',
      domainId: domain!.id,
      occurredAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    };
    for (const call of received) {
      expect(call.body).toMatchObject({
        id: call.headers['x-usesend-call'],
        version: '2026-01-18',
        teamId: team.main.ctx.workspace.id,
        attempt: 1,
        createdAt: expect.stringMatching(/Z$/),
        data: base,
      });
      expect(call.headers).toMatchObject({
        'x-usesend-event': call.body.type,
        'x-usesend-retry': 'false',
        'user-agent': 'UseSend-Webhook/1.0',
        'content-type': 'application/json',
      });
    }
    const data = (kind: string) => received.find((call) => call.body.type === `email.${kind}`)!.body.data;
    expect(data('queued').status).toBe('QUEUED');
    expect(data('opened')).toMatchObject({
      status: 'OPENED',
      occurredAt: timestamp,
      open: { timestamp, ip: '192.0.2.1', userAgent: 'Mail 1.0' },
    });
    expect(data('clicked').click).toEqual({
      timestamp,
      url: 'https://x.test/?a=1',
      ip: '192.0.2.1',
      userAgent: 'Mail 1.0',
    });
    expect(data('bounced').bounce).toEqual({ type: 'Permanent', subType: 'General', message: '550 no' });
    const kept = await calls(hook.id);
    expect(kept).toHaveLength(10);
    expect(kept.at(-1)).toMatchObject({
      type: 'email.queued',
      status: 'DELIVERED',
      attempt: 1,
      responseStatus: 200,
      responseText: 'thanks',
      payload: received[0]!.body,
    });
  });

  test('emails that are suppressed, fail and are cancelled are told of', async () => {
    await make('eventTypes: ["email.suppressed", "email.failed", "email.cancelled"]');
    await gql(`mutation { suppressionsAdd(emails: ["blocked@example.net"]) }`);
    const suppressed = await sent({ to: 'Blocked <blocked@example.net>' });
    const failed = await sent({ scheduledAt: '2040-01-01T00:00:00Z' });
    await change(
      team,
      failed,
      `state = 'queued', scheduled_at = now() - interval '100 hours', run_at = now() + interval '1 hour'`,
    );
    await expire(team.runtime.db);
    const cancelled = await sent({ scheduledAt: '2040-01-01T00:00:00Z' });
    const { status } = await team.ask('POST', `/api/v1/emails/${cancelled}/cancel`, { body: {} });
    if (status !== 200) await tell(cancelled, 'CANCELLED');
    work();
    await expect
      .poll(types, { timeout: 5000 })
      .toEqual(['email.suppressed', 'email.failed', 'email.cancelled']);
    expect(received.map((call) => call.body.data.id)).toEqual([suppressed, failed, cancelled]);
    expect(received[0]!.body.data.suppression).toEqual({
      type: 'Manual',
      reason: 'Every recipient is on the suppression list.',
    });
    expect(received[1]!.body.data.failed.reason).toContain('Not sent within');
  });

  test('domains and contacts are told of, each event once', async () => {
    await team.runtime.db.rows(`delete from svc_event where workspace_id > 0`);
    const hook = await make();
    await team.main.ctx.tx(async (ctx) => {
      await addDomain(ctx, 'second.test');
      await emit(ctx, 'contact.created', { id: 'c1', email: 'ann@example.net' });
    });
    const dispatch = await startDispatch(team.runtime.db, team.runtime.log);
    work();
    await expect.poll(types, { timeout: 8000 }).toEqual(['domain.created', 'contact.created']);
    await dispatch.stop();
    expect(received[0]!.body.data).toMatchObject({
      id: expect.any(Number),
      name: 'second.test',
      status: 'SUCCESS',
      region: 'local',
      clickTracking: false,
      openTracking: false,
      dmarcAdded: false,
      sesTenantId: null,
    });
    expect(received[1]!.body.data).toEqual({ id: 'c1', email: 'ann@example.net' });
    // Told of once more, as after a crash.
    await team.runtime.db.rows(
      `update svc_event set dispatched_at = null where workspace_id > 0 and topic = 'contact.created'`,
    );
    const again = await startDispatch(team.runtime.db, team.runtime.log);
    await pause(300);
    await again.stop();
    expect(await calls(hook.id)).toHaveLength(2);
  });

  test('filters by kind and by domain leave out the rest', async () => {
    const [domain] = await team.runtime.db.rows<{ id: number }>(
      `select id from svc_domain where workspace_id = $1 and name = 'main.test'`,
      [team.main.ctx.workspace.id],
    );
    await addDomain(team.main.ctx, 'third.test');
    const byKind = await make('eventTypes: ["email.delivered"]', 'kind');
    const byDomain = await make(`domainIds: [${domain!.id}], eventTypes: ["email.queued"]`, 'domain');
    work();
    const one = await sent();
    const two = await sent({ from: 'x@third.test' });
    for (const id of [one, two]) await until(team, id, (row) => row.latest_status === 'DELIVERED');
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(3);
    expect((await calls(byKind.id)).map((call) => [call.type, call.payload?.data.id]).sort()).toEqual(
      [
        ['email.delivered', one],
        ['email.delivered', two],
      ].sort(),
    );
    expect((await calls(byDomain.id)).map((call) => call.payload?.data.id)).toEqual([one]);
  });

  test('a webhook of another workspace hears nothing', async () => {
    const other = await team.tenant('neighbour');
    await gql(`mutation { webhookCreate(url: "${url}/other") }`, other.admin.key);
    work();
    await sent();
    await pause(1200);
    expect(received).toEqual([]);
    await expect(gql(`{ webhookList }`)).resolves.toEqual([]);
  });
});

describe('signatures', () => {
  test("the client library's verify and constructEvent accept a call, and nothing that was changed", async () => {
    const { id, secret } = await make();
    expect(secret).toMatch(/^whsec_[0-9a-f]{64}$/);
    await gql(`mutation { webhookTest(id: ${id}) }`);
    work();
    await expect.poll(() => received.length).toBe(1);
    const { raw, headers } = received[0]!;
    const webhooks = new UseSend('us_x').webhooks(secret);
    expect(webhooks.verify(raw, { headers })).toBe(true);
    expect(webhooks.verify(`${raw} `, { headers })).toBe(false);
    expect(new UseSend('us_x').webhooks(`${secret}0`).verify(raw, { headers })).toBe(false);
    const event = webhooks.constructEvent(raw, { headers });
    expect(event).toMatchObject({
      type: 'webhook.test',
      data: { test: true, webhookId: String(id), sentAt: expect.any(String) },
    });
  });

  test('after a rotation the new secret signs, and the former one along for a day', async () => {
    const { id, secret: old } = await make();
    const { secret } = (await gql(`mutation { webhookRotate(id: ${id}) }`)) as Made;
    expect(await gql(`{ webhookSecret(id: ${id}) }`)).toBe(secret);
    await gql(`mutation { webhookTest(id: ${id}) }`);
    work();
    await expect.poll(() => received.length).toBe(1);
    const { raw, headers } = received[0]!;
    const verify = (by: string, given: object) =>
      new UseSend('us_x').webhooks(by).verify(raw, { headers: given as never });
    expect(verify(secret, headers)).toBe(true);
    expect(verify(old, headers)).toBe(false);
    const previous = { ...headers, 'x-usesend-signature': headers['x-usesend-signature-previous'] };
    expect(verify(old, previous)).toBe(true);
    await team.runtime.db.rows(`update svc_webhook set old_until = now() where workspace_id > 0`);
    await gql(`mutation { webhookTest(id: ${id}) }`);
    await expect.poll(() => received.length).toBe(2);
    expect(received[1]!.headers['x-usesend-signature-previous']).toBeUndefined();
  });

  test('the secret is in no answer of the record API', async () => {
    const { secret } = await make('description: "mine"');
    const { data } = await ask(team, '{ webhooks { id url status } }', { key: team.main.admin.key });
    expect(data.webhooks).toHaveLength(1);
    const answer = await fetch(`${team.url}/json/2/svc.webhook/search_read`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${team.main.admin.key}` },
      body: '{"domain":[]}',
    });
    const text = await answer.text();
    expect(text).toContain('mine');
    expect(text).not.toContain(secret);
    expect(JSON.stringify(await gql('{ webhookList }'))).not.toContain(secret);
  });
});

describe('failures', () => {
  const outcome = (error: string | null) => ({ status: 500, text: '', ms: 1, error });

  test.each([
    [1, 'no', 'PENDING', 5000],
    [2, 'no', 'PENDING', 10_000],
    [3, 'no', 'PENDING', 20_000],
    [4, 'no', 'PENDING', 40_000],
    [5, 'no', 'PENDING', 80_000],
    [6, 'no', 'FAILED', 0],
    [6, null, 'DELIVERED', 0],
  ])('attempt %i that fails with %s leaves the call %s for %i ms', (attempt, error, status, wait) => {
    expect(fateOf(attempt, outcome(error))).toEqual({ status, wait });
  });

  test('a call that fails is made again with the same id, six times, and the next waits for it', async () => {
    const { id } = await make('eventTypes: ["email.queued"]');
    const [first, second] = [await sent(), await sent()];
    answer = ({ body }) => (body.data.id === first ? 500 : 200);
    work();
    await expect.poll(() => received.length, { timeout: 15_000 }).toBe(7);
    expect(received.map(({ body }) => [body.data.id, body.attempt])).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((attempt) => [first, attempt]),
      [second, 1],
    ]);
    expect(new Set(received.slice(0, 6).map(({ body }) => body.id)).size).toBe(1);
    expect(received.map(({ headers }) => headers['x-usesend-retry'])).toEqual([
      'false',
      ...Array(5).fill('true'),
      'false',
    ]);
    await expect
      .poll(async () => (await calls(id)).map((call) => call.status))
      .toEqual(['DELIVERED', 'FAILED']);
    expect((await calls(id))[1]).toMatchObject({
      attempt: 6,
      responseStatus: 500,
      lastError: 'It answered 500.',
    });
    expect(((await gql('{ webhookList }')) as { failures: number }[])[0]!.failures).toBe(0);
  });

  test('a burst is told one by one, in order, nothing lost and no attempt burned, by three workers together', async () => {
    await make('eventTypes: ["email.queued"]');
    let open = 0;
    let most = 0;
    answer = () => {
      most = Math.max(most, ++open);
      setTimeout(() => open--, 3);
      return { wait: 3 };
    };
    const ids: string[] = [];
    for (let batch = 0; batch < 3; batch++) {
      const { json } = await team.ask('POST', '/api/v1/emails/batch', {
        body: Array.from({ length: 50 }, () => mail()),
      });
      ids.push(...json.data.map((each: { emailId: string }) => each.emailId));
    }
    for (let i = 0; i < 3; i++) work();
    await expect.poll(() => received.length, { timeout: 20_000 }).toBe(150);
    await pause(300);
    expect(received.map(({ body }) => body.data.id)).toEqual(ids);
    expect(new Set(received.map(({ body }) => body.attempt))).toEqual(new Set([1]));
    expect(most).toBe(1);
  });

  test('a call whose worker died is made by another one, and no attempt counts for it', async () => {
    const { id } = await make('eventTypes: ["email.queued"]');
    await sent();
    await team.runtime.db.rows(
      `update svc_webhook set lease_by = 'dead', lease_until = now() + interval '700 milliseconds' where workspace_id > 0`,
    );
    await team.runtime.db.rows(`update svc_webhook_call set status = 'IN_PROGRESS' where workspace_id > 0`);
    work();
    await pause(400);
    expect(received).toEqual([]);
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(1);
    expect(received[0]!.body.attempt).toBe(1);
    await expect.poll(async () => (await calls(id))[0].status).toBe('DELIVERED');
  });

  test('a slow endpoint does not hold up another one', async () => {
    await make('eventTypes: ["email.queued"]', 'slow');
    await make('eventTypes: ["email.queued"]', 'quick');
    answer = ({ path }) => (path === '/slow' ? { wait: 1500 } : 200);
    await sent();
    await sent();
    work();
    await expect
      .poll(() => received.filter(({ path }) => path === '/quick').length, { timeout: 1400 })
      .toBe(2);
  });

  test('many slow endpoints of one workspace do not hold up another workspace', async () => {
    const other = await team.tenant('patient');
    for (let at = 0; at < 30; at++) await make('eventTypes: ["email.queued"]', 'slow');
    await gql(
      `mutation { webhookCreate(url: "${url}/quick", eventTypes: ["email.queued"]) }`,
      other.admin.key,
    );
    answer = ({ path }) => (path === '/slow' ? { wait: 2000 } : 200);
    const body = mail({ from: 'x@patient.test' });
    for (let at = 0; at < 3; at++) {
      await sent();
      await team.ask('POST', '/api/v1/emails', { body, key: other.teamKey });
    }
    work();
    const quick = () => received.filter(({ path }) => path === '/quick').length;
    await expect.poll(quick, { timeout: 1900 }).toBe(3);
    // Ten places at once, whoever has more.
    expect(received.filter(({ path }) => path === '/slow')).toHaveLength(10);
  });

  test('thirty calls that failed for good switch the webhook off; what waits is told once it is active again', async () => {
    const { id } = await make('eventTypes: ["email.queued"]');
    const body = Array.from({ length: 32 }, () => mail());
    await team.ask('POST', '/api/v1/emails/batch', { body });
    answer = () => 404;
    work({ pause: 0 });
    const state = async () => ((await gql('{ webhookList }')) as { status: string }[])[0]!.status;
    await expect.poll(state, { timeout: 20_000 }).toBe('AUTO_DISABLED');
    expect(received).toHaveLength(30 * 6);
    await sent();
    answer = () => 204;
    received = [];
    await gql(`mutation { webhookUpdate(id: ${id}, status: "ACTIVE") }`);
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(2);
    expect(await state()).toBe('ACTIVE');
  });

  test('a paused webhook is not called, and new events make no calls', async () => {
    const { id } = await make('eventTypes: ["email.queued"]');
    await sent();
    await gql(`mutation { webhookUpdate(id: ${id}, status: "PAUSED") }`);
    await sent();
    work();
    await pause(800);
    expect(received).toEqual([]);
    await expect(gql(`mutation { webhookTest(id: ${id}) }`)).rejects.toThrow('not found');
    await gql(`mutation { webhookUpdate(id: ${id}, status: "ACTIVE") }`);
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(1);
  });

  test('a call that has ended can be made again, with its id and new attempts', async () => {
    const { id } = await make('eventTypes: ["email.queued"]');
    await sent();
    answer = () => 500;
    work({ pause: 0 });
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(6);
    await expect.poll(async () => (await calls(id))[0].status).toBe('FAILED');
    answer = () => 200;
    const [call] = await calls(id);
    expect(await gql(`mutation { webhookRedeliver(id: ${call.id}) }`)).toBe(true);
    await expect.poll(() => received.length, { timeout: 5000 }).toBe(7);
    expect(received[6]!.body).toEqual({ ...received[0]!.body, attempt: 1 });
    await expect.poll(async () => (await calls(id))[0].status).toBe('DELIVERED');
  });

  test('a redirect is a failure and is not followed; of an answer 4096 characters are kept', async () => {
    const { id } = await make('eventTypes: ["email.queued"]');
    await sent();
    answer = ({ path }) => (path === '/redirected' ? 200 : 302);
    work({ pause: 60_000 });
    await expect.poll(async () => (await calls(id))[0].lastError).toBe('It answered 302.');
    expect(received).toHaveLength(1);
    answer = () => ({ status: 400, text: 'é'.repeat(20_000) });
    await team.runtime.db.rows(`update svc_webhook_call set run_at = now() where workspace_id > 0`);
    await expect.poll(async () => (await calls(id))[0].responseStatus, { timeout: 5000 }).toBe(400);
    expect((await calls(id))[0].responseText).toHaveLength(4096);
  });
});

test('an answer that never ends counts by its status, one that never begins and a lost connection as failures', async () => {
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/reset') request.socket.destroy();
    if (request.url === '/drip') response.write('begin');
    if (request.url === '/flood') response.end(Buffer.alloc(50_000_000, 'x'));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const to = (path: string) =>
    post(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`, {}, '{}', true);
  const [drip, never, flood, reset] = await Promise.all(['/drip', '/never', '/flood', '/reset'].map(to));
  expect(drip).toMatchObject({ status: 200, text: 'begin', error: null });
  expect(never).toMatchObject({ status: null, error: 'No answer within 10 seconds.' });
  expect(flood).toMatchObject({ status: 200, text: 'x'.repeat(4096), error: null });
  expect(reset).toMatchObject({ status: null, error: 'socket hang up' });
  server.closeAllConnections();
  server.close();
});

describe('addresses', () => {
  test.each([
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.20.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['0.0.0.0', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['8.8.8.8', true],
    ['172.32.0.1', true],
    ['::1', false],
    ['::', false],
    ['fe80::1', false],
    ['fd00::1', false],
    ['ff02::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:8.8.8.8', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['2001:db8::1', false],
    ['2001:0:1::1', false],
    ['2606:4700:4700::1111', true],
    ['not an address', false],
  ])('%s is public: %s', (address, expected) => {
    expect(isPublic(address)).toBe(expected);
  });

  test.each([
    'http://127.0.0.1/',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://[::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://localhost:3000/',
    'http://x.LOCALHOST./',
  ])('%s is refused before anything is resolved', (address) => {
    expect(isOpenHost(new URL(address).hostname)).toBe(false);
  });

  test('a name that resolves to a private address is refused by what it resolves to', async () => {
    const { address, port } = receiver.address() as AddressInfo;
    expect(address).toBe('127.0.0.1');
    // `ip6-localhost` and the machine's own name stand in /etc/hosts.
    const { hostname } = await import('node:os');
    const said = await post(`http://${hostname()}:${port}/`, {}, '{}', false);
    expect([said.status, said.error]).toEqual([
      null,
      `${hostname()} leads to an address that is not public.`,
    ]);
    expect((await post(`${url}/`, {}, '{}', false)).error).toContain('not public');
    expect(received).toEqual([]);
    expect((await post(`${url}/`, {}, '{}', true)).status).toBe(200);
  });

  test('without WEBHOOK_ALLOW_PRIVATE an open address is not even taken, nor one with a password or another scheme', async () => {
    const { config } = team.runtime;
    config.webhookAllowPrivate = false;
    try {
      for (const [address, why] of [
        [url, 'not public'],
        ['http://[fe80::1]/', 'not public'],
        ['https://u:p@example.com/', 'no user'],
        ['ftp://example.com/', 'https://'],
        ['nothing', 'not an address'],
      ])
        await expect(gql(`mutation { webhookCreate(url: "${address}") }`)).rejects.toThrow(why);
      const { id } = (await gql(`mutation { webhookCreate(url: "https://example.com/hook") }`)) as Made;
      await team.runtime.db.rows(`update svc_webhook set url = $1 where workspace_id > 0`, [`${url}/`]);
      await gql(`mutation { webhookTest(id: ${id}) }`);
      work({ pause: 60_000 });
      await expect.poll(async () => (await calls(id))[0].lastError).toContain('not public');
      expect(received).toEqual([]);
    } finally {
      config.webhookAllowPrivate = true;
    }
  });

  test('what a webhook is made of is checked by name', async () => {
    const wrong = (args: string) => gql(`mutation { webhookCreate(url: "${url}", ${args}) }`);
    await expect(wrong('eventTypes: ["email.lost"]')).rejects.toThrow('eventTypes');
    await expect(wrong('domainIds: [2000000000]')).rejects.toThrow('domainIds');
    await expect(wrong('secret: "short"')).rejects.toThrow('secret');
    const { id, secret } = (await wrong('secret: "a secret of my own, long"')) as Made;
    expect(secret).toBe('a secret of my own, long');
    await gql(`mutation { webhookUpdate(id: ${id}, eventTypes: ["email.sent"]) }`);
    expect(await gql('{ webhookList }')).toMatchObject([{ id, url: `${url}/`, eventTypes: ['email.sent'] }]);
    await expect(gql(`mutation { webhookUpdate(id: ${id}, status: "OFF") }`)).rejects.toThrow('status');
    expect(await gql(`mutation { webhookDelete(id: ${id}) }`)).toBe(true);
    await expect(gql(`mutation { webhookDelete(id: ${id}) }`)).rejects.toThrow('not found');
  });
});

test('every kind of email event can be asked for', async () => {
  const { id } = await make(`eventTypes: ${JSON.stringify(emailEvents)}`);
  expect(id).toBeGreaterThan(0);
});
