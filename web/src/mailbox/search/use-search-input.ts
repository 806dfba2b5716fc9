import { type KeyboardEvent, useEffect, useReducer, useRef, useState } from 'react';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { stepSelection } from '../../ui/form/suggestion-list.tsx';
import { isFeatureOn, type MailState } from '../address.ts';
import type { MailLocation } from '../mail-location.ts';
import { findTypedTerm } from './grammar.ts';
import { loadRecentSearches, rememberSearch } from './recent-searches.ts';
import { createSearchInput, reduceSearchInput } from './search-input.ts';
import { searchStrings } from './strings.ts';
import { type Suggestion, useSearchSuggestions } from './suggestions.ts';

export interface SearchInputOptions {
  location: MailLocation;
  state: MailState;
  q: string | undefined;
  onSearch(q: string | undefined): void;
}

/** Manages the search input: offers recent searches while it is empty, and completions for the typed term. */
export function useSearchInput({ location, state, q, onSearch }: SearchInputOptions) {
  const field = useRef<HTMLInputElement>(null);
  const [input, dispatch] = useReducer(reduceSearchInput, q ?? '', createSearchInput);
  const [recent, setRecent] = useState<string[]>([]);
  useEffect(() => dispatch({ kind: 'follow', query: q ?? '' }), [q]);
  useShortcuts([{ keys: '/', label: searchStrings.search, run: () => field.current?.focus() }]);
  const { text, cursor, isOpen, selected } = input;
  const hasOperators = isFeatureOn(state, 'mail.search');
  const term = hasOperators && isOpen ? findTypedTerm(text, cursor) : null;
  const completions = useSearchSuggestions(term, state, location);
  const isEmpty = text.trim() === '';
  const offered = isEmpty ? recent.map((item): Suggestion => ({ text: item, about: '' })) : completions;
  const suggestions = isOpen ? offered : [];
  const search = (typed: string) => {
    const query = typed.trim();
    dispatch({ kind: 'search', query });
    onSearch(query || undefined);
    if (query) void rememberSearch(query);
  };
  const accept = ({ text: suggestion }: Suggestion) => {
    if (isEmpty) return search(suggestion);
    dispatch({ kind: 'complete', from: term?.from ?? cursor, suggestion });
    field.current?.focus();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const next = stepSelection(event.key, selected, suggestions.length);
    const suggestion = suggestions[selected];
    if (next !== undefined) dispatch({ kind: 'select', index: next });
    else if ((event.key === 'Enter' || event.key === 'Tab') && suggestion) accept(suggestion);
    else if (event.key === 'Escape' && suggestions.length > 0) dispatch({ kind: 'close' });
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const loadRecent = () => void loadRecentSearches().then(setRecent);
  return { field, input, dispatch, hasOperators, isEmpty, suggestions, search, accept, press, loadRecent };
}
