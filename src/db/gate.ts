import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Stoppable } from './stoppable.ts';

// Who may use the connections of a process, and when. No workspace can hold all of them, and some are held by none:
// they are for the platform's own work, such as readiness and delivery.

/** Where an answer goes, as far as the database is concerned. */
export interface AnswerSocket {
  /** The client is gone, or has its answer. */
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  /** Bytes that the client has not taken yet. */
  readonly writableLength: number;
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/** Who waits for what a place is taken for. */
export type Asker = Pick<AnswerSocket, 'destroyed'>;

/** A place of a workspace: its holder uses one connection. */
export interface PoolPlace extends Stoppable {
  share: Share;
  /** When it was taken, in looks of the gate; Infinity where the time of the reader is not the database's. */
  since: number;
  asker: Asker | undefined;
}

/** What a workspace holds, and who waits. */
interface Share {
  workspace: number;
  held: number;
  /** Milliseconds of slow statements, which run off with time. */
  slow: number;
  /** Places that were left soon, half of which are forgotten at each look. */
  quick: number;
  /** Looks for which somebody has waited. */
  waited: number;
  waiting: Waiter[];
}

interface Waiter {
  asker: Asker | undefined;
  begin(place: PoolPlace): void;
  give(error: Error): void;
}

export interface Gate {
  /**
   * A place for one statement or transaction, at once where the workspace has one left.
   * @throws BUSY when too many wait already, or none comes free in time
   */
  enter(workspace: number, asker?: Asker): PoolPlace | Promise<PoolPlace>;
  /** The same without waiting, for what may take its time; null when none is left. */
  tryEnter(workspace: number): PoolPlace | null;
  leave(place: PoolPlace): void;
  /** How many wait for a place. */
  waiting(): number;
}

const LOOK = 250;
/** Looks for which somebody waits until one more may begin beside what does not end; for the next, twice as many. */
const PATIENCE = 8;

/** How the connections of a pool are divided. */
interface Division {
  /** Among all workspaces. */
  all: number;
  /** To one that is alone. */
  alone: number;
  /** To one beside others. */
  beside: number;
  /** To one whose statements are slow. */
  slow: number;
}

/** Pure. */
export function divide(connections: number): Division {
  const all = connections - Math.min(limits.sql.reserved, Math.floor(connections / 4));
  return {
    all,
    alone: Math.ceil(all / 2),
    beside: Math.ceil(all / 4),
    slow: Math.max(1, Math.floor(all / 8)),
  };
}

/** @param connections that the pool has at most */
export function createGate(connections: number): Gate {
  const most = divide(connections);
  const shares = new Map<number, Share>();
  const places = new Set<PoolPlace>();
  const queue = new Set<Share>();
  let looks = 0;
  let timer: NodeJS.Timeout | undefined;

  // How long a statement takes is not known before, so a workspace begins with few and gets more as they end, and most
  // where no one else asks (docs/adr/0026-share-of-connections.md).
  const shareLimit = ({ slow, quick, waited }: Share): number =>
    slow > limits.sql.slowTime
      ? most.slow
      : Math.min(
          shares.size > 1 ? most.beside : most.alone,
          most.slow + quick + Math.floor(Math.log2(1 + waited / PATIENCE)),
        );

  const mayBegin = (share: Share): boolean => places.size < most.all && share.held < shareLimit(share);

  function shareOf(workspace: number): Share {
    let share = shares.get(workspace);
    if (!share) {
      share = { workspace, held: 0, slow: 0, quick: 0, waited: 0, waiting: [] };
      shares.set(workspace, share);
    }
    return share;
  }

  function begin(share: Share, asker: Asker | undefined, since = looks): PoolPlace {
    const place: PoolPlace = { share, since, asker, isStopped: false };
    share.held++;
    places.add(place);
    timer ??= setInterval(look, LOOK).unref();
    return place;
  }

  function wait(share: Share, asker: Asker | undefined): Promise<PoolPlace> {
    if (share.waiting.length >= limits.sql.waiting) throw tooMany();
    return new Promise((resolve, reject) => {
      const end = setTimeout(() => {
        share.waiting.splice(share.waiting.indexOf(waiter), 1);
        if (share.waiting.length === 0) queue.delete(share);
        reject(tooMany());
      }, limits.sql.connectTime);
      const waiter: Waiter = {
        asker,
        begin: (place) => {
          clearTimeout(end);
          resolve(place);
        },
        give: (error) => {
          clearTimeout(end);
          reject(error);
        },
      };
      share.waiting.push(waiter);
      queue.add(share);
    });
  }

  /** Of those who wait, the workspace that holds least comes first. */
  function next(): void {
    while (queue.size > 0) {
      let least: Share | undefined;
      for (const share of queue) if (mayBegin(share) && !(least && least.held <= share.held)) least = share;
      if (!least) return;
      const waiter = least.waiting.shift()!;
      if (least.waiting.length === 0) queue.delete(least);
      if (waiter.asker?.destroyed) waiter.give(tooMany());
      else waiter.begin(begin(least, waiter.asker));
    }
  }

  /** Notes what is slow and stops what no one waits for, in place of a clock and a listener for each request. */
  function look(): void {
    looks++;
    for (const share of shares.values()) {
      share.slow = Math.max(0, share.slow - most.slow * LOOK);
      share.quick >>= 1;
      share.waited = share.waiting.length > 0 ? share.waited + 1 : 0;
      if (share.held + share.slow + share.quick + share.waiting.length === 0) shares.delete(share.workspace);
    }
    for (const place of places) {
      // The first look may come right after it was taken.
      if (looks - place.since < 2) continue;
      place.share.slow = Math.min(place.share.slow + LOOK, limits.sql.slowTime * 2);
      if (place.asker?.destroyed) place.stop?.();
    }
    if (shares.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else next();
  }

  return {
    enter(workspace, asker) {
      const share = shareOf(workspace);
      return share.waiting.length === 0 && mayBegin(share) ? begin(share, asker) : wait(share, asker);
    },
    tryEnter(workspace) {
      const share = shareOf(workspace);
      return mayBegin(share) ? begin(share, undefined, Infinity) : null;
    },
    leave(place) {
      if (!places.delete(place)) return;
      const { share } = place;
      share.held--;
      if (looks === place.since && !place.isStopped) share.quick = Math.min(share.quick + 1, most.alone);
      next();
    },
    waiting: () => [...queue].reduce((sum, share) => sum + share.waiting.length, 0),
  };
}

/** Runs `fn` in a place, once that is there, and leaves it. */
export function inPlace<T>(
  gate: Gate,
  given: PoolPlace | Promise<PoolPlace>,
  fn: (place: PoolPlace) => Promise<T>,
): Promise<T> {
  if (given instanceof Promise) return given.then((place) => inPlace(gate, place, fn));
  const leave = () => gate.leave(given);
  const used = fn(given);
  used.then(leave, leave);
  return used;
}

const tooMany = () =>
  errors.busy('The server has too much to do for this workspace at the moment; try again.');
