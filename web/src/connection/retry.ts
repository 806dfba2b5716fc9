import { getRetryDelay } from './connection.ts';
import { waitForServer } from './server.ts';

/** Maximum number of retries while the server responds. An outage resets the count. */
const MAX_RETRIES = 2;

/**
 * Retries an attempt once the server can be reached again.
 * @throws the last error if the server answers and the attempt still fails, or if the signal is aborted
 */
export async function retryUnreachable<Result>(
  attempt: () => Promise<Result>,
  signal?: AbortSignal | null,
): Promise<Result> {
  for (let retries = 0; ; ) {
    try {
      return await attempt();
    } catch (error) {
      if (signal?.aborted || retries >= MAX_RETRIES) throw error;
      const wasLost = await waitForServer(signal);
      retries = wasLost ? 0 : retries + 1;
      if (!wasLost) await new Promise((resolve) => setTimeout(resolve, getRetryDelay(retries)));
    }
  }
}
