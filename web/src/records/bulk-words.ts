import { wordsOf } from '../i18n/language.ts';

export const bulkWords = await wordsOf<typeof import('../i18n/en/records-bulk.ts')['words']>({
  en: () => import('../i18n/en/records-bulk.ts'),
  de: () => import('../i18n/de/records-bulk.ts'),
});
