import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { findDueWorkspaces, reschedule, scheduleDueWork } from '../../src/engine/work/due.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { setUpApp } from '../harness/app.ts';
import { until as eventually } from '../harness/wait.ts';
import { loadEmailRow, sendEmails, untilEmail } from './sending.ts';

const app = setUpApp();
let workspace: number;

beforeAll(async () => {
  workspace = app.main.ctx.workspace.id;
});

const findJob = (name: string) =>
  listScheduledJobs()
    .find((scheduledJob) => scheduledJob.name === name)!
    .run(app.runtime, {});

async function loadDue(kind: string): Promise<{ next: string; version: number } | undefined> {
  const [due] = await app.runtime.db.rows<{ next: string; version: number }>(
    sql`select next_at::text as next, version from svc_due where workspace_id = ${workspace} and kind = ${kind}`,
  );
  return due;
}

const isDue = async (kind: string): Promise<boolean> =>
  (await findDueWorkspaces(app.runtime.db, kind, 10)).some((due) => due.workspace_id === workspace);

async function recordNextRun(kind: string, next: string | null): Promise<void> {
  const [due] = (await findDueWorkspaces(app.runtime.db, kind, 10)).filter(
    (item) => item.workspace_id === workspace,
  );
  await reschedule(app.runtime.db, kind, due!, next);
}

test('sends an email without a due entry after the next sweep of its workspace', async () => {
  const worker = await app.deliver();
  const [id] = await sendEmails(app, app.main);
  await untilEmail(app, id!, (r) => r.state === 'sent');
  await app.runtime.db.rows(
    sql`update svc_email set state = 'queued', run_at = now() where workspace_id = ${workspace} and public_id = ${id}`,
  );
  await app.runtime.db.rows(
    sql`update svc_due set next_at = now() where workspace_id = ${workspace} and kind = 'sweep'`,
  );
  await findJob('due-sweep');
  await untilEmail(app, id!, (r) => r.state === 'sent');
  await worker.stop();
  const minutes = await app.runtime.db.value<number>(
    sql`select extract(epoch from next_at - now()) / 60 from svc_due
     where workspace_id = ${workspace} and kind = 'sweep'`,
  );
  expect(Number(minutes)).toBeGreaterThan(10);
});

test('serves other workspaces while claims for one workspace fail, and then retries them', async () => {
  const failingTenant = await app.tenant('failing');
  const { db } = app.runtime;
  const { rows } = db;
  let isFailing = true;
  onTestFinished(() => void Object.assign(db, { rows }));
  let failures = 0;
  const failSome: typeof rows = (statement, running) => {
    const { text, params } = statement.render();
    const fails =
      isFailing && text.includes('skip locked') && params.includes(failingTenant.ctx.workspace.id);
    if (!fails) return rows(statement, running);
    failures++;
    return Promise.reject(new Error('a node is down'));
  };
  Object.assign(db, { rows: failSome });
  const [waiting] = await sendEmails(app, failingTenant);
  const worker = await app.deliver();
  await eventually(() => failures > 0, 'a claim fails');
  const [id] = await sendEmails(app, app.main);
  await untilEmail(app, id!, (r) => r.state === 'sent');
  expect((await loadEmailRow(app, waiting!)).state).toBe('queued');
  isFailing = false;
  await untilEmail(app, waiting!, (r) => r.state === 'sent');
  await worker.stop();
});

test('schedules the first sweep of a workspace when it is created', async () => {
  const { ctx } = await app.tenant('swept');
  const due = await app.runtime.db.rows(
    sql`select 1 from svc_due where workspace_id = ${ctx.workspace.id} and kind = 'sweep'`,
  );
  expect(due).toHaveLength(1);
});

test('keeps a due entry that is added while a worker finds nothing to do', async () => {
  const { db } = app.runtime;
  scheduleDueWork(db, workspace, 'probe');
  await eventually(() => isDue('probe'), 'it is noted');
  const [due] = await findDueWorkspaces(db, 'probe', 1);
  scheduleDueWork(db, workspace, 'probe');
  await eventually(async () => (await loadDue('probe'))!.version > due!.version, 'it is noted again');
  await reschedule(db, 'probe', due!, null);
  expect(await isDue('probe')).toBe(true);
  await recordNextRun('probe', null);
  expect(await loadDue('probe')).toMatchObject({ next: 'infinity' });
});

test('skips due entries of rolled-back transactions and future due entries', async () => {
  const { db } = app.runtime;
  const undone = db.transaction(async (tx) => {
    scheduleDueWork(tx, workspace, 'undone');
    throw new Error('undone');
  });
  await expect(undone).rejects.toThrow('undone');
  scheduleDueWork(db, workspace, 'later', { at: '2099-01-01T00:00:00Z' });
  await eventually(async () => (await loadDue('later')) !== undefined, 'it is noted');
  expect(await loadDue('undone')).toBeUndefined();
  scheduleDueWork(db, workspace, 'later', { at: '2098-01-01T00:00:00Z' });
  await eventually(async () => (await loadDue('later'))!.next === '2098-01-01 00:00:00', 'the earlier time');
  scheduleDueWork(db, workspace, 'later', { at: '2099-01-01T00:00:00Z' });
  await eventually(async () => (await loadDue('later'))!.version === 2, 'it is noted again');
  expect(await loadDue('later')).toMatchObject({ next: '2098-01-01 00:00:00' });
});

test('combines due entries of concurrent sends', async () => {
  const before = (await loadDue('mail'))?.version ?? 0;
  const ids = (await Promise.all(Array.from({ length: 40 }, () => sendEmails(app, app.main)))).flat();
  await eventually(() => isDue('mail'), 'it is noted');
  expect((await loadDue('mail'))!.version - before).toBeLessThan(ids.length / 2);
  expect((await loadEmailRow(app, ids[0]!)).state).toBe('queued');
});

test('finds due workspaces with an index, no matter how many have future entries', async () => {
  const { db } = app.runtime;
  await db.rows(
    sql`insert into svc_due (workspace_id, kind, next_at)
     select 1000000 + g, 'mail', now() + interval '1 day' from generate_series(1, 20000) g`,
  );
  await db.rows(sql`analyze svc_due /* workspace_id */`);
  const plan = await db.rows<{ 'QUERY PLAN': string }>(
    sql`explain select d.workspace_id, d.version from svc_due d
     where d.workspace_id <> all('{}'::int[]) and d.kind = 'mail' and d.next_at <= now()::timestamp(3)
     order by d.next_at limit 64`,
  );
  expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('svc_due_kind_next_at_idx');
});
