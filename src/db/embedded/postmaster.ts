import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, statSync } from 'node:fs';
import { totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from './pid-file.ts';
import type { PostgresAccount } from './postgres-account.ts';
import { buildBareEnvironment, type ClusterAccess, type ClusterPaths } from './postgres-cluster.ts';

/** PostgreSQL's main process, according to postmaster.pid. */
type Postmaster = { pid: number; port: number; ready: boolean };

const MAX_LOG_BYTES = 10 * 1024 * 1024;
const START_TIMEOUT_MS = 120_000;
const CLOSE_GRACE_MS = 500;
const STOP_TIMEOUT_MS = 30_000;

/** Thrown if the server ends before it accepts connections. `reason` contains its log. */
export class PostgresStartError extends Error {
  reason: string;

  constructor(reason: string) {
    super(`The embedded PostgreSQL did not start:\n${reason}`);
    this.reason = reason;
  }
}

/**
 * Parses lines 1, 4 and 8 of `postmaster.pid`: pid, port and status. Null if the file is missing or its process has
 * ended.
 */
export function readPostmaster(cluster: string): Postmaster | null {
  try {
    const lines = readFileSync(join(cluster, 'postmaster.pid'), 'utf8').split('\n');
    const pid = Number(lines[0]);
    if (!pid || !isProcessAlive(pid)) return null;
    return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
  } catch {
    return null;
  }
}

/**
 * Returns true if the process in postmaster.pid serves this cluster. It does not if the id was reused by another
 * program, or if the folder was copied while the original was running. The file is then removed, because PostgreSQL
 * would refuse to start.
 * @throws Error if this cannot be determined, because two servers on one cluster destroy it
 */
export function isPostmasterOf(cluster: string, pid: number): boolean {
  const folder = findServedFolder(pid);
  if (folder === cluster) return true;
  if (folder !== null && readPostmaster(folder)?.pid !== pid) {
    throw new Error(
      `PostgreSQL process ${pid} was started on ${folder} and may still use ${cluster}: stop it first.`,
    );
  }
  rmSync(join(cluster, 'postmaster.pid'), { force: true });
  return false;
}

/**
 * Starts the server and waits until it accepts connections. The server has a separate process group, so that Ctrl-C in
 * the terminal reaches only the app, which can drain before its database stops.
 * @throws PostgresStartError
 */
export async function launchPostgres(
  paths: ClusterPaths,
  account: PostgresAccount,
  access: ClusterAccess,
  durable: boolean,
): Promise<Postmaster> {
  const from = getFileSize(paths.log) > MAX_LOG_BYTES ? 0 : getFileSize(paths.log);
  const log = openSync(paths.log, from === 0 ? 'w' : 'a', 0o600);
  const args = [
    ...account.prefix,
    account.programs.postgres,
    '-D',
    paths.cluster,
    ...buildServerSettings(access.port, durable),
  ];
  const child = spawn(args[0]!, args.slice(1), {
    ...account.identity,
    cwd: '/',
    detached: true,
    env: buildBareEnvironment(),
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  let exitReason: string | null = null;
  child.once('error', (error) => (exitReason = error.message));
  child.once('exit', (code, signal) => (exitReason = `it ended with ${signal ?? `code ${code}`}`));
  child.unref();
  for (const deadline = Date.now() + START_TIMEOUT_MS; Date.now() < deadline; await sleep(10)) {
    if (exitReason !== null)
      throw new PostgresStartError(`${readLogTail(paths.log, from)}(${exitReason}; log: ${paths.log})`);
    const postmaster = readPostmaster(paths.cluster);
    if (postmaster?.ready && postmaster.pid === child.pid) return postmaster;
  }
  child.kill('SIGQUIT');
  throw new PostgresStartError(
    `${readLogTail(paths.log, from)}(not ready after ${START_TIMEOUT_MS / 1000} s)`,
  );
}

/**
 * Stops the server and waits until it has ended. Connections that are being closed get a short grace period, because
 * terminating them immediately would cause errors in the app. Remaining sessions are terminated and their transactions
 * rolled back.
 */
export async function shutDownPostgres(cluster: string): Promise<void> {
  const postmaster = readPostmaster(cluster);
  if (!postmaster) return;
  process.kill(postmaster.pid, 'SIGTERM');
  if (await waitForExit(cluster, postmaster.pid, CLOSE_GRACE_MS)) return;
  process.kill(postmaster.pid, 'SIGINT');
  if (await waitForExit(cluster, postmaster.pid, STOP_TIMEOUT_MS)) return;
  process.kill(postmaster.pid, 'SIGQUIT');
  if (await waitForExit(cluster, postmaster.pid, STOP_TIMEOUT_MS)) return;
  throw new Error(`The embedded PostgreSQL (process ${postmaster.pid}) did not stop.`);
}

/** Returns an eighth of the memory, between 128 MB and 1 GB. PostgreSQL only occupies the part that it uses. */
function computeSharedBuffersMb(): number {
  const bytes = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  return Math.round(Math.min(1_024, Math.max(128, bytes / 8 / 2 ** 20)));
}

function buildServerSettings(port: number, durable: boolean): string[] {
  const values: Record<string, string | number> = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: '',
    max_connections: 200,
    shared_buffers: `${durable ? computeSharedBuffersMb() : 128}MB`,
    max_wal_senders: 0,
    min_wal_size: '128MB',
    max_wal_size: '1GB',
    checkpoint_timeout: '15min',
    // With few CPU cores, passing a read to a worker takes longer than the read itself.
    io_method: 'sync',
    random_page_cost: 1.1,
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    ...(durable ? {} : { fsync: 'off', full_page_writes: 'off', autovacuum: 'off' }),
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/**
 * PostgreSQL removes the file just before the process exits. Without a parent that reaps it, the process remains a
 * zombie.
 */
async function waitForExit(cluster: string, pid: number, limitMs: number): Promise<boolean> {
  const deadline = Date.now() + limitMs;
  while (readPostmaster(cluster)?.pid === pid) {
    if (Date.now() > deadline) return false;
    await sleep(10);
  }
  for (const exitDeadline = Date.now() + 1_000; isProcessAlive(pid) && Date.now() < exitDeadline; )
    await sleep(10);
  return true;
}

/** Reads the data directory of a PostgreSQL main process from its arguments. Null for any other program. */
function findServedFolder(pid: number): string | null {
  if (process.platform === 'linux') {
    const args = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
    return basename(args[0] ?? '') === 'postgres' ? (args[args.indexOf('-D') + 1] ?? '') : null;
  }
  const line = execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' });
  return /\bpostgres -D (.*?) -c /.exec(line)?.[1] ?? null;
}

function getFileSize(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

function readLogTail(path: string, from: number): string {
  const lines = readFileSync(path).subarray(from).toString('utf8').trim().split('\n');
  return lines
    .slice(-15)
    .map((line) => `  ${line}\n`)
    .join('');
}
