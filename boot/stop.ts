import type { Logger } from 'pino';

/** Shutdown steps, run in reverse order. `hurry` aborts on the second signal. */
export type StopHandlers = ((signal?: NodeJS.Signals, hurry?: AbortSignal) => unknown)[];

/** @returns true if no step failed */
export async function stopAll(
  stopHandlers: StopHandlers,
  log: Logger,
  signal?: NodeJS.Signals,
  hurry?: AbortSignal,
): Promise<boolean> {
  let isClean = true;
  for (const end of stopHandlers.splice(0).reverse()) {
    try {
      await end(signal, hurry);
    } catch (error) {
      isClean = false;
      log.error({ err: error }, 'shutdown failed');
    }
  }
  return isClean;
}

/** A second signal stopHandlers the period when requests are still accepted. */
export function stopOnSignal(stopHandlers: StopHandlers, log: Logger): void {
  const hurry = new AbortController();
  let isStopping = false;
  const onSignal = (signal: NodeJS.Signals) => {
    if (isStopping) return hurry.abort();
    isStopping = true;
    log.info({ signal }, 'shutting down: draining requests and jobs');
    stopAll(stopHandlers, log, signal, hurry.signal).then((isClean) => process.exit(isClean ? 0 : 1));
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onSignal);
}
