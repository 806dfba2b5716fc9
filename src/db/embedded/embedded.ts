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
  shutDown,
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
  lost(reason: string): void;
};

export type EmbeddedOptions = {
  log?: (line: string) => void;
  /** False trades durability on power loss (not on a killed process) for speed. For tests only. */
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
  const place = resolveClusterPaths(dataDir);
  const userFile = registerUser(place);
  try {
    const pid = await withStartStopLock(
      place,
      async () => (await adoptRunning(place, options)) ?? (await bootServer(place, options)),
    );
    const owned = !isShared(place, userFile);
    let stopped: Promise<void> | null = null;
    const stop = () => {
      stopped ??= unregisterUser(place, userFile);
      return stopped;
    };
    return { url: buildClusterUrl(readAccess(place)!, DATABASE_NAME), owned, pid, stop };
  } catch (error) {
    rmSync(userFile, { force: true });
    throw error;
  }
}

/**
 * Restarts the server at the same URL if it exits, up to a maximum number of times.
 * @returns a function that stops watching; await it before the server is stopped
 */
export function keepRunning(
  dataDir: string,
  { url, pid }: EmbeddedServer,
  watch: WatchHandlers,
): () => Promise<void> {
  const place = resolveClusterPaths(dataDir);
  let current = pid;
  let hasEnded = false;
  const starts: number[] = [];
  const loop = async () => {
    for (; !hasEnded; await sleep(WATCH_INTERVAL_MS)) {
      if (isProcessRunning(current)) continue;
      const reason = findRestartBlocker(place, starts);
      if (reason) return watch.lost(reason);
      watch.log(`the embedded PostgreSQL (process ${current}) has ended; starting it again`);
      starts.push(Date.now());
      try {
        current = await withStartStopLock(
          place,
          async () => (await adoptRunning(place, {})) ?? (await bootServer(place, {})),
        );
      } catch (error) {
        watch.log((error as Error).message);
        await sleep(RESTART_DELAY_MS);
        continue;
      }
      if (buildClusterUrl(readAccess(place)!, DATABASE_NAME) !== url)
        return watch.lost('The port of the embedded PostgreSQL was taken by another program.');
      watch.log(`the embedded PostgreSQL runs again (process ${current})`);
    }
  };
  const running = loop();
  return () => {
    hasEnded = true;
    return running;
  };
}

const WATCH_INTERVAL_MS = 250;
const RESTART_DELAY_MS = 1_000;
const MAX_RESTARTS = 5;
const RESTART_WINDOW_MS = 600_000;

/** Starting without the cluster's files would create an empty database. */
function findRestartBlocker({ cluster, log }: ClusterPaths, starts: number[]): string | null {
  if (!hasCluster(cluster)) return `The files of the embedded PostgreSQL in ${cluster} are gone.`;
  const lately = starts.filter((time) => time > Date.now() - RESTART_WINDOW_MS).length;
  if (lately < MAX_RESTARTS) return null;
  const often = `${lately} times within ${RESTART_WINDOW_MS / 60_000} minutes`;
  return `The embedded PostgreSQL was started ${often} and did not stay; its log is ${log}.`;
}

/** URL of the running server of this data directory. Null if no server is running. */
export async function findRunningUrl(dataDir: string): Promise<string | null> {
  const place = resolveClusterPaths(dataDir);
  const postmaster = readPostmaster(place.cluster);
  const access = readAccess(place);
  if (!postmaster?.ready || !access) return null;
  const dataDirectory = await queryDataDirectory(
    buildClusterUrl({ ...access, port: postmaster.port }, 'postgres'),
  );
  return dataDirectory === place.cluster
    ? buildClusterUrl({ ...access, port: postmaster.port }, DATABASE_NAME)
    : null;
}

/** Registers this process as a user of the server, so that a command that ends does not stop the server of the app. */
function registerUser(place: ClusterPaths): string {
  registrations += 1;
  mkdirSync(place.users, { recursive: true, mode: 0o700 });
  const userFile = join(place.users, `${process.pid}-${registrations}`);
  acquirePidFile(userFile);
  return userFile;
}

function isShared(place: ClusterPaths, ownName: string): boolean {
  const names = readdirSync(place.users).filter((name) => /^\d+-\d+$/.test(name));
  const marks = names.map((name) => join(place.users, name));
  const dead = marks.filter((userFile) => !readLivePidFile(userFile));
  for (const userFile of dead) rmSync(userFile, { force: true });
  return marks.some((userFile) => userFile !== ownName && !dead.includes(userFile));
}

function unregisterUser(place: ClusterPaths, userFile: string): Promise<void> {
  return withStartStopLock(place, async () => {
    rmSync(userFile, { force: true });
    if (!isShared(place, userFile)) await shutDown(place.cluster);
  });
}

/** Prevents processes from starting or stopping the server at the same time. */
async function withStartStopLock<T>(place: ClusterPaths, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + START_STOP_TIMEOUT_MS;
  for (let holder = acquirePidFile(place.turn); holder; holder = acquirePidFile(place.turn)) {
    if (Date.now() > deadline)
      throw new Error(`Process ${holder.pid} has been starting or stopping PostgreSQL for too long.`);
    await sleep(20);
  }
  try {
    return await work();
  } finally {
    rmSync(place.turn, { force: true });
  }
}

async function adoptRunning(place: ClusterPaths, options: EmbeddedOptions): Promise<number | null> {
  for (const deadline = Date.now() + START_STOP_TIMEOUT_MS; Date.now() < deadline; await sleep(20)) {
    const postmaster = readPostmaster(place.cluster);
    if (!postmaster || !isPostmasterOf(place.cluster, postmaster.pid)) return null;
    if (!postmaster.ready || !(await findRunningUrl(place.dataDir))) continue;
    await createDatabase(place);
    options.log?.(`took over the PostgreSQL that was left running (process ${postmaster.pid})`);
    return postmaster.pid;
  }
  throw new Error(
    `A PostgreSQL process uses ${place.cluster} but does not respond. Stop the process, then start again.`,
  );
}

async function bootServer(place: ClusterPaths, options: EmbeddedOptions): Promise<number> {
  const account = chooseAccount(place.dataDir);
  const durable = options.fsync ?? true;
  let access = await prepareCluster(place, account, durable);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { pid } = await launchPostgres(place, account, access, durable);
      await createDatabase(place);
      options.log?.(`PostgreSQL runs on ${place.cluster} (process ${pid}, port ${access.port})`);
      return pid;
    } catch (error) {
      if (attempt === 5 || !(error instanceof PostgresStartError)) throw error;
      if (/Address already in use/.test(error.reason)) access = await moveCluster(place, access);
      // The child processes of a killed server need a moment to exit.
      else if (/shared memory block|postmaster\.pid" already exists/.test(error.reason)) await sleep(500);
      else throw error;
    }
  }
}

/** Runs on every start, because a crash can come between initdb and this step. */
async function createDatabase(place: ClusterPaths): Promise<void> {
  const client = new pg.Client({ connectionString: buildClusterUrl(readAccess(place)!, 'postgres') });
  await client.connect();
  try {
    const existing = await client.query('SELECT FROM pg_database WHERE datname = $1', [DATABASE_NAME]);
    if (existing.rowCount === 0) await client.query(`CREATE DATABASE ${DATABASE_NAME}`);
  } finally {
    await client.end();
  }
}

/** Data directory of the server at this URL. Null if the server denies access. */
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
