import { memoizePerObject } from '../../cache.ts';
import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { canAccessField } from '../access/access.ts';
import { getModel } from '../access/create-statement.ts';
import { getToday } from '../ctx/call-context.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { DefaultValue } from '../ctx/model-hooks.ts';
import { type Field, isFractionField, isStoredField } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';

/**
 * Adds default values from the caller's context and the model. The database adds column defaults.
 * @throws USER_ERROR if the caller's defaults are too large for the number of records
 */
export async function addDefaults(ctx: Ctx, model: Model, list: Values[]): Promise<void> {
  const contextDefaults = getContextDefaults(ctx, model);
  assertDefaultSize(contextDefaults, list);
  const modelDefaults = model.options.defaults ?? {};
  for (const name of new Set([...Object.keys(contextDefaults), ...Object.keys(modelDefaults)])) {
    const incompleteValues = list.filter((values) => values[name] === undefined);
    if (incompleteValues.length === 0) continue;
    const value =
      name in contextDefaults ? contextDefaults[name] : await resolveDefault(ctx, modelDefaults[name]);
    if (value !== undefined) for (const values of incompleteValues) values[name] = value;
  }
}

/** Limits the total size, because a default appears once in a request but is written for each record. */
function assertDefaultSize(defaults: Values, list: Values[]): void {
  let bytes = 0;
  for (const [name, value] of Object.entries(defaults)) {
    const lackingCount = list.filter((values) => values[name] === undefined).length;
    if (lackingCount > 1) bytes += lackingCount * Buffer.byteLength(JSON.stringify(value) ?? '');
  }
  if (bytes > limits.record.defaultBytes) throw errors.defaultsTooLarge(bytes);
}

/** Returns the default values in the caller's context for fields that the caller can set. */
function getContextDefaults(ctx: Ctx, model: Model): Values {
  const entries = Object.entries(ctx.context.defaults).filter(([name]) => {
    const field = model.fields.get(name);
    return (
      field && !field.readonly && !field.secret && (isStoredField(field) || field.type.endsWith('2many'))
    );
  });
  return Object.fromEntries(entries);
}

const resolveDefault = (ctx: Ctx, start: DefaultValue | undefined): unknown =>
  typeof start === 'function' ? start(ctx) : start;

/**
 * Returns the initial values of a new record's fields in the format that `create` accepts. Omits unknown fields and
 * fields without an initial value.
 */
export async function computeDefaults(
  ctx: Ctx,
  name: string,
  names: string[],
): Promise<Record<string, unknown>> {
  const model = getModel(ctx, name);
  const defaults: Values = {};
  await addDefaults(ctx, model, [defaults]);
  const isVisibleField = (field: string): boolean => {
    const knownField = model.fields.get(field);
    return knownField !== undefined && canAccessField(ctx, knownField);
  };
  const completedValues = await computeCompletedDefaults(ctx, model, defaults, names);
  const values = {
    ...(await loadColumnDefaults(ctx, model, names)),
    ...(await computeLinkedDefaults(ctx, model, names)),
    ...completedValues,
    ...defaults,
  };
  return Object.fromEntries(
    names.filter((name) => name in values && isVisibleField(name)).map((item) => [item, values[item]]),
  );
}

/**
 * Returns the defaults of fields that the caller sets on a record created together with the new one, such as the
 * template of a product variant.
 */
async function computeLinkedDefaults(ctx: Ctx, model: Model, names: string[]): Promise<Values> {
  const { accepts = [], completes = [] } = model.options;
  const linkedFields = names.flatMap((name) => {
    const related = accepts.includes(name) ? model.fields.get(name)?.related : undefined;
    return related && completes.includes(related[0]) ? [{ name, link: related[0], target: related[1] }] : [];
  });
  const values: Values = {};
  for (const [link, fields] of Map.groupBy(linkedFields, (field) => field.link)) {
    const targets = fields.map(({ target }) => target);
    const defaults = await computeDefaults(ctx, model.fields.get(link)!.relation!, targets);
    for (const { name, target } of fields) if (target in defaults) values[name] = defaults[target];
  }
  return values;
}

/** Returns the values that the model's `prepare` hook adds to a new record. */
async function computeCompletedDefaults(
  ctx: Ctx,
  model: Model,
  defaults: Values,
  names: string[],
): Promise<Values> {
  const { completes = [], prepare } = model.options;
  const completedFields = completes.filter((item) => names.includes(item));
  if (!prepare || completedFields.length === 0) return {};
  const values = { ...defaults };
  await prepare(ctx, [values], null);
  return Object.fromEntries(
    completedFields.filter((completedField) => values[completedField]).map((item) => [item, values[item]]),
  );
}

/**
 * Drops values of read-only fields that equal their defaults, because forms send back the defaults that they received.
 */
export async function dropUnchangedDefaults(ctx: Ctx, model: Model, list: Values[]): Promise<void> {
  if (ctx.sudo) return;
  const names = getFixedDefaults(model).filter((name) => list.some((values) => values[name] !== undefined));
  if (names.length === 0) return;
  const starts = await loadColumnDefaults(ctx, model, names);
  for (const values of list) for (const name of names) if (values[name] === starts[name]) delete values[name];
}

/**
 * Returns true for a read-only selection with a column default. The initial values of other read-only columns depend on
 * other data.
 */
const hasFixedDefault = (field: Field): boolean =>
  field.type === 'selection' && field.readonly && field.hasDefault && !field.secret;

const getFixedDefaults = memoizePerObject((model: Model) =>
  [...model.fields.values()].filter(hasFixedDefault).map((field) => field.name),
);

async function loadColumnDefaults(ctx: Ctx, model: Model, names: string[]): Promise<Values> {
  const fields = [...new Set(names)]
    .map((field) => model.fields.get(field))
    .filter((field) => field !== undefined)
    .filter((field) => field.hasDefault && !field.custom && !field.secret && canAccessField(ctx, field))
    .filter((field) => !field.readonly || hasFixedDefault(field));
  if (fields.length === 0) return {};
  const columns = await ctx.db.rows<{ name: string; expression: string }>(
    sql`select column_name as name, column_default as expression from information_schema.columns
     where table_schema = current_schema() and table_name = ${model.table}
       and column_name = any(${fields.map((field) => field.name)}) and column_default is not null`,
  );
  return evaluateDefaults(ctx, fields, columns);
}

async function evaluateDefaults(
  ctx: Ctx,
  fields: Field[],
  columns: { name: string; expression: string }[],
): Promise<Record<string, unknown>> {
  const evaluable = fields.flatMap((field) => {
    const column = columns.find(({ name }) => name === field.name);
    return column ? [{ field, expression: column.expression }] : [];
  });
  if (evaluable.length === 0) return {};
  const values = evaluable.map(
    ({ field, expression }, index) =>
      sql`${buildDefaultSql(ctx, field, expression)} as ${sql.id(`v${index}`)}`,
  );
  const [row] = await ctx.db.rows<Record<string, unknown>>(sql`select ${sql.join(values)}`);
  const starts = evaluable.map(({ field }, index) => [field.name, row![`v${index}`]] as const);
  // An empty string is not a default. It only satisfies the column's not-null constraint.
  return Object.fromEntries(starts.filter(([, value]) => value !== ''));
}

/**
 * Builds SQL for a default in the format that callers write.
 * @param expression column default as reported by PostgreSQL
 */
function buildDefaultSql(ctx: Ctx, field: Field, expression: string): Sql {
  if (field.type === 'date' && expression === 'CURRENT_TIMESTAMP') return sql.literal(getToday(ctx));
  const value = sql`(${sql.raw(expression)})`;
  if (field.type === 'datetime') return sql`left(${value}::timestamp::text, 19)`;
  if (field.type === 'date') return sql`${value}::date::text`;
  return isFractionField(field) ? sql`${value}::float8` : value;
}
