import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { releaseExpiredLeases } from '../../schema/email/queue/expired-leases.ts';
import { recordOutcomes, toEmailOutcome } from '../../schema/email/queue/record-outcome.ts';
import { resolveUnknownEmails } from '../../schema/email/queue/unknown.ts';
import type { Db } from '../../src/db/db.ts';
import { sql } from '../../src/db/sql.ts';
import { claimDue } from '../harness/due.ts';
import { startTeam, type Team } from '../harness/facades/rest.ts';
import { pause } from '../harness/wait.ts';
import { type SesStandin, startSes } from '../standins/ses.ts';
import {
  buildSesEnv,
  loadEmailRow,
  loadEvents,
  moveThroughStates,
  SES_CREDENTIALS,
  sendEmails,
  untilEmail,
  updateEmail,
  waitUntilPosted,
} from './sending.ts';

let ses: SesStandin;
let team: Team;

beforeAll(async () => {
  ses = await startSes();
  ses.verify('main.test');
  Object.assign(process.env, SES_CREDENTIALS);
  team = await startTeam({ ...buildSesEnv(ses), SES_TOPIC_ARNS: ses.topic.arn, AWS_SNS_ENDPOINT: ses.url });
  expect(await ses.subscribe(`${team.url}/api/ses_callback`)).toBe(200);
});
beforeEach(async () => {
  ses.reset();
  ses.set({}, { MaxSendRate: 1000 });
  for (const table of ['svc_email', 'svc_suppression'])
    await team.runtime.db.rows(sql.given(`delete from ${table} where workspace_id > 0`, []));
});
afterAll(async () => {
  // Closed first, so that workers do not wait for its responses.
  await ses?.close();
  await team?.close();
});

const RESEND = { unknownMinutes: 10, unknownPolicy: 'resend' } as const;
const resolve = (db: Db = team.runtime.db) => resolveUnknownEmails(db as typeof team.runtime.db, RESEND);
const setSilence = (id: string, minutes: number) =>
  updateEmail(team, id, `write_date = now() - interval '${minutes} minutes'`);
const loadStatuses = async (id: string) => (await loadEvents(team, id)).map((event) => event.status);

/** Sends an email that the provider accepts and reports while its worker still waits for the response. */
async function sendReported(kind: 'Delivery' | 'Bounce'): Promise<string> {
  ses.set({ behavior: 'hang-after', times: 1 });
  const [id] = await sendEmails(team, team.main);
  const worker = await team.deliver();
  await waitUntilPosted(ses);
  expect(await ses.notify(ses.accepted[0]!.messageId, kind)).toBe(200);
  await untilEmail(
    team,
    id!,
    ({ latest_status }) => latest_status === (kind === 'Bounce' ? 'BOUNCED' : 'DELIVERED'),
  );
  // From here on the worker counts as dead.
  await updateEmail(team, id!, `lease_by = 'dead', lease_until = now() - interval '1 second'`);
  await releaseExpiredLeases(team.runtime.db, false, []);
  void worker.stop();
  return id!;
}

test.each([
  ['Delivery', 'DELIVERED'],
  ['Bounce', 'BOUNCED'],
] as const)(
  'marks an email as sent without resending it if its %s is reported before its worker dies',
  async (kind, status) => {
    const id = await sendReported(kind);
    expect(await loadEmailRow(team, id)).toMatchObject({
      state: 'sent',
      latest_status: status,
      reason: null,
    });
    expect(await loadStatuses(id)).toEqual([status]);
    await setSilence(id, 11);
    expect(await resolve()).toBe(0);
    expect(ses.posts()).toBe(1);
  },
);

test('marks an email as sent if it is reported before its response is lost', async () => {
  const [id] = await sendEmails(team, team.main);
  const { db } = team.runtime;
  const [email] = await claimDue(db, {
    worker: 'w',
    limit: 5,
    leaseTime: 60_000,
  });
  await updateEmail(team, id!, `latest_status = 'DELIVERED', provider_id = 'p1'`);
  await recordOutcomes(team.runtime, email!.workspace_id, 'w', [
    toEmailOutcome(email!, { kind: 'unknown', reason: 'socket hang up' }, 'ses'),
  ]);
  expect(await loadEmailRow(team, id!)).toMatchObject({
    state: 'sent',
    latest_status: 'DELIVERED',
    reason: null,
  });
  const [{ timed } = { timed: false }] = await db.rows<{ timed: boolean }>(
    sql`select sent_at is not null as timed from svc_email where workspace_id > 0 and public_id = ${id}`,
  );
  expect(timed).toBe(true);
});

test('does not resend an email that has been delivered', async () => {
  const [id] = await sendEmails(team, team.main);
  await moveThroughStates(team, id!, 'sending', 'unknown');
  await updateEmail(team, id!, `latest_status = 'OPENED', attempts = 1`);
  await setSilence(id!, 11);
  expect(await resolve()).toBe(0);
  expect((await loadEmailRow(team, id!)).state).toBe('unknown');
});

/** Sends an email whose second response is lost, outside of the retry period. */
async function loseTwice(): Promise<string> {
  const [id] = await sendEmails(team, team.main);
  await moveThroughStates(team, id!, 'sending', 'unknown');
  await updateEmail(team, id!, `latest_status = 'DELIVERY_DELAYED', attempts = 2`);
  await team.runtime.db.rows(
    sql`insert into svc_email_event (workspace_id, id, email_id, status)
     select workspace_id, id, id, 'QUEUED' from svc_email where workspace_id > 0 and public_id = ${id}`,
  );
  await setSilence(id!, 11);
  return id!;
}

/** Runs `first` in a transaction while another process resolves and waits for it. */
async function runConcurrently(first: (tx: Db) => Promise<unknown>): Promise<void> {
  let other: Promise<unknown> | undefined;
  await team.runtime.db.transaction(async (tx) => {
    await first(tx);
    other = resolve();
    await pause(300);
  });
  await other;
}

test('reports a failure once if two processes give up on an email', async () => {
  const id = await loseTwice();
  await runConcurrently((tx) => resolve(tx));
  expect(await loadStatuses(id)).toEqual(['QUEUED', 'FAILED']);
  const { reason } = await loadEmailRow(team, id);
  expect(reason!.match(/nothing about it within/g)).toHaveLength(1);
});

test('keeps the sent status of an email that is reported while a process gives up on it', async () => {
  const id = await loseTwice();
  await runConcurrently((tx) =>
    tx.rows(
      sql`update svc_email set state = 'sent', latest_status = 'DELIVERED' where workspace_id > 0 and public_id = ${id}`,
    ),
  );
  expect(await loadEmailRow(team, id)).toMatchObject({ state: 'sent', latest_status: 'DELIVERED' });
  expect(await loadStatuses(id)).toEqual(['QUEUED']);
});
