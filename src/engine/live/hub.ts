import type { Logger } from 'pino';
import type { Database } from '../../db/pool.ts';
import { type AppError, errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { createKeyedQueue } from '../../loop/keyed-queue.ts';
import { limitConcurrency } from '../../loop/limit-concurrency.ts';
import { readChangesBetween, readChangesSince } from './change-log.ts';
import { buildResyncChange, computeChanges, needsKnownRecords, type PendingChange } from './changes.ts';
import { getSnapshotBounds, isExpired, type StreamPosition } from './cursor.ts';
import { DeliveryQueue, MAX_CONCURRENT_READS } from './delivery-queue.ts';
import {
  addPositionCursors,
  applyChanges,
  endSubscribers,
  type LiveSubscription,
  openGroup,
  recheckSubscribers,
  type StreamGroup,
  type StreamSubscriber,
} from './group.ts';
import { KnownRecords } from './known-records.ts';
import { createLeases, type SourceLease, type SourceLeases } from './lease.ts';
import { createStreamBudget } from './stream-budget.ts';

export const CHANGE_INTERVAL_MS = 100;
/** Maximum number of records that a process remembers across all topics. */
const MAX_KNOWN_RECORDS = 500_000;
const HEARTBEAT_INTERVAL_MS = 15_000;

interface HubMembership {
  leave(): void;
  /** Returns frames that tell a slow client to reload. */
  resync(): Promise<Buffer>;
}

export interface Hub {
  /**
   * Starts a subscription, which first receives the changes since its cursor.
   * @throws BUSY if the stream limit is reached, and errors from the topics
   */
  join(subscription: LiveSubscription): Promise<HubMembership>;
  /** Verifies that callers may still follow their sources, in one workspace or in all of them. */
  recheck(workspaceId?: number): void;
  stop(): void;
}

interface HubState {
  db: Database;
  log: Logger;
  groups: Map<string, StreamGroup>;
  turns: DeliveryQueue;
  /** Starts the subscriptions of a group one after another, so that they share it. */
  runInOrder: ReturnType<typeof createKeyedQueue<string>>;
  /** Limits concurrent openings, because each may read ten thousand records. */
  limitOpening: ReturnType<typeof limitConcurrency>;
  take: ReturnType<typeof createStreamBudget>;
  leases: SourceLeases;
  /** Position up to which changes have been delivered. Null while there are no subscribers. */
  position: StreamPosition | null;
  timer: NodeJS.Timeout | null;
  heartbeats: NodeJS.Timeout | null;
  /** Called when the next poll ends. */
  waiting: (() => void)[];
  stopped: boolean;
}

/**
 * Polls for changes while there are subscribers. Notifications would arrive sooner, but each commit would then acquire
 * a database-wide lock (docs/adr/0020-live.md).
 */
export function createHub(db: Database, log: Logger): Hub {
  const state: HubState = {
    db,
    log,
    groups: new Map(),
    turns: new DeliveryQueue(log),
    runInOrder: createKeyedQueue(),
    limitOpening: limitConcurrency(MAX_CONCURRENT_READS),
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
  for (const wake of state.waiting) wake();
  for (const group of [...state.groups.values()]) endSubscribers(group, null);
}

function recheck({ groups, log }: HubState, workspaceId?: number): void {
  const recheckedGroups = [...groups.values()].filter(
    (group) => !workspaceId || group.workspaceId === workspaceId,
  );
  forEachConcurrently(recheckedGroups, recheckSubscribers).catch((error) =>
    log.warn({ err: error }, 'could not recheck the rights of subscribers'),
  );
}

function startPolling(state: HubState): void {
  if (state.timer || state.stopped) return;
  const tick = async () => {
    const waitingCalls = state.waiting.splice(0);
    const startedAt = performance.now();
    await pollChanges(state).catch((error) =>
      state.log.warn({ err: error }, 'could not read changes; retrying'),
    );
    for (const wake of waitingCalls) wake();
    const continues = state.waiting.length > 0 || (state.groups.size > 0 && !state.stopped);
    // Spends at most half of the time on polling.
    const delay = Math.max(CHANGE_INTERVAL_MS, performance.now() - startedAt);
    state.timer = continues ? setTimeout(tick, delay) : null;
    if (!continues) state.position = null;
  };
  state.timer = setTimeout(tick, CHANGE_INTERVAL_MS);
  state.heartbeats ??= setInterval(() => sendHeartbeats(state), HEARTBEAT_INTERVAL_MS).unref();
}

const waitForPoll = (state: HubState): Promise<void> => new Promise((resolve) => state.waiting.push(resolve));

async function pollChanges(state: HubState): Promise<void> {
  const from = state.position!;
  const workspaces = new Set([...state.groups.values()].map((group) => group.workspaceId));
  const { position: to, changes, isCut } = await readChangesSince(state.db, [...workspaces], from);
  state.position = to;
  const isLost = isCut || isExpired(from, to);
  const byWorkspace = Map.groupBy(changes, (item) => item.workspace_id);
  for (const group of state.groups.values()) {
    const { workspaceId } = group;
    const logged = byWorkspace.get(workspaceId) ?? [];
    // The first group of a workspace may have been added during the read.
    state.turns.add(group, { logged, from, to, isLost: isLost || !workspaces.has(workspaceId) });
  }
  await state.turns.serve();
}

function sendHeartbeats(state: HubState): void {
  for (const group of state.groups.values())
    for (const subscriber of group.subscribers) subscriber.sendHeartbeat();
  recheck(state);
  if (state.groups.size > 0) return;
  clearInterval(state.heartbeats!);
  state.heartbeats = null;
}

async function join(state: HubState, subscription: LiveSubscription): Promise<HubMembership> {
  const { workspaceId, caller, source, subscriber, key, render } = subscription;
  if (state.stopped) throw createShuttingDownError();
  const release = state.take(workspaceId, caller);
  const leases = source.topics.map((topic) => state.leases.open({ workspaceId, source: topic.source }));
  const pendingLeases = Promise.all(leases.map(({ since }) => since));
  const membership = createMembership(state, { key, subscriber, leases, release, render });
  try {
    const since = await waitAtMost(pendingLeases, limits.live.startWait);
    await startSubscription(state, subscription, since);
    // Until the lease takes effect, older transactions may change records without logging the changes.
    if (!since)
      pendingLeases
        .then(membership.resync)
        .then(subscriber.send, () => subscriber.end(createShuttingDownError()));
  } catch (error) {
    membership.leave();
    throw error;
  }
  return membership;
}

interface MemberOptions {
  key: string;
  subscriber: StreamSubscriber;
  leases: SourceLease[];
  release: () => void;
  render: LiveSubscription['render'];
}

/** Captures only the values it needs, because there may be thousands of memberships. */
function createMembership(
  state: HubState,
  { key, subscriber, leases, release, render }: MemberOptions,
): HubMembership {
  let isGone = false;
  return {
    leave() {
      if (isGone) return;
      isGone = true;
      release();
      for (const lease of leases) lease.close();
      const group = state.groups.get(key);
      group?.subscribers.delete(subscriber);
      if (group?.subscribers.size === 0) state.groups.delete(key);
    },
    async resync() {
      const now = await getCurrentPosition(state);
      return (state.groups.get(key)?.render ?? render)(
        await subscriber.ctx(),
        addPositionCursors([buildResyncChange(null)], now, now),
      );
    },
  };
}

/** @param since first logged transaction of each source; null while unknown */
async function startSubscription(
  state: HubState,
  subscription: LiveSubscription,
  since: bigint[] | null,
): Promise<void> {
  // A new subscriber does not need earlier changes.
  if (state.position) await waitForPoll(state);
  await state.runInOrder(subscription.key, () => joinGroup(state, subscription, since));
}

/**
 * Brings a subscription up to the current delivery position and adds it to its group. A new group also needs the
 * changes that were committed while its records were read, because later changes to these records would be unknown.
 */
async function joinGroup(
  state: HubState,
  subscription: LiveSubscription,
  since: bigint[] | null,
): Promise<void> {
  const { key, subscriber, source } = subscription;
  const { after } = source;
  let position = await getCurrentPosition(state);
  let from = after && since && chooseStartPosition(after, since, position);
  let openedGroup: StreamGroup | null = null;
  for (;;) {
    if (after) from = await catchUp(state, subscription, from, position);
    if (openedGroup) await followChanges(state, subscription, openedGroup, position);
    else if (!state.groups.has(key)) openedGroup = await openNewGroup(state, subscription, position);
    if (state.stopped) throw createShuttingDownError();
    const group = state.groups.get(key) ?? openedGroup;
    if (group && isCurrent(state, position)) return enterGroup(state, key, group, position, subscriber);
    position = state.position ?? position;
  }
}

const isCurrent = ({ position }: HubState, at: StreamPosition): boolean =>
  position === null || position.snapshot === at.snapshot;

const createShuttingDownError = (): AppError => errors.busy('The server is shutting down.');

const openNewGroup = (
  state: HubState,
  subscription: LiveSubscription,
  position: StreamPosition,
): Promise<StreamGroup> =>
  state.limitOpening(() => openGroup(subscription, position, () => computeCapacity(state)));

/** Applies the changes up to `to`. */
async function followChanges(
  { db }: HubState,
  { workspaceId, subscriber }: LiveSubscription,
  group: StreamGroup,
  to: StreamPosition,
): Promise<void> {
  const { changes, isCut } = await readChangesBetween(db, workspaceId, group.to, to);
  group.isUnsure ||= isCut;
  await applyChanges(await subscriber.ctx(), group, changes);
  group.to = to;
}

function computeCapacity({ groups }: HubState): number {
  let sum = 0;
  for (const { followed } of groups.values()) for (const { reach } of followed) sum += reach?.size ?? 0;
  return MAX_KNOWN_RECORDS - sum;
}

function enterGroup(
  state: HubState,
  key: string,
  group: StreamGroup,
  at: StreamPosition,
  subscriber: StreamSubscriber,
): void {
  group.subscribers.add(subscriber);
  state.groups.set(key, group);
  state.position ??= at;
  startPolling(state);
}

const getCurrentPosition = async (state: HubState): Promise<StreamPosition> =>
  state.position ?? (await readChangesSince(state.db, [], null)).position;

/** Returns the position to resume from. Null if later changes may be missing from the log. */
function chooseStartPosition(
  after: StreamPosition,
  since: bigint[],
  now: StreamPosition,
): StreamPosition | null {
  const { xmin, xmax } = getSnapshotBounds(after.snapshot);
  const isKnown = since.every((first) => first <= xmin) && xmax <= getSnapshotBounds(now.snapshot).xmax;
  return isKnown && !isExpired(after, now) ? after : null;
}

/**
 * Sends the changes between `from` and `to`. Tells the subscriber to reload if `from` is null, or if it might know a
 * deleted record.
 * @returns `to`
 */
async function catchUp(
  { db }: HubState,
  { workspaceId, source, render, subscriber }: LiveSubscription,
  from: StreamPosition | null,
  to: StreamPosition,
): Promise<StreamPosition> {
  if (from?.snapshot === to.snapshot) return to;
  const ctx = await subscriber.ctx();
  const missedBatch = from && (await readChangesBetween(db, workspaceId, from, to));
  const changes: PendingChange[] = !missedBatch || missedBatch.isCut ? [buildResyncChange(null)] : [];
  for (const topic of changes.length > 0 ? [] : source.topics) {
    const topicChanges = missedBatch!.changes.filter((change) => change.topic === topic.source);
    const reach = needsKnownRecords(topic, topic.isOpen(ctx)) ? new KnownRecords([], false) : null;
    if (topicChanges.length > 0)
      changes.push(...(await computeChanges(ctx, { topic, reach, getCapacity: () => 0 }, topicChanges)));
  }
  if (changes.length > 0) subscriber.send(await render(ctx, addPositionCursors(changes, from ?? to, to)));
  return to;
}

/** Returns null if the promise does not resolve within `ms`. */
async function waitAtMost<T>(promise: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  try {
    return await Promise.race([promise, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** Limits concurrency to leave connections for other requests. */
async function forEachConcurrently<T>(items: T[], run: (item: T) => Promise<unknown>): Promise<void> {
  const remainingIterator = items.values();
  const runWorker = async () => {
    for (const item of remainingIterator) await run(item);
  };
  await Promise.all(Array.from({ length: MAX_CONCURRENT_READS }, runWorker));
}
