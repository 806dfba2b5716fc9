import { loadStrings } from '../i18n/language.ts';

export const viewStrings = await loadStrings<typeof import('../i18n/en/records-views.ts')['strings']>({
  en: () => import('../i18n/en/records-views.ts'),
  de: () => import('../i18n/de/records-views.ts'),
});
