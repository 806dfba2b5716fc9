import { existsSync, statSync } from 'node:fs';
import { type Config, ConfigError, findSecret, loadEnvFile, writeSecret } from '../../../src/config.ts';
import { backUp } from '../../../src/db/backup/backup.ts';
import type { BackupHeader } from '../../../src/db/backup/backup-file.ts';
import { decryptKey, encryptKey } from '../../../src/db/backup/encrypted-key.ts';
import { readBackupHeader, restoreDatabase } from '../../../src/db/backup/restore.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { computeKeyedHash } from '../../../src/engine/value/keys.ts';
import { createJobs } from '../../../src/engine/work/jobs.ts';
import { createLog } from '../../../src/log.ts';
import { version } from '../../../src/version.ts';
import { resolveCallerPath } from '../caller-path.ts';
import { withDatabase } from '../run-on-database.ts';

const MIN_PASSPHRASE_LENGTH = 12;

/** @param withKey adds the secret key, encrypted with BACKUP_PASSPHRASE */
export async function backup(path: string, withKey: boolean) {
  const file = resolveCallerPath(path);
  if (existsSync(file)) throw new Error(`${file} already exists.`);
  const passphrase = withKey ? getPassphrase(ENCRYPTION_HINT) : null;
  return withDatabase(async ({ config, directUrl }) => {
    const key = passphrase && (await encryptKey(config.secretKey, passphrase));
    const result = await backUp(directUrl, file, { version, key: key || null });
    return { file, ...result, bytes: statSync(file).size, secret_key: key ? 'encrypted' : 'omitted' };
  });
}

const ENCRYPTION_HINT =
  `Set BACKUP_PASSPHRASE (at least ${MIN_PASSPHRASE_LENGTH} characters) to include the encrypted secret key in the ` +
  'backup, or pass --without-key and store the secret key elsewhere.';

const DECRYPTION_HINT =
  "The secret key in the backup is encrypted. Set BACKUP_PASSPHRASE to the backup's passphrase, or SECRET_KEY to the " +
  'key.';

function getPassphrase(hint: string): string {
  const passphrase = process.env.BACKUP_PASSPHRASE ?? '';
  if (passphrase.length >= MIN_PASSPHRASE_LENGTH) return passphrase;
  throw new ConfigError([hint]);
}

/**
 * Takes the secret key from SECRET_KEY, the backup or DATA_DIR, in this order. Never overwrites a key in DATA_DIR,
 * because it may belong to another installation.
 */
export async function restoreBackup(path: string) {
  const file = resolveCallerPath(path);
  const header = await readBackupHeader(file);
  loadEnvFile();
  const backupKey = process.env.SECRET_KEY?.trim() ? null : await decryptBackupKey(header);
  const getSecret = ({ dataDir }: { dataDir: string }) => chooseKey(dataDir, backupKey);
  const result = await withDatabase(
    ({ config, directUrl }) =>
      restoreDatabase(directUrl, file, (installation) => {
        assertKeyMatches(installation, config);
        if (backupKey && findSecret(config.dataDir) === null) writeSecret(config.dataDir, backupKey);
      }),
    { canCreate: () => true, getSecret },
  );
  if (result.jobs.length > 0) await enqueue(result.jobs);
  const { tables, rows } = result;
  return { file, tables, rows, created: header.created, version: header.version };
}

/** @throws ConfigError if there is no key, or the key in DATA_DIR differs from the backup's */
function chooseKey(dataDir: string, backupKey: string | null): string {
  const secret = findSecret(dataDir);
  const key = backupKey ?? secret;
  if (key === null)
    throw new ConfigError([
      `Neither the backup nor ${dataDir} (DATA_DIR) contains a secret key. Set SECRET_KEY to the key that the ` +
        'backup was made with.',
    ]);
  if (secret === null || secret === key) return key;
  throw new ConfigError([
    `${dataDir} (DATA_DIR) contains another installation's secret.key. Set DATA_DIR to an empty folder, or ` +
      'move that file away.',
  ]);
}

async function decryptBackupKey({ key }: BackupHeader): Promise<string | null> {
  return key && decryptKey(key, getPassphrase(DECRYPTION_HINT));
}

function assertKeyMatches(installation: Map<string, string>, { secretKey, dataDir }: Config): void {
  const fingerprint = installation.get('secret key');
  if (fingerprint === undefined || fingerprint === computeKeyedHash(secretKey, 'installation')) return;
  throw new Error(
    `SECRET_KEY, or secret.key in ${dataDir} (DATA_DIR), is not the key that this backup was created with. Set ` +
      "SECRET_KEY to the backup's key.",
  );
}

/** Starting the queue creates its tables. */
const enqueue = (waiting: { name: string; data: object }[]): Promise<void> =>
  withDatabase(async ({ config, directUrl }) => {
    // Importing the schema declares the jobs.
    await import('../../../schema/index.ts');
    const log = createLog(config.logLevel, 2);
    const db = openDatabase(directUrl, log);
    const jobs = createJobs({ db, log, config });
    try {
      await jobs.start(false);
      for (const { name, data } of waiting) await jobs.enqueue({ db }, name, data);
    } finally {
      await jobs.stop();
      await db.close();
    }
  });
