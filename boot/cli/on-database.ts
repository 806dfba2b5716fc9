import { type Config, loadConfig } from '../../src/config.ts';
import { findRunning, startEmbedded } from '../../src/db/embedded/embedded.ts';
import { migrate } from '../../src/db/migrations/migrate.ts';

export interface OpenDatabase {
  config: Config;
  url: string;
  /** Migrations that were missing. */
  applied: string[];
}

/** Runs beside a running server and uses its embedded Postgres, or starts one for the duration of the command. */
export async function onDatabase<T>(work: (database: OpenDatabase) => Promise<T>): Promise<T> {
  const config = loadConfig({ ...process.env, LOG_LEVEL: process.env.LOG_LEVEL ?? 'warn' });
  const running = config.databaseUrl ?? (await findRunning(config.dataDir));
  const embedded = running ? null : await startEmbedded(config.dataDir);
  const url = running ?? embedded!.url;
  try {
    return await work({ config, url, applied: await migrate(config.databaseDirectUrl ?? url) });
  } finally {
    await embedded?.stop();
  }
}
