import { limits } from '../limits.ts';
import type { Db } from './db.ts';
import { sql } from './sql.ts';

const STATEMENT_TIMEOUT_MS = 30_000;
const IDLE_TRANSACTION_TIMEOUT_MS = 60_000;

export const sessionSettings: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  // Connection limits divide the CPU cores among workspaces (connection-limiter.ts), so a statement must not use
  // parallel workers.
  max_parallel_workers_per_gather: '0',
  statement_timeout: String(STATEMENT_TIMEOUT_MS),
  idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_TIMEOUT_MS),
};

/** Disables timeouts for long-running work. The role may have default timeouts. */
export const NO_TIMEOUTS = 'set statement_timeout to 0; set idle_in_transaction_session_timeout to 0';

/**
 * Saves the settings as defaults of the pool's role in this database. Behind a pooler, a `set` applies to whichever
 * server connection runs it. Existing connections of the pooler keep their settings until they are replaced.
 */
export async function saveSessionDefaults(db: Db): Promise<void> {
  await saveSettings(db, sessionSettings);
  // A missing permission is logged by temporary-files.ts.
  await saveSettings(db, { temp_file_limit: String(limits.sql.temporaryFiles) }).catch((error) => {
    if (error.code !== '42501') throw error;
  });
}

async function saveSettings(db: Db, wantedSettings: Readonly<Record<string, string>>): Promise<void> {
  await db.transaction(async (tx) => {
    // Serializes processes, because concurrent changes to one catalog row would fail.
    await tx.rows(sql`select pg_advisory_xact_lock(hashtext('atrium session defaults'))`);
    const [now] = await tx.rows<{ role: string; database: string; settings: string[] }>(
      sql`select current_user::text as role, current_database()::text as database, coalesce((
            select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
            where s.setrole = current_user::regrole and d.datname = current_database()), '{}') as settings`,
    );
    const { role, database, settings } = now!;
    for (const [name, value] of Object.entries(wantedSettings)) {
      if (settings.includes(`${name}=${value}`)) continue;
      const target = sql`${sql.id(role)} in database ${sql.id(database)}`;
      await tx.rows(sql`alter role ${target} set ${sql.id(name)} to ${sql.literal(value)}`);
    }
  });
}
