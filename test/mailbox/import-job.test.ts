import { afterAll, beforeAll, expect, test } from 'vitest';
import { MAX_UNFINISHED_JOBS } from '../../schema/mailbox/jobs/job-row.ts';
import { sql } from '../../src/db/sql.ts';
import { limits } from '../../src/limits.ts';
import { type App, startApp } from '../harness/app.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { until } from '../harness/wait.ts';
import { subscribe } from '../live/listen.ts';
import { type Dovecot, dovecot, PASSWORD, startDovecot } from '../standins/dovecot.ts';
import { cancelJob, loadJob, startImport, waitForJob } from './jobs.ts';
import { createSharedMailbox, loadMailbox, type Mailbox, queryGraphql } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const buildMail = (id: string, text = 'x') =>
  `From: a@example.org\r\nMessage-ID: <${id}@jobs>\r\nDate: Wed, 4 Mar 2020 10:00:00 +0000\r\nSubject: ${id}\r\n\r\n${text}\r\n`;
const buildMails = (name: string, count: number) =>
  Array.from({ length: count }, (_, i) => buildMail(`${name}${i}`));

dovecot.describe('with Dovecot', () => {
  let app: App;
  let mailbox: Mailbox;
  let server: Dovecot;
  let runningProcess: AppProcess | null = null;

  beforeAll(async () => {
    app = await startApp({ MAIL_IMPORT_ALLOW_PRIVATE: '1' });
    server = await startDovecot();
    mailbox = await loadMailbox(app.main.ctx, app.main.user.id);
    await server.append('INBOX', buildMails('inbox', 3), ['\\Seen']);
    await server.append('Sent', buildMails('sent', 2));
    await server.append('Work', [...buildMails('work', 90), buildMail('inbox1')]);
  });
  afterAll(async () => {
    await runningProcess?.end('SIGKILL');
    expect(await findMiscounts(app)).toEqual([]);
    await server?.end();
    await app?.close();
  });

  const buildConn = (overrides: object = {}) => ({
    host: 'localhost',
    port: server.tlsPort,
    username: 'alice',
    password: PASSWORD,
    ...overrides,
  });
  /** Returns the columns that contain the password in plain text, and the jobs that still contain it encrypted. */
  async function findSecrets() {
    const { db } = app.runtime;
    const tables = await db.rows<{ name: string }>(
      sql`select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace`,
    );
    const plain: string[] = [];
    for (const { name } of tables) {
      const { rows } = await db.pool.query(
        `select 1 from "${name}" t where strpos(t::text, '${PASSWORD}') > 0 limit 1`,
      );
      if (rows.length > 0) plain.push(name);
    }
    const count = await db.value<number>(
      sql`select count(*)::int from svc_mail_job
       where workspace_id = ${app.main.ctx.workspace.id} and sealed is not null`,
    );
    return { plain, sealed: count };
  }

  test('hides a waiting import from other users, and deletes its password when it is canceled', async () => {
    const { ok, jobId } = await startImport(app, mailbox, buildConn());
    expect(ok).toBe(true);
    expect(await loadJob(app, jobId)).toMatchObject({
      kind: 'IMPORT',
      state: 'WAITING',
      server: 'localhost',
      total: 0,
    });
    expect(await findSecrets()).toEqual({ plain: [], sealed: 1 });
    expect(await loadJob(app, jobId, app.main.admin.key)).toBeNull();
    const { data } = await queryGraphql(
      app,
      `mutation { mailJobCancel(jobId: ${jobId}) { ok } }`,
      {},
      app.main.admin.key,
    );
    expect(data.mailJobCancel.ok).toBe(false);
    expect(await cancelJob(app, jobId)).toEqual({ ok: true, error: null });
    expect(await loadJob(app, jobId)).toMatchObject({ state: 'CANCELLED', endedAt: expect.any(String) });
    expect(await findSecrets()).toEqual({ plain: [], sealed: 0 });
    expect((await cancelJob(app, jobId)).ok).toBe(false);
  });

  test('imports all folders, reports progress, and deletes the password afterwards', async () => {
    await app.doMailJobs();
    const query = 'subscription { mailJobChanged { kind record { state done } } }';
    const stream = await subscribe(app.url, { key: app.main.user.key, query });
    const { jobId } = await startImport(app, mailbox, buildConn());
    const job = await waitForJob(app, jobId);
    expect(job).toMatchObject({ state: 'DONE', total: 96, done: 95, skipped: 1, failed: 0, error: null });
    expect(job.folders).toEqual(
      expect.arrayContaining([
        { folder: 'INBOX', kind: 'inbox', messages: 3, done: 3, skipped: 0, failed: 0, isDone: true },
        { folder: 'Sent', kind: 'sent', messages: 2, done: 2, skipped: 0, failed: 0, isDone: true },
        { folder: 'Work', kind: 'folder', messages: 91, done: 90, skipped: 1, failed: 0, isDone: true },
      ]),
    );
    expect(await findSecrets()).toEqual({ plain: [], sealed: 0 });
    await until(
      () => stream.events.some((event) => JSON.stringify(event).includes('DONE')),
      'the end is heard of',
    );
    stream.close();
    const { data } = await queryGraphql(
      app,
      '{ mailJobs(where: { state: { eq: DONE } }) { totalCount nodes { id mailbox { id } } } }',
    );
    expect(data.mailJobs.nodes).toEqual([{ id: jobId, mailbox: { id: String(mailbox.id) } }]);
  });

  test('imports only the selected folders, and lists failures with their reasons', async () => {
    const box = await createSharedMailbox(app.main.ctx, [app.main.user.id], 'named');
    await server.append('Large', [buildMail('large', 'x'.repeat(26_300_000)), buildMail('small')]);
    const { jobId } = await startImport(app, box, buildConn(), [{ folder: 'Large', kind: 'archive' }]);
    const job = await waitForJob(app, jobId);
    expect(job).toMatchObject({ state: 'DONE', total: 2, done: 1, skipped: 0, failed: 1 });
    expect(job.failures).toEqual([{ folder: 'Large', uid: 1, error: 'It is larger than 25 MB.' }]);
    const { data } = await queryGraphql(app, `{ mailFolder(id: ${box.folders.archive}) { total } }`);
    expect(data.mailFolder.total).toBe(1);
  });

  test.each([
    ['a wrong password', () => buildConn({ password: 'wrong' }), null, 'auth_failed'],
    ['a missing folder', () => buildConn(), [{ folder: 'None' }], 'folder_missing'],
  ])('fails with the documented code: %s', async (_name, source, folders, code) => {
    const { jobId } = await startImport(app, mailbox, source(), folders);
    expect(await waitForJob(app, jobId)).toMatchObject({ state: 'FAILED', code, error: expect.any(String) });
  });

  test('keeps retrying an unreachable server, and reports the connection error', async () => {
    const { jobId } = await startImport(app, mailbox, buildConn({ port: 1 }));
    await until(async () => (await loadJob(app, jobId))?.code === 'connect_failed', 'it says why');
    expect(await loadJob(app, jobId)).toMatchObject({ state: 'RUNNING', endedAt: null });
    expect((await cancelJob(app, jobId)).ok).toBe(true);
  });

  test.each([
    [{ host: 'a b' }, null, 'bad_value'],
    [{}, [], 'bad_value'],
    [{}, [{ folder: 'INBOX' }, { folder: 'INBOX' }], 'bad_value'],
    [{}, [{ folder: 'INBOX', kind: 'other' }], 'bad_value'],
  ])('rejects an import with %j of the folders %j', async (overrides, folders, code) => {
    expect(await startImport(app, mailbox, buildConn(overrides), folders)).toMatchObject({
      ok: false,
      code,
      jobId: null,
    });
  });

  test("limits a user's unfinished jobs", async () => {
    const startedNames: string[] = [];
    let last = { ok: true, error: '', jobId: '' };
    for (let i = 0; i <= MAX_UNFINISHED_JOBS && last.ok; i++) {
      last = await startImport(app, mailbox, buildConn({ port: 1 }));
      if (last.ok) startedNames.push(last.jobId);
    }
    expect(last).toMatchObject({ ok: false, error: expect.stringMatching(/unfinished jobs/) });
    expect(startedNames).toHaveLength(MAX_UNFINISHED_JOBS);
    for (const id of startedNames) await cancelJob(app, id);
  });

  test('resumes an import after its process is killed', {
    tags: 'soak',
    timeout: 400_000,
  }, async () => {
    const killedApp = await startApp({ MAIL_IMPORT_ALLOW_PRIVATE: '1' });
    const box = await loadMailbox(killedApp.main.ctx, killedApp.main.user.id);
    for (const folder of ['A', 'B', 'C']) await server.append(folder, buildMails(folder, 300));
    const start = () =>
      startProcess({
        ...killedApp.env,
        MAIL_IMPORT_ALLOW_PRIVATE: '1',
        NODE_EXTRA_CA_CERTS: server.certificateFile,
        ROLE: 'worker',
      });
    const folders = ['A', 'B', 'C'].map((folder) => ({ folder }));
    const { jobId } = await startImport(killedApp, box, buildConn(), folders);
    for (const doneCount of [40, 350]) {
      runningProcess = await start();
      await until(
        async () => (await loadJob(killedApp, jobId))!.done >= doneCount,
        `${doneCount} are imported`,
      );
      await runningProcess.end('SIGKILL');
      expect(await loadJob(killedApp, jobId)).toMatchObject({ state: 'RUNNING', total: 900 });
    }
    runningProcess = await start();
    const job = await waitForJob(killedApp, jobId, 180_000);
    await runningProcess.end('SIGTERM');
    expect(job).toMatchObject({ state: 'DONE', total: 900, failed: 0 });
    // After the restart, the import skips a batch that was filed but not counted.
    expect(job.done + job.skipped).toBe(900);
    expect(job.skipped).toBeLessThanOrEqual(2 * limits.mail.imapBatch);
    const [filed] = await killedApp.runtime.db.rows<{ n: number; different: number }>(
      sql`select count(*)::int as n, count(distinct e.message_key)::int as different from svc_mail_entry e
       where e.workspace_id = ${killedApp.main.ctx.workspace.id} and e.account_id = ${box.id}`,
    );
    expect(filed).toEqual({ n: 900, different: 900 });
    expect(runningProcess.output()).not.toContain(PASSWORD);
    expect(await findMiscounts(killedApp)).toEqual([]);
    await killedApp.close();
  });
});
