import type { Logger } from 'pino';
import type { Database } from '../../db/pool.ts';
import { type AppError, errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { createBudget } from './budget.ts';
import { readBetween, readSince } from './change-log.ts';
import { type Bare, changesOf, needsReach, resync } from './changes.ts';
import { boundsOf, isOld, type Position } from './cursor.ts';
import { few } from './few.ts';
import {
  endAll,
  type LiveSubscription,
  openGroup,
  type Seat,
  type StreamGroup,
  seated,
  withCursors,
} from './group.ts';
import { KnownRecords } from './known-records.ts';
import { createLeases, type Leases, type Watched } from './lease.ts';
import { Turns } from './turns.ts';

/** A subscription that has begun. */
interface Membership {
  leave(): void;
  /** The frames that ask a reader who could not keep up to read again. */
  resync(): Promise<Buffer>;
}

export interface Hub {
  /**
   * Lets a subscription begin. It first gets what it has missed since its cursor.
   * @throws BUSY beyond the budget, and what the topics throw
   */
  join(subscription: LiveSubscription): Promise<Membership>;
  /** Asks whether the callers of a workspace (of all without one) may stay. */
  recheck(workspaceId?: number): void;
  /** Ends every stream. */
  stop(): void;
}

interface State {
  db: Database;
  log: Logger;
  groups: Map<string, StreamGroup>;
  turns: Turns;
  /** Those that are being opened: many clients may come back together. */
  opening: Map<string, Promise<StreamGroup>>;
  /** Each may read ten thousand records. */
  few: ReturnType<typeof few>;
  take: ReturnType<typeof createBudget>;
  leases: Leases;
  /** Up to where changes have been handed on; null while there is no subscriber. */
  position: Position | null;
  timer: NodeJS.Timeout | null;
  beats: NodeJS.Timeout | null;
  /** Called after the next look. */
  waiting: (() => void)[];
  stopped: boolean;
}

/**
 * Looks for changes every `limits.live.window` while there are subscribers. Notifications would reach it sooner and
 * cost each commit a lock of the whole database (docs/adr/0020-live.md).
 */
export function createHub(db: Database, log: Logger): Hub {
  const state: State = {
    db,
    log,
    groups: new Map(),
    turns: new Turns(log),
    opening: new Map(),
    few: few(limits.live.atOnce),
    take: createBudget(),
    leases: createLeases(db, (error) => log.warn({ err: error }, 'could not renew subscriptions')),
    position: null,
    timer: null,
    beats: null,
    waiting: [],
    stopped: false,
  };
  return {
    join: (subscription) => join(state, subscription),
    recheck: (workspaceId) => recheck(state, workspaceId),
    stop: () => stop(state),
  };
}

function stop(state: State): void {
  state.stopped = true;
  if (state.timer) clearTimeout(state.timer);
  if (state.beats) clearInterval(state.beats);
  for (const go of state.waiting) go();
  for (const group of [...state.groups.values()]) endAll(group, null);
}

function recheck({ groups, log }: State, workspaceId?: number): void {
  const asked = [...groups.values()].filter((group) => !workspaceId || group.workspaceId === workspaceId);
  eachOf(asked, seated).catch((error) =>
    log.warn({ err: error }, 'could not ask for the rights of subscribers'),
  );
}

/** Begins to look, if nothing does. */
function begin(state: State): void {
  if (state.timer || state.stopped) return;
  const tick = async () => {
    const waiting = state.waiting.splice(0);
    const begun = performance.now();
    await look(state).catch((error) => state.log.warn({ err: error }, 'could not read changes; retrying'));
    for (const go of waiting) go();
    const goesOn = state.waiting.length > 0 || (state.groups.size > 0 && !state.stopped);
    // Not more than half of the time.
    const rest = Math.max(limits.live.window, performance.now() - begun);
    state.timer = goesOn ? setTimeout(tick, rest) : null;
    if (!goesOn) state.position = null;
  };
  state.timer = setTimeout(tick, limits.live.window);
  state.beats ??= setInterval(() => beat(state), limits.live.heartbeat).unref();
}

const nextLook = (state: State): Promise<void> => new Promise((resolve) => state.waiting.push(resolve));

async function look(state: State): Promise<void> {
  const from = state.position!;
  const workspaces = [...new Set([...state.groups.values()].map((group) => group.workspaceId))];
  const { position: to, changes, isCut } = await readSince(state.db, workspaces, from);
  state.position = to;
  const isLost = isCut || isOld(from, to);
  const byWorkspace = Map.groupBy(changes, (each) => each.workspace_id);
  for (const group of state.groups.values())
    state.turns.give(group, { noted: byWorkspace.get(group.workspaceId) ?? [], from, to, isLost });
  await state.turns.serve();
}

function beat(state: State): void {
  for (const group of state.groups.values()) for (const seat of group.seats) seat.beat();
  recheck(state);
  if (state.groups.size > 0) return;
  clearInterval(state.beats!);
  state.beats = null;
}

async function join(state: State, subscription: LiveSubscription): Promise<Membership> {
  const { workspaceId, caller, source, seat, key, render } = subscription;
  if (state.stopped) throw stopping();
  const release = state.take(workspaceId, caller);
  const watched = source.topics.map((topic) => ({ workspaceId, source: topic.source }));
  const noted = Promise.all(watched.map((each) => state.leases.open(each)));
  const membership = membershipOf(state, { key, seat, watched, release, render });
  try {
    const since = await within(noted, limits.live.startTime);
    await settle(state, subscription, since);
    // Until then older transactions may change records unnoted.
    if (!since) noted.then(membership.resync).then(seat.send, () => seat.end(stopping()));
  } catch (error) {
    membership.leave();
    throw error;
  }
  return membership;
}

interface Member {
  key: string;
  seat: Seat;
  watched: Watched[];
  release: () => void;
  render: LiveSubscription['render'];
}

/** Holds no more than it needs: there may be thousands. */
function membershipOf(state: State, { key, seat, watched, release, render }: Member): Membership {
  let isGone = false;
  return {
    leave() {
      if (isGone) return;
      isGone = true;
      release();
      for (const each of watched) state.leases.close(each);
      const group = state.groups.get(key);
      group?.seats.delete(seat);
      if (group?.seats.size === 0) state.groups.delete(key);
    },
    async resync() {
      const now = await hereOf(state);
      return (state.groups.get(key)?.render ?? render)(
        await seat.ctx(),
        withCursors([resync(null)], now, now),
      );
    },
  };
}

/** Brings a subscription to where changes are handed on from, and lets it in. @param since null: not known yet */
async function settle(state: State, subscription: LiveSubscription, since: bigint[] | null): Promise<void> {
  const { key, seat, source } = subscription;
  const { after } = source;
  const group = state.groups.get(key) ?? (await opened(state, subscription));
  // Beyond what the group has just remembered; what happened before is nothing to one that begins now.
  if (state.position) await nextLook(state);
  let at = await hereOf(state);
  if (after) await catchUp(state, subscription, since && startOf(after, since, at), at);
  // Changes that have been handed on to others meanwhile.
  while (after && state.position && state.position.snapshot !== at.snapshot)
    at = await catchUp(state, subscription, at, state.position);
  if (state.stopped) throw stopping();
  enter(state, key, group, at).seats.add(seat);
}

const stopping = (): AppError => errors.busy('The server is shutting down.');

/** A new group; subscriptions of the same key that begin together share one. */
function opened(state: State, subscription: LiveSubscription): Promise<StreamGroup> {
  const { opening } = state;
  const { key } = subscription;
  let group = opening.get(key);
  if (!group) {
    group = state.few(() => openGroup(subscription, () => roomOf(state))).finally(() => opening.delete(key));
    opening.set(key, group);
  }
  return group;
}

/** How many more records may be remembered. */
function roomOf({ groups }: State): number {
  let sum = 0;
  for (const { followed } of groups.values()) for (const { reach } of followed) sum += reach?.size ?? 0;
  return limits.live.remembered - sum;
}

/** Another of the same key may have come meanwhile. */
function enter(state: State, key: string, made: StreamGroup, at: Position): StreamGroup {
  const group = state.groups.get(key) ?? made;
  state.groups.set(key, group);
  state.position ??= at;
  begin(state);
  return group;
}

/** Up to where changes have been handed on, or now. */
const hereOf = async (state: State): Promise<Position> =>
  state.position ?? (await readSince(state.db, [], null)).position;

/** Where a subscription goes on; null when something since may not have been noted, or is deleted. */
function startOf(after: Position, since: bigint[], now: Position): Position | null {
  const { xmin, xmax } = boundsOf(after.snapshot);
  const isKnown = since.every((first) => first <= xmin) && xmax <= boundsOf(now.snapshot).xmax;
  return isKnown && !isOld(after, now) ? after : null;
}

/**
 * Sends what happened after `from` (everything, when it is null), up to `to`. A record that is gone may be one that the
 * subscriber knows, so it is asked to read again. @returns `to`
 */
async function catchUp(
  { db }: State,
  { workspaceId, source, render, seat }: LiveSubscription,
  from: Position | null,
  to: Position,
): Promise<Position> {
  if (from?.snapshot === to.snapshot) return to;
  const ctx = await seat.ctx();
  const missed = from && (await readBetween(db, workspaceId, from, to));
  const changes: Bare[] = !missed || missed.isCut ? [resync(null)] : [];
  for (const topic of changes.length > 0 ? [] : source.topics) {
    const its = missed!.changes.filter((each) => each.topic === topic.source);
    const reach = needsReach(topic, topic.isOpen(ctx)) ? new KnownRecords([], false) : null;
    if (its.length > 0) changes.push(...(await changesOf(ctx, { topic, reach, room: () => 0 }, its)));
  }
  if (changes.length > 0) seat.send(await render(ctx, withCursors(changes, from ?? to, to)));
  return to;
}

/** What the promise gives; null when it takes longer. */
async function within<T>(promise: Promise<T>, ms: number): Promise<T | null> {
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
async function eachOf<T>(items: T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await work(item);
  };
  await Promise.all(Array.from({ length: limits.live.atOnce }, worker));
}
