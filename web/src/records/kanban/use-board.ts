import { useCallback, useEffect, useRef, useState } from 'react';
import { runMutation, runQuery } from '../../graphql/client.ts';
import { useReloadOnChange } from '../../graphql/live.ts';
import { RequestError, type RequestFailure } from '../../graphql/request-error.ts';
import { showErrorToast, showToast } from '../../ui/toasts.tsx';
import { type RecordsView, toRecordsVariables } from '../address.ts';
import { findPictureField, findSequenceField, findStageField } from '../board-fields.ts';
import {
  buildListQuery,
  buildUpdateMutation,
  type ListResult,
  type NamedRecord,
  type RecordValues,
  toEnumName,
} from '../document.ts';
import { RecordNamesDocument, RecordResequenceDocument } from '../generated.ts';
import { type FieldDescription, getFieldKey, getInputKey, type ModelDescription } from '../model.ts';
import { buildMeasureSelection, type Measure } from '../pivot/measures.ts';
import { viewStrings } from '../view-strings.ts';
import {
  type BoardGroup,
  buildBoard,
  buildBoardQuery,
  buildCardSelection,
  type CardPosition,
  type Column,
  computeFirstNumber,
  findCard,
  findCurrencyField,
  getSharedCurrency,
  moveCard,
  toColumnFacet,
} from './board.ts';

/** Number of cards loaded per request, and maximum number per column. */
const CARD_BATCH_SIZE = 20;
const MAX_CARDS = 500;
/** Maximum number of empty stages that get a column. */
const MAX_EMPTY_STAGES = 30;

interface BoardOptions {
  model: ModelDescription;
  view: RecordsView;
  field: FieldDescription;
  figure: Measure | null;
  fields: FieldDescription[];
}

/** State of a board: loads cards by column and moves them optimistically. An error moves the card back. */
export function useBoard({ model, view, field, figure, fields }: BoardOptions) {
  const [columns, setColumns] = useState<Column[] | null>(null);
  const [rejection, setRejection] = useState<RequestFailure | null>(null);
  const sequence = findSequenceField(model);
  const numbered = sequence && view.order === undefined ? sequence : null;
  const boardVariables = buildBoardVariables(model, view, numbered);
  const extraFields = [figure?.field, sequence, findPictureField(model)].filter((item) => item != null);
  const boardFields = [...new Set([...fields, ...extraFields])];
  const props = { model, view, field, figure, cardFields: boardFields, queryVariables: boardVariables };
  const latest = useRef(props);
  latest.current = props;
  const board = useRef<Column[]>([]);
  const round = useRef(0);
  const movingObject = useRef(0);
  const show = useCallback((next: Column[]) => {
    board.current = next;
    setColumns(next);
  }, []);
  const load = useCallback(async () => {
    const mine = ++round.current;
    try {
      const next = await loadBoard(latest.current, board.current);
      // Ignores responses that were requested before a move or for another query.
      if (round.current !== mine || movingObject.current > 0) return;
      show(next);
      setRejection(null);
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      if (round.current === mine) setRejection(error.failure);
    }
  }, [show]);
  const key = JSON.stringify([boardVariables, getFieldKey(field), figure?.key, boardFields.map(getFieldKey)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key identifies the board
  useEffect(() => {
    board.current = [];
    setColumns(null);
    void load();
  }, [key, load]);
  useReloadOnChange(model.name, () => void load());
  const more = async (column: Column) => {
    const { nodes } = await loadCards(latest.current, column, CARD_BATCH_SIZE, column.cards.length);
    const add = (old: Column) => {
      const loadedIds = new Set(old.cards.map(({ id }) => id));
      return { ...old, cards: [...old.cards, ...nodes.filter(({ id }) => !loadedIds.has(id))] };
    };
    show(board.current.map((item) => (item.id === column.id ? add(item) : item)));
  };
  /** Resolves to true if the server accepted the move. */
  const applyMove = async (id: string, to: CardPosition): Promise<boolean> => {
    const from = findCard(board.current, id);
    if (!from || (from.column === to.column && from.at === to.at)) return false;
    const amount = getAmount(figure, board.current, from);
    show(moveCard(board.current, id, to, amount));
    movingObject.current += 1;
    try {
      await writeMove(latest.current, id, from, to, numbered && board.current);
      return true;
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      show(moveCard(board.current, id, from, amount));
      showErrorToast(error.failure.message);
      return false;
    } finally {
      movingObject.current -= 1;
      void load();
    }
  };
  const last = useRef<{ id: string; from: CardPosition } | null>(null);
  const undo = () => {
    const moved = last.current;
    last.current = null;
    if (moved) void applyMove(moved.id, moved.from);
  };
  const move = async (id: string, to: CardPosition) => {
    const from = findCard(board.current, id);
    if (!from || !(await applyMove(id, to))) return;
    last.current = { id, from };
    showToast(viewStrings.moved, { label: viewStrings.undo, run: undo });
  };
  return { columns, refusal: rejection, isOrdered: numbered !== null, load, more, move, undo };
}

interface BoardQuery {
  model: ModelDescription;
  view: RecordsView;
  field: FieldDescription;
  figure: Measure | null;
  cardFields: FieldDescription[];
  queryVariables: ReturnType<typeof toRecordsVariables>;
}

/** Uses the manual sort order if the model has one and no other order is requested. */
function buildBoardVariables(model: ModelDescription, view: RecordsView, numbered: FieldDescription | null) {
  const listVariables = toRecordsVariables(model, view);
  if (!numbered) return listVariables;
  return {
    ...listVariables,
    orderBy: [
      { field: toEnumName(numbered), direction: 'ASC' },
      { field: 'ID', direction: 'ASC' },
    ],
  };
}

interface BoardResult {
  groups: BoardGroup[];
  currencies?: Pick<BoardGroup, 'key'>[];
}

async function loadBoard(question: BoardQuery, before: readonly Column[]): Promise<Column[]> {
  const { model, field, figure, cardFields, queryVariables } = question;
  const figures = buildMeasureSelection(figure ? [figure] : []);
  const currencyField = findCurrencyField(model, figure);
  const document = buildBoardQuery(
    model,
    field,
    figures,
    buildCardSelection(model, cardFields),
    currencyField,
  );
  const [{ groups, currencies }, knownValues] = await Promise.all([
    runQuery<BoardResult, object>(document, { ...queryVariables, cards: CARD_BATCH_SIZE }),
    loadKnownValues(model, field),
  ]);
  const currency = getSharedCurrency(currencyField, currencies);
  const columns = buildBoard(model, field, figure, groups, knownValues).map((each) => ({
    ...each,
    currency,
  }));
  return Promise.all(
    columns.map(async (column) => {
      const loadedCount = before.find(({ id }) => id === column.id)?.cards.length ?? 0;
      if (loadedCount <= CARD_BATCH_SIZE || column.count <= CARD_BATCH_SIZE) return column;
      return {
        ...column,
        cards: (await loadCards(question, column, Math.min(loadedCount, MAX_CARDS), 0)).nodes,
      };
    }),
  );
}

async function loadCards(
  { model, view, field, cardFields, queryVariables }: BoardQuery,
  column: Column,
  first: number,
  offset: number,
) {
  const where = [...(view.where ?? []), toColumnFacet(field, column)];
  const variables = {
    ...queryVariables,
    where: toRecordsVariables(model, { ...view, where }).where,
    first,
    offset,
  };
  return (await runQuery<ListResult, object>(buildListQuery(model, cardFields)!, variables)).list;
}

/** Returns the values that get a column even if no record has them: selection values and stages. */
async function loadKnownValues(model: ModelDescription, field: FieldDescription): Promise<NamedRecord[]> {
  if (field.selection)
    return field.selection.map(({ graphqlName, value, label }) => ({
      id: graphqlName ?? value,
      displayName: label,
    }));
  if (field !== findStageField(model)) return [];
  const nameQuery = { model: field.relation!, name: '', limit: MAX_EMPTY_STAGES + 1 };
  const { recordNameSearch } = await runQuery(RecordNamesDocument, nameQuery);
  return recordNameSearch.length > MAX_EMPTY_STAGES ? [] : recordNameSearch;
}

function getAmount(figure: Measure | null, columns: Column[], { column, at }: CardPosition): number {
  const card: RecordValues | undefined = columns.find(({ id }) => id === column)?.cards[at];
  return figure?.field && card ? Number(card[getFieldKey(figure.field)!] ?? 0) : 0;
}

/** @param numberedColumns columns after the move, if the manual order is stored */
async function writeMove(
  { model, field }: BoardQuery,
  id: string,
  from: CardPosition,
  to: CardPosition,
  numberedColumns: Column[] | null,
) {
  if (from.column !== to.column) {
    const input = { [getInputKey(field)!]: to.column === '' ? null : to.column };
    await runMutation(buildUpdateMutation(model, [field]), { where: { id: { eq: id } }, input, count: 1 });
  }
  const column = numberedColumns?.find((item) => item.id === to.column);
  const sequence = findSequenceField(model);
  if (!column || !sequence || column.cards.length < 2) return;
  const numbers = column.cards.map((card) => Number(card[getFieldKey(sequence)!] ?? 0));
  const isWhole = column.cards.length >= column.count;
  await runMutation(RecordResequenceDocument, {
    model: model.name,
    ids: column.cards.map((card) => card.id),
    offset: computeFirstNumber(numbers, isWhole),
  });
}

/** True if more cards of a column can be loaded. */
export const hasMore = ({ cards, count }: Column): boolean =>
  cards.length < count && cards.length < MAX_CARDS;
