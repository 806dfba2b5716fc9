import type { Facet } from '../address.ts';
import { buildSelection, type NamedRecord, type RecordValues, toEnumName } from '../document.ts';
import { type FieldDescription, getFieldKey, type ModelDescription } from '../model.ts';
import { type GroupMeasures, getMeasureValue, type Measure } from '../pivot/measures.ts';
import { formatFieldValue } from '../value.tsx';

/** Records that have the same value of a field, as cards below each other. */
export interface Column {
  /** The value, of a record its id; empty for records that have none. */
  id: string;
  label: string;
  /** Of all its records, not only of the cards that are loaded. */
  count: number;
  sum: number | null;
  cards: RecordValues[];
}

/** Where a card is: in which column, and at which place of it. */
export interface CardPosition {
  column: string;
  at: number;
}

/** A group as the server answers it. */
export type BoardGroup = GroupMeasures & {
  key: Record<string, unknown>;
  records: { nodes: RecordValues[] };
};

/** All columns at once, each with its first cards. Pure. */
export function buildBoardQuery(
  { groupField, typeName }: ModelDescription,
  field: FieldDescription,
  figures: string,
  cards: string,
): string {
  const key = field.relationName ? `${field.relationName} { id displayName }` : field.graphqlName;
  return (
    `query Board($where: ${typeName}Where, $orderBy: [${typeName}Order!], $withArchived: Boolean, $cards: Int!) { ` +
    `groups: ${groupField}(where: $where, groupBy: [{ field: ${toEnumName(field)} }], ` +
    `withArchived: $withArchived, first: 100) { ${figures} key { ${key} } ` +
    'records(first: $cards, orderBy: $orderBy, withArchived: $withArchived) ' +
    `{ nodes { ${cards} } } } }`
  );
}

/** What a card asks of its record. Pure. */
export const buildCardSelection = (model: ModelDescription, fields: FieldDescription[]): string => {
  const currencies = fields.flatMap(
    ({ currencyField }) => model.fields.find(({ name }) => name === currencyField) ?? [],
  );
  const parts = [...fields, ...currencies].flatMap((field) => buildSelection(field, 3) ?? []);
  return [...new Set(['id', 'displayName', ...parts])].join(' ');
};

/**
 * Columns with what the server answered: of values that no record has, too, where all of them are known.
 * Pure.
 * @param known values in their order; what is not among them stands behind
 */
export function buildBoard(
  model: ModelDescription,
  field: FieldDescription,
  figure: Measure | null,
  groups: BoardGroup[],
  known: NamedRecord[],
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
  const rest = [...filled.values()].filter(({ id }) => id !== '' && !known.some((each) => each.id === id));
  return [
    ...(filled.has('') ? [filled.get('')!] : []),
    ...known.map(
      ({ id, displayName }) => filled.get(id) ?? { id, label: displayName, count: 0, sum: null, cards: [] },
    ),
    ...rest,
  ];
}

/** Where a card is; null where it is not loaded. Pure. */
export function findCard(columns: readonly Column[], id: string): CardPosition | null {
  for (const { id: column, cards } of columns) {
    const at = cards.findIndex((card) => card.id === id);
    if (at >= 0) return { column, at };
  }
  return null;
}

/** Columns after a card has gone somewhere else, with their numbers. Pure. */
export function moveCard(columns: readonly Column[], id: string, to: CardPosition, amount: number): Column[] {
  const from = findCard(columns, id);
  if (!from) return [...columns];
  const card = columns.find((column) => column.id === from.column)!.cards[from.at]!;
  return columns.map((column) => {
    const cards = column.id === from.column ? column.cards.toSpliced(from.at, 1) : column.cards;
    const by = Number(column.id === to.column) - Number(column.id === from.column);
    return {
      ...column,
      count: column.count + by,
      sum: column.sum === null && by * amount === 0 ? null : (column.sum ?? 0) + by * amount,
      cards: column.id === to.column ? cards.toSpliced(to.at, 0, card) : cards,
    };
  });
}

/**
 * The number of the first card, so that all that are loaded come before those that are not. Pure.
 * @param numbers of the cards as they were
 */
export const computeFirstNumber = (numbers: number[], isWhole: boolean): number =>
  isWhole || numbers.length === 0 ? 1 : Math.max(...numbers) - numbers.length;

/** The condition that the records of a column meet. Pure. */
export const toColumnFacet = (field: FieldDescription, { id, label }: Column): Facet =>
  id === '' ? [getFieldKey(field)!, 'empty', ''] : [getFieldKey(field)!, 'eq', id, label];
