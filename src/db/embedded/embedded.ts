import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { acquirePidFile, isProcessRunning, readLivePidFile } from './pid-file.ts';
import { chooseAccount } from './postgres-account.ts';
import {
  buildClusterUrl,
  type ClusterPaths,
  hasCluster,
  moveCluster,
  prepareCluster,
  readAccess,
  resolveClusterPaths,
} from './postgres-cluster.ts';
import {
  isPostmasterOf,
  launchPostgres,
  PostgresStartError,
  readPostmaster,
  shutDownPostgres,
} from './postmaster.ts';

export { lockDataDir } from './data-lock.ts';

/**
 * `owned` is false if another live process uses the same server. `stop` then only unregisters this process; the last
 * process shuts the server down. `stop` can be called more than once.
 */
export type EmbeddedServer = { url: string; owned: boolean; pid: number; stop(): Promise<void> };

export type WatchHandlers = {
  log(line: string): void;
  /** Called with a one-line reason if the server cannot be restarted. */
  onLost(reason: string): void;
};

export type EmbeddedOptions = {
  log?: (line: string) => void;
  /** If false, a power failure can cause data loss, but killing a process cannot. For tests only. */
  fsync?: boolean;
};

const DATABASE_NAME = 'atrium';
const START_STOP_TIMEOUT_MS = 150_000;
let registrations = 0;

/**
 * Runs PostgreSQL on `<dataDir>/postgres`. Creates the cluster and its database on first use, and adopts a server left
 * running by a killed app.
 * @throws Error with the last log lines if the server cannot start
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<EmbeddedServer> {
  const paths = resolveClusterPaths(dataDir);
  const userFile = registerProcess(paths);
  try {
    const pid = await runWithStartStopLock(
      paths,
      async () => (await adoptRunningServer(paths, options)) ?? (await bootServer(paths, options)),
    );
    const isOwned = !hasOtherProcesses(paths, userFile);
    let stopped: Promise<void> | null = null;
    const stop = () => {
      stopped ??= unregisterProcess(paths, userFile);
      return stopped;
    };
    return { url: buildClusterUrl(readAccess(paths)!, DATABASE_NAME), owned: isOwned, pid, stop };
  } catch (error) {
    rmSync(userFile, { force: true });
    throw error;
  }
}

/**
 * Restarts the server at the same URL if it exits, up to a maximum number of times.
 * @returns a function that stops watching; await it before the server is stopped
 */
export function keepServerRunning(
  dataDir: string,
  { url, pid }: EmbeddedServer,
  watch: WatchHandlers,
): () => Promise<void> {
  const paths = resolveClusterPaths(dataDir);
  let current = pid;
  let hasEnded = false;
  const starts: number[] = [];
  const watchServer = async () => {
    for (; !hasEnded; await sleep(WATCH_INTERVAL_MS)) {
      if (isProcessRunning(current)) continue;
      const reason = findRestartBlocker(paths, starts);
      if (reason) return watch.onLost(reason);
      watch.log(`the embedded PostgreSQL (process ${current}) has ended; starting it again`);
      starts.push(Date.now());
      try {
        current = await runWithStartStopLock(
          paths,
          async () => (await adoptRunningServer(paths, {})) ?? (await bootServer(paths, {})),
        );
      } catch (error) {
        watch.log((error as Error).message);
        await sleep(RESTART_DELAY_MS);
        continue;
      }
      if (buildClusterUrl(readAccess(paths)!, DATABASE_NAME) !== url)
        return watch.onLost('The port of the embedded PostgreSQL was taken by another program.');
      watch.log(`the embedded PostgreSQL runs again (process ${current})`);
    }
  };
  const running = watchServer();
  return () => {
    hasEnded = true;
    return running;
  };
}

const WATCH_INTERVAL_MS = 250;
const RESTART_DELAY_MS = 1_000;
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 600_000;

/**
 * Returns the reason not to restart the server, or null. Without the cluster's files, a start would create an empty
 * database.
 */
function findRestartBlocker({ cluster, log }: ClusterPaths, starts: number[]): string | null {
  if (!hasCluster(cluster)) return `The files of the embedded PostgreSQL in ${cluster} are gone.`;
  const recentStarts = starts.filter((time) => time > Date.now() - RESTART_WINDOW_MS).length;
  if (recentStarts < MAX_RESTARTS) return null;
  const frequency = `${recentStarts} times within ${RESTART_WINDOW_MS / 60_000} minutes`;
  return `The embedded PostgreSQL was started ${frequency} and did not stay; its log is ${log}.`;
}

export async function findRunningUrl(dataDir: string): Promise<string | null> {
  const paths = resolveClusterPaths(dataDir);
  const postmaster = readPostmaster(paths.cluster);
  const access = readAccess(paths);
  if (!postmaster?.ready || !access) return null;
  const dataDirectory = await queryDataDirectory(
    buildClusterUrl({ ...access, port: postmaster.port }, 'postgres'),
  );
  return dataDirectory === paths.cluster
    ? buildClusterUrl({ ...access, port: postmaster.port }, DATABASE_NAME)
    : null;
}

/** Registers this process as a user of the server, so that a finished command does not stop the app's server. */
function registerProcess(paths: ClusterPaths): string {
  registrations += 1;
  mkdirSync(paths.users, { recursive: true, mode: 0o700 });
  const userFile = join(paths.users, `${process.pid}-${registrations}`);
  acquirePidFile(userFile);
  return userFile;
}

function hasOtherProcesses(paths: ClusterPaths, ownName: string): boolean {
  const names = readdirSync(paths.users).filter((name) => /^\d+-\d+$/.test(name));
  const marks = names.map((name) => join(paths.users, name));
  const deadMarks = marks.filter((userFile) => !readLivePidFile(userFile));
  for (const userFile of deadMarks) rmSync(userFile, { force: true });
  return marks.some((userFile) => userFile !== ownName && !deadMarks.includes(userFile));
}

function unregisterProcess(paths: ClusterPaths, userFile: string): Promise<void> {
  return runWithStartStopLock(paths, async () => {
    rmSync(userFile, { force: true });
    if (!hasOtherProcesses(paths, userFile)) await shutDownPostgres(paths.cluster);
  });
}

async function runWithStartStopLock<T>(paths: ClusterPaths, run: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + START_STOP_TIMEOUT_MS;
  for (let holder = acquirePidFile(paths.turn); holder; holder = acquirePidFile(paths.turn)) {
    if (Date.now() > deadline)
      throw new Error(`Process ${holder.pid} has been starting or stopping PostgreSQL for too long.`);
    await sleep(20);
  }
  try {
    return await run();
  } finally {
    rmSync(paths.turn, { force: true });
  }
}

async function adoptRunningServer(paths: ClusterPaths, options: EmbeddedOptions): Promise<number | null> {
  for (const deadline = Date.now() + START_STOP_TIMEOUT_MS; Date.now() < deadline; await sleep(20)) {
    const postmaster = readPostmaster(paths.cluster);
    if (!postmaster || !isPostmasterOf(paths.cluster, postmaster.pid)) return null;
    if (!postmaster.ready || !(await findRunningUrl(paths.dataDir))) continue;
    await createDatabase(paths);
    options.log?.(`took over the PostgreSQL that was left running (process ${postmaster.pid})`);
    return postmaster.pid;
  }
  throw new Error(
    `A PostgreSQL process uses ${paths.cluster} but does not respond. Stop the process, then start again.`,
  );
}

async function bootServer(paths: ClusterPaths, options: EmbeddedOptions): Promise<number> {
  const account = chooseAccount(paths.dataDir);
  const durable = options.fsync ?? true;
  let access = await prepareCluster(paths, account, durable);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { pid } = await launchPostgres(paths, account, access, durable);
      await createDatabase(paths);
      options.log?.(`PostgreSQL runs on ${paths.cluster} (process ${pid}, port ${access.port})`);
      return pid;
    } catch (error) {
      if (attempt === 5 || !(error instanceof PostgresStartError)) throw error;
      if (/Address already in use/.test(error.reason)) access = await moveCluster(paths, access);
      // The child processes of a killed server need a moment to exit.
      else if (/shared memory block|postmaster\.pid" already exists/.test(error.reason)) await sleep(500);
      else throw error;
    }
  }
}

/** Runs at every start, because a crash may have interrupted the first start after initdb. */
async function createDatabase(paths: ClusterPaths): Promise<void> {
  const client = new pg.Client({ connectionString: buildClusterUrl(readAccess(paths)!, 'postgres') });
  await client.connect();
  try {
    const existingResult = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE_NAME]);
    if (existingResult.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE_NAME}`);
  } finally {
    await client.end();
  }
}

/** Returns null if the server denies access or does not respond. */
async function queryDataDirectory(url: string): Promise<string | null> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query('SHOW data_directory');
    return rows[0].data_directory;
  } catch {
    return null;
  } finally {
    await client.end().catch(() => undefined);
  }
}
