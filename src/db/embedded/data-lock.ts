import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { acquirePidFile } from './pid-file.ts';

/**
 * Keeps two app servers off one data directory. A lock left by a killed server is taken over.
 * @returns release, which may be called more than once
 * @throws Error with one line for the operator when another server runs on it
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, 'server.lock');
  const holder = acquirePidFile(path);
  if (holder) {
    throw new Error(
      `Another Atrium server (process ${holder.pid}) already runs on ${dataDir}: stop it, or set DATA_DIR. ` +
        'For several processes on one database, give each the same DATABASE_URL.',
    );
  }
  let held = true;
  return () => {
    if (held) rmSync(path, { force: true });
    held = false;
  };
}
