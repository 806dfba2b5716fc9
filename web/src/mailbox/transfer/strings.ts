import { loadStrings } from '../../i18n/language.ts';

export const transferStrings = await loadStrings({
  en: () => import('../../i18n/en/mail-transfer.ts'),
  de: () => import('../../i18n/de/mail-transfer.ts'),
});
