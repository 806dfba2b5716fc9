import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { isRunning, livingMark, takeMark } from './pid-mark.ts';
import { chooseAccount } from './postgres-account.ts';
import {
  hasCluster,
  moveCluster,
  type Place,
  placeOf,
  prepareCluster,
  readAccess,
  urlOf,
} from './postgres-cluster.ts';
import { isPostmasterOf, launch, PostgresRefused, readPostmaster, shutDown } from './postmaster.ts';

export { lockDataDir } from './data-lock.ts';

/**
 * `owned` is false when another living process uses the same server; `stop` then only takes leave. The last one to
 * leave shuts it down. `stop` may be called more than once.
 */
export type Embedded = { url: string; owned: boolean; pid: number; stop(): Promise<void> };

export type Watch = {
  log(line: string): void;
  /** It cannot be brought back, for a reason in one line. */
  lost(reason: string): void;
};

export type EmbeddedOptions = {
  log?: (line: string) => void;
  /** false gives up surviving a power cut (not a killed process) for speed; for tests only. */
  fsync?: boolean;
};

const database = 'atrium';
const patienceMs = 150_000;
let visits = 0;

/**
 * Runs PostgreSQL on `<dataDir>/postgres`, making the cluster and its database the first time. One that a killed app
 * left running is taken over.
 * @throws Error with the last log lines when it cannot start
 */
export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const place = placeOf(dataDir);
  const mark = enter(place);
  try {
    const pid = await inTurn(
      place,
      async () => (await adopt(place, options)) ?? (await boot(place, options)),
    );
    const owned = !isShared(place, mark);
    let stopped: Promise<void> | null = null;
    const stop = () => {
      stopped ??= depart(place, mark);
      return stopped;
    };
    return { url: urlOf(readAccess(place)!, database), owned, pid, stop };
  } catch (error) {
    rmSync(mark, { force: true });
    throw error;
  }
}

/**
 * Starts the server again whenever it has ended, at the same address and a few times at most.
 * @returns the end of watching, to be waited for before the server is stopped
 */
export function keepRunning(dataDir: string, { url, pid }: Embedded, watch: Watch): () => Promise<void> {
  const place = placeOf(dataDir);
  let current = pid;
  let ended = false;
  const starts: number[] = [];
  const loop = async () => {
    for (; !ended; await sleep(watchMs)) {
      if (isRunning(current)) continue;
      const reason = hopeless(place, starts);
      if (reason) return watch.lost(reason);
      watch.log(`the embedded PostgreSQL (process ${current}) has ended; starting it again`);
      starts.push(Date.now());
      try {
        current = await inTurn(place, async () => (await adopt(place, {})) ?? (await boot(place, {})));
      } catch (error) {
        watch.log((error as Error).message);
        await sleep(revivalPauseMs);
        continue;
      }
      if (urlOf(readAccess(place)!, database) !== url)
        return watch.lost('The port of the embedded PostgreSQL was taken by another program.');
      watch.log(`the embedded PostgreSQL runs again (process ${current})`);
    }
  };
  const running = loop();
  return () => {
    ended = true;
    return running;
  };
}

const watchMs = 250;
const revivalPauseMs = 1_000;
const revivals = 5;
const revivalsMs = 600_000;

/** Without its files a start would make an empty database. */
function hopeless({ cluster, log }: Place, starts: number[]): string | null {
  if (!hasCluster(cluster)) return `The files of the embedded PostgreSQL in ${cluster} are gone.`;
  const lately = starts.filter((time) => time > Date.now() - revivalsMs).length;
  if (lately < revivals) return null;
  const often = `${lately} times within ${revivalsMs / 60_000} minutes`;
  return `The embedded PostgreSQL was started ${often} and did not stay; its log is ${log}.`;
}

/** URL of the server that runs on this data directory now, null when none does. */
export async function findRunning(dataDir: string): Promise<string | null> {
  const place = placeOf(dataDir);
  const found = readPostmaster(place.cluster);
  const access = readAccess(place);
  if (!found?.ready || !access) return null;
  const here = await servesFrom(urlOf({ ...access, port: found.port }, 'postgres'));
  return here === place.cluster ? urlOf({ ...access, port: found.port }, database) : null;
}

/** Everyone who uses the server leaves a mark, so that a command that ends does not stop it under the app. */
function enter(place: Place): string {
  visits += 1;
  mkdirSync(place.users, { recursive: true, mode: 0o700 });
  const mark = join(place.users, `${process.pid}-${visits}`);
  takeMark(mark);
  return mark;
}

function isShared(place: Place, own: string): boolean {
  const names = readdirSync(place.users).filter((name) => /^\d+-\d+$/.test(name));
  const marks = names.map((name) => join(place.users, name));
  const dead = marks.filter((mark) => !livingMark(mark));
  for (const mark of dead) rmSync(mark, { force: true });
  return marks.some((mark) => mark !== own && !dead.includes(mark));
}

function depart(place: Place, mark: string): Promise<void> {
  return inTurn(place, async () => {
    rmSync(mark, { force: true });
    if (!isShared(place, mark)) await shutDown(place.cluster);
  });
}

/** Starting and stopping exclude each other across processes. */
async function inTurn<T>(place: Place, work: () => Promise<T>): Promise<T> {
  const deadline = Date.now() + patienceMs;
  for (let holder = takeMark(place.turn); holder; holder = takeMark(place.turn)) {
    if (Date.now() > deadline)
      throw new Error(`Process ${holder.pid} is starting or stopping PostgreSQL for too long.`);
    await sleep(20);
  }
  try {
    return await work();
  } finally {
    rmSync(place.turn, { force: true });
  }
}

async function adopt(place: Place, options: EmbeddedOptions): Promise<number | null> {
  for (const deadline = Date.now() + patienceMs; Date.now() < deadline; await sleep(20)) {
    const found = readPostmaster(place.cluster);
    if (!found || !isPostmasterOf(place.cluster, found.pid)) return null;
    if (!found.ready || !(await findRunning(place.dataDir))) continue;
    await createDatabase(place);
    options.log?.(`took over the PostgreSQL that was left running (process ${found.pid})`);
    return found.pid;
  }
  throw new Error(`A PostgreSQL process holds ${place.cluster} but does not answer: stop it, or remove it.`);
}

async function boot(place: Place, options: EmbeddedOptions): Promise<number> {
  const account = chooseAccount(place.dataDir);
  const durable = options.fsync ?? true;
  let access = await prepareCluster(place, account, durable);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { pid } = await launch(place, account, access, durable);
      await createDatabase(place);
      options.log?.(`PostgreSQL runs on ${place.cluster} (process ${pid}, port ${access.port})`);
      return pid;
    } catch (error) {
      if (attempt === 5 || !(error instanceof PostgresRefused)) throw error;
      if (/Address already in use/.test(error.reason)) access = await moveCluster(place, access);
      // The children of a killed server need a moment to notice and go.
      else if (/shared memory block|postmaster\.pid" already exists/.test(error.reason)) await sleep(500);
      else throw error;
    }
  }
}

/** A crash may have come between initdb and this, so it is looked at on every start. */
async function createDatabase(place: Place): Promise<void> {
  const client = new pg.Client({ connectionString: urlOf(readAccess(place)!, 'postgres') });
  await client.connect();
  try {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [database]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${database}`);
  } finally {
    await client.end();
  }
}

/** The folder the server at this address serves, null when it does not let us in. */
async function servesFrom(url: string): Promise<string | null> {
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
