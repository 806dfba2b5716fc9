import { loadStrings } from '../../i18n/language.ts';

export const contactStrings = await loadStrings({
  en: () => import('../../i18n/en/contacts.ts'),
  de: () => import('../../i18n/de/contacts.ts'),
});
