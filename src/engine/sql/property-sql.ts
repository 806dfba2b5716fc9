import type { Field, SqlWords } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { scopeSql, tableOf, wordsOf } from './columns.ts';
import { alias, quote, type Statement, text } from './statement.ts';

/**
 * The value (jsonb) of the property `name` of the row, null without one. What a record kept from definitions that are
 * gone, or of another parent, is none of its properties.
 */
export function propertySql(words: SqlWords, model: Model, field: Field, name: string, row: string): string {
  const [link, definitions] = field.definition!;
  const far = words.alias();
  const defined = `${far}.${quote(definitions)} @> ${text(JSON.stringify([{ name }]))}::jsonb`;
  const where = `${far}.workspace_id = $1 and ${far}.id = ${words.field(link)} and ${defined}`;
  return `(select ${row}.${quote(field.name)}->${text(name)} from ${words.table(model.fields.get(link)!.relation!)} ${far} where ${where})`;
}

/** The definitions of the row's parent, each with the row's `value` where it has one. */
export function propertiesSql(statement: Statement, model: Model, field: Field, row: string): string {
  const [link, definitions] = field.definition!;
  const parent = statement.registry.get(model.fields.get(link)!.relation!)!;
  const [far, each] = [alias(statement), alias(statement)];
  const name = `(${each}.value->>'name')`;
  const held = `${row}.${quote(field.name)}`;
  const value = `case when ${held} ? ${name} then jsonb_build_object('value', ${held}->${name}) else '{}' end`;
  const from = `${tableOf(parent)} ${far}, jsonb_array_elements(${far}.${quote(definitions)}) with ordinality ${each}(value, place)`;
  const on = `${scopeSql(parent, far)} and ${far}.id = ${wordsOf(statement, model, row).field(link)}`;
  return `coalesce((select jsonb_agg(${each}.value || ${value} order by ${each}.place) from ${from} where ${on}), '[]')`;
}
