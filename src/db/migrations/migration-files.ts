import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MigrationList } from '@prisma/schema-engine-wasm';

/** `checksum` is Prisma's: the hex SHA-256 of the file. */
export type Migration = { name: string; sql: string; checksum: string };

export const migrationsFolder = fileURLToPath(new URL('../../../prisma/migrations', import.meta.url));
const schemaFolder = fileURLToPath(new URL('../../../prisma/schema', import.meta.url));

/** Every `<folder>/<name>/migration.sql`, in the order of the names (they begin with a time). */
export function readMigrations(folder = migrationsFolder): Migration[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, 'migration.sql')))
    .sort()
    .map((name) => {
      const sql = readFileSync(join(folder, name, 'migration.sql'), 'utf8');
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
    });
}

/** The same as Prisma's engine takes it. */
export function engineList(migrations: Migration[]): MigrationList {
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

/** The schema's files as Prisma's engine takes them. */
export function readSchema(folder = schemaFolder): { files: { path: string; content: string }[] } {
  // The folder of the apps is a link; Node follows none of its own accord.
  const apps = join(folder, 'apps');
  const inApps = existsSync(apps) ? readdirSync(apps).map((app) => join('apps', app, 'schema.prisma')) : [];
  const own = readdirSync(folder).filter((name) => name.endsWith('.prisma'));
  const names = [...own, ...inApps.filter((name) => existsSync(join(folder, name)))];
  return {
    files: names.sort().map((name) => ({
      path: join(folder, name),
      content: readFileSync(join(folder, name), 'utf8'),
    })),
  };
}
