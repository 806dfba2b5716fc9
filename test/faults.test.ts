import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { expect, test } from 'vitest';
import { startEmbedded } from '../src/db/embedded/embedded.ts';
import { cleanUp, createTestFolder } from './harness/cleanup.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import { pause, until } from './harness/wait.ts';
import { startSes } from './standins/ses.ts';

/** Starts a PostgreSQL that outlives the application's process. */
async function startDatabase(dir: string) {
  const server = await startEmbedded(dir, { fsync: false });
  cleanUp(() => server.stop());
  return { server, rows: await connect(server.url) };
}

/** Opens a connection that is closed after the test. */
async function connect(url: string) {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  cleanUp(() => client.end());
  return async <R>(text: string): Promise<R[]> => (await client.query(text)).rows as R[];
}

const parseKey = (output: string) => /us_[0-9a-z]{10}_[0-9a-f]{32}/.exec(output)![0];

interface Target {
  app: AppProcess;
}
type Load = ReturnType<typeof startLoad>;
type Rows = Awaited<ReturnType<typeof startDatabase>>['rows'];

/** Posts to the target's current process until stopped, and records the ids of 200 responses. */
function startLoad(target: Target, key: string, connections: number) {
  const accepted = new Set<string>();
  let isStopped = false;
  let count = 0;
  const runSender = async () => {
    while (!isStopped) {
      const body = JSON.stringify({
        from: 'a@main.localhost',
        to: 'b@example.org',
        subject: `n ${count++}`,
        text: 'x',
      });
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'idempotency-key': randomUUID(),
      };
      try {
        const response = await fetch(`${target.app.url}/api/v1/emails`, {
          method: 'POST',
          headers,
          body,
          signal: AbortSignal.timeout(5000),
        });
        if (response.status === 200) accepted.add(((await response.json()) as { emailId: string }).emailId);
        else await pause(50);
      } catch {
        await pause(50);
      }
    }
  };
  const running = Promise.all(Array.from({ length: connections }, runSender));
  return {
    accepted,
    stop: () => {
      isStopped = true;
      return running;
    },
  };
}

/**
 * Kills the process repeatedly, each time after it has accepted more.
 * @returns the time of the last kill by the database's clock
 */
async function killUnder(load: Load, target: Target, env: Record<string, string>, times: number, rows: Rows) {
  let killedAt = '';
  for (let kill = 0; kill < times; kill++) {
    await untilAccepted(load, 20 + Math.random() * 60);
    await target.app.end('SIGKILL');
    killedAt = await loadTime(rows);
    target.app = await startProcess(env);
  }
  return killedAt;
}

function untilAccepted(load: Load, more: number): Promise<void> {
  const target = load.accepted.size + more;
  return until(() => load.accepted.size >= target, `${target} accepted`);
}

const loadTime = async (rows: Rows): Promise<string> =>
  (await rows<{ time: string }>(`select (now() at time zone 'UTC')::text as time`))[0]!.time;

/**
 * Waits until no email is in `states`. Leases held at the kill would only expire after a minute, so the test expires
 * them immediately. It does not change later leases.
 */
function untilNone(rows: Rows, states: string, heldAt: string): Promise<void> {
  return until(async () => {
    await rows(`update svc_email set lease_until = now() at time zone 'UTC'
      where state = 'sending' and lease_until > now() at time zone 'UTC'
        and lease_until < timestamp '${heldAt}' + interval '60.1 seconds'`);
    const [counts] = await rows<{ n: number }>(`select count(*)::int as n from svc_email where ${states}`);
    return counts!.n === 0;
  }, `no email left of which ${states}`);
}

test('loses no accepted email if the process is killed at random under load', async () => {
  const { server, rows } = await startDatabase(createTestFolder());
  const env = {
    DATABASE_URL: server.url,
    DATA_DIR: createTestFolder(),
    SECRET_KEY: 'the same key for every process here',
  };
  const target = { app: await startProcess(env) };
  const load = startLoad(target, parseKey(target.app.output()), 8);
  const killedAt = await killUnder(load, target, env, 4, rows);
  await untilAccepted(load, 20);
  await load.stop();
  await untilNone(rows, `state <> 'sent'`, killedAt);
  const stored = new Set(
    (await rows<{ public_id: string }>(`select public_id from svc_email`)).map((row) => row.public_id),
  );
  expect(load.accepted.size).toBeGreaterThan(50);
  expect([...load.accepted].filter((id) => !stored.has(id))).toEqual([]);
  const [twice] = await rows(`select email_id from svc_outbox group by email_id having count(*) > 1`);
  expect(twice).toBeUndefined();
  expect(await target.app.end('SIGTERM')).toBe(0);
}, 240_000);

test('sends nothing twice if killed while the provider is silent, and marks unsent mail as unknown', async () => {
  const ses = await startSes();
  cleanUp(() => ses.close());
  ses.set({ delayMs: 20 }, { MaxSendRate: 5000, Max24HourSend: 1_000_000 });
  const { server, rows } = await startDatabase(createTestFolder());
  const env = {
    DATABASE_URL: server.url,
    DATA_DIR: createTestFolder(),
    SECRET_KEY: 'the same key for every process here',
    MAIL_TRANSPORT: 'ses',
    AWS_REGION: 'eu-west-1',
    AWS_SES_ENDPOINT: ses.url,
    DNS_SERVERS: '127.0.0.1:9',
    AWS_ACCESS_KEY_ID: 'standin',
    AWS_SECRET_ACCESS_KEY: 'standin-secret',
  };
  const target = { app: await startProcess(env) };
  await rows(`insert into domain_claim (name, workspace_id) select 'main.localhost', id from workspace`);
  await rows(`insert into svc_domain (id, workspace_id, name, region, status, checked_at)
    select nextval('svc_domain_id_seq'), id, 'main.localhost', 'eu-west-1', 'SUCCESS', now() at time zone 'UTC' from workspace`);
  const load = startLoad(target, parseKey(target.app.output()), 6);
  const killedAt = await killUnder(load, target, env, 3, rows);
  await load.stop();
  await untilNone(rows, `state in ('queued', 'sending')`, killedAt);
  expect(ses.duplicates()).toEqual({});
  const states = await rows<{ public_id: string; state: string; reason: string | null }>(
    `select public_id, state, reason from svc_email`,
  );
  expect(states.filter((row) => row.state !== 'sent' && !(row.state === 'unknown' && row.reason))).toEqual(
    [],
  );
  const statesById = new Map(states.map((row) => [row.public_id, row.state]));
  expect([...load.accepted].filter((id) => !statesById.has(id))).toEqual([]);
  const out = new Set(ses.accepted.map((message) => message.emailId));
  expect(states.filter((row) => row.state === 'sent' && !out.has(row.public_id))).toEqual([]);
  expect(await target.app.end('SIGTERM')).toBe(0);
}, 240_000);

test('creates one email for 100 concurrent requests with the same Idempotency-Key', async () => {
  const { server, rows } = await startDatabase(createTestFolder());
  const app = await startProcess({ DATABASE_URL: server.url, DATA_DIR: createTestFolder() });
  cleanUp(() => app.end('SIGTERM'));
  const headers = {
    authorization: `Bearer ${parseKey(app.output())}`,
    'content-type': 'application/json',
    'idempotency-key': 'only once',
  };
  const body = JSON.stringify({ from: 'a@main.localhost', to: 'b@example.org', subject: 's', text: 'x' });
  const responses = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const response = await fetch(`${app.url}/api/v1/emails`, { method: 'POST', headers, body });
      return `${response.status} ${((await response.json()) as { emailId: string }).emailId}`;
    }),
  );
  expect(new Set(responses).size).toBe(1);
  expect(responses[0]).toMatch(/^200 /);
  expect(await rows(`select public_id from svc_email`)).toHaveLength(1);
});

test('reconnects automatically after PostgreSQL is restarted under load', async () => {
  const dir = createTestFolder();
  let server = await startEmbedded(dir, { fsync: false });
  const app = await startProcess({ DATABASE_URL: server.url, DATA_DIR: createTestFolder() });
  cleanUp(() => app.end('SIGTERM'));
  const load = startLoad({ app }, parseKey(app.output()), 8);
  await untilAccepted(load, 20);
  process.kill(server.pid, 'SIGINT');
  await until(async () => !(await fetch(`${app.url}/api/ready`)).ok, 'not ready without a database').catch(
    (error) => {
      throw new Error(`${error.message}: exit ${app.child.exitCode}, ${app.output().slice(-2000)}`);
    },
  );
  await server.stop();
  server = await startEmbedded(dir, { fsync: false });
  cleanUp(() => server.stop());
  await until(async () => (await fetch(`${app.url}/api/ready`)).ok, 'ready again');
  const rows = await connect(server.url);
  const backAt = await loadTime(rows);
  await untilAccepted(load, 20);
  await load.stop();
  await untilNone(rows, `state <> 'sent'`, backAt);
  const [stored] = await rows<{ n: number }>(`select count(*)::int as n from svc_email`);
  expect(stored!.n).toBeGreaterThanOrEqual(load.accepted.size);
}, 240_000);

test('stops PostgreSQL and exits cleanly on SIGTERM, and reuses the data on restart', async () => {
  const dir = createTestFolder();
  const first = await startProcess({ DATA_DIR: dir });
  const key = parseKey(first.output());
  expect(await first.end('SIGTERM')).toBe(0);
  const startTime = performance.now();
  const second = await startProcess({ DATA_DIR: dir });
  expect(performance.now() - startTime).toBeLessThan(60_000);
  expect(second.output()).not.toContain('us_');
  const response = await fetch(`${second.url}/api/v1/domains`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(response.status).toBe(200);
  const rival = await startProcess({ DATA_DIR: dir }).then(
    () => 'started',
    (error: Error) => error.message,
  );
  expect(rival).toMatch(/^it ended with 1: .+\n?$/);
  expect(await second.end('SIGINT')).toBe(0);
}, 240_000);
