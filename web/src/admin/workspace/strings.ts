import { loadStrings } from '../../i18n/language.ts';

export const adminStrings = await loadStrings({
  en: () => import('../../i18n/en/admin-workspace.ts'),
  de: () => import('../../i18n/de/admin-workspace.ts'),
});
