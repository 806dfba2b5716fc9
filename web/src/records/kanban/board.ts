import type { Facet } from '../address.ts';
import { type NamedRecord, type RecordValues, toEnumName } from '../document.ts';
import { type FieldDescription, getFieldKey, type ModelDescription } from '../model.ts';
import { type GroupMeasures, getMeasureValue, type Measure } from '../pivot/measures.ts';
import { formatFieldValue } from '../value.tsx';

export interface Column {
  /** The value, or a related record's id. Empty for records without a value. */
  id: string;
  label: string;
  /** Number of cards, including cards that are not loaded. */
  count: number;
  sum: number | null;
  /** Currency of the sum. Undefined unless all records on the board have the same one. */
  currency?: string | undefined;
  cards: RecordValues[];
}

export interface CardPosition {
  column: string;
  at: number;
}

export type BoardGroup = GroupMeasures & {
  key: Record<string, unknown>;
  records: { nodes: RecordValues[] };
};

export function buildBoardQuery(
  { groupField, typeName }: ModelDescription,
  field: FieldDescription,
  figures: string,
  cards: string,
  currency: FieldDescription | null,
): string {
  const key = field.relationName ? `${field.relationName} { id displayName }` : field.graphqlName;
  return (
    `query Board($where: ${typeName}Where, $orderBy: [${typeName}Order!], $withArchived: Boolean, $cards: Int!) { ` +
    `groups: ${groupField}(where: $where, groupBy: [{ field: ${toEnumName(field)} }], ` +
    `withArchived: $withArchived, first: 100) { ${figures} key { ${key} } ` +
    'records(first: $cards, orderBy: $orderBy, withArchived: $withArchived) ' +
    `{ nodes { ${cards} } } } ${buildCurrencyGroups(groupField!, currency)}}`
  );
}

/** Groups by currency. Two groups suffice to detect different currencies. */
const buildCurrencyGroups = (groupField: string, currency: FieldDescription | null): string =>
  currency
    ? `currencies: ${groupField}(where: $where, groupBy: [{ field: ${toEnumName(currency)} }], ` +
      `withArchived: $withArchived, first: 2) { key { ${currency.relationName} { id displayName } } } `
    : '';

/** Returns a measure's currency field, or null if records cannot be grouped by it. */
export const findCurrencyField = (model: ModelDescription, figure: Measure | null): FieldDescription | null =>
  model.fields.find(
    ({ name, groupable, relationName }) =>
      name === figure?.field?.currencyField && groupable && relationName !== null,
  ) ?? null;

/** Returns the currency if all groups have the same one. */
export function getSharedCurrency(
  field: FieldDescription | null,
  groups: Pick<BoardGroup, 'key'>[] = [],
): string | undefined {
  const currency = field && groups.length === 1 ? groups[0]!.key[getFieldKey(field)!] : null;
  return (currency as NamedRecord | null)?.displayName ?? undefined;
}

/**
 * Builds the columns from the response. Predefined values have a column even if no record has them.
 * @param groupsById predefined values in display order; other values follow
 */
export function buildBoard(
  model: ModelDescription,
  field: FieldDescription,
  figure: Measure | null,
  groups: BoardGroup[],
  groupsById: NamedRecord[],
): Column[] {
  const filled = new Map(
    groups.map((group) => {
      const value = group.key[getFieldKey(field)!] as NamedRecord | string | null;
      const id = value === null ? '' : typeof value === 'object' ? value.id : value;
      const label = id === '' ? '' : formatFieldValue(model, field, group.key as RecordValues);
      const { count, records } = group;
      const sum = figure && getMeasureValue(figure, group);
      return [id, { id, label, count, sum, cards: records.nodes }];
    }),
  );
  const rest = [...filled.values()].filter(
    ({ id }) => id !== '' && !groupsById.some((item) => item.id === id),
  );
  return [
    ...(filled.has('') ? [filled.get('')!] : []),
    ...groupsById.map(
      ({ id, displayName }) => filled.get(id) ?? { id, label: displayName, count: 0, sum: null, cards: [] },
    ),
    ...rest,
  ];
}

export function findCard(columns: readonly Column[], id: string): CardPosition | null {
  for (const { id: column, cards } of columns) {
    const index = cards.findIndex((card) => card.id === id);
    if (index >= 0) return { column, at: index };
  }
  return null;
}

/** Returns the card that an arrow key moves to, or undefined. */
export function findAdjacentCard(
  columns: readonly Column[],
  id: string,
  key: string,
  isMirrored: boolean,
): string | undefined {
  const position = findCard(columns, id);
  if (!position) return undefined;
  const column = columns.findIndex((column) => column.id === position.column);
  if (key === 'ArrowDown' || key === 'ArrowUp')
    return columns[column]!.cards[position.at + (key === 'ArrowDown' ? 1 : -1)]?.id;
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  const isForward = (key === 'ArrowRight') !== isMirrored;
  const others = isForward ? columns.slice(column + 1) : columns.slice(0, column).reverse();
  const next = others.find(({ cards }) => cards.length > 0)?.cards ?? [];
  return next[Math.min(position.at, next.length - 1)]?.id;
}

/** Adds cards to a column. Skips cards that it already contains, for example because they were moved. */
export function addCards(column: Column, cards: readonly RecordValues[]): Column {
  const loadedIds = new Set(column.cards.map(({ id }) => id));
  return { ...column, cards: [...column.cards, ...cards.filter(({ id }) => !loadedIds.has(id))] };
}

export function moveCard(columns: readonly Column[], id: string, to: CardPosition, amount: number): Column[] {
  const from = findCard(columns, id);
  if (!from) return [...columns];
  const card = columns.find((column) => column.id === from.column)!.cards[from.at]!;
  return columns.map((column) => {
    const cards = column.id === from.column ? column.cards.toSpliced(from.at, 1) : column.cards;
    const delta = Number(column.id === to.column) - Number(column.id === from.column);
    return {
      ...column,
      count: column.count + delta,
      sum: column.sum === null && delta * amount === 0 ? null : (column.sum ?? 0) + delta * amount,
      cards: column.id === to.column ? cards.toSpliced(to.at, 0, card) : cards,
    };
  });
}

/**
 * Returns the first card's new sequence number, chosen so that the loaded cards precede the cards not yet loaded.
 * @param numbers current sequence numbers of the loaded cards
 */
export const computeFirstNumber = (numbers: number[], isWhole: boolean): number =>
  isWhole || numbers.length === 0 ? 1 : Math.max(...numbers) - numbers.length;

export const toColumnFacet = (field: FieldDescription, { id, label }: Column): Facet =>
  id === '' ? [getFieldKey(field)!, 'empty', ''] : [getFieldKey(field)!, 'eq', id, label];
