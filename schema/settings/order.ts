import { hash } from 'node:crypto';
import type { Field } from '../../src/engine/model/field.ts';
import type { Model } from '../../src/engine/model/model.ts';
import type { OrderPosition } from '../../src/engine/sql/keyset.ts';
import { errors } from '../../src/errors.ts';
import { combineAll, combineAny, isComparableColumn, MATCH_NONE, type PrismaWhere } from './where.ts';

/** `field` is the field's name in the record API. */
export interface SettingsOrder {
  field: string;
  direction?: 'asc' | 'desc' | null;
  nulls?: 'first' | 'last' | null;
}

export interface SortColumn {
  field: Field;
  descending: boolean;
  /** Position of rows without a value. Null if every row has one. */
  nulls: 'first' | 'last' | null;
}

/**
 * Builds the columns to sort by. The last one is the id, in the first column's direction. Without `orderBy`, the newest
 * rows come first.
 * @throws BAD_REQUEST for a field that Prisma cannot compare
 */
export function buildSortColumns(
  model: Model,
  orderBy: readonly SettingsOrder[] | null | undefined,
): SortColumn[] {
  const columns = (orderBy ?? []).map(({ field: name, direction, nulls }): SortColumn => {
    const field = model.fields.get(name === 'display_name' && model.display ? model.display : name)!;
    if (!isComparableColumn(model, field) || field.type === 'many2one' || field.type === 'strings')
      throw errors.badRequest(`orderBy: lists of this type cannot be sorted by ${name}.`);
    const isDescending = direction === 'desc';
    // PostgreSQL sorts null as the largest value.
    const place = nulls ?? (isDescending ? 'first' : 'last');
    return { field, descending: isDescending, nulls: field.required ? null : place };
  });
  const descending = columns[0]?.descending ?? true;
  return [...columns, { field: model.fields.get('id')!, descending, nulls: null }];
}

export const reverseColumns = (columns: readonly SortColumn[]): SortColumn[] =>
  columns.map(({ field, descending, nulls }) => ({
    field,
    descending: !descending,
    nulls: nulls && (nulls === 'first' ? 'last' : 'first'),
  }));

export const toPrismaOrder = (columns: readonly SortColumn[]): object[] =>
  columns.map(({ field, descending, nulls }) => {
    const sort = descending ? 'desc' : 'asc';
    return { [field.name]: nulls ? { sort, nulls } : sort };
  });

/** Returns a row's position for `encodeRowCursor`. */
export const toPosition = (
  model: Model,
  columns: readonly SortColumn[],
  row: Record<string, unknown>,
): (string | null)[] => [
  null,
  computeColumnOrderKey(model, columns),
  ...columns.map(({ field }) => toText(row[field.name])),
];

const toText = (value: unknown): string | null =>
  value === null || value === undefined ? null : value instanceof Date ? value.toISOString() : String(value);

/** Computes a key that identifies a sort order, including the types of its columns. */
export const computeColumnOrderKey = (model: Model, columns: readonly SortColumn[]): string =>
  hash(
    'sha256',
    JSON.stringify([
      model.name,
      ...columns.map(({ field, descending, nulls }) => [field.name, field.type, descending, nulls]),
    ]),
    'base64url',
  ).slice(0, 8);

export const buildBeyondWhere = (columns: readonly SortColumn[], { values }: OrderPosition): PrismaWhere =>
  buildLexicographicWhere(
    columns.map((column, index) => [column, parseValue(column.field, values[index] ?? null)]),
  );

function parseValue({ type }: Field, text: string | null): unknown {
  if (text === null) return null;
  if (type === 'integer') return Number(text);
  if (type === 'datetime') return new Date(text);
  return type === 'boolean' ? text === 'true' : text;
}

/** Matches rows that come after the position, compared column by column. */
function buildLexicographicWhere([first, ...rest]: [SortColumn, unknown][]): PrismaWhere {
  const [column, value] = first!;
  const isBeyond = buildColumnBeyondWhere(column, value);
  if (rest.length === 0) return isBeyond;
  return combineAny([isBeyond, combineAll([{ [column.field.name]: value }, buildLexicographicWhere(rest)])]);
}

function buildColumnBeyondWhere(
  { field: { name, type }, descending, nulls }: SortColumn,
  value: unknown,
): PrismaWhere {
  if (value === null) return nulls === 'first' ? { [name]: { not: null } } : MATCH_NONE;
  const comparedWhere: PrismaWhere =
    type === 'boolean'
      ? value === descending
        ? { [name]: !descending }
        : MATCH_NONE
      : { [name]: { [descending ? 'lt' : 'gt']: value } };
  return nulls === 'last' ? combineAny([comparedWhere, { [name]: null }]) : comparedWhere;
}
