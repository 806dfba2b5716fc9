import { loadStrings } from '../i18n/language.ts';

export const profileStrings = await loadStrings({
  en: () => import('../i18n/en/profile.ts'),
  de: () => import('../i18n/de/profile.ts'),
});
