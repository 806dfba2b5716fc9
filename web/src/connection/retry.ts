import { getRetryDelay } from './connection.ts';
import { changeConnection, waitForServer } from './server.ts';

/**
 * Retries an attempt until it succeeds: once the server can be reached again, or with increasing delays while only
 * this attempt fails.
 * @param getMaxRetries returns the maximum number of retries while the server responds. An outage resets the count.
 * @throws the last error if the signal is aborted, or after the maximum number of retries
 */
export async function retryUnreachable<Result>(
  attempt: () => Promise<Result>,
  signal?: AbortSignal | null,
  getMaxRetries = () => Infinity,
): Promise<Result> {
  let isReported = false;
  try {
    for (let retries = 0; ; ) {
      try {
        return await attempt();
      } catch (error) {
        if (signal?.aborted || retries >= getMaxRetries()) throw error;
        const wasLost = await waitForServer(signal);
        retries = wasLost ? 0 : retries + 1;
        if (wasLost) continue;
        if (!isReported) changeConnection({ kind: 'retryStarted' });
        isReported = true;
        await sleep(getRetryDelay(retries), signal);
      }
    }
  } finally {
    if (isReported) changeConnection({ kind: 'retryEnded' });
  }
}

/** @throws the reason of an aborted signal */
const sleep = (delay: number, signal?: AbortSignal | null): Promise<void> =>
  new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal!.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, delay);
    signal?.addEventListener('abort', abort);
  });
