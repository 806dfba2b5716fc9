import { loadStrings } from '../../i18n/language.ts';

export const ownModelStrings = await loadStrings({
  en: () => import('../../i18n/en/own-models.ts'),
  de: () => import('../../i18n/de/own-models.ts'),
});
