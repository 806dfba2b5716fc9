import pg from 'pg';
import { claim } from '../schema/email/queue/claim.ts';
import { openDatabase } from '../src/db/pool.ts';
import { createFailureGuard } from '../src/engine/work/due.ts';
import { createLog } from '../src/log.ts';
import { getServerPid, readServerCpu } from './lib/cpu.ts';
import { computeMedian } from './lib/process.ts';
import { buildSesEnv, startSes } from './lib/ses.ts';
import { openStage } from './lib/stage.ts';

// `node bench/idle.ts` measures the database load of an idle worker for WORKSPACES (10,000) workspaces with one
// scheduled email and one webhook each, and how long the worker takes to claim the due emails of a few of them.

const WORKSPACES = Number(process.env.WORKSPACES ?? 10_000);
const SECONDS = Number(process.env.SECONDS ?? 60);
const ROUNDS = 40;
let used = 0;

const ses = await startSes();
await ses.control('modes', { quota: { MaxSendRate: 1_000_000, Max24HourSend: 1_000_000_000 } });
const stage = await openStage({ ROLE: 'worker', ...buildSesEnv(ses.url) });
const client = new pg.Client({ connectionString: stage.databaseUrl });
await client.connect();
try {
  await fill();
  const server = await getServerPid(client);
  await waitMs(20_000);
  const shares: number[] = [];
  for (let round = 0; round < 3; round++) {
    const before = readServerCpu(server);
    await waitMs((SECONDS / 3) * 1000);
    shares.push((readServerCpu(server) - before) / 10 / (SECONDS / 3));
  }
  process.stdout.write(
    `idle: ${computeMedian(shares).toFixed(2)} % of one core of the database (${shares.map((share) => share.toFixed(2)).join(', ')}; must reach 2 %)\n`,
  );
  // Stops the worker, so that it can't claim the emails first.
  stage.app.process.child.kill('SIGSTOP');
  const log = createLog('fatal', 2);
  const db = openDatabase(stage.databaseUrl, log);
  const guard = createFailureGuard(log, 'mail');
  const want = {
    worker: 'bench',
    limit: 64,
    leaseTime: 60_000,
    room: () => 1,
    guard,
    onLost: () => undefined,
  };
  for (const due of [1, 8]) {
    const times: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      await makeDue(due);
      times.push(
        await measureTime(async () => {
          const emails = await claim(db, want);
          if (emails.length !== due) throw new Error(`claimed ${emails.length} emails of ${due}`);
        }),
      );
      bare.push(
        await measureTime(() =>
          Promise.all(Array.from({ length: due }, (_, index) => updateDomain(db.pool, index))),
        ),
      );
    }
    // Skips the first rounds, which open connections and plan statements.
    const formatMedian = (all: number[]) => computeMedian(all.slice(ROUNDS / 2)).toFixed(1);
    process.stdout.write(
      `claim of an email that is due in each of ${due} workspaces: ${formatMedian(times)} ms (must reach 5 ms); ` +
        `as many bare updates of a row, each committed: ${formatMedian(bare)} ms\n`,
    );
  }
  await db.close();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  stage.app.process.child.kill('SIGCONT');
  await client.end();
  await stage.close();
  await ses.stop();
}

/**
 * Creates workspaces without due work: the email and the sweep are scheduled for later, and the webhook has no calls.
 */
async function fill(): Promise<void> {
  await client.query(
    `insert into workspace (slug, name) select 'idle' || g, 'i' from generate_series(1, $1::int) g`,
    [WORKSPACES],
  );
  const idleWorkspaces = `from workspace w where w.slug like 'idle%'`;
  await client.query(
    `insert into domain_claim (name, workspace_id) select w.slug || '.test', w.id ${idleWorkspaces}`,
  );
  await client.query(
    `insert into svc_domain (workspace_id, name, region, status, checked_at) select w.id, w.slug || '.test', 'eu-west-1', 'SUCCESS', now() ${idleWorkspaces}`,
  );
  await client.query(
    `insert into svc_email (workspace_id, domain_id, public_id, "from", "to", subject, text, run_at, scheduled_at, latest_status, content_bytes)
     select d.workspace_id, d.id, 'e' || d.workspace_id, 'a@' || d.name, '{b@example.org}', 's', 't', now() + interval '1 day', now() + interval '1 day', 'SCHEDULED', 1
     from svc_domain d where d.name like 'idle%'`,
  );
  await client.query(
    `insert into svc_webhook (workspace_id, url, secret) select w.id, 'https://example.net', 's' ${idleWorkspaces}`,
  );
  await client.query(
    `insert into svc_due (workspace_id, kind, next_at)
     select w.id, 'mail', now() + interval '1 day' ${idleWorkspaces} union all
     select w.id, 'webhook', 'infinity' ${idleWorkspaces} union all
     select w.id, 'sweep', now() + random() * interval '15 minutes' ${idleWorkspaces}`,
  );
  await client.query('vacuum analyze');
}

/** Makes one email due in each of `count` workspaces, which differ from call to call. */
async function makeDue(count: number): Promise<void> {
  await client.query(
    `with due as (
       update svc_email set run_at = now() where public_id in (select 'e' || id from workspace where slug = any($1))
       returning workspace_id
     ) update svc_due d set next_at = now(), version = version + 1 from due
     where d.workspace_id = due.workspace_id and d.kind = 'mail'`,
    [Array.from({ length: count }, () => `idle${++used}`)],
  );
}

async function measureTime(fn: () => Promise<unknown>): Promise<number> {
  const startTime = performance.now();
  await fn();
  return performance.now() - startTime;
}

function updateDomain(pool: pg.Pool, index: number): Promise<unknown> {
  return pool.query('update svc_domain set region = $1 where name = $2', [
    'eu-west-1',
    `idle${index + 1}.test`,
  ]);
}

function waitMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
