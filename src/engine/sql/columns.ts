import { type Sql, sql } from '../../db/sql.ts';
import { companyKey } from '../model/company-values.ts';
import {
  type Field,
  isRuled,
  isStored,
  isText,
  isZeroed,
  type SqlModel,
  type SqlWords,
} from '../model/field.ts';
import type { Registry } from '../model/model.ts';
import { isTranslated, translationKey } from '../model/translated.ts';
import { companySql } from './money-sql.ts';
import {
  alias,
  fieldId,
  otherRows,
  ROW,
  type Scope,
  type Source,
  type Statement,
  tableId,
} from './statement.ts';

/** Where the rows of a model are read. */
export const tableOf = (scope: Scope, model: SqlModel): Sql =>
  model.options.sharedTable ? sharedSql(scope, model, model.options.sharedTable) : tableId(model);

/** What makes rows of that table the model's, in the workspace. */
export const scopeSql = (scope: Scope, { model, row }: Source<SqlModel>): Sql =>
  model.customId === null
    ? sql`${row}.workspace_id = ${scope.workspace}`
    : sql`${row}.workspace_id = ${scope.workspace} and ${row}.model_id = ${sql.literal(model.customId)}`;

/** `"table" t where …`: all rows of the source. */
export const sourceSql = (scope: Scope, source: Source<SqlModel>): Sql =>
  sql`${tableOf(scope, source.model)} ${source.row} where ${scopeSql(scope, source)}`;

/** The rows that every workspace has, and its own. */
function sharedSql({ workspace }: Scope, model: SqlModel, shared: string): Sql {
  const stored = [...model.fields.values()].filter((f) => isStored(f) && !f.custom);
  const columns = sql.join(stored.map((field) => fieldId(field)));
  const [none, custom] = model.extensible ? [sql`, null::jsonb`, sql`, custom`] : [sql.empty, sql.empty];
  return sql`(select ${workspace}::int as workspace_id, ${columns}${none}
    from ${sql.id(shared)}${presentSql(model)} union all
    select workspace_id, ${columns}${custom} from ${tableId(model)} where workspace_id = ${workspace})`;
}

/** Leaves out what describes models and fields of apps that the workspace does not have. */
function presentSql({ lacks }: SqlModel): Sql {
  if (!lacks) return sql.empty;
  const listed = (names: readonly string[]) => sql.join(names.map((name) => sql.literal(name)));
  const fields =
    lacks.fields.length > 0 ? sql` and model || '.' || name not in (${listed(lacks.fields)})` : sql.empty;
  return sql` where model not in (${listed(lacks.models)})${fields}`;
}

const CASTS: Partial<Record<Field['type'], Sql>> = {
  integer: sql`::int`,
  many2one: sql`::int8`,
  many2one_reference: sql`::int8`,
  float: sql`::float8`,
  monetary: sql`::numeric`,
  boolean: sql`::boolean`,
  date: sql`::date`,
  datetime: sql`::timestamp`,
};

/** The value of a field of a row: a column, a custom value, or an expression. Lists have none. */
export function columnSql(statement: Statement, source: Source, field: Field): Sql {
  const { model, row } = source;
  if (field.name === 'display_name') return displaySql(statement, source);
  if (field.related) return relatedSql(statement, source, field.related, isRuled(field));
  if (field.computed) return sql`(${field.computed(row, wordsOf(statement, source))})`;
  if (field.custom && field.type === 'binary') return fileSql(statement, row, field.custom.id);
  const own = ownSql(field, row);
  if (field.shown) return sql`(${field.shown(own, row, wordsOf(statement, source))})`;
  if (field.ofCompanies && statement.company !== null) {
    const key = sql.literal(companyKey(field.name, statement.company));
    return sql`coalesce((${row}.custom->>${key})${CASTS[field.type] ?? sql.empty}, ${own})`;
  }
  return statement.lang && isTranslated(model, field)
    ? sql`coalesce(${row}.custom->>${sql.literal(translationKey(field, statement.lang))}, ${own})`
    : own;
}

/** A number that the row lacks is 0: custom values have no defaults, and a few columns are null for the platform. */
function ownSql(field: Field, row: Sql): Sql {
  const own = givenSql(field, row);
  return isZeroed(field) && (field.custom || !field.required) ? sql`coalesce(${own}, 0)` : own;
}

/** The value that was given to a field that is stored. */
export const givenSql = (field: Field, row: Sql): Sql =>
  field.custom ? customSql(field, row) : plainSql(field, row);

/** Columns of the rows that a statement is about, which nearly every statement asks for. */
const plain = new WeakMap<Field, Sql>();

function plainSql(field: Field, row: Sql): Sql {
  if (row !== ROW) return sql`${row}.${fieldId(field)}`;
  let column = plain.get(field);
  if (!column) {
    column = sql`${row}.${fieldId(field)}`;
    plain.set(field, column);
  }
  return column;
}

function customSql(field: Field, row: Sql): Sql {
  const key = sql.literal(field.name);
  if (field.type === 'json') return sql`(${row}.custom->${key})`;
  return sql`(${row}.custom->>${key})${CASTS[field.type] ?? sql.empty}`;
}

/** A file lies beside its record: the JSON of one is read as a whole for any value in it. */
const fileSql = ({ workspace }: Scope, row: Sql, fieldId: number): Sql =>
  sql`(select f.content from ir_field_file f where f.workspace_id = ${workspace}
    and f.field_id = ${sql.literal(fieldId)} and f.record_id = ${row}.id)`;

/** What expressions on the rows are made with. */
export const wordsOf = (statement: Statement, source: Source): SqlWords => ({
  workspace: statement.workspace,
  table: (name) => sql.id(statement.registry.get(name)!.table),
  field: (name) => columnSql(statement, source, source.model.fields.get(name)!),
  alias: () => alias(statement),
  today: () => sql`${sql.literal(statement.today())}::date`,
  company: () => companySql(statement),
  publicUrl: () => sql`${sql.literal(statement.publicUrl)}::text`,
  models: () => [...statement.registry.values()],
});

/** The text that names a record: its display field, or its model and id. */
export function displaySql(statement: Statement, source: Source): Sql {
  const more = source.model.options.namedWith;
  let name = nameSql(statement, source);
  if (more)
    for (const key of statement.namesTell)
      name = more[key]?.(name, source.row, wordsOf(statement, source)) ?? name;
  return name;
}

function nameSql(statement: Statement, source: Source): Sql {
  const { model, row } = source;
  const field = model.display === null ? undefined : model.fields.get(model.display);
  if (!field) return sql`${sql.literal(`${model.name},`)} || ${row}.id`;
  if (statement.mask && field.masked) return sql`'***'`;
  if (field.type === 'many2one') return relatedSql(statement, source, [field.name, 'display_name']);
  const column = columnSql(statement, source, field);
  const value = isText(field) ? column : sql`(${column})::text`;
  // A record of a custom model may lack a name.
  return field.custom ? sql`coalesce(${value}, ${sql.literal(`${model.name},`)} || ${row}.id)` : value;
}

/**
 * Code that follows a link says by that what it shows of the record there. A field that a workspace has added, or that
 * is inherited, shows what its reader may read there, and the name.
 */
function relatedSql(
  statement: Statement,
  source: Source,
  [link, target]: [string, string],
  ruled = false,
  expression = columnSql,
): Sql {
  const via = source.model.fields.get(link)!;
  const far = otherRows(statement, statement.registry.get(via.relation!)!);
  const value = expression(statement, far, far.model.fields.get(target)!);
  const id = columnSql(statement, source, via);
  const rule = ruled && target !== 'display_name' ? statement.readable(far) : sql.empty;
  return sql`(select ${value} from ${sourceSql(statement, far)} and ${far.row}.id = ${id}${rule})`;
}

/** When the record was written last whose value a field shows; null for one that does not say. */
export function writtenSql(statement: Statement, source: Source, field: Field): Sql {
  if (field.related) return relatedSql(statement, source, field.related, isRuled(field), writtenSql);
  const written = source.model.fields.get('write_date');
  return written ? columnSql(statement, source, written) : sql`null`;
}

/** What ties the related rows `far` to the rows of `source`. Of a computed list the expression is a query of ids. */
export function linkSql(statement: Statement, source: Source, field: Field, far: Source): Sql {
  if (field.type === 'many2one') return sql`${far.row}.id = ${columnSql(statement, source, field)}`;
  const owner = ownerSql(statement, source, field);
  if (field.thread) {
    const { model: name, id } = field.thread;
    return sql`${far.row}.${sql.id(name)} = ${sql.literal(owner.name)} and ${far.row}.${sql.id(id)} = ${owner.id}`;
  }
  if (field.type === 'one2many')
    return sql`${columnSql(statement, far, far.model.fields.get(field.inverse!)!)} = ${owner.id}`;
  if (field.computed)
    return sql`${far.row}.id in (${field.computed(source.row, wordsOf(statement, source))})`;
  const { table, self, other } = field.join!;
  return sql`${far.row}.id in (select ${sql.id(other)} from ${sql.id(table)}
    where workspace_id = ${statement.workspace}${fixedSql(field)} and ${sql.id(self)} = ${owner.id})`;
}

/** The record whose list it is: the row's own, or the one that it is as well. */
function ownerSql(statement: Statement, source: Source, { related }: Field): { name: string; id: Sql } {
  const { model, row } = source;
  if (!related) return { name: model.name, id: sql`${row}.id` };
  const { relation: name } = model.fields.get(related[0])!;
  return { name: name!, id: relatedSql(statement, source, [related[0], 'id'], true) };
}

/** ` and field_id = 7`: what all links of a many2many share. */
export const fixedSql = (field: Field): Sql =>
  sql.join(
    Object.entries(field.join!.fixed).map(
      ([column, value]) => sql` and ${sql.id(column)} = ${sql.literal(value)}`,
    ),
    '',
  );

/** Models whose records may lead to `target`, with the field that does, where no foreign key guards it. */
export function looseLinksTo(registry: Registry, target: string) {
  return [...registry.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter((f) => f.type === 'many2one' && f.relation === target && !f.related && !f.computed)
      .filter((f) => f.loose || f.onDelete === 'set null')
      .map((field) => ({ model, field })),
  );
}
