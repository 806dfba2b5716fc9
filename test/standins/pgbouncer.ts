import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from '../harness/process.ts';
import { until } from '../harness/wait.ts';

/** A PgBouncer with few server connections, in transaction mode. */
export interface Pooler {
  url: string;
  end(): Promise<void>;
}

/** Returns the major and minor version. Null if the program is not installed. */
export function getPgBouncerVersion(program: string): [number, number] | null {
  const output = spawnSync(program, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  const version = /PgBouncer (\d+)\.(\d+)/.exec(output);
  return version && [Number(version[1]), Number(version[2])];
}

export async function startPgBouncer(
  program: string,
  database: string,
  settings: Record<string, string | number> = {},
): Promise<Pooler> {
  const { hostname, port, username, password, pathname } = new URL(database);
  const ownPort = await findFreePort();
  const all = {
    listen_addr: '127.0.0.1',
    listen_port: ownPort,
    unix_socket_dir: '',
    auth_type: 'any',
    pool_mode: 'transaction',
    default_pool_size: 4,
    max_client_conn: 500,
    // PgBouncer refuses to run as root.
    ...(process.getuid?.() === 0 && { user: 'nobody' }),
    ...settings,
  };
  const folder = mkdtempSync(join(tmpdir(), 'atrium-pgbouncer-'));
  chmodSync(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  const lines = Object.entries(all).map(([name, value]) => `${name} = ${value}`);
  const target = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  writeFileSync(file, `[databases]\n* = ${target}\n[pgbouncer]\n${lines.join('\n')}\n`);
  const child = spawn(program, [file], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
  const exit = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const end = async () => {
    child.kill('SIGKILL');
    await exit;
    rmSync(folder, { recursive: true, force: true });
  };
  await until(() => isAnswering(ownPort), 'PgBouncer listens').catch(async (error) => {
    await end();
    throw new Error(`${error.message}: ${output}`);
  });
  return { url: `postgresql://anybody@127.0.0.1:${ownPort}${pathname}`, end };
}

const isAnswering = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
