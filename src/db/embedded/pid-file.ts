import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A file that records which process uses a resource. The process id alone is not enough: after a reboot or in a
 * restarted container, it may belong to another process.
 */
type PidFile = { pid: number; started: string };

let uniqueNameCount = 0;

function buildOwnPidFile(): PidFile {
  return { pid: process.pid, started: readStartTime(process.pid) };
}

/** Reads the file if its process is still running. Null if the file is missing or stale. */
export function readLivePidFile(path: string): PidFile | null {
  const content = readPidFile(path);
  return content && isProcessAlive(content.pid) && readStartTime(content.pid) === content.started
    ? content
    : null;
}

/** Returns null on success, or else the live process that holds the file. */
export function acquirePidFile(path: string): PidFile | null {
  mkdirSync(dirname(path), { recursive: true });
  const temporaryPath = `${path}.${generateUniqueName()}`;
  writeFileSync(temporaryPath, JSON.stringify(buildOwnPidFile()), { mode: 0o600 });
  try {
    return linkOrGetHolder(temporaryPath, path);
  } finally {
    rmSync(temporaryPath, { force: true });
  }
}

export function isProcessAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Like `isProcessAlive`, but false for a zombie process. */
export function isProcessRunning(pid: number): boolean {
  if (!isProcessAlive(pid)) return false;
  if (process.platform !== 'linux') return true;
  try {
    return !/^[ZX]/.test(readLinuxStat(pid)[0]!);
  } catch {
    return false;
  }
}

/** link() creates the name and the content atomically, so a half-written file is never read. */
function linkOrGetHolder(temporaryPath: string, path: string): PidFile | null {
  for (;;) {
    try {
      linkSync(temporaryPath, path);
      return null;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = readLivePidFile(path) ?? removeStalePidFile(path);
    if (holder) return holder;
  }
}

/**
 * Moves a stale file out of the way, then checks it again, because another process may have replaced it between the
 * check and the move. In that case, the file is moved back.
 */
function removeStalePidFile(path: string): PidFile | null {
  const stalePath = `${path}.stale.${generateUniqueName()}`;
  try {
    renameSync(path, stalePath);
  } catch {
    return null;
  }
  const movedFile = readLivePidFile(stalePath);
  if (movedFile) renameSync(stalePath, path);
  else rmSync(stalePath, { force: true });
  return movedFile;
}

function generateUniqueName(): string {
  uniqueNameCount += 1;
  return `${process.pid}.${uniqueNameCount}`;
}

function readPidFile(path: string): PidFile | null {
  try {
    const content = JSON.parse(readFileSync(path, 'utf8')) as PidFile;
    return Number.isInteger(content.pid) ? content : null;
  } catch {
    return null;
  }
}

/** Returns the start time in the platform's format. Empty if unknown. */
function readStartTime(pid: number): string {
  try {
    if (process.platform === 'linux') return readLinuxStartTime(pid);
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}

/**
 * Reads the fields of /proc/pid/stat from field 3 on. Field 2 is the command in parentheses, and can contain spaces and
 * parentheses.
 */
function readLinuxStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function readLinuxStartTime(pid: number): string {
  const ticks = readLinuxStat(pid)[19];
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}:${ticks}`;
}
