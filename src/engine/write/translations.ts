import { type Sql, sql } from '../../db/sql.ts';
import { errors } from '../../errors.ts';
import { isObject } from '../../json.ts';
import { assertComparable, assertModelAccess } from '../access/access.ts';
import { createStatement, getModel } from '../access/create-statement.ts';
import { assertRowsAllowed } from '../access/row-access.ts';
import { assertLanguage } from '../ctx/catalog.ts';
import type { Ctx } from '../ctx/ctx.ts';
import type { Field } from '../model/field.ts';
import type { Model, Values } from '../model/model.ts';
import { buildTranslationKey, isTranslated, SOURCE_LANGUAGE } from '../model/translations.ts';
import { buildColumnSql, buildScopeSql, buildSourceSql } from '../sql/columns.ts';
import { getMainSource } from '../sql/statement.ts';
import { write } from './write.ts';

interface FieldTranslation {
  lang: string;
  source: string;
  /** Empty if there is no translation. */
  value: string;
}

/**
 * Returns a record's translations in `langs` (by default, all active languages), and the translation type (`char` or
 * `text`).
 * @throws MISSING, ACCESS_ERROR, USER_ERROR for a language that is not active
 */
export async function readTranslations(
  ctx: Ctx,
  name: string,
  ids: number[],
  fieldName: string,
  langs: string[] | null,
): Promise<[FieldTranslation[], object]> {
  const model = getModel(ctx, name);
  const field = getTranslatedField(ctx, model, fieldName);
  assertModelAccess(ctx, model, 'read');
  const languages = langs?.length ? langs : [...ctx.catalog.languages.keys()].sort();
  for (const lang of languages) assertLanguage(ctx.catalog, lang);
  const { source, custom } = await loadTexts(ctx, model, field, ids);
  const getValueSql = (lang: string): string =>
    lang === SOURCE_LANGUAGE ? source : ((custom[buildTranslationKey(field, lang)] as string | null) ?? '');
  const texts = languages.map((lang) => ({ lang, source, value: getValueSql(lang) }));
  return [
    texts,
    { translation_type: field.type === 'char' ? 'char' : 'text', translation_show_source: false },
  ];
}

/**
 * Writes a text field in several languages. False deletes a translation.
 * @throws the same errors as readTranslations
 */
export async function writeTranslations(
  ctx: Ctx,
  name: string,
  ids: number[],
  fieldName: string,
  translations: unknown,
): Promise<true> {
  const field = getTranslatedField(ctx, getModel(ctx, name), fieldName);
  if (!isObject(translations)) throw errors.wrongArgument('translations');
  const texts = Object.entries(translations);
  for (const [lang] of texts) assertLanguage(ctx.catalog, lang);
  return ctx.tx(async (tx) => {
    for (const [lang, value] of texts) {
      const inLang = tx.with({ context: { ...tx.context, lang } });
      await write(inLang, name, ids, { [field.name]: value });
    }
    return true as const;
  });
}

interface CopiedTexts {
  model: Model;
  fields: Field[];
  /** Field with a suffix in the copies, such as `(copy)`. Its translations get the same suffix. */
  nameField: Field | null;
}

/** Copies the translations of each record in `from` to the record at the same position in `to`. */
export async function copyTranslations(
  ctx: Ctx,
  { model, fields, nameField }: CopiedTexts,
  from: number[],
  to: number[],
): Promise<void> {
  if (fields.length === 0 || to.length === 0) return;
  const table = sql.id(model.table);
  const statement = createStatement(ctx);
  const names = fields.map((field) => field.name);
  const suffix = nameField ? buildSuffixSql(nameField) : sql`null::text`;
  await ctx.db.rows(
    sql`update ${table} t set custom = coalesce(t.custom, '{}') || x.texts
     from (select w.copy, jsonb_object_agg(e.key, coalesce(to_jsonb((e.value #>> '{}') || ${suffix}), e.value)) as texts
       from unnest(${from}::int8[], ${to}::int8[]) w(id, copy)
       join ${table} s on ${buildScopeSql(statement, { model, row: sql`s` })} and s.id = w.id
       join ${table} n on ${buildScopeSql(statement, { model, row: sql`n` })} and n.id = w.copy
       cross join jsonb_each(s.custom) e
       where strpos(e.key, '@') > 0 and split_part(e.key, '@', 1) = any(${names}) group by w.copy) x
     where ${buildScopeSql(statement, getMainSource(model))} and t.id = x.copy`,
  );
}

/** Builds the text after the original's name in a copy's name. Null for other fields. */
function buildSuffixSql(field: Field): Sql {
  const name = sql.id(field.name);
  return sql`case when split_part(e.key, '@', 1) = ${field.name} and starts_with(n.${name}, s.${name})
    then substr(n.${name}, length(s.${name}) + 1) end`;
}

function getTranslatedField(ctx: Ctx, model: Model, name: string): Field {
  const field = model.fields.get(name);
  if (!field) throw errors.unknownField(name, model.name, 'on');
  if (!isTranslated(model, field))
    throw errors.badValue(`The field '${name}' of ${model.name} is not translatable`);
  assertComparable(ctx, model, field);
  return field;
}

async function loadTexts(
  ctx: Ctx,
  model: Model,
  field: Field,
  ids: number[],
): Promise<{ source: string; custom: Values }> {
  const [id] = ids;
  if (ids.length !== 1 || id === undefined) throw errors.notSingle(model.name, ids);
  if ((await assertRowsAllowed(ctx, model, [id], 'read')).length === 0)
    throw errors.missing(model.name, [id], ctx.principal?.userId);
  const statement = createStatement(ctx, { lang: null });
  const source = getMainSource(model);
  const column = buildColumnSql(statement, source, field);
  const [row] = await ctx.db.rows<{ source: string | null; custom: Values | null }>(
    sql`select ${column} as source, t.custom from ${buildSourceSql(statement, source)} and t.id = ${id}`,
  );
  return { source: row?.source ?? '', custom: row?.custom ?? {} };
}
