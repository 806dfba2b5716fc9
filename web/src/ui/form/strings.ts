import { loadStrings } from '../../i18n/language.ts';

export const formStrings = await loadStrings<
  Pick<typeof import('../../i18n/en/shell.ts')['strings'], 'cancel'>
>({
  en: () => import('../../i18n/en/shell.ts'),
  de: () => import('../../i18n/de/shell.ts'),
});
