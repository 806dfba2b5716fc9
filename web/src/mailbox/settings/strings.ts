import { loadStrings } from '../../i18n/language.ts';

export const settingsStrings = await loadStrings({
  en: () => import('../../i18n/en/mail-settings.ts'),
  de: () => import('../../i18n/de/mail-settings.ts'),
});
