import { loadStrings } from '../i18n/language.ts';

type MailStrings = typeof import('../i18n/en/mail.ts')['strings'];

export const mailStrings = await loadStrings<MailStrings>({
  en: () => import('../i18n/en/mail.ts'),
  de: () => import('../i18n/de/mail.ts'),
});
