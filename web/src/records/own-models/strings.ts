import { loadStrings } from '../../i18n/language.ts';

export const ownModelStrings = await loadStrings<typeof import('../../i18n/en/own-models.ts')['strings']>({
  en: () => import('../../i18n/en/own-models.ts'),
  de: () => import('../../i18n/de/own-models.ts'),
});
