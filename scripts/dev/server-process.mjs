import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** Time after which a server that has not stopped is killed. */
const STOP_MS = 5_000;

/** First line of the addresses that a server prints when it accepts requests. An empty line ends the list. */
const LISTENING = '  Atrium listens on ';

/**
 * Runs the server as a child process that can be stopped and restarted.
 * @param write receives its output line by line, with the addresses only at the first start
 */
export function createServerProcess(env, write) {
  let child;
  let hasListened = false;
  /** Resolves to true when the server accepts requests, or to false if it fails. Pending during a restart. */
  let up = Promise.withResolvers();

  /** Makes callers that wait for the current start wait for the next one instead. */
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
    const started = spawn(process.execPath, ['boot/main.mjs', '--source'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
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
      write(`dev: the server exited (${signal ?? `exit code ${code}`}); the next change restarts it`);
    });
  }

  return { isUp: () => up.promise, start, stop, fail, interrupt: () => child?.kill('SIGINT') };
}
