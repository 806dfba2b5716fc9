import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import type { Stoppable } from './stoppable.ts';

// Who may use the connections of a process, and when. No workspace can hold all of them, and some are held by none:
// they are for the platform's own work, such as readiness and delivery.

/** Where an answer goes, as far as the database is concerned. */
export interface ResponseSocket {
  /** The client is gone, or has its answer. */
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  /** Bytes that the client has not taken yet. */
  readonly writableLength: number;
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

/** Who waits for what a place is taken for. */
export type WaitingClient = Pick<ResponseSocket, 'destroyed'>;

/** Whose request it is: a user of the workspace, or 0 for the platform and for callers who are no user. */
export interface Requester {
  user: number;
  outgoing?: ResponseSocket | undefined;
}

/** A place of a workspace: its holder uses one connection. */
export interface ConnectionSlot extends Stoppable {
  share: WorkspaceUsage;
  /** When it was taken, in looks of the gate; Infinity where the time of the reader is not the database's. */
  since: number;
  client: WaitingClient | undefined;
  member: UserUsage;
  /** A client waits for what it reads, so it is stopped after `limits.sql.readTime`. */
  isRead: boolean;
}

/** What one user of a workspace holds. */
interface UserUsage {
  user: number;
  slotsInUse: number;
  /** Looks until its slow statements are forgotten. */
  slow: number;
  waiting: Waiter[];
}

/** What a workspace holds, and who waits. */
interface WorkspaceUsage {
  workspace: number;
  members: Map<number, UserUsage>;
  slotsInUse: number;
  /** Milliseconds of slow statements, which run off with time. */
  slow: number;
  /** Places that were left soon, half of which are forgotten at each look. */
  quick: number;
  /** Looks for which somebody has waited. */
  waited: number;
  /** How many of its users' statements wait. */
  waiting: number;
}

interface Waiter {
  client: WaitingClient | undefined;
  resolve(place: ConnectionSlot): void;
  reject(error: Error): void;
}

export interface ConnectionLimiter {
  /**
   * A place for one statement or transaction, at once where the workspace has one left.
   * @throws BUSY when too many wait already, or none comes free in time
   */
  acquire(workspace: number, user?: number, asker?: WaitingClient): ConnectionSlot | Promise<ConnectionSlot>;
  /** Whether the user would get a place at once. */
  canAcquire(workspace: number, user: number): boolean;
  /** The same without waiting, for what may take its time; null when none is left. */
  tryAcquire(workspace: number, user?: number): ConnectionSlot | null;
  release(place: ConnectionSlot): void;
  /** How many wait for a place. */
  waiting(): number;
}

const TICK_MS = 250;
/** Looks for which somebody waits until one more may begin beside what does not end; for the next, twice as many. */
const EXTRA_SLOT_TICKS = 8;
/** Looks for which a user counts as slow after a statement that took long. */
const SLOW_TICKS = 20;
/** Looks after which a read is stopped. */
const computeReadTicks = (): number => Math.ceil(limits.sql.readTime / TICK_MS);

/** How the connections of a pool are divided. */
interface SlotLimits {
  /** Among all workspaces. */
  all: number;
  /** To one that is alone. */
  alone: number;
  /** To one beside others. */
  shared: number;
  /** To one whose statements are slow. */
  slow: number;
}

/** Pure. */
export function divideConnections(connections: number): SlotLimits {
  const all = connections - Math.min(limits.sql.reserved, Math.floor(connections / 4));
  return {
    all,
    alone: Math.ceil(all / 2),
    shared: Math.ceil(all / 4),
    slow: Math.max(1, Math.floor(all / 8)),
  };
}

/** @param connections that the pool has at most */
export function createConnectionLimiter(connections: number): ConnectionLimiter {
  const slotLimits = divideConnections(connections);
  const usages = new Map<number, WorkspaceUsage>();
  const slots = new Set<ConnectionSlot>();
  const queue = new Set<WorkspaceUsage>();
  let ticks = 0;
  let timer: NodeJS.Timeout | undefined;

  // How long a statement takes is not known before, so a workspace begins with few and gets more as they end, and most
  // where no one else asks (docs/adr/0026-share-of-connections.md).
  const getSlotLimit = ({ slow, quick, waited }: WorkspaceUsage): number =>
    slow > limits.sql.slowTime
      ? slotLimits.slow
      : Math.min(
          getLargestShare(),
          slotLimits.slow + quick + Math.floor(Math.log2(1 + waited / EXTRA_SLOT_TICKS)),
        );

  const getLargestShare = (): number => (usages.size > 1 ? slotLimits.shared : slotLimits.alone);

  // A user who holds nothing and was not slow does not wait for slow colleagues, even where they hold the whole share.
  const mayBegin = (share: WorkspaceUsage, { slotsInUse: held, slow }: UserUsage): boolean =>
    slots.size < slotLimits.all &&
    (share.slotsInUse < getSlotLimit(share) ||
      (held === 0 && slow === 0 && share.slotsInUse < Math.max(getSlotLimit(share) + 1, getLargestShare())));

  /** Of the users who wait, the one who holds least. */
  function findNextUser(share: WorkspaceUsage): UserUsage | undefined {
    let least: UserUsage | undefined;
    for (const member of share.members.values()) {
      if (member.waiting.length === 0 || !mayBegin(share, member)) continue;
      if (!least || member.slotsInUse < least.slotsInUse) least = member;
    }
    return least;
  }

  function getUsage(workspace: number): WorkspaceUsage {
    let share = usages.get(workspace);
    if (!share) {
      share = { workspace, members: new Map(), slotsInUse: 0, slow: 0, quick: 0, waited: 0, waiting: 0 };
      usages.set(workspace, share);
    }
    return share;
  }

  function getUserUsage({ members }: WorkspaceUsage, user: number): UserUsage {
    let member = members.get(user);
    if (!member) {
      member = { user, slotsInUse: 0, slow: 0, waiting: [] };
      members.set(user, member);
    }
    return member;
  }

  function assignSlot(
    share: WorkspaceUsage,
    member: UserUsage,
    asker: WaitingClient | undefined,
    since = ticks,
  ): ConnectionSlot {
    const place: ConnectionSlot = { share, member, since, client: asker, isRead: false, isStopped: false };
    share.slotsInUse++;
    member.slotsInUse++;
    slots.add(place);
    timer ??= setInterval(tick, TICK_MS).unref();
    return place;
  }

  /** @param at of the one that no longer waits */
  function removeWaiter(share: WorkspaceUsage, { waiting }: UserUsage, at = 0): Waiter {
    const [waiter] = waiting.splice(at, 1);
    share.waiting--;
    if (share.waiting === 0) queue.delete(share);
    return waiter!;
  }

  function enqueueWaiter(
    share: WorkspaceUsage,
    member: UserUsage,
    asker: WaitingClient | undefined,
  ): Promise<ConnectionSlot> {
    if (share.waiting >= limits.sql.waiting) throw tooManyRequests();
    return new Promise((resolve, reject) => {
      const end = setTimeout(() => {
        removeWaiter(share, member, member.waiting.indexOf(waiter));
        reject(tooManyRequests());
      }, limits.sql.connectTime);
      const waiter: Waiter = {
        client: asker,
        resolve: (place) => {
          clearTimeout(end);
          resolve(place);
        },
        reject: (error) => {
          clearTimeout(end);
          reject(error);
        },
      };
      member.waiting.push(waiter);
      share.waiting++;
      queue.add(share);
    });
  }

  /** Of those who wait, the workspace that holds least comes first, and of its users the one who does. */
  function serveWaiters(): void {
    while (queue.size > 0 && slots.size < slotLimits.all) {
      let least: { share: WorkspaceUsage; member: UserUsage } | undefined;
      for (const share of queue) {
        if (least && least.share.slotsInUse <= share.slotsInUse) continue;
        const member = findNextUser(share);
        if (member) least = { share, member };
      }
      if (!least) return;
      const { share, member } = least;
      const waiter = removeWaiter(share, member);
      if (waiter.client?.destroyed) waiter.reject(tooManyRequests());
      else waiter.resolve(assignSlot(share, member, waiter.client));
    }
  }

  /** Notes what is slow and stops what no one waits for, in place of a clock and a listener for each request. */
  function tick(): void {
    ticks++;
    for (const share of usages.values()) {
      share.slow = Math.max(0, share.slow - slotLimits.slow * TICK_MS);
      share.quick >>= 1;
      share.waited = share.waiting > 0 ? share.waited + 1 : 0;
      for (const member of share.members.values()) {
        member.slow = Math.max(0, member.slow - 1);
        if (member.slotsInUse + member.slow + member.waiting.length === 0) share.members.delete(member.user);
      }
      if (share.slotsInUse + share.slow + share.quick + share.waiting === 0) usages.delete(share.workspace);
    }
    for (const place of slots) {
      // The first look may come right after it was taken.
      if (ticks - place.since < 2) continue;
      place.share.slow = Math.min(place.share.slow + TICK_MS, limits.sql.slowTime * 2);
      place.member.slow = SLOW_TICKS;
      const isLate = place.isRead && ticks - place.since >= computeReadTicks();
      if (isLate || place.client?.destroyed) place.stop?.();
    }
    if (usages.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else serveWaiters();
  }

  return {
    acquire(workspace, user = 0, asker) {
      const share = getUsage(workspace);
      const member = getUserUsage(share, user);
      return member.waiting.length === 0 && mayBegin(share, member)
        ? assignSlot(share, member, asker)
        : enqueueWaiter(share, member, asker);
    },
    canAcquire(workspace, user) {
      const share = getUsage(workspace);
      return mayBegin(share, getUserUsage(share, user));
    },
    tryAcquire(workspace, user = 0) {
      const share = getUsage(workspace);
      return share.slotsInUse < getSlotLimit(share) && slots.size < slotLimits.all
        ? assignSlot(share, getUserUsage(share, user), undefined, Infinity)
        : null;
    },
    release(place) {
      if (!slots.delete(place)) return;
      const { share, member } = place;
      share.slotsInUse--;
      member.slotsInUse--;
      if (ticks === place.since && !place.isStopped)
        share.quick = Math.min(share.quick + 1, slotLimits.alone);
      serveWaiters();
    },
    waiting: () => [...queue].reduce((sum, share) => sum + share.waiting, 0),
  };
}

/** Runs `fn` in a place, once that is there, and leaves it. */
export function withSlot<T>(
  gate: ConnectionLimiter,
  given: ConnectionSlot | Promise<ConnectionSlot>,
  fn: (place: ConnectionSlot) => Promise<T>,
): Promise<T> {
  if (given instanceof Promise) return given.then((place) => withSlot(gate, place, fn));
  const leave = () => gate.release(given);
  const used = fn(given);
  used.then(leave, leave);
  return used;
}

const tooManyRequests = () =>
  errors.busy('The server has too much to do for this workspace at the moment; try again.');
