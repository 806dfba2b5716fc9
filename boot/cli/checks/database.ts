import type { NodeState } from '../../../src/db/citus/nodes.ts';
import { loadMigrationState } from '../../../src/db/migrations/migrate.ts';
import type { Database } from '../../../src/db/pool.ts';
import { sql } from '../../../src/db/sql.ts';
import { computeKeyedHash } from '../../../src/engine/value/keys.ts';
import { version } from '../../../src/version.ts';
import type { LocatedDatabase } from '../run-on-database.ts';
import {
  buildFailureFinding,
  buildOkFinding,
  buildWarningFinding,
  type Finding,
  runCheck,
} from './finding.ts';

export const checkInstallation = async (db: Database, location: LocatedDatabase): Promise<Finding[]> => [
  ...(await runCheck('database', 'Check DATABASE_URL and the PostgreSQL log.', () => checkServerVersion(db))),
  ...(await runCheck('migrations', 'Use the version of Atrium that created the database.', () =>
    checkMigrations(location.directUrl),
  )),
  ...(await runCheck('secret key', 'Run `migrate`.', () => checkSecretKey(db, location.config.secretKey))),
  ...(await runCheck('Citus', 'Check the coordinator.', () => checkRecovery(db))),
  ...(await runCheck('nodes', 'Check the coordinator.', async () =>
    (await db.nodes()).map(buildNodeFinding),
  )),
  ...(await runCheck('clock', 'Check the connection to the database.', () => checkClock(db))),
];

const MIN_POSTGRES_VERSION = 15;

async function checkServerVersion(db: Database): Promise<Finding> {
  const [row] = await db.rows<{ version: string }>(sql`select current_setting('server_version') as version`);
  const description = `PostgreSQL ${row!.version}`;
  if (Number.parseInt(row!.version, 10) >= MIN_POSTGRES_VERSION)
    return buildOkFinding('database', description);
  return buildFailureFinding(
    'database',
    description,
    `Upgrade to PostgreSQL ${MIN_POSTGRES_VERSION} or newer.`,
  );
}

async function checkMigrations(url: string): Promise<Finding> {
  const { pending, unknown, version: migratedBy } = await loadMigrationState(url);
  if (unknown.length > 0)
    return buildWarningFinding(
      'migrations',
      `${unknown.length} do not belong to this version (${version}), such as ${unknown[0]}; ` +
        `the database was last migrated by Atrium ${migratedBy ?? '(unknown version)'}`,
      'Use that version or a newer one. If they belong to an app that was removed from APPS_DIR, restore it or ' +
        'ignore this.',
    );
  if (pending.length > 0)
    return buildWarningFinding(
      'migrations',
      `${pending.length} have not been applied, such as ${pending[0]}`,
      'Run `migrate`, or restart the server, which also migrates the database.',
    );
  return buildOkFinding('migrations', 'all are applied');
}

async function checkSecretKey(db: Database, key: string): Promise<Finding> {
  const [storedCheck] = await db.rows<{ value: string }>(
    sql`select value from installation where name = 'secret key'`,
  );
  if (!storedCheck)
    return buildWarningFinding(
      'secret key',
      'none has been used with this database yet',
      'Start the server once.',
    );
  if (storedCheck.value === computeKeyedHash(key, 'installation'))
    return buildOkFinding('secret key', 'belongs to this installation');
  return buildFailureFinding(
    'secret key',
    'it is not the key that this database was created with',
    'Restore SECRET_KEY, or secret.key in DATA_DIR, from a backup, because keys and links depend on it.',
  );
}

/** Databases other than Citus are not checked, because they do not recover transactions automatically. */
async function checkRecovery(db: Database): Promise<Finding[]> {
  const [row] = await db.rows<{ ms: number }>(
    sql`select setting::float8 as ms from pg_settings where name = 'citus.recover_2pc_interval'`,
  );
  return row ? [buildRecoveryFinding(row.ms)] : [];
}

/** Maximum time that workspaces may stay blocked after a worker crash. */
const MAX_RECOVERY_INTERVAL_MS = 5_000;
/** Two intervals, because recovery itself takes time. */
const MAX_PREPARED_SECONDS = 10;

/** @param ms value of `citus.recover_2pc_interval`; negative if automatic recovery is off */
export function buildRecoveryFinding(ms: number): Finding {
  const description =
    ms < 0 ? 'transaction recovery is off' : `recovers transactions every ${ms / 1_000} seconds`;
  if (ms >= 0 && ms <= MAX_RECOVERY_INTERVAL_MS) return buildOkFinding('Citus', description);
  return buildWarningFinding(
    'Citus',
    description,
    "Set citus.recover_2pc_interval = '5s' on the coordinator: until then, workspaces hang after a worker crashes.",
  );
}

function buildNodeFinding({ name, isUp, prepared }: NodeState): Finding {
  const check = `node ${name}`;
  if (!isUp)
    return buildFailureFinding(
      check,
      'it does not respond to the coordinator',
      'Start it, or check its network connection to the coordinator. Until then, only its workspaces return 503.',
    );
  if (prepared <= MAX_PREPARED_SECONDS) return buildOkFinding(check, 'responds');
  return buildWarningFinding(
    check,
    `a prepared transaction has been waiting for its commit for ${Math.round(prepared)} seconds and holds locks`,
    'Run `SELECT recover_prepared_transactions()` on the coordinator, and check citus.recover_2pc_interval there.',
  );
}

async function checkClock(db: Database): Promise<Finding> {
  const before = Date.now();
  const [row] = await db.rows<{ now: number }>(
    sql`select (extract(epoch from clock_timestamp()) * 1000)::float8 as now`,
  );
  const after = Date.now();
  return buildClockFinding(row!.now - (before + after) / 2, (after - before) / 2);
}

const CLOCK_SKEW_WARNING_MS = 2_000;
const MAX_CLOCK_SKEW_MS = 60_000;

/**
 * @param ahead milliseconds that the database's clock is ahead
 * @param uncertainty maximum error of `ahead`
 */
export function buildClockFinding(ahead: number, uncertainty: number): Finding {
  const skew = Math.max(0, Math.abs(ahead) - uncertainty);
  const description = `${(skew / 1_000).toFixed(1)} seconds between this machine and the database`;
  const advice = 'Synchronize both machines with NTP: sessions, schedules and signatures depend on the time.';
  if (skew >= MAX_CLOCK_SKEW_MS) return buildFailureFinding('clock', description, advice);
  return skew >= CLOCK_SKEW_WARNING_MS
    ? buildWarningFinding('clock', description, advice)
    : buildOkFinding('clock', description);
}
