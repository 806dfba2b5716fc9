import { expect, test } from 'vitest';
import { addDomain } from '../../schema/email/domains/domains.ts';
import { expire } from '../../schema/email/state/expire.ts';
import { sql } from '../../src/db/sql.ts';
import { scheduleDueWork } from '../../src/engine/work/due.ts';
import { EVENT_KIND, emitEvent, startDispatch } from '../../src/engine/work/events.ts';
import { pause } from '../harness/wait.ts';
import { untilEmail, updateEmail } from './sending.ts';
import { stageWebhooks } from './webhook-stage.ts';

const stage = stageWebhooks();
const { calls, gql, make, sent, tell, types, work } = stage;

test('reports all events of an email in order with the fields of their type', async () => {
  const hook = await make();
  work();
  const id = await sent({ to: ['Ann <ann@example.net>'], cc: 'carl@example.net' });
  await untilEmail(stage.team, id, ({ latest_status }) => latest_status === 'DELIVERED');
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
  await expect.poll(() => types().length).toBe(10);
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
  const domainId = await stage.team.runtime.db.value<number>(
    sql`select id from svc_domain where workspace_id = ${stage.team.main.ctx.workspace.id}`,
  );
  const base = {
    id,
    from: 'Main Team <hello@main.test>',
    to: ['Ann <ann@example.net>'],
    subject: 'Hello',
    domainId,
    occurredAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
  };
  for (const call of stage.received) {
    expect(call.body).toMatchObject({
      id: call.headers['x-usesend-call'],
      version: '2026-01-18',
      teamId: stage.team.main.ctx.workspace.id,
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
  const getData = (kind: string) =>
    stage.received.find((call) => call.body.type === `email.${kind}`)!.body.data;
  expect(getData('queued').status).toBe('QUEUED');
  expect(getData('opened')).toMatchObject({
    status: 'OPENED',
    occurredAt: timestamp,
    open: { timestamp, ip: '192.0.2.1', userAgent: 'Mail 1.0' },
  });
  expect(getData('clicked').click).toEqual({
    timestamp,
    url: 'https://x.test/?a=1',
    ip: '192.0.2.1',
    userAgent: 'Mail 1.0',
  });
  expect(getData('bounced').bounce).toEqual({ type: 'Permanent', subType: 'General', message: '550 no' });
  const remainingCalls = await calls(hook.id);
  expect(remainingCalls).toHaveLength(10);
  expect(remainingCalls.at(-1)).toMatchObject({
    type: 'email.queued',
    status: 'DELIVERED',
    attempt: 1,
    responseStatus: 200,
    responseText: 'thanks',
    payload: stage.received[0]!.body,
  });
});

test("includes an email's tags and metadata in its events if they are set", async () => {
  await make('eventTypes: [EMAIL_QUEUED, EMAIL_DELIVERED]');
  work();
  const labels = {
    tags: { campaign: 'spring', empty: '' },
    metadata: { order: { id: 17, lines: [1, 2] } },
  };
  const first = await sent(labels);
  await untilEmail(stage.team, first, ({ latest_status }) => latest_status === 'DELIVERED');
  await sent({ tags: [{ name: 'kind', value: 'receipt' }] });
  await sent();
  await expect.poll(() => stage.received.length).toBe(6);
  const [labeledCalls = [], otherCalls = []] = [true, false].map((is) =>
    stage.received.filter(({ body }) => (body.data.id === first) === is),
  );
  expect(labeledCalls.map(({ body }) => body.type)).toEqual(['email.queued', 'email.delivered']);
  for (const { body } of labeledCalls) expect(body.data).toMatchObject(labels);
  const rest = otherCalls.map(({ body }) => [body.data.tags, body.data.metadata]);
  expect(rest.filter(([tags]) => tags)).toEqual([
    [{ kind: 'receipt' }, undefined],
    [{ kind: 'receipt' }, undefined],
  ]);
  expect(rest.filter(([tags]) => !tags)).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ]);
});

test('reports queued, failed, canceled and suppressed emails in order, with the reason', async () => {
  await make('eventTypes: [EMAIL_QUEUED, EMAIL_SUPPRESSED, EMAIL_FAILED, EMAIL_CANCELLED]');
  await gql(`mutation { suppressionsAdd(emails: ["blocked@example.net"]) { added } }`);
  const suppressed = await sent({ to: 'Blocked <blocked@example.net>' });
  const failed = await sent({ scheduledAt: '2040-01-01T00:00:00Z' });
  await updateEmail(
    stage.team,
    failed,
    `state = 'queued', scheduled_at = now() - interval '100 hours', run_at = now() + interval '1 hour'`,
  );
  await expire(stage.team.runtime.db, stage.team.main.ctx.workspace.id);
  const cancelled = await sent({ scheduledAt: '2040-01-01T00:00:00Z' });
  const { status } = await stage.team.ask('POST', `/api/v1/emails/${cancelled}/cancel`, { body: {} });
  expect(status).toBe(200);
  work();
  await expect.poll(() => types().length).toBe(5);
  const getCalls = (id: string) => stage.received.flatMap(({ body }) => (body.data.id === id ? body : []));
  expect([suppressed, failed, cancelled].map((id) => getCalls(id).map(({ type }) => type))).toEqual([
    ['email.suppressed'],
    ['email.queued', 'email.failed'],
    ['email.queued', 'email.cancelled'],
  ]);
  expect(getCalls(suppressed)[0].data.suppression).toEqual({
    type: 'Manual',
    reason: 'Every To recipient is on the suppression list.',
  });
  expect(getCalls(failed)[1].data.failed.reason).toContain('Not sent within');
});

test('reports each domain and contact event once', async () => {
  await stage.team.runtime.db.rows(sql`delete from svc_event where workspace_id > 0`);
  const hook = await make();
  await stage.team.main.ctx.tx(async (ctx) => {
    await addDomain(ctx, 'second.test');
    await emitEvent(ctx, 'contact.created', { id: 'c1', email: 'ann@example.net' });
  });
  const dispatch = await startDispatch(stage.team.runtime.db, stage.team.runtime.log);
  work();
  await expect.poll(types).toEqual(['domain.created', 'contact.created']);
  await dispatch.stop();
  expect(stage.received[0]!.body.data).toMatchObject({
    id: expect.any(Number),
    name: 'second.test',
    status: 'SUCCESS',
    region: 'local',
    clickTracking: false,
    openTracking: false,
    dmarcAdded: false,
    sesTenantId: null,
  });
  expect(stage.received[1]!.body.data).toEqual({ id: 'c1', email: 'ann@example.net' });
  // Redelivered, as after a crash.
  await stage.team.runtime.db.rows(
    sql`update svc_event set dispatched_at = null where workspace_id > 0 and topic = 'contact.created'`,
  );
  scheduleDueWork(stage.team.runtime.db, stage.team.main.ctx.workspace.id, EVENT_KIND);
  const again = await startDispatch(stage.team.runtime.db, stage.team.runtime.log);
  await pause(300);
  await again.stop();
  expect(await calls(hook.id)).toHaveLength(2);
});

test('reports a deleted domain with all of its fields', async () => {
  await stage.team.runtime.db.rows(sql`delete from svc_event where workspace_id > 0`);
  await make('eventTypes: [DOMAIN_CREATED, DOMAIN_DELETED]');
  const { id } = (
    await stage.team.ask('POST', '/api/v1/domains', { body: { name: 'leaving.test', region: 'local' } })
  ).json;
  const dispatch = await startDispatch(stage.team.runtime.db, stage.team.runtime.log);
  work();
  await expect.poll(types).toEqual(['domain.created']);
  await stage.team.ask('DELETE', `/api/v1/domains/${id}`);
  await expect.poll(types).toEqual(['domain.created', 'domain.deleted']);
  await dispatch.stop();
  const [created, deleted] = stage.received.map(({ body }) => body.data);
  expect(deleted).toEqual({ ...created, updatedAt: expect.stringMatching(/Z$/) });
});

test('filters by event type and by domain', async () => {
  const domainId = await stage.team.runtime.db.value<number>(
    sql`select id from svc_domain where workspace_id = ${stage.team.main.ctx.workspace.id} and name = 'main.test'`,
  );
  await addDomain(stage.team.main.ctx, 'third.test');
  const byKind = await make('eventTypes: [EMAIL_DELIVERED]', 'kind');
  const byDomain = await make(`domainIds: [${domainId}], eventTypes: [EMAIL_QUEUED]`, 'domain');
  work();
  const one = await sent();
  const two = await sent({ from: 'x@third.test' });
  for (const id of [one, two]) await untilEmail(stage.team, id, (row) => row.latest_status === 'DELIVERED');
  const loadEndedCalls = async () =>
    [...(await calls(byKind.id)), ...(await calls(byDomain.id))].filter(({ payload }) => payload);
  await expect.poll(async () => (await loadEndedCalls()).length).toBe(3);
  expect(stage.received).toHaveLength(3);
  expect((await calls(byKind.id)).map((call) => [call.type, call.payload?.data.id]).sort()).toEqual(
    [
      ['email.delivered', one],
      ['email.delivered', two],
    ].sort(),
  );
  expect((await calls(byDomain.id)).map((call) => call.payload?.data.id)).toEqual([one]);
});

test("sends no events to another workspace's webhook", async () => {
  const otherTenant = await stage.team.tenant('neighbor');
  await gql(`mutation { webhookCreate(url: "${stage.url}/other") { id secret } }`, otherTenant.admin.key);
  work();
  await sent();
  await pause(1200);
  expect(stage.received).toEqual([]);
  await expect(gql(`{ webhooks { nodes { id } } }`)).resolves.toEqual({ nodes: [] });
});

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
].map((kind) => `EMAIL_${kind.toUpperCase()}`);

test('accepts subscriptions to every type of email event', async () => {
  const { id } = await make(`eventTypes: [${emailEvents}]`);
  expect(id).toBeGreaterThan(0);
});
