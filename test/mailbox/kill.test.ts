import { createTransport } from 'nodemailer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { setUpApp } from '../harness/app.ts';
import { type AppProcess, findFreePort, startProcess } from '../harness/process.ts';
import { until } from '../harness/wait.ts';
import { loadMailbox, type Mailbox, queryGraphql } from './mailboxes.ts';
import { findMiscounts } from './recount.ts';

const MESSAGES = 120;

const app = setUpApp();
let boxes: Mailbox[];
let port: number;
let runningProcess: AppProcess | null = null;

beforeAll(async () => {
  boxes = [
    await loadMailbox(app.main.ctx, app.main.user.id),
    await loadMailbox(app.main.ctx, app.main.admin.id),
  ];
  port = await findFreePort();
});
afterAll(() => runningProcess?.end('SIGKILL'));

const start = (overrides = {}) =>
  startProcess({
    ...app.env,
    MX_PORT: String(port),
    DNS_SERVERS: '127.0.0.1:9',
    ...overrides,
  });

const buildRaw = (i: number): string => {
  const conversation = i % 12;
  const parent = i < 12 ? '' : `In-Reply-To: <${i - 12}@example.org>\r\n`;
  return (
    `From: S <s@example.org>\r\nTo: ${boxes[0]!.address}\r\nSubject: ${parent ? 'Re: ' : ''}Talk ${conversation}\r\n` +
    `Message-ID: <${i}@example.org>\r\n${parent}\r\nMessage ${i}\r\n`
  );
};

const countFiled = () =>
  app.runtime.db.value<number>(
    sql`select count(*)::int from svc_mail_entry where workspace_id = ${app.main.ctx.workspace.id}`,
  );

test('files every accepted message once and in the right conversation, even if the process is killed repeatedly', async () => {
  runningProcess = await start();
  const accepted = new Set<number>();
  const kills = [20, 60, 95];
  const order = Array.from({ length: MESSAGES }, (_, i) => (i * 53) % MESSAGES);
  let transport = createTransport({ host: '127.0.0.1', port, pool: true, ignoreTLS: true });
  for (const i of order) {
    await until(async () => {
      await transport.sendMail({
        envelope: { from: 's@example.org', to: boxes.map(({ address }) => address) },
        raw: buildRaw(i),
      });
      return true;
    }, `message ${i} is accepted`);
    accepted.add(i);
    if (!kills.includes(accepted.size)) continue;
    await runningProcess.end('SIGKILL');
    transport.close();
    runningProcess = await start();
    transport = createTransport({ host: '127.0.0.1', port, pool: true, ignoreTLS: true });
  }
  transport.close();
  // The leases of the killed processes must expire first.
  await until(async () => (await countFiled()) >= 2 * MESSAGES, 'all is filed', 120_000);
  const workspace = app.main.ctx.workspace.id;
  const rows = await app.runtime.db.rows<{ account_id: number; n: number; ids: number; threads: number }>(
    sql`select e.account_id, count(*)::int as n, count(distinct c.message_id)::int as ids,
       count(distinct e.thread_id)::int as threads
     from svc_mail_entry e join svc_mail_message c on c.workspace_id = ${workspace} and c.id = e.content_id
     where e.workspace_id = ${workspace} group by 1 order by 1`,
  );
  expect(rows.map(({ n, ids, threads }) => ({ n, ids, threads }))).toEqual([
    { n: MESSAGES, ids: MESSAGES, threads: 12 },
    { n: MESSAGES, ids: MESSAGES, threads: 12 },
  ]);
  expect(await findMiscounts(app)).toEqual([]);
}, 300_000);

const LATER = `mutation ($accountId: ID!, $letter: MailLetterInput!) {
  mailSendLater(accountId: $accountId, letter: $letter, undoSeconds: 1) { ok error } }`;

test('takes over deliveries of a killed process before their leases expire', async () => {
  const workspace = app.main.ctx.workspace.id;
  const { db } = app.runtime;
  const before = await countFiled();
  const loadLeases = async () =>
    (
      await db.rows<{ lease: string }>(
        sql`select lease from svc_mail_delivery where workspace_id = ${workspace} and next_at is not null
         union select lease from svc_mail_outgoing where workspace_id = ${workspace} and next_at is not null`,
      )
    ).map(({ lease }) => lease?.split(':')[0]);
  await runningProcess?.end('SIGKILL');
  runningProcess = await start();
  await db.transaction(async (tx) => {
    // Filing into the mailbox waits for the lock on this row.
    await tx.rows(
      sql`select 1 from svc_mail_clock where workspace_id = ${workspace} and account_id = ${boxes[0]!.id} for update`,
    );
    const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true });
    const envelope = { from: 's@example.org', to: boxes[0]!.address };
    await transport.sendMail({ envelope, raw: buildRaw(MESSAGES + 1) });
    const message = { to: 'ann@example.org', subject: 'Later', body: 'x' };
    const response = await queryGraphql(app, LATER, { accountId: boxes[0]!.id, letter: message });
    expect(response.data.mailSendLater).toEqual({ ok: true, error: null });
    await until(async () => {
      const names = await loadLeases();
      return names.length === 2 && names[0] && names[0] === names[1];
    }, 'both are claimed by the process');
    await runningProcess!.end('SIGKILL');
  });
  // Prevents the leases from expiring during the test.
  for (const table of ['svc_mail_delivery', 'svc_mail_outgoing'])
    await db.rows(
      sql`update ${sql.id(table)} set next_at = now() + interval '1 hour'
       where workspace_id = ${workspace} and next_at is not null`,
    );
  runningProcess = await start();
  await until(async () => (await countFiled()) === before + 2, 'both are done');
}, 300_000);
