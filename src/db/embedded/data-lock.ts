import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { acquirePidFile } from './pid-file.ts';

/**
 * Locks the data directory against a second app server. Takes over a lock left by a killed server.
 * @returns a release function, which can be called more than once
 * @throws Error with a one-line message for the operator if another server is running
 */
export function lockDataDir(dataDir: string): () => void {
  const path = join(dataDir, 'server.lock');
  const holder = acquirePidFile(path);
  if (holder) {
    throw new Error(
      `Another Atrium server (process ${holder.pid}) is already using ${dataDir}: stop it, or set DATA_DIR. ` +
        'For several processes on one database, give each the same DATABASE_URL.',
    );
  }
  let isLocked = true;
  return () => {
    if (isLocked) rmSync(path, { force: true });
    isLocked = false;
  };
}
