import { limits } from '../../limits.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { LoggedChange } from './change-log.ts';
import { KnownRecords } from './known-records.ts';
import type { FoundRecord, LiveChange, Topic } from './topic.ts';

/** A topic as its subscribers follow it. */
export interface FollowedTopic {
  topic: Topic;
  /** null where it is of no use: nothing but a deletion makes a record leave, and the caller may hear of each. */
  reach: KnownRecords | null;
  /** How many more records this process may remember. */
  getCapacity(): number;
}

/** A change that has no cursor yet. */
export type PendingChange = Omit<LiveChange, 'cursor'>;

/**
 * What subscribers hear of the noted changes, in their order. Rights, rules and conditions are asked now, in one
 * statement, of the records as they are now.
 */
export async function computeChanges(
  ctx: Ctx,
  followed: FollowedTopic,
  noted: LoggedChange[],
): Promise<PendingChange[]> {
  const { topic } = followed;
  const touched = collectTouched(noted);
  if (touched.size > limits.live.burst || noted.some((each) => each.many)) {
    await rememberRecords(ctx, followed);
    return [buildResync(topic)];
  }
  const isOpen = topic.isOpen(ctx);
  if (!followed.reach && needsReach(topic, isOpen)) await rememberRecords(ctx, followed);
  const present = [...touched].filter(([, kinds]) => !kinds.includes('D')).map(([id]) => id);
  const found = present.length > 0 ? await topic.read(ctx, present) : new Map<number, FoundRecord>();
  const result: PendingChange[] = [];
  for (const [id, kinds] of touched) {
    const change = buildChange(followed, isOpen, { id, kinds, found: found.get(id) });
    if (change) result.push(change);
  }
  const known = result.filter((change) => change.kind !== 'RESYNC');
  if (known.length === result.length) return result;
  await rememberRecords(ctx, followed);
  return [...known, buildResync(topic)];
}

/** Asks subscribers to read again what they follow: of one topic, or of all. */
export const buildResync = (topic: Topic | null): PendingChange => ({
  kind: 'RESYNC',
  topic,
  key: null,
  row: null,
});

/** Finds the records that match, as the subscribers do when they begin or read again. */
export async function rememberRecords(ctx: Ctx, followed: FollowedTopic): Promise<void> {
  const { topic } = followed;
  const isOpen = topic.isOpen(ctx);
  if (!needsReach(topic, isOpen)) {
    followed.reach = null;
    return;
  }
  followed.reach = null;
  const most = Math.min(limits.live.reach, followed.getCapacity());
  const first = most > 0 ? await topic.reach(ctx, most + 1) : [];
  // Who may hear of every record needs no part of them.
  const isUseless = most <= 0 || (isOpen && first.length > most);
  followed.reach = isUseless ? new KnownRecords([], false, most) : new KnownRecords(first, true, most);
}

/** Whether it matters which records a subscriber knows. */
export const needsReach = (topic: Topic, isOpen: boolean): boolean =>
  !topic.isLog && (!isOpen || topic.isNarrow);

/** What happened to each record, by id, in the order of its last change. */
function collectTouched(noted: LoggedChange[]): Map<number, string> {
  const touched = new Map<number, string>();
  for (const { ids, kind } of noted) {
    for (const id of ids) {
      const before = touched.get(id) ?? '';
      touched.delete(id);
      touched.set(id, before + kind);
    }
  }
  return touched;
}

interface TouchedRecord {
  id: number;
  /** The letters of what happened to it, in their order. */
  kinds: string;
  /** undefined when it does not match, or is gone. */
  found: FoundRecord | undefined;
}

function buildChange(
  { topic, reach }: FollowedTopic,
  isOpen: boolean,
  { id, kinds, found }: TouchedRecord,
): PendingChange | null {
  if (found) {
    reach?.add(id, found.key);
    return { kind: kinds.includes('C') ? 'CREATED' : 'UPDATED', topic, key: found.key, row: found.row };
  }
  const gone = (key: string): PendingChange => ({ kind: 'DELETED', topic, key, row: null });
  const known = reach?.leave(id);
  if (known !== undefined) return gone(known);
  // No subscriber has heard of one that was created only now.
  if (topic.isLog || reach?.isComplete || kinds.includes('C')) return null;
  if (!isOpen) return buildResync(topic);
  // Without conditions, one that is gone without a `D` yet has one in the next window.
  return reach || kinds.includes('D') ? gone(String(id)) : null;
}
