/** An event in the stream. A null topic addresses all subscribers. */
export interface LiveChange {
  topic: string | null;
  kind: 'CREATED' | 'ENTERED' | 'UPDATED' | 'LEFT' | 'DELETED' | 'RESYNC';
  id: string | null;
}

/** Topics that the other tabs subscribe to, by tab. */
export type TopicsByTab = Map<string, string[]>;

/** Maximum number of topics per stream on the server. */
const MAX_TOPICS = 20;

/** Merges the topics of all tabs for the stream. This tab's topics have priority. The order is stable. */
export function mergeTopics(ownTopics: Iterable<string>, otherTab: TopicsByTab): string[] {
  const all = new Set([...ownTopics, ...[...otherTab.values()].flat()]);
  return [...all].slice(0, MAX_TOPICS).sort();
}
