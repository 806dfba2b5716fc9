import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

export interface SiteLanguage {
  [name: string]: string | boolean;
  /** Code, such as `fr_BE`. */
  code: string;
  /** HTML language tag, such as `fr-BE`. */
  tag: string;
  name: string;
  /** Path prefix, such as `/fr`. Empty for the website's default language. */
  prefix: string;
}

/**
 * Returns the active languages, starting with the website's default. Prefixes do not change when a language is
 * activated.
 */
export function getSiteLanguages({ catalog }: Ctx, first: string): SiteLanguage[] {
  const codes = [first, ...[...catalog.languages.keys()].filter((code) => code !== first).sort()];
  return codes.map((code, index) => ({
    code,
    tag: code.replace(/@.*$/s, '').replaceAll('_', '-'),
    name: catalog.languages.get(code) ?? code,
    prefix: index === 0 ? '' : `/${catalog.urlCodes.get(code) ?? code}`,
  }));
}

/**
 * Splits a path into its language and the rest. If no language has the prefix `/fr`, selects another variant of French,
 * such as Belgian French.
 */
export function splitLanguage(path: string, languages: SiteLanguage[]): { lang: SiteLanguage; rest: string } {
  const [defaultLanguage, ...otherLanguages] = languages as [SiteLanguage, ...SiteLanguage[]];
  const part = path.split('/')[1]!;
  const lang =
    otherLanguages.find(({ prefix }) => prefix === `/${part}`) ??
    otherLanguages.find(
      ({ code }) => code.split('_')[0] === part && !defaultLanguage.code.startsWith(`${part}_`),
    );
  return lang ? { lang, rest: path.slice(part.length + 1) || '/' } : { lang: defaultLanguage, rest: path };
}
