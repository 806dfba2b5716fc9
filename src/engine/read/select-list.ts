import { memoizePerObject } from '../../cache.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { formatValue } from '../../json.ts';
import { type Field, isList } from '../model/field.ts';
import type { Model } from '../model/model.ts';
import { toCamelCase } from '../model/naming.ts';
import { buildColumnSql, buildDisplayNameSql, buildSourceSql } from '../sql/columns.ts';
import { buildOrderBy } from '../sql/order.ts';
import { buildFieldSql, buildListedSql } from '../sql/projection.ts';
import { addSource, getFieldIdentifier, type ModelRows, type Statement } from '../sql/statement.ts';
import { buildRuleSql } from '../sql/where.ts';

/** What to read of each row: names of fields, and related records with what to read of these. */
export type SelectList = (string | NestedSelect)[];

/**
 * Related records read along with a row, under the key `as`. A many2one gives the fields of its record as an object,
 * null when it is unset; a list gives an object for each of its records, in their order.
 */
export interface NestedSelect {
  relation: Field;
  as: string;
  fields: SelectList;
  /** Of a list: as `order` of a search. */
  order?: string | null;
  /** Of a list: the records after that many come with their id alone. */
  limit?: number | null;
  /** Of a list: with the archived records. */
  archived?: boolean;
  /**
   * Of a many2one that the principal may not read: id and name, as in a plain read. Otherwise it counts as
   * unset.
   */
  named?: boolean;
}

/** The select list of the rows, in the order wanted. @throws as searchRead */
export function buildSelectListSql(statement: Statement, source: ModelRows, wanted: SelectList | null): Sql {
  const terms = resolveTerms(statement, source.model, wanted);
  statement.nested ||= terms.some((term) => holdsJson(statement, term));
  return sql.join(terms.map((term) => buildTermSql(statement, source, term)));
}

/** In place of the same list: how many bytes each file in the rows has. */
export function buildWeightListSql(statement: Statement, source: ModelRows, wanted: SelectList | null): Sql {
  statement.weighs = true;
  try {
    return buildSelectListSql(statement, source, wanted);
  } finally {
    statement.weighs = false;
  }
}

function buildTermSql(statement: Statement, source: ModelRows, term: Field | NestedSelect): Sql {
  if (isNested(term)) return sql`${buildNestedSql(statement, source, term)} as ${sql.id(term.as)}`;
  const isGraph = statement.flavour === 'graph';
  if (term.definition) statement.properties.add(isGraph ? toCamelCase(term.name) : term.name);
  return sql`${buildFieldSql(statement, source, term)} as ${isGraph ? getGraphId(term) : getFieldIdentifier(term)}`;
}

/** Made once, since nearly every statement of the graph asks for some. */
const getGraphId = memoizePerObject((field: Field) => sql.id(toCamelCase(field.name)));

const isNested = (term: unknown): term is NestedSelect =>
  typeof term === 'object' && term !== null && 'as' in term;

/** `id` first, then what is asked for, each once; every readable field when no field is named. */
function resolveTerms(
  statement: Statement,
  model: Model,
  wanted: SelectList | null,
): (Field | NestedSelect)[] {
  const items = wanted ?? [];
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

/** Every field the reader may see; binary content only when named. */
const listReadableFields = (statement: Statement, model: Model): Field[] =>
  [...model.fields.values()].filter(
    (field) => !field.secret && field.type !== 'binary' && statement.mayField(field),
  );

/** Whether JSON of callers is in the rows: its nulls must stay, so that all others have to be false already. */
function holdsJson(statement: Statement, term: Field | NestedSelect): boolean {
  if (!isNested(term)) return term.type === 'json';
  const terms = resolveTerms(statement, getTargetModel(statement, term), term.fields);
  return terms.some((inner) => holdsJson(statement, inner));
}

/** The model of the related records. @throws NOT_FOUND_MODEL */
function getTargetModel({ registry }: Statement, { relation: { relation } }: NestedSelect): Model {
  const target = registry.get(relation!);
  if (!target) throw errors.unknownModel(relation!);
  return target;
}

function buildNestedSql(statement: Statement, source: ModelRows, nested: NestedSelect): Sql {
  const { named } = statement;
  // The joins that give names belong to the outer rows.
  statement.named = null;
  try {
    return isList(nested.relation)
      ? buildNestedListSql(statement, source, nested)
      : buildNestedRecordSql(statement, source, nested);
  } finally {
    statement.named = named;
  }
}

function buildNestedRecordSql(statement: Statement, source: ModelRows, nested: NestedSelect): Sql {
  const { relation, fields, named } = nested;
  const far = addSource(statement, getTargetModel(statement, nested));
  const from = sql`from ${buildSourceSql(statement, far)} and ${far.row}.id = ${buildColumnSql(statement, source, relation)}`;
  const pair = () => sql`(select json_build_object('id', ${far.row}.id, 'display_name',
    coalesce(${buildDisplayNameSql(statement, far)}, '')) ${from})`;
  if (named && isPair(fields)) return pair();
  statement.checkModel(far.model);
  const rule = buildRuleSql(statement, far);
  const full = sql`(select row_to_json(x) from (select ${buildSelectListSql(statement, far, fields)} ${from}${rule}) x)`;
  return named && rule !== sql.empty ? sql`coalesce(${full}, ${pair()})` : full;
}

const isPair = (fields: SelectList): boolean =>
  fields.every((field) => field === 'id' || field === 'display_name') && fields.includes('display_name');

function buildNestedListSql(statement: Statement, source: ModelRows, nested: NestedSelect): Sql {
  const { relation, fields, order, limit } = nested;
  const far = addSource(statement, getTargetModel(statement, nested));
  const { model, row } = far;
  statement.checkModel(model);
  const archived = nested.archived || statement.archived;
  const from = buildListedSql(statement, source, { field: relation, far, archived });
  const rows = sql`select ${row}.*,
    row_number() over (order by ${buildOrderBy(statement, far, order || model.order)}) as _place
    from ${from}`;
  const full = sql`(select row_to_json(x) from (select ${buildSelectListSql(statement, far, fields)}) x)`;
  const each = limit
    ? sql`case when ${row}._place <= ${limit} then ${full} else json_build_object('id', ${row}.id) end`
    : full;
  return sql`(select coalesce(json_agg(${each} order by ${row}._place), '[]'::json) from (${rows}) ${row})`;
}
