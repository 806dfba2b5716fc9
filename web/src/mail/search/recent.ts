import { change, client } from '../../graphql/client.ts';
import { Refused } from '../../graphql/refusal.ts';
import { MailSearchesKeepDocument, MailSearchesKeptDocument } from './generated.ts';

/** The name under which the server keeps them for a person. */
const NAME = 'mail.searches';
const MOST = 8;

/** With a search in front, each once. Pure. */
export const withRecent = (recent: readonly string[], search: string): string[] =>
  [search, ...recent.filter((each) => each !== search)].slice(0, MOST);

/** What the person has searched for before, the latest first. */
export async function recentSearches(): Promise<string[]> {
  // What is remembered in another tab, or by the change below, is not in the cache.
  const asked = client.query(MailSearchesKeptDocument, {}, { requestPolicy: 'network-only' });
  const { data } = await asked.toPromise();
  const kept = (data?.uiState.values as Record<string, unknown> | undefined)?.[NAME];
  return Array.isArray(kept) ? kept.filter((each) => typeof each === 'string') : [];
}

/** Remembers a search; that it cannot be is no reason not to search. */
export async function rememberSearch(search: string): Promise<void> {
  const recent = await recentSearches();
  if (recent[0] === search) return;
  try {
    await change(MailSearchesKeepDocument, { values: { [NAME]: withRecent(recent, search) } });
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
  }
}
