import { type CellPosition, moveCellPosition } from './cell-position.ts';

interface CellKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

/** `isHandled` prevents the browser's default action. */
type CellKeyAction =
  | { type: 'edit'; isHandled: boolean }
  | { type: 'focus'; to: CellPosition; isHandled: true }
  /** Follows the cell's link. */
  | { type: 'open'; isHandled: false }
  | { type: 'none'; isHandled: boolean };

interface CellContext {
  position: CellPosition;
  last: CellPosition;
  /** True if the cell contains a checkbox, which only Space toggles. */
  isBoolean: boolean;
  /** True for right-to-left text. */
  isMirrored: boolean;
}

/** Returns the action for a key in a focused cell. Column 0 contains the link to the record. */
export function getCellKeyAction(
  event: CellKey,
  { position, last, isBoolean, isMirrored }: CellContext,
): CellKeyAction {
  const { key } = event;
  const isValue = position.column > 0;
  if ((key === 'Enter' || key === 'F2') && isValue) return { type: 'edit', isHandled: true };
  if (isValue && isTyping(event)) {
    if (key === ' ') return { type: 'edit', isHandled: true };
    // The focus moves to the input during the event, so that the browser types the character there.
    return { type: isBoolean ? 'none' : 'edit', isHandled: false };
  }
  // Otherwise, the browser would select the text of the whole page.
  if (key === 'a' && (event.ctrlKey || event.metaKey)) return { type: 'none', isHandled: true };
  if (key === 'Enter') return { type: 'open', isHandled: false };
  const to = moveCellPosition(event, position, last, isMirrored);
  return to ? { type: 'focus', to, isHandled: true } : { type: 'none', isHandled: false };
}

const isTyping = ({ key, ctrlKey, metaKey, altKey }: CellKey): boolean =>
  key.length === 1 && !ctrlKey && !metaKey && !altKey;
