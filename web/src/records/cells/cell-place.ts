/** A cell of a grid by its row and column, from zero. */
export interface CellPlace {
  row: number;
  column: number;
}

/** Where one goes on after a cell. */
export type CellWay = 'down' | 'next' | 'previous';

/** Rows that a page key goes over. */
const PAGE = 10;

type Step = (at: CellPlace, last: CellPlace) => CellPlace;

const STEPS: Record<string, Step> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  PageDown: ({ row, column }) => ({ row: row + PAGE, column }),
  PageUp: ({ row, column }) => ({ row: row - PAGE, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, { column }) => ({ row, column }),
  'Control Home': () => ({ row: 0, column: 0 }),
  'Control End': (_at, last) => last,
};

const MIRRORED: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

/** The cell that a key leads to; undefined for keys that move nothing. Pure. */
export function cellAt(
  { key, ctrlKey, metaKey }: { key: string; ctrlKey: boolean; metaKey: boolean },
  at: CellPlace,
  last: CellPlace,
  isMirrored = false,
): CellPlace | undefined {
  const plain = isMirrored ? (MIRRORED[key] ?? key) : key;
  const next = STEPS[ctrlKey || metaKey ? `Control ${plain}` : plain]?.(at, last);
  if (!next) return undefined;
  const within = (value: number, most: number) => Math.max(0, Math.min(most, value));
  return { row: within(next.row, last.row), column: within(next.column, last.column) };
}
