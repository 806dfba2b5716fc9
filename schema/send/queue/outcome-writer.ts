import type { Runtime } from '../../../src/engine/ctx/runtime.ts';
import { type Settled, settle } from './record-outcome.ts';

/** Writes what became of emails. */
export interface Acks {
  /** Resolves when it is written, or given up; never rejects. */
  add(settled: Settled): Promise<void>;
  /** From now on nothing is tried for longer than until `time`; resolves when nothing waits. */
  finishBy(time: number): Promise<void>;
}

const PAUSE = 250;

/** Collects what became of emails and writes it together: while one statement runs, the next ones gather. */
export function createAcks(runtime: Runtime, worker: string, patience: number): Acks {
  let waiting: Settled[] = [];
  let flushing: Promise<void> | null = null;
  let latest = Number.POSITIVE_INFINITY;

  async function flush(): Promise<void> {
    try {
      while (waiting.length > 0) {
        const batch = waiting;
        waiting = [];
        await settleSurely(batch);
      }
    } finally {
      flushing = null;
    }
  }

  /**
   * The provider has answered; that must not get lost because the database is away for a moment. When it stays away
   * this batch is given up: the reaper finds its emails.
   */
  async function settleSurely(batch: Settled[]): Promise<void> {
    const end = Date.now() + patience;
    for (;;) {
      try {
        return await settle(runtime.db, worker, batch);
      } catch (error) {
        if (Date.now() > Math.min(end, latest)) {
          const emails = batch.map(({ id, state }) => `${id} ${state}`);
          return runtime.log.error({ err: error, emails }, 'what became of emails could not be written');
        }
        runtime.log.warn({ err: error }, 'outcomes are written again');
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
      }
    }
  }

  return {
    add(settled) {
      waiting.push(settled);
      flushing ??= flush();
      return flushing;
    },
    async finishBy(time) {
      latest = time;
      await flushing;
    },
  };
}
