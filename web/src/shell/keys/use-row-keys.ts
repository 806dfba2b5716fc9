import { useEffect, useState } from 'react';
import { useShortcuts } from './shortcuts.ts';

interface RowKeysOptions {
  /** Identifies the list. A different value selects the first row. */
  queryVariables: object;
  total: number | null;
  /** True if a row is open next to the list. Selecting another row then opens it. */
  isOpen: boolean;
  open(index: number): void;
  strings: { next: string; previous: string; open: string };
}

/** Adds keys to a list: `j` and `k` select the next and previous row, and `o` opens the row. */
export function useRowKeys({ queryVariables, total, isOpen, open, strings }: RowKeysOptions): {
  active: number;
  setActive(index: number): void;
  openRow(index: number): void;
} {
  const [active, setActive] = useState(0);
  const list = JSON.stringify(queryVariables);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of the list resets the active row
  useEffect(() => setActive(0), [list]);
  const openRow = (index: number) => {
    setActive(index);
    open(index);
  };
  const moveBy = (delta: number) => {
    const next = Math.max(0, Math.min((total ?? 1) - 1, active + delta));
    if (isOpen) openRow(next);
    else setActive(next);
  };
  useShortcuts([
    { keys: 'j', label: strings.next, run: () => moveBy(1) },
    { keys: 'k', label: strings.previous, run: () => moveBy(-1) },
    { keys: 'o', label: strings.open, run: () => openRow(active) },
  ]);
  return { active, setActive, openRow };
}
