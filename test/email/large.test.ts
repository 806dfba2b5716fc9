import { afterAll, expect, test } from 'vitest';
import { MIN_LARGE_EMAIL_BYTES } from '../../schema/email/queue/claim.ts';
import { MAX_STORED_EMAIL_BYTES } from '../../schema/email/queue/claimed-emails.ts';
import { createMemoryBudget } from '../../schema/email/queue/large-content.ts';
import { sql } from '../../src/db/sql.ts';
import { startApp } from '../harness/app.ts';
import { claimDue, recordAllDue } from '../harness/due.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { setUp } from '../harness/set-up.ts';
import { until as eventually } from '../harness/wait.ts';
import { buildSesEnv, loadEmailRow, sendEmails, setUpSes, untilEmail } from './sending.ts';

const ses = setUpSes({ verify: false, keepRaw: false });
const app = setUp(() => startApp(buildSesEnv(ses)));
let worker: AppProcess | null = null;

afterAll(() => worker?.end('SIGKILL'));

const MIB = 1024 * 1024;

async function attachFiles(count: number, bytes: number): Promise<void> {
  const workspace = app.main.ctx.workspace.id;
  const digits = Math.floor(bytes / 3) * 4;
  await app.runtime.db.rows(
    sql`insert into svc_email (id, workspace_id, domain_id, public_id, "from", "to", subject, text, attachments, content_bytes)
     select nextval('svc_email_id_seq'), ${workspace}::int, d.id, 'large' || g, 'me@main.test', '{someone@example.org}', 's', 't',
       jsonb_build_array(jsonb_build_object('filename', 'a.bin', 'content', repeat('QUJD', ${digits / 4}::int))), ${digits}::int
     from svc_domain d cross join generate_series(1, ${count}::int) g where d.workspace_id = ${workspace}`,
  );
  await recordAllDue(app.runtime.db);
}

test('limits the total size of large emails in a claim, and lets small emails overtake them', async () => {
  await attachFiles(6, 15 * MIB);
  const small = await sendEmails(app, app.main, {}, 3);
  const want = { worker: 'w', limit: 50, leaseTime: 60_000 };
  const claimedEmails = await claimDue(app.runtime.db, want, MAX_STORED_EMAIL_BYTES);
  const largeEmails = claimedEmails.filter((email) => email.large > 0);
  expect(largeEmails).toHaveLength(Math.floor(MAX_STORED_EMAIL_BYTES / (20 * MIB)));
  expect(largeEmails[0]).toMatchObject({ attachments: null, text: null });
  expect(claimedEmails.filter((email) => email.large === 0).map((email) => email.public_id)).toEqual(small);
  expect(await claimDue(app.runtime.db, want, 0)).toEqual([]);
  await app.runtime.db.rows(sql`delete from svc_email where workspace_id > 0`);
});

test('sends a dozen 15 MB emails from a worker with little memory', {
  tags: 'slow',
  timeout: 300_000,
}, async () => {
  ses.set({ delayMs: 100 }, { MaxSendRate: 1_000, Max24HourSend: -1 });
  worker = await startProcess({
    ...buildSesEnv(ses),
    ROLE: 'worker',
    ...app.env,
    NODE_OPTIONS: '--max-old-space-size=256',
  });
  await attachFiles(12, 15 * MIB);
  const areAllSent = async () => {
    if (worker!.child.exitCode !== null || worker!.child.signalCode) throw new Error(worker!.output());
    const unsentEmails = sql`select 1 from svc_email where workspace_id > 0 and state <> 'sent'`;
    return (await app.runtime.db.rows(unsentEmails)).length === 0;
  };
  await eventually(areAllSent, 'all are sent', 280_000);
  expect(ses.posts()).toBe(12);
});

test('sends an email whose size is exactly the threshold for large emails', async () => {
  const delivery = await app.deliver();
  const text = 'x'.repeat(MIN_LARGE_EMAIL_BYTES);
  const [id] = await sendEmails(app, app.main, { text });
  await untilEmail(app, id!, (r) => r.state === 'sent');
  await delivery.stop();
  const contentBytes = await app.runtime.db.value<number>(
    sql`select content_bytes from svc_email where workspace_id > 0 and public_id = ${id}`,
  );
  expect(contentBytes).toBe(text.length);
  expect((await loadEmailRow(app, id!)).attempts).toBe(1);
});

test('grants memory in order, admits an oversized request on its own, and releases waiting requests on stop', async () => {
  const memory = createMemoryBudget(10);
  const stop = new AbortController();
  const resolved: string[] = [];
  const take = (name: string, bytes: number, signal = new AbortController().signal) =>
    memory.take(bytes, signal).then((release) => {
      resolved.push(name);
      return release;
    });
  const first = await take('first', 6);
  const second = take('second', 6);
  const third = take('third', 1);
  const fourth = take('fourth', 1, stop.signal);
  stop.abort();
  await expect(fourth).rejects.toThrow();
  expect(resolved).toEqual(['first']);
  first();
  first();
  const huge = take('huge', 99);
  (await second)();
  (await third)();
  await huge;
  expect(resolved).toEqual(['first', 'second', 'third', 'huge']);
});
