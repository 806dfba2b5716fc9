import type { Ctx } from '../ctx/ctx.ts';
import type { LoggedChange } from './change-log.ts';
import { KnownRecords, MAX_KNOWN_TOPIC_RECORDS } from './known-records.ts';
import type { FoundRecord, LiveChange, Topic } from './topic.ts';

/** Maximum number of changed records per model and poll that are reported to subscribers individually. */
const MAX_INDIVIDUAL_CHANGES = 1_000;

export interface FollowedTopic {
  topic: Topic;
  /**
   * Records that subscribers may know. Null if they disappear only by deletion and the caller may see every deletion.
   */
  reach: KnownRecords | null;
  getCapacity(): number;
}

export type PendingChange = Omit<LiveChange, 'cursor'>;

/**
 * Computes the events for subscribers, in order, by applying the current rights, rules and conditions to the changed
 * records.
 */
export async function computeChanges(
  ctx: Ctx,
  followedTopic: FollowedTopic,
  changes: LoggedChange[],
): Promise<PendingChange[]> {
  const { topic } = followedTopic;
  const touchedRecords = collectTouchedRecords(changes);
  if (touchedRecords.size > MAX_INDIVIDUAL_CHANGES || changes.some((item) => item.many)) {
    await rememberRecords(ctx, followedTopic);
    return [buildResyncChange(topic)];
  }
  const isOpen = topic.isOpen(ctx);
  if (!followedTopic.reach && needsKnownRecords(topic, isOpen)) await rememberRecords(ctx, followedTopic);
  const presentIds = [...touchedRecords].filter(([, kinds]) => !kinds.includes('D')).map(([id]) => id);
  const records = presentIds.length > 0 ? await topic.read(ctx, presentIds) : new Map<number, FoundRecord>();
  const removedIds = presentIds.filter(
    (id) => !records.has(id) && mayKnowRecord(followedTopic.reach, isOpen, id),
  );
  const readable = removedIds.length > 0 ? await topic.findReadable(ctx, removedIds) : new Set<number>();
  const result: PendingChange[] = [];
  for (const [id, kinds] of touchedRecords) {
    const record = { id, kinds, record: records.get(id), isReadable: readable.has(id) };
    const change = buildChange(followedTopic, isOpen, record);
    if (change) result.push(change);
  }
  const recordChanges = result.filter((change) => change.kind !== 'RESYNC');
  if (recordChanges.length === result.length) return result;
  await rememberRecords(ctx, followedTopic);
  return [...recordChanges, buildResyncChange(topic)];
}

/** Builds the event that tells subscribers to reload one topic, or all topics if null. */
export const buildResyncChange = (topic: Topic | null): PendingChange => ({
  kind: 'RESYNC',
  topic,
  key: null,
  row: null,
});

/** Remembers the matching records, which subscribers also load when they start or reload. */
export async function rememberRecords(ctx: Ctx, followedTopic: FollowedTopic): Promise<void> {
  const { topic } = followedTopic;
  const isOpen = topic.isOpen(ctx);
  if (!needsKnownRecords(topic, isOpen)) {
    followedTopic.reach = null;
    return;
  }
  followedTopic.reach = null;
  const most = Math.min(MAX_KNOWN_TOPIC_RECORDS, followedTopic.getCapacity());
  const first = most > 0 ? await topic.reach(ctx, most + 1) : [];
  // A caller who may see every deletion does not need an incomplete list.
  const isUseless = most <= 0 || (isOpen && first.length > most);
  followedTopic.reach = isUseless ? new KnownRecords([], false, most) : new KnownRecords(first, true, most);
}

export const needsKnownRecords = (topic: Topic, isOpen: boolean): boolean =>
  !topic.isLog && (!isOpen || topic.isNarrow);

/** Collects the kinds of changes by record id, in the order of each record's last change. */
function collectTouchedRecords(changes: LoggedChange[]): Map<number, string> {
  const touchedRecords = new Map<number, string>();
  for (const { ids, kind } of changes) {
    for (const id of ids) {
      const before = touchedRecords.get(id) ?? '';
      touchedRecords.delete(id);
      touchedRecords.set(id, before + kind);
    }
  }
  return touchedRecords;
}

const mayKnowRecord = (reach: KnownRecords | null, isOpen: boolean, id: number): boolean =>
  reach !== null && (reach.has(id) || (isOpen && !reach.isComplete));

interface TouchedRecord {
  id: number;
  /** Kinds of the record's changes, in order, such as `CU`. */
  kinds: string;
  record: FoundRecord | undefined;
  /** True if the caller may read the record even though it does not match. */
  isReadable: boolean;
}

function buildChange(
  { topic, reach }: FollowedTopic,
  isOpen: boolean,
  { id, kinds, record, isReadable }: TouchedRecord,
): PendingChange | null {
  if (record) {
    const isNew = reach?.isComplete && !reach.has(id);
    reach?.add(id, record.key);
    const kind = kinds.includes('C') ? 'CREATED' : isNew ? 'ENTERED' : 'UPDATED';
    return { kind, topic, key: record.key, row: record.row };
  }
  const buildDeletion = (key: string): PendingChange => ({
    kind: isReadable ? 'LEFT' : 'DELETED',
    topic,
    key,
    row: null,
  });
  const removedKey = reach?.leave(id);
  if (removedKey !== undefined) return buildDeletion(removedKey);
  // Subscribers have not seen a record that was created since the last poll.
  if (topic.isLog || reach?.isComplete || kinds.includes('C')) return null;
  if (!isOpen) return buildResyncChange(topic);
  // Without conditions, a record is missing only if it was deleted. If the deletion has not been read yet, the next
  // poll reads it.
  return reach || kinds.includes('D') ? buildDeletion(String(id)) : null;
}
