// Allows one setup at a time per clone, because `npm start` and `npm test` can run in parallel.
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const waitBuffer = new Int32Array(new SharedArrayBuffer(4));
const MAX_WAIT_MS = 15 * 60_000;

/** Runs `work` under a lock. Takes over the lock of a dead process. */
export function runLocked(root, work) {
  const folder = getLockFolder(root);
  waitForLock(folder);
  const release = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', release);
  work();
  process.off('exit', release);
  release();
}

/** The folder is outside the clone, because npm ci empties node_modules and a clone should remain clean. */
function getLockFolder(root) {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  return join(tmpdir(), `atrium-setup-${process.getuid?.() ?? 0}-${name}`);
}

function waitForLock(folder) {
  const deadline = Date.now() + MAX_WAIT_MS;
  while (!createLock(folder)) {
    if (isAbandoned(folder)) removeAbandonedLock(folder);
    else if (Date.now() > deadline)
      throw new Error(`another setup has not finished; if none is running, remove ${folder}`);
    else Atomics.wait(waitBuffer, 0, 0, 100);
  }
}

/** If several waiting processes find a lock abandoned, only one can rename its folder, so none removes a newer lock. */
function removeAbandonedLock(folder) {
  const aside = `${folder}-${process.pid}`;
  try {
    renameSync(folder, aside);
  } catch {
    return;
  }
  rmSync(aside, { recursive: true, force: true });
}

function createLock(folder) {
  try {
    mkdirSync(folder);
    writeFileSync(join(folder, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function isAbandoned(folder) {
  try {
    const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
    // The pid file is written shortly after the folder is created.
    if (!pid) return Date.now() - statSync(folder).mtimeMs > 5_000;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    if (error.code === 'EPERM') return false;
    if (error.code === 'ESRCH') return true;
    return Date.now() - getMtime(folder) > 5_000;
  }
}

function getMtime(folder) {
  try {
    return statSync(folder).mtimeMs;
  } catch {
    return Date.now();
  }
}
