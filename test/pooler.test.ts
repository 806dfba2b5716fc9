import pg from 'pg';
import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import { post, setUpApp } from './harness/app.ts';
import { json2 } from './harness/facades/json2.ts';
import { definePeer } from './harness/peer.ts';
import { type AppProcess, startProcess } from './harness/process.ts';
import { SECRET_KEY } from './harness/tenant.ts';
import { getPgBouncerVersion, type Pooler, startPgBouncer } from './standins/pgbouncer.ts';

// Compares two processes behind a PgBouncer in transaction mode with a process that connects to PostgreSQL directly.

const canPrepare = (program: string): boolean => {
  const [major, minor] = getPgBouncerVersion(program) ?? [0, 0];
  return major > 1 || minor >= 21;
};
// On Debian, the program is only on the administrator's PATH.
const system =
  process.env.PGBOUNCER ??
  ['pgbouncer', '/usr/sbin/pgbouncer'].find((item) => getPgBouncerVersion(item)) ??
  'pgbouncer';
const executable = process.env.PGBOUNCER_NEW ?? system;
const any = definePeer(getPgBouncerVersion(system) && system, 'pgbouncer (apt-get install pgbouncer)');
const newer = definePeer(
  canPrepare(executable) ? executable : null,
  'PgBouncer 1.21 or newer (PGBOUNCER_NEW)',
  false,
);

/** Calls to the two processes, in a different order for each. */
const CALLS: [path: string, body: object][] = [
  'ir.model',
  'res.groups',
  'res.partner',
  'res.country',
  'res.currency',
  'res.users',
  'ir.rule',
  'ir.model.access',
  'crm.stage',
  'crm.lead',
].flatMap((model): [string, object][] => [
  [`${model}/search_read`, { domain: [], fields: ['id', 'display_name'], limit: 5, order: 'id' }],
  [`${model}/search_count`, { domain: [['id', '<', 50]] }],
  [`${model}/search`, { domain: [], limit: 3, order: 'id desc' }],
]);

// Each test starts a pooler and two processes.
vi.setConfig({ testTimeout: 240_000 });

const app = setUpApp();
let expected: string[];
beforeAll(async () => {
  const { pathname } = new URL(app.databaseUrl);
  await app.runtime.db.pool.query(`alter database "${pathname.slice(1)}" set timezone to 'Europe/Berlin'`);
  expected = [];
  for (const [path, body] of CALLS) expected.push((await json2(app, path, body, getAdminKey())).text);
});

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});

const getAdminKey = () => app.main.admin.key;

/** Starts two processes on the database of `app`, whose server time zone differs from UTC. */
async function startBehindPooler(
  program: string,
  env: Record<string, string>,
  settings = {},
): Promise<AppProcess[]> {
  const { url } = await startPooler(program, settings);
  return startPair({ DATABASE_URL: url, ...env });
}

async function startPooler(program: string, settings = {}): Promise<Pooler> {
  const pooler = await startPgBouncer(program, app.databaseUrl, settings);
  cleanups.push(pooler.end);
  return pooler;
}

async function startPair(env: Record<string, string>): Promise<AppProcess[]> {
  const all = { SECRET_KEY, DATA_DIR: app.runtime.config.dataDir, ...env };
  const pair = await Promise.all([startProcess(all), startProcess(all)]);
  cleanups.push(() => Promise.all(pair.map((item) => item.end('SIGTERM'))));
  return pair;
}

const buildDirectEnv = () => ({ DATABASE_DIRECT_URL: app.databaseUrl });

/** Repeats different calls often enough that each statement is prepared, if possible. */
async function load(pair: AppProcess[]): Promise<void> {
  const runLane = async (process: AppProcess, step: number) => {
    for (let n = 0; n < CALLS.length * 5; n++) {
      const at = (n * step) % CALLS.length;
      const [path, body] = CALLS[at]!;
      const answer = await json2(process, path, body, getAdminKey());
      expect(`${answer.status} ${answer.text}`, path).toBe(`200 ${expected[at]}`);
    }
  };
  await Promise.all(pair.flatMap((item, i) => [runLane(item, 1), runLane(item, i === 0 ? 7 : 11)]));
}

const readReadiness = async ({ url }: AppProcess) => (await (await fetch(`${url}/api/ready`)).json()).status;

/** Verifies invariants that hold with any pooler. */
async function expectReady([one, otherProcess]: AppProcess[]): Promise<void> {
  await Promise.all([one, otherProcess].map((item) => expect.poll(() => readReadiness(item!)).toBe('ready')));
  await load([one!, otherProcess!]);
  await expectClock(one!);
  await expectDelivers(one!, otherProcess!);
  await expectRevocationSpreads(one!, otherProcess!);
}

async function expectClock(process: AppProcess): Promise<void> {
  const ids = (
    await json2(process, 'res.partner/create', { vals_list: [{ name: 'now' }] }, getAdminKey())
  ).json();
  const [row] = (
    await json2(process, 'res.partner/read', { ids, fields: ['create_date'] }, getAdminKey())
  ).json();
  const clockDifference = Date.parse(`${row.create_date.replace(' ', 'T')}Z`) - Date.now();
  expect(Math.abs(clockDifference)).toBeLessThan(10 * 60_000);
  expect((await json2(process, 'res.partner/unlink', { ids }, getAdminKey())).status).toBe(200);
}

async function expectDelivers(a: AppProcess, otherProcess: AppProcess): Promise<void> {
  const mail = { from: `a@${app.main.domain}`, to: 'b@example.org', subject: 's', text: 't' };
  const send = async (process: AppProcess, overrides = {}): Promise<string> => {
    const answer = await post(`${process.url}/api/v1/emails`, { ...mail, ...overrides }, app.main.teamKey);
    expect(answer.status, answer.text).toBe(200);
    return answer.json().emailId;
  };
  const later = await send(a, { scheduledAt: new Date(Date.now() + 30 * 60_000).toISOString() });
  const ids = await Promise.all(Array.from({ length: 12 }, (_, i) => send(i % 2 ? a : otherProcess)));
  const readStatus = async (id: string) => {
    const headers = { authorization: `Bearer ${app.main.teamKey}` };
    return (await (await fetch(`${otherProcess.url}/api/v1/emails/${id}`, { headers })).json()).latestStatus;
  };
  for (const id of ids) await expect.poll(() => readStatus(id)).toBe('DELIVERED');
  expect(await readStatus(later)).toBe('SCHEDULED');
}

/** Expects the other process, which has cached the right, to receive the invalidation. */
async function expectRevocationSpreads(a: AppProcess, otherProcess: AppProcess): Promise<void> {
  const count = async () =>
    (await json2(otherProcess, 'crm.lead/search_count', { domain: [] }, getAdminKey())).status;
  expect(await count()).toBe(200);
  const search = { domain: [['model_id.model', '=', 'crm.lead']], context: { active_test: false } };
  const ids = (await json2(a, 'ir.model.access/search', search, getAdminKey())).json();
  const set = (active: boolean) =>
    json2(a, 'ir.model.access/write', { ids, vals: { active } }, getAdminKey());
  expect((await set(false)).status).toBe(200);
  await expect.poll(count).toBe(403);
  expect((await set(true)).status).toBe(200);
  await expect.poll(count).toBe(200);
}

any.describe('behind a PgBouncer of any version', () => {
  test('detects on first start whether prepared statements are supported', async () => {
    const url = new URL(app.databaseUrl);
    await app.runtime.db.pool.query('create database first_start');
    url.pathname = '/first_start';
    const pooler = await startPgBouncer(any.module, url.href);
    cleanups.push(pooler.end);
    const env = { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: url.href };
    const process = await startProcess({ SECRET_KEY, DATA_DIR: app.runtime.config.dataDir, ...env });
    cleanups.push(() => process.end('SIGTERM'));
    await expect.poll(() => readReadiness(process)).toBe('ready');
  });
});

any.describe('behind a PgBouncer of any version, without prepared statements,', () => {
  test('serves two processes with correct responses, clock, delivery and invalidation', async () => {
    const pair = await startBehindPooler(any.module, {
      ...buildDirectEnv(),
      DATABASE_PREPARED_STATEMENTS: 'off',
    });
    await expectReady(pair);
    expect(pair[0]!.output() + pair[1]!.output()).not.toContain('notifications');
  });

  test('limits statement time on pooled connections, and leaves no lock behind', async () => {
    const client = new pg.Client({ connectionString: app.databaseUrl });
    await client.connect();
    cleanups.push(() => client.end());
    const listLocks = async () =>
      (
        await client.query(
          `select l.pid, l.classid, l.objid from pg_locks l join pg_database d on d.oid = l.database
           where l.locktype = 'advisory' and d.datname = current_database() order by 1, 2, 3`,
        )
      ).rows;
    const locksBefore = await listLocks();
    const pair = await startBehindPooler(any.module, {
      ...buildDirectEnv(),
      DATABASE_PREPARED_STATEMENTS: 'off',
    });
    const { rows } = await client.query(
      `select current_setting('statement_timeout') as statement, current_setting('TimeZone') as zone,
         current_setting('temp_file_limit') as files`,
    );
    expect(rows).toEqual([{ statement: '30s', zone: 'UTC', files: '1GB' }]);
    expect(await listLocks()).not.toEqual(locksBefore);
    await Promise.all(pair.map((item) => item.end('SIGTERM')));
    await expect.poll(listLocks).toEqual(locksBefore);
  });

  test('does not start without a direct URL', async () => {
    const starting = startBehindPooler(any.module, { DATABASE_PREPARED_STATEMENTS: 'off' });
    await expect(starting).rejects.toThrow(
      /ended with 1: Atrium could not start: DATABASE_URL leads to a connection pooler\. Set DATABASE_DIRECT_URL/,
    );
  });

  test('disables caching and reports degraded if the direct URL leads to the pooler', async () => {
    const { url } = await startPooler(any.module);
    const both = { DATABASE_URL: url, DATABASE_DIRECT_URL: url };
    const pair = await startPair({ ...both, DATABASE_PREPARED_STATEMENTS: 'off' });
    await Promise.all(
      pair.map((item) => expect.poll(item.output).toContain('notifications of the database do not')),
    );
    expect(await readReadiness(pair[0]!)).toBe('degraded');
    await load(pair);
    await expectRevocationSpreads(pair[0]!, pair[1]!);
  });
});

any.describe('behind a PgBouncer that does not support prepared statements,', () => {
  test('stops using prepared statements if the pooler mixes them up', async () => {
    const settings = canPrepare(any.module) ? { max_prepared_statements: 0 } : {};
    const pair = await startBehindPooler(any.module, buildDirectEnv(), settings);
    await load(pair);
    await Promise.all(
      pair.map((item) => expect.poll(item.output).toContain('DATABASE_PREPARED_STATEMENTS=off')),
    );
    await load(pair);
  });
});

newer.describe('behind a PgBouncer that supports prepared statements,', () => {
  test('serves two processes with prepared statements', async () => {
    const pair = await startBehindPooler(newer.module, buildDirectEnv(), { max_prepared_statements: 200 });
    await expectReady(pair);
    expect(pair[0]!.output() + pair[1]!.output()).not.toContain('DATABASE_PREPARED_STATEMENTS');
  });
});
