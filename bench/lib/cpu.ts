import { readdirSync, readFileSync } from 'node:fs';
import type pg from 'pg';

// CPU time of processes, which does not depend on the machine's load.

const CLOCK_TICK_MS = 10;

/** Returns the PID of the postmaster, the parent of all PostgreSQL processes. */
export async function getServerPid(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return Number(readStat(String(rows[0]!.pid))![1]);
}

/** Returns the total CPU milliseconds of the server and its child processes, including ended ones. */
export function readServerCpu(server: number): number {
  let ticks = 0;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const stat = readStat(pid);
    if (!stat) continue;
    const [, parent] = stat;
    if (Number(parent) === server) ticks += Number(stat[11]) + Number(stat[12]);
    if (Number(pid) === server) ticks += stat.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  }
  return ticks * CLOCK_TICK_MS;
}

export function readProcessCpu(pid: number): number {
  const stat = readStat(String(pid));
  return stat ? (Number(stat[11]) + Number(stat[12])) * CLOCK_TICK_MS : 0;
}

/** Returns the fields of /proc/<pid>/stat, starting with the third. Null if the process has ended. */
function readStat(pid: string): string[] | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return null;
  }
}
