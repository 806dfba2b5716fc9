import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { post, setUpApp } from '../harness/app.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { until } from '../harness/wait.ts';
import { setUpMailbox } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const SENDS = 36;
const BATCHES = 8;
const PER_BATCH = 25;

const app = setUpApp();
const mailbox = setUpMailbox(app);
let runningProcess: AppProcess;

beforeAll(async () => {
  runningProcess = await start();
});
afterAll(() => runningProcess?.end('SIGKILL'));

const start = () => startProcess(app.env);

const getWorkspaceId = () => app.main.ctx.workspace.id;

/** Returns null if the process died before it responded. */
async function callMethod(method: string, body: object): Promise<{ ok: boolean; error?: string } | null> {
  try {
    const answer = await post(
      `${runningProcess.url}/json/2/svc.mail.account/${method}`,
      body,
      app.main.user.key,
    );
    expect([method, answer.status]).toEqual([method, 200]);
    return answer.json();
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

test('files each message of an import once if the process is killed and the import is retried', async () => {
  const buildMessages = (batch: number) =>
    Array.from({ length: PER_BATCH }, (_, i) =>
      Buffer.from(
        `From: a@example.org\r\nMessage-ID: <${batch}.${i}@kill.example>\r\nSubject: Import\r\n\r\n${'x'.repeat(20_000)}\r\n`,
      ).toString('base64'),
    );
  let cutCount = 0;
  for (let batch = 0; batch < BATCHES; batch++) {
    const body = {
      account_id: mailbox.id,
      folder_id: mailbox.folders.archive,
      messages: buildMessages(batch),
    };
    const importCall = callMethod('import_messages', body);
    if (batch % 3 === 1) {
      await new Promise((resolve) => setTimeout(resolve, 15 * batch));
      await runningProcess.end('SIGKILL');
      runningProcess = await start();
    }
    if ((await importCall) !== null) continue;
    cutCount += 1;
    expect(await callMethod('import_messages', body)).toMatchObject({ ok: true });
  }
  expect(cutCount).toBeGreaterThan(0);
  const [row] = await app.runtime.db.rows<{ n: number; ids: number }>(
    sql`select count(*)::int as n, count(distinct c.message_id)::int as ids from svc_mail_entry e
     join svc_mail_message c on c.workspace_id = ${getWorkspaceId()} and c.id = e.content_id
     where e.workspace_id = ${getWorkspaceId()} and e.folder_id = ${mailbox.folders.archive}`,
  );
  expect(row).toEqual({ n: BATCHES * PER_BATCH, ids: BATCHES * PER_BATCH });
  expect(await findMiscounts(app)).toEqual([]);
}, 300_000);

test('sends a message and files its copy in Sent, or does neither, if the process is killed', async () => {
  const respondedIds = new Set<number>();
  let cutCount = 0;
  for (let first = 0; first < SENDS; first += 12) {
    const sendCalls = Array.from({ length: 12 }, (_, i) =>
      callMethod('compose_send', {
        account_id: mailbox.id,
        to: 'far@example.org',
        subject: `Send ${first + i}`,
        body: 'x',
      }),
    );
    await Promise.race(sendCalls);
    await runningProcess.end('SIGKILL');
    runningProcess = await start();
    for (const [i, response] of (await Promise.all(sendCalls)).entries())
      if (response?.ok) respondedIds.add(first + i);
      else cutCount += 1;
  }
  expect(cutCount).toBeGreaterThan(0);
  const loadSentEmails = () =>
    app.runtime.db.rows(
      sql`select 1 from svc_email where workspace_id = ${getWorkspaceId()} and state in ('queued', 'sending')`,
    );
  await until(async () => (await loadSentEmails()).length === 0, 'all that was taken is sent', 120_000);
  const rows = await app.runtime.db.rows<{ subject: string; copies: number; kept: number; state: string }>(
    sql`select m.subject, m.state,
       (select count(*)::int from svc_mail_entry e
         where e.workspace_id = ${getWorkspaceId()} and e.folder_id = ${mailbox.folders.sent} and e.email_id = m.id) as copies,
       (select count(*)::int from svc_outbox o where o.workspace_id = ${getWorkspaceId()} and o.email_id = m.id) as kept
     from svc_email m where m.workspace_id = ${getWorkspaceId()} and m.mailbox_id = ${mailbox.id}`,
  );
  expect(rows.filter(({ copies, kept, state }) => copies !== 1 || kept !== 1 || state !== 'sent')).toEqual(
    [],
  );
  const subjects = rows.map(({ subject }) => subject);
  expect(new Set(subjects).size).toBe(subjects.length);
  expect([...respondedIds].filter((i) => !subjects.includes(`Send ${i}`))).toEqual([]);
  const [copies] = await app.runtime.db.rows<{ n: number }>(
    sql`select count(*)::int as n from svc_mail_entry
     where workspace_id = ${getWorkspaceId()} and folder_id = ${mailbox.folders.sent}`,
  );
  expect(copies!.n).toBe(rows.length);
  expect(await findMiscounts(app)).toEqual([]);
}, 300_000);
