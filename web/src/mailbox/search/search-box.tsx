import './search.css';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useShortcuts } from '../../shell/keys/shortcuts.ts';
import { Icon } from '../../ui/icon.tsx';
import { isFeatureOn, type MailState } from '../address.ts';
import type { MailLocation } from '../mail-location.ts';
import { findTypedTerm, parseParts, removePart, type SearchPart } from './grammar.ts';
import { loadRecentSearches, rememberSearch } from './recent-searches.ts';
import { searchStrings } from './strings.ts';
import { type Suggestion, useSearchSuggestions } from './suggestions.ts';

interface SearchBoxProps {
  location: MailLocation;
  state: MailState;
  q: string | undefined;
  onSearch(q: string | undefined): void;
}

/** Search field of a list, with completions while typing and removable chips for the operators. */
export function SearchBox({ location, state, q, onSearch }: SearchBoxProps) {
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(q ?? '');
  const [cursor, setCursor] = useState(0);
  const [isOpen, setIsOpen] = useState(false);
  const [selected, setSelected] = useState(-1);
  const [recent, setRecent] = useState<string[]>([]);
  useEffect(() => setText(q ?? ''), [q]);
  useShortcuts([{ keys: '/', label: searchStrings.search, run: () => field.current?.focus() }]);
  const canOperate = isFeatureOn(state, 'mail.search');
  const term = canOperate && isOpen ? findTypedTerm(text, cursor) : null;
  const completions = useSearchSuggestions(term, state, location);
  const isFirst = text.trim() === '';
  const before = isFirst ? recent.map((item): Suggestion => ({ text: item, about: '' })) : [];
  const offers = isOpen ? (isFirst ? before : completions) : [];
  const write = (next: string, index: number) => {
    setText(next);
    setCursor(index);
    setSelected(-1);
    setIsOpen(true);
  };
  const search = (query: string) => {
    const next = query.trim();
    setText(next);
    setIsOpen(false);
    setSelected(-1);
    onSearch(next || undefined);
    if (next) void rememberSearch(next);
  };
  const acceptSuggestion = ({ text: offered }: Suggestion) => {
    if (isFirst) return search(offered);
    const from = term?.from ?? cursor;
    const rest = text.slice(cursor).replace(/^"?\s*/, '');
    write(text.slice(0, from) + offered + rest, from + offered.length);
    field.current?.focus();
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    const offer = offers[selected];
    if (step && offers.length > 0) setSelected((selected + step + offers.length) % offers.length);
    else if ((event.key === 'Enter' || event.key === 'Tab') && offer) acceptSuggestion(offer);
    else if (event.key === 'Escape' && offers.length > 0) setIsOpen(false);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    search(text);
  };
  return (
    <search className="mail-search">
      <form onSubmit={submit}>
        <label htmlFor={id} className="sr">
          {searchStrings.search}
        </label>
        <input
          ref={field}
          id={id}
          type="search"
          value={text}
          placeholder={searchStrings.hint}
          enterKeyHint="search"
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          role="combobox"
          aria-autocomplete="list"
          aria-expanded={offers.length > 0}
          aria-controls={`${id}-offers`}
          aria-activedescendant={selected >= 0 ? `${id}-${selected}` : undefined}
          onChange={({ target }) => {
            write(target.value, target.selectionStart ?? target.value.length);
            // The field's clear button also clears the search.
            if (target.value === '' && q) onSearch(undefined);
          }}
          onSelect={({ currentTarget }) => setCursor(currentTarget.selectionStart ?? 0)}
          onFocus={() => void loadRecentSearches().then(setRecent)}
          onClick={() => setIsOpen(true)}
          onKeyDown={press}
          onBlur={() => setIsOpen(false)}
        />
        <div
          id={`${id}-offers`}
          className="search-offers"
          role="listbox"
          aria-label={isFirst ? searchStrings.recentSearches : searchStrings.suggestions}
          hidden={offers.length === 0}
        >
          {offers.map((offer, index) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles keys
            <div
              key={offer.text}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === selected}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => acceptSuggestion(offer)}
            >
              <span>{offer.text.trim()}</span> <span className="quiet small">{offer.about}</span>
            </div>
          ))}
        </div>
      </form>
      {canOperate && q && <Chips parts={parseParts(q)} onSearch={onSearch} />}
    </search>
  );
}

interface ChipsProps {
  parts: readonly SearchPart[];
  onSearch(q: string | undefined): void;
}

function Chips({ parts, onSearch }: ChipsProps) {
  if (!parts.some(({ chip }) => chip)) return null;
  return (
    <ul className="search-chips">
      {parts.map(({ chip, text }, index) => {
        if (!chip) return null;
        const label = `${searchStrings.operators[chip.operator]}: ${chip.value}`;
        const name = chip.isNegated ? searchStrings.negated(label) : label;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same part can occur twice
          <li key={`${index} ${text}`} className="search-chip small">
            <bdi>{name}</bdi>
            <button
              type="button"
              aria-label={searchStrings.removePart(name)}
              onClick={() => onSearch(removePart(parts, index) || undefined)}
            >
              <Icon name="close" />
            </button>
          </li>
        );
      })}
    </ul>
  );
}
