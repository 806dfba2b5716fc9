/** Languages of the application, each by its own name. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' };

export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = 'atrium.language';

/** The first of those wanted that there is, in any of its variants. Pure. */
export function pickLanguage(requested: readonly string[]): Language {
  const found = requested
    .map((tag) => tag.slice(0, 2).toLowerCase())
    .find((tag) => Object.hasOwn(LANGUAGES, tag));
  return (found as Language | undefined) ?? 'en';
}

const RIGHT_TO_LEFT = new Set(['ar', 'fa', 'he', 'ur']);

/** Pure. */
export const getTextDirection = (tag: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(tag.slice(0, 2)) ? 'rtl' : 'ltr';

const getStoredLanguages = (): string[] => [globalThis.localStorage?.getItem(STORAGE_KEY) ?? []].flat();

/** The one of this page. */
export const language: Language = pickLanguage([...getStoredLanguages(), ...navigator.languages]);

/** Another language needs another page: its words are loaded with it. */
export function setLanguage(next: Language): void {
  localStorage.setItem(STORAGE_KEY, next);
  location.reload();
}

/** The words of a part of the application in the language of this page. Their files import nothing. */
export const loadStrings = async <Strings>(
  files: Record<Language, () => Promise<{ strings: Strings }>>,
): Promise<Strings> => (await files[language]()).strings;
