import { type Config, loadConfig } from '../../src/config.ts';
import { directUrlOf } from '../../src/db/direct-url.ts';
import { findRunning, startEmbedded } from '../../src/db/embedded/embedded.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';

export interface FoundDatabase {
  config: Config;
  url: string;
  /** The same without a pooler. */
  directUrl: string;
}

export interface OpenDatabase extends FoundDatabase {
  /** Migrations that were missing. */
  applied: string[];
}

/** Runs beside a running server and uses its embedded Postgres, or starts one for the duration of the command. */
export const onDatabase = <T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> =>
  withDatabase(async (found) => work({ ...found, applied: await migrate(found.directUrl) }));

/** The same, and leaves the database as it is. */
export async function withDatabase<T>(work: (database: FoundDatabase) => Promise<T>): Promise<T> {
  process.env.LOG_LEVEL ??= 'warn';
  const config = loadConfig();
  const running = config.databaseUrl ?? (await findRunning(config.dataDir));
  const embedded = running ? null : await startEmbedded(config.dataDir);
  const url = running ?? embedded!.url;
  try {
    return await work({ config, url, directUrl: await directUrlOf(config, url) });
  } finally {
    await embedded?.stop();
  }
}
