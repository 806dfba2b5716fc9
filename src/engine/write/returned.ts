import { type Sql, sql } from '../../db/sql.ts';
import { ruleOf } from '../access/access.ts';
import { newStatement } from '../access/reader.ts';
import type { Ctx } from '../ctx/ctx.ts';
import { type Field, isStored } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { projection, type SelectList } from '../read/select-list.ts';
import type { Source } from '../sql/statement.ts';

/**
 * What a caller wants to read of records that it changes. Where one statement makes the change it gives the rows back,
 * as JSON in the graph's form; otherwise `rows` stays empty and the records have to be read.
 */
export interface Returned {
  fields: string[];
  rows: string[];
}

/** undefined where a row does not say it all by itself, or a rule decides whether the caller may read the row. */
export function returnedOf(ctx: Ctx, model: Model, fields: SelectList): Returned | undefined {
  if (ruleOf(ctx, model, 'read')) return undefined;
  const names = fields.filter((field) => typeof field === 'string');
  const isPlain = (name: string) => isOfRow(model.fields.get(name)!);
  return names.length === fields.length && names.every(isPlain) ? { fields: names, rows: [] } : undefined;
}

/** Types whose values are looked up elsewhere, or too large to come along. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'reference',
  'binary',
  'properties',
  'properties_definition',
]);

const isOfRow = (field: Field): boolean => isStored(field) && !ELSEWHERE.has(field.type);

/** `returnedSql` of what is wanted; undefined where nothing is. */
export const returnedBy = (ctx: Ctx, returned: Returned | undefined): ((source: Source) => Sql) | undefined =>
  returned && ((source) => returnedSql(ctx, source, returned));

/** `, … as json`: the column that gives a changed row back. */
export function returnedSql(ctx: Ctx, source: Source, returned: Returned | undefined): Sql {
  if (!returned) return sql.empty;
  const select = projection(newStatement(ctx, { flavour: 'graph' }), source, returned.fields);
  return sql`, (select row_to_json(s)::text from (select ${select}) s) as json`;
}
