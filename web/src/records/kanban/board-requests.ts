import { runMutation, runQuery } from '../../graphql/client.ts';
import { type RecordsView, toRecordsVariables } from '../address.ts';
import { findSequenceField, findStageField } from '../board-fields.ts';
import {
  buildFieldSelection,
  buildListQuery,
  type ListResult,
  type NamedRecord,
  type RecordValues,
  toEnumName,
} from '../document.ts';
import { writeRecord } from '../form/save-record.ts';
import { RecordNamesDocument, RecordResequenceDocument } from '../generated.ts';
import { type FieldDescription, getFieldKey, getInputKey, type ModelDescription } from '../model.ts';
import { buildMeasureSelection, type Measure } from '../pivot/measures.ts';
import {
  type BoardGroup,
  buildBoard,
  buildBoardQuery,
  type CardPosition,
  type Column,
  computeFirstNumber,
  findCurrencyField,
  getSharedCurrency,
  toColumnFacet,
} from './board.ts';

/** Number of cards per request, and maximum number of cards per column. */
const CARD_BATCH_SIZE = 20;
const MAX_CARDS = 500;
/** Maximum number of empty stages that are shown as columns. */
const MAX_EMPTY_STAGES = 30;
/** Maximum number of names that a card loads per field. */
const MAX_CARD_NAMES = 3;

export interface BoardQuery {
  model: ModelDescription;
  view: RecordsView;
  field: FieldDescription;
  figure: Measure | null;
  cardFields: FieldDescription[];
  queryVariables: ReturnType<typeof toRecordsVariables>;
}

/** Sorts by the manual order if the model has one and the view requests no other. */
export function buildBoardVariables(
  model: ModelDescription,
  view: RecordsView,
  numbered: FieldDescription | null,
) {
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

export async function loadBoard(query: BoardQuery, before: readonly Column[]): Promise<Column[]> {
  const { model, field, figure, cardFields, queryVariables } = query;
  const figures = buildMeasureSelection(figure ? [figure] : []);
  const currencyField = findCurrencyField(model, figure);
  const document = buildBoardQuery(
    model,
    field,
    figures,
    buildFieldSelection(model, cardFields, MAX_CARD_NAMES),
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
        cards: (await loadCards(query, column, Math.min(loadedCount, MAX_CARDS), 0)).nodes,
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

export const loadMoreCards = async (query: BoardQuery, column: Column): Promise<RecordValues[]> =>
  (await loadCards(query, column, CARD_BATCH_SIZE, column.cards.length)).nodes;

/** Returns the values that have a column even without records: the values of a selection, or the stages. */
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

export const hasMore = ({ cards, count }: Column): boolean =>
  cards.length < count && cards.length < MAX_CARDS;

/** @param numberedColumns the columns after the move if their order is stored, or null */
export async function writeMove(
  { model, field }: BoardQuery,
  id: string,
  from: CardPosition,
  to: CardPosition,
  numberedColumns: Column[] | null,
) {
  if (from.column !== to.column) {
    const input = { [getInputKey(field)!]: to.column === '' ? null : to.column };
    await writeRecord(model, [field], { id, input });
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
