import { loadStrings } from '../i18n/language.ts';

type SiteStrings = typeof import('../i18n/en/website.ts')['strings'];

export const siteStrings = await loadStrings<SiteStrings>({
  en: () => import('../i18n/en/website.ts'),
  de: () => import('../i18n/de/website.ts'),
});
