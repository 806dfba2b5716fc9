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

/** Whose request it is: a user of the workspace, or 0 for the platform and for callers who are no user. */
export interface Requester {
  user: number;
  outgoing?: AnswerSocket | undefined;
}

/** A place of a workspace: its holder uses one connection. */
export interface PoolPlace extends Stoppable {
  share: Share;
  /** When it was taken, in looks of the gate; Infinity where the time of the reader is not the database's. */
  since: number;
  asker: Asker | undefined;
  member: Member;
  /** A client waits for what it reads, so it is stopped after `limits.sql.readTime`. */
  isRead: boolean;
}

/** What one user of a workspace holds. */
interface Member {
  user: number;
  held: number;
  /** Looks until its slow statements are forgotten. */
  slow: number;
  waiting: Waiter[];
}

/** What a workspace holds, and who waits. */
interface Share {
  workspace: number;
  members: Map<number, Member>;
  held: number;
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
  asker: Asker | undefined;
  begin(place: PoolPlace): void;
  give(error: Error): void;
}

export interface Gate {
  /**
   * A place for one statement or transaction, at once where the workspace has one left.
   * @throws BUSY when too many wait already, or none comes free in time
   */
  enter(workspace: number, user?: number, asker?: Asker): PoolPlace | Promise<PoolPlace>;
  /** Whether the user would get a place at once. */
  mayEnter(workspace: number, user: number): boolean;
  /** The same without waiting, for what may take its time; null when none is left. */
  tryEnter(workspace: number, user?: number): PoolPlace | null;
  leave(place: PoolPlace): void;
  /** How many wait for a place. */
  waiting(): number;
}

const LOOK = 250;
/** Looks for which somebody waits until one more may begin beside what does not end; for the next, twice as many. */
const PATIENCE = 8;
/** Looks for which a user counts as slow after a statement that took long. */
const SLOW_LOOKS = 20;
/** Looks after which a read is stopped. */
const readLooks = (): number => Math.ceil(limits.sql.readTime / LOOK);

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
      : Math.min(largestShare(), most.slow + quick + Math.floor(Math.log2(1 + waited / PATIENCE)));

  const largestShare = (): number => (shares.size > 1 ? most.beside : most.alone);

  // A user who holds nothing and was not slow does not wait for slow colleagues, even where they hold the whole share.
  const mayBegin = (share: Share, { held, slow }: Member): boolean =>
    places.size < most.all &&
    (share.held < shareLimit(share) ||
      (held === 0 && slow === 0 && share.held < Math.max(shareLimit(share) + 1, largestShare())));

  /** Of the users who wait, the one who holds least. */
  function nextMember(share: Share): Member | undefined {
    let least: Member | undefined;
    for (const member of share.members.values()) {
      if (member.waiting.length === 0 || !mayBegin(share, member)) continue;
      if (!least || member.held < least.held) least = member;
    }
    return least;
  }

  function shareOf(workspace: number): Share {
    let share = shares.get(workspace);
    if (!share) {
      share = { workspace, members: new Map(), held: 0, slow: 0, quick: 0, waited: 0, waiting: 0 };
      shares.set(workspace, share);
    }
    return share;
  }

  function memberOf({ members }: Share, user: number): Member {
    let member = members.get(user);
    if (!member) {
      member = { user, held: 0, slow: 0, waiting: [] };
      members.set(user, member);
    }
    return member;
  }

  function begin(share: Share, member: Member, asker: Asker | undefined, since = looks): PoolPlace {
    const place: PoolPlace = { share, member, since, asker, isRead: false, isStopped: false };
    share.held++;
    member.held++;
    places.add(place);
    timer ??= setInterval(look, LOOK).unref();
    return place;
  }

  /** @param at of the one that no longer waits */
  function takeWaiter(share: Share, { waiting }: Member, at = 0): Waiter {
    const [waiter] = waiting.splice(at, 1);
    share.waiting--;
    if (share.waiting === 0) queue.delete(share);
    return waiter!;
  }

  function wait(share: Share, member: Member, asker: Asker | undefined): Promise<PoolPlace> {
    if (share.waiting >= limits.sql.waiting) throw tooMany();
    return new Promise((resolve, reject) => {
      const end = setTimeout(() => {
        takeWaiter(share, member, member.waiting.indexOf(waiter));
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
      member.waiting.push(waiter);
      share.waiting++;
      queue.add(share);
    });
  }

  /** Of those who wait, the workspace that holds least comes first, and of its users the one who does. */
  function next(): void {
    while (queue.size > 0 && places.size < most.all) {
      let least: { share: Share; member: Member } | undefined;
      for (const share of queue) {
        if (least && least.share.held <= share.held) continue;
        const member = nextMember(share);
        if (member) least = { share, member };
      }
      if (!least) return;
      const { share, member } = least;
      const waiter = takeWaiter(share, member);
      if (waiter.asker?.destroyed) waiter.give(tooMany());
      else waiter.begin(begin(share, member, waiter.asker));
    }
  }

  /** Notes what is slow and stops what no one waits for, in place of a clock and a listener for each request. */
  function look(): void {
    looks++;
    for (const share of shares.values()) {
      share.slow = Math.max(0, share.slow - most.slow * LOOK);
      share.quick >>= 1;
      share.waited = share.waiting > 0 ? share.waited + 1 : 0;
      for (const member of share.members.values()) {
        member.slow = Math.max(0, member.slow - 1);
        if (member.held + member.slow + member.waiting.length === 0) share.members.delete(member.user);
      }
      if (share.held + share.slow + share.quick + share.waiting === 0) shares.delete(share.workspace);
    }
    for (const place of places) {
      // The first look may come right after it was taken.
      if (looks - place.since < 2) continue;
      place.share.slow = Math.min(place.share.slow + LOOK, limits.sql.slowTime * 2);
      place.member.slow = SLOW_LOOKS;
      const isLate = place.isRead && looks - place.since >= readLooks();
      if (isLate || place.asker?.destroyed) place.stop?.();
    }
    if (shares.size === 0) {
      clearInterval(timer);
      timer = undefined;
    } else next();
  }

  return {
    enter(workspace, user = 0, asker) {
      const share = shareOf(workspace);
      const member = memberOf(share, user);
      return member.waiting.length === 0 && mayBegin(share, member)
        ? begin(share, member, asker)
        : wait(share, member, asker);
    },
    mayEnter(workspace, user) {
      const share = shareOf(workspace);
      return mayBegin(share, memberOf(share, user));
    },
    tryEnter(workspace, user = 0) {
      const share = shareOf(workspace);
      return share.held < shareLimit(share) && places.size < most.all
        ? begin(share, memberOf(share, user), undefined, Infinity)
        : null;
    },
    leave(place) {
      if (!places.delete(place)) return;
      const { share, member } = place;
      share.held--;
      member.held--;
      if (looks === place.since && !place.isStopped) share.quick = Math.min(share.quick + 1, most.alone);
      next();
    },
    waiting: () => [...queue].reduce((sum, share) => sum + share.waiting, 0),
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
