import { loadUiState, saveUiStateQuietly } from '../../shell/ui-state.ts';

const SETTING_NAME = 'mail.searches';
const MAX_RECENT_SEARCHES = 8;

/** Moves a search to the front, or adds it there. */
const addRecentSearch = (recent: readonly string[], search: string): string[] =>
  [search, ...recent.filter((item) => item !== search)].slice(0, MAX_RECENT_SEARCHES);

export async function loadRecentSearches(): Promise<string[]> {
  const stored = await loadUiState(SETTING_NAME);
  return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
}

/** Stores a search. Ignores errors, which must not prevent the search. */
export async function rememberSearch(search: string): Promise<void> {
  const recent = await loadRecentSearches();
  if (recent[0] !== search) await saveUiStateQuietly(SETTING_NAME, addRecentSearch(recent, search));
}
