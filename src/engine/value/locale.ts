import { createCache } from '../../cache.ts';

/** A language code of classic RPC, such as `fr_BE` or `sr@latin`, as Intl knows it. */
export const toLocale = (lang: string): string => lang.replace(/@.*$/, '').replaceAll('_', '-');

/** Whether a language code has a form that Intl takes. */
export function isLocale(lang: string): boolean {
  try {
    return Intl.getCanonicalLocales(toLocale(lang)).length > 0;
  } catch {
    return false;
  }
}

/** TypeScript does not know these two of ECMA-402 yet. */
export type Locale = Intl.Locale & {
  getTextInfo(): { direction?: 'ltr' | 'rtl' };
  getWeekInfo(): { firstDay: number };
};

const weekStarts = createCache<string, number>({ entries: 500 });

/** The first day of the week where the language is spoken: 1 is Monday, 7 is Sunday, also where it is not known. */
export const getWeekStart = (lang: string): number =>
  weekStarts.getOrCreate(lang, () => lookUpWeekStart(lang));

function lookUpWeekStart(lang: string): number {
  try {
    return (new Intl.Locale(toLocale(lang)) as Locale).getWeekInfo().firstDay;
  } catch {
    return 7;
  }
}

/** Where the first week of a year has at least four of its days (CLDR, `minDays`); elsewhere one is enough. */
const FOUR_DAY_REGIONS = new Set(
  (
    'AD AN AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL PT ' +
    'RE RU SE SJ SK SM VA'
  ).split(' '),
);

/** Whether weeks are counted as ISO 8601 counts them where the language is spoken. */
export function hasIsoWeeks(lang: string): boolean {
  if (getWeekStart(lang) !== 1) return false;
  return FOUR_DAY_REGIONS.has(new Intl.Locale(toLocale(lang)).maximize().region ?? '');
}
