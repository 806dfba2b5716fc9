import { loadUiState, saveUiStateQuietly } from '../../shell/ui-state.ts';

/** The name under which the server keeps them for a person. */
const SETTING_NAME = 'mail.searches';
const MAX_RECENT_SEARCHES = 8;

/** With a search in front, each once. Pure. */
export const addRecent = (recent: readonly string[], search: string): string[] =>
  [search, ...recent.filter((each) => each !== search)].slice(0, MAX_RECENT_SEARCHES);

/** What the person has searched for before, the latest first. */
export async function loadRecentSearches(): Promise<string[]> {
  const stored = await loadUiState(SETTING_NAME);
  return Array.isArray(stored) ? stored.filter((each) => typeof each === 'string') : [];
}

/** Remembers a search; that it cannot be is no reason not to search. */
export async function rememberSearch(search: string): Promise<void> {
  const recent = await loadRecentSearches();
  if (recent[0] !== search) await saveUiStateQuietly(SETTING_NAME, addRecent(recent, search));
}
