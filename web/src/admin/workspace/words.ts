import { loadStrings } from '../../i18n/language.ts';

export const adminWords = await loadStrings<typeof import('../../i18n/en/admin-workspace.ts')['words']>({
  en: () => import('../../i18n/en/admin-workspace.ts'),
  de: () => import('../../i18n/de/admin-workspace.ts'),
});
