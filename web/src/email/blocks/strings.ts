import { loadStrings } from '../../i18n/language.ts';

export const blockStrings = await loadStrings({
  en: () => import('../../i18n/en/blocks.ts'),
  de: () => import('../../i18n/de/blocks.ts'),
});
