import { loadStrings } from '../../i18n/language.ts';

export const contactWords = await loadStrings<typeof import('../../i18n/en/contacts.ts')['words']>({
  en: () => import('../../i18n/en/contacts.ts'),
  de: () => import('../../i18n/de/contacts.ts'),
});
