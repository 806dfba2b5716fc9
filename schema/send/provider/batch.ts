import type { Database } from '../../../src/db/pool.ts';
import { persistent } from '../../../src/engine/value/retry.ts';
import { limits } from '../../../src/limits.ts';
import { type Arrived, applyNotices } from './apply.ts';

interface Waiting {
  notice: Arrived;
  done(): void;
  failed(error: unknown): void;
}

/** Those of one database. */
interface Queue {
  waiting: Waiting[];
  running: boolean;
}

const queues = new WeakMap<Database, Queue>();

/**
 * Keeps a notice; resolves when it is committed. Notices that come while a transaction runs share the next one.
 * @throws what the database says, when it cannot be kept
 */
export function takeNotice(db: Database, notice: Arrived): Promise<void> {
  const queue = queues.get(db) ?? { waiting: [], running: false };
  queues.set(db, queue);
  return new Promise((done, failed) => {
    queue.waiting.push({ notice, done, failed });
    if (!queue.running) void drain(db, queue);
  });
}

async function drain(db: Database, queue: Queue): Promise<void> {
  queue.running = true;
  while (queue.waiting.length > 0) {
    const batch = queue.waiting.splice(0, limits.provider.eventBatch);
    const error = await attempt(db, batch);
    if (error === null) continue;
    // One of them is at fault: it must not keep the others out.
    if (batch.length > 1 && isOfContent(error))
      for (const one of batch) tell([one], await attempt(db, [one]));
    else tell(batch, error);
  }
  queue.running = false;
}

/** @returns what went wrong, null when it is committed */
async function attempt(db: Database, batch: Waiting[]): Promise<unknown> {
  try {
    const notices = batch.map(({ notice }) => notice);
    await persistent(() => applyNotices(db, notices));
    for (const { done } of batch) done();
    return null;
  } catch (error) {
    return error;
  }
}

function tell(batch: Waiting[], error: unknown): void {
  if (error !== null) for (const { failed } of batch) failed(error);
}

/** Of the data, not of the database's state (SQLSTATE classes 22, 23 and 54, and what our own triggers refuse). */
const isOfContent = (error: unknown): boolean =>
  /^(22|23|54|AT)/.test((error as { code?: string }).code ?? '');
