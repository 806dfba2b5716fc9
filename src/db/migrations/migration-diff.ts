import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbedded } from '../embedded/embedded.ts';
import { findAppsFolder } from './apps-folder.ts';
import {
  composedFolder,
  migrationsFolder,
  readMigrations,
  readSchema,
  toEngineMigrations,
} from './migration-files.ts';
import { noExternals, openEngine } from './schema-engine.ts';

/**
 * Writes `sql` to a new migration folder, `<UTC time>_<name_with_underscores>`.
 * @returns the path of the folder
 */
export function writeMigration(name: string, sql: string, place = migrationsFolder): string {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14);
  const folder = join(place, `${time}_${name.toLowerCase().replace(/[^a-z0-9]+/g, '_')}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'migration.sql'), sql);
  if (place === migrationsFolder)
    writeFileSync(join(place, 'migration_lock.toml'), 'provider = "postgresql"\n');
  return folder;
}

/**
 * Builds settings for the new workspace tables in `sql`, which Prisma cannot express. Without statistics on a
 * workspace, the planner expects one row per table and joins in nested loops over all of its rows. If the threshold
 * were a share of the table, large workspaces would delay the statistics on new ones.
 */
export const buildTableSettings = (sql: string): string =>
  [...sql.matchAll(/^CREATE TABLE ("[^"]+") \(\n\s+"workspace_id"/gm)]
    .map(([, table]) => `\n-- AlterTable\nALTER TABLE ${table} SET (${ANALYZE_SETTINGS});\n`)
    .join('');

const ANALYZE_SETTINGS = 'autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000';

/**
 * Computes the SQL that turns the migrated database into the current schema. Empty if they match. Runs the migrations
 * on a temporary PostgreSQL.
 */
export async function computeSchemaDiff(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'atrium-diff-'));
  try {
    const server = await startEmbedded(dataDir, { fsync: false });
    return await computeDiff(server.url).finally(server.stop);
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function computeDiff(url: string): Promise<string> {
  const shadowUrl = new URL(url);
  shadowUrl.pathname = '/shadow';
  const main = new pg.Pool({ connectionString: url });
  const shadow = new pg.Pool({ connectionString: shadowUrl.href });
  try {
    await main.query('CREATE DATABASE shadow');
    const { engine, cause } = await openEngine(main, shadow);
    const result = await engine
      .diff({
        from: { tag: 'migrations', ...toEngineMigrations(readMigrations()) },
        to: { tag: 'schemaDatamodel', ...readSchema(findAppsFolder() === null ? undefined : composedFolder) },
        script: true,
        exitCode: true,
        filters: noExternals,
      })
      .catch((error) => {
        throw cause(error);
      });
    return result.exitCode === 2 ? (result.stdout ?? '') : '';
  } finally {
    await Promise.all([main.end(), shadow.end()]);
  }
}
