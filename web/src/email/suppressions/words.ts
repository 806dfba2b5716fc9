import { loadStrings } from '../../i18n/language.ts';

export const suppressionWords = await loadStrings<typeof import('../../i18n/en/suppressions.ts')['words']>({
  en: () => import('../../i18n/en/suppressions.ts'),
  de: () => import('../../i18n/de/suppressions.ts'),
});
