import { loadStrings } from '../i18n/language.ts';

export const siteStrings = await loadStrings({
  en: () => import('../i18n/en/website.ts'),
  de: () => import('../i18n/de/website.ts'),
});
