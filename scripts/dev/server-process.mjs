import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server that has not ended after this time is killed. */
const STOP_MS = 5_000;

/** Begins the list of addresses, which a start prints once the server accepts requests. An empty line ends the list. */
const LISTENING = '  Atrium listens on ';

/**
 * The server as a process that stops and starts.
 * @param write takes its output by lines; the addresses come with the first start only
 */
export function createServerProcess(env, write) {
  let child;
  let hasListened = false;
  /** Resolves to whether the server answers; pending while it stops and starts. */
  let up = Promise.withResolvers();

  /** Whoever waits for the start that is given up waits for the next one. */
  function expectStart() {
    const next = Promise.withResolvers();
    up.resolve(next.promise);
    up = next;
  }

  function fail() {
    expectStart();
    up.resolve(false);
  }

  async function stop() {
    expectStart();
    const stopped = child;
    child = undefined;
    if (!stopped || stopped.exitCode !== null || stopped.signalCode !== null) return;
    const exit = once(stopped, 'exit');
    const timer = setTimeout(() => stopped.kill('SIGKILL'), STOP_MS);
    stopped.kill('SIGINT');
    await exit;
    clearTimeout(timer);
  }

  function start() {
    const began = performance.now();
    const isRestart = hasListened;
    const started = spawn(process.execPath, ['boot/main.mjs'], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    child = started;
    let isList = false;
    createInterface({ input: started.stdout }).on('line', (line) => {
      const listens = line.startsWith(LISTENING);
      isList = line !== '' && (isList || listens);
      if (!isRestart || !(isList || line === '')) write(line);
      if (!listens || child !== started) return;
      hasListened = true;
      up.resolve(true);
      if (isRestart) write(`dev: ready after ${((performance.now() - began) / 1000).toFixed(1)} s`);
    });
    started.once('exit', (code, signal) => {
      if (child !== started) return;
      fail();
      write(`dev: the server ended (${signal ?? `exit code ${code}`}); the next change starts it again`);
    });
  }

  return { isUp: () => up.promise, start, stop, fail, interrupt: () => child?.kill('SIGINT') };
}
