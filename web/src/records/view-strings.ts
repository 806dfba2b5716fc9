import { loadStrings } from '../i18n/language.ts';

export const viewStrings = await loadStrings({
  en: () => import('../i18n/en/records-views.ts'),
  de: () => import('../i18n/de/records-views.ts'),
});
