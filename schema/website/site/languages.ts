import type { Ctx } from '../../../src/engine/ctx/ctx.ts';

/** A language of a website. */
export interface SiteLanguage {
  [name: string]: string | boolean;
  /** Such as `fr_BE`. */
  code: string;
  /** As HTML has it: `fr-BE`. */
  tag: string;
  name: string;
  /** What addresses in it begin with: `/fr`, or nothing for the language of the website. */
  prefix: string;
}

/** The languages in use, that of the website first. One keeps its address, whichever others come into use. */
export function getSiteLanguages({ catalog }: Ctx, first: string): SiteLanguage[] {
  const codes = [first, ...[...catalog.languages.keys()].filter((code) => code !== first).sort()];
  return codes.map((code, index) => ({
    code,
    tag: code.replace(/@.*$/, '').replaceAll('_', '-'),
    name: catalog.languages.get(code) ?? code,
    prefix: index === 0 ? '' : `/${catalog.urlCodes.get(code) ?? code}`,
  }));
}

/**
 * The language that a path begins with, and the rest of it. `/fr` leads to French as it is written in Belgium where no
 * other has that address. Pure.
 */
export function splitLanguage(path: string, languages: SiteLanguage[]): { lang: SiteLanguage; rest: string } {
  const [own, ...others] = languages as [SiteLanguage, ...SiteLanguage[]];
  const part = path.split('/')[1]!;
  const lang =
    others.find(({ prefix }) => prefix === `/${part}`) ??
    others.find(({ code }) => code.split('_')[0] === part && !own.code.startsWith(`${part}_`));
  return lang ? { lang, rest: path.slice(part.length + 1) || '/' } : { lang: own, rest: path };
}
