import { type RefObject, useRef } from 'react';
import { catchFailure } from '../../graphql/request-error.ts';
import { closeToast, showErrorToast, showToast } from '../../ui/toasts.tsx';
import { getFieldKey } from '../model.ts';
import type { Measure } from '../pivot/measures.ts';
import { viewStrings } from '../view-strings.ts';
import { type CardPosition, type Column, findCard, moveCard } from './board.ts';
import { type BoardQuery, writeMove } from './board-requests.ts';

interface CardMovesOptions {
  query: RefObject<BoardQuery>;
  board: RefObject<Column[]>;
  running: RefObject<number>;
  isOrdered: boolean;
  show(columns: Column[]): void;
  load(): Promise<void>;
}

/** Moves cards optimistically. An error moves a card back. */
export function useCardMoves({ query, board, running, isOrdered, show, load }: CardMovesOptions) {
  const lastMove = useRef<{ id: string; from: CardPosition } | null>(null);
  /** Resolves to true if the server accepted the move. */
  const applyMove = async (id: string, to: CardPosition): Promise<boolean> => {
    const from = findCard(board.current, id);
    if (!from || (from.column === to.column && from.at === to.at)) return false;
    const amount = getAmount(query.current.figure, board.current, from);
    show(moveCard(board.current, id, to, amount));
    running.current += 1;
    try {
      const numberedColumns = isOrdered ? board.current : null;
      const failure = await catchFailure(() => writeMove(query.current, id, from, to, numberedColumns));
      if (!failure) return true;
      show(moveCard(board.current, id, from, amount));
      showErrorToast(failure.message);
      return false;
    } finally {
      running.current -= 1;
      void load();
    }
  };
  const undo = () => {
    const moved = lastMove.current;
    lastMove.current = null;
    closeToast(MOVE_TOAST);
    if (moved) void applyMove(moved.id, moved.from);
  };
  const move = async (id: string, to: CardPosition) => {
    const from = findCard(board.current, id);
    if (!from || !(await applyMove(id, to))) return;
    lastMove.current = { id, from };
    showToast(viewStrings.moved, { id: MOVE_TOAST, label: viewStrings.undo, run: undo });
  };
  return { move, undo };
}

/** Only the last move can be undone. */
const MOVE_TOAST = 'card-move';

/** Returns the amount that a card contributes to its column's sum. */
function getAmount(figure: Measure | null, columns: Column[], { column, at }: CardPosition): number {
  const card = columns.find(({ id }) => id === column)?.cards[at];
  return figure?.field && card ? Number(card[getFieldKey(figure.field)!] ?? 0) : 0;
}
