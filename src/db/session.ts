import { limits } from '../limits.ts';
import type { Db } from './db.ts';
import { sql } from './sql.ts';

/** What holds in each session of the pool. */
export const sessionSettings: Readonly<Record<string, string>> = {
  TimeZone: 'UTC',
  // A connection is what a workspace gets of the machine's cores (gate.ts), so a statement takes no others along.
  max_parallel_workers_per_gather: '0',
  statement_timeout: String(limits.sql.statementTime),
  idle_in_transaction_session_timeout: String(limits.sql.idleInTransaction),
};

/** For work that takes its time: the role may have bounds by default. */
export const NO_TIMEOUTS = 'set statement_timeout to 0; set idle_in_transaction_session_timeout to 0';

/**
 * Makes them the defaults of the pool's role in this database. Behind a pooler a session is not ours: what is set in it
 * stays in whichever connection of the pooler it was said to. Connections that the pooler has already keep what they
 * have until it replaces them.
 */
export async function applySessionDefaults(db: Db): Promise<void> {
  await applySettings(db, sessionSettings);
  // As in temporary-files.ts, which says so in the log.
  await applySettings(db, { temp_file_limit: String(limits.sql.temporaryFiles) }).catch((error) => {
    if (error.code !== '42501') throw error;
  });
}

async function applySettings(db: Db, wanted: Readonly<Record<string, string>>): Promise<void> {
  await db.transaction(async (tx) => {
    // Two processes that change one row of the catalog at the same time would disturb each other.
    await tx.rows(sql`select pg_advisory_xact_lock(hashtext('atrium session defaults'))`);
    const [now] = await tx.rows<{ role: string; database: string; settings: string[] }>(
      sql`select current_user::text as role, current_database()::text as database, coalesce((
            select s.setconfig from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
            where s.setrole = current_user::regrole and d.datname = current_database()), '{}') as settings`,
    );
    const { role, database, settings } = now!;
    for (const [name, value] of Object.entries(wanted)) {
      if (settings.includes(`${name}=${value}`)) continue;
      const whose = sql`${sql.id(role)} in database ${sql.id(database)}`;
      await tx.rows(sql`alter role ${whose} set ${sql.id(name)} to ${sql.literal(value)}`);
    }
  });
}
