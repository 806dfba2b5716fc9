import { beforeAll, expect, test, vi } from 'vitest';
import { sql } from '../../src/db/sql.ts';
import { listScheduledJobs } from '../../src/engine/work/jobs.ts';
import { limits } from '../../src/limits.ts';
import { startApp } from '../harness/app.ts';
import { setUp } from '../harness/set-up.ts';
import { buildSesEnv, setUpSes } from './sending.ts';

vi.mock('../../src/limits.ts', async (original) => {
  const { limits } = await original<typeof import('../../src/limits.ts')>();
  const shares = { checkedYoung: 4, checkedOld: 2, checkedVerified: 3 };
  return { limits: { ...limits, sendingDomain: { ...limits.sendingDomain, ...shares } } };
});

const ses = setUpSes();
const app = setUp(() => startApp(buildSesEnv(ses)));
beforeAll(async () => {
  await app.runtime.db.rows(sql`delete from svc_domain where workspace_id > 0`);
});

/** Creates domains whose checks have been overdue for `age`. */
async function addWaitingDomains(name: string, count: number, status: string, age: string): Promise<void> {
  for (let index = 1; index <= count; index++) ses.verify(`${name}${index}.test`);
  await app.runtime.db.rows(
    sql`insert into domain_claim (name, workspace_id)
     select ${name} || g || '.test', ${app.main.ctx.workspace.id}::int from generate_series(1, ${count}::int) g`,
  );
  await app.runtime.db.rows(
    sql`insert into svc_domain (id, workspace_id, name, region, status, create_date, checked_at)
     select nextval('svc_domain_id_seq'), ${app.main.ctx.workspace.id}::int, ${name} || g || '.test', 'eu-west-1', ${status}::text,
       now() - ${age}::interval, now() - interval '10 days'
     from generate_series(1, ${count}::int) g`,
  );
}

const countChecks = async (name: string): Promise<number> =>
  (
    await app.runtime.db.rows(
      sql`select 1 from svc_domain where workspace_id > 0 and starts_with(name, ${name})
       and checked_at > now() - interval '5 minutes'`,
    )
  ).length;

test('checks a new domain immediately, however many verified or abandoned domains are waiting', async () => {
  const { checkedYoung: young, checkedOld: old, checkedVerified: verified } = limits.sendingDomain;
  await addWaitingDomains('verified', verified + 3, 'SUCCESS', '1 year');
  await addWaitingDomains('abandoned', old + 3, 'PENDING', '1 year');
  await addWaitingDomains('older', young + 5, 'PENDING', '2 days');
  await addWaitingDomains('new', 1, 'PENDING', '1 minute');
  await listScheduledJobs()
    .find((scheduledJob) => scheduledJob.name === 'domain-check')!
    .run(app.runtime, {});
  expect(await countChecks('new')).toBe(1);
  expect(await countChecks('older')).toBe(young - 1);
  expect(await countChecks('abandoned')).toBe(old);
  expect(await countChecks('verified')).toBe(verified);
});

test('checks an unverified domain at increasing intervals', async () => {
  const { db } = app.runtime;
  await db.rows(sql`delete from svc_domain where workspace_id > 0`);
  await addWaitingDomains('aging', 1, 'PENDING', '10 hours');
  await db.rows(sql`update svc_domain set checked_at = now() - interval '10 minutes' where workspace_id > 0`);
  const run = () =>
    listScheduledJobs()
      .find((scheduledJob) => scheduledJob.name === 'domain-check')!
      .run(app.runtime, {});
  await run();
  expect(await countChecks('aging')).toBe(0);
  await db.rows(sql`update svc_domain set checked_at = now() - interval '31 minutes' where workspace_id > 0`);
  await run();
  expect(await countChecks('aging')).toBe(1);
});
