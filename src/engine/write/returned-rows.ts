import { type Sql, sql } from '../../db/sql.ts';
import { getRuleTree } from '../access/access.ts';
import { createStatement } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isStoredField } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { buildSelectListSql, type SelectList } from '../read/select-list.ts';
import type { ModelRows } from '../sql/statement.ts';

/**
 * Fields that a caller requests in the response to a change. If a single statement makes the change, `rows` contains
 * the rows as GraphQL-style JSON. If `rows` is empty, the records must be read.
 */
export interface ReturnedRows {
  fields: string[];
  rows: string[];
}

/**
 * Returns undefined if the fields need more than the row itself, or if a rule decides whether the caller may read the
 * row.
 */
export function createReturnedRows(ctx: Ctx, model: Model, fields: SelectList): ReturnedRows | undefined {
  if (getRuleTree(ctx, model, 'read')) return undefined;
  const names = fields.filter((field) => typeof field === 'string');
  const isNameReadFromRow = (name: string) => isReadFromRow(model.fields.get(name)!);
  return names.length === fields.length && names.every(isNameReadFromRow)
    ? { fields: names, rows: [] }
    : undefined;
}

/** Types whose values need a lookup or are too large to return. */
const SEPARATELY_READ_TYPES: ReadonlySet<string> = new Set([
  'reference',
  'binary',
  'properties',
  'properties_definition',
]);

const isReadFromRow = (field: Field): boolean =>
  isStoredField(field) && !SEPARATELY_READ_TYPES.has(field.type);

/** Returns undefined if the caller requests no fields. */
export const createReturningSql = (
  ctx: Ctx,
  returnedRows: ReturnedRows | undefined,
): ((source: ModelRows) => Sql) | undefined =>
  returnedRows && ((source) => buildReturningSql(ctx, source, returnedRows));

/** Builds the column that returns a changed row, as `, … as json`. */
function buildReturningSql(ctx: Ctx, source: ModelRows, { fields }: ReturnedRows): Sql {
  const select = buildSelectListSql(createStatement(ctx, { flavour: 'graph' }), source, fields);
  return sql`, (select row_to_json(s)::text from (select ${select}) s) as json`;
}
