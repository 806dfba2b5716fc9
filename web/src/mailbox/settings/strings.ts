import { loadStrings } from '../../i18n/language.ts';

type MailSettingsStrings = typeof import('../../i18n/en/mail-settings.ts')['strings'];

export const settingsStrings = await loadStrings<MailSettingsStrings>({
  en: () => import('../../i18n/en/mail-settings.ts'),
  de: () => import('../../i18n/de/mail-settings.ts'),
});
