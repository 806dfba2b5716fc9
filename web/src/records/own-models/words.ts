import { loadStrings } from '../../i18n/language.ts';

export const ownModelWords = await loadStrings<typeof import('../../i18n/en/own-models.ts')['words']>({
  en: () => import('../../i18n/en/own-models.ts'),
  de: () => import('../../i18n/de/own-models.ts'),
});
