import { errors } from '../errors.ts';
import { limits } from '../limits.ts';
import { createClientGoneError, type StoppableWork } from './stoppable.ts';

// Shares a process's database connections among workspaces. No workspace can use all of them, and some are reserved for
// the platform, for example for readiness checks and email delivery.

const RESERVED_CONNECTIONS = 4;
/** Total milliseconds of slow statements after which a workspace gets fewer connections. The total decays over time. */
const SLOW_STATEMENT_BUDGET_MS = 3_000;

export interface ResponseSocket {
  /** True if the client has disconnected or has received the response. */
  readonly destroyed: boolean;
  readonly writableEnded: boolean;
  readonly writableLength: number;
  once(event: 'close', listener: () => void): unknown;
  destroy(): unknown;
}

export type WaitingClient = Pick<ResponseSocket, 'destroyed'>;

/** Origin of a request: a user of the workspace, or 0 for the platform and for callers without a user. */
export interface Requester {
  user: number;
  outgoing?: ResponseSocket | undefined;
}

export interface ConnectionSlot extends StoppableWork {
  share: WorkspaceUsage;
  /** Tick when the slot was acquired. Infinity if the duration depends on how fast the client reads. */
  since: number;
  client: WaitingClient | undefined;
  member: UserUsage;
  /** True for a read that a client waits for. It is canceled after `limits.sql.readTime`. */
  isRead: boolean;
}

interface UserUsage {
  user: number;
  slotsInUse: number;
  /** Number of `slotsInUse` that cursors hold. */
  cursors: number;
  /** Ticks until the user no longer counts as slow. */
  slow: number;
  waiting: Waiter[];
}

interface WorkspaceUsage {
  workspace: number;
  members: Map<number, UserUsage>;
  slotsInUse: number;
  /** Milliseconds of slow statements. Decays with every tick. */
  slow: number;
  /** Statements that finished within one tick. Halved with every tick. */
  quick: number;
  /** Consecutive ticks with at least one waiter. */
  waited: number;
  waiting: number;
}

interface Waiter {
  client: WaitingClient | undefined;
  resolve(slot: ConnectionSlot): void;
  reject(error: Error): void;
}

export interface ConnectionLimiter {
  /**
   * Acquires a slot for one statement or transaction, synchronously if one is available.
   * @throws BUSY if too many requests are waiting, or no slot becomes free in time
   */
  acquire(
    workspace: number,
    user?: number,
    requester?: WaitingClient,
  ): ConnectionSlot | Promise<ConnectionSlot>;
  canAcquire(workspace: number, user: number): boolean;
  /** Returns the user who is likely to get a slot first. */
  chooseUser(workspace: number, users: readonly number[]): number;
  /** Acquires a slot for a statement of any duration, such as a cursor. Returns null instead of waiting. */
  tryAcquire(workspace: number, user?: number): ConnectionSlot | null;
  release(slot: ConnectionSlot): void;
  waiting(): number;
}

const TICK_MS = 250;
/**
 * Number of ticks with waiting requests after which a workspace earns an extra slot. Each further slot takes twice as
 * many ticks as the previous one.
 */
const EXTRA_SLOT_TICKS = 8;
/** Ticks during which a user counts as slow after a slow statement. */
const SLOW_TICKS = 20;
const computeReadTicks = (): number => Math.ceil(limits.sql.readTime / TICK_MS);

interface SlotLimits {
  all: number;
  alone: number;
  shared: number;
  slow: number;
}

export function divideConnections(connections: number): SlotLimits {
  const all = connections - Math.min(RESERVED_CONNECTIONS, Math.floor(connections / 4));
  return {
    all,
    alone: Math.ceil(all / 2),
    shared: Math.ceil(all / 4),
    slow: Math.max(1, Math.floor(all / 8)),
  };
}

interface LimiterState {
  readonly slotLimits: SlotLimits;
  readonly usages: Map<number, WorkspaceUsage>;
  readonly slots: Set<ConnectionSlot>;
  readonly queue: Set<WorkspaceUsage>;
  ticks: number;
  timer: NodeJS.Timeout | undefined;
}

export function createConnectionLimiter(connections: number): ConnectionLimiter {
  const state: LimiterState = {
    slotLimits: divideConnections(connections),
    usages: new Map(),
    slots: new Set(),
    queue: new Set(),
    ticks: 0,
    timer: undefined,
  };
  return {
    acquire(workspace, user = 0, requester) {
      const share = getUsage(state, workspace);
      const member = getUserUsage(share, user);
      return member.waiting.length === 0 && mayTakeSlot(state, share, member)
        ? assignSlot(state, share, member, requester, state.ticks)
        : enqueueWaiter(state, share, member, requester);
    },
    canAcquire(workspace, user) {
      const share = getUsage(state, workspace);
      return mayTakeSlot(state, share, getUserUsage(share, user));
    },
    chooseUser(workspace, users) {
      const share = getUsage(state, workspace);
      const delays = users.map((user) => estimateDelay(state, share, getUserUsage(share, user)));
      return users[delays.indexOf(Math.min(...delays))]!;
    },
    tryAcquire(workspace, user = 0) {
      const share = getUsage(state, workspace);
      if (share.slotsInUse >= getSlotLimit(state, share) || state.slots.size >= state.slotLimits.all)
        return null;
      const member = getUserUsage(share, user);
      member.cursors++;
      return assignSlot(state, share, member, undefined, Infinity);
    },
    release: (slot) => releaseSlot(state, slot),
    waiting: () => [...state.queue].reduce((sum, share) => sum + share.waiting, 0),
  };
}

export function withSlot<T>(
  limiter: ConnectionLimiter,
  slot: ConnectionSlot | Promise<ConnectionSlot>,
  fn: (slot: ConnectionSlot) => Promise<T>,
): Promise<T> {
  if (slot instanceof Promise) return slot.then((slot) => withSlot(limiter, slot, fn));
  const releaseAcquiredSlot = () => limiter.release(slot);
  const used = fn(slot);
  used.then(releaseAcquiredSlot, releaseAcquiredSlot);
  return used;
}

function getUsage({ usages }: LimiterState, workspace: number): WorkspaceUsage {
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
    member = { user, slotsInUse: 0, cursors: 0, slow: 0, waiting: [] };
    members.set(user, member);
  }
  return member;
}

// A user who has no connections does not wait for colleagues: without slow statements, even if they occupy the
// workspace's whole share; with slow ones, if they do not exceed its limit. A user with slow statements cannot use the
// connections that colleagues earn.
function mayTakeSlot(state: LimiterState, share: WorkspaceUsage, member: UserUsage): boolean {
  if (state.slots.size >= state.slotLimits.all) return false;
  const limit = getSlotLimit(state, share);
  if (member.slotsInUse === 0) return share.slotsInUse <= (member.slow > 0 ? limit : getLargestShare(state));
  return (
    share.slotsInUse < limit &&
    (member.slow === 0 || member.slotsInUse - member.cursors < getSlowUserLimit(state, share))
  );
}

/** Returns 0 if the user would get a slot immediately, and Infinity if the user may wait for slow statements. */
function estimateDelay(state: LimiterState, share: WorkspaceUsage, member: UserUsage): number {
  if (member.waiting.length === 0 && mayTakeSlot(state, share, member)) return 0;
  return member.slow > 0 ? Infinity : 1 + member.slotsInUse + member.waiting.length;
}

const getSlowUserLimit = ({ slotLimits }: LimiterState, { waited }: WorkspaceUsage): number =>
  slotLimits.slow + (waited >= EXTRA_SLOT_TICKS ? 1 : 0);

// The duration of a statement is not known in advance. So a workspace starts with few slots, earns more as its
// statements finish, and gets the maximum while no other workspace is active (docs/adr/0026-share-of-connections.md).
const getSlotLimit = (state: LimiterState, { slow, quick, waited }: WorkspaceUsage): number =>
  slow > SLOW_STATEMENT_BUDGET_MS
    ? state.slotLimits.slow
    : Math.min(
        getLargestShare(state),
        state.slotLimits.slow + quick + Math.floor(Math.log2(1 + waited / EXTRA_SLOT_TICKS)),
      );

const getLargestShare = ({ usages, slotLimits }: LimiterState): number =>
  usages.size > 1 ? slotLimits.shared : slotLimits.alone;

function assignSlot(
  state: LimiterState,
  share: WorkspaceUsage,
  member: UserUsage,
  client: WaitingClient | undefined,
  since: number,
): ConnectionSlot {
  const slot: ConnectionSlot = { share, member, since, client, isRead: false, isStopped: false };
  share.slotsInUse++;
  member.slotsInUse++;
  state.slots.add(slot);
  state.timer ??= setInterval(tick, TICK_MS, state).unref();
  return slot;
}

function releaseSlot(state: LimiterState, slot: ConnectionSlot): void {
  if (!state.slots.delete(slot)) return;
  const { share, member } = slot;
  share.slotsInUse--;
  member.slotsInUse--;
  if (slot.since === Infinity) member.cursors--;
  if (state.ticks === slot.since && !slot.isStopped)
    share.quick = Math.min(share.quick + 1, state.slotLimits.alone);
  serveWaiters(state);
}

function enqueueWaiter(
  { queue }: LimiterState,
  share: WorkspaceUsage,
  member: UserUsage,
  requester: WaitingClient | undefined,
): Promise<ConnectionSlot> {
  if (share.waiting >= limits.sql.waiting) throw createTooManyRequestsError();
  return new Promise((resolve, reject) => {
    const end = setTimeout(() => {
      removeWaiter(queue, share, member, member.waiting.indexOf(waiter));
      reject(createTooManyRequestsError());
    }, limits.sql.connectTime);
    const waiter: Waiter = {
      client: requester,
      resolve: (slot) => {
        clearTimeout(end);
        resolve(slot);
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

function removeWaiter(
  queue: Set<WorkspaceUsage>,
  share: WorkspaceUsage,
  { waiting }: UserUsage,
  index = 0,
): Waiter {
  const [waiter] = waiting.splice(index, 1);
  share.waiting--;
  if (share.waiting === 0) queue.delete(share);
  return waiter!;
}

/**
 * Serves the waiting workspace with the fewest connections first, and within it the user with the fewest. Those with
 * equally many take turns.
 */
function serveWaiters(state: LimiterState): void {
  const { queue, slots, slotLimits } = state;
  while (queue.size > 0 && slots.size < slotLimits.all) {
    let leastUsed: { share: WorkspaceUsage; member: UserUsage } | undefined;
    for (const share of queue) {
      if (leastUsed && leastUsed.share.slotsInUse <= share.slotsInUse) continue;
      const member = findNextUser(state, share);
      if (member) leastUsed = { share, member };
    }
    if (!leastUsed) return;
    const { share, member } = leastUsed;
    const waiter = removeWaiter(queue, share, member);
    passTurn(queue, share, member);
    if (waiter.client?.destroyed) waiter.reject(createClientGoneError());
    else waiter.resolve(assignSlot(state, share, member, waiter.client, state.ticks));
  }
}

function passTurn(queue: Set<WorkspaceUsage>, share: WorkspaceUsage, member: UserUsage): void {
  share.members.delete(member.user);
  share.members.set(member.user, member);
  if (queue.delete(share)) queue.add(share);
}

function findNextUser(state: LimiterState, share: WorkspaceUsage): UserUsage | undefined {
  let leastUsed: UserUsage | undefined;
  for (const member of share.members.values()) {
    if (member.waiting.length === 0 || !mayTakeSlot(state, share, member)) continue;
    if (!leastUsed || member.slotsInUse < leastUsed.slotsInUse) leastUsed = member;
  }
  return leastUsed;
}

/**
 * Runs every `TICK_MS` while connections are in use. One shared timer is cheaper than a timer and a listener per
 * request.
 */
function tick(state: LimiterState): void {
  state.ticks++;
  updateUsages(state);
  stopLateStatements(state);
  if (state.usages.size === 0) {
    clearInterval(state.timer);
    state.timer = undefined;
  } else serveWaiters(state);
}

function updateUsages({ usages, slotLimits }: LimiterState): void {
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
}

function stopLateStatements({ slots, ticks }: LimiterState): void {
  for (const slot of slots) {
    // The first tick can follow the acquisition immediately, so it does not count.
    if (ticks - slot.since < 2) continue;
    slot.share.slow = Math.min(slot.share.slow + TICK_MS, SLOW_STATEMENT_BUDGET_MS * 2);
    slot.member.slow = SLOW_TICKS;
    const isLate = slot.isRead && ticks - slot.since >= computeReadTicks();
    if (isLate || slot.client?.destroyed) slot.stop?.();
  }
}

const createTooManyRequestsError = () =>
  errors.busy('This workspace has too many requests in progress. Try again in a moment.');
