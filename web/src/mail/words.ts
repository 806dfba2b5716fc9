import { loadStrings } from '../i18n/language.ts';

export type MailWords = typeof import('../i18n/en/mail.ts')['words'];

export const mailWords = await loadStrings<MailWords>({
  en: () => import('../i18n/en/mail.ts'),
  de: () => import('../i18n/de/mail.ts'),
});
