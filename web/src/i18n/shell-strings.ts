import { loadShellTexts } from './language.ts';

const { common, strings } = await loadShellTexts();

export const shellStrings = { ...common, ...strings };
