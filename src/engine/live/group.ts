import { setImmediate as othersFirst } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isOutage } from '../../db/outage.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { LoggedChange } from './change-log.ts';
import {
  buildResync,
  computeChanges,
  type FollowedTopic,
  type PendingChange,
  rememberRecords,
} from './changes.ts';
import { encodeCursor, type StreamPosition } from './cursor.ts';
import type { LiveChange, LiveSource } from './topic.ts';

/** One connection that follows a source. */
export interface StreamSubscriber {
  /** The caller's ctx under its rights of this moment. @throws AppError when it may not follow any more */
  ctx(): Promise<Ctx>;
  /** Takes frames; what a slow reader cannot take it drops. */
  send(frames: Buffer): void;
  /** A sign of life. */
  sendHeartbeat(): void;
  /** The stream is over: because of an error, or because the process ends (null). */
  end(error: AppError | null): void;
}

/** A seat and what it asks for. */
export interface LiveSubscription {
  workspaceId: number;
  /** Whose stream it is, to count. */
  caller: string;
  /** Subscriptions of the same key ask for the same under the same rights: they are read and rendered once. */
  key: string;
  source: LiveSource;
  /** Turns changes into frames. */
  render(ctx: Ctx, changes: LiveChange[]): Promise<Buffer>;
  subscriber: StreamSubscriber;
}

/** Subscriptions that ask for the same. */
export interface StreamGroup {
  workspaceId: number;
  followed: FollowedTopic[];
  subscribers: Set<StreamSubscriber>;
  render: LiveSubscription['render'];
  /** Something is lost or could not be read: subscribers have to read again. */
  isUnsure: boolean;
  /** When every caller was recognised last, in ms. */
  checked: number;
  /** When its subscribers were asked to read again, in ms. */
  resynced: number;
  /** The topics of `followed`, as changes are noted under. */
  sources: Set<string>;
  /** What waits for its turn, and the positions between which it happened. */
  pending: LoggedChange[];
  from: StreamPosition;
  to: StreamPosition;
}

/** @param room how many more records may be remembered */
export async function openGroup(
  { workspaceId, source, render, subscriber: seat }: LiveSubscription,
  getCapacity: () => number,
): Promise<StreamGroup> {
  const ctx = await seat.ctx();
  const followed: FollowedTopic[] = source.topics.map((topic) => ({ topic, reach: null, getCapacity }));
  for (const each of followed) await rememberRecords(ctx, each);
  return {
    workspaceId,
    followed,
    subscribers: new Set(),
    render,
    isUnsure: false,
    checked: 0,
    resynced: 0,
    sources: new Set(source.topics.map((topic) => topic.source)),
    pending: [],
    from: START_POSITION,
    to: START_POSITION,
  };
}

const START_POSITION: StreamPosition = { snapshot: '1:1:', at: 0 };

/** Subscribers read whole lists again, so they are not asked to for every change. */
export const mayResync = ({ resynced }: StreamGroup): boolean =>
  Date.now() - resynced >= limits.live.resyncPause;

/** Hands on what has changed between the positions of a group. */
export async function deliverChanges(log: Logger, group: StreamGroup, noted: LoggedChange[]): Promise<void> {
  const { from, to } = group;
  const ctx = await getAnyCtx(group);
  if (!ctx) return;
  try {
    const changes = await computeGroupChanges(ctx, group, noted);
    const isResync = changes.some(({ kind }) => kind === 'RESYNC');
    // What else there is will be read then.
    group.isUnsure = isResync && !mayResync(group);
    if (group.isUnsure || changes.length === 0) return;
    if (isResync) group.resynced = Date.now();
    const all = addCursors(changes, from, to);
    for (let at = 0; at < all.length; at += EVENTS_PER_SLICE) {
      if (at > 0) await othersFirst();
      const frames = await group.render(ctx, all.slice(at, at + EVENTS_PER_SLICE));
      for (const seat of group.subscribers) seat.send(frames);
    }
  } catch (error) {
    if (error instanceof AppError && !isOutage(error)) return endSubscribers(group, error);
    group.isUnsure = true;
    log.warn({ err: error }, 'could not read for subscribers; they will be asked to read again');
  }
}

/** Events that are rendered without a pause for other requests. */
const EVENTS_PER_SLICE = 200;

export function endSubscribers({ subscribers: seats }: StreamGroup, error: AppError | null): void {
  for (const seat of [...seats]) seat.end(error);
}

async function computeGroupChanges(
  ctx: Ctx,
  group: StreamGroup,
  noted: LoggedChange[],
): Promise<PendingChange[]> {
  const result: PendingChange[] = [];
  if (group.isUnsure) {
    for (const followed of group.followed) await rememberRecords(ctx, followed);
    return [buildResync(null)];
  }
  for (const followed of group.followed) {
    const its = noted.filter((each) => each.topic === followed.topic.source);
    if (its.length > 0) result.push(...(await computeChanges(ctx, followed, its)));
  }
  return result;
}

/**
 * A ctx under the rights of this moment. All of a group have the same; each key and session of its own is looked at
 * once a second here, and whenever the database announces a change.
 */
async function getAnyCtx(group: StreamGroup): Promise<Ctx | null> {
  if (Date.now() - group.checked > CHECK_INTERVAL_MS) return recheckSubscribers(group);
  const [first] = group.subscribers;
  return (await first?.ctx().catch(() => null)) ?? recheckSubscribers(group);
}

const CHECK_INTERVAL_MS = 1_000;

/** Ends the streams of callers who may not follow any more. @returns a ctx of one who may */
export async function recheckSubscribers(group: StreamGroup): Promise<Ctx | null> {
  const all = [...group.subscribers];
  group.checked = Date.now();
  const asked = await Promise.allSettled(all.map((seat) => seat.ctx()));
  let first: Ctx | null = null;
  for (const [i, each] of asked.entries()) {
    if (each.status === 'fulfilled') first ??= each.value;
    else if (each.reason instanceof AppError && !isOutage(each.reason)) all[i]!.end(each.reason);
  }
  return first;
}

/** Only the last one says that all before it have come. */
export function addCursors(changes: PendingChange[], from: StreamPosition, to: StreamPosition): LiveChange[] {
  const [before, last] = [encodeCursor(from), encodeCursor(to)];
  return changes.map((change, i) => ({ ...change, cursor: i === changes.length - 1 ? last : before }));
}
