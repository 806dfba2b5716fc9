import { execFile } from 'node:child_process';
import { expect } from 'vitest';

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs an operator's command as a process of its own. */
export const runCli = (env: Record<string, string>, ...args: string[]): Promise<CliResult> =>
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

/** Runs a command with --json; stdout must be one line of JSON and nothing else. */
export async function jsonOf<T>(env: Record<string, string>, ...args: string[]): Promise<T> {
  const { code, stdout, stderr } = await runCli(env, ...args, '--json');
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return JSON.parse(stdout) as T;
}
