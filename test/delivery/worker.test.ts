import { afterAll, beforeAll, expect, test } from 'vitest';
import { expire, reap } from '../../schema/send/claim.ts';
import { call } from '../../src/engine/call.ts';
import { type Ctx, createCtx } from '../../src/engine/ctx.ts';
import { type App, startApp, type Tenant } from '../harness/app.ts';
import { type SesStandin, startSes } from '../standins/ses.ts';

let ses: SesStandin;
let app: App;
let local: App;

beforeAll(async () => {
  ses = await startSes();
  process.env.AWS_ACCESS_KEY_ID = 'standin';
  process.env.AWS_SECRET_ACCESS_KEY = 'standin-secret';
  app = await startApp({ MAIL_TRANSPORT: 'ses', AWS_REGION: 'eu-west-1', AWS_SES_ENDPOINT: ses.url });
  await verify(app.main);
  local = await startApp();
});

afterAll(async () => {
  await app?.close();
  await local?.close();
  await ses?.close();
});

/** With SES a domain is verified by the mail backend; here the test stands in for it. */
const verify = (tenant: Tenant) =>
  tenant.ctx.db.rows(`update svc_domain set status = 'SUCCESS' where workspace_id = $1`, [
    tenant.ctx.workspace.id,
  ]);

async function teamCtx(on: App, tenant: Tenant): Promise<Ctx> {
  return createCtx(on.runtime, {
    ...(await on.runtime.identity.byKey(tenant.teamKey))!,
    channel: 'rest',
    requestId: 'test',
  });
}

async function send(on: App, tenant: Tenant, email: object = {}, count = 1): Promise<string[]> {
  const one = {
    to: ['someone@example.org'],
    from: `Sender <me@${tenant.domain}>`,
    subject: 'Subject',
    text: 'Body',
    ...email,
  };
  const ids: string[] = [];
  for (let left = count; left > 0; left -= 100) {
    const emails = Array.from({ length: Math.min(left, 100) }, () => one);
    ids.push(...(await call<string[]>(await teamCtx(on, tenant), 'emailsSend', { emails })));
  }
  return ids;
}

interface Row {
  state: string;
  latest_status: string;
  reason: string | null;
  provider_id: string | null;
  attempts: number;
}

async function row(on: App, id: string): Promise<Row> {
  const [found] = await on.runtime.db.rows<Row>(
    `select state, latest_status, reason, provider_id, attempts from svc_email where workspace_id > 0 and public_id = $1`,
    [id],
  );
  return found!;
}

async function until(on: App, id: string, wanted: (row: Row) => boolean, ms = 10_000): Promise<Row> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    const now = await row(on, id);
    if (wanted(now)) return now;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`it stayed ${JSON.stringify(await row(on, id))}`);
}

const events = (on: App, id: string) =>
  on.runtime.db.rows<{ status: string; data: { error?: string } }>(
    `select v.status, v.data from svc_email_event v join svc_email e on e.workspace_id = v.workspace_id and e.id = v.email_id where e.public_id = $1 order by v.id`,
    [id],
  );

test('an accepted email is delivered through the cloud provider with its envelope and MIME', async () => {
  ses.reset();
  const worker = await app.deliver();
  const [id] = await send(app, app.main, {
    cc: ['cc@example.org'],
    bcc: ['hidden@example.org'],
    html: '<b>Hi</b>',
    headers: { 'X-Mine': 'yes' },
  });
  const sent = await until(app, id!, (r) => r.state === 'sent');
  await worker.stop();
  expect(sent).toMatchObject({ latest_status: 'SENT', reason: null, attempts: 1 });
  const [message] = ses.accepted;
  expect(message!.messageId).toBe(sent.provider_id);
  expect([...message!.recipients].sort()).toEqual([
    'cc@example.org',
    'hidden@example.org',
    'someone@example.org',
  ]);
  const raw = message!.raw!.toString();
  expect(raw).toContain(`X-Atrium-Email-ID: ${id}`);
  expect(raw).toContain('X-Mine: yes');
  expect(raw).not.toContain('hidden@example.org');
  expect((await events(app, id!)).map((e) => e.status)).toEqual(['SENT']);
});

test('a definite no of the provider fails the email with the reason, and it is not tried again', async () => {
  ses.reset();
  const worker = await app.deliver();
  ses.set({ failures: { 'refused@example.org': { name: 'MessageRejected', message: 'not wanted' } } });
  const [id] = await send(app, app.main, { to: ['refused@example.org'] });
  const failed = await until(app, id!, (r) => r.state === 'failed');
  await worker.stop();
  expect(failed.latest_status).toBe('FAILED');
  expect(failed.reason).toContain('not wanted');
  expect(ses.posts()).toBe(1);
  expect((await events(app, id!))[0]).toMatchObject({ status: 'FAILED' });
});

test("the provider's rate is kept and nothing of a burst is lost", async () => {
  ses.reset();
  ses.set({ enforcePerSecond: 20 }, { MaxSendRate: 20 });
  const worker = await app.deliver();
  const started = performance.now();
  const ids = await send(app, app.main, {}, 50);
  for (const id of ids) await until(app, id, (r) => r.state === 'sent');
  const seconds = (performance.now() - started) / 1000;
  await worker.stop();
  expect(ses.accepted).toHaveLength(50);
  expect(ses.duplicates()).toEqual({});
  expect(seconds).toBeGreaterThan(1.5);
});

test.each(['hang-after', 'reset-after', 'error-500-after'] as const)(
  'an answer that is lost (%s) leaves the email unknown with the reason, and it is never sent again',
  async (behaviour) => {
    ses.reset();
    const worker = await app.deliver();
    ses.set({ behaviour, times: 1 });
    const [id] = await send(app, app.main, { to: [`${behaviour}@example.org`] });
    const unknown = await until(app, id!, (r) => r.state === 'unknown', 25_000);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    await worker.stop();
    expect(unknown.reason).toBeTruthy();
    expect(await row(app, id!)).toMatchObject({ state: 'unknown', attempts: 1 });
    expect(ses.posts()).toBe(1);
  },
);

test('the daily quota holds mail back with a visible reason instead of losing it', async () => {
  ses.reset();
  ses.set({ enforceDaily: true }, { Max24HourSend: 2, SentLast24Hours: 0 });
  const worker = await app.deliver();
  const ids = await send(app, app.main, {}, 4);
  await new Promise((resolve) => setTimeout(resolve, 2500));
  const rows = await Promise.all(ids.map((id) => row(app, id)));
  await worker.stop();
  expect(rows.filter((r) => r.state === 'sent')).toHaveLength(2);
  expect(rows.filter((r) => r.state === 'queued')).toHaveLength(2);
  expect(ses.accepted).toHaveLength(2);
  await app.runtime.db.rows(`delete from svc_email where workspace_id > 0 and state = 'queued'`);
});

test('a lease that ran out leaves mail at a provider unknown, and the local transport sends it after all', async () => {
  const [id] = await send(app, app.main);
  const [kept] = await send(local, local.main);
  for (const [on, email] of [
    [app, id],
    [local, kept],
  ] as const) {
    await on.runtime.db.rows(
      `update svc_email set state = 'sending', attempts = 1, lease_by = 'dead', lease_until = now() - interval '1 second' where workspace_id > 0 and public_id = $1`,
      [email],
    );
  }
  expect(await reap(app.runtime.db, false)).toBe(1);
  expect(await row(app, id!)).toMatchObject({ state: 'unknown' });
  expect((await row(app, id!)).reason).toBeTruthy();
  expect(await reap(local.runtime.db, true)).toBe(1);
  const worker = await local.deliver();
  await until(local, kept!, (r) => r.state === 'sent');
  await worker.stop();
});

test('mail that waited too long fails with the reason it waited for', async () => {
  const [id] = await send(local, local.main);
  await local.runtime.db.rows(
    `update svc_email set attempts = 3, reason = 'The provider is away.', create_date = now() - interval '4 days' where workspace_id > 0 and public_id = $1`,
    [id],
  );
  await expire(local.runtime.db);
  const failed = await row(local, id!);
  expect(failed).toMatchObject({ state: 'failed', latest_status: 'FAILED' });
  expect(failed.reason).toContain('The provider is away.');
});

test('a workspace with much waiting mail does not hold up one with a single email', async () => {
  const small = await local.tenant('small');
  await send(local, local.main, {}, 600);
  const [one] = await send(local, small);
  const worker = await local.deliver();
  await until(local, one!, (r) => r.state === 'sent');
  const [{ left }] = (await local.runtime.db.rows<{ left: number }>(
    `select count(*)::int as left from svc_email where workspace_id = $1 and state = 'queued'`,
    [local.main.ctx.workspace.id],
  )) as [{ left: number }];
  expect(left).toBeGreaterThan(300);
  for (let i = 0; i < 200 && (await queued()) > 0; i++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  await worker.stop();
  expect(await queued()).toBe(0);

  async function queued(): Promise<number> {
    const [row] = await local.runtime.db.rows<{ n: number }>(
      `select count(*)::int as n from svc_email where workspace_id > 0 and state <> 'sent' and run_at <= now() and state <> 'failed'`,
    );
    return row!.n;
  }
});

test('the simulator addresses produce their outcomes, and a bounced or complaining address is suppressed', async () => {
  const worker = await local.deliver();
  const outcomes = {
    'success@simulator.amazonses.com': 'DELIVERED',
    'bounce@simulator.amazonses.com': 'BOUNCED',
    'complaint@simulator.amazonses.com': 'COMPLAINED',
  };
  for (const [address, status] of Object.entries(outcomes)) {
    const [id] = await send(local, local.main, { to: [address] });
    const sent = await until(local, id!, (r) => r.state === 'sent');
    expect(sent.latest_status).toBe(status);
    expect((await events(local, id!)).map((e) => e.status)[0]).toBe('SENT');
  }
  const [again] = await send(local, local.main, { to: ['Bounce <BOUNCE@simulator.amazonses.com>'] });
  await worker.stop();
  expect(await row(local, again!)).toMatchObject({ state: 'suppressed', latest_status: 'SUPPRESSED' });
  expect((await events(local, again!)).map((e) => e.status)).toEqual(['SUPPRESSED']);
});

test('a suppressed recipient among others is left out and the others are written to', async () => {
  const worker = await local.deliver();
  const [id] = await send(local, local.main, {
    to: ['complaint@simulator.amazonses.com', 'fine@example.org'],
  });
  await until(local, id!, (r) => r.state === 'sent');
  await worker.stop();
  const [message] = await local.runtime.db.rows<{ recipients: string[] }>(
    `select o.recipients from svc_outbox o join svc_email e on e.workspace_id = o.workspace_id and e.id = o.email_id where e.public_id = $1`,
    [id],
  );
  expect(message!.recipients).toEqual(['fine@example.org']);
});

test('a scheduled email waits for its time', async () => {
  const worker = await local.deliver();
  const [id] = await send(local, local.main, { scheduledAt: new Date(Date.now() + 1500).toISOString() });
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await row(local, id!)).toMatchObject({ state: 'queued', latest_status: 'SCHEDULED' });
  await until(local, id!, (r) => r.state === 'sent');
  await worker.stop();
});
