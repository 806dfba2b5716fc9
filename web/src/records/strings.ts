import { loadStrings } from '../i18n/language.ts';

export const recordStrings = await loadStrings({
  en: () => import('../i18n/en/records.ts'),
  de: () => import('../i18n/de/records.ts'),
});
