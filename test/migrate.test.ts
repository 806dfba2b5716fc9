import { createHash } from 'node:crypto';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadPlacements } from '../src/db/citus/placement.ts';
import { migrateDatabase } from '../src/db/migrations/migrate.ts';
import { buildTableSettings, computeSchemaDiff } from '../src/db/migrations/migration-diff.ts';
import { type Migration, readMigrations, toEngineMigrations } from '../src/db/migrations/migration-files.ts';
import { findMigrationRisks, formatWarnings } from '../src/db/migrations/migration-risks.ts';
import { noExternals, openEngine } from '../src/db/migrations/schema-engine.ts';
import { splitStatements } from '../src/db/migrations/statements.ts';
import { findUnmigratedColumns } from '../src/db/migrations/unmigrated-columns.ts';
import { openDatabase } from '../src/db/pool.ts';
import { createBareDatabase, createDatabase } from './harness/database.ts';
import { until } from './harness/wait.ts';

let url = '';
let database: pg.Pool;
let drop: () => Promise<void>;

beforeEach(async () => {
  ({ url, drop } = await createBareDatabase());
  database = new pg.Pool({ connectionString: url });
});

const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const end of cleanups.splice(0)) await end();
  await database.end();
  await drop();
});

function buildMigration(migrationName: string, sql: string): Migration {
  return { name: migrationName, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}

const first = buildMigration('1_table', 'CREATE TABLE thing (id int PRIMARY KEY, name text);');
const second = buildMigration(
  '2_by_hand',
  `CREATE FUNCTION shout() RETURNS trigger LANGUAGE plpgsql AS $$
   BEGIN NEW.name := upper(NEW.name); RETURN NEW; END; $$;
   CREATE TRIGGER shouting BEFORE INSERT ON thing FOR EACH ROW EXECUTE FUNCTION shout();
   CREATE UNIQUE INDEX one_name ON thing (name) WHERE id > 0;`,
);

async function loadMigrations() {
  const { rows } = await database.query(
    `SELECT migration_name AS name, finished_at IS NOT NULL AS finished FROM _prisma_migrations ORDER BY started_at`,
  );
  return rows;
}

async function readHistory(migrations: Migration[]) {
  const { engine } = await openEngine(database);
  return engine.diagnoseMigrationHistory({
    migrationsList: toEngineMigrations(migrations),
    optInToShadowDatabase: false,
    filters: noExternals,
  });
}

test('ignores the statement timeout of the role', async () => {
  const { pathname } = new URL(url);
  await database.query(
    `ALTER ROLE current_user IN DATABASE "${pathname.slice(1)}" SET statement_timeout TO '100ms'`,
  );
  const longMigration = buildMigration(
    '1_long',
    'SELECT pg_sleep(0.5); CREATE TABLE thing (id int PRIMARY KEY);',
  );
  expect(await migrateDatabase(url, undefined, [longMigration])).toEqual(['1_long']);
});

test('applies migrations with functions, triggers and partial indexes once, in order', async () => {
  expect(await migrateDatabase(url, undefined, [first])).toEqual(['1_table']);
  expect(await migrateDatabase(url, undefined, [first, second])).toEqual(['2_by_hand']);
  expect(await migrateDatabase(url, undefined, [first, second])).toEqual([]);
  await database.query(`INSERT INTO thing VALUES (1, 'a')`);
  expect((await database.query('SELECT name FROM thing')).rows).toEqual([{ name: 'A' }]);
});

test('writes a history that Prisma accepts', async () => {
  await migrateDatabase(url, undefined, [first, second]);
  expect(await readHistory([first, second])).toMatchObject({
    editedMigrationNames: [],
    failedMigrationNames: [],
    hasMigrationsTable: true,
    history: null,
  });
  expect((await readHistory([first, { ...second, sql: 'SELECT 1' }])).editedMigrationNames).toEqual([
    '2_by_hand',
  ]);
});

test('runs each migration in only one of several concurrent processes, and all of them succeed', async () => {
  const all = await Promise.all([1, 2, 3].map(() => migrateDatabase(url, undefined, [first, second])));
  expect(all.filter((applied) => applied.length > 0)).toEqual([['1_table', '2_by_hand']]);
  expect(await loadMigrations()).toEqual([
    { name: '1_table', finished: true },
    { name: '2_by_hand', finished: true },
  ]);
});

test('rolls back a failing migration and names its line', async () => {
  const brokenMigration = buildMigration(
    '2_broken',
    'CREATE TABLE half (id int);\n\nSELECT nothing FROM half;',
  );
  await expect(migrateDatabase(url, undefined, [first, brokenMigration])).rejects.toThrow(
    'Migration 2_broken failed in line 3: column "nothing" does not exist',
  );
  expect(await loadMigrations()).toEqual([{ name: '1_table', finished: true }]);
  expect((await database.query(`SELECT to_regclass('half') AS half`)).rows).toEqual([{ half: null }]);
  const mendedMigration = buildMigration('2_broken', 'CREATE TABLE half (id int);');
  expect(await migrateDatabase(url, undefined, [first, mendedMigration])).toEqual(['2_broken']);
});

test('rejects a migration that was edited after it was applied', async () => {
  await migrateDatabase(url, undefined, [first]);
  const editedMigration = buildMigration('1_table', `${first.sql} `);
  await expect(migrateDatabase(url, undefined, [editedMigration, second])).rejects.toThrow(
    'Migration 1_table was edited',
  );
  expect(await loadMigrations()).toHaveLength(1);
});

test('creates test databases with every migration and drops them afterwards', async () => {
  const newDatabase = await createDatabase();
  expect(await migrateDatabase(newDatabase.url)).toEqual([]);
  await newDatabase.drop();
  const { rows } = await database.query('SELECT FROM pg_database WHERE datname = $1', [
    new URL(newDatabase.url).pathname.slice(1),
  ]);
  expect(rows).toEqual([]);
});

test('the migrations produce the declared schema', async () => {
  expect(readMigrations().length).toBeGreaterThan(0);
  expect(await computeSchemaDiff()).toBe('');
});

test('analyzes every table shared by all workspaces after 1,000 changed rows, however large it is', async () => {
  await migrateDatabase(url);
  const { rows } = await database.query<{ table: string; settings: string[] | null }>(
    `SELECT relname AS table, reloptions AS settings FROM pg_class
     WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  );
  const settings = new Map(rows.map((row) => [row.table, row.settings ?? []]));
  const distributedTables = (await loadPlacements(database)).filter(
    ({ placement }) => placement === 'distributed',
  );
  expect(distributedTables.length).toBeGreaterThan(100);
  const without = distributedTables.filter(({ table }) => {
    const options = settings.get(table)!.filter((option) => option.startsWith('autovacuum_analyze_'));
    return options.sort().join() !== 'autovacuum_analyze_scale_factor=0,autovacuum_analyze_threshold=1000';
  });
  expect(without).toEqual([]);
});

test('splits a script into statements only at their actual ends', () => {
  const one = `-- it's; one\nSELECT ';', 'it''s;', "a;b" /* ; */;`;
  const two = `CREATE FUNCTION f() RETURNS int LANGUAGE plpgsql AS $x$ BEGIN RETURN 1; END; $x$;`;
  const three = `DO $$ BEGIN PERFORM 1; END $$;`;
  expect(splitStatements(`${one}\n\n${two}\n${three}\n-- the end;\n`)).toEqual([one, two, three]);
  expect(splitStatements('SELECT 1')).toEqual(['SELECT 1']);
  for (const { sql } of readMigrations()) expect(splitStatements(sql).join('').length).toBeGreaterThan(0);
});

test('includes the analyze setting in generated migrations of tenant tables', () => {
  const buildTable = (name: string, first: string) =>
    `-- CreateTable\nCREATE TABLE "${name}" (\n    "${first}" INTEGER NOT NULL,\n    "n" TEXT\n);\n`;
  expect(buildTableSettings(buildTable('a', 'workspace_id') + buildTable('b', 'id'))).toBe(
    '\n-- AlterTable\nALTER TABLE "a" SET (autovacuum_analyze_scale_factor = 0, autovacuum_analyze_threshold = 1000);\n',
  );
  expect(buildTableSettings('ALTER TABLE "a" ADD COLUMN "n" TEXT;')).toBe('');
});

test.each([
  ['a new table is safe', 'CREATE TABLE "a" (\n    "n" INTEGER NOT NULL\n);', [], []],
  ['an optional column is safe', 'ALTER TABLE "a" ADD COLUMN     "n" TEXT;', [], []],
  [
    'a column with a default is safe',
    `ALTER TABLE "a" ADD COLUMN     "n" TEXT NOT NULL DEFAULT 'x, y';`,
    [],
    [],
  ],
  ['a serial column is safe', 'ALTER TABLE "a" ADD COLUMN     "n" SERIAL NOT NULL;', [], []],
  [
    'a required column without a default is a risk',
    'ALTER TABLE "a" ADD COLUMN     "n" DECIMAL(16,2) NOT NULL;',
    ['"a"."n"'],
    [],
  ],
  [
    'a rename drops and adds a column',
    '-- AlterTable\nALTER TABLE "a" DROP COLUMN "old",\nADD COLUMN     "new" TEXT NOT NULL,\nADD COLUMN     "m" INTEGER DEFAULT 1;\n',
    ['"a"."new"'],
    ['"a"."old"'],
  ],
  [
    'a dropped table is a risk',
    '-- DropForeignKey\nALTER TABLE "a" DROP CONSTRAINT "a_b";\n\n-- DropTable\nDROP TABLE "b";\n',
    [],
    ['"b"'],
  ],
])('warns about the risks of a migration: %s', (_what, sql, unfilled, lost) => {
  expect(findMigrationRisks(sql)).toEqual({ unfilled, lost });
  expect(formatWarnings({ unfilled, lost })).toHaveLength(unfilled.length + lost.length);
});

test('reports columns without a migration before they are read', async () => {
  await migrateDatabase(url);
  const db = openDatabase(url, pino({ level: 'silent' }));
  try {
    expect(await findUnmigratedColumns(db)).toEqual([]);
    await database.query('ALTER TABLE res_partner RENAME COLUMN city TO town');
    await database.query('ALTER TABLE svc_webhook RENAME TO hook');
    const missing = await findUnmigratedColumns(db);
    expect(missing).toContain('res_partner.city');
    expect(missing).toContain('svc_webhook.url');
    expect(missing.every((name) => /^(res_partner\.city|svc_webhook\.\w+)$/.test(name))).toBe(true);
  } finally {
    await db.close();
  }
});

describe('a migration of a table in use', () => {
  const widen = buildMigration('2_widen', 'ALTER TABLE thing ADD COLUMN more text;');

  test('lets other requests proceed while it waits for its lock', async () => {
    await migrateDatabase(url, undefined, [first]);
    const reader = new pg.Client({ connectionString: url });
    await reader.connect();
    cleanups.push(() => reader.end());
    await reader.query('BEGIN');
    await reader.query('SELECT FROM thing');
    const messages: string[] = [];
    const applied = migrateDatabase(url, (line) => messages.push(line), [first, widen]);
    await until(() => messages.length > 0, 'it says that it waits');
    expect(messages).toEqual(['migration 2_widen waits for a table that is in use']);
    // Between attempts, no statement waits for the lock, and no attempt takes long.
    await database.query(`SET statement_timeout = 10000; SELECT FROM thing`);
    await reader.query('COMMIT');
    expect(await applied).toEqual(['2_widen']);
    expect(await loadMigrations()).toHaveLength(2);
  });

  test('builds indexes concurrently and rebuilds an invalid index', async () => {
    await migrateDatabase(url, undefined, [first]);
    await database.query(`INSERT INTO thing VALUES (1, 'a'), (2, 'a')`);
    const text = `-- outside of a transaction: writers go on\nCREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "by_name" ON thing (name);`;
    const index = buildMigration('2_index', text);
    await expect(migrateDatabase(url, undefined, [first, index])).rejects.toThrow(
      'could not create unique index',
    );
    expect(await loadMigrations()).toHaveLength(1);
    const readValidity = async () =>
      (await database.query(`SELECT indisvalid FROM pg_index WHERE indexrelid = 'by_name'::regclass`)).rows;
    expect(await readValidity()).toEqual([{ indisvalid: false }]);
    await database.query('DELETE FROM thing WHERE id = 2');
    const all = await Promise.all([1, 2].map(() => migrateDatabase(url, undefined, [first, index])));
    expect(all.flat()).toEqual(['2_index']);
    expect(await readValidity()).toEqual([{ indisvalid: true }]);
    expect((await readHistory([first, index])).failedMigrationNames).toEqual([]);
    expect(await migrateDatabase(url, undefined, [first, index])).toEqual([]);
  });

  test('allows only index creation outside of a transaction', async () => {
    const invalidMigration = buildMigration('2_wrong', '-- outside of a transaction\nDROP TABLE thing;');
    await expect(migrateDatabase(url, undefined, [first, invalidMigration])).rejects.toThrow(
      'DROP TABLE thing is not allowed',
    );
  });
});
