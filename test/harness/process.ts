import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:net';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The application as a process of its own, so that it can be killed. */
export interface AppProcess {
  url: string;
  child: ChildProcess;
  output(): string;
  /** Ends it with a signal and waits; gives the exit code, null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts `src/main.ts` and waits until it answers. */
export async function startProcess(env: Record<string, string>, port?: number): Promise<AppProcess> {
  const chosen = port ?? (await freePort());
  const child = spawn(process.execPath, ['src/main.ts'], {
    cwd: root,
    env: { ...process.env, LOG_LEVEL: 'warn', PORT: String(chosen), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (data) => {
      output += data;
    });
  }
  const url = `http://127.0.0.1:${chosen}`;
  const app: AppProcess = { url, child, output: () => output, end: (signal) => end(child, signal) };
  for (let i = 0; i < 400; i++) {
    if (child.exitCode !== null) throw new Error(`it ended with ${child.exitCode}: ${output}`);
    const ready = await fetch(`${url}/api/health`).then(
      (r) => r.ok,
      () => false,
    );
    if (ready && /Atrium (listens|works)/.test(output)) return app;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  await end(child, 'SIGKILL');
  throw new Error(`it does not answer: ${output}`);
}

function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  return new Promise((resolve) => {
    if (child.exitCode !== null || child.signalCode !== null) return resolve(child.exitCode);
    child.once('exit', (code) => resolve(code));
    child.kill(signal);
  });
}

/** A port that was free a moment ago. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => resolve(port));
    });
  });
}
