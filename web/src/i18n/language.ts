import { loadModule } from '../connection/load-module.ts';
import { reloadPage } from '../connection/reload.ts';

export const LANGUAGES = { en: 'English', de: 'Deutsch' };

export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = 'atrium.language';

/** Returns the first supported language. Ignores region and script. */
export function pickLanguage(requested: readonly string[]): Language {
  const matchingTag = requested
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => Object.hasOwn(LANGUAGES, tag));
  return (matchingTag as Language | undefined) ?? 'en';
}

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

export const getTextDirection = (tag: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(tag.slice(0, 2)) ? 'rtl' : 'ltr';

const getStoredLanguages = (): string[] => [globalThis.localStorage?.getItem(STORAGE_KEY) ?? []].flat();

export const language: Language = pickLanguage([...getStoredLanguages(), ...navigator.languages]);

/** Reloads the page, because translations are loaded only once. */
export function setLanguage(next: Language): void {
  localStorage.setItem(STORAGE_KEY, next);
  void reloadPage();
}

interface Translations<Texts> {
  en: () => Promise<{ strings: Texts }>;
  de: () => Promise<{ strings: NoInfer<Texts> }>;
}

const SHELL_FILES = { en: () => import('./en/shell.ts'), de: () => import('./de/shell.ts') };

type SharedTexts = typeof import('./en/common.ts')['common'];

/** Loads the shell's texts and the texts that all areas share. */
export const loadShellTexts = () => loadModule(SHELL_FILES[language]);

/** Loads an area's texts, and adds the shared texts that the area does not define itself. */
export async function loadStrings<Texts extends object>(
  files: Translations<Texts>,
): Promise<Texts & Omit<SharedTexts, keyof Texts>> {
  const [{ common }, { strings }] = await Promise.all([loadShellTexts(), loadModule(files[language])]);
  return { ...common, ...strings };
}
