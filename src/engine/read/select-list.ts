import { memoizePerObject } from '../../cache.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { formatValue } from '../../json.ts';
import { type Field, isListField, isReturnedByDefault } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { getRowKey } from '../model/naming.ts';
import { buildColumnSql, buildDisplayNameSql, buildSourceSql } from '../sql/columns.ts';
import { buildOrderBy } from '../sql/order.ts';
import { buildFieldSql, buildListedSql } from '../sql/projection.ts';
import { addSource, getFieldIdentifier, type ModelRows, type Statement } from '../sql/statement.ts';
import { buildRuleSql } from '../sql/where.ts';

/** Fields to read from each row: field names, or relations with their own select lists. */
export type SelectList = (string | NestedSelect)[];

/**
 * Related records that are read with a row, under the key `as`. A many2one yields an object, or null if it is unset. A
 * list yields an array of objects in its order.
 */
export interface NestedSelect {
  relation: Field;
  as: string;
  fields: SelectList;
  /** For lists: sort order, as in a search. */
  order?: string | null;
  /** For lists: records beyond this number contain only their id. */
  limit?: number | null;
  /** For lists: true to include archived records. */
  archived?: boolean;
  /**
   * True to return the id and name of a linked record that the principal may not read, as a plain read does. Otherwise,
   * the many2one counts as unset.
   */
  named?: boolean;
  /** Language of the related records, and keys that extend their display names. By default, those of the statement. */
  lang?: string | null;
  displayNameKeys?: readonly string[];
}

/**
 * Builds the select list in the requested order.
 * @throws the same errors as searchRead
 */
export function buildSelectListSql(
  statement: Statement,
  source: ModelRows,
  selectList: SelectList | null,
): Sql {
  const terms = resolveTerms(statement, source.model, selectList);
  statement.nested ||= terms.some((term) => holdsJson(statement, term));
  return sql.join(terms.map((term) => buildTermSql(statement, source, term)));
}

/** Builds a select list with the size of each file in bytes, and null for all other fields. */
export function buildWeightListSql(
  statement: Statement,
  source: ModelRows,
  selectList: SelectList | null,
): Sql {
  statement.weighs = true;
  try {
    return buildSelectListSql(statement, source, selectList);
  } finally {
    statement.weighs = false;
  }
}

function buildTermSql(statement: Statement, source: ModelRows, term: Field | NestedSelect): Sql {
  if (isNested(term)) return sql`${buildNestedSql(statement, source, term)} as ${sql.id(term.as)}`;
  const isGraph = statement.flavour === 'graph';
  if (term.definition) statement.properties.add(isGraph ? getRowKey(term) : term.name);
  return sql`${buildFieldSql(statement, source, term)} as ${isGraph ? getGraphId(term) : getFieldIdentifier(term)}`;
}

/** Quoted GraphQL names, cached because nearly every GraphQL statement uses them. */
const getGraphId = memoizePerObject((field: Field) => sql.id(getRowKey(field)));

const isNested = (term: unknown): term is NestedSelect =>
  typeof term === 'object' && term !== null && 'as' in term;

/**
 * Returns `id`, followed by the requested fields without duplicates. Without field names, returns all readable fields.
 */
function resolveTerms(
  statement: Statement,
  model: Model,
  selectList: SelectList | null,
): (Field | NestedSelect)[] {
  const items = selectList ?? [];
  if (items.every(isNested)) return [...listReadableFields(statement, model), ...items];
  return [...new Set(['id', ...items])].map((item) =>
    isNested(item) ? item : getNamedField(statement, model, item),
  );
}

function getNamedField(statement: Statement, model: Model, name: string): Field {
  const field = typeof name === 'string' ? model.fields.get(name) : undefined;
  if (!field) throw errors.unknownField(formatValue(name), model.name, 'on');
  statement.checkField(model, field);
  return field;
}

/** Lists the fields that the caller may see, except on-demand and binary fields, which must be requested by name. */
const listReadableFields = (statement: Statement, model: Model): Field[] =>
  [...model.fields.values()].filter(
    (field) =>
      !field.secret && isReturnedByDefault(field) && field.type !== 'binary' && statement.mayField(field),
  );

/**
 * Returns true if the rows contain JSON from callers. Its nulls must be kept, so the statement must return false for
 * all other nulls.
 */
function holdsJson(statement: Statement, term: Field | NestedSelect): boolean {
  if (!isNested(term)) return term.type === 'json';
  const terms = resolveTerms(statement, getTargetModel(statement, term), term.fields);
  return terms.some((inner) => holdsJson(statement, inner));
}

/** @throws NOT_FOUND_MODEL */
function getTargetModel({ registry }: Statement, { relation: { relation } }: NestedSelect): Model {
  const target = registry.get(relation!);
  if (!target) throw errors.unknownModel(relation!);
  return target;
}

function buildNestedSql(statement: Statement, source: ModelRows, nested: NestedSelect): Sql {
  const { nameJoins, lang, displayNameKeys } = statement;
  // Joins for display names belong to the outer rows.
  statement.nameJoins = null;
  if (nested.lang !== undefined) statement.lang = nested.lang;
  if (nested.displayNameKeys) statement.displayNameKeys = nested.displayNameKeys;
  try {
    return isListField(nested.relation)
      ? buildNestedListSql(statement, source, nested)
      : buildNestedRecordSql(statement, source, nested);
  } finally {
    Object.assign(statement, { nameJoins, lang, displayNameKeys });
  }
}

function buildNestedRecordSql(statement: Statement, source: ModelRows, nested: NestedSelect): Sql {
  const { relation, fields, named } = nested;
  const targetRows = addSource(statement, getTargetModel(statement, nested));
  const from = sql`from ${buildSourceSql(statement, targetRows)}
    and ${targetRows.row}.id = ${buildColumnSql(statement, source, relation)}`;
  const buildIdNamePairSql = () => sql`(select json_build_object('id', ${targetRows.row}.id, 'display_name',
    coalesce(${buildDisplayNameSql(statement, targetRows)}, '')) ${from})`;
  if (named && isPair(fields)) return buildIdNamePairSql();
  statement.checkModel(targetRows.model);
  const rule = buildRuleSql(statement, targetRows);
  const full = sql`(select row_to_json(x)
    from (select ${buildSelectListSql(statement, targetRows, fields)} ${from}${rule}) x)`;
  return named && rule !== sql.empty ? sql`coalesce(${full}, ${buildIdNamePairSql()})` : full;
}

const isPair = (fields: SelectList): boolean =>
  fields.every((field) => field === 'id' || field === 'display_name') && fields.includes('display_name');

function buildNestedListSql(statement: Statement, source: ModelRows, nested: NestedSelect): Sql {
  const { relation, fields, order, limit } = nested;
  const targetRows = addSource(statement, getTargetModel(statement, nested));
  const { model, row } = targetRows;
  statement.checkModel(model);
  const isArchived = nested.archived || statement.archived;
  const from = buildListedSql(statement, source, {
    field: relation,
    target: targetRows,
    archived: isArchived,
  });
  const rows = sql`select ${row}.*,
    row_number() over (order by ${buildOrderBy(statement, targetRows, order || model.order)}) as _place
    from ${from}`;
  const recordSql = sql`(select row_to_json(x) from (select ${buildSelectListSql(statement, targetRows, fields)}) x)`;
  const itemSql = limit
    ? sql`case when ${row}._place <= ${limit} then ${recordSql} else json_build_object('id', ${row}.id) end`
    : recordSql;
  return sql`(select coalesce(json_agg(${itemSql} order by ${row}._place), '[]'::json) from (${rows}) ${row})`;
}
