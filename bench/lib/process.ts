import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ClientJob } from './client.ts';
import type { LoadResult } from './load.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

export interface BenchProcess {
  child: ChildProcess;
  output(): string;
  stop(): Promise<void>;
}

export function run(program: string, args: string[] = [], env: Record<string, string> = {}): BenchProcess {
  const child = spawn(process.execPath, [program, ...args], {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (data: Buffer) => {
    output = (output + data).slice(-20_000);
  };
  child.stdout!.on('data', keep);
  child.stderr!.on('data', keep);
  return {
    child,
    output: () => output,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.kill('SIGTERM');
      }),
  };
}

/** Waits until the URL responds with success, at most 60 s. */
export async function waitUntilReady(url: string, process: BenchProcess): Promise<void> {
  for (let i = 0; i < 600; i++) {
    if (process.child.exitCode !== null) throw new Error(`it ended: ${process.output()}`);
    // A server may close an idle connection while the next request is sent.
    const ok = await fetch(url, { headers: { connection: 'close' } }).then(
      (r) => r.ok,
      () => false,
    );
    if (ok) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`${url} does not answer: ${process.output()}`);
}

export async function runClient(job: ClientJob): Promise<LoadResult> {
  // A body can exceed the size limit of a command-line argument.
  const file = join(mkdtempSync(join(tmpdir(), 'atrium-bench-')), 'job.json');
  writeFileSync(file, JSON.stringify(job));
  const client = run('bench/lib/client.ts', [file]);
  await new Promise((resolve) => client.child.once('close', resolve));
  rmSync(dirname(file), { recursive: true });
  return JSON.parse(client.output().trim().split('\n').at(-1)!) as LoadResult;
}

export const computeMedian = (values: number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!;
