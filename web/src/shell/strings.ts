import { loadShellTexts } from '../i18n/language.ts';

const { common, strings } = await loadShellTexts();

export const shellStrings = { ...common, ...strings };

export type ShellStrings = typeof shellStrings;
