import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { chownFolder, type PostgresAccount } from './postgres-account.ts';

/** Absolute paths without symbolic links. */
export type ClusterPaths = {
  dataDir: string;
  cluster: string;
  access: string;
  log: string;
  turn: string;
  users: string;
};

/** Stored in a file with mode 0600. */
export type ClusterAccess = { password: string; port: number };

const ROLE = 'atrium';

export function resolveClusterPaths(dataDir: string): ClusterPaths {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const real = realpathSync(dataDir);
  const toPath = (name: string) => join(real, name);
  return {
    dataDir: real,
    cluster: toPath('postgres'),
    access: toPath('postgres.json'),
    log: toPath('postgres.log'),
    turn: toPath('postgres.turn'),
    users: toPath('postgres.users'),
  };
}

export function buildClusterUrl(access: ClusterAccess, database: string): string {
  return `postgresql://${ROLE}:${access.password}@127.0.0.1:${access.port}/${database}`;
}

export function readAccess(paths: ClusterPaths): ClusterAccess | null {
  try {
    return JSON.parse(readFileSync(paths.access, 'utf8')) as ClusterAccess;
  } catch {
    return null;
  }
}

export async function prepareCluster(
  paths: ClusterPaths,
  account: PostgresAccount,
  sync: boolean,
): Promise<ClusterAccess> {
  const savedAccess = readAccess(paths);
  const access = {
    password: savedAccess?.password ?? generatePassword(),
    port: await findFreePort(savedAccess?.port),
  };
  if (hasCluster(paths.cluster)) {
    if (!savedAccess)
      throw new Error(
        `${paths.access} is missing. It contains the password of the data in ${paths.cluster}: restore the file.`,
      );
  } else {
    initializeCluster(paths, account, access.password, sync);
  }
  chownFolder(account, paths.cluster);
  // Copied or restored folders often lose their mode, and PostgreSQL rejects a data directory that others can read.
  chmodSync(paths.cluster, 0o700);
  if (savedAccess?.port !== access.port) writeAccess(paths, access);
  return access;
}

export const hasCluster = (cluster: string): boolean => existsSync(join(cluster, 'PG_VERSION'));

/** Moves the cluster to another port, after the first one was taken between the check and the start. */
export async function moveCluster(paths: ClusterPaths, access: ClusterAccess): Promise<ClusterAccess> {
  const newAccess = { ...access, port: await findFreePort() };
  writeAccess(paths, newAccess);
  return newAccess;
}

function generatePassword(): string {
  return randomBytes(24).toString('base64url');
}

/**
 * Writes the password before it renames the folder to its final name, so that a crash in between leaves no cluster that
 * looks complete.
 */
function initializeCluster(
  paths: ClusterPaths,
  account: PostgresAccount,
  password: string,
  sync: boolean,
): void {
  const newPath = `${paths.cluster}.new`;
  const passwordFile = join(newPath, 'password');
  rmSync(newPath, { recursive: true, force: true });
  mkdirSync(join(newPath, 'data'), { recursive: true, mode: 0o700 });
  writeFileSync(passwordFile, password, { mode: 0o600 });
  chownFolder(account, newPath);
  runInitdb(account, join(newPath, 'data'), passwordFile, sync);
  writeAccess(paths, { password, port: 0 });
  renameSync(join(newPath, 'data'), paths.cluster);
  rmSync(newPath, { recursive: true, force: true });
}

/**
 * Collation uses PostgreSQL's built-in C.UTF-8, so indexes remain valid when the operating system's library changes.
 * Other locale categories use the system's C.UTF-8, or C if it is missing.
 */
function runInitdb(
  account: PostgresAccount,
  folder: string,
  passwordFile: string,
  sync: boolean,
  locale = 'C.UTF-8',
): void {
  const args = [
    '-D',
    folder,
    '-U',
    ROLE,
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
  ];
  args.push('--locale-provider=builtin', '--builtin-locale=C.UTF-8', `--locale=${locale}`);
  if (!sync) args.push('--no-sync');
  const [command, ...rest] = [...account.prefix, account.programs.initdb, ...args];
  try {
    execFileSync(command!, rest, {
      ...account.identity,
      cwd: '/',
      stdio: 'pipe',
      env: buildBareEnvironment(),
    });
  } catch (error) {
    const output = String((error as { stderr?: Buffer }).stderr ?? error).trim();
    if (!/invalid locale/.test(output) || locale === 'C')
      throw new Error(`initdb failed in ${folder}:\n${output}`);
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { mode: 0o700 });
    chownFolder(account, folder);
    runInitdb(account, folder, passwordFile, sync, 'C');
  }
}

/** Omits the caller's PG* variables and locale, which PostgreSQL would read from its environment. */
export function buildBareEnvironment(): NodeJS.ProcessEnv {
  return { PATH: process.env.PATH, LC_ALL: 'C' };
}

function writeAccess(paths: ClusterPaths, access: ClusterAccess): void {
  const draft = `${paths.access}.new`;
  writeFileSync(draft, JSON.stringify(access), { mode: 0o600 });
  renameSync(draft, paths.access);
}

/** Returns the requested port if it is free, otherwise one chosen by the system. */
async function findFreePort(port = 0): Promise<number> {
  return (await tryPort(port)) ?? (await tryPort(0)) ?? 0;
}

function tryPort(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(null));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      const port = typeof address === 'object' && address ? address.port : null;
      probe.close(() => resolve(port));
    });
  });
}
