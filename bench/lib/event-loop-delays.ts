import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

// bench/hostile.ts loads this module into the application. It records a timer's maximum delay (ms) every second, minus
// the time while the thread was runnable but other processes had the CPU. This is the latency that requests would see
// on an otherwise idle machine.

const SAMPLE_INTERVAL_MS = 5;

/** Returns the milliseconds while the main thread was runnable but had no CPU (Linux, schedstat). */
const readCpuWait = (): number => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[1]) / 1e6;

if (isMainThread && process.env.TURNS_FILE) {
  let last = { now: performance.now(), waited: readCpuWait() };
  let longest = 0;
  setInterval(() => {
    const turn = { now: performance.now(), waited: readCpuWait() };
    longest = Math.max(longest, turn.now - last.now - (turn.waited - last.waited) - SAMPLE_INTERVAL_MS);
    last = turn;
  }, SAMPLE_INTERVAL_MS).unref();
  setInterval(() => {
    appendFileSync(process.env.TURNS_FILE!, `${longest.toFixed(1)}\n`);
    longest = 0;
  }, 1000).unref();
}
