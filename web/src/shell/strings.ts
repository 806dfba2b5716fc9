import { loadStrings } from '../i18n/language.ts';

export type ShellStrings = typeof import('../i18n/en/shell.ts')['strings'];

export const shellStrings = await loadStrings<ShellStrings>({
  en: () => import('../i18n/en/shell.ts'),
  de: () => import('../i18n/de/shell.ts'),
});
