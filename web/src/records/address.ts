import { createViewParser, parseText, type SearchParams } from '../ui/input/search-params.ts';
import { toEnumName } from './document.ts';
import { type FieldDescription, findField, isNumeric, type ModelDescription } from './model.ts';
import { parseNames, VIEW_PARSERS } from './views.ts';

export type Facet = [field: string, comparison: Comparison, value: string, label?: string];

const COMPARISONS = ['eq', 'contains', 'gte', 'lte', 'empty', 'filled'] as const;
export type Comparison = (typeof COMPARISONS)[number];

export const needsNoValue = (comparison: Comparison): boolean =>
  comparison === 'empty' || comparison === 'filled';

export interface RecordListProps {
  model: ModelDescription;
  view: RecordsView;
  show(changes: RecordsView): void;
}

/** Maximum number of filters or columns in a URL. */
const MAX_LIST_ITEMS = 30;

function parseFacets(facetList: unknown): Facet[] | undefined {
  if (!Array.isArray(facetList)) return undefined;
  const facets = facetList.slice(0, MAX_LIST_ITEMS).flatMap((item): Facet[] => {
    if (!Array.isArray(item)) return [];
    const field = parseText(item[0]);
    const comparison = COMPARISONS.find((name) => name === item[1]);
    const label = parseText(item[3]);
    if (!field || !comparison) return [];
    const value = parseText(item[2]) ?? '';
    return [label === undefined ? [field, comparison, value] : [field, comparison, value, label]];
  });
  return facets.length > 0 ? facets : undefined;
}

const parseTrue = (value: unknown): true | undefined => (value === true ? true : undefined);

const RECORDS_PARSERS = {
  q: parseText,
  where: parseFacets,
  /** Field to sort by. The prefix `-` means descending order. */
  order: parseText,
  /** Field to group by. The groups and their counts are shown next to the list. */
  group: parseText,
  cols: (value: unknown) => parseNames(value, MAX_LIST_ITEMS),
  archived: parseTrue,
  /** Enables inline editing. */
  cells: parseTrue,
  saved: parseText,
  ...VIEW_PARSERS,
};

export const parseRecordsView = createViewParser(RECORDS_PARSERS);

export type RecordsView = ReturnType<typeof parseRecordsView>;

export const parseRecordOrigin = createViewParser({
  ...RECORDS_PARSERS,
  at: (value) => (Number.isSafeInteger(value) && Number(value) >= 0 ? Number(value) : undefined),
});

export type RecordOrigin = ReturnType<typeof parseRecordOrigin>;

/** Omits filters and sort orders on unknown fields. */
export function toRecordsVariables(model: ModelDescription, { q, where = [], order, archived }: RecordsView) {
  const conditions = where.flatMap((facet) => {
    const field = findField(model, facet[0]);
    return field?.searchable ? [buildCondition(field, facet)] : [];
  });
  const nameCondition =
    q === undefined ? [] : [{ displayName: { contains: q, ignoreCase: true, ignoreAccents: true } }];
  const all = [...nameCondition, ...conditions];
  return {
    where: all.length > 0 ? { and: all } : undefined,
    orderBy: buildOrderBy(model, order),
    withArchived: archived === true,
  };
}

function buildOrderBy(model: ModelDescription, order: string | undefined) {
  const { field, isDescending } = parseOrder(model, order);
  if (!field?.sortable) return undefined;
  return [{ field: toEnumName(field), direction: isDescending ? 'DESC' : 'ASC' }];
}

export function parseOrder(model: ModelDescription, order: string | undefined) {
  const isDescending = order?.startsWith('-') ?? false;
  const field = order && findField(model, isDescending ? order.slice(1) : order);
  return { field: field || undefined, isDescending };
}

function buildCondition(field: FieldDescription, [, comparison, value]: Facet): SearchParams {
  const { type, relationName, graphqlName, list } = field;
  if (list) return { [relationName!]: buildListCondition(comparison, value) };
  const key = graphqlName!;
  if (needsNoValue(comparison)) return { [key]: { isNull: comparison === 'empty' } };
  if (comparison === 'contains') return { [key]: { contains: value, ignoreCase: true, ignoreAccents: true } };
  if (type === 'BOOLEAN') return { [key]: { eq: value === 'true' } };
  if (isNumeric(field)) return { [key]: { [comparison]: Number(value) } };
  if (type !== 'DATETIME') return { [key]: { [comparison]: value } };
  const [first, last] = ['T00:00:00', 'T23:59:59.999'].map((time) =>
    new Date(`${value}${time}`).toISOString(),
  );
  if (comparison === 'gte') return { [key]: { gte: first } };
  return { [key]: comparison === 'lte' ? { lte: last } : { gte: first, lte: last } };
}

function buildListCondition(comparison: Comparison, value: string): SearchParams {
  if (comparison === 'empty') return { none: {} };
  return { some: comparison === 'filled' ? {} : { id: { eq: value } } };
}

export function getComparisons({ type, required }: FieldDescription): Comparison[] {
  const empty: Comparison[] = required ? [] : ['empty', 'filled'];
  switch (type) {
    case 'BOOLEAN':
      return ['eq'];
    case 'CHAR':
    case 'TEXT':
    case 'HTML':
      return ['contains', ...empty];
    case 'INTEGER':
    case 'FLOAT':
    case 'MONETARY':
      return ['eq', 'gte', 'lte'];
    case 'DATE':
    case 'DATETIME':
      return ['gte', 'lte', 'eq', ...empty];
    case 'SELECTION':
    case 'MANY2ONE':
    case 'MANY2MANY':
      return ['eq', ...empty];
    case 'BINARY':
      return empty;
    default:
      return [];
  }
}
