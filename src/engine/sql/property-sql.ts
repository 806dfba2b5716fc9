import { type Sql, sql } from '../../db/sql.ts';
import type { DomainNode } from '../domain/node.ts';
import type { Field, SqlContext } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { buildScopeSql, buildTableSql, createSqlContext, maskLinksSql } from './columns.ts';
import { buildLikeSql, OPERATORS } from './operators.ts';
import { addSource, createAlias, type ModelRows, type Statement } from './statement.ts';

interface PropertyName {
  field: Field;
  name: string;
}

/** Like `buildPropertySql`. For masked callers, the value lacks the credentials of links. */
export function buildComparedPropertySql(
  statement: Statement,
  source: ModelRows,
  property: PropertyName,
): Sql {
  const value = buildPropertySql(createSqlContext(statement, source), source, property);
  if (!statement.mask) return value;
  const alias = createAlias(statement);
  return sql`(select (${maskLinksSql(sql`${alias}.v`)})::jsonb from (select ${value}::text as v) ${alias})`;
}

/**
 * Builds SQL for a property's value (jsonb), or null. Ignores values left over from deleted definitions or another
 * parent.
 */
export function buildPropertySql(
  context: SqlContext,
  { model, row }: ModelRows,
  { field, name }: PropertyName,
): Sql {
  const [link, definitions] = field.definition!;
  const targetRows = context.alias();
  const definedSql = sql`${targetRows}.${sql.id(definitions)} @> ${sql.literal(JSON.stringify([{ name }]))}::jsonb`;
  return sql`(select ${row}.${sql.id(field.name)}->${sql.literal(name)}
    from ${context.table(getParentModel(model, link))} ${targetRows}
    where ${targetRows}.workspace_id = ${context.workspace} and ${targetRows}.id = ${context.field(link)}
          and ${definedSql})`;
}

const getParentModel = (model: Model, link: string): string => model.fields.get(link)!.relation!;

/** Builds SQL for the parent's property definitions, each with the row's `value` if it has one. */
export function buildPropertiesSql(statement: Statement, source: ModelRows, field: Field): Sql {
  const { model, row } = source;
  const [link, definitions] = field.definition!;
  const targetRows = addSource(statement, statement.registry.get(getParentModel(model, link))!);
  const alias = createAlias(statement);
  const name = sql`(${alias}.value->>'name')`;
  const column = sql`${row}.${sql.id(field.name)}`;
  const value = sql`case when ${column} ? ${name} then jsonb_build_object('value', ${column}->${name}) else '{}' end`;
  const on = sql`${buildScopeSql(statement, targetRows)}
    and ${targetRows.row}.id = ${createSqlContext(statement, source).field(link)}`;
  return sql`coalesce((select jsonb_agg(${alias}.value || ${value} order by ${alias}.place)
    from ${buildTableSql(statement, targetRows.model)} ${targetRows.row},
      jsonb_array_elements(${targetRows.row}.${sql.id(definitions)}) with ordinality ${alias}(value, place)
    where ${on}), '[]')`;
}

type PropertyNode = DomainNode & { kind: 'property' };

export function buildPropertyWhereSql(statement: Statement, source: ModelRows, node: PropertyNode): Sql {
  const { operator, value } = node;
  const alias = createAlias(statement);
  const from = sql`from (select ${buildComparedPropertySql(statement, source, node)} as v) ${alias}`;
  if (operator === 'in')
    return sql`coalesce((select ${buildMembershipSql(alias, value as unknown[])} ${from}), false)`;
  const text = sql`${alias}.v #>> '{}'`;
  if (operator.endsWith('like')) return sql`(select ${buildLikeSql(text, operator, value)} ${from})`;
  const [kind, cast] =
    typeof value === 'number' ? [sql`'number'`, sql`::numeric`] : [sql`'string'`, sql.empty];
  const comparedSql = sql`case when jsonb_typeof(${alias}.v) = ${kind} then (${text})${cast} end`;
  return sql`coalesce((select ${comparedSql} ${OPERATORS[operator]!} ${value}${cast} ${from}), false)`;
}

/** Matches a list of tags or records that contains one of the values. For scalars, `@>` is equality. */
function buildMembershipSql(item: Sql, values: unknown[]): Sql {
  const set = values.filter((v) => v !== null).map((v) => JSON.stringify(v));
  const parts: Sql[] = [];
  if (set.length) parts.push(sql`${item}.v @> any(${set}::jsonb[])`);
  if (values.some((v) => v === null || v === 0 || v === ''))
    parts.push(sql`${item}.v is null or ${item}.v = any(${UNSET_VALUES})`);
  return sql.join(parts, ' or ');
}

const UNSET_VALUES = sql`array['null', 'false', '""', '[]', '0']::jsonb[]`;
