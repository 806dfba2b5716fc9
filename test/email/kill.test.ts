import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { startApp } from '../harness/app.ts';
import { type AppProcess, startProcess } from '../harness/process.ts';
import { setUp } from '../harness/set-up.ts';
import { until as eventually } from '../harness/wait.ts';
import { buildSesEnv, sendEmails, setUpSes } from './sending.ts';

const EMAILS = 5_000;

const ses = setUpSes();
/** Accepts mail and the provider's reports, but sends nothing. */
const app = setUp(() =>
  startApp({ ...buildSesEnv(ses), SES_TOPIC_ARNS: ses.topic.arn, AWS_SNS_ENDPOINT: ses.url }),
);
let worker: AppProcess | null = null;

beforeAll(async () => {
  ses.set({ delayMs: 20 }, { MaxSendRate: 2_000, Max24HourSend: -1 });
  await ses.subscribe(`${app.url}/api/ses_callback`);
});

afterAll(() => worker?.end('SIGKILL'));

const startWorker = () => startProcess({ ...buildSesEnv(ses), ROLE: 'worker', ...app.env });

const queryRows = <R>(text: string, params: unknown[] = []) =>
  app.runtime.db.rows<R>(sql.given(text, params));

const loadIds = async (state: string): Promise<Set<string>> =>
  new Set(
    (
      await queryRows<{ public_id: string }>(
        `select public_id from svc_email where workspace_id > 0 and state = $1`,
        [state],
      )
    ).map((row) => row.public_id),
  );

const until = (isDone: () => boolean | Promise<boolean>, label: string): Promise<void> =>
  eventually(isDone, label).catch((error) => {
    throw new Error(`${worker?.output()}`, { cause: error });
  });

async function killAt(count: number): Promise<void> {
  worker = await startWorker();
  await until(() => ses.accepted.length >= count, `${count} taken`);
  await worker.end('SIGKILL');
  // PostgreSQL completes statements that the killed worker had started.
  await until(async () => {
    const running = await queryRows(
      `select 1 from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
       and state <> 'idle' and query like '%svc_email%' -- workspace_id`,
    );
    return running.length === 0;
  }, 'its statements have ended');
}

const parseMessageId = (raw: Buffer) => /^Message-ID: (.+)$/im.exec(raw.toString())![1]!;

test('sends all 5,000 emails despite kill -9, and resends only unreported ones under the same Message-ID', async () => {
  await sendEmails(app, app.main, {}, EMAILS);
  await killAt(1_500);
  await killAt(3_500);
  // Messages in flight: the provider received them, but the outcome was not recorded. The second worker may have
  // detected that the first one died.
  const lostIds = new Set([...(await loadIds('sending')), ...(await loadIds('unknown'))]);
  const inFlight = ses.accepted.filter(({ emailId }) => lostIds.has(emailId!));
  expect(inFlight.length).toBeGreaterThan(0);
  expect(inFlight.length).toBeLessThanOrEqual(2 * 256);

  // Simulates a minute: the leases of the killed workers expire.
  await queryRows(
    `update svc_email set lease_until = now() - interval '1 second' where workspace_id > 0 and state = 'sending'`,
  );
  worker = await startWorker();
  await until(async () => (await loadIds('unknown')).size === lostIds.size, 'unknown');
  await until(async () => (await loadIds('queued')).size === 0, 'drained');
  expect(ses.duplicates()).toEqual({});

  // The provider reports half of them. The reports of the others are lost.
  const [reportedMessages, silent] = [0, 1].map((part) => inFlight.filter((_, index) => index % 2 === part));
  for (const { messageId } of reportedMessages!) expect(await ses.notify(messageId, 'Send')).toBe(200);
  await until(
    async () => (await loadIds('unknown')).size === lostIds.size - reportedMessages!.length,
    'the reports are applied',
  );

  // Simulates ten minutes.
  await queryRows(
    `update svc_email set write_date = now() - interval '11 minutes' where workspace_id > 0 and state = 'unknown'`,
  );
  await until(async () => (await loadIds('sent')).size === EMAILS, 'all sent');
  expect(new Set(ses.accepted.map(({ emailId }) => emailId)).size).toBe(EMAILS);
  expect(Object.keys(ses.duplicates()).sort()).toEqual(silent!.map(({ emailId }) => emailId!).sort());
  expect(Object.values(ses.duplicates()).every((count) => count === 2)).toBe(true);
  // A repeated message has the same Message-ID, so receivers can deduplicate it.
  expect(new Set(ses.accepted.map(({ raw }) => parseMessageId(raw!))).size).toBe(EMAILS);
  process.stdout.write(
    `killed twice: ${lostIds.size} without an outcome, ${inFlight.length} of them at the provider, ${silent!.length} sent twice\n`,
  );
  expect(await worker.end('SIGTERM')).toBe(0);
}, 240_000);
