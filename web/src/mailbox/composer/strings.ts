import { loadStrings } from '../../i18n/language.ts';

export const composerStrings = await loadStrings<typeof import('../../i18n/en/composer.ts')['strings']>({
  en: () => import('../../i18n/en/composer.ts'),
  de: () => import('../../i18n/de/composer.ts'),
});
