import { existsSync, readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { ConfigError, keepSecret } from '../../../src/config.ts';
import { backUp } from '../../../src/db/backup/backup.ts';
import type { Header } from '../../../src/db/backup/backup-file.ts';
import { readHeader, restore } from '../../../src/db/backup/restore.ts';
import { openKey, sealKey } from '../../../src/db/backup/sealed-key.ts';
import { openDatabase } from '../../../src/db/pool.ts';
import { keyedHash } from '../../../src/engine/value/keys.ts';
import { createJobs } from '../../../src/engine/work/jobs.ts';
import { createLog } from '../../../src/log.ts';
import { withDatabase } from '../on-database.ts';

const PASSPHRASE = 12;

/** @param withKey whether the secret key goes into the file, sealed with BACKUP_PASSPHRASE */
export async function backup(path: string, withKey: boolean) {
  const file = resolve(path);
  if (existsSync(file)) throw new Error(`${file} exists already.`);
  const passphrase = withKey ? passphraseOf() : null;
  return withDatabase(async ({ config, directUrl }) => {
    const key = passphrase && (await sealKey(config.secretKey, passphrase));
    const result = await backUp(directUrl, file, { version: versionHere(), key: key || null });
    return { file, ...result, bytes: statSync(file).size, secret_key: key ? 'sealed' : 'left out' };
  });
}

function passphraseOf(): string {
  const passphrase = process.env.BACKUP_PASSPHRASE ?? '';
  if (passphrase.length >= PASSPHRASE) return passphrase;
  throw new ConfigError([
    `Set BACKUP_PASSPHRASE (at least ${PASSPHRASE} characters) to seal the secret key into the backup, ` +
      'or say --without-key and keep the secret key elsewhere.',
  ]);
}

/** The secret key comes from SECRET_KEY, from the backup, or from DATA_DIR, in this order. */
export async function restoreBackup(path: string) {
  const file = resolve(path);
  const header = await readHeader(file);
  const given = process.env.SECRET_KEY?.trim() ? null : await keyInside(header);
  // Otherwise one would be made that is not needed.
  if (given) process.env.SECRET_KEY = given;
  const result = await withDatabase(({ config, directUrl }) => {
    return restore(directUrl, file, (installation) => {
      checkKey(installation, config.secretKey);
      if (given) keepSecret(config.dataDir, given);
    });
  });
  if (result.jobs.length > 0) await enqueue(result.jobs);
  const { tables, rows } = result;
  return { file, tables, rows, created: header.created, version: header.version };
}

async function keyInside({ key }: Header): Promise<string | null> {
  return key && openKey(key, passphraseOf());
}

function checkKey(installation: Map<string, string>, key: string): void {
  const mark = installation.get('secret key');
  if (mark === undefined || mark === keyedHash(key, 'installation')) return;
  throw new Error('The secret key of the backup is another one: set SECRET_KEY to it.');
}

/** Jobs wait in tables of the queue's own, which it makes when it starts. */
const enqueue = (waiting: { name: string; data: object }[]): Promise<void> =>
  withDatabase(async ({ config, directUrl }) => {
    // Declares the jobs.
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

const versionHere = (): string =>
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version;
