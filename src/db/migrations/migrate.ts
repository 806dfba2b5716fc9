import pg from 'pg';
import { UNBOUNDED } from '../session.ts';
import { engineList, type Migration, readMigrations } from './migration-files.ts';
import { everything, openEngine } from './schema-engine.ts';

/** The advisory lock Prisma's engine takes while it migrates; any other key could deadlock against it. */
const lockKey = 72_707_369;

type AppliedRow = { migration_name: string; checksum: string };

/**
 * Brings the database to the state of `prisma/migrations`, in Prisma's own bookkeeping (`_prisma_migrations`). Each
 * migration is one transaction with its bookkeeping: a process killed in the middle leaves nothing half done. Several
 * processes may call it together; one works, the others then find nothing left.
 * @returns names of the migrations applied now, in order
 * @throws Error when a migration fails (with PostgreSQL's message), or was edited after it had been applied
 */
export async function migrate(
  url: string,
  log: (line: string) => void = () => undefined,
  migrations: Migration[] = readMigrations(),
): Promise<string[]> {
  // One connection only: the engine's statements must fall into the transaction opened here.
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    onConnect: async (client) => {
      await client.query(UNBOUNDED);
    },
  });
  try {
    if (pendingOf(migrations, await readApplied(pool)).length === 0) return [];
    await pool.query('SELECT pg_advisory_lock($1)', [lockKey]);
    // Asked again: another process may have migrated while this one waited.
    const pending = pendingOf(migrations, await readApplied(pool));
    for (const next of pending) {
      await apply(pool, migrations.slice(0, migrations.indexOf(next) + 1), next);
      log(`applied migration ${next.name}`);
    }
    return pending.map((each) => each.name);
  } finally {
    await pool.end();
  }
}

/**
 * The migrations still to be applied.
 * @throws Error when one that is applied has another text now: its effect is unknown, so nothing may follow it
 */
function pendingOf(migrations: Migration[], applied: AppliedRow[]): Migration[] {
  const checksums = new Map(applied.map((row) => [row.migration_name, row.checksum]));
  const edited = migrations.find(
    (each) => checksums.has(each.name) && checksums.get(each.name) !== each.checksum,
  );
  if (edited) {
    throw new Error(
      `Migration ${edited.name} was edited after this database applied it: restore its text and add a new migration.`,
    );
  }
  return migrations.filter((each) => !checksums.has(each.name));
}

/** The engine applies whatever is pending of the list, so the list ends with the one that is meant. */
async function apply(pool: pg.Pool, upTo: Migration[], next: Migration): Promise<void> {
  const { engine, cause } = await openEngine(pool);
  await pool.query('BEGIN');
  try {
    await engine.applyMigrations({ migrationsList: engineList(upTo), filters: everything });
    await pool.query('COMMIT');
  } catch (error) {
    await pool.query('ROLLBACK').catch(() => undefined);
    throw new Error(`Migration ${next.name} failed${describe(cause(error), next)}`, { cause: error });
  } finally {
    engine.free();
  }
}

/** Names and checksums of finished migrations; a database without the bookkeeping table has none. */
async function readApplied(pool: pg.Pool): Promise<AppliedRow[]> {
  const { rows } = await pool.query(`SELECT to_regclass('_prisma_migrations') IS NOT NULL AS kept`);
  if (!rows[0].kept) return [];
  const sql = `SELECT migration_name, checksum FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  return (await pool.query<AppliedRow>(sql)).rows;
}

/** PostgreSQL counts the place of an error in characters from 1. */
function describe(reason: unknown, migration: Migration): string {
  const { message, position } = reason as { message?: string; position?: string };
  const line = position ? ` in line ${migration.sql.slice(0, Number(position)).split('\n').length}` : '';
  return `${line}: ${message ?? String(reason)}`;
}
