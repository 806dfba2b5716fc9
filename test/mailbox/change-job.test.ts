import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAIL_JOB_KIND } from '../../schema/mailbox/jobs/job-row.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp, startApp } from '../harness/app.ts';
import { advanceDue } from '../harness/due.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { setUp } from '../harness/set-up.ts';
import { until } from '../harness/wait.ts';
import { cancelJob, loadJob, runMutation, waitForJob } from './jobs.ts';
import { callMailOk, createSharedMailbox, fileMany, fileMessage, loadMailbox } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';
import { seedMailbox } from './seed.ts';

const app = setUpApp();
const mailbox = setUp(() => createSharedMailbox(app.main.ctx, [app.main.user.id]));
let runningProcess: AppProcess | null = null;

beforeAll(async () => {
  const dates = Array.from({ length: 2_500 }, (_, i) => new Date(Date.UTC(2026, 0, 1 + (i % 300))));
  await fileMany(app.main.ctx, mailbox.id, mailbox.folders.inbox, dates);
  await app.doMailJobs();
});
afterAll(() => runningProcess?.end('SIGKILL'));

const startChange = (args: string, targetApp = app): Promise<{ ok: boolean; error: string; jobId: string }> =>
  runMutation(targetApp, `mailChangeFoundStart(${args}) { ok error jobId }`);
const changeInbox = (args: string) => startChange(`folderId: ${mailbox.folders.inbox}, ${args}`);

test('changes nothing if the expected number of messages is wrong, and reports the actual number', async () => {
  const { jobId } = await changeInbox('expectCount: 2499, vals: { archive: true }');
  const job = await waitForJob(app, jobId);
  expect(job).toMatchObject({ kind: 'CHANGE', state: 'FAILED', total: 2_500, done: 0 });
  expect(job.error).toMatch(/2500 messages, but 2499 were expected/);
  expect(await findMiscounts(app)).toEqual([]);
});

test('flags, labels and moves all messages in a list, and keeps the counters correct', async () => {
  const { label_id } = await callMailOk(app, 'create_label', { account_id: mailbox.id, name: 'Old' });
  const change = `vals: { isRead: true }, addLabelIds: [${label_id}], toFolderId: ${mailbox.folders.archive}`;
  const { jobId } = await changeInbox(`expectCount: 2500, ${change}`);
  expect(await waitForJob(app, jobId)).toMatchObject({
    state: 'DONE',
    total: 2_500,
    done: 2_500,
    skipped: 0,
  });
  const [row] = await app.runtime.db.rows(
    sql`select (select total from svc_mail_label
         where workspace_id = ${app.main.ctx.workspace.id} and id = ${label_id}),
       f.total as archived, f.unread from svc_mail_folder f
     where f.workspace_id = ${app.main.ctx.workspace.id} and f.id = ${mailbox.folders.archive}`,
  );
  expect(row).toEqual({ total: 2_500, archived: 2_500, unread: 0 });
  expect(await findMiscounts(app)).toEqual([]);
});

test('changes only the messages found by a search', async () => {
  const words = ['word', 's:party'];
  const entry = await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox, {
    subject: 'party',
    words,
  });
  await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox, {
    subject: 'work',
    words: ['word', 's:work'],
  });
  const { jobId } = await changeInbox('search: "subject:party", expectCount: 1, vals: { trash: true }');
  expect(await waitForJob(app, jobId)).toMatchObject({ state: 'DONE', total: 1, done: 1 });
  const rows = await app.runtime.db.rows<{ id: number }>(
    sql`select id from svc_mail_entry
     where workspace_id = ${app.main.ctx.workspace.id} and folder_id = ${mailbox.folders.trash}`,
  );
  expect(rows).toEqual([{ id: entry.id }]);
});

test('rejects an empty change immediately, and an invalid search in the job', async () => {
  expect(await changeInbox('expectCount: 1')).toMatchObject({
    ok: false,
    error: expect.stringMatching(/^Specify what/),
  });
  const { jobId } = await changeInbox('search: "foo:bar", expectCount: 0, vals: { trash: true }');
  expect(await waitForJob(app, jobId)).toMatchObject({
    state: 'FAILED',
    error: expect.stringMatching(/^search: /),
  });
});

test('retries a failed batch later, and counts it once when it succeeds', async () => {
  const { db } = app.runtime;
  const words = ['word', 's:stuck'];
  const stuck = await fileMessage(app.main.ctx, mailbox.id, mailbox.folders.inbox, {
    subject: 'stuck',
    words,
  });
  await db.rows(
    sql`create function fails() returns trigger language plpgsql as 'begin raise exception ''no''; end'`,
  );
  await db.rows(
    sql`create trigger fails before update on svc_mail_entry for each row
     when (old.workspace_id = ${sql.literal(app.main.ctx.workspace.id)} and old.id = ${sql.literal(stuck.id)}) execute function fails()`,
  );
  const { jobId } = await changeInbox('search: "subject:stuck", expectCount: 1, vals: { trash: true }');
  const loadAttempts = async () => {
    const [row] = await db.rows<{ attempts: number; turn: number; lease: string | null }>(
      sql`select attempts, turn, lease from svc_mail_job
       where workspace_id = ${app.main.ctx.workspace.id} and id = ${Number(jobId)}`,
    );
    return row!;
  };
  const hasFailedTwice = async () => {
    const { attempts, lease } = await loadAttempts();
    return attempts >= 2 && lease === null;
  };
  await until(hasFailedTwice, 'it has failed twice');
  expect((await loadAttempts()).turn).toBeLessThan(5);
  await db.rows(sql`drop function fails cascade`);
  const skipDelay = async () => {
    await advanceDue(db, 'svc_mail_job', MAIL_JOB_KIND, 10_000);
    return (await loadAttempts()).lease !== null || (await loadJob(app, jobId))?.endedAt != null;
  };
  await until(skipDelay, 'it is attempted again');
  expect(await waitForJob(app, jobId)).toMatchObject({ state: 'DONE', total: 1, done: 1, skipped: 0 });
});

test('does not run the job of a former mailbox member', async () => {
  const quietApp = await startApp();
  const otherMailbox = await createSharedMailbox(quietApp.main.ctx, [quietApp.main.user.id], 'left');
  await fileMessage(quietApp.main.ctx, otherMailbox.id, otherMailbox.folders.inbox);
  const { jobId } = await startChange(
    `folderId: ${otherMailbox.folders.inbox}, expectCount: 1, vals: { trash: true }`,
    quietApp,
  );
  const { id } = quietApp.main.ctx.workspace;
  await quietApp.runtime.db.rows(
    sql`delete from svc_mail_member where workspace_id = ${id} and account_id = ${otherMailbox.id}`,
  );
  await quietApp.doMailJobs();
  const readState = async () => {
    const [row] = await quietApp.runtime.db.rows<{ state: string; done: number }>(
      sql`select state, done from svc_mail_job where workspace_id = ${id} and id = ${Number(jobId)}`,
    );
    return row!;
  };
  await until(async () => (await readState()).state === 'failed', 'it fails');
  expect((await readState()).done).toBe(0);
  expect(await loadJob(quietApp, jobId)).toBeNull();
  await quietApp.close();
});

test('changes each of more than 15,000 messages once, even if the process is killed repeatedly', {
  tags: 'soak',
  timeout: 600_000,
}, async () => {
  const killedApp = await startApp();
  const box = await loadMailbox(killedApp.main.ctx, killedApp.main.user.id);
  const workspace = killedApp.main.ctx.workspace.id;
  await seedMailbox((text, values) => killedApp.runtime.db.pool.query(text, values), {
    workspace,
    account: box.id,
    count: 40_000,
    days: 900,
  });
  await killedApp.runtime.db.rows(
    sql`update svc_mail_clock c set used_bytes = e.bytes
     from (select sum(m.size) as bytes from svc_mail_entry e
       join svc_mail_message m on m.workspace_id = ${workspace} and m.id = e.content_id
       where e.workspace_id = ${workspace} and e.account_id = ${box.id}) e
     where c.workspace_id = ${workspace} and c.account_id = ${box.id}`,
  );
  const start = () => startProcess({ ...killedApp.env, ROLE: 'worker' });
  const search = `folderId: ${box.folders.inbox}, search: "vintage in:anywhere"`;
  const job = await startChange(`${search}, expectCount: 0, toFolderId: ${box.folders.spam}`, killedApp);
  runningProcess = await start();
  const { total } = await waitForJob(killedApp, job.jobId);
  await runningProcess.end('SIGTERM');
  expect(total).toBeGreaterThan(15_000);
  const change = `${search}, expectCount: ${total}, toFolderId: ${box.folders.archive}, vals: { isStarred: true }`;
  const { jobId } = await startChange(change, killedApp);
  for (const doneCount of [1_000, 5_000]) {
    runningProcess = await start();
    await until(async () => (await loadJob(killedApp, jobId))!.done >= doneCount, `${doneCount} are changed`);
    await runningProcess.end('SIGKILL');
    expect(await findMiscounts(killedApp)).toEqual([]);
  }
  expect(await loadJob(killedApp, jobId)).toMatchObject({ state: 'RUNNING', total });
  runningProcess = await start();
  expect(await waitForJob(killedApp, jobId, 180_000)).toMatchObject({
    state: 'DONE',
    total,
    done: total,
    skipped: 0,
  });
  const [row] = await killedApp.runtime.db.rows<{ n: number; parts: number }>(
    sql`select count(*)::int as n,
       (select count(*)::int from svc_mail_job_part where workspace_id = ${workspace}) as parts
     from svc_mail_entry e join svc_mail_search s on s.workspace_id = ${workspace} and s.entry_id = e.id
     where e.workspace_id = ${workspace} and e.folder_id = ${box.folders.archive} and e.is_starred
       and s.words @@ 'vintage'`,
  );
  expect(row).toEqual({ n: total, parts: 0 });
  expect(await findMiscounts(killedApp)).toEqual([]);

  const secondJob = await startChange(
    `${search}, expectCount: ${total}, vals: { isStarred: false }`,
    killedApp,
  );
  await until(async () => (await loadJob(killedApp, secondJob.jobId))!.done >= 1_000, 'some are changed');
  await cancelJob(killedApp, secondJob.jobId);
  const cancelledView = (await loadJob(killedApp, secondJob.jobId))!;
  expect(cancelledView).toMatchObject({ state: 'CANCELLED', total });
  await runningProcess.end('SIGTERM');
  expect((await loadJob(killedApp, secondJob.jobId))!.done).toBe(cancelledView.done);
  expect(cancelledView.done).toBeLessThan(total!);
  expect(await findMiscounts(killedApp)).toEqual([]);
  await killedApp.close();
});
