import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  lchownSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { findPostgresBinaries, type PostgresPrograms } from './postgres-binaries.ts';

export type PostgresAccount = {
  programs: PostgresPrograms;
  prefix: string[];
  /** User and group for `spawn`, unless a prefix command switches them. */
  identity: { uid?: number; gid?: number };
  /** Required owner of the data on disk. Null for the current user. */
  owner: { uid: number; gid: number } | null;
};

/**
 * Chooses an account, because PostgreSQL refuses to run as root, and initdb must find its user by name. A user
 * namespace that maps this process to an ordinary user id satisfies both, and keeps files in a private home directory
 * readable. If namespaces are forbidden, another user is chosen, with the capability to traverse private directories if
 * possible, and with a copy of the programs if it cannot reach them.
 * @param dataDir must exist; the account can enter it
 * @throws Error if no account works
 */
export function chooseAccount(dataDir: string): PostgresAccount {
  const programs = findPostgresBinaries();
  if (!needsOtherUser()) return { programs, prefix: [], identity: {}, owner: null };
  const inPlace = buildCandidates(programs).find((account) => canRunPostgres(account, dataDir));
  if (inPlace) return inPlace;
  const copiedAccounts = process.getuid?.() === 0 ? buildCandidates(copyPrograms(programs)) : [];
  const fits = copiedAccounts.find((account) => canRunPostgres(account, dataDir));
  if (fits) return fits;
  throw new Error(
    'PostgreSQL does not run as root, and no other user could be used for it: unshare and setpriv (util-linux) are ' +
      `missing or forbidden, and a plain user switch cannot enter ${dataDir}. ` +
      'Start as a normal user, move DATA_DIR, or set DATABASE_URL.',
  );
}

/** Changes the owner of a folder and its content, which may have been created under another account. */
export function chownFolder(account: PostgresAccount, folder: string): void {
  const owner = account.owner ?? (process.getuid?.() === 0 ? { uid: 0, gid: 0 } : null);
  if (!owner || statSync(folder).uid === owner.uid) return;
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    lchownSync(join(folder, entry), owner.uid, owner.gid);
  }
  lchownSync(folder, owner.uid, owner.gid);
}

function needsOtherUser(): boolean {
  if (process.getuid?.() === undefined) return false;
  if (process.getuid() === 0) return true;
  try {
    userInfo();
    return false;
  } catch {
    return true;
  }
}

function buildCandidates(programs: PostgresPrograms): PostgresAccount[] {
  const user = findOrdinaryUser();
  const namespace = ['unshare', '--user', `--map-user=${user.uid}`, `--map-group=${user.gid}`];
  const withPassage = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  const switched = [
    'setpriv',
    `--reuid=${user.uid}`,
    `--regid=${user.gid}`,
    '--clear-groups',
    ...withPassage,
  ];
  return [
    { programs, prefix: namespace, identity: {}, owner: null },
    { programs, prefix: switched, identity: {}, owner: user },
    { programs, prefix: [], identity: user, owner: user },
  ];
}

/** Prefers user 1000, the first user in most images. Falls back to `nobody`, then to any user other than root. */
function findOrdinaryUser(): { uid: number; gid: number } {
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .map(([, , uid, gid]) => ({ uid: Number(uid), gid: Number(gid) }))
    .filter((user) => user.uid > 0 && user.gid > 0);
  const findUser = (uid: number) => users.find((user) => user.uid === uid);
  return findUser(1000) ?? findUser(65534) ?? users[0] ?? { uid: 1000, gid: 1000 };
}

/** initdb --show exits before it changes anything, but after it has looked up its user, programs and files. */
function canRunPostgres(account: PostgresAccount, dataDir: string): boolean {
  const probe = [
    '/bin/sh',
    '-c',
    '"$1" --show -D "$2/postgres" && ls "$2"',
    'sh',
    account.programs.initdb,
    dataDir,
  ];
  const [command, ...args] = [...account.prefix, ...probe];
  return spawnSync(command!, args, { ...account.identity, cwd: '/', stdio: 'ignore' }).status === 0;
}

/**
 * Copies the programs to a folder that only root can write to. Otherwise, another user could replace a program that
 * root runs.
 */
function copyPrograms(programs: PostgresPrograms): PostgresPrograms {
  const native = dirname(dirname(programs.postgres));
  const version = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8')).version as string;
  const target = join('/var/lib/atrium', `postgres-${version}`);
  if (!existsSync(target)) {
    const draft = `${target}.${process.pid}`;
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    for (const folder of ['/var/lib/atrium', draft]) chmodSync(folder, 0o755);
    renameSync(draft, target);
  }
  return { initdb: join(target, 'bin', 'initdb'), postgres: join(target, 'bin', 'postgres') };
}
