import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef } from 'react';

interface VisibleRowsOptions {
  count: number;
  rowHeight: number;
  /** Called with the range of visible rows, which should be loaded. */
  onRange(first: number, last: number): void;
}

/** Renders only the visible rows, and reports their range. */
export function useVisibleRows({ count, rowHeight, onRange }: VisibleRowsOptions) {
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
  return { box, rows, first, last };
}
