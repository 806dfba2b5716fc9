import { afterAll, beforeAll, expect, test } from 'vitest';
import { OUTGOING_KIND } from '../../schema/mailbox/compose/outgoing.ts';
import { OUTGOING_LEASE_MS } from '../../schema/mailbox/compose/send-due.ts';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { advanceDue } from '../harness/due.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { until } from '../harness/wait.ts';
import { queryGraphql, setUpMailbox } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const MESSAGES = 40;

const app = setUpApp();
const mailbox = setUpMailbox(app);
let runningProcess: AppProcess | null = null;

beforeAll(async () => {
  await app.runtime.db.rows(
    sql`update svc_mail_account set address = replace(address, 'main.localhost', 'main.test')
     where workspace_id = ${app.main.ctx.workspace.id}`,
  );
});
afterAll(() => runningProcess?.end('SIGKILL'));

const start = () => startProcess({ ...app.env, ROLE: 'worker' });

const SEND_LATER = `mutation ($accountId: ID!, $letter: MailLetterInput!) {
  mailSendLater(accountId: $accountId, letter: $letter, undoSeconds: 1) { ok error } }`;

test('sends a scheduled message once, even if the sending process is killed repeatedly', async () => {
  for (let i = 0; i < MESSAGES; i++) {
    const message = { to: 'ann@example.org', subject: `Later ${i}`, body: 'x' };
    const response = await queryGraphql(app, SEND_LATER, { accountId: mailbox.id, letter: message });
    expect(response.data.mailSendLater).toEqual({ ok: true, error: null });
  }
  const workspace = app.main.ctx.workspace.id;
  const readCount = async (): Promise<{
    left: number;
    copies: number;
    subjects: number;
    emails: number;
    out: number;
  }> =>
    (
      await app.runtime.db.rows<{
        left: number;
        copies: number;
        subjects: number;
        emails: number;
        out: number;
      }>(
        sql`select
           (select count(*)::int from svc_mail_outgoing where workspace_id = ${workspace}) as left,
           (select count(*)::int from svc_mail_entry
             where workspace_id = ${workspace} and folder_id = ${mailbox.folders.sent}) as copies,
           (select count(distinct c.subject)::int from svc_mail_entry e
             join svc_mail_message c on c.workspace_id = ${workspace} and c.id = e.content_id
             where e.workspace_id = ${workspace} and e.folder_id = ${mailbox.folders.sent}) as subjects,
           (select count(*)::int from svc_email where workspace_id = ${workspace} and mailbox_id = ${mailbox.id}) as emails,
           (select count(*)::int from svc_outbox where workspace_id = ${workspace}) as out`,
      )
    )[0]!;
  for (const sent of [3, 15]) {
    runningProcess = await start();
    await until(async () => (await readCount()).copies >= sent, `${sent} are sent`);
    await runningProcess.end('SIGKILL');
  }
  // The leases of the killed processes must expire first.
  await advanceDue(app.runtime.db, 'svc_mail_outgoing', OUTGOING_KIND, OUTGOING_LEASE_MS);
  runningProcess = await start();
  await until(async () => (await readCount()).out >= MESSAGES, 'all are sent', 180_000);
  const all = { left: 0, copies: MESSAGES, subjects: MESSAGES, emails: MESSAGES, out: MESSAGES };
  expect(await readCount()).toEqual(all);
  expect(await findMiscounts(app)).toEqual([]);
}, 600_000);
