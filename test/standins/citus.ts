import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../harness/process.ts';
import { until } from '../harness/wait.ts';

export interface CitusCluster {
  /**
   * Creates a database on all nodes.
   * @param fill initializes the coordinator's database before the workers are added
   */
  database(name: string, fill?: (url: string) => Promise<void>): Promise<{ url: string; workers: string[] }>;
  log(port?: number): string;
  /** Kills the worker on the port with SIGKILL. */
  crash(port: number): Promise<void>;
  restart(port: number): Promise<void>;
  end(): Promise<void>;
}

interface Node {
  folder: string;
  port: number;
  child: ChildProcess;
  output(): string;
}

/** Returns the program folder if its PostgreSQL installation includes Citus, otherwise null. */
export function findCitus(bin: string | undefined): string | null {
  if (!bin) return null;
  try {
    const share = execFileSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' }).trim();
    return existsSync(join(share, 'extension', 'citus.control')) ? bin : null;
  } catch {
    return null;
  }
}

export async function startCitus(bin: string): Promise<CitusCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'atrium-citus-'));
  chmodSync(folder, 0o755);
  const nodes: Node[] = [];
  const end = async () => {
    await Promise.all(nodes.map(stop));
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    for (const name of ['coordinator', 'one', 'two']) nodes.push(await startNode(bin, join(folder, name)));
  } catch (error) {
    await end();
    throw error;
  }
  const database: CitusCluster['database'] = async (name, fill) => {
    for (const { port } of nodes) {
      await runSql(buildUrl(port, 'postgres'), `create database ${name}`);
      await runSql(
        buildUrl(port, name),
        `alter database ${name} set timezone to 'UTC'; create extension citus`,
      );
    }
    const [first, ...workers] = nodes.map(({ port }) => port);
    const url = buildUrl(first!, name);
    await fill?.(url);
    await runSql(url, `select citus_set_coordinator_host('127.0.0.1', ${first})`);
    for (const port of workers) await runSql(url, `select citus_add_node('127.0.0.1', ${port})`);
    return { url, workers: workers.map((port) => buildUrl(port, name)) };
  };
  const findWorker = (port: number) => nodes.findIndex((node, place) => place > 0 && node.port === port);
  return {
    database,
    end,
    log: (port) =>
      nodes
        .filter((node) => port === undefined || node.port === port)
        .map((node) => node.output())
        .join('\n'),
    crash: (port) => kill(nodes[findWorker(port)]!),
    async restart(port) {
      const place = findWorker(port);
      nodes[place] = await runNode(bin, nodes[place]!.folder, port);
    },
  };
}

/** Kills the sessions as well, because their shared memory would prevent the server from restarting. */
async function kill({ child }: Node): Promise<void> {
  const { pid } = child;
  const exited = new Promise((resolve) => child.once('exit', resolve));
  process.kill(pid!, 'SIGSTOP');
  const sessions = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  for (const processId of [...sessions, pid]) process.kill(Number(processId), 'SIGKILL');
  await exited;
}

const buildUrl = (port: number, name: string): string => `postgresql://postgres@127.0.0.1:${port}/${name}`;

const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  shared_preload_libraries: 'citus',
  'citus.use_secondary_nodes': 'never',
  'citus.node_conninfo': 'sslmode=prefer',
  'citus.node_connection_timeout': '5s',
  'citus.recover_2pc_interval': '2s',
  max_connections: '400',
  max_locks_per_transaction: '512',
  max_prepared_transactions: '400',
  wal_level: 'logical',
  fsync: 'off',
  full_page_writes: 'off',
};

async function startNode(bin: string, folder: string): Promise<Node> {
  const account = getAccount();
  mkdirSync(folder, { mode: 0o700 });
  if (account) chownSync(folder, account.uid, account.gid);
  const args = [
    '-D',
    folder,
    '-U',
    'postgres',
    '--auth=trust',
    '--encoding=UTF8',
    '--locale=C.UTF-8',
    '--no-sync',
  ];
  execFileSync(join(bin, 'initdb'), args, { ...buildSpawnOptions(account), stdio: 'pipe' });
  return runNode(bin, folder, await findFreePort());
}

type Account = { uid: number; gid: number } | null;

/** PostgreSQL refuses to run as root. */
const getAccount = (): Account => (process.getuid?.() === 0 ? getNobody() : null);

const buildSpawnOptions = (account: Account) => ({
  ...account,
  cwd: '/',
  env: { PATH: process.env.PATH, LC_ALL: 'C.UTF-8' },
});

async function runNode(bin: string, folder: string, port: number): Promise<Node> {
  const settings = Object.entries({ ...SETTINGS, port }).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const child = spawn(join(bin, 'postgres'), ['-D', folder, ...settings], {
    ...buildSpawnOptions(getAccount()),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const node = { folder, port, child, output: () => output };
  const isAnswering = () =>
    runSql(buildUrl(port, 'postgres'), 'select 1').then(
      () => true,
      () => false,
    );
  try {
    await until(() => child.exitCode !== null || isAnswering(), 'it answers', 60_000);
    if (child.exitCode !== null) throw new Error('it ended');
  } catch (error) {
    await stop(node);
    throw new Error(`PostgreSQL with Citus did not start: ${(error as Error).message}: ${output}`);
  }
  return node;
}

function getNobody(): { uid: number; gid: number } {
  const [, , uid, gid] = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
    .find(([name]) => name === 'nobody')!;
  return { uid: Number(uid), gid: Number(gid) };
}

function stop({ child }: Node): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve();
    child.once('exit', () => resolve());
    child.kill('SIGQUIT');
  });
}

async function runSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}
