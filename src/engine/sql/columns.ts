import { type Field, isStored, type SqlModel, type SqlWords } from '../model/field.ts';
import type { Model, Registry } from '../model/model.ts';
import { isTranslated, translationKey } from '../model/translated.ts';
import { alias, quote, type Statement, text } from './statement.ts';

/** Where the rows of a model are read. */
export const tableOf = (model: SqlModel): string =>
  model.options.sharedTable ? sharedSql(model) : quote(model.table);

/** What makes rows of that table the model's, in the workspace `$1`. */
export const scopeSql = (model: SqlModel, row: string): string =>
  model.customId === null
    ? `${row}.workspace_id = $1`
    : `${row}.workspace_id = $1 and ${row}.model_id = ${model.customId}`;

/** The rows that every workspace has, and its own. */
function sharedSql(model: SqlModel): string {
  const names = [...model.fields.values()].filter((f) => isStored(f) && !f.custom).map((f) => quote(f.name));
  const columns = names.join(', ');
  const custom = model.extensible ? ', custom' : '';
  const none = model.extensible ? ', null::jsonb' : '';
  return `(select $1::int as workspace_id, ${columns}${none} from ${quote(model.options.sharedTable!)} union all select workspace_id, ${columns}${custom} from ${quote(model.table)} where workspace_id = $1)`;
}

const CASTS: Partial<Record<Field['type'], string>> = {
  integer: '::int',
  many2one: '::int',
  many2one_reference: '::int',
  float: '::float8',
  monetary: '::numeric',
  boolean: '::boolean',
  date: '::date',
  datetime: '::timestamp',
};

/** The value of a field of the row `row`: a column, a custom value, or an expression. Lists have none. */
export function columnSql(statement: Statement, model: Model, field: Field, row: string): string {
  if (field.name === 'display_name') return displaySql(statement, model, row);
  if (field.related) return relatedSql(statement, model, field.related, row);
  if (field.computed) return `(${field.computed(row, wordsOf(statement, model, row))})`;
  const own = field.custom ? customSql(field, row) : `${row}.${quote(field.name)}`;
  return statement.lang && isTranslated(model, field)
    ? `coalesce(${row}.custom->>${text(translationKey(field, statement.lang))}, ${own})`
    : own;
}

function customSql(field: Field, row: string): string {
  const key = text(field.name);
  if (field.type === 'json') return `(${row}.custom->${key})`;
  if (field.type === 'binary') return `decode(${row}.custom->>${key}, 'base64')`;
  const cast = CASTS[field.type];
  return cast ? `(${row}.custom->>${key})${cast}` : `(${row}.custom->>${key})`;
}

/** What expressions on the row `row` of `model` are made with. */
export const wordsOf = (statement: Statement, model: Model, row: string): SqlWords => ({
  table: (name) => quote(statement.registry.get(name)!.table),
  field: (name) => columnSql(statement, model, model.fields.get(name)!, row),
  alias: () => alias(statement),
  today: () => `${text(statement.today())}::date`,
  models: () => [...statement.registry.values()],
});

/** The value that names a record: its display field, or its model and id. */
export function displaySql(statement: Statement, model: Model, row: string): string {
  const field = model.display === null ? undefined : model.fields.get(model.display);
  if (!field) return `${text(`${model.name},`)} || ${row}.id`;
  if (field.type === 'many2one') return relatedSql(statement, model, [field.name, 'display_name'], row);
  const value = columnSql(statement, model, field, row);
  // A record of a custom model may lack a name.
  return field.custom ? `coalesce(${value}, ${text(`${model.name},`)} || ${row}.id)` : value;
}

function relatedSql(
  statement: Statement,
  model: Model,
  [link, target]: [string, string],
  row: string,
): string {
  const via = model.fields.get(link)!;
  const far = statement.registry.get(via.relation!)!;
  const next = alias(statement);
  const value = columnSql(statement, far, far.fields.get(target)!, next);
  return `(select ${value} from ${tableOf(far)} ${next} where ${scopeSql(far, next)} and ${next}.id = ${columnSql(statement, model, via, row)})`;
}

/** What ties the related row `far` to the row `row` of `model`. Of a computed list the expression is a query of ids. */
export function linkSql(statement: Statement, model: Model, field: Field, row: string, far: string): string {
  if (field.type === 'many2one') return `${far}.id = ${columnSql(statement, model, field, row)}`;
  const target = statement.registry.get(field.relation!)!;
  if (field.thread)
    return `${far}.${quote(field.thread.model)} = ${text(model.name)} and ${far}.${quote(field.thread.id)} = ${row}.id`;
  if (field.type === 'one2many')
    return `${columnSql(statement, target, target.fields.get(field.inverse!)!, far)} = ${row}.id`;
  if (field.computed) return `${far}.id in (${field.computed(row, wordsOf(statement, model, row))})`;
  const { table, self, other } = field.join!;
  return `${far}.id in (select ${quote(other)} from ${quote(table)} where workspace_id = $1${fixedSql(field)} and ${quote(self)} = ${row}.id)`;
}

/** ` and field_id = 7`: what all links of a many2many share. */
export const fixedSql = (field: Field): string =>
  Object.entries(field.join!.fixed)
    .map(([column, value]) => ` and ${quote(column)} = ${value}`)
    .join('');

/** Models whose records may lead to `target`, with the field that does, where no foreign key guards it. */
export function looseLinksTo(registry: Registry, target: string): { model: Model; field: Field }[] {
  return [...registry.values()].flatMap((model) =>
    [...model.fields.values()]
      .filter((f) => f.type === 'many2one' && f.relation === target && !f.related && !f.computed)
      .filter((f) => f.loose || f.onDelete === 'set null')
      .map((field) => ({ model, field })),
  );
}
