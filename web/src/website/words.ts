import { loadStrings } from '../i18n/language.ts';

export type SiteWords = typeof import('../i18n/en/website.ts')['words'];

export const siteWords = await loadStrings<SiteWords>({
  en: () => import('../i18n/en/website.ts'),
  de: () => import('../i18n/de/website.ts'),
});
