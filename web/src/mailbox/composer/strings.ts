import { loadStrings } from '../../i18n/language.ts';

export const composerStrings = await loadStrings({
  en: () => import('../../i18n/en/composer.ts'),
  de: () => import('../../i18n/de/composer.ts'),
});
