import { join } from 'node:path';
import { type Config, ConfigError, findSecret, loadConfig, loadOrCreateSecret } from '../../src/config.ts';
import { resolveDirectUrl } from '../../src/db/direct-url.ts';
import { findRunningUrl, startEmbedded } from '../../src/db/embedded/embedded.ts';
import { hasCluster } from '../../src/db/embedded/postgres-cluster.ts';
import { isInstalled, migrateDatabase } from '../../src/db/migrations/migrate.ts';

export interface LocatedDatabase {
  config: Config;
  url: string;
  /** The same without a pooler. */
  directUrl: string;
}

export interface OpenDatabase extends LocatedDatabase {
  /** Migrations that were missing. */
  applied: string[];
}

/** Runs beside a running server and uses its embedded Postgres, or starts one for the duration of the command. */
export const runOnDatabase = <T>(
  work: (database: OpenDatabase) => Promise<T>,
  founding?: CreationPolicy,
): Promise<T> =>
  withDatabase(
    async (found) => work({ ...found, applied: await migrateDatabase(found.directUrl) }),
    founding,
  );

type InstallationTarget = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** For commands that may work where no installation is yet. */
interface CreationPolicy {
  /** Whether this may become the place of an installation. */
  canCreate(place: InstallationTarget): boolean;
  /** The secret key, if SECRET_KEY is not set; by default a new one where an installation may be founded. */
  secretOf?(place: InstallationTarget): string;
}

const createsNothing: CreationPolicy = { canCreate: () => false };

/** For commands that prepare the database of DATABASE_URL for its first start. */
export const createsOnServer: CreationPolicy = { canCreate: ({ databaseUrl }) => databaseUrl !== null };

/**
 * The same, and leaves the database as it is.
 * @throws ConfigError where there is no installation, and then leaves everything as it is
 */
export async function withDatabase<T>(
  work: (database: LocatedDatabase) => Promise<T>,
  { canCreate: founds, secretOf }: CreationPolicy = createsNothing,
): Promise<T> {
  const { config, mayFound } = loadInstallationConfig(founds, secretOf);
  const running = config.databaseUrl ?? (await findRunningUrl(config.dataDir));
  const embedded = running ? null : await startEmbedded(config.dataDir);
  const url = running ?? embedded!.url;
  try {
    const directUrl = await resolveDirectUrl(config, url);
    if (!mayFound) await assertInstalled(directUrl, config);
    return await work({ config, url, directUrl });
  } finally {
    await embedded?.stop();
  }
}

/** @throws ConfigError where there is no installation, as far as that can be seen without its database */
export const assertInstallation = (): void => void loadInstallationConfig(createsNothing.canCreate);

function loadInstallationConfig(founds: CreationPolicy['canCreate'], secretOf?: CreationPolicy['secretOf']) {
  process.env.LOG_LEVEL ??= 'warn';
  const usual = (place: InstallationTarget) =>
    founds(place) ? loadOrCreateSecret(place) : getNewSecret(place);
  const config = loadConfig(process.env, secretOf ?? usual);
  const mayFound = founds(config);
  if (!mayFound && !config.databaseUrl && !hasCluster(join(config.dataDir, 'postgres')))
    throw noInstallationError(config.dataDir);
  return { config, mayFound };
}

function getNewSecret({ dataDir, databaseUrl }: InstallationTarget): string {
  const key = findSecret(dataDir);
  if (key !== null) return key;
  if (databaseUrl === null) throw noInstallationError(dataDir);
  throw new ConfigError([
    `There is no secret key in ${dataDir} (DATA_DIR). Set DATA_DIR to the folder of your installation, or SECRET_KEY.`,
  ]);
}

async function assertInstalled(url: string, { dataDir, databaseUrl }: InstallationTarget): Promise<void> {
  if (await isInstalled(url)) return;
  if (databaseUrl === null) throw noInstallationError(dataDir);
  throw new ConfigError([
    'The database of DATABASE_URL holds no installation. Set it to that of yours; a start makes a new one.',
  ]);
}

const noInstallationError = (dataDir: string) =>
  new ConfigError([
    `There is no installation in ${dataDir} (DATA_DIR). Set DATA_DIR to the folder of yours, or DATABASE_URL to its ` +
      'database; a start makes a new one.',
  ]);
