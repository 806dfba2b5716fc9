import type { Logger } from 'pino';
import { limits } from '../../limits.ts';
import type { LoggedChange } from './change-log.ts';
import type { StreamPosition } from './cursor.ts';
import { deliverChanges, mayResync, type StreamGroup } from './group.ts';

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
    const mine = logged.filter((each) => group.sources.has(each.topic));
    group.isUnsure ||= isLost;
    const isWaiting = this.#queue.has(group);
    if (mine.length === 0 && !group.isUnsure && !isWaiting) return;
    if (!isWaiting) group.from = from;
    group.to = to;
    group.pending.push(...mine);
    if (isWaiting && countChanges(group.pending) > limits.live.backlog) group.isUnsure = true;
    if (group.isUnsure) group.pending = [];
    this.#queue.add(group);
  }

  /** Serves groups until the time slice ends, several concurrently. */
  async serve(): Promise<void> {
    const end = performance.now() + limits.live.slice;
    const all = this.#queue.values();
    const worker = async () => {
      for (const group of all) {
        if (performance.now() > end) return;
        await this.#serveOne(group);
      }
    };
    await Promise.all(Array.from({ length: limits.live.atOnce }, worker));
  }

  async #serveOne(group: StreamGroup): Promise<void> {
    if (group.subscribers.size > 0 && group.isUnsure && !mayResync(group)) return;
    this.#queue.delete(group);
    const logged = group.pending;
    group.pending = [];
    if (group.subscribers.size > 0) await deliverChanges(this.#log, group, logged);
  }
}

const countChanges = (logged: LoggedChange[]): number => logged.reduce((sum, { ids }) => sum + ids.length, 0);
