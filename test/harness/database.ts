import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { type Embedded, startEmbedded } from '../../src/db/embedded/embedded.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of the run's PostgreSQL, with the right to create databases. */
    adminUrl: string;
  }
}

const template = 'atrium_template';
let server: Embedded | null = null;
let dataDir = '';
let databases = 0;

/** Once a run: a throw-away PostgreSQL with a migrated template, so that a test's own database takes milliseconds. */
export async function setup(project: TestProject): Promise<void> {
  dataDir = mkdtempSync(join(tmpdir(), 'atrium test '));
  process.once('exit', killServer);
  try {
    server = await startEmbedded(dataDir, { fsync: false });
    await administer(server.url, `CREATE DATABASE ${template}`);
    await migrate(databaseUrl(server.url, template));
    project.provide('adminUrl', server.url);
  } catch (error) {
    await teardown();
    throw error;
  }
}

export async function teardown(): Promise<void> {
  await server?.stop();
  server = null;
  process.off('exit', killServer);
  rmSync(dataDir, { recursive: true, force: true });
}

/** A migrated, empty database of one's own. */
export function freshDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  return copyOf(template);
}

/** A database with nothing in it, for tests of the migrations themselves. */
export function bareDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  return copyOf('template1');
}

async function copyOf(source: string): Promise<{ url: string; drop(): Promise<void> }> {
  // Imported here because the file also runs outside of tests, as the global set-up.
  const { inject } = await import('vitest');
  const adminUrl = inject('adminUrl');
  databases += 1;
  const name = `test_${process.pid}_${databases}_${Date.now().toString(36)}`;
  await administer(adminUrl, `CREATE DATABASE ${name} TEMPLATE ${source}`);
  return { url: databaseUrl(adminUrl, name), drop: () => drop(adminUrl, name) };
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
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
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
