import { loadStrings } from '../../i18n/language.ts';

export const operationStrings = await loadStrings<
  typeof import('../../i18n/en/admin-operation.ts')['strings']
>({
  en: () => import('../../i18n/en/admin-operation.ts'),
  de: () => import('../../i18n/de/admin-operation.ts'),
});
