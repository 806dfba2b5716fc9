import { loadStrings } from '../i18n/language.ts';

export const emailStrings = await loadStrings({
  en: () => import('../i18n/en/email.ts'),
  de: () => import('../i18n/de/email.ts'),
});
