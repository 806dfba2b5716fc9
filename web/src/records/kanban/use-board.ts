import { useCallback, useEffect, useRef, useState } from 'react';
import { useReloadOnChange } from '../../graphql/live.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import type { RecordsView } from '../address.ts';
import { findPictureField, findSequenceField } from '../board-fields.ts';
import { type FieldDescription, getFieldKey, type ModelDescription } from '../model.ts';
import type { Measure } from '../pivot/measures.ts';
import { addCards, type Column } from './board.ts';
import { type BoardQuery, buildBoardVariables, loadBoard, loadMoreCards } from './board-requests.ts';
import { useCardMoves } from './use-card-moves.ts';

interface BoardOptions {
  model: ModelDescription;
  view: RecordsView;
  field: FieldDescription;
  figure: Measure | null;
  fields: FieldDescription[];
}

/** Loads a board's cards by column, and moves them. */
export function useBoard({ model, view, field, figure, fields }: BoardOptions) {
  const [columns, setColumns] = useState<Column[] | null>(null);
  const [refusal, setRefusal] = useState<RequestFailure | null>(null);
  const sequence = findSequenceField(model);
  const numbered = sequence && view.order === undefined ? sequence : null;
  const queryVariables = buildBoardVariables(model, view, numbered);
  const extraFields = [figure?.field, sequence, findPictureField(model)].filter((item) => item != null);
  const cardFields = [...new Set([...fields, ...extraFields])];
  const query = useRef<BoardQuery>(null!);
  query.current = { model, view, field, figure, cardFields, queryVariables };
  const board = useRef<Column[]>([]);
  const round = useRef(0);
  const running = useRef(0);
  const show = useCallback((next: Column[]) => {
    board.current = next;
    setColumns(next);
  }, []);
  const load = useCallback(async () => {
    const mine = ++round.current;
    try {
      const next = await loadBoard(query.current, board.current);
      // Ignores a response that was requested before a move or for another query.
      if (round.current !== mine || running.current > 0) return;
      show(next);
      setRefusal(null);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (round.current === mine) setRefusal(error.failure);
    }
  }, [show]);
  const key = JSON.stringify([queryVariables, getFieldKey(field), figure?.key, cardFields.map(getFieldKey)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the board
  useEffect(() => {
    board.current = [];
    setColumns(null);
    void load();
  }, [key, load]);
  useReloadOnChange(model.name, () => void load());
  const more = async (column: Column) => {
    const cards = await loadMoreCards(query.current, column);
    show(board.current.map((item) => (item.id === column.id ? addCards(item, cards) : item)));
  };
  const isOrdered = numbered !== null;
  const moves = useCardMoves({ query, board, running, isOrdered, show, load });
  return { columns, refusal, isOrdered, load, more, ...moves };
}
