/** An event of the stream. A null topic addresses all subscribers. */
export interface LiveChange {
  topic: string | null;
  kind: 'CREATED' | 'ENTERED' | 'UPDATED' | 'LEFT' | 'DELETED' | 'RESYNC';
  id: string | null;
}

export type TopicsByTab = Map<string, string[]>;

/** Maximum number of topics per stream that the server accepts. */
const MAX_TOPICS = 20;

/** Merges the topics of all tabs in a stable order. This tab's topics have priority. */
export function mergeTopics(ownTopics: Iterable<string>, otherTab: TopicsByTab): string[] {
  const all = new Set([...ownTopics, ...[...otherTab.values()].flat()]);
  return [...all].slice(0, MAX_TOPICS).sort();
}
