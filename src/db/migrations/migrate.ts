import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isLaterVersion, version } from '../../version.ts';
import { isDistributed } from '../citus/distributed.ts';
import { placeNewTables } from '../citus/place-tables.ts';
import { INVALIDATION_CHANNEL } from '../notifications/cache-invalidation.ts';
import { NO_TIMEOUTS } from '../session.ts';
import { type Migration, readMigrations, toEngineMigrations } from './migration-files.ts';
import { noExternals, openEngine } from './schema-engine.ts';
import { splitStatements } from './statements.ts';

/** Time limit for acquiring a table lock. Every request for the table queues behind a waiting migration. */
const LOCK_TIMEOUT_MS = 2_000;

/** Pause between attempts. With the lock timeouts, all attempts together take 15 minutes. */
const LOCK_RETRY_MS = 1_000;
const MAX_LOCK_ATTEMPTS = 300;

/** First line of a migration that runs statement by statement, outside a transaction. */
const OUTSIDE_TRANSACTION = /^-- outside of a transaction\b/i;

/** The advisory lock that Prisma's engine acquires while it migrates. A different key could deadlock with it. */
const LOCK_KEY = 72_707_369;

type AppliedMigration = { migration_name: string; checksum: string };

/**
 * Applies the pending migrations and records them in Prisma's table `_prisma_migrations`. Each migration and its record
 * are one transaction, so a killed process leaves no partial migration. A migration waits only briefly for a table in
 * use, because requests would queue behind it, and is then rolled back and retried. Several processes can call this
 * concurrently.
 *
 * A migration whose first line is `-- outside of a transaction` builds or drops indexes without blocking writes. It may
 * contain only `CREATE INDEX CONCURRENTLY IF NOT EXISTS` and `DROP INDEX CONCURRENTLY IF EXISTS`, so that it can resume
 * after an interruption.
 * @param force migrates even if a newer version has migrated the database
 * @returns names of the migrations applied now, in order
 * @throws Error if a migration fails (with PostgreSQL's message), if an applied migration was edited, or if a newer
 * version has migrated the database
 */
export async function migrateDatabase(
  url: string,
  log: (line: string) => void = () => undefined,
  migrations: Migration[] = readMigrations(),
  force = false,
): Promise<string[]> {
  // Uses a single connection, because the engine's statements must run in the transaction opened here.
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      await client.query(NO_TIMEOUTS);
    },
  });
  try {
    const loadPending = async () => {
      const appliedRows = await loadAppliedMigrations(pool);
      if (!force) await rejectNewerDatabase(pool, migrations, appliedRows);
      return { applied: appliedRows, pending: findPendingMigrations(migrations, appliedRows) };
    };
    if ((await loadPending()).pending.length === 0) return [];
    await acquireMigrationLock(pool);
    // Checked again, because another process may have migrated in the meantime.
    const { applied, pending } = await loadPending();
    // Recorded before the first migration, so that the version is never older than the applied changes.
    if (pending.length > 0) await recordVersion(pool);
    for (const next of pending) {
      await applyWithRetries(pool, migrations, next, log);
      if (applied.length > 0) log(`applied migration ${next.name}`);
    }
    if (applied.length === 0) await recordVersion(pool);
    if (applied.length === 0) log('created the tables of a new database');
    return pending.map((item) => item.name);
  } finally {
    await pool.end();
  }
}

interface MigrationState {
  pending: string[];
  unknown: string[];
  /** Atrium version that last migrated the database. Null if not recorded. */
  version: string | null;
}

/** @throws Error if an applied migration was edited, or if the database is from an unreleased version */
export async function loadMigrationState(url: string): Promise<MigrationState> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    const migrations = readMigrations();
    const appliedRows = await loadAppliedMigrations(pool);
    return {
      pending: findPendingMigrations(migrations, appliedRows).map(({ name }) => name),
      unknown: findUnknownMigrations(migrations, appliedRows),
      version: await loadRecordedVersion(pool),
    };
  } finally {
    await pool.end();
  }
}

export async function isInstalled(url: string): Promise<boolean> {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  try {
    return await hasTable(pool, 'workspace');
  } finally {
    await pool.end();
  }
}

/** Unknown migrations belong to a newer version, or to an app that was removed from APPS_DIR. */
function findUnknownMigrations(migrations: Migration[], appliedRows: AppliedMigration[]): string[] {
  const names = new Set(migrations.map(({ name }) => name));
  return appliedRows.map((row) => row.migration_name).filter((name) => !names.has(name));
}

/** @throws Error if a newer version of Atrium has applied migrations that this version does not contain */
async function rejectNewerDatabase(
  pool: pg.Pool,
  migrations: Migration[],
  appliedRows: AppliedMigration[],
): Promise<void> {
  if (findUnknownMigrations(migrations, appliedRows).length === 0) return;
  const recordedVersion = await loadRecordedVersion(pool);
  if (recordedVersion === null || !isLaterVersion(recordedVersion, version)) return;
  throw new Error(
    `This database was migrated by Atrium ${recordedVersion}, and this is ${version}. ` +
      `Use ${recordedVersion} or newer, or ` +
      'restore a backup from before the upgrade. Start with `--force` to ignore this.',
  );
}

const VERSION_KEY = 'version';

async function loadRecordedVersion(pool: pg.Pool): Promise<string | null> {
  if (!(await hasTable(pool, 'installation'))) return null;
  const { rows } = await pool.query('SELECT value FROM installation WHERE name = $1', [VERSION_KEY]);
  return rows[0]?.value ?? null;
}

/** Keeps a newer version, because an older version that was forced to start may apply migrations of apps. */
async function recordVersion(pool: pg.Pool): Promise<void> {
  if (!(await hasTable(pool, 'installation'))) return;
  const recordedVersion = await loadRecordedVersion(pool);
  if (recordedVersion !== null && isLaterVersion(recordedVersion, version)) return;
  await pool.query(
    `INSERT INTO installation (name, value) VALUES ($1, $2)
     ON CONFLICT (name) DO UPDATE SET value = excluded.value`,
    [VERSION_KEY, version],
  );
}

async function hasTable(pool: pg.Pool, table: string): Promise<boolean> {
  const { rows } = await pool.query('SELECT to_regclass($1) IS NOT NULL AS exists', [table]);
  return rows[0].exists;
}

/**
 * @throws Error if an applied migration was edited, because its effect is unknown, or if the first migration is
 * missing, as in databases from before the first release
 */
function findPendingMigrations(migrations: Migration[], appliedRows: AppliedMigration[]): Migration[] {
  const [first] = appliedRows;
  if (first && migrations[0] && !appliedRows.some((row) => row.migration_name === migrations[0]!.name))
    throw new Error(
      `This database was created by an unreleased version of Atrium (migration ${first.migration_name}), which no ` +
        'release can upgrade. Start with an empty database.',
    );
  const checksums = new Map(appliedRows.map((row) => [row.migration_name, row.checksum]));
  const edited = migrations.find(
    (migration) => checksums.has(migration.name) && checksums.get(migration.name) !== migration.checksum,
  );
  if (edited) {
    throw new Error(
      `Migration ${edited.name} was edited after this database applied it: restore its text and add a new migration.`,
    );
  }
  return migrations.filter((migration) => !checksums.has(migration.name));
}

/**
 * Polls, because a session that waits for a lock holds a snapshot, and concurrent index builds wait for that snapshot.
 */
async function acquireMigrationLock(pool: pg.Pool): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('SELECT pg_try_advisory_lock($1) AS mine', [LOCK_KEY]);
    if (rows[0].mine) return;
    await sleep(250);
  }
}

/** @throws Error if the migration fails, or if a table that it changes was in use at every attempt */
async function applyWithRetries(
  pool: pg.Pool,
  migrations: Migration[],
  next: Migration,
  log: (line: string) => void,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      if (OUTSIDE_TRANSACTION.test(next.sql)) return await applyWithoutTransaction(pool, next);
      return await applyMigration(pool, migrations.slice(0, migrations.indexOf(next) + 1), next);
    } catch (error) {
      if (attempt >= MAX_LOCK_ATTEMPTS || !isLockError(error)) throw error;
      if (attempt === 1) log(`migration ${next.name} waits for a table that is in use`);
      await sleep(LOCK_RETRY_MS);
    }
  }
}

/** Recognizes lock timeouts (55P03) and deadlocks with a request (40P01). */
function isLockError(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return code === '55P03' || code === '40P01' || (cause instanceof Error && isLockError(cause));
}

/** A killed process can leave an invalid index, which is dropped and built again. */
async function applyWithoutTransaction(pool: pg.Pool, next: Migration): Promise<void> {
  const statements = next.sql
    .replace(/^--.*$/gm, '')
    .split(';')
    .map((item) => item.trim())
    .filter(Boolean);
  for (const statement of statements) {
    const [, operation, name] = INDEX_STATEMENT.exec(statement) ?? [];
    if (!operation || !name)
      throw new Error(`Migration ${next.name}: ${statement} is not allowed outside of a transaction`);
    if (operation.toUpperCase() === 'CREATE' && (await isIndexInvalid(pool, name)))
      await pool.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
    await pool.query(statement);
  }
  await pool.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at, finished_at, applied_steps_count)
     VALUES (gen_random_uuid()::text, $1, $2, now(), now(), 1)`,
    [next.checksum, next.name],
  );
}

const INDEX_STATEMENT = new RegExp(
  '^(?:(?=CREATE (?:UNIQUE )?INDEX CONCURRENTLY IF NOT EXISTS )|(?=DROP INDEX CONCURRENTLY IF EXISTS "\\w+"$))' +
    '(CREATE|DROP) .*? EXISTS "(\\w+)"',
  'i',
);

async function isIndexInvalid(pool: pg.Pool, index: string): Promise<boolean> {
  const { rows } = await pool.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass(quote_ident($1)) AND NOT indisvalid',
    [index],
  );
  return rows.length > 0;
}

/** The engine applies all pending migrations in the list, so the list ends with `next`. */
async function applyMigration(pool: pg.Pool, upTo: Migration[], next: Migration): Promise<void> {
  const { engine, cause } = await openEngine(
    pool,
    pool,
    (await isDistributed(pool)) ? runScriptOnCluster : undefined,
  );
  await pool.query('BEGIN');
  try {
    await pool.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await engine.applyMigrations({ migrationsList: toEngineMigrations(upTo), filters: noExternals });
    // The migration may have changed access rights that older processes cache.
    await pool.query(`NOTIFY ${INVALIDATION_CHANNEL}; COMMIT`);
  } catch (error) {
    await pool.query('ROLLBACK').catch(() => undefined);
    const reason = cause(error);
    throw new Error(`Migration ${next.name} failed${describeMigrationError(reason, next)}`, {
      cause: reason,
    });
  } finally {
    engine.free();
  }
}

/**
 * On a cluster, new tables must be placed before foreign keys refer to them. The engine emits foreign keys after all
 * tables. Statements run one at a time, because Citus forwards the whole text of some statements, such as table
 * settings, to its workers.
 */
async function runScriptOnCluster(pool: pg.Pool, script: string): Promise<void> {
  await pool.query(`SET LOCAL citus.multi_shard_modify_mode TO 'sequential'`);
  for (const part of script.split(/^(?=-- AddForeignKey$)/m)) {
    for (const statement of splitStatements(part)) await pool.query(statement);
    await placeNewTables(pool);
  }
}

async function loadAppliedMigrations(pool: pg.Pool): Promise<AppliedMigration[]> {
  if (!(await hasTable(pool, '_prisma_migrations'))) return [];
  const sql = `SELECT migration_name, checksum FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name`;
  return (await pool.query<AppliedMigration>(sql)).rows;
}

/** PostgreSQL reports the error position in characters, starting at 1. */
function describeMigrationError(reason: unknown, migration: Migration): string {
  const { message, position } = reason as { message?: string; position?: string };
  const line = position ? ` in line ${migration.sql.slice(0, Number(position)).split('\n').length}` : '';
  return `${line}: ${message ?? String(reason)}`;
}
