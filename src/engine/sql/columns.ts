import { memoizePerObject } from '../../cache.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { LINK_CREDENTIAL } from '../../secret-names.ts';
import { buildCompanyKey } from '../model/company-values.ts';
import {
  defaultsToZero,
  type Field,
  isRuleBound,
  isStoredField,
  isTextField,
  type JoinTable,
  type SqlContext,
  type SqlModel,
} from '../model/field.ts';
import type { Registry } from '../model/model.ts';
import { buildTranslationKey, isTranslated } from '../model/translations.ts';
import { buildCompanySql } from './money-sql.ts';
import {
  addSource,
  createAlias,
  getFieldIdentifier,
  getTableIdentifier,
  MAIN_ROW,
  type ModelRows,
  type Statement,
  type StatementScope,
} from './statement.ts';

/** Returns the model's table, or a subquery that adds the rows shared by all workspaces. */
export const buildTableSql = (scope: StatementScope, model: SqlModel): Sql =>
  model.options.sharedTable
    ? buildSharedTableSql(scope, model, model.options.sharedTable)
    : getTableIdentifier(model);

/** Restricts a table to the model's rows in the workspace. */
export const buildScopeSql = (scope: StatementScope, { model, row }: ModelRows<SqlModel>): Sql =>
  model.customId === null
    ? sql`${row}.workspace_id = ${scope.workspace}`
    : sql`${row}.workspace_id = ${scope.workspace} and ${row}.model_id = ${sql.literal(model.customId)}`;

/** Builds `"table" t where …` for all rows of the source. */
export const buildSourceSql = (scope: StatementScope, source: ModelRows<SqlModel>): Sql =>
  sql`${buildTableSql(scope, source.model)} ${source.row} where ${buildScopeSql(scope, source)}`;

function buildSharedTableSql({ workspace }: StatementScope, model: SqlModel, shared: string): Sql {
  const storedFields = [...model.fields.values()].filter((f) => isStoredField(f) && !f.custom);
  const columns = sql.join(storedFields.map((field) => getFieldIdentifier(field)));
  const [none, custom] = model.extensible ? [sql`, null::jsonb`, sql`, custom`] : [sql.empty, sql.empty];
  return sql`(select ${workspace}::int as workspace_id, ${columns}${none}
    from ${sql.id(shared)}${buildPresentSql(model)} union all
    select workspace_id, ${columns}${custom} from ${getTableIdentifier(model)} where workspace_id = ${workspace})`;
}

/** Excludes metadata of models and fields whose apps are not installed in the workspace. */
function buildPresentSql({ lacks }: SqlModel): Sql {
  if (!lacks) return sql.empty;
  const joinLiterals = (names: readonly string[]) => sql.join(names.map((name) => sql.literal(name)));
  const fields =
    lacks.fields.length > 0
      ? sql` and model || '.' || name not in (${joinLiterals(lacks.fields)})`
      : sql.empty;
  return sql` where model not in (${joinLiterals(lacks.models)})${fields}`;
}

const TYPE_CASTS: Partial<Record<Field['type'], Sql>> = {
  integer: sql`::int`,
  many2one: sql`::int8`,
  many2one_reference: sql`::int8`,
  float: sql`::float8`,
  monetary: sql`::numeric`,
  boolean: sql`::boolean`,
  date: sql`::date`,
  datetime: sql`::timestamp`,
};

/** Builds SQL for a field's value: a column, a custom value or an expression. Does not support lists. */
export function buildColumnSql(statement: Statement, source: ModelRows, field: Field): Sql {
  const { model, row } = source;
  if (field.name === 'display_name') return buildDisplayNameSql(statement, source);
  if (field.related) return buildRelatedColumnSql(statement, source, field.related, isRuleBound(field));
  if (field.computed) return sql`(${field.computed(row, createSqlContext(statement, source))})`;
  if (field.custom && field.type === 'binary') return buildFileContentSql(statement, row, field.custom.id);
  const columnSql = buildOwnColumnSql(field, row);
  if (field.displayColumn)
    return sql`(${field.displayColumn(columnSql, row, createSqlContext(statement, source))})`;
  if (field.ofCompanies && statement.company !== null) {
    const key = sql.literal(buildCompanyKey(field.name, statement.company));
    return sql`coalesce((${row}.custom->>${key})${TYPE_CASTS[field.type] ?? sql.empty}, ${columnSql})`;
  }
  return statement.lang && isTranslated(model, field)
    ? sql`coalesce(${row}.custom->>${sql.literal(buildTranslationKey(field, statement.lang))}, ${columnSql})`
    : columnSql;
}

/**
 * Builds SQL for a value in a condition, an order or a group. For masked callers, it lacks the credentials of links, as
 * in their results, so that comparisons do not reveal them.
 */
export function buildComparedColumnSql(statement: Statement, source: ModelRows, field: Field): Sql {
  const column = buildColumnSql(statement, source, field);
  return statement.mask && LINK_TYPES.has(field.type) ? maskLinksSql(column) : column;
}

const LINK_TYPES: ReadonlySet<string> = new Set(['char', 'text', 'html']);

export const maskLinksSql = (text: Sql): Sql => sql`case when ${buildMayHaveCredentialSql(text)}
    then regexp_replace(${text}, ${LINK_CREDENTIAL_SQL}, '\\1***', 'g') else ${text} end`;

export const buildHasCredentialSql = (text: Sql): Sql =>
  sql`(${buildMayHaveCredentialSql(text)} and ${text} ~ ${LINK_CREDENTIAL_SQL})`;

/** Faster than the regular expression, which then runs only for a few values. */
const buildMayHaveCredentialSql = (text: Sql): Sql =>
  sql`(${text} like '%hash=%' or ${text} like '%/calendar/feed/%')`;

const LINK_CREDENTIAL_SQL = sql.literal(LINK_CREDENTIAL.source);

/**
 * Reads a missing number as 0, because custom values have no defaults and a few columns are nullable for internal use.
 */
function buildOwnColumnSql(field: Field, row: Sql): Sql {
  const column = buildStoredColumnSql(field, row);
  return defaultsToZero(field) && (field.custom || !field.required) ? sql`coalesce(${column}, 0)` : column;
}

/** Builds SQL for a field's stored value, without a default. */
export const buildStoredColumnSql = (field: Field, row: Sql): Sql =>
  field.custom ? buildCustomColumnSql(field, row) : buildPlainColumnSql(field, row);

/** Cached, because nearly every statement uses columns of the main rows. */
const getMainColumn = memoizePerObject((field: Field) => sql`${MAIN_ROW}.${getFieldIdentifier(field)}`);

const buildPlainColumnSql = (field: Field, row: Sql): Sql =>
  row === MAIN_ROW ? getMainColumn(field) : sql`${row}.${getFieldIdentifier(field)}`;

function buildCustomColumnSql(field: Field, row: Sql): Sql {
  const key = sql.literal(field.name);
  if (field.type === 'json') return sql`(${row}.custom->${key})`;
  return sql`(${row}.custom->>${key})${TYPE_CASTS[field.type] ?? sql.empty}`;
}

/**
 * Files of custom fields are in a separate table, because reading any value of a JSON column loads the whole document.
 */
const buildFileContentSql = ({ workspace }: StatementScope, row: Sql, fieldId: number): Sql =>
  sql`(select f.content from ir_field_file f where f.workspace_id = ${workspace}
    and f.field_id = ${sql.literal(fieldId)} and f.record_id = ${row}.id)`;

export const createSqlContext = (statement: Statement, source: ModelRows): SqlContext => ({
  workspace: statement.workspace,
  table: (name) => sql.id(statement.registry.get(name)!.table),
  field: (name) => buildColumnSql(statement, source, source.model.fields.get(name)!),
  fieldOf: (name, row, fieldName) => {
    const model = statement.registry.get(name)!;
    return buildColumnSql(statement, { model, row }, model.fields.get(fieldName)!);
  },
  alias: () => createAlias(statement),
  today: () => sql`${sql.literal(statement.today())}::date`,
  company: () => buildCompanySql(statement),
  publicUrl: () => sql`${sql.literal(statement.publicUrl)}::text`,
  models: () => [...statement.registry.values()],
});

export function buildDisplayNameSql(statement: Statement, source: ModelRows): Sql {
  const more = source.model.options.namedWith;
  let name = buildBaseNameSql(statement, source);
  if (more)
    for (const key of statement.displayNameKeys)
      name = more[key]?.(name, source.row, createSqlContext(statement, source)) ?? name;
  return name;
}

function buildBaseNameSql(statement: Statement, source: ModelRows): Sql {
  const { model, row } = source;
  const field = model.display === null ? undefined : model.fields.get(model.display);
  if (!field) return sql`${sql.literal(`${model.name},`)} || ${row}.id`;
  if (statement.mask && field.masked) return sql`'***'`;
  if (field.type === 'many2one')
    return buildRelatedColumnSql(statement, source, [field.name, 'display_name']);
  const column = buildColumnSql(statement, source, field);
  const value = isTextField(field) ? column : sql`(${column})::text`;
  // A record of a custom model may have no name.
  return field.custom ? sql`coalesce(${value}, ${sql.literal(`${model.name},`)} || ${row}.id)` : value;
}

/**
 * Related fields declared in code skip the linked record's access rules, because the code decides what to expose.
 * Custom and inherited fields (`isRuled`) expose only the display name, and the values that the caller may read on the
 * linked record.
 */
function buildRelatedColumnSql(
  statement: Statement,
  source: ModelRows,
  [link, target]: [string, string],
  isRuled = false,
  expression = buildColumnSql,
): Sql {
  const linkField = source.model.fields.get(link)!;
  const targetRows = addSource(statement, statement.registry.get(linkField.relation!)!);
  const value = expression(statement, targetRows, targetRows.model.fields.get(target)!);
  const id = buildColumnSql(statement, source, linkField);
  const rule = isRuled && target !== 'display_name' ? statement.readable(targetRows) : sql.empty;
  return sql`(select ${value} from ${buildSourceSql(statement, targetRows)} and ${targetRows.row}.id = ${id}${rule})`;
}

/**
 * Builds SQL for the write time of the record that contains the field's value. Null if its model stores no write time.
 */
export function buildWriteDateSql(statement: Statement, source: ModelRows, field: Field): Sql {
  if (field.related)
    return buildRelatedColumnSql(statement, source, field.related, isRuleBound(field), buildWriteDateSql);
  const writeDate = source.model.fields.get('write_date');
  return writeDate ? buildColumnSql(statement, source, writeDate) : sql`null`;
}

/** Builds the condition that joins `targetRows` to the rows of `source`. */
export const buildLinkSql = (
  statement: Statement,
  source: ModelRows,
  field: Field,
  targetRows: ModelRows,
): Sql =>
  sql`${buildUnfixedLinkSql(statement, source, field, targetRows)}${buildFixedValuesSql(field, targetRows)}`;

/** Builds the conditions that all records of a one2many share, such as ` and t1.type = 'opportunity'`. */
export const buildFixedValuesSql = ({ fixed = {} }: Field, { row }: ModelRows): Sql =>
  sql.join(
    Object.entries(fixed).map(
      ([column, value]) => sql` and ${row}.${sql.id(column)} = ${sql.literal(value)}`,
    ),
    '',
  );

/** Like `buildLinkSql`, without the conditions of `buildFixedValuesSql`. */
export function buildUnfixedLinkSql(
  statement: Statement,
  source: ModelRows,
  field: Field,
  targetRows: ModelRows,
): Sql {
  if (field.type === 'many2one')
    return sql`${targetRows.row}.id = ${buildColumnSql(statement, source, field)}`;
  const owner = buildListOwnerSql(statement, source, field);
  if (field.thread) {
    const { model: name, id } = field.thread;
    return sql`${targetRows.row}.${sql.id(name)} = ${sql.literal(owner.name)}
      and ${targetRows.row}.${sql.id(id)} = ${owner.id}`;
  }
  if (field.type === 'one2many') {
    const inverse = targetRows.model.fields.get(field.inverse!)!;
    return sql`${buildColumnSql(statement, targetRows, inverse)} = ${owner.id}`;
  }
  // The expression of a computed list is a query for ids.
  if (field.computed)
    return sql`${targetRows.row}.id in (${field.computed(source.row, createSqlContext(statement, source))})`;
  const { table, self, other } = field.join!;
  return sql`${targetRows.row}.id in (select ${sql.id(other)} from ${sql.id(table)}
    where workspace_id = ${statement.workspace}${buildFixedColumnsSql(field.join!)} and ${sql.id(self)} = ${owner.id})`;
}

/** Returns the record that owns the list: the row itself, or the parent record from which the list is inherited. */
export function buildListOwnerSql(
  statement: Statement,
  source: ModelRows,
  { related }: Field,
): { name: string; id: Sql } {
  const { model, row } = source;
  if (!related) return { name: model.name, id: sql`${row}.id` };
  const { relation: name } = model.fields.get(related[0])!;
  return { name: name!, id: buildRelatedColumnSql(statement, source, [related[0], 'id'], true) };
}

/** Builds the conditions that all links of a many2many share, such as ` and field_id = 7`. */
export const buildFixedColumnsSql = ({ fixed }: JoinTable): Sql =>
  sql.join(
    Object.entries(fixed).map(([column, value]) => sql` and ${sql.id(column)} = ${sql.literal(value)}`),
    '',
  );

/** Finds the fields that can reference records of `target` without a foreign key. Returns each field with its model. */
export function findLooseLinks(registry: Registry, target: string) {
  return [...registry.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter((f) => f.type === 'many2one' && f.relation === target && !f.related && !f.computed)
      .filter((f) => f.loose || f.onDelete === 'set null')
      .map((field) => ({ model, field })),
  );
}
