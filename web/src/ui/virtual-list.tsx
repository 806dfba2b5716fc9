import './virtual-list.css';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId } from 'react';
import { useVisibleRows } from './use-visible-rows.ts';
import { useRowHeight } from './view-preferences.ts';

interface VirtualListProps {
  label: string;
  /** Number of rows, including rows that are not rendered. */
  count: number;
  /** Index of the row selected by keyboard. */
  active: number;
  selected: number;
  onActive(index: number): void;
  onOpen(index: number): void;
  /** Called with the range of visible rows, which should be loaded. */
  onRange(first: number, last: number): void;
  /** Renders a row, which must not contain buttons. Returns undefined while the row is loading. */
  renderRow(index: number): ReactNode | undefined;
  /** Enables multiple selection. */
  choice?: RowSelection;
}

/**
 * Selected rows in a list. Space, Ctrl+click or a click on `data-pick` toggles a row. Shift extends the selection,
 * Ctrl+A selects all rows, and Escape clears the selection.
 */
export interface RowSelection {
  isSelected(index: number): boolean;
  select(index: number, from: number | null): void;
  selectAll?(): void;
  clear(): void;
}

/**
 * A long list with a single tab stop (ARIA listbox). Arrow keys, Home, End and page keys move between rows, and Enter
 * opens a row.
 */
export function VirtualList(props: VirtualListProps) {
  const { label, count, active, selected, onActive, onOpen, renderRow, choice } = props;
  const id = useId();
  const rowHeight = useRowHeight();
  const { box, rows } = useVisibleRows({ ...props, rowHeight });
  useEffect(() => {
    if (active < count) rows.scrollToIndex(active);
  }, [active, count, rows]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (choice && handleSelectionKey(choice, event, active)) return event.preventDefault();
    const next = event.key === 'Enter' ? null : moveIndex(event.key, active, count);
    if (next === undefined) return;
    event.preventDefault();
    if (next === null) return onOpen(active);
    if (choice && event.shiftKey) choice.select(next, active);
    onActive(next);
  };
  const onClick = (event: MouseEvent, index: number) => {
    const isPick =
      event.ctrlKey || event.metaKey || (event.target as Element).closest('[data-pick]') !== null;
    if (!choice || !(isPick || event.shiftKey)) return onOpen(index);
    choice.select(index, event.shiftKey ? active : null);
    onActive(index);
  };
  return (
    <div
      ref={box}
      className={choice ? 'virtual-list many' : 'virtual-list'}
      role="listbox"
      aria-multiselectable={choice && true}
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={count > 0 ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
    >
      <div role="presentation" className="sized" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const row = renderRow(index);
          const isOpen = index === selected;
          const className = `${index === active ? ' active' : ''}${isOpen ? ' open' : ''}`;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the focused list handles keys
            <div
              key={index}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              className={`row${className}${row === undefined ? ' ghost' : ''}`}
              aria-selected={choice ? choice.isSelected(index) : isOpen}
              aria-current={choice && isOpen ? true : undefined}
              aria-setsize={count}
              aria-posinset={index + 1}
              aria-busy={row === undefined || undefined}
              style={{ height: rowHeight, transform: `translateY(${start}px)` }}
              onClick={(event) => onClick(event, index)}
            >
              {row ?? <span className="sr">…</span>}
            </div>
          );
        })}
      </div>
    </div>
  );
}

/** @returns true if the key changed the selection */
function handleSelectionKey(
  choice: RowSelection,
  { key, ctrlKey, metaKey }: KeyboardEvent,
  active: number,
): boolean {
  if (key === ' ') choice.select(active, null);
  else if (key === 'Escape') choice.clear();
  else if (key === 'a' && (ctrlKey || metaKey) && choice.selectAll) choice.selectAll();
  else return false;
  return true;
}

const PAGE_ROWS = 10;

/** Returns the row that a key selects, or undefined for other keys. */
export function moveIndex(key: string, from: number, count: number): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: PAGE_ROWS,
    PageUp: -PAGE_ROWS,
    Home: -count,
    End: count,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.max(0, Math.min(count - 1, from + step));
}
