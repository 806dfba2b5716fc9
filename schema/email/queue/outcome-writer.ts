import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import type { Clock } from '../../../src/loop/clock.ts';
import { limitConcurrency } from '../../../src/loop/limit-concurrency.ts';
import { type EmailOutcome, recordOutcomes } from './record-outcome.ts';

export interface OutcomeWriter {
  /** Resolves when the outcome is recorded, or is no longer retried. Never rejects. */
  write(outcome: EmailOutcome): Promise<void>;
  /** Stops retrying at `time`. Resolves when nothing is pending. */
  finishBy(time: number): Promise<void>;
}

const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 4_000;
const MAX_CONCURRENT_WRITES = 8;

/**
 * Batches each workspace's outcomes: the next batch fills while a statement runs. A workspace whose outcomes cannot be
 * written, for example because a database node is down, does not delay others.
 */
export function createOutcomeWriter(
  runtime: Runtime,
  worker: string,
  maxWaitMs: number,
  clock: Clock,
): OutcomeWriter {
  const waitingOutcomes = new Map<number, EmailOutcome[]>();
  const flushes = new Map<number, Promise<void>>();
  const limit = limitConcurrency(MAX_CONCURRENT_WRITES);
  let latest = Number.POSITIVE_INFINITY;

  async function flush(workspaceId: number): Promise<void> {
    for (let batch = waitingOutcomes.get(workspaceId); batch; batch = waitingOutcomes.get(workspaceId)) {
      waitingOutcomes.delete(workspaceId);
      await writeWithRetries(workspaceId, batch);
    }
    flushes.delete(workspaceId);
  }

  /**
   * Retries for up to `maxWaitMs`, because the provider's responses must survive a short database outage. After that,
   * the leases expire.
   */
  async function writeWithRetries(workspaceId: number, batch: EmailOutcome[]): Promise<void> {
    const end = clock.now() + maxWaitMs;
    for (let delay = FIRST_RETRY_MS; ; delay = Math.min(MAX_RETRY_MS, delay * 2)) {
      try {
        return await limit(() => recordOutcomes(runtime, workspaceId, worker, batch));
      } catch (error) {
        if (clock.now() > Math.min(end, latest)) {
          const emails = batch.map(({ id, state }) => `${id} ${state}`);
          return runtime.log.error({ err: error, emails }, 'outcomes of emails could not be written');
        }
        runtime.log.warn({ err: error }, 'retrying to record delivery outcomes');
        await clock.sleep(delay);
      }
    }
  }

  return {
    write(outcome) {
      const { workspace_id: workspaceId } = outcome;
      const batch = waitingOutcomes.get(workspaceId);
      if (batch) batch.push(outcome);
      else waitingOutcomes.set(workspaceId, [outcome]);
      let pendingFlush = flushes.get(workspaceId);
      if (!pendingFlush) {
        pendingFlush = flush(workspaceId);
        flushes.set(workspaceId, pendingFlush);
      }
      return pendingFlush;
    },
    async finishBy(time) {
      latest = time;
      await Promise.all(flushes.values());
    },
  };
}
