import { loadShellTexts } from '../i18n/language.ts';

export const { common: uiStrings } = await loadShellTexts();
