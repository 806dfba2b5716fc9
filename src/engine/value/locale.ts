import { createCache } from '../../cache.ts';

/** Converts a language code such as `fr_BE` or `sr@latin` to the format of Intl. */
export const toLocale = (lang: string): string => lang.replace(/@.*$/s, '').replaceAll('_', '-');

export function isLocale(lang: string): boolean {
  try {
    return Intl.getCanonicalLocales(toLocale(lang)).length > 0;
  } catch {
    return false;
  }
}

/** Adds ECMA-402 methods that TypeScript does not declare yet. */
export type Locale = Intl.Locale & {
  getTextInfo(): { direction?: 'ltr' | 'rtl' };
  getWeekInfo(): { firstDay: number };
};

const weekStarts = createCache<string, number>({ entries: 500 });

/** Returns the first day of the week for a language: 1 is Monday, 7 is Sunday. Returns 7 for an invalid code. */
export const getWeekStart = (lang: string): number =>
  weekStarts.getOrCreate(lang, () => lookUpWeekStart(lang));

function lookUpWeekStart(lang: string): number {
  try {
    return (new Intl.Locale(toLocale(lang)) as Locale).getWeekInfo().firstDay;
  } catch {
    return 7;
  }
}

/**
 * Regions where the first week of a year contains at least four of its days (CLDR `minDays`). Elsewhere, one day is
 * enough.
 */
const FOUR_DAY_REGIONS = new Set(
  (
    'AD AN AT AX BE BG CH CZ DE DK EE ES FI FJ FO FR GB GF GG GI GP GR HU IE IM IS IT JE LI LT LU MC MQ NL NO PL PT ' +
    'RE RU SE SJ SK SM VA'
  ).split(' '),
);

export function hasIsoWeeks(lang: string): boolean {
  if (getWeekStart(lang) !== 1) return false;
  return FOUR_DAY_REGIONS.has(new Intl.Locale(toLocale(lang)).maximize().region ?? '');
}
