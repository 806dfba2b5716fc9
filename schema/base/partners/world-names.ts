import { sql } from '../../../src/db/sql.ts';
import type { Ctx } from '../../../src/engine/ctx/ctx.ts';
import { SOURCE_LANGUAGE } from '../../../src/engine/model/translations.ts';
import { toLocale } from '../../../src/engine/value/locale.ts';
import { buildCountries, buildCurrencies } from './reference-data.ts';

/** `texts` is keyed by field and language, such as `name@de_DE`. */
interface TranslatedName {
  code: string;
  english: string;
  texts: Record<string, string>;
}

/**
 * Adds the names of countries and currencies in `languages`. Keeps the names of renamed records, and existing
 * translations unless `overwrites` is set.
 */
export async function translateReferenceData(
  ctx: Ctx,
  languages: string[],
  overwrites = false,
): Promise<void> {
  const otherLanguages = languages.filter((lang) => lang !== SOURCE_LANGUAGE);
  if (otherLanguages.length === 0) return;
  const countries = buildTranslatedNames(
    otherLanguages,
    'region',
    'name',
    buildCountries().map(({ code, name }) => [code, name]),
  );
  const currencies = buildTranslatedNames(
    otherLanguages,
    'currency',
    'full_name',
    buildCurrencies().map(({ name, full_name }) => [name, full_name]),
  );
  const texts = overwrites
    ? sql`coalesce(t.custom, '{}') || x.texts`
    : sql`x.texts || coalesce(t.custom, '{}')`;
  await ctx.db.rows(
    sql`update res_country t set custom = ${texts}
     from jsonb_to_recordset(${JSON.stringify(countries)}::jsonb) x(code text, english text, texts jsonb)
     where t.workspace_id = ${ctx.workspace.id} and t.code = x.code and t.name = x.english`,
  );
  await ctx.db.rows(
    sql`update res_currency t set custom = ${texts}
     from jsonb_to_recordset(${JSON.stringify(currencies)}::jsonb) x(code text, english text, texts jsonb)
     where t.workspace_id = ${ctx.workspace.id} and t.name = x.code and t.full_name = x.english`,
  );
}

function buildTranslatedNames(
  languages: string[],
  type: 'region' | 'currency',
  field: string,
  rows: [code: string, english: string][],
): TranslatedName[] {
  const names = languages.map((lang) => {
    const options: Intl.DisplayNamesOptions = { type, fallback: 'none' };
    return { key: `${field}@${lang}`, of: new Intl.DisplayNames(toLocale(lang), options) };
  });
  return rows.map(([code, english]) => ({
    code,
    english,
    texts: Object.fromEntries(names.flatMap(({ key, of }) => toPair(key, of.of(code)))),
  }));
}

const toPair = (key: string, name: string | undefined): [string, string][] => (name ? [[key, name]] : []);
