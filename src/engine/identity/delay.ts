import { setTimeout as sleep } from 'node:timers/promises';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';

let delayed = 0;

/** Answers later. @throws BUSY when too many are answered later */
export async function delay(ms: number): Promise<void> {
  if (ms <= 0) return;
  if (delayed >= limits.identity.delayed)
    throw errors.busy('Too many sign-ins fail at the moment; try again.');
  delayed++;
  try {
    await sleep(ms);
  } finally {
    delayed--;
  }
}
