import { loadShellTexts } from '../i18n/language.ts';

export const { strings: requestStrings } = await loadShellTexts();
