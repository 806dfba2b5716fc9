import { askKept, keepQuietly } from '../../shell/kept.ts';

/** The name under which the server keeps them for a person. */
const NAME = 'mail.searches';
const MOST = 8;

/** With a search in front, each once. Pure. */
export const withRecent = (recent: readonly string[], search: string): string[] =>
  [search, ...recent.filter((each) => each !== search)].slice(0, MOST);

/** What the person has searched for before, the latest first. */
export async function recentSearches(): Promise<string[]> {
  const kept = await askKept(NAME);
  return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
}

/** Remembers a search; that it cannot be is no reason not to search. */
export async function rememberSearch(search: string): Promise<void> {
  const recent = await recentSearches();
  if (recent[0] !== search) await keepQuietly(NAME, withRecent(recent, search));
}
