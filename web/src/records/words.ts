import { loadStrings } from '../i18n/language.ts';

export type RecordWords = typeof import('../i18n/en/records.ts')['words'];

export const recordWords = await loadStrings<RecordWords>({
  en: () => import('../i18n/en/records.ts'),
  de: () => import('../i18n/de/records.ts'),
});
