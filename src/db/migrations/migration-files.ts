import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm';
import { AppsError, listExternalApps } from './apps-folder.ts';

/** `checksum` is the hex SHA-256 of the file, as in Prisma. */
export type Migration = { name: string; sql: string; checksum: string };

export const migrationsFolder = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
export const schemaFolder = fileURLToPath(new URL('../../../prisma/schema', import.meta.url));
/** The schema including the apps of APPS_DIR. Created by `compose-schema.ts`. */
export const composedFolder = fileURLToPath(new URL('../../../prisma/composed', import.meta.url));

export function getAppMigrationsFolder(name: string): string {
  const app = listExternalApps().find((externalApp) => externalApp.name === name);
  if (!app) throw new AppsError(`APPS_DIR contains no app ${name}`);
  return join(app.path, 'migrations');
}

/** Reads the migrations of the product and of the apps in APPS_DIR, sorted by name. Names begin with a timestamp. */
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

/**
 * Reads the schema files in the input format of Prisma's engine. The product's schema includes the apps in APPS_DIR.
 */
export function readSchema(folder = schemaFolder): { files: { path: string; content: string }[] } {
  // The apps folder is a symbolic link, which Node does not follow in a recursive listing.
  const apps = join(folder, 'apps');
  const inApps = existsSync(apps) ? readdirSync(apps).map((app) => join(apps, app, 'schema.prisma')) : [];
  const outside =
    folder === schemaFolder ? listExternalApps().map(({ path }) => join(path, 'schema.prisma')) : [];
  const schemaFiles = readdirSync(folder).filter((name) => name.endsWith('.prisma'));
  const paths = [
    ...schemaFiles.map((name) => join(folder, name)),
    ...[...inApps, ...outside].filter((path) => existsSync(path)),
  ];
  return { files: paths.sort().map((path) => ({ path, content: readFileSync(path, 'utf8') })) };
}
