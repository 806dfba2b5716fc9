import { loadStrings } from '../../i18n/language.ts';

export const composerWords = await loadStrings<typeof import('../../i18n/en/composer.ts')['words']>({
  en: () => import('../../i18n/en/composer.ts'),
  de: () => import('../../i18n/de/composer.ts'),
});
