import type { Clock } from '../../../src/delivery/clock.ts';
import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { type EmailOutcome, recordOutcomes } from './record-outcome.ts';

export interface OutcomeWriter {
  /** Resolves when the outcome is recorded or given up. Never rejects. */
  write(outcome: EmailOutcome): Promise<void>;
  /** Ends all retries at `time`. Resolves when nothing is pending. */
  finishBy(time: number): Promise<void>;
}

const RETRY_INTERVAL_MS = 250;
const MAX_CONCURRENT_WRITES = 8;

/** Batches outcomes: while one statement runs, the next batch fills. */
export function createOutcomeWriter(
  runtime: Runtime,
  worker: string,
  patience: number,
  clock: Clock,
): OutcomeWriter {
  let waiting: EmailOutcome[] = [];
  let flushing: Promise<void> | null = null;
  let latest = Number.POSITIVE_INFINITY;

  async function flush(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        const byWorkspace = [...Map.groupBy(batch, (outcome) => outcome.workspace_id)];
        while (byWorkspace.length > 0)
          await Promise.all(
            byWorkspace.splice(0, MAX_CONCURRENT_WRITES).map((its) => writeWithRetries(...its)),
          );
      }
    } finally {
      flushing = null;
    }
  }

  /**
   * Retries, because the provider's response must survive a short database outage. In a longer outage the batch is
   * given up and its leases expire.
   */
  async function writeWithRetries(workspaceId: number, batch: EmailOutcome[]): Promise<void> {
    const end = clock.now() + patience;
    for (;;) {
      try {
        return await recordOutcomes(runtime, workspaceId, worker, batch);
      } catch (error) {
        if (clock.now() > Math.min(end, latest)) {
          const emails = batch.map(({ id, state }) => `${id} ${state}`);
          return runtime.log.error({ err: error, emails }, 'outcomes of emails could not be written');
        }
        runtime.log.warn({ err: error }, 'retrying to record delivery outcomes');
        await clock.sleep(RETRY_INTERVAL_MS);
      }
    }
  }

  return {
    write(outcome) {
      waiting.push(outcome);
      flushing ??= flush();
      return flushing;
    },
    async finishBy(time) {
      latest = time;
      await flushing;
    },
  };
}
