/** A language code of classic RPC, such as `fr_BE` or `sr@latin`, as Intl knows it. */
export const localeOf = (lang: string): string => lang.replace(/@.*$/, '').replaceAll('_', '-');

/** TypeScript does not know these two of ECMA-402 yet. */
export type Locale = Intl.Locale & {
  getTextInfo(): { direction?: 'ltr' | 'rtl' };
  getWeekInfo(): { firstDay: number };
};

/** The first day of the week where the language is spoken: 1 is Monday, 7 is Sunday, also where it is not known. */
export function weekStartOf(lang: string): number {
  try {
    return (new Intl.Locale(localeOf(lang)) as Locale).getWeekInfo().firstDay;
  } catch {
    return 7;
  }
}
