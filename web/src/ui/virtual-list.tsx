import './virtual-list.css';
import { useVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef } from 'react';

export interface VirtualListProps {
  label: string;
  /** Of the whole list, of which a few rows are in the page. */
  count: number;
  rowHeight: number;
  /** The row that keys move, by its index. */
  active: number;
  /** The row that is open beside the list; none is -1. */
  selected: number;
  onActive(index: number): void;
  onOpen(index: number): void;
  /** Rows in sight, to be loaded. */
  onRange(first: number, last: number): void;
  /** What stands in a row; it holds no buttons. Undefined while it is loading. */
  renderRow(index: number): ReactNode | undefined;
  /** Of a list in which several rows can be chosen at once. */
  choice?: RowSelection;
}

/**
 * Rows that are chosen for what is to be done to them: Space, or a click with Ctrl or on what a row marks with
 * `data-pick`; further ones with Shift; all with Ctrl A, none with Escape.
 */
export interface RowSelection {
  isSelected(index: number): boolean;
  /** @param from the row that all up to it are chosen from; null for it alone, which is left where it was chosen */
  select(index: number, from: number | null): void;
  selectAll?(): void;
  clear(): void;
}

/** A long list with one tab stop: arrows, Home, End and pages move in it, Enter opens (ARIA listbox). */
export function VirtualList(props: VirtualListProps) {
  const { label, count, rowHeight, active, selected, onActive, onOpen, onRange, renderRow, choice } = props;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
  });
  useEffect(() => {
    if (rowHeight > 0) rows.measure();
  }, [rowHeight, rows]);
  const items = rows.getVirtualItems();
  const first = items[0]?.index ?? 0;
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => onRange(first, last), [first, last, onRange]);
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
        {items.map(({ index, start }) => {
          const row = renderRow(index);
          const isOpen = index === selected;
          const look = `${index === active ? ' active' : ''}${isOpen ? ' open' : ''}`;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys are those of the list, which holds the focus
            <div
              key={index}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              className={`row${look}${row === undefined ? ' ghost' : ''}`}
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

/** @returns whether a key has chosen something */
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

/** The row that a key leads to; undefined for keys that move nothing. Pure. */
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
