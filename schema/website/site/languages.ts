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

/** The languages in use, that of the website first. */
export function languagesOf(ctx: Ctx, first: string): SiteLanguage[] {
  const codes = [first, ...[...ctx.catalog.languages.keys()].filter((code) => code !== first).sort()];
  const short = Map.groupBy(codes, (code) => code.split('_')[0]!);
  return codes.map((code, index) => ({
    code,
    tag: code.replace(/@.*$/, '').replaceAll('_', '-'),
    name: ctx.catalog.languages.get(code) ?? code,
    prefix: index === 0 ? '' : `/${short.get(code.split('_')[0]!)!.length === 1 ? code.split('_')[0] : code}`,
  }));
}

/** The language that a path begins with, and the rest of it. Pure. */
export function languageIn(path: string, languages: SiteLanguage[]): { lang: SiteLanguage; rest: string } {
  const found = languages.find(
    ({ prefix }) => prefix !== '' && (path === prefix || path.startsWith(`${prefix}/`)),
  );
  return found
    ? { lang: found, rest: path.slice(found.prefix.length) || '/' }
    : { lang: languages[0]!, rest: path };
}
