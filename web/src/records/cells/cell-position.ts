export interface CellPosition {
  row: number;
  column: number;
}

export type CellDirection = 'down' | 'next' | 'previous';

/** Number of rows that Page Up and Page Down move. */
const PAGE_ROWS = 10;

type Step = (position: CellPosition, last: CellPosition) => CellPosition;

const KEY_STEPS: Record<string, Step> = {
  ArrowDown: ({ row, column }) => ({ row: row + 1, column }),
  ArrowUp: ({ row, column }) => ({ row: row - 1, column }),
  ArrowRight: ({ row, column }) => ({ row, column: column + 1 }),
  ArrowLeft: ({ row, column }) => ({ row, column: column - 1 }),
  PageDown: ({ row, column }) => ({ row: row + PAGE_ROWS, column }),
  PageUp: ({ row, column }) => ({ row: row - PAGE_ROWS, column }),
  Home: ({ row }) => ({ row, column: 0 }),
  End: ({ row }, { column }) => ({ row, column }),
  'Control Home': () => ({ row: 0, column: 0 }),
  'Control End': (_at, last) => last,
};

const MIRRORED_KEYS: Record<string, string> = { ArrowLeft: 'ArrowRight', ArrowRight: 'ArrowLeft' };

export function moveCellPosition(
  { key, ctrlKey, metaKey }: { key: string; ctrlKey: boolean; metaKey: boolean },
  position: CellPosition,
  last: CellPosition,
  isMirrored = false,
): CellPosition | undefined {
  const unmirroredKey = isMirrored ? (MIRRORED_KEYS[key] ?? key) : key;
  const next = KEY_STEPS[ctrlKey || metaKey ? `Control ${unmirroredKey}` : unmirroredKey]?.(position, last);
  if (!next) return undefined;
  const clamp = (value: number, max: number) => Math.max(0, Math.min(max, value));
  return { row: clamp(next.row, last.row), column: clamp(next.column, last.column) };
}

/** Returns the cell to focus after an edit. */
export function getNextCell(
  { row, column }: CellPosition,
  direction: CellDirection,
  last: CellPosition,
): CellPosition {
  if (direction === 'down') return { row: Math.min(last.row, row + 1), column };
  const next = column + (direction === 'next' ? 1 : -1);
  return { row, column: Math.max(0, Math.min(last.column, next)) };
}
