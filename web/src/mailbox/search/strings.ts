import { loadStrings } from '../../i18n/language.ts';

export const searchStrings = await loadStrings({
  en: () => import('../../i18n/en/mail-search.ts'),
  de: () => import('../../i18n/de/mail-search.ts'),
});
