/** What a stream says: a null topic is for all. */
export interface LiveChange {
  topic: string | null;
  kind: 'CREATED' | 'UPDATED' | 'DELETED' | 'RESYNC';
  id: string | null;
}

/** What the other tabs follow. */
export type TopicsOfTabs = Map<string, string[]>;

/** The most that the server takes on one stream. */
const MOST = 20;

/** What the stream has to follow for all tabs, its own first; always in the same order. Pure. */
export function mergedTopics(own: Iterable<string>, others: TopicsOfTabs): string[] {
  const all = new Set([...own, ...[...others.values()].flat()]);
  return [...all].slice(0, MOST).sort();
}
