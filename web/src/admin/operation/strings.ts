import { loadStrings } from '../../i18n/language.ts';

export const operationStrings = await loadStrings({
  en: () => import('../../i18n/en/admin-operation.ts'),
  de: () => import('../../i18n/de/admin-operation.ts'),
});
