import { retryUnreachable } from '../connection/retry.ts';
import { isUnavailable, reportFailure } from '../connection/server.ts';

export const sendQuery: typeof fetch = (input, init) =>
  retryUnreachable(() => sendOnce(input, init), init?.signal);

/** Sends a mutation only once, because the server may have executed it even if its response was lost. */
export const sendMutation: typeof fetch = async (input, init) => {
  try {
    return await sendOnce(input, init);
  } catch (error) {
    if (!init?.signal?.aborted) reportFailure();
    throw error;
  }
};

async function sendOnce(...request: Parameters<typeof fetch>): Promise<Response> {
  const response = await fetch(...request);
  if (isUnavailable(response)) throw new Error(response.statusText);
  // Reads the body here, so that a connection lost during the transfer is detected before the response is used.
  return new Response(await response.arrayBuffer(), response);
}
