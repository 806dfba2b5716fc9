import { loadStrings } from '../i18n/language.ts';

export const bulkStrings = await loadStrings({
  en: () => import('../i18n/en/records-bulk.ts'),
  de: () => import('../i18n/de/records-bulk.ts'),
});
