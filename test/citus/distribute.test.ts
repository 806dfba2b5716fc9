import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { migrateDatabase } from '../../src/db/migrations/migrate.ts';
import { type Migration, readMigrations } from '../../src/db/migrations/migration-files.ts';
import { createDatabase } from '../harness/database.ts';
import { definePeer } from '../harness/peer.ts';
import { SECRET_KEY } from '../harness/tenant.ts';
import { until } from '../harness/wait.ts';
import { type CitusCluster, findCitus, startCitus } from '../standins/citus.ts';

const citus = definePeer(findCitus(process.env.CITUS_BIN), 'a PostgreSQL with Citus (CITUS_BIN)', false);

let dataDir: string;
beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'atrium-distribute-'));
});
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of cleanups.splice(0).reverse()) await end();
});

interface Run {
  child: ChildProcess;
  getOutput(): string;
  ended: Promise<number | null>;
}

function distribute(url: string): Run {
  const child = spawn(process.execPath, ['boot/cli.mjs', 'citus', 'distribute', '--shards', '4'], {
    env: { ...process.env, DATABASE_URL: url, DATA_DIR: dataDir, SECRET_KEY },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) stream.on('data', (data) => (output += data));
  const exit = new Promise<number | null>((resolve) => child.once('close', resolve));
  return { child, getOutput: () => output, ended: exit };
}

async function runFailing(url: string): Promise<string> {
  const run = distribute(url);
  expect(await run.ended).toBe(1);
  return run.getOutput();
}

async function runDone(url: string): Promise<string> {
  const run = distribute(url);
  expect(await run.ended, run.getOutput()).toBe(0);
  return run.getOutput();
}

async function connectClient(url: string, overrides = {}): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url, ...overrides });
  await client.connect();
  cleanups.push(() => client.end());
  return client;
}

/** Foreign keys and the triggers that a cluster keeps, as PostgreSQL prints them. */
const BONDS = `
  select pg_get_constraintdef(oid) as bond from pg_constraint
  where contype = 'f' and connamespace = current_schema()::regnamespace and conrelid in (select oid from pg_class)
  union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal and tgname = 'state' order by 1`;

const loadBonds = async (client: pg.Client) => (await client.query(BONDS)).rows.map(({ bond }) => bond);

test('rejects a database without Citus, explains how to install it, and changes nothing', async () => {
  const database = await createDatabase();
  cleanups.push(database.drop);
  expect(await runFailing(database.url)).toContain('This database has no Citus.');
  const client = await connectClient(database.url);
  expect((await client.query(`select from installation where name like 'bonds%'`)).rowCount).toBe(0);
});

citus.describe('on a cluster', () => {
  let cluster: CitusCluster;
  let url: string;
  let workers: string[];
  beforeAll(async () => {
    cluster = await startCitus(citus.module);
    const fill = async (emptyUrl: string) => {
      await migrateDatabase(emptyUrl);
    };
    ({ url, workers } = await cluster.database('distributed', fill));
  });
  afterAll(() => cluster?.end());

  test('reports missing cluster requirements before changing anything', async () => {
    const worker = await connectClient(workers[0]!);
    expect(await runFailing(workers[0]!)).toContain('This is a worker.');
    await worker.query('set citus.enable_ddl_propagation to off');
    await worker.query(`alter database distributed set timezone to 'Europe/Berlin'`);
    expect(await runFailing(url)).toMatch(/The worker 127\.0\.0\.1:\d+ is in Europe\/Berlin\./);
    await worker.query(`alter database distributed set timezone to 'UTC'`);
    const otherClient = await connectClient(url, { application_name: 'atrium' });
    expect(await runFailing(url)).toContain('1 connections of Atrium are open.');
    await otherClient.end();
    cleanups.pop();
    const client = await connectClient(url);
    await client.query('create table stray (id int primary key)');
    expect(await runFailing(url)).toContain('The primary key of stray lacks workspace_id');
    await client.query('drop table stray');
    expect((await client.query('select from citus_tables')).rowCount).toBe(0);
  });

  test('completes a killed run on the next attempt and restores every foreign key', async () => {
    const client = await connectClient(url);
    const bonds = await loadBonds(client);
    expect(bonds.length).toBeGreaterThan(150);
    await client.query(`insert into workspace (id, slug, name) values (7, 'seven', 'Seven')`);
    await client.query(
      `insert into svc_event (workspace_id, id, topic, payload) values (7, 1, 'before', '{}')`,
    );
    const run = distribute(url);
    await until(
      () => /\nres_partner: distributed/.test(run.getOutput()),
      'half of the tables are moved',
      120_000,
    );
    run.child.kill('SIGKILL');
    await run.ended;
    expect((await loadBonds(client)).length).toBeLessThan(bonds.length);
    await runDone(url);
    expect(await loadBonds(client)).toEqual(bonds);
    const rows = await client.query('select topic from svc_event where workspace_id = 7');
    expect(rows.rows).toEqual([{ topic: 'before' }]);
    // The coordinator holds no rows.
    expect((await client.query(`select pg_relation_size('svc_event')::int as left`)).rows).toEqual([
      { left: 0 },
    ]);
    const places = await client.query(
      `select citus_table_type as type, count(distinct colocation_id)::int as groups, count(*)::int as tables
       from citus_tables group by 1 order by 1`,
    );
    expect(places.rows).toEqual([
      { type: 'distributed', groups: 1, tables: expect.any(Number) },
      { type: 'reference', groups: 1, tables: 5 },
    ]);
    expect(await runDone(url)).toMatch(/^tables: +0$/m);
  });

  test('rejects invalid email state transitions in a cluster', async () => {
    const client = await connectClient(url);
    await client.query(
      `insert into svc_email (workspace_id, id, public_id, "state", "from", subject)
       values (7, 1, 'e1', 'cancelled', 'a@b.test', 's')`,
    );
    const move = client.query(`update svc_email set state = 'queued' where workspace_id = 7 and id = 1`);
    await expect(move).rejects.toThrow('an email that is cancelled cannot become queued');
  });

  test('places the tables, columns and indexes of later migrations', async () => {
    const client = await connectClient(url);
    const later = [
      buildMigration(
        '29990101000000_later',
        `-- CreateTable
CREATE TABLE "later" ("workspace_id" INTEGER NOT NULL, "id" SERIAL NOT NULL, "partner_id" INTEGER,
  CONSTRAINT "later_pkey" PRIMARY KEY ("workspace_id","id"));

-- AlterTable
ALTER TABLE "svc_email" ADD COLUMN "later_id" INTEGER;

-- CreateIndex
CREATE INDEX "later_partner" ON "later"("workspace_id", "partner_id");

-- AddForeignKey
ALTER TABLE "later" ADD CONSTRAINT "later_partner_fkey" FOREIGN KEY ("workspace_id", "partner_id") REFERENCES "res_partner"("workspace_id", "id") ON DELETE RESTRICT ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "svc_email" ADD CONSTRAINT "svc_email_later_fkey" FOREIGN KEY ("workspace_id", "later_id") REFERENCES "later"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AlterTable
ALTER TABLE "later" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);

-- AlterTable
ALTER TABLE "svc_email" SET (autovacuum_vacuum_scale_factor = 0.1);
`,
      ),
      buildMigration(
        '29990101000001_index',
        `-- outside of a transaction\nCREATE INDEX CONCURRENTLY IF NOT EXISTS "later_emails" ON "svc_email"("workspace_id", "later_id");`,
      ),
    ];
    expect(await migrateDatabase(url, undefined, [...readMigrations(), ...later])).toHaveLength(2);
    const { rows } = await client.query(
      `select citus_table_type as type, colocation_id = (
         select colocation_id from citus_tables where table_name = 'res_partner'::regclass) as beside
       from citus_tables where table_name = 'later'::regclass`,
    );
    expect(rows).toEqual([{ type: 'distributed', beside: true }]);
    const shards = await client.query(
      `select sum(result::int)::int as count from run_command_on_workers(
         $$select count(*) from pg_indexes where indexname ~ '^later_emails_\\d+$'$$)`,
    );
    expect(shards.rows).toEqual([{ count: 4 }]);
  });
});

function buildMigration(name: string, sql: string): Migration {
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}
