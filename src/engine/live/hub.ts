import type { Logger } from 'pino';
import type { Database } from '../../db/pool.ts';
import { type AppError, errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { readBetween, readSince } from './change-log.ts';
import { buildResync, computeChanges, needsReach, type PendingChange } from './changes.ts';
import { getSnapshotBounds, isExpired, type StreamPosition } from './cursor.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import {
  addCursors,
  endSubscribers,
  type LiveSubscription,
  openGroup,
  recheckSubscribers,
  type StreamGroup,
  type StreamSubscriber,
} from './group.ts';
import { KnownRecords } from './known-records.ts';
import { createLeases, type SourceLeases, type WatchedSource } from './lease.ts';
import { limitConcurrency } from './limit-concurrency.ts';
import { createStreamBudget } from './stream-budget.ts';

/** A subscription that has begun. */
interface HubMembership {
  leave(): void;
  /** The frames that ask a reader who could not keep up to read again. */
  resync(): Promise<Buffer>;
}

export interface Hub {
  /**
   * Lets a subscription begin. It first gets what it has missed since its cursor.
   * @throws BUSY beyond the budget, and what the topics throw
   */
  join(subscription: LiveSubscription): Promise<HubMembership>;
  /** Asks whether the callers of a workspace (of all without one) may stay. */
  recheck(workspaceId?: number): void;
  /** Ends every stream. */
  stop(): void;
}

interface HubState {
  db: Database;
  log: Logger;
  groups: Map<string, StreamGroup>;
  turns: DeliveryQueue;
  /** Those that are being opened: many clients may come back together. */
  opening: Map<string, Promise<StreamGroup>>;
  /** Each may read ten thousand records. */
  limitOpening: ReturnType<typeof limitConcurrency>;
  take: ReturnType<typeof createStreamBudget>;
  leases: SourceLeases;
  /** Up to where changes have been handed on; null while there is no subscriber. */
  position: StreamPosition | null;
  timer: NodeJS.Timeout | null;
  heartbeats: NodeJS.Timeout | null;
  /** Called after the next look. */
  waiting: (() => void)[];
  stopped: boolean;
}

/**
 * Looks for changes every `limits.live.window` while there are subscribers. Notifications would reach it sooner and
 * cost each commit a lock of the whole database (docs/adr/0020-live.md).
 */
export function createHub(db: Database, log: Logger): Hub {
  const state: HubState = {
    db,
    log,
    groups: new Map(),
    turns: new DeliveryQueue(log),
    opening: new Map(),
    limitOpening: limitConcurrency(limits.live.atOnce),
    take: createStreamBudget(),
    leases: createLeases(db, (error) => log.warn({ err: error }, 'could not renew subscriptions')),
    position: null,
    timer: null,
    heartbeats: null,
    waiting: [],
    stopped: false,
  };
  return {
    join: (subscription) => join(state, subscription),
    recheck: (workspaceId) => recheck(state, workspaceId),
    stop: () => stop(state),
  };
}

function stop(state: HubState): void {
  state.stopped = true;
  if (state.timer) clearTimeout(state.timer);
  if (state.heartbeats) clearInterval(state.heartbeats);
  for (const go of state.waiting) go();
  for (const group of [...state.groups.values()]) endSubscribers(group, null);
}

function recheck({ groups, log }: HubState, workspaceId?: number): void {
  const asked = [...groups.values()].filter((group) => !workspaceId || group.workspaceId === workspaceId);
  forEachLimited(asked, recheckSubscribers).catch((error) =>
    log.warn({ err: error }, 'could not ask for the rights of subscribers'),
  );
}

/** Begins to look, if nothing does. */
function startPolling(state: HubState): void {
  if (state.timer || state.stopped) return;
  const tick = async () => {
    const waiting = state.waiting.splice(0);
    const begun = performance.now();
    await pollChanges(state).catch((error) =>
      state.log.warn({ err: error }, 'could not read changes; retrying'),
    );
    for (const go of waiting) go();
    const goesOn = state.waiting.length > 0 || (state.groups.size > 0 && !state.stopped);
    // Not more than half of the time.
    const rest = Math.max(limits.live.window, performance.now() - begun);
    state.timer = goesOn ? setTimeout(tick, rest) : null;
    if (!goesOn) state.position = null;
  };
  state.timer = setTimeout(tick, limits.live.window);
  state.heartbeats ??= setInterval(() => sendHeartbeats(state), limits.live.heartbeat).unref();
}

const waitForPoll = (state: HubState): Promise<void> => new Promise((resolve) => state.waiting.push(resolve));

async function pollChanges(state: HubState): Promise<void> {
  const from = state.position!;
  const workspaces = [...new Set([...state.groups.values()].map((group) => group.workspaceId))];
  const { position: to, changes, isCut } = await readSince(state.db, workspaces, from);
  state.position = to;
  const isLost = isCut || isExpired(from, to);
  const byWorkspace = Map.groupBy(changes, (each) => each.workspace_id);
  for (const group of state.groups.values())
    state.turns.add(group, { noted: byWorkspace.get(group.workspaceId) ?? [], from, to, isLost });
  await state.turns.serve();
}

function sendHeartbeats(state: HubState): void {
  for (const group of state.groups.values()) for (const seat of group.subscribers) seat.sendHeartbeat();
  recheck(state);
  if (state.groups.size > 0) return;
  clearInterval(state.heartbeats!);
  state.heartbeats = null;
}

async function join(state: HubState, subscription: LiveSubscription): Promise<HubMembership> {
  const { workspaceId, caller, source, subscriber: seat, key, render } = subscription;
  if (state.stopped) throw shuttingDown();
  const release = state.take(workspaceId, caller);
  const watched = source.topics.map((topic) => ({ workspaceId, source: topic.source }));
  const noted = Promise.all(watched.map((each) => state.leases.open(each)));
  const membership = createMembership(state, { key, seat, watched, release, render });
  try {
    const since = await withTimeout(noted, limits.live.startTime);
    await startSubscription(state, subscription, since);
    // Until then older transactions may change records unnoted.
    if (!since) noted.then(membership.resync).then(seat.send, () => seat.end(shuttingDown()));
  } catch (error) {
    membership.leave();
    throw error;
  }
  return membership;
}

interface MemberOptions {
  key: string;
  seat: StreamSubscriber;
  watched: WatchedSource[];
  release: () => void;
  render: LiveSubscription['render'];
}

/** Holds no more than it needs: there may be thousands. */
function createMembership(
  state: HubState,
  { key, seat, watched, release, render }: MemberOptions,
): HubMembership {
  let isGone = false;
  return {
    leave() {
      if (isGone) return;
      isGone = true;
      release();
      for (const each of watched) state.leases.close(each);
      const group = state.groups.get(key);
      group?.subscribers.delete(seat);
      if (group?.subscribers.size === 0) state.groups.delete(key);
    },
    async resync() {
      const now = await getCurrentPosition(state);
      return (state.groups.get(key)?.render ?? render)(
        await seat.ctx(),
        addCursors([buildResync(null)], now, now),
      );
    },
  };
}

/** Brings a subscription to where changes are handed on from, and lets it in. @param since null: not known yet */
async function startSubscription(
  state: HubState,
  subscription: LiveSubscription,
  since: bigint[] | null,
): Promise<void> {
  const { key, subscriber: seat, source } = subscription;
  const { after } = source;
  const group = state.groups.get(key) ?? (await getOpenGroup(state, subscription));
  // Beyond what the group has just remembered; what happened before is nothing to one that begins now.
  if (state.position) await waitForPoll(state);
  let at = await getCurrentPosition(state);
  if (after) await catchUp(state, subscription, since && chooseStart(after, since, at), at);
  // Changes that have been handed on to others meanwhile.
  while (after && state.position && state.position.snapshot !== at.snapshot)
    at = await catchUp(state, subscription, at, state.position);
  if (state.stopped) throw shuttingDown();
  enterGroup(state, key, group, at).subscribers.add(seat);
}

const shuttingDown = (): AppError => errors.busy('The server is shutting down.');

/** A new group; subscriptions of the same key that begin together share one. */
function getOpenGroup(state: HubState, subscription: LiveSubscription): Promise<StreamGroup> {
  const { opening } = state;
  const { key } = subscription;
  let group = opening.get(key);
  if (!group) {
    group = state
      .limitOpening(() => openGroup(subscription, () => computeCapacity(state)))
      .finally(() => opening.delete(key));
    opening.set(key, group);
  }
  return group;
}

/** How many more records may be remembered. */
function computeCapacity({ groups }: HubState): number {
  let sum = 0;
  for (const { followed } of groups.values()) for (const { reach } of followed) sum += reach?.size ?? 0;
  return limits.live.remembered - sum;
}

/** Another of the same key may have come meanwhile. */
function enterGroup(state: HubState, key: string, made: StreamGroup, at: StreamPosition): StreamGroup {
  const group = state.groups.get(key) ?? made;
  state.groups.set(key, group);
  state.position ??= at;
  startPolling(state);
  return group;
}

/** Up to where changes have been handed on, or now. */
const getCurrentPosition = async (state: HubState): Promise<StreamPosition> =>
  state.position ?? (await readSince(state.db, [], null)).position;

/** Where a subscription goes on; null when something since may not have been noted, or is deleted. */
function chooseStart(after: StreamPosition, since: bigint[], now: StreamPosition): StreamPosition | null {
  const { xmin, xmax } = getSnapshotBounds(after.snapshot);
  const isKnown = since.every((first) => first <= xmin) && xmax <= getSnapshotBounds(now.snapshot).xmax;
  return isKnown && !isExpired(after, now) ? after : null;
}

/**
 * Sends what happened after `from` (everything, when it is null), up to `to`. A record that is gone may be one that the
 * subscriber knows, so it is asked to read again. @returns `to`
 */
async function catchUp(
  { db }: HubState,
  { workspaceId, source, render, subscriber: seat }: LiveSubscription,
  from: StreamPosition | null,
  to: StreamPosition,
): Promise<StreamPosition> {
  if (from?.snapshot === to.snapshot) return to;
  const ctx = await seat.ctx();
  const missed = from && (await readBetween(db, workspaceId, from, to));
  const changes: PendingChange[] = !missed || missed.isCut ? [buildResync(null)] : [];
  for (const topic of changes.length > 0 ? [] : source.topics) {
    const its = missed!.changes.filter((each) => each.topic === topic.source);
    const reach = needsReach(topic, topic.isOpen(ctx)) ? new KnownRecords([], false) : null;
    if (its.length > 0)
      changes.push(...(await computeChanges(ctx, { topic, reach, getCapacity: () => 0 }, its)));
  }
  if (changes.length > 0) seat.send(await render(ctx, addCursors(changes, from ?? to, to)));
  return to;
}

/** What the promise gives; null when it takes longer. */
async function withTimeout<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** A few at a time, so that other requests keep their connections. */
async function forEachLimited<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: limits.live.atOnce }, worker));
}
