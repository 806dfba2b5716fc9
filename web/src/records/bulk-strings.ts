import { loadStrings } from '../i18n/language.ts';

export const bulkStrings = await loadStrings<typeof import('../i18n/en/records-bulk.ts')['strings']>({
  en: () => import('../i18n/en/records-bulk.ts'),
  de: () => import('../i18n/de/records-bulk.ts'),
});
