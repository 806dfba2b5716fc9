import type { Logger } from 'pino';

/** Shutdown steps, run in reverse order. `secondSignal` aborts on the second signal. */
export type StopHandlers = ((signal?: NodeJS.Signals, secondSignal?: AbortSignal) => unknown)[];

/** @returns true if no step failed */
export async function stopAll(
  stopHandlers: StopHandlers,
  log: Logger,
  signal?: NodeJS.Signals,
  secondSignal?: AbortSignal,
): Promise<boolean> {
  let isClean = true;
  for (const end of stopHandlers.splice(0).reverse()) {
    try {
      await end(signal, secondSignal);
    } catch (error) {
      isClean = false;
      log.error({ err: error }, 'shutdown failed');
    }
  }
  return isClean;
}

/** Stops the process on a signal. After a second signal, no more requests are accepted. */
export function stopOnSignal(stopHandlers: StopHandlers, log: Logger): void {
  const secondSignal = new AbortController();
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) return secondSignal.abort();
    isStopping = true;
    log.info({ signal }, 'shutting down: draining requests and jobs');
    stopAll(stopHandlers, log, signal, secondSignal.signal).then((isClean) => process.exit(isClean ? 0 : 1));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}
