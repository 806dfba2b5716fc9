import { useEffect, useState } from 'react';
import { useShortcuts } from './shortcuts.ts';

interface RowKeysOptions {
  /** What the list shows: another one begins at its top. */
  asked: object;
  total: number | null;
  /** Whether a row is open beside the list: then the next one is opened as well. */
  isOpen: boolean;
  open(index: number): void;
  strings: { next: string; previous: string; open: string };
}

/** The row that keys are about: `j` and `k` go down and up, `o` opens. */
export function useRowKeys({ asked, total, isOpen, open, strings }: RowKeysOptions): {
  active: number;
  setActive(index: number): void;
  openRow(index: number): void;
} {
  const [active, setActive] = useState(0);
  const list = JSON.stringify(asked);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another list begins at its top
  useEffect(() => setActive(0), [list]);
  const openRow = (index: number) => {
    setActive(index);
    open(index);
  };
  const step = (by: number) => {
    const next = Math.max(0, Math.min((total ?? 1) - 1, active + by));
    if (isOpen) openRow(next);
    else setActive(next);
  };
  useShortcuts([
    { keys: 'j', label: strings.next, run: () => step(1) },
    { keys: 'k', label: strings.previous, run: () => step(-1) },
    { keys: 'o', label: strings.open, run: () => openRow(active) },
  ]);
  return { active, setActive, openRow };
}
