import { join } from 'node:path';
import { type Config, ConfigError, findSecret, loadConfig, loadOrCreateSecret } from '../../src/config.ts';
import { resolveDirectUrl } from '../../src/db/direct-url.ts';
import { findRunningUrl, startEmbedded } from '../../src/db/embedded/embedded.ts';
import { hasCluster } from '../../src/db/embedded/postgres-cluster.ts';
import { isInstalled, migrateDatabase } from '../../src/db/migrations/migrate.ts';

export interface LocatedDatabase {
  config: Config;
  url: string;
  /** Bypasses the pooler. */
  directUrl: string;
}

interface MigratedDatabase extends LocatedDatabase {
  applied: string[];
}

/**
 * Migrates the database first. Uses the embedded PostgreSQL of a running server, or starts one for the duration of the
 * command.
 */
export const runOnDatabase = <T>(
  run: (database: MigratedDatabase) => Promise<T>,
  policy?: CreationPolicy,
): Promise<T> =>
  withDatabase(
    async (location) => run({ ...location, applied: await migrateDatabase(location.directUrl) }),
    policy,
  );

type InstallationTarget = Pick<Config, 'dataDir' | 'databaseUrl'>;

/** Determines whether a command may run before an installation exists. */
interface CreationPolicy {
  canCreate(target: InstallationTarget): boolean;
  /**
   * Returns the secret key if SECRET_KEY is not set. By default, a key is created if an installation may be created.
   */
  getSecret?(target: InstallationTarget): string;
}

const NEVER_CREATE: CreationPolicy = { canCreate: () => false };

/** Lets a command prepare the database at DATABASE_URL before the first start. */
export const CREATE_ON_SERVER: CreationPolicy = { canCreate: ({ databaseUrl }) => databaseUrl !== null };

/**
 * Like `runOnDatabase`, but without migrations.
 * @throws ConfigError if there is no installation, before anything is changed
 */
export async function withDatabase<T>(
  run: (database: LocatedDatabase) => Promise<T>,
  { canCreate, getSecret }: CreationPolicy = NEVER_CREATE,
): Promise<T> {
  const { config, mayCreate } = loadInstallationConfig(canCreate, getSecret);
  const running = config.databaseUrl ?? (await findRunningUrl(config.dataDir));
  const server = running ? null : await startEmbedded(config.dataDir);
  const url = running ?? server!.url;
  try {
    const directUrl = await resolveDirectUrl(config, url);
    if (!mayCreate) await assertInstalled(directUrl, config);
    return await run({ config, url, directUrl });
  } finally {
    await server?.stop();
  }
}

/**
 * Checks that an installation exists, as far as possible without a database.
 * @throws ConfigError
 */
export const assertInstallationExists = (): void => void loadInstallationConfig(NEVER_CREATE.canCreate);

function loadInstallationConfig(
  canCreate: CreationPolicy['canCreate'],
  getSecret?: CreationPolicy['getSecret'],
) {
  process.env.LOG_LEVEL ??= 'warn';
  const getDefaultSecret = (target: InstallationTarget) =>
    canCreate(target) ? loadOrCreateSecret(target) : getExistingSecret(target);
  const config = loadConfig(process.env, getSecret ?? getDefaultSecret);
  const mayCreate = canCreate(config);
  if (!mayCreate && !config.databaseUrl && !hasCluster(join(config.dataDir, 'postgres')))
    throw createNoInstallationError(config.dataDir);
  return { config, mayCreate };
}

function getExistingSecret({ dataDir, databaseUrl }: InstallationTarget): string {
  const key = findSecret(dataDir);
  if (key !== null) return key;
  if (databaseUrl === null) throw createNoInstallationError(dataDir);
  throw new ConfigError([
    `No secret key found in ${dataDir} (DATA_DIR). Set DATA_DIR to the folder of your installation, or SECRET_KEY.`,
  ]);
}

async function assertInstalled(url: string, { dataDir, databaseUrl }: InstallationTarget): Promise<void> {
  if (await isInstalled(url)) return;
  if (databaseUrl === null) throw createNoInstallationError(dataDir);
  throw new ConfigError([
    'The database in DATABASE_URL contains no installation. Set DATABASE_URL to the database of your installation, ' +
      'or create a new installation with: npm start',
  ]);
}

const createNoInstallationError = (dataDir: string) =>
  new ConfigError([
    `No installation found in ${dataDir} (DATA_DIR). Set DATA_DIR to the folder of your installation, or ` +
      'DATABASE_URL to its database, or create a new installation with: npm start',
  ]);
