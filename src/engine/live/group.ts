import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isOutage } from '../../db/outage.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { LoggedChange } from './change-log.ts';
import {
  buildResyncChange,
  computeChanges,
  type FollowedTopic,
  type PendingChange,
  rememberRecords,
} from './changes.ts';
import { encodeCursor, type StreamPosition } from './cursor.ts';
import type { LiveChange, LiveSource } from './topic.ts';

export interface StreamSubscriber {
  /**
   * Returns the caller's ctx with the current rights.
   * @throws AppError if the caller may no longer follow the source
   */
  ctx(): Promise<Ctx>;
  /** Sends frames. Drops them if the client reads too slowly. */
  send(frames: Buffer): void;
  sendHeartbeat(): void;
  /** Ends the stream. `error` is null if the process is shutting down. */
  end(error: AppError | null): void;
}

export interface LiveSubscription {
  workspaceId: number;
  /** Identifies the caller for the stream limit. */
  caller: string;
  /**
   * Subscriptions with the same key have the same request and rights, so changes are read and rendered once for all of
   * them.
   */
  key: string;
  source: LiveSource;
  render(ctx: Ctx, changes: LiveChange[]): Promise<Buffer>;
  subscriber: StreamSubscriber;
}

export interface StreamGroup {
  workspaceId: number;
  followed: FollowedTopic[];
  subscribers: Set<StreamSubscriber>;
  render: LiveSubscription['render'];
  /** True if changes were lost or could not be read, so that subscribers must reload. */
  isUnsure: boolean;
  /** Unix time in milliseconds of the last reload. */
  resynced: number;
  sources: Set<string>;
  /** Changes waiting for delivery, committed between `from` and `to`. */
  pending: LoggedChange[];
  from: StreamPosition;
  to: StreamPosition;
}

/**
 * @param at position before the known records are read
 * @param getCapacity returns how many more records the process may remember
 */
export async function openGroup(
  { workspaceId, source, render, subscriber }: LiveSubscription,
  at: StreamPosition,
  getCapacity: () => number,
): Promise<StreamGroup> {
  const ctx = await subscriber.ctx();
  const topics: FollowedTopic[] = source.topics.map((topic) => ({ topic, reach: null, getCapacity }));
  for (const item of topics) await rememberRecords(ctx, item);
  return {
    workspaceId,
    followed: topics,
    subscribers: new Set(),
    render,
    isUnsure: false,
    resynced: 0,
    sources: new Set(source.topics.map((topic) => topic.source)),
    pending: [],
    from: at,
    to: at,
  };
}

/** Applies changes to the known records of a group without subscribers. */
export async function applyChanges(ctx: Ctx, group: StreamGroup, changes: LoggedChange[]): Promise<void> {
  await computeGroupChanges(ctx, group, changes);
}

/** Limits the rate of reloads, because each reload reads whole lists. */
export const mayResync = ({ resynced }: StreamGroup): boolean =>
  Date.now() - resynced >= limits.live.resyncPause;

export async function deliverChanges(
  log: Logger,
  group: StreamGroup,
  loggedChanges: LoggedChange[],
): Promise<void> {
  const { from, to } = group;
  const ctx = await recheckSubscribers(group);
  if (!ctx) return;
  try {
    const changes = await computeGroupChanges(ctx, group, loggedChanges);
    const isResync = changes.some(({ kind }) => kind === 'RESYNC');
    // A postponed reload also covers the other changes.
    group.isUnsure = isResync && !mayResync(group);
    if (group.isUnsure || changes.length === 0) return;
    if (isResync) group.resynced = Date.now();
    const all = addPositionCursors(changes, from, to);
    for (let start = 0; start < all.length; start += EVENTS_PER_SLICE) {
      if (start > 0) await othersFirst();
      const frames = await group.render(ctx, all.slice(start, start + EVENTS_PER_SLICE));
      for (const subscriber of group.subscribers) subscriber.send(frames);
    }
  } catch (error) {
    if (error instanceof AppError && !isOutage(error)) return endSubscribers(group, error);
    group.isUnsure = true;
    log.warn({ err: error }, 'could not read records for subscribers; sending RESYNC');
  }
}

/** Number of events rendered before the process yields to other requests. */
const EVENTS_PER_SLICE = 200;

export function endSubscribers({ subscribers }: StreamGroup, error: AppError | null): void {
  for (const subscriber of [...subscribers]) subscriber.end(error);
}

async function computeGroupChanges(
  ctx: Ctx,
  group: StreamGroup,
  loggedChanges: LoggedChange[],
): Promise<PendingChange[]> {
  const result: PendingChange[] = [];
  if (group.isUnsure) {
    for (const topic of group.followed) await rememberRecords(ctx, topic);
    return [buildResyncChange(null)];
  }
  for (const topic of group.followed) {
    const changes = loggedChanges.filter((item) => item.topic === topic.topic.source);
    if (changes.length > 0) result.push(...(await computeChanges(ctx, topic, changes)));
  }
  return result;
}

/**
 * Ends the streams of callers who may no longer follow the source.
 * @returns the ctx of a remaining caller, or null if no caller remains
 */
export async function recheckSubscribers(group: StreamGroup): Promise<Ctx | null> {
  const all = [...group.subscribers];
  const results = await Promise.allSettled(all.map((subscriber) => subscriber.ctx()));
  let first: Ctx | null = null;
  for (const [i, item] of results.entries()) {
    if (item.status === 'fulfilled') first ??= item.value;
    else if (item.reason instanceof AppError && !isOutage(item.reason)) all[i]!.end(item.reason);
  }
  return first;
}

/** Only the last change contains the new cursor, because a cursor implies that all changes before it have arrived. */
export function addPositionCursors(
  changes: PendingChange[],
  from: StreamPosition,
  to: StreamPosition,
): LiveChange[] {
  const [before, last] = [encodeCursor(from), encodeCursor(to)];
  return changes.map((change, i) => ({ ...change, cursor: i === changes.length - 1 ? last : before }));
}
