import { loadStrings } from '../../i18n/language.ts';

export const importStrings = await loadStrings({
  en: () => import('../../i18n/en/csv-import.ts'),
  de: () => import('../../i18n/de/csv-import.ts'),
});
