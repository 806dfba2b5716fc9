import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runCommand } from '../../boot/cli/run-command.ts';
import { startProcess } from './process.ts';
import { setUp } from './set-up.ts';

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs an operator command in this process, because loading the product takes seconds. Commands run one after another.
 */
export function runCli(env: Record<string, string>, ...args: string[]): Promise<CliResult> {
  const result = last.then(() => runInProcess(env, args));
  last = result.catch(() => undefined);
  return result;
}

async function runInProcess(env: Record<string, string>, args: string[]): Promise<CliResult> {
  const before = process.env;
  const { stdout, stderr } = process;
  const writes = [stdout.write, stderr.write] as const;
  const printed = { stdout: '', stderr: '' };
  process.env = { ...before, ...env };
  const capture = (name: 'stdout' | 'stderr') => (text: unknown) => {
    printed[name] += text;
    return true;
  };
  stdout.write = capture('stdout');
  stderr.write = capture('stderr');
  try {
    const code = await runCommand(args);
    return { code, ...printed };
  } finally {
    [stdout.write, stderr.write] = writes;
    process.env = before;
  }
}

export const runCliProcess = (env: Record<string, string>, ...args: string[]): Promise<CliResult> =>
  new Promise((resolve) => {
    execFile(
      process.execPath,
      ['boot/cli.mjs', ...args],
      { env: { ...process.env, ...env } },
      (error, stdout, stderr) => {
        resolve({ code: error ? Number(error.code) : 0, stdout, stderr });
      },
    );
  });

/** Runs a command with --json and parses the result. Expects exactly one line on stdout. */
export async function runCliJson<T>(env: Record<string, string>, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runCli(env, ...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return JSON.parse(stdout) as T;
}

/** Starts a server for the tests of the calling file. Commands with its `dataDir` run on its database. */
export const setUpServer = () =>
  setUp(async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'atrium cli '));
    const app = await startProcess({ DATA_DIR: dataDir });
    const close = async () => {
      await app.end('SIGTERM');
      rmSync(dataDir, { recursive: true, force: true });
    };
    return { dataDir, app, close };
  });
