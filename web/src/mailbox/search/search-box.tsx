import './search.css';
import { type ChangeEvent, type FormEvent, useId } from 'react';
import { getComboboxProps, SuggestionList } from '../../ui/form/suggestion-list.tsx';
import { Icon } from '../../ui/icon.tsx';
import { parseParts, removePart, type SearchPart } from './grammar.ts';
import { searchStrings } from './strings.ts';
import { type SearchInputOptions, useSearchInput } from './use-search-input.ts';

/** A search field with completions, and with removable chips for operators. */
export function SearchBox(props: SearchInputOptions) {
  const { q, onSearch } = props;
  const id = useId();
  const { field, input, dispatch, hasOperators, isEmpty, suggestions, ...typing } = useSearchInput(props);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    typing.search(input.text);
  };
  const write = ({ target }: ChangeEvent<HTMLInputElement>) => {
    dispatch({ kind: 'write', text: target.value, cursor: target.selectionStart ?? target.value.length });
    // The input's clear button also clears the search.
    if (target.value === '' && q) onSearch(undefined);
  };
  return (
    <search className="mail-search">
      <form className="field" onSubmit={submit}>
        <label htmlFor={id} className="sr">
          {searchStrings.search}
        </label>
        <input
          ref={field}
          type="search"
          value={input.text}
          placeholder={searchStrings.hint}
          enterKeyHint="search"
          {...getComboboxProps(id, suggestions.length, input.selected)}
          onChange={write}
          onSelect={({ currentTarget }) =>
            dispatch({ kind: 'move-cursor', cursor: currentTarget.selectionStart ?? 0 })
          }
          onFocus={typing.loadRecent}
          onClick={() => dispatch({ kind: 'open' })}
          onKeyDown={typing.press}
          onBlur={() => dispatch({ kind: 'close' })}
        />
        <SuggestionList
          id={id}
          label={isEmpty ? searchStrings.recentSearches : searchStrings.suggestions}
          className="search-offers"
          items={suggestions}
          selected={input.selected}
          getKey={({ text }) => text}
          renderItem={({ text, about }) => (
            <>
              <span>{text.trim()}</span> <span className="quiet small">{about}</span>
            </>
          )}
          onChoose={typing.accept}
        />
      </form>
      {hasOperators && q && <Chips parts={parseParts(q)} onSearch={onSearch} />}
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
          <li key={`${index} ${text}`} className="chip small">
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
