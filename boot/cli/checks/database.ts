import type { NodeState } from '../../../src/db/citus/nodes.ts';
import { loadMigrationState } from '../../../src/db/migrations/migrate.ts';
import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { computeKeyedHash } from '../../../src/engine/value/keys.ts';
import { version } from '../../../src/version.ts';
import type { FoundDatabase } from '../on-database.ts';
import { type Finding, fault, ok, tried, warning } from './finding.ts';

/** The checks of a database that answers. */
export const checkInstallation = async (db: Database, found: FoundDatabase): Promise<Finding[]> => [
  ...(await tried('database', 'Check DATABASE_URL and the log of PostgreSQL.', () => serverVersion(db))),
  ...(await tried('migrations', 'Use the version of Atrium that created the database.', () =>
    migrations(found.directUrl),
  )),
  ...(await tried('secret key', 'Run `migrate`.', () => secretKey(db, found.config.secretKey))),
  ...(await tried('Citus', 'Check the coordinator.', () => recovery(db))),
  ...(await tried('nodes', 'Check the coordinator.', async () => (await db.nodes()).map(nodeFinding))),
  ...(await tried('clock', 'Check the database.', () => clock(db))),
];

const OLDEST = 15;

async function serverVersion(db: Database): Promise<Finding> {
  const [row] = await db.rows<{ version: string }>(sql`select current_setting('server_version') as version`);
  const found = `PostgreSQL ${row!.version}`;
  if (Number.parseInt(row!.version, 10) >= OLDEST) return ok('database', found);
  return fault('database', found, `Upgrade to PostgreSQL ${OLDEST} or newer.`);
}

async function migrations(url: string): Promise<Finding> {
  const { pending, unknown, version: migratedBy } = await loadMigrationState(url);
  if (unknown.length > 0)
    return warning(
      'migrations',
      `${unknown.length} are not of this version (${version}), such as ${unknown[0]}; ` +
        `Atrium ${migratedBy ?? 'of an unknown version'} migrated the database last`,
      'Use that version or a newer one. If they are of an app that has left APPS_DIR, bring it back or ignore this.',
    );
  if (pending.length > 0)
    return warning(
      'migrations',
      `${pending.length} are missing, such as ${pending[0]}`,
      'Run `migrate`, or restart the server, which does the same.',
    );
  return ok('migrations', 'all are applied');
}

async function secretKey(db: Database, key: string): Promise<Finding> {
  const [kept] = await db.rows<{ value: string }>(
    sql`select value from installation where name = 'secret key'`,
  );
  if (!kept) return warning('secret key', 'the database has not seen one yet', 'Start the server once.');
  if (kept.value === computeKeyedHash(key, 'installation'))
    return ok('secret key', 'belongs to this installation');
  return fault(
    'secret key',
    'it is not the one this database was founded with',
    'Restore SECRET_KEY, or secret.key in DATA_DIR, from a backup: keys and links are made with it.',
  );
}

/** On Citus alone. */
async function recovery(db: Database): Promise<Finding[]> {
  const [row] = await db.rows<{ ms: number }>(
    sql`select setting::float8 as ms from pg_settings where name = 'citus.recover_2pc_interval'`,
  );
  return row ? [recoveryFinding(row.ms)] : [];
}

/** Milliseconds for which workspaces of a worker may hang after it has crashed. */
const LONGEST_RECOVERY = 10_000;

/** @param ms of `citus.recover_2pc_interval`; below 0 where Citus never recovers by itself. Pure. */
export function recoveryFinding(ms: number): Finding {
  const found =
    ms < 0 ? 'recovery of transactions is off' : `recovers transactions every ${ms / 1_000} seconds`;
  if (ms >= 0 && ms <= LONGEST_RECOVERY) return ok('Citus', found);
  return warning(
    'Citus',
    found,
    "Set citus.recover_2pc_interval = '5s' on the coordinator: until then, workspaces hang after a worker has crashed.",
  );
}

/** Pure. */
export function nodeFinding({ name, isUp, prepared }: NodeState): Finding {
  const check = `node ${name}`;
  if (!isUp)
    return fault(
      check,
      'it does not answer the coordinator',
      'Start it, or check the network between the two. Its workspaces get 503 until then; the others are served.',
    );
  if (prepared * 1_000 <= LONGEST_RECOVERY) return ok(check, 'answers');
  return warning(
    check,
    `a prepared transaction has waited ${Math.round(prepared)} seconds for its commit and holds locks`,
    'Run `SELECT recover_prepared_transactions()` on the coordinator, and check citus.recover_2pc_interval there.',
  );
}

async function clock(db: Database): Promise<Finding> {
  const before = Date.now();
  const [row] = await db.rows<{ now: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  );
  const after = Date.now();
  return clockFinding(row!.now - (before + after) / 2, (after - before) / 2);
}

/** Milliseconds. */
const APART = 2_000;
const FAR_APART = 60_000;

/** @param ahead milliseconds by which the database's clock is ahead, at most `unsure` of them wrong. Pure. */
export function clockFinding(ahead: number, unsure: number): Finding {
  const off = Math.max(0, Math.abs(ahead) - unsure);
  const found = `${(off / 1_000).toFixed(1)} seconds between this machine and the database`;
  const advice = 'Synchronise both machines by NTP: sessions, schedules and signatures depend on the time.';
  if (off >= FAR_APART) return fault('clock', found, advice);
  return off >= APART ? warning('clock', found, advice) : ok('clock', found);
}
