import { enumNameOf } from './document.ts';
import { type Described, type DescribedField, fieldNamed } from './model.ts';
import { type OtherViews, otherViews } from './views.ts';

/** A condition of a list: field, comparison, value, and how the value is called where that is not plain. */
export type Facet = [field: string, comparison: Comparison, value: string, label?: string];

export const COMPARISONS = ['eq', 'contains', 'gte', 'lte', 'empty', 'filled'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** Whether it says all without a value. Pure. */
export const needsNoValue = (comparison: Comparison): boolean =>
  comparison === 'empty' || comparison === 'filled';

/** What a list of records shows, as it stands behind `?`. */
export interface RecordsView extends OtherViews {
  /** Part of a name. */
  q?: string;
  where?: Facet[];
  /** A field, with `-` in front of it for the greatest first. */
  order?: string;
  /** The field whose values are counted beside the list. */
  group?: string;
  /** Fields in the order of the columns. */
  cols?: string[];
  /** With archived records. */
  archived?: true;
  /** Cells are edited in the list. */
  cells?: true;
  /** The saved view that it has come from. */
  saved?: string;
}

/** What the address of a record holds: the list it was opened from, and its place there. */
export interface RecordFrom extends RecordsView {
  at?: number;
}

/** A list as it is shown. */
export interface ListProps {
  model: Described;
  view: RecordsView;
  show(changes: RecordsView): void;
}

type Given = Record<string, unknown>;

const text = (value: unknown): string | undefined => {
  const given = typeof value === 'number' ? String(value) : value;
  return typeof given === 'string' && given !== '' ? given : undefined;
};

/** Facets and columns that one address holds. */
const MOST = 30;

function facetsOf(given: unknown): Facet[] | undefined {
  if (!Array.isArray(given)) return undefined;
  const facets = given.slice(0, MOST).flatMap((each): Facet[] => {
    if (!Array.isArray(each)) return [];
    const field = text(each[0]);
    const comparison = COMPARISONS.find((name) => name === each[1]);
    const label = text(each[3]);
    if (!field || !comparison) return [];
    const value = text(each[2]) ?? '';
    return [label === undefined ? [field, comparison, value] : [field, comparison, value, label]];
  });
  return facets.length > 0 ? facets : undefined;
}

function namesOf(given: unknown): string[] | undefined {
  const names = Array.isArray(given) ? given.slice(0, MOST).flatMap((each) => text(each) ?? []) : [];
  return names.length > 0 ? names : undefined;
}

/** What somebody typed into the address is left out where it means nothing. Pure. */
export const recordsView = (given: Given): RecordsView => ({
  q: text(given.q),
  where: facetsOf(given.where),
  order: text(given.order),
  group: text(given.group),
  cols: namesOf(given.cols),
  archived: given.archived === true ? true : undefined,
  cells: given.cells === true ? true : undefined,
  saved: text(given.saved),
  ...otherViews(given),
});

/** The same of the address of a record. Pure. */
export const recordFrom = (given: Given): RecordFrom => ({
  ...recordsView(given),
  at: Number.isSafeInteger(given.at) && Number(given.at) >= 0 ? Number(given.at) : undefined,
});

/** What the view asks of the server. Facets and orders by fields that the model does not have are left out. Pure. */
export function recordsAsked(model: Described, { q, where = [], order, archived }: RecordsView) {
  const conditions = where.flatMap((facet) => {
    const field = fieldNamed(model, facet[0]);
    return field?.searchable ? [conditionOf(field, facet)] : [];
  });
  const named = q === undefined ? [] : [{ displayName: { contains: q, ignoreCase: true } }];
  const all = [...named, ...conditions];
  return {
    where: all.length > 0 ? { and: all } : undefined,
    orderBy: orderOf(model, order),
    withArchived: archived === true,
  };
}

function orderOf(model: Described, order: string | undefined) {
  const { field, isDescending } = orderNamed(model, order);
  if (!field?.sortable) return undefined;
  return [{ field: enumNameOf(field), direction: isDescending ? 'DESC' : 'ASC' }];
}

/** The field that the list is in the order of, and which way. Pure. */
export function orderNamed(model: Described, order: string | undefined) {
  const isDescending = order?.startsWith('-') ?? false;
  const field = order && fieldNamed(model, isDescending ? order.slice(1) : order);
  return { field: field || undefined, isDescending };
}

function conditionOf(field: DescribedField, [, comparison, value]: Facet): Given {
  const { type, relationName, graphqlName, list } = field;
  if (list) return { [relationName!]: listCondition(comparison, value) };
  const key = graphqlName!;
  if (needsNoValue(comparison)) return { [key]: { isNull: comparison === 'empty' } };
  if (comparison === 'contains') return { [key]: { contains: value, ignoreCase: true } };
  if (type === 'BOOLEAN') return { [key]: { eq: value === 'true' } };
  if (type === 'INTEGER' || type === 'FLOAT' || type === 'MONETARY')
    return { [key]: { [comparison]: Number(value) } };
  if (type !== 'DATETIME') return { [key]: { [comparison]: value } };
  const [first, last] = ['T00:00:00', 'T23:59:59.999'].map((time) =>
    new Date(`${value}${time}`).toISOString(),
  );
  if (comparison === 'gte') return { [key]: { gte: first } };
  return { [key]: comparison === 'lte' ? { lte: last } : { gte: first, lte: last } };
}

function listCondition(comparison: Comparison, value: string): Given {
  if (comparison === 'empty') return { none: {} };
  return { some: comparison === 'filled' ? {} : { id: { eq: value } } };
}

/** How a field can be compared. Pure. */
export function comparisonsOf({ type, required }: DescribedField): Comparison[] {
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
