import { loadStrings } from '../i18n/language.ts';

type EmailStrings = typeof import('../i18n/en/email.ts')['strings'];

export const emailStrings = await loadStrings<EmailStrings>({
  en: () => import('../i18n/en/email.ts'),
  de: () => import('../i18n/de/email.ts'),
});
