import { loadStrings } from '../i18n/language.ts';

type RecordStrings = typeof import('../i18n/en/records.ts')['strings'];

export const recordStrings = await loadStrings<RecordStrings>({
  en: () => import('../i18n/en/records.ts'),
  de: () => import('../i18n/de/records.ts'),
});
