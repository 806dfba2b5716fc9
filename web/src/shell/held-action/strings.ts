import { loadStrings } from '../../i18n/language.ts';

export const heldStrings = await loadStrings({
  en: () => import('../../i18n/en/held-action.ts'),
  de: () => import('../../i18n/de/held-action.ts'),
});
