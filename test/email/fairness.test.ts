import { beforeAll, beforeEach, expect, test } from 'vitest';
import { MAX_CLAIMED_PER_WORKSPACE } from '../../schema/email/queue/claim.ts';
import { CONCURRENT_SENDS } from '../../schema/email/queue/deliver.ts';
import { sql } from '../../src/db/sql.ts';
import { startApp } from '../harness/app.ts';
import { recordAllDue } from '../harness/due.ts';
import { setUp } from '../harness/set-up.ts';
import type { Tenant } from '../harness/tenant.ts';
import { buildSesEnv, sendEmails, setUpSes, untilEmail } from './sending.ts';

const ses = setUpSes({ verify: false, keepRaw: false });
// Campaigns require public links.
const app = setUp(() => startApp({ ...buildSesEnv(ses), PUBLIC_URL: 'https://atrium.example' }));
let smallTenant: Tenant;

const NOISE = 100_000;

beforeAll(async () => {
  for (const name of ['main.test', 'small.test']) ses.verify(name);
  smallTenant = await app.tenant('small');
  await app.runtime.db.rows(
    sql`insert into svc_campaign (id, workspace_id, public_id, name, "from", subject) values (nextval('svc_campaign_id_seq'), ${app.main.ctx.workspace.id}, 'c1', 'c', 'me@main.test', 's')`,
  );
  await app.runtime.db.rows(
    sql`with book as (
       insert into svc_contact_book (id, workspace_id, public_id, name) values (nextval('svc_contact_book_id_seq'), ${app.main.ctx.workspace.id}, 'b1', 'b') returning id
     ) insert into svc_contact (workspace_id, id, public_id, book_id, email)
       select ${app.main.ctx.workspace.id}, g, 'c' || g, book.id, g || '@example.org' from book cross join generate_series(1, ${NOISE}::int) g`,
  );
});
beforeEach(() => ses.reset());

/** Tops up the due emails of the first workspace to the full amount. */
async function addNoise(campaign: boolean): Promise<void> {
  const { db } = app.runtime;
  await db.rows(
    sql`delete from svc_email where workspace_id > 0 and (state <> 'queued' or (campaign_id is not null) <> ${campaign})`,
  );
  await db.rows(
    sql`insert into svc_email (id, workspace_id, domain_id, public_id, "from", "to", subject, text, run_at, campaign_id, contact_id)
     select nextval('svc_email_id_seq'), ${app.main.ctx.workspace.id}, (select id from svc_domain where workspace_id = ${app.main.ctx.workspace.id}), 'noise' || gen_random_uuid(), 'me@main.test', '{someone@example.org}', 's', 't', now() - interval '1 hour',
       case when ${campaign} then (select id from svc_campaign where workspace_id = ${app.main.ctx.workspace.id}) end, g
     from generate_series(1, ${NOISE - (await countLeft())}::int) g`,
  );
  await recordAllDue(db);
}

/**
 * Sends `count` emails one after another amid the noise, and counts for each the noise emails that the provider
 * accepted before it. At a fixed rate, this measures the delay independently of the speed of the machine. An email sent
 * within two seconds counts as not overtaken.
 */
async function countPassed(tenant: Tenant, count: number): Promise<number[]> {
  const all: number[] = [];
  for (let i = 0; i < count; i++) {
    const [id] = await sendEmails(app, tenant);
    const before = ses.accepted.length;
    const accepted = Date.now();
    await untilEmail(app, id!, (r) => r.state === 'sent');
    const isSoon = Date.now() - accepted < 2000;
    all.push(isSoon ? 0 : ses.accepted.findIndex((item) => item.emailId === id) - before);
  }
  return all;
}

/**
 * Computes the maximum number of emails that the provider accepts in two seconds, or that a worker holds at a time if
 * the rate is not the limit.
 */
const computeMax = (rate: number): number =>
  Math.min(2 * rate, 2 * CONCURRENT_SENDS + 2 * MAX_CLAIMED_PER_WORKSPACE);

const countLeft = (): Promise<number> =>
  app.runtime.db.value<number>(
    sql`select count(*)::int from svc_email where workspace_id > 0 and state = 'queued'`,
  );

test.each([1_000_000, 50, 14])(
  'delays other workspaces at most two seconds behind 100,000 emails, at %i emails per second',
  async (rate) => {
    ses.set({}, { MaxSendRate: rate, Max24HourSend: -1 });
    await addNoise(false);
    const worker = await app.deliver();
    const waits = await countPassed(smallTenant, 5);
    expect(await countLeft()).toBeGreaterThan(NOISE / 4);
    await worker.stop();
    expect(Math.max(...waits)).toBeLessThan(computeMax(rate));
  },
);

test('sends an individual email before 100,000 campaign emails of the same workspace', async () => {
  ses.set({}, { MaxSendRate: 50, Max24HourSend: -1 });
  await addNoise(true);
  const worker = await app.deliver();
  const waits = await countPassed(app.main, 5);
  // The campaign continues with the remaining capacity.
  expect(ses.accepted.length).toBeGreaterThan(10);
  expect(await countLeft()).toBeGreaterThan(NOISE / 2);
  await worker.stop();
  expect(Math.max(...waits)).toBeLessThan(computeMax(50));
});
