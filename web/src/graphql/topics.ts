/** What a stream says: a null topic is for all. */
export interface LiveChange {
  topic: string | null;
  kind: 'CREATED' | 'UPDATED' | 'DELETED' | 'RESYNC';
  id: string | null;
}

/** What the other tabs follow. */
export type TopicsByTab = Map<string, string[]>;

/** The most that the server takes on one stream. */
const MAX_TOPICS = 20;

/** What the stream has to follow for all tabs, its own first; always in the same order. Pure. */
export function mergeTopics(own: Iterable<string>, others: TopicsByTab): string[] {
  const all = new Set([...own, ...[...others.values()].flat()]);
  return [...all].slice(0, MAX_TOPICS).sort();
}
