import { type Sql, sql } from '../../db/sql.ts';
import { getRuleTree } from '../access/access.ts';
import { createStatement } from '../access/create-statement.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isStored } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { buildSelectListSql, type SelectList } from '../read/select-list.ts';
import type { ModelRows } from '../sql/statement.ts';

/**
 * What a caller wants to read of records that it changes. Where one statement makes the change it gives the rows back,
 * as JSON in the graph's form; otherwise `rows` stays empty and the records have to be read.
 */
export interface ReturnedRows {
  fields: string[];
  rows: string[];
}

/** undefined where a row does not say it all by itself, or a rule decides whether the caller may read the row. */
export function createReturnedRows(ctx: Ctx, model: Model, fields: SelectList): ReturnedRows | undefined {
  if (getRuleTree(ctx, model, 'read')) return undefined;
  const names = fields.filter((field) => typeof field === 'string');
  const isPlain = (name: string) => isReadFromRow(model.fields.get(name)!);
  return names.length === fields.length && names.every(isPlain) ? { fields: names, rows: [] } : undefined;
}

/** Types whose values are looked up elsewhere, or too large to come along. */
const SEPARATELY_READ_TYPES: ReadonlySet<string> = new Set([
  'reference',
  'binary',
  'properties',
  'properties_definition',
]);

const isReadFromRow = (field: Field): boolean => isStored(field) && !SEPARATELY_READ_TYPES.has(field.type);

/** `returnedSql` of what is wanted; undefined where nothing is. */
export const createReturningSql = (
  ctx: Ctx,
  returned: ReturnedRows | undefined,
): ((source: ModelRows) => Sql) | undefined =>
  returned && ((source) => buildReturningSql(ctx, source, returned));

/** `, … as json`: the column that gives a changed row back. */
export function buildReturningSql(ctx: Ctx, source: ModelRows, returned: ReturnedRows | undefined): Sql {
  if (!returned) return sql.empty;
  const select = buildSelectListSql(createStatement(ctx, { flavour: 'graph' }), source, returned.fields);
  return sql`, (select row_to_json(s)::text from (select ${select}) s) as json`;
}
