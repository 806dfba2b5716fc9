import { loadStrings } from '../../i18n/language.ts';

export const suppressionStrings = await loadStrings({
  en: () => import('../../i18n/en/suppressions.ts'),
  de: () => import('../../i18n/de/suppressions.ts'),
});
