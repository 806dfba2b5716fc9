import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type EmbeddedServer, startEmbedded } from '../../src/db/embedded/embedded.ts';
import { migrateDatabase } from '../../src/db/migrations/migrate.ts';
import type { People } from './tenant.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the test run's PostgreSQL, with the right to create databases. */
    adminUrl: string;
  }
}

export interface OwnDatabase {
  url: string;
  drop(): Promise<void>;
}

/** A database with the users of its workspace `main`. */
export interface SeededDatabase extends OwnDatabase {
  people: People;
}

const template = 'atrium_template';
const seededTemplate = 'atrium_founded';
let server: EmbeddedServer | null = null;
let dataDir = '';
let databases = 0;
let people: People | undefined;

/**
 * Starts a temporary PostgreSQL with a migrated template once per run, so that creating a database for a test takes
 * milliseconds.
 */
export async function setup(project: TestProject): Promise<void> {
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return;
  dataDir = mkdtempSync(join(getDataParent(), 'atrium test '));
  process.once('exit', killServer);
  try {
    server = await startEmbedded(dataDir, { fsync: false });
    await runAsAdmin(server.url, `CREATE DATABASE ${template}`);
    await migrateDatabase(buildDatabaseUrl(server.url, template));
    await runAsAdmin(buildDatabaseUrl(server.url, template), FAR_SEQUENCES);
    await runAsAdmin(buildDatabaseUrl(server.url, template), QUIET_TRIGGERS);
    project.provide('adminUrl', server.url);
  } catch (error) {
    await teardown();
    throw error;
  }
}

/** Prefers memory if there is enough, because disk access accounted for a quarter of the run time. */
function getDataParent(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    const freeBytes = Math.min(bavail * bsize, process.availableMemory());
    return freeBytes > MIN_FREE_BYTES ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

const MIN_FREE_BYTES = 12 * 2 ** 30;

/**
 * Sequences start far above the ids that each workspace allocates from 1. So records of different workspaces share ids
 * throughout the run, and rows inserted by tests do not collide.
 */
const FAR_SEQUENCES = `
  select setval(d.objid::regclass, 1000000000) from pg_depend d
  join pg_class s on s.oid = d.objid and s.relkind = 'S'
  join pg_attribute i on i.attrelid = d.refobjid and i.attnum = d.refobjsubid and i.attname = 'id'
  join pg_attribute w on w.attrelid = d.refobjid and w.attname = 'workspace_id'
  where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype = 'a'
    and d.refobjid::regclass::text not in ('ir_model', 'ir_model_fields')`;

/**
 * Both the triggers and the application send invalidations (docs/adr/0025-cache-invalidation.md). In tests, the
 * triggers notify a channel without listeners, so that the tests pass only if the application's invalidations suffice.
 */
const QUIET_TRIGGERS = `
  create or replace function atrium_identity_changed() returns trigger language plpgsql as $$
  begin
    perform pg_notify('atrium_trigger', concat_ws(' ', pg_current_xact_id(), tg_table_name, lower(tg_op),
      coalesce(to_jsonb(old), to_jsonb(new))->case when tg_table_name = 'workspace' then 'id' else 'workspace_id' end));
    return null;
  end $$`;

export async function teardown(): Promise<void> {
  await server?.stop();
  server = null;
  process.off('exit', killServer);
  rmSync(dataDir, { recursive: true, force: true });
}

export function createDatabase(): Promise<OwnDatabase> {
  return copyDatabase(template);
}

/** Creates a database in the state after the first start, with the users of the workspace `main`. */
export async function createSeededDatabase(): Promise<SeededDatabase> {
  people ??= await seedTemplate();
  return { ...(await copyDatabase(seededTemplate)), people };
}

export function createBareDatabase(): Promise<OwnDatabase> {
  return copyDatabase('template1');
}

/**
 * Returns the users of the template. The first process that needs the template creates it, and stores the users in its
 * comment for the other processes. A separate process does the work, because a test process may define additional
 * models or operations.
 */
async function seedTemplate(): Promise<People> {
  const adminUrl = await getAdminUrl();
  return withAdmin(adminUrl, async (client) => {
    await client.query(`SELECT pg_advisory_lock(hashtext('${seededTemplate}'))`);
    const { rows } = await client.query(
      `SELECT shobj_description(oid, 'pg_database') AS told FROM pg_database WHERE datname = '${seededTemplate}'`,
    );
    if (rows[0]?.told) return JSON.parse(rows[0].told);
    await client.query(`DROP DATABASE IF EXISTS ${seededTemplate}`);
    await client.query(`CREATE DATABASE ${seededTemplate} TEMPLATE ${template}`);
    const seededPeople = await seedDatabase(buildDatabaseUrl(adminUrl, seededTemplate));
    await client.query(
      `COMMENT ON DATABASE ${seededTemplate} IS ${client.escapeLiteral(JSON.stringify(seededPeople))}`,
    );
    return seededPeople;
  });
}

export async function seedDatabase(url: string): Promise<People> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    fileURLToPath(new URL('found.ts', import.meta.url)),
    url,
  ]);
  return JSON.parse(stdout);
}

async function copyDatabase(source: string): Promise<OwnDatabase> {
  const adminUrl = await getAdminUrl();
  databases += 1;
  const name = `test_${process.pid}_${databases}_${Date.now().toString(36)}`;
  // The default strategy also writes the copy to the log, which takes four times as long.
  await runAsAdmin(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
  return { url: buildDatabaseUrl(adminUrl, name), drop: () => drop(adminUrl, name) };
}

/** Imported lazily, because the file also runs outside of tests, as the global setup. */
async function getAdminUrl(): Promise<string> {
  const { inject } = await import('vitest');
  return inject('adminUrl');
}

/**
 * Terminating a connection that is closing raises an unhandled error. So PostgreSQL first waits for it (5 s), and only
 * connections left open by a test are terminated.
 */
async function drop(adminUrl: string, name: string): Promise<void> {
  const objectInUse = '55006';
  await runAsAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name}`).catch((error) => {
    if (error.code !== objectInUse) throw error;
    return runAsAdmin(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

async function runAsAdmin(url: string, sql: string): Promise<void> {
  await withAdmin(url, (client) => client.query(sql));
}

async function withAdmin<T>(url: string, run: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await run(client);
  } finally {
    await client.end();
  }
}

function buildDatabaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** Kills the server after an interrupted run, which skips the asynchronous teardown. */
function killServer(): void {
  if (server) process.kill(server.pid, 'SIGQUIT');
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
