import type { CSSProperties, ReactNode } from 'react';

interface SuggestionListProps<Item> {
  /** Id of the combobox. The ids of the list and its options are derived from it. */
  id: string;
  label: string;
  className?: string;
  style?: CSSProperties;
  items: readonly Item[];
  selected: number;
  getKey(item: Item): string;
  renderItem(item: Item): ReactNode;
  onChoose(item: Item): void;
}

/** Suggestions of a combobox (ARIA listbox). The input keeps the focus and handles the keys. */
export const SuggestionList = <Item,>(props: SuggestionListProps<Item>) => (
  <div
    id={`${props.id}-list`}
    className={`suggestion-list ${props.className ?? ''}`}
    style={props.style}
    role="listbox"
    aria-label={props.label}
    hidden={props.items.length === 0}
  >
    {props.items.map((item, index) => (
      // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
      <div
        key={props.getKey(item)}
        id={`${props.id}-${index}`}
        role="option"
        tabIndex={-1}
        aria-selected={index === props.selected}
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => props.onChoose(item)}
      >
        {props.renderItem(item)}
      </div>
    ))}
  </div>
);

/** Returns the properties for a `SuggestionList`'s input. */
export const getComboboxProps = (id: string, count: number, selected: number) =>
  ({
    id,
    role: 'combobox',
    autoComplete: 'off',
    autoCapitalize: 'off',
    spellCheck: false,
    'aria-autocomplete': 'list',
    'aria-expanded': count > 0,
    'aria-controls': `${id}-list`,
    'aria-activedescendant': selected >= 0 ? `${id}-${selected}` : undefined,
  }) as const;

/** Returns the suggestion that an arrow key selects, wrapping around at both ends, or undefined for other keys. */
export function stepSelection(key: string, selected: number, count: number): number | undefined {
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : 0;
  if (!step || count === 0) return undefined;
  return (Math.max(selected, step < 0 ? 0 : -1) + step + count) % count;
}
