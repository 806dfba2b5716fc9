import type { Logger } from 'pino';
import type { LoggedChange } from './change-log.ts';
import type { StreamPosition } from './cursor.ts';
import { deliverChanges, mayResync, type StreamGroup } from './group.ts';

/** Maximum number of concurrent statements that read records for subscribers. */
export const MAX_CONCURRENT_READS = 4;
/** Maximum time spent reading for subscribers between two pauses. */
const MAX_READ_SLICE_MS = 100;
/** Maximum number of changes that wait for a group. If there are more, the group is told to reload instead. */
export const MAX_WAITING_CHANGES = 200;

interface ChangeSpan {
  logged: LoggedChange[];
  from: StreamPosition;
  to: StreamPosition;
  /** True if some changes are missing. */
  isLost: boolean;
}

/**
 * Queue of groups with changes, longest wait first. Each run takes only one time slice and then pauses, regardless of
 * the number of groups and changes. The rest waits for the next slice.
 */
export class DeliveryQueue {
  readonly #queue = new Set<StreamGroup>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Adds changes for a group. If a waiting group has too many changes, it is told to reload instead. */
  add(group: StreamGroup, { logged, from, to, isLost }: ChangeSpan): void {
    const changes = logged.filter((item) => group.sources.has(item.topic));
    group.isUnsure ||= isLost;
    const isWaiting = this.#queue.has(group);
    if (changes.length === 0 && !group.isUnsure && !isWaiting) return;
    if (!isWaiting) group.from = from;
    group.to = to;
    group.pending.push(...changes);
    if (isWaiting && countChanges(group.pending) > MAX_WAITING_CHANGES) group.isUnsure = true;
    if (group.isUnsure) group.pending = [];
    this.#queue.add(group);
  }

  /** Serves groups until the time slice ends, several concurrently. */
  async serve(): Promise<void> {
    const end = performance.now() + MAX_READ_SLICE_MS;
    const all = this.#queue.values();
    const worker = async () => {
      for (const group of all) {
        if (performance.now() > end) return;
        await this.#serveOne(group);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, worker));
  }

  async #serveOne(group: StreamGroup): Promise<void> {
    if (group.subscribers.size > 0 && group.isUnsure && !mayResync(group)) return;
    this.#queue.delete(group);
    const changes = group.pending;
    group.pending = [];
    if (group.subscribers.size > 0) await deliverChanges(this.#log, group, changes);
  }
}

const countChanges = (changes: LoggedChange[]): number =>
  changes.reduce((sum, { ids }) => sum + ids.length, 0);
