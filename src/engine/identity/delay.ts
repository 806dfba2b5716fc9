import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../../errors.ts';

const MAX_DELAYED_REQUESTS = 1_000;

let delayedCount = 0;

/** @throws BUSY if too many responses are being delayed */
export async function delayResponse(ms: number): Promise<void> {
  if (ms <= 0) return;
  if (delayedCount >= MAX_DELAYED_REQUESTS)
    throw errors.busy('Too many sign-ins have failed. Try again in a moment.');
  delayedCount++;
  try {
    await sleep(ms);
  } finally {
    delayedCount--;
  }
}
