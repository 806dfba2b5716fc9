import { loadStrings } from '../i18n/language.ts';

export type ShellWords = typeof import('../i18n/en/shell.ts')['words'];

export const shellWords = await loadStrings<ShellWords>({
  en: () => import('../i18n/en/shell.ts'),
  de: () => import('../i18n/de/shell.ts'),
});
