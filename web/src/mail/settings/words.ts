import { loadStrings } from '../../i18n/language.ts';

export type MailSettingsWords = typeof import('../../i18n/en/mail-settings.ts')['words'];

export const settingsWords = await loadStrings<MailSettingsWords>({
  en: () => import('../../i18n/en/mail-settings.ts'),
  de: () => import('../../i18n/de/mail-settings.ts'),
});
