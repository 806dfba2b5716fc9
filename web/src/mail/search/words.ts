import { loadStrings } from '../../i18n/language.ts';

export type SearchWords = typeof import('../../i18n/en/mail-search.ts')['words'];

export const searchWords = await loadStrings<SearchWords>({
  en: () => import('../../i18n/en/mail-search.ts'),
  de: () => import('../../i18n/de/mail-search.ts'),
});
