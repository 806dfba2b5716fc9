import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';

let delayedCount = 0;

/**
 * Delays a response.
 * @throws BUSY if too many responses are delayed
 */
export async function delayResponse(ms: number): Promise<void> {
  if (ms <= 0) return;
  if (delayedCount >= limits.identity.delayed)
    throw errors.busy('Too many failed sign-ins at the moment; try again.');
  delayedCount++;
  try {
    await sleep(ms);
  } finally {
    delayedCount--;
  }
}
