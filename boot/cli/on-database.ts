import { join } from 'node:path';
import { type Config, ConfigError, findSecret, loadConfig, loadOrCreateSecret } from '../../src/config.ts';
import { resolveDirectUrl } from '../../src/db/direct-url.ts';
import { findRunningUrl, startEmbedded } from '../../src/db/embedded/embedded.ts';
import { hasCluster } from '../../src/db/embedded/postgres-cluster.ts';
import { isInstalled, migrateDatabase } from '../../src/db/migrations/migrate.ts';

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
export const onDatabase = <T>(
  work: (database: OpenDatabase) => Promise<T>,
  founding?: Founding,
): Promise<T> =>
  withDatabase(
    async (found) => work({ ...found, applied: await migrateDatabase(found.directUrl) }),
    founding,
  );

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** For commands that may work where no installation is yet. */
interface Founding {
  /** Whether this may become the place of an installation. */
  founds(place: Place): boolean;
  /** The secret key, if SECRET_KEY is not set; by default a new one where an installation may be founded. */
  secretOf?(place: Place): string;
}

const foundsNothing: Founding = { founds: () => false };

/** For commands that prepare the database of DATABASE_URL for its first start. */
export const foundsOnServer: Founding = { founds: ({ databaseUrl }) => databaseUrl !== null };

/**
 * The same, and leaves the database as it is.
 * @throws ConfigError where there is no installation, and then leaves everything as it is
 */
export async function withDatabase<T>(
  work: (database: FoundDatabase) => Promise<T>,
  { founds, secretOf }: Founding = foundsNothing,
): Promise<T> {
  const { config, mayFound } = placed(founds, secretOf);
  const running = config.databaseUrl ?? (await findRunningUrl(config.dataDir));
  const embedded = running ? null : await startEmbedded(config.dataDir);
  const url = running ?? embedded!.url;
  try {
    const directUrl = await resolveDirectUrl(config, url);
    if (!mayFound) await checkFounded(directUrl, config);
    return await work({ config, url, directUrl });
  } finally {
    await embedded?.stop();
  }
}

/** @throws ConfigError where there is no installation, as far as that can be seen without its database */
export const checkPlace = (): void => void placed(foundsNothing.founds);

function placed(founds: Founding['founds'], secretOf?: Founding['secretOf']) {
  process.env.LOG_LEVEL ??= 'warn';
  const usual = (place: Place) => (founds(place) ? loadOrCreateSecret(place) : foundSecret(place));
  const config = loadConfig(process.env, secretOf ?? usual);
  const mayFound = founds(config);
  if (!mayFound && !config.databaseUrl && !hasCluster(join(config.dataDir, 'postgres')))
    throw nothingIn(config.dataDir);
  return { config, mayFound };
}

function foundSecret({ dataDir, databaseUrl }: Place): string {
  const key = findSecret(dataDir);
  if (key !== null) return key;
  if (databaseUrl === null) throw nothingIn(dataDir);
  throw new ConfigError([
    `There is no secret key in ${dataDir} (DATA_DIR). Set DATA_DIR to the folder of your installation, or SECRET_KEY.`,
  ]);
}

async function checkFounded(url: string, { dataDir, databaseUrl }: Place): Promise<void> {
  if (await isInstalled(url)) return;
  if (databaseUrl === null) throw nothingIn(dataDir);
  throw new ConfigError([
    'The database of DATABASE_URL holds no installation. Set it to that of yours; a start makes a new one.',
  ]);
}

const nothingIn = (dataDir: string) =>
  new ConfigError([
    `There is no installation in ${dataDir} (DATA_DIR). Set DATA_DIR to the folder of yours, or DATABASE_URL to its ` +
      'database; a start makes a new one.',
  ]);
