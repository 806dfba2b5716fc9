import { loadStrings } from '../../i18n/language.ts';

export const templateStrings = await loadStrings({
  en: () => import('../../i18n/en/templates.ts'),
  de: () => import('../../i18n/de/templates.ts'),
});
