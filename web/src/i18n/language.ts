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

/** Loads a module's translations. Translation files have no imports. */
export const loadStrings = async <Strings>(
  files: Record<Language, () => Promise<{ strings: Strings }>>,
): Promise<Strings> => (await loadModule(files[language])).strings;
