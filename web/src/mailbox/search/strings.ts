import { loadStrings } from '../../i18n/language.ts';

type SearchStrings = typeof import('../../i18n/en/mail-search.ts')['strings'];

export const searchStrings = await loadStrings<SearchStrings>({
  en: () => import('../../i18n/en/mail-search.ts'),
  de: () => import('../../i18n/de/mail-search.ts'),
});
