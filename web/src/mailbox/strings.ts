import { loadStrings } from '../i18n/language.ts';

export const mailStrings = await loadStrings({
  en: () => import('../i18n/en/mail.ts'),
  de: () => import('../i18n/de/mail.ts'),
});
