import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';
import { until } from './wait.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The application in its own process, so that it can be killed. */
export interface AppProcess {
  url: string;
  child: ChildProcess;
  output(): string;
  /** Sends a signal and waits for the exit. @returns the exit code, null after a kill */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `boot/main.mjs` on a free port and waits until it responds. Throws with its output if it exits. `cwd` is the
 * project folder or a copy.
 */
export async function startProcess(
  env: Record<string, string>,
  cwd = root,
  args: string[] = [],
): Promise<AppProcess> {
  const child = spawn(process.execPath, ['boot/main.mjs', ...args], {
    cwd,
    env: { ...process.env, LOG_LEVEL: 'warn', PORT: '0', DRAIN_SECONDS: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  // The output is complete only when its streams are closed. A child process may keep them open.
  let isClosed = false;
  const close = () => {
    isClosed = true;
  };
  child.once('close', close).once('exit', () => setTimeout(close, 5_000).unref());
  const findUrl = () =>
    /(?:Atrium listens on|Worker running\. Status:) (http:\/\/[^\s/]+)[\s/]/.exec(output)?.[1];
  const isAnswering = async () =>
    (await fetch(`${findUrl()}/api/health`, { signal: AbortSignal.timeout(10_000) })).ok;
  try {
    await until(() => isClosed || (findUrl() && isAnswering()), 'it answers', START_TIMEOUT_MS);
  } catch (error) {
    await end(child, 'SIGKILL');
    throw new Error(`${(error as Error).message}: ${output}`);
  }
  if (isClosed) throw new Error(`it ended with ${child.exitCode}: ${output}`);
  return { url: findUrl()!, child, output: () => output, end: (signal) => end(child, signal) };
}

const START_TIMEOUT_MS = 180_000;

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}

/** Returns a port that was free a moment ago. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
