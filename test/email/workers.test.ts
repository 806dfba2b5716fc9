import { afterAll, beforeEach, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { createWorkerHeartbeat } from '../../src/engine/work/worker-heartbeat.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { until as eventually, pause } from '../harness/wait.ts';
import { watchDepartures } from './departures.ts';
import { buildSesEnv, loadEmailRow, sendEmails, setUpSending, untilEmail } from './sending.ts';

const { ses, app } = setUpSending();
let otherProcess: AppProcess | null = null;

beforeEach(async () => {
  ses.reset();
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
});
afterAll(() => otherProcess?.end('SIGKILL'));

const count = (where: string): Promise<number> =>
  app.runtime.db.value<number>(
    sql.given(`select count(*)::int from svc_email where workspace_id > 0 and ${where}`, []),
  );

const countWorkers = async (): Promise<number> =>
  (await app.runtime.db.rows(sql`select 1 from svc_worker where kind = 'mail'`)).length;

test('keeps to the rate with two idle workers from the first second of a burst', async () => {
  ses.set({}, { MaxSendRate: 20 });
  const departures = watchDepartures();
  const start = async () => app.deliver({ transport: await departures.transport(app) });
  const workers = [await start(), await start()];
  await eventually(async () => (await countWorkers()) === 2, 'both are known');
  await pause(3_000);
  await sendEmails(app, app.main, {}, 60);
  await eventually(() => ses.accepted.length === 60, 'all are sent');
  for (const worker of workers) await worker.stop();
  expect(departures.getMaxPerSecond()).toBeLessThanOrEqual(20);
  expect(await countWorkers()).toBe(0);
});

test('shares the rate with a worker that joins a busy one', async () => {
  ses.set({}, { MaxSendRate: 20 });
  const departures = watchDepartures();
  const start = async () => app.deliver({ transport: await departures.transport(app) });
  const first = await start();
  await sendEmails(app, app.main, {}, 140);
  await eventually(() => ses.accepted.length >= 20, 'it sends');
  const second = await start();
  await eventually(() => ses.accepted.length === 140, 'all are sent');
  await first.stop();
  await second.stop();
  expect(departures.getMaxPerSecond()).toBeLessThanOrEqual(20);
});

test("takes over a killed worker's mail and rate share within 15 seconds", async () => {
  ses.set({ delayMs: 600_000 }, { MaxSendRate: 100 });
  otherProcess = await startProcess({ ...buildSesEnv(ses), ROLE: 'worker', ...app.env });
  const [id] = await sendEmails(app, app.main);
  await untilEmail(app, id!, (r) => r.state === 'sending');
  const survivor = await app.deliver();
  await eventually(async () => (await countWorkers()) === 2, 'both are known');
  await pause(2_500);
  await otherProcess.end('SIGKILL');
  const killed = Date.now();
  await eventually(
    async () => (await loadEmailRow(app, id!)).state === 'unknown',
    'it is taken over',
    15_000,
  );
  expect(Date.now() - killed).toBeLessThan(15_000);
  await eventually(
    async () => (await countWorkers()) === 1,
    'it is forgotten',
    15_000 - (Date.now() - killed),
  );
  ses.reset();
  ses.set({}, { MaxSendRate: 100 });
  await survivor.stop();
  expect(await count(`lease_until is not null`)).toBe(0);
});

test('does not declare other workers dead after losing its own connection', async () => {
  const { db } = app.runtime;
  let now = 0;
  const heartHeartbeat = createWorkerHeartbeat(db, 'judge', 'probe', () => now);
  await db.rows(
    sql`insert into svc_worker (id, kind, seen_at) values ('silent', 'probe', now() - interval '1 minute')`,
  );
  expect(await heartHeartbeat.send()).toEqual({ alive: 0, dead: [] });
  for (now = 1_000; now < 8_000; now += 1_000) expect((await heartHeartbeat.send()).dead).toEqual([]);
  expect((await heartHeartbeat.send()).dead).toEqual(['silent']);
  now += 20_000;
  expect((await heartHeartbeat.send()).dead).toEqual([]);
  await heartHeartbeat.removeDead(['silent']);
  await heartHeartbeat.end();
  expect(await db.rows(sql`select id from svc_worker where kind = 'probe'`)).toEqual([]);
});
