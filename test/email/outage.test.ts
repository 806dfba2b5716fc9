import { beforeEach, expect, test } from 'vitest';
import { startDelivery } from '../../schema/email/queue/deliver.ts';
import { releaseExpiredLeases } from '../../schema/email/queue/expired-leases.ts';
import type { Db } from '../../src/db/db.ts';
import { type Sql, sql } from '../../src/db/sql.ts';
import type { StoppableWork } from '../../src/db/stoppable.ts';
import { createTransport } from '../../src/email/create-transport.ts';
import type { Transport } from '../../src/email/transport.ts';
import type { Runtime } from '../../src/engine/ctx/runtime.ts';
import { scheduleDueWork } from '../../src/engine/work/due.ts';
import { claimDue } from '../harness/due.ts';
import { buildMail } from '../harness/facades/rest.ts';
import { until as eventually, pause } from '../harness/wait.ts';
import {
  loadEmailRow,
  loseEmail,
  reportStatus,
  sendEmails,
  setUpSending,
  untilEmail,
  updateEmail,
  waitUntilPosted,
} from './sending.ts';

const { ses, app } = setUpSending();

beforeEach(() => {
  ses.reset();
  ses.set({}, { MaxSendRate: 1000 });
});

/** Creates the application's runtime with a database that can be made unavailable. */
function createCutOffRuntime(): { runtime: Runtime; setUnreachable: (is: boolean) => void } {
  let isDisconnected = false;
  const db: Runtime['db'] = {
    ...app.runtime.db,
    rows: (statement) =>
      isDisconnected ? Promise.reject(new Error('the database is away')) : app.runtime.db.rows(statement),
    transaction: (fn) =>
      isDisconnected ? Promise.reject(new Error('the database is away')) : app.runtime.db.transaction(fn),
  };
  return {
    runtime: { ...app.runtime, db },
    setUnreachable: (is) => {
      isDisconnected = is;
    },
  };
}

const never = { keep: () => Promise.reject(new Error('not the local transport')) };
const openTransport = (): Promise<Transport> => createTransport(app.runtime.config, never);

test('stores outcomes after a database outage longer than the lease, and sends nothing twice', async () => {
  const { runtime, setUnreachable } = createCutOffRuntime();
  const worker = startDelivery(runtime, await openTransport(), { leaseTime: 1_000 });
  ses.set({ delayMs: 200 });
  const [first] = await sendEmails(app, app.main);
  await waitUntilPosted(ses);
  setUnreachable(true);
  await pause(3_000);
  setUnreachable(false);
  const [second] = await sendEmails(app, app.main);
  await untilEmail(app, second!, (r) => r.state === 'sent');
  const email = await untilEmail(app, first!, (r) => r.state !== 'sending');
  await worker.stop();
  expect(email.state).toBe('unknown');
  expect(ses.duplicates()).toEqual({});
});

test('loses no outcome in an outage shorter than the lease', async () => {
  const { runtime, setUnreachable } = createCutOffRuntime();
  const worker = startDelivery(runtime, await openTransport(), { leaseTime: 60_000 });
  ses.set({ delayMs: 200 });
  const [id] = await sendEmails(app, app.main);
  await waitUntilPosted(ses);
  setUnreachable(true);
  await pause(1000);
  setUnreachable(false);
  await untilEmail(app, id!, (r) => r.state === 'sent');
  await worker.stop();
  expect(ses.posts()).toBe(1);
});

test('stops a worker without an error during a database outage', async () => {
  const { runtime, setUnreachable } = createCutOffRuntime();
  const worker = startDelivery(runtime, await openTransport(), { leaseTime: 500 });
  ses.set({ delayMs: 200 });
  const [id] = await sendEmails(app, app.main);
  await waitUntilPosted(ses);
  setUnreachable(true);
  await expect(worker.stop()).resolves.toBeUndefined();
  await eventually(() => releaseExpiredLeases(app.runtime.db, false, []), 'its lease runs out');
  expect(await loadEmailRow(app, id!)).toMatchObject({ state: 'unknown' });
});

/** Creates the application's runtime with a database whose responses are lost while `isLost` returns true. */
function createLosingRuntime(isLost: (statement: string) => boolean): Runtime {
  const { db } = app.runtime;
  const readRows = async <R>(statement: Sql): Promise<R[]> => {
    const result = await db.rows<R>(statement);
    if (result.length > 0 && isLost(statement.render().text)) throw buildCutError();
    return result;
  };
  return { ...app.runtime, db: { ...db, rows: readRows } };
}

const isClaim = (statement: string) => statement.includes(', claimed as (');
const isOutcome = (statement: string) => statement.includes('given as (');

test('sends emails long before the lease ends if the claim response was lost', {
  tags: 'slow',
}, async () => {
  let lostCount = 0;
  const runtime = createLosingRuntime((statement) => isClaim(statement) && ++lostCount === 1);
  const worker = startDelivery(runtime, await openTransport(), { leaseTime: 600_000 });
  const ids = await sendEmails(app, app.main, {}, 3);
  for (const id of ids) await untilEmail(app, id, (r) => r.state === 'sent');
  await worker.stop();
  expect(lostCount).toBeGreaterThan(0);
  expect(ses.duplicates()).toEqual({});
});

test('sends claimed emails even if the database fails before the claim completes', async () => {
  const { db } = app.runtime;
  let [isClaimed, cutOffs] = [false, 0];
  const readRows: Runtime['db']['rows'] = async (statement) => {
    const { text, params } = statement.render();
    if (isClaimed && params.includes('bulk')) {
      cutOffs++;
      throw buildCutError();
    }
    const result = await db.rows(statement);
    if (isClaim(text) && result.length > 0) isClaimed = true;
    return result as never;
  };
  const [id] = await sendEmails(app, app.main);
  const worker = startDelivery({ ...app.runtime, db: { ...db, rows: readRows } }, await openTransport(), {
    leaseTime: 600_000,
  });
  await untilEmail(app, id!, (r) => r.state === 'sent');
  await worker.stop();
  expect(cutOffs).toBeGreaterThan(0);
  expect(ses.duplicates()).toEqual({});
});

test('keeps emails in flight or in a pending write when a claim is lost', {
  tags: 'slow',
}, async () => {
  let [lost, unwritten] = [0, 0];
  const runtime = createLosingRuntime((statement) => isClaim(statement) && ++lost === 1);
  const { db } = runtime;
  const transaction: Runtime['db']['transaction'] = (fn) =>
    db.transaction((tx) => {
      const rows: Db['rows'] = (statement) =>
        isOutcome(statement.render().text) && ++unwritten < 8
          ? Promise.reject(new Error('the database is away'))
          : tx.rows(statement);
      return fn({ ...tx, rows });
    });
  ses.set({ delayMs: 1_000 });
  const worker = startDelivery({ ...runtime, db: { ...db, transaction } }, await openTransport(), {
    leaseTime: 600_000,
  });
  const [id] = await sendEmails(app, app.main);
  await untilEmail(app, id!, (r) => r.state === 'sent');
  await worker.stop();
  expect([lost > 0, unwritten]).toEqual([true, 8]);
  expect(ses.posts()).toBe(1);
});

const buildCutError = () => new Error('Connection terminated unexpectedly');

const loadStates = (subject: string) =>
  app.runtime.db.rows<{ state: string }>(
    sql`select state from svc_email where workspace_id > 0 and subject = ${subject}`,
  );

test('sends an email even if the response to its acceptance is lost', async () => {
  const worker = startDelivery(app.runtime, await openTransport());
  const { db } = app.runtime;
  const { rows } = db;
  db.rows = async <R>(statement: Sql, running?: StoppableWork): Promise<R[]> => {
    const result = await rows<R>(statement, running);
    if (statement.render().text.includes('insert into svc_email ')) throw buildCutError();
    return result;
  };
  try {
    expect((await app.send(buildMail({ subject: 'Lost' }))).status).toBe(500);
  } finally {
    db.rows = rows;
  }
  await eventually(async () => (await loadStates('Lost'))[0]?.state === 'sent', 'it is sent');
  await worker.stop();
});

test('sends an email even if the response to the commit that makes it due is lost', async () => {
  const { db } = app.runtime;
  const worker = startDelivery(app.runtime, await openTransport());
  const [id] = await sendEmails(app, app.main, { scheduledAt: '2099-01-01T10:00:00Z' });
  const client = await db.pool.connect();
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  const queryThenCut = async (...args: unknown[]) => {
    await query(...args);
    if (String(args[0]).endsWith('commit')) throw buildCutError();
  };
  Object.assign(client, {
    query: (...args: unknown[]) => (args.length === 1 ? queryThenCut(...args) : query(...args)),
  });
  const { connect } = db.pool;
  db.pool.connect = (() => Promise.resolve(client)) as never;
  const change = db.transaction(async (tx) => {
    await tx.rows(sql`update svc_email set run_at = now() where workspace_id > 0 and public_id = ${id}`);
    scheduleDueWork(tx, app.main.ctx.workspace.id, 'mail');
  });
  db.pool.connect = connect;
  await expect(change).rejects.toThrow('Connection terminated');
  await untilEmail(app, id!, (r) => r.state === 'sent');
  await worker.stop();
});

/** Creates a provider that responds on demand. */
function createSilentTransport(): { transport: Transport; countRequests: () => number; answer: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  let requestCount = 0;
  const transport: Transport = {
    name: 'ses',
    limits: async () => null,
    close: async () => {},
    async send() {
      requestCount++;
      await promise;
      return { kind: 'sent', providerId: 'x' };
    },
  };
  return { transport, countRequests: () => requestCount, answer: resolve };
}

test('renews a lease while the send is in progress', { tags: 'slow' }, async () => {
  const provider = createSilentTransport();
  const worker = startDelivery(app.runtime, provider.transport, { leaseTime: 3_000 });
  const [id] = await sendEmails(app, app.main);
  await eventually(provider.countRequests, 'it is with the provider');
  const lease = await app.runtime.db.value<string>(
    sql`select lease_until::text from svc_email where workspace_id > 0 and public_id = ${id}`,
  );
  const isLeaseOver = () => app.runtime.db.value<boolean>(sql`select now() > ${lease}::timestamp`);
  while (!(await isLeaseOver())) {
    await pause(100);
    expect(await releaseExpiredLeases(app.runtime.db, false, [])).toBe(0);
  }
  provider.answer();
  expect(await untilEmail(app, id!, (r) => r.state === 'sent')).toMatchObject({ attempts: 1 });
  await worker.stop();
  expect(provider.countRequests()).toBe(1);
});

test('records the outcome of an email that was considered lost while its worker was disconnected', async () => {
  const provider = createSilentTransport();
  const worker = startDelivery(app.runtime, provider.transport, { leaseTime: 60_000 });
  const [id] = await sendEmails(app, app.main);
  await eventually(provider.countRequests, 'it is with the provider');
  await updateEmail(app, id!, `lease_until = now() - interval '1 second'`);
  await releaseExpiredLeases(app.runtime.db, false, []);
  expect(await loadEmailRow(app, id!)).toMatchObject({ state: 'unknown', latest_status: 'DELIVERY_DELAYED' });
  provider.answer();
  const sentRow = await untilEmail(app, id!, (r) => r.state === 'sent');
  await worker.stop();
  expect(sentRow).toMatchObject({ latest_status: 'SENT', reason: null });
});

test("limits concurrent sends to the transport's capacity and requeues waiting emails on stop", async () => {
  let runningCount = 0;
  let peak = 0;
  let startedCount = 0;
  const narrow: Transport = {
    name: 'smtp',
    concurrency: 3,
    limits: async () => null,
    close: async () => {},
    async send() {
      startedCount++;
      peak = Math.max(peak, ++runningCount);
      await pause(30);
      runningCount--;
      return { kind: 'sent', providerId: 'x' };
    },
  };
  const worker = startDelivery(app.runtime, narrow);
  const ids = await sendEmails(app, app.main, {}, 20);
  for (const id of ids) await untilEmail(app, id, (r) => r.state === 'sent');
  await worker.stop();
  expect(peak).toBe(3);

  const slow = { ...narrow, limits: async () => ({ perSecond: 1, perDay: -1, sentLast24h: 0 }) };
  const next = startDelivery(app.runtime, slow);
  const waiting = await sendEmails(app, app.main, {}, 6);
  await untilEmail(app, waiting[0]!, (r) => r.state === 'sent');
  const before = startedCount;
  await next.stop();
  expect(startedCount).toBe(before);
  const states = await Promise.all(waiting.map(async (id) => (await loadEmailRow(app, id)).state));
  expect(new Set(states)).toEqual(new Set(['sent', 'queued']));
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0 and state = 'queued'`);
});

async function sendLost(): Promise<string> {
  const [id] = await sendEmails(app, app.main);
  await loseEmail(app, id!);
  return id!;
}

test.each([
  ['SENT', 'sent'],
  ['DELIVERED', 'sent'],
  ['BOUNCED', 'sent'],
  ['REJECTED', 'failed'],
] as const)('resolves an unknown outcome on the provider event %s as %s', async (status, state) => {
  const id = await sendLost();
  expect((await loadEmailRow(app, id)).state).toBe('unknown');
  await reportStatus(app, id, status);
  expect(await loadEmailRow(app, id)).toMatchObject({ state, latest_status: status });
  if (state === 'sent') expect((await loadEmailRow(app, id)).reason).toBeNull();
});

test('finds due mail of a workspace behind a thousand workspaces with only scheduled mail', async () => {
  const { db } = app.runtime;
  const insert = `insert into svc_email (id, workspace_id, public_id, "from", "to", subject, text, run_at)`;
  const id = `nextval('svc_email_id_seq')`;
  await db.rows(
    sql`insert into workspace (slug, name) select 'planned' || g, 'planned' from generate_series(1, 1200) g`,
  );
  await db.rows(
    sql.given(
      `${insert} select ${id}, w.id, 'planned' || w.id || '-' || n, 'a@b.test', '{c@d.test}', 's', 't', now() + interval '1 day'
     from workspace w cross join generate_series(1, 3) n where w.slug like 'planned%'`,
      [],
    ),
  );
  const [last] = await db.rows<{ id: number }>(
    sql`insert into workspace (slug, name) values ('due', 'due') returning id`,
  );
  await db.rows(
    sql.given(`${insert} values (${id}, $1, 'due1', 'a@b.test', '{c@d.test}', 's', 't', now())`, [last!.id]),
  );
  const startTime = performance.now();
  const want = { worker: 'w', limit: 32, leaseTime: 60_000 };
  const claimedEmails = await claimDue(db, want);
  expect(claimedEmails.map((email) => email.public_id)).toEqual(['due1']);
  expect(performance.now() - startTime).toBeLessThan(10_000);
  expect(await claimDue(db, want)).toEqual([]);
  await db.rows(sql`delete from workspace where slug like 'planned%' or slug = 'due'`);
});
