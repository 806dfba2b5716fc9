import type { Logger } from 'pino';
import type { LoggedChange } from './change-log.ts';
import type { StreamPosition } from './cursor.ts';
import { deliverChanges, mayResync, type StreamGroup } from './group.ts';

export const MAX_CONCURRENT_READS = 4;
/** Maximum time spent reading for subscribers before the next pause. */
const MAX_READ_SLICE_MS = 100;
/** Maximum number of changed records waiting for a group. If there are more, its subscribers are told to reload. */
export const MAX_WAITING_CHANGES = 200;

interface ChangeSpan {
  logged: LoggedChange[];
  from: StreamPosition;
  to: StreamPosition;
  /** True if some changes were not read. */
  isLost: boolean;
}

/**
 * A queue of groups with changes, sorted by waiting time, longest first. Each run serves groups for one time slice and
 * then pauses, regardless of how many groups and changes are waiting.
 */
export class DeliveryQueue {
  readonly #queue = new Set<StreamGroup>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Adds changes for a group. If too many changes are waiting, the group's subscribers are told to reload instead. */
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

  /** Serves several groups concurrently until the time slice ends. */
  async serve(): Promise<void> {
    const end = performance.now() + MAX_READ_SLICE_MS;
    const all = this.#queue.values();
    const runWorker = async () => {
      for (const group of all) {
        if (performance.now() > end) return;
        await this.#serveOne(group);
      }
    };
    await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, runWorker));
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
