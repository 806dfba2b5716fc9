import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import { AppsError, listExternalApps } from './apps-folder.ts';

/** `checksum` is Prisma's: the hex SHA-256 of the file. */
export type Migration = { name: string; sql: string; checksum: string };

export const migrationsFolder = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
export const schemaFolder = fileURLToPath(new URL('../../../prisma/schema', import.meta.url));
/** The schema with that of the apps of APPS_DIR; made by `compose-schema.ts`. */
export const composedFolder = fileURLToPath(new URL('../../../prisma/composed', import.meta.url));

/** Where an app of APPS_DIR has its migrations. @throws AppsError when there is no such app */
export function getAppMigrationsFolder(name: string): string {
  const app = listExternalApps().find((each) => each.name === name);
  if (!app) throw new AppsError(`APPS_DIR holds no app ${name}`);
  return join(app.path, 'migrations');
}

/**
 * Every `<folder>/<name>/migration.sql`, those of the apps of APPS_DIR included, in the order of the names (they begin
 * with a time).
 */
export function readMigrations(): Migration[] {
  return [migrationsFolder, ...listExternalApps().map(({ path }) => join(path, 'migrations'))]
    .flatMap(readMigrationFolder)
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readMigrationFolder(folder: string): Migration[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'migration.sql')))
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** The same as Prisma's engine takes it. */
export function toEngineMigrations(migrations: Migration[]): MigrationList {
  return {
    baseDir: migrationsFolder,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories: migrations.map(({ name, sql }) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok', value: sql } },
    })),
  };
}

/** The schema's files as Prisma's engine takes them; of the product, those of the apps of APPS_DIR included. */
export function readSchema(folder = schemaFolder): { files: { path: string; content: string }[] } {
  // The folder of the apps is a link; Node follows none of its own accord.
  const apps = join(folder, 'apps');
  const inApps = existsSync(apps) ? readdirSync(apps).map((app) => join(apps, app, 'schema.prisma')) : [];
  const outside =
    folder === schemaFolder ? listExternalApps().map(({ path }) => join(path, 'schema.prisma')) : [];
  const own = readdirSync(folder).filter((name) => name.endsWith('.prisma'));
  const paths = [
    ...own.map((name) => join(folder, name)),
    ...[...inApps, ...outside].filter((path) => existsSync(path)),
  ];
  return { files: paths.sort().map((path) => ({ path, content: readFileSync(path, 'utf8') })) };
}
