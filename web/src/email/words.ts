import { loadStrings } from '../i18n/language.ts';

export type EmailWords = typeof import('../i18n/en/email.ts')['words'];

export const emailWords = await loadStrings<EmailWords>({
  en: () => import('../i18n/en/email.ts'),
  de: () => import('../i18n/de/email.ts'),
});
