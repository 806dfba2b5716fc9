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
    /** URL of the run's PostgreSQL, with the right to create databases. */
    adminUrl: string;
  }
}

/** A database that a test has for itself. */
export interface OwnDatabase {
  url: string;
  drop(): Promise<void>;
}

/** The same with the people of its workspace `main`. */
export interface SeededDatabase extends OwnDatabase {
  people: People;
}

const template = 'atrium_template';
const seededTemplate = 'atrium_founded';
let server: EmbeddedServer | null = null;
let dataDir = '';
let databases = 0;
let people: People | undefined;

/** Once a run: a throw-away PostgreSQL with a migrated template, so that a test's own database takes milliseconds. */
export async function setup(project: TestProject): Promise<void> {
  if (project.vitest.projects.every(({ name }) => name === 'unit')) return;
  dataDir = mkdtempSync(join(getDataParent(), 'atrium test '));
  process.once('exit', killServer);
  try {
    server = await startEmbedded(dataDir, { fsync: false });
    await administer(server.url, `CREATE DATABASE ${template}`);
    await migrateDatabase(databaseUrl(server.url, template));
    await administer(databaseUrl(server.url, template), FAR_SEQUENCES);
    await administer(databaseUrl(server.url, template), QUIET_TRIGGERS);
    project.provide('adminUrl', server.url);
  } catch (error) {
    await teardown();
    throw error;
  }
}

/** Memory where it is plentiful: a quarter of a run was the disk. */
function getDataParent(): string {
  const memory = '/dev/shm';
  try {
    const { bavail, bsize } = statfsSync(memory);
    const free = Math.min(bavail * bsize, process.availableMemory());
    return free > MIN_FREE_BYTES ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

const MIN_FREE_BYTES = 12 * 2 ** 30;

/**
 * Rows that a test adds by itself get ids far from those that workspaces count, which begin at 1 in each: so records of
 * different workspaces have equal ids throughout the run.
 */
const FAR_SEQUENCES = `
  select setval(d.objid::regclass, 1000000000) from pg_depend d
  join pg_class s on s.oid = d.objid and s.relkind = 'S'
  join pg_attribute i on i.attrelid = d.refobjid and i.attnum = d.refobjsubid and i.attname = 'id'
  join pg_attribute w on w.attrelid = d.refobjid and w.attname = 'workspace_id'
  where d.classid = 'pg_class'::regclass and d.refclassid = 'pg_class'::regclass and d.deptype = 'a'
    and d.refobjid::regclass::text not in ('ir_model', 'ir_model_fields')`;

/**
 * Triggers announce what makes memories wrong, and so does the application (docs/adr/0025-news.md). In tests they say
 * it where no process listens, so that whatever works does so without them.
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

/** A migrated, empty database of one's own. */
export function createDatabase(): Promise<OwnDatabase> {
  return copyDatabase(template);
}

/** A database as the application leaves it at its first start, with the people of the workspace `main`. */
export async function createSeededDatabase(): Promise<SeededDatabase> {
  people ??= await seedTemplate();
  return { ...(await copyDatabase(seededTemplate)), people };
}

/** A database with nothing in it, for tests of the migrations themselves. */
export function createBareDatabase(): Promise<OwnDatabase> {
  return copyDatabase('template1');
}

/**
 * The first to need it founds the template, and its comment tells the other processes who is in it. A process of its own
 * does it, because that of a test may have models or verbs of the test.
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
    const made = await seedDatabase(databaseUrl(adminUrl, seededTemplate));
    await client.query(
      `COMMENT ON DATABASE ${seededTemplate} IS ${client.escapeLiteral(JSON.stringify(made))}`,
    );
    return made;
  });
}

/** Makes a migrated database what the application's first start makes it. */
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
  // The default strategy writes the copy to the log as well, which takes four times as long.
  await administer(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`);
  return { url: databaseUrl(adminUrl, name), drop: () => drop(adminUrl, name) };
}

/** Imported here because the file also runs outside of tests, as the global set-up. */
async function getAdminUrl(): Promise<string> {
  const { inject } = await import('vitest');
  return inject('adminUrl');
}

/**
 * A closing connection that is cut from the server's side raises an error nobody listens to, so PostgreSQL first gets
 * to wait for it (5 s); only one that a test left open is cut.
 */
async function drop(adminUrl: string, name: string): Promise<void> {
  const objectInUse = '55006';
  await administer(adminUrl, `DROP DATABASE IF EXISTS ${name}`).catch((error) => {
    if (error.code !== objectInUse) throw error;
    return administer(adminUrl, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
  });
}

async function administer(url: string, sql: string): Promise<void> {
  await withAdmin(url, (client) => client.query(sql));
}

async function withAdmin<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(url: string, name: string): string {
  const other = new URL(url);
  other.pathname = `/${name}`;
  return other.href;
}

/** For an interrupted run, where no asynchronous teardown is reached. */
function killServer(): void {
  if (server) process.kill(server.pid, 'SIGQUIT');
  rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
}
